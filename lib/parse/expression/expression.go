// Package expression reads the expressions and types of all languages and returns them as record.Expression, in which names, members and calls are written the same for every language.
package expression

import (
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

const (
	// MaxExpression is how many bytes of an expression are read, from its end.
	MaxExpression = 1000
	// MaxParts is how many names, calls and subscripts of an expression are kept.
	MaxParts = 8
	// MaxReceiver is the length in bytes of the longest record.Expression.
	MaxReceiver = 200
	// Omitted stands for what an expression begins with and does not tell.
	Omitted = "…"
)

// Pronouns are names that stand for the object or type around them, and what they are in an expression.
var Pronouns = map[string]string{
	"this": "this", "$this": "this", "self": "this", "Self": "this", "cls": "this", "super": "super",
}

// keywords are words that are no names where an expression begins.
var keywords = wordSet(`true false nil null None True False NULL nullptr undefined func function fn lambda def do end if else
	case when match switch for while loop return yield throw raise in is as instanceof typeof sizeof void not and or struct class interface
	async goto break continue undef import YES NO`)

// wrapping are words before an expression that leave it the same thing.
var wrapping = wordSet("await try co_await new move ref mut const out inout borrowing consuming unsafe")

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// IsNameByte reports whether c is of a name.
func IsNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || lexical.IsDigit(c) || c >= 0x80 || c == '$' || c == '@' || c == '#'
}

// IsName reports whether s is a name and nothing else.
func IsName(s string) bool {
	if s == "" || lexical.IsDigit(s[0]) {
		return false
	}
	for i := range len(s) {
		if !IsNameByte(s[i]) {
			return false
		}
	}
	return true
}

// isDotted reports whether s is names with single dots between.
func isDotted(s string) bool {
	if s == "" || !IsNameByte(s[0]) || lexical.IsDigit(s[0]) || s[0] == '@' {
		return false
	}
	dots := 0
	for i := range len(s) {
		if s[i] == '.' {
			if dots++; dots >= MaxParts || s[i-1] == '.' || i+1 == len(s) {
				return false
			}
		} else if !IsNameByte(s[i]) || s[i] == '$' || s[i] == '@' {
			return false
		}
	}
	return true
}

// A Reader turns text of one language into expressions.
type Reader struct {
	// marks: a name may end with ? or !.
	Marks bool
	// Symbols: names are those of Lisp.
	Symbols bool
	// Words: names are those of shells, where - and : are as any letter.
	Words bool
	// composites: T{...} is a value of type T; otherwise a call with a block.
	Composites bool
	// own: types such as List and Task are the file's own, as any other.
	Own bool
	// Arguments are the type arguments that a type of another name keeps, since its values may stand for values of these.
	Arguments Arguments
	// Pointers are types of which a call such as Arc::new(x) makes something that is used as x itself.
	Pointers map[string]bool
	Pronouns map[string]string
	// Modules are words that before a "::" name modules, and how they stand in an expression.
	Modules map[string]string
}

// Arguments are the type arguments of a type that are kept.
type Arguments int

// The choices of Arguments.
const (
	NoArguments Arguments = iota
	// OneArgument: those of a type that has one.
	OneArgument
	// AllArguments: those of each type, and the types of the parts of a tuple; lifetimes are none.
	AllArguments
)

// maxArguments bounds how many arguments a type keeps.
const maxArguments = 6

// Read is the record.Expression of text, which holds no comments, "" if that says nothing: a
// literal, an operation, a function.
func (g *Reader) Read(text string) string {
	text = strings.TrimSpace(text)
	if g.Symbols {
		return readSymbol(text)
	}
	if g.Words && isShellWord(text) {
		return text
	}
	if isDotted(text) && len(text) <= MaxReceiver {
		return g.withPronoun(text)
	}
	if len(text) > 1 && text[0] == '.' && IsNameByte(text[1]) {
		// A member of what is left out.
		if s := g.Read(text[1:]); s != "" && len(s) < MaxReceiver-len(Omitted) {
			return Omitted + "." + s
		}
		return ""
	}
	if g.Arguments == AllArguments {
		if tail := elseTail(text); tail != "" {
			return g.Read(tail)
		}
	}
	whole := true
	if len(text) > MaxExpression {
		text, whole = text[len(text)-MaxExpression:], false
	}
	r := backward{Reader: g, text: text, end: len(text), whole: whole}
	s := r.read(0)
	if len(s) > MaxReceiver {
		s = Shorten(s)
	}
	return s
}

// elseTail is the expression in the last block of "if a { b } else { c }", which is of the type of all, "" if text ends otherwise or the block has statements.
func elseTail(text string) string {
	if !strings.HasSuffix(text, "}") {
		return ""
	}
	text = text[max(0, len(text)-MaxExpression):]
	r := backward{text: text, end: len(text)}
	start := r.open()
	if start < 0 {
		return ""
	}
	if word, _ := cutWord(strings.TrimSpace(text[:start])); word != "else" {
		return ""
	}
	if inside := strings.TrimSpace(text[start+1 : len(text)-1]); !strings.Contains(inside, ";") {
		return inside
	}
	return ""
}

// readSymbol is the expression of a symbol of Lisp: a name, perhaps behind a namespace and a slash. A constructor, ->T, map->T or T., stands for
// its type; a member of what follows, as in (.trim s), says nothing.
func readSymbol(text string) string {
	if text == "" || len(text) > MaxReceiver || strings.ContainsAny(text, " \t\r\n,()[]{}\"'`~@^;:") || lexical.IsDigit(text[0]) || text[0] == '.' {
		return ""
	}
	namespace, name, found := strings.Cut(text, "/")
	if !found || namespace == "" {
		namespace, name = "", text // the function "/" too
	}
	if name = strings.TrimSuffix(name, "."); strings.HasPrefix(name, "map->") {
		name = strings.TrimPrefix(name, "map")
	}
	if name = strings.TrimPrefix(name, "->"); name == "" || namespace == "" {
		return name
	}
	return namespace + "." + name
}

// isShellWord reports whether text is a name in a shell that would be an operation or more than one name elsewhere.
func isShellWord(text string) bool {
	special := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '-' || c == ':' || c == '+' || c == '@':
			special = true
		case !IsNameByte(c):
			return false
		}
	}
	return special && len(text) <= MaxReceiver && IsNameByte(text[0])
}

// withPronoun is an expression of names in which what begins it may be a pronoun.
func (g *Reader) withPronoun(s string) string {
	base := BaseOf(s)
	p, ok := g.Pronouns[base]
	if !ok {
		p, ok = Pronouns[base]
	}
	if ok {
		rest := s[len(base):]
		if p == "super" || base == "cls" || base == "Self" || base == "static" {
			rest = strings.TrimPrefix(rest, "()") // the type itself, of which an object is made
		}
		return p + rest
	}
	if keywords[base] {
		return ""
	}
	return s
}

// BaseOf is the name with which an expression begins, "" if it begins otherwise.
func BaseOf(s string) string {
	if s == "" || s[0] == '(' || strings.HasPrefix(s, Omitted) {
		return ""
	}
	if i := strings.IndexAny(s, ".(["); i >= 0 {
		return s[:i]
	}
	return s
}

// Shorten takes from the beginning of an expression what is too much.
func Shorten(s string) string {
	start := len(s) - MaxReceiver + len(Omitted)
	for start < len(s) && s[start] != '.' {
		start++
	}
	if start == len(s) {
		return ""
	}
	return Omitted + s[start:]
}

// LastPart splits an expression at its last dot; receiver is "" if there is none. name is "" unless the
// expression ends with one.
func LastPart(s string) (receiver, name string) {
	from := 0
	if strings.HasPrefix(s, "(") {
		from = strings.IndexByte(s, ')') + 1
	}
	if i := strings.LastIndexByte(s[from:], '.'); i >= 0 {
		receiver, name = s[:from+i], s[from+i+1:]
	} else {
		name = s[from:]
	}
	if strings.HasSuffix(name, "]") || strings.HasSuffix(name, ")") || strings.HasPrefix(name, Omitted) {
		return receiver, ""
	}
	return receiver, name
}

// A backward reads an expression from its end.
type backward struct {
	*Reader
	text string
	end  int
	// whole: the text is all of the expression.
	whole bool
	// parts are the names, from the last to the first, each with the calls and subscripts behind it.
	parts []string
	// joined is what stands behind the name that was read last, arguments are its type arguments, and called those of the call.
	joined, arguments, called string
}

const MaxParentheses = 4

// read reads the expression that ends at r.end.
func (r *backward) read(depth int) string {
	if depth > MaxParentheses {
		return ""
	}
	for {
		r.arguments = ""
		suffix := r.suffixes()
		if len(suffix) > 4*MaxParts {
			return ""
		}
		part, done := r.part(suffix, depth)
		if done {
			return part
		}
		if r.arguments != "" && casts[part] && strings.HasPrefix(suffix, "()") {
			return r.typed(r.TypeName(r.arguments, true), suffix[2:])
		}
		if made := r.madePointer(part, suffix); made != "" {
			return r.pointed(made, depth)
		}
		r.parts = append(r.parts, part+suffix)
		if !r.separator() {
			break
		}
		if len(r.parts) == MaxParts {
			return r.join(Omitted)
		}
	}
	if r.end == 0 && !r.whole {
		return r.join(Omitted)
	}
	return r.finish()
}

// madePointer is the call with its subscripts if the type of the name is that of a pointer whose function is called, as in Arc::new(x).
func (r *backward) madePointer(name, suffix string) string {
	if len(r.parts) == 0 || r.joined != "::" || suffix != "" || !r.Pointers[name] {
		return ""
	}
	if call := r.parts[len(r.parts)-1]; strings.Contains(call, "()") {
		return call
	}
	return ""
}

// pointed is the expression that begins with a call of a function of a pointer: it is that of the first argument.
func (r *backward) pointed(call string, depth int) string {
	r.parts = r.parts[:len(r.parts)-1]
	_, suffix, _ := strings.Cut(call, "()")
	for r.end > 0 && (IsNameByte(r.text[r.end-1]) || r.text[r.end-1] == ':') {
		r.end--
	}
	before := strings.Trim(r.text[:r.end], "&* \t\r\n")
	if !r.whole || before != "" && !wrapping[before] {
		return r.behind("", suffix)
	}
	argument := r.called
	if i := TopComma(argument); i >= 0 {
		argument = argument[:i]
	}
	inner := backward{Reader: r.Reader, text: argument, end: len(argument), whole: true}
	s := inner.read(depth + 1)
	if s == "" {
		return r.behind("", suffix)
	}
	return r.join(s + suffix)
}

// join is the parts behind base.
func (r *backward) join(base string) string {
	var b strings.Builder
	b.WriteString(base)
	for i := len(r.parts) - 1; i >= 0; i-- {
		b.WriteByte('.')
		b.WriteString(r.parts[i])
	}
	return b.String()
}

func (r *backward) skipBlanks() {
	for r.end > 0 && (lexical.IsSpace(r.text[r.end-1]) || r.text[r.end-1] == '\\' && r.end < len(r.text) && lexical.IsSpace(r.text[r.end])) {
		r.end--
	}
}

// suffixes reads the calls, subscripts and marks behind a name, and gives them from the first to the last.
func (r *backward) suffixes() string {
	out := ""
	for len(out) <= 4*MaxParts {
		r.skipBlanks()
		if r.end == 0 {
			return out
		}
		at := r.end
		switch r.text[r.end-1] {
		case '?', '!':
			if r.Marks && r.end > 1 && IsNameByte(r.text[r.end-2]) {
				return out
			}
			r.end--
		case ')':
			start := r.open()
			if start < 0 || !r.follows(start) {
				r.end = at
				return out
			}
			out = "()" + out
			r.end, r.called = start, r.text[start+1:at-1]
		case ']':
			start := r.open()
			if start < 0 || !r.follows(start) {
				r.end = at
				return out
			}
			if inside := r.text[start+1 : at-1]; !isSlice(inside) {
				out = "[]" + out
			}
			r.end = start
		case '}':
			start := r.open()
			if start < 0 || r.Composites || !r.follows(start) {
				r.end = at
				return out
			}
			r.end = start
			r.skipBlanks()
			if r.text[r.end-1] != ')' {
				out = "()" + out
			}
		case '>':
			// Type arguments, unless it is an arrow.
			start := r.openAngle()
			if start <= 0 || !IsNameByte(r.text[start-1]) && !strings.HasSuffix(r.text[:start], "::") && !strings.HasSuffix(r.text[:start], ".") {
				return out
			}
			r.arguments = r.text[start+1 : at-1]
			r.end = start
			if s, ok := strings.CutSuffix(r.text[:start], "::"); ok {
				r.end = len(s)
			}
		default:
			return out
		}
	}
	return out
}

// isSlice reports whether a subscript is a range, which gives a list and not an element.
func isSlice(inside string) bool {
	depth := 0
	for i := range len(inside) {
		switch c := inside[i]; {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && (c == ':' && !(i+1 < len(inside) && inside[i+1] == ':') && !(i > 0 && inside[i-1] == ':') || c == '.' && i+1 < len(inside) && inside[i+1] == '.'):
			return true
		}
	}
	return false
}

// follows reports whether what begins at start stands behind a name, a call or the like, and so belongs to that.
func (r *backward) follows(start int) bool {
	i := start
	for i > 0 && lexical.IsSpace(r.text[i-1]) {
		i--
	}
	if i == 0 {
		return false
	}
	c := r.text[i-1]
	if IsNameByte(c) {
		w := i
		for w > 0 && IsNameByte(r.text[w-1]) {
			w--
		}
		if w > 0 && r.text[w-1] == '.' {
			return true // Ruby's T.new()
		}
		if before := strings.TrimRight(r.text[:w], " \t\r\n"); strings.HasSuffix(before, ".") || strings.HasSuffix(before, "::") {
			return true // a member of that name: T::new()
		}
		return (r.Own || !wrapping[r.text[w:i]]) && (!keywords[r.text[w:i]] || r.text[w:i] == "func")
	}
	return c == ')' || c == ']' || (c == '>' && !strings.HasSuffix(r.text[:i], "->") && !strings.HasSuffix(r.text[:i], "=>")) || (c == '!' || c == '?') && i > 1 && IsNameByte(r.text[i-2]) ||
		c == '}' && r.text[start] == '(' || c == '.' && strings.HasSuffix(r.text[:i], "?.")
}

// open is where the bracket opens that closes at r.end, -1 if that is not in the text.
func (r *backward) open() int {
	depth := 0
	for i := r.end - 1; i >= 0; i-- {
		switch c := r.text[i]; c {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'', '`':
			if j := quoteOpen(r.text, i); j >= 0 {
				i = j
			}
		}
	}
	return -1
}

// quoteOpen is where the string begins that ends at i, or -1. A quote that is none, such as that of a
// lifetime or in a comment, has no other before it on its line.
func quoteOpen(text string, i int) int {
	q := text[i]
	for j := i - 1; j >= 0; j-- {
		if text[j] == '\n' && q != '`' {
			return -1
		}
		if text[j] != q {
			continue
		}
		slashes := 0
		for k := j - 1; k >= 0 && text[k] == '\\'; k-- {
			slashes++
		}
		if slashes%2 == 0 {
			return j
		}
	}
	return -1
}

// openAngle is where the "<" stands that closes at r.end, or -1.
func (r *backward) openAngle() int {
	depth := 0
	for i := r.end - 1; i >= 0; i-- {
		switch c := r.text[i]; {
		case c == '>' && i > 0 && (r.text[i-1] == '-' || r.text[i-1] == '='):
			i--
		case c == '>':
			depth++
		case c == '<':
			if depth--; depth == 0 {
				return i
			}
		case !IsNameByte(c) && !lexical.IsSpace(c) && strings.IndexByte(".,:&*?[]()'|", c) < 0:
			return -1
		}
	}
	return -1
}

// part reads a name, or with done all that remains. suffix is what stands behind it.
func (r *backward) part(suffix string, depth int) (part string, done bool) {
	if r.end == 0 {
		if !r.whole {
			return r.behind(Omitted+suffix, suffix), true
		}
		return r.behind("", suffix), true
	}
	end := r.end
	switch c := r.text[end-1]; {
	case c == ')':
		return r.parenthesis(suffix, depth), true
	case c == ']':
		return r.list(suffix), true
	case c == '}':
		return r.composite(suffix), true
	case IsNameByte(c) || r.Marks && (c == '?' || c == '!') && end > 1 && IsNameByte(r.text[end-2]):
		start := end - 1
		for start > 0 && IsNameByte(r.text[start-1]) {
			start--
		}
		if start == 0 && !r.whole {
			return r.behind(Omitted+suffix, suffix), true
		}
		name := r.text[start:end]
		if lexical.IsDigit(name[0]) && !(start > 0 && r.text[start-1] == '.' && (len(r.parts) == 0 || r.Arguments == AllArguments)) {
			return r.behind("", suffix), true
		}
		if len(name) > lexical.MaxName {
			return r.behind("", suffix), true
		}
		r.end = start
		return name, false
	}
	return r.behind("", suffix), true
}

// behind is the whole expression where base is what it begins with: "" is unknown.
func (r *backward) behind(base, suffix string) string {
	if len(r.parts) == 0 && (base == "" || strings.HasPrefix(base, Omitted)) {
		return ""
	}
	if base == "" {
		base = Omitted
	} else if !strings.HasSuffix(base, suffix) || suffix == "" {
		base += suffix
	}
	return r.join(base)
}

// typed is the whole expression where it begins with a value of a type.
func (r *backward) typed(t, suffix string) string {
	if t == "" {
		return r.behind("", suffix)
	}
	return r.join("(" + t + ")" + suffix)
}

// separator reads what joins a name to the one before it.
func (r *backward) separator() bool {
	end := r.end
	r.skipBlanks()
	before := r.text[:r.end]
	for _, s := range []string{"?->", "!!.", "?.", "&.", "::", "->", "!.", "..", "."} {
		if rest, ok := strings.CutSuffix(before, s); ok {
			if s == ".." && strings.HasSuffix(rest, ".") {
				return false // ...x
			}
			r.end, r.joined = len(rest), s
			if strings.TrimSpace(rest) == "" {
				return false // ::x
			}
			return true
		}
	}
	if rest, ok := strings.CutSuffix(before, `\`); ok {
		r.end = len(rest)
		return rest != "" && IsNameByte(rest[len(rest)-1])
	}
	// Lua's obj:method.
	if n := len(before); n > 1 && before[n-1] == ':' && n == end && (IsNameByte(before[n-2]) || before[n-2] == ')' || before[n-2] == ']') {
		r.end = n - 1
		return true
	}
	r.end = end
	return false
}

// finish is the expression when what stands before its first name is no part of it.
func (r *backward) finish() string {
	first := r.parts[len(r.parts)-1]
	r.parts = r.parts[:len(r.parts)-1]
	base := first
	if i := strings.IndexAny(first, "(["); i >= 0 {
		base = first[:i]
	}
	suffix := first[len(base):]
	base = strings.TrimSuffix(base, "\\")
	made := false
	before := strings.TrimSpace(r.text[:r.end])
	for before != "" {
		if !r.whole {
			return r.behind("", suffix)
		}
		if s, ok := strings.CutSuffix(before, "<-"); ok {
			if len(r.parts) > 0 {
				r.parts[0] += "[]"
			} else {
				suffix += "[]"
			}
			before = strings.TrimSpace(s)
			continue
		}
		if c := before[len(before)-1]; (c == '&' || c == '*') && strings.Trim(before, "&* ") == "" {
			break
		}
		if s, ok := cutWord(before); ok && wrapping[s] {
			made = made || s == "new"
			before = strings.TrimSpace(before[:len(before)-len(s)])
			continue
		} else if ok && s == "as" && base+suffix == "const" && len(r.parts) == 0 {
			return r.Read(before[:len(before)-len(s)])
		} else if ok && (s == "as" || s == "satisfies") || strings.HasSuffix(before, " as?") || strings.HasSuffix(before, " as!") {
			return "(" + r.join(base+strings.TrimSuffix(suffix, "()")) + ")"
		}
		if before[0] == '<' && closeAngle(before) == len(before)-1 {
			return r.cast(before[1 : len(before)-1])
		}
		if before[0] == '(' && before[len(before)-1] == ')' && matching(before) == len(before)-1 {
			return r.cast(before[1 : len(before)-1])
		}
		return ""
	}
	if strings.HasPrefix(base, "@") {
		// An instance variable of Ruby.
		return r.join("this." + strings.TrimLeft(base, "@") + suffix)
	}
	if r.Own && (base == "new" || base == "make") && strings.HasPrefix(suffix, "()") {
		// Go: the type that they name.
		t := r.called
		if i := TopComma(t); i >= 0 {
			t = t[:i]
		}
		return r.typed(r.TypeName(t, true), suffix[2:])
	}
	if m, ok := r.Modules[base]; ok && r.joined == "::" && len(r.parts) > 0 {
		return r.join(m + suffix)
	}
	s := r.join(base + suffix)
	if made {
		head, rest := s, ""
		if i := strings.Index(s, "()"); i >= 0 {
			head, rest = s[:i], s[i+2:]
		}
		return "(" + head + ")" + rest
	}
	return r.withPronoun(s)
}

// cast is a value behind a type in parentheses.
func (r *backward) cast(text string) string {
	t := r.TypeName(text, true)
	if t == "" {
		return ""
	}
	return "(" + t + ")"
}

// cutWord is the word with which s ends.
func cutWord(s string) (string, bool) {
	i := len(s)
	for i > 0 && IsNameByte(s[i-1]) {
		i--
	}
	return s[i:], i < len(s)
}

// parenthesis reads what ends with a ")" that is no call.
func (r *backward) parenthesis(suffix string, depth int) string {
	end := r.end
	start := r.open()
	if start < 0 {
		return r.behind("", suffix)
	}
	inside := r.text[start+1 : end-1]
	before := strings.TrimSpace(r.text[:start])
	if strings.HasSuffix(before, ".") {
		// Go: x.(T)
		if strings.TrimSpace(inside) == "type" {
			return r.behind("", suffix)
		}
		return r.typed(r.TypeName(inside, true), suffix)
	}
	if strings.Trim(before, "&* ") != "" && !wrapping[before] {
		return r.behind("", suffix)
	}
	inner := backward{Reader: r.Reader, text: inside, end: len(inside), whole: true}
	s := inner.read(depth + 1)
	if s == "" {
		// A type: (*T).method
		return r.behind("", suffix)
	}
	return r.join(s + suffix)
}

// list reads what ends with a "]" that is no subscript: a list.
func (r *backward) list(suffix string) string { return r.behind("", suffix) }

// composite reads what ends with a "}" that is no block behind a call.
func (r *backward) composite(suffix string) string {
	start := r.open()
	if !r.Composites || start <= 0 {
		return r.behind("", suffix)
	}
	head := strings.TrimSpace(r.text[:start])
	if word, _, _ := strings.Cut(head, " "); head == "" || !r.whole || keywords[word] {
		return r.behind("", suffix)
	}
	return r.typed(r.TypeName(strings.TrimLeft(head, "&"), true), suffix)
}

// matching is where the bracket closes with which s begins, or -1.
func matching(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// closeAngle is where the "<" with which s begins closes, or -1.
func closeAngle(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && (s[i-1] == '-' || s[i-1] == '=') {
				continue
			}
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// holders are types that hold a thing that is used as if it stood there itself; lists are those of which a
// loop gives the elements. Their names are the same in many languages.
var (
	holders = wordSet(`Box Rc Arc Cow Pin RefMut Ref Option Result Mutex RwLock RefCell Cell OnceCell OnceLock LazyLock LazyCell Lazy MutexGuard MappedMutexGuard
		OwnedMutexGuard RwLockReadGuard RwLockWriteGuard MappedRwLockReadGuard MappedRwLockWriteGuard OwnedRwLockReadGuard OwnedRwLockWriteGuard ManuallyDrop Weak
		NonNull ArcSwap
		unique_ptr shared_ptr weak_ptr optional scoped_refptr Optional Promise PromiseLike Future Awaitable Coroutine Task ValueTask
		Annotated Final ClassVar Required NotRequired Readonly Partial NonNullable Nullable Type type`)
	lists = wordSet(`SmallVec IndexMap IndexSet BinaryHeap DashMap initializer_list forward_list multimap Array ReadonlyArray List MutableList ArrayList LinkedList Vec VecDeque vector deque list set tuple dict Set MutableSet HashSet
		BTreeSet TreeSet Map MutableMap HashMap BTreeMap TreeMap LinkedHashMap ConcurrentHashMap ConcurrentMap map unordered_map unordered_set Dict Dictionary IDictionary
		DefaultDict OrderedDict Mapping MutableMapping Sequence MutableSequence Iterable Iterator Collection Generator AsyncIterator
		AsyncIterable AsyncGenerator IEnumerable ICollection IList IReadOnlyList IReadOnlyCollection Stream Seq Tuple array span Span Flow Observable`)
	// qualifiers are words before a type.
	qualifiers = wordSet(`const mut dyn impl struct class enum union volatile static readonly final typename ref out in val var inout some any
		register extern inline unsafe unsigned signed keyof typeof unique lateinit override abstract virtual constexpr chan mutable
		internal public private protected open vararg crossinline noinline suspend weak borrowing consuming sending nonisolated`)
	// casts are calls of which the type argument is the type of what they give.
	casts = wordSet("static_cast dynamic_cast reinterpret_cast const_cast make_unique make_shared")
	// untyped are words in the place of a type that tell none.
	untyped = wordSet(`import func fn function interface auto var null None undefined nil void map fun Fn FnMut FnOnce`)
)

// MaxType is how many bytes of a type are read.
const MaxType = 400

// TypeName is the type that text names, for (T) of a record.Expression: its name with those before it, and "[]"
// for each list; "" if it names none. If resolved, holders stand for what they hold, and other types keep their one type argument if the language wants it.
func (g *Reader) TypeName(text string, resolved bool) string {
	text = shorten.Bytes(text, MaxType)
	if g.Arguments == AllArguments {
		text = WithoutLifetimes(text)
	}
	t := typeReader{Reader: g, text: text, resolved: resolved && !g.Own, own: g.Own}
	if t.resolved {
		t.arguments = g.Arguments
	}
	name := g.withBase(t.read(0))
	if len(name) > MaxReceiver {
		name, _, _ = strings.Cut(name, "<")
	}
	if len(name) > MaxReceiver {
		return ""
	}
	return name
}

// withBase is a type in which what begins its name may be a pronoun or a word for a module.
func (g *Reader) withBase(name string) string {
	plain, _, _ := strings.Cut(name, "<")
	base := BaseOf(plain)
	if base == "" {
		return name
	}
	if m := g.Modules[base]; base != plain && m != "" {
		return m + name[len(base):]
	}
	p, ok := g.Pronouns[base]
	if !ok {
		p, ok = Pronouns[base]
	}
	if ok {
		return p + name[len(base):]
	}
	return name
}

// WithoutLifetimes is a type of Rust without the names of its lifetimes, and without those that are arguments.
func WithoutLifetimes(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '\'')
		if i < 0 {
			break
		}
		end := i + 1
		for end < len(text) && IsNameByte(text[end]) {
			end++
		}
		if end < len(text) && text[end] == '\'' {
			b.WriteString(text[:end+1])
			text = text[end+1:]
			continue
		}
		before := strings.TrimRight(text[:i], " \t\r\n")
		b.WriteString(text[:i])
		text = text[end:]
		if strings.HasSuffix(before, "<") || strings.HasSuffix(before, ",") || before == "" && strings.HasSuffix(b.String(), ",") {
			text = strings.TrimPrefix(strings.TrimLeft(text, " \t\r\n"), ",")
		}
	}
	if b.Len() == 0 {
		return text
	}
	b.WriteString(text)
	return b.String()
}

// A typeReader reads a type from its beginning.
type typeReader struct {
	*Reader
	text          string
	resolved, own bool
	arguments     Arguments
}

func (t *typeReader) skip() {
	for t.text != "" {
		switch c := t.text[0]; {
		case lexical.IsSpace(c) || strings.IndexByte("*&?:=!~", c) >= 0:
			t.text = t.text[1:]
		case strings.HasPrefix(t.text, "<-") || strings.HasPrefix(t.text, "->"):
			t.text = t.text[2:]
		case strings.HasPrefix(t.text, "..."):
			t.text = t.text[3:]
		case c == '\'' && len(t.text) > 2 && t.text[2] != '\'' && !strings.Contains(t.text[1:], "'"):
			// A lifetime.
			t.text = t.text[1:]
			t.text = strings.TrimLeft(t.text, "abcdefghijklmnopqrstuvwxyz_")
		default:
			return
		}
	}
}

const maxTypeDepth = 6

func (t *typeReader) read(depth int) string {
	if depth > maxTypeDepth {
		return ""
	}
	for {
		t.skip()
		if t.text == "" {
			return ""
		}
		switch c := t.text[0]; {
		case c == '"' || c == '\'':
			// A type as a string.
			if end := strings.IndexByte(t.text[1:], c); end > 0 {
				return t.inner(t.text[1:1+end], depth)
			}
			return ""
		case c == '[':
			return t.bracketed(depth)
		case c == '(':
			end := matching(t.text)
			if end < 0 {
				return ""
			}
			inside, rest := t.text[1:end], strings.TrimSpace(t.text[end+1:])
			if strings.HasPrefix(rest, "=>") || strings.HasPrefix(rest, "->") {
				return ""
			}
			if t.arguments == AllArguments && TopComma(inside) >= 0 {
				return t.listed(inside, depth)
			}
			inside = t.firstOf(inside)
			return t.suffixed(t.inner(inside, depth), rest, depth)
		case c == '@':
			t.text = t.text[1:]
			t.word()
		case IsNameByte(c) && !lexical.IsDigit(c):
			if name, done := t.named(depth); done {
				return name
			}
		case c == '\\' || strings.HasPrefix(t.text, "::"):
			t.text = strings.TrimLeft(t.text, `\:`)
		default:
			return ""
		}
	}
}

// firstOf is the type of the first of several results, which may have names: (T, error), (a, b T, err error).
func (t *typeReader) firstOf(list string) string {
	first := ""
	for rest := list; ; {
		i := TopComma(rest)
		one := rest
		if i >= 0 {
			one = rest[:i]
		}
		one = strings.TrimSpace(one)
		if first == "" {
			first = one
		}
		if name, typ, ok := strings.Cut(one, " "); ok && IsName(name) && (t.own || !qualifiers[name]) && name != "chan" {
			return typ
		}
		if i < 0 || !IsName(one) {
			return first
		}
		rest = rest[i+1:]
	}
}

func (t *typeReader) inner(text string, depth int) string {
	inner := typeReader{Reader: t.Reader, text: text, resolved: t.resolved, own: t.own, arguments: t.arguments}
	return inner.read(depth + 1)
}

func (t *typeReader) word() string {
	i := 0
	for i < len(t.text) && IsNameByte(t.text[i]) {
		i++
	}
	w := t.text[:i]
	t.text = t.text[i:]
	return w
}

// bracketed reads []T, [N]T, [T], [T; N] and [K: V].
func (t *typeReader) bracketed(depth int) string {
	end := matching(t.text)
	if end < 0 {
		return ""
	}
	inside, rest := t.text[1:end], strings.TrimSpace(t.text[end+1:])
	if rest == "" || strings.ContainsRune("?!,)", rune(rest[0])) {
		if i := strings.LastIndex(inside, ": "); i >= 0 {
			inside = inside[i+1:]
		}
		inside, _, _ = strings.Cut(inside, ";")
		return listOf(t.inner(inside, depth))
	}
	return listOf(t.inner(rest, depth))
}

func listOf(name string) string {
	if name == "" {
		return ""
	}
	return name + "[]"
}

// named reads what begins with a word. It is not done if that is none of a type's name.
func (t *typeReader) named(depth int) (name string, done bool) {
	word := t.word()
	if word == "map" && strings.HasPrefix(t.text, "[") {
		end := matching(t.text)
		if end < 0 {
			return "", true
		}
		return listOf(t.inner(t.text[end+1:], depth)), true
	}
	next := strings.TrimLeft(t.text, " \t\r\n")
	if qualifiers[word] && next != "" && (IsNameByte(next[0]) || strings.HasPrefix(next, "<-") || strings.ContainsRune("*&[(", rune(next[0])) && word == "chan" || strings.HasPrefix(next, "::") && word == "typename") {
		if word == "chan" {
			return listOf(t.inner(next, depth)), true
		}
		return "", false
	}
	if untyped[word] || qualifiers[word] && strings.HasPrefix(next, "{") {
		if strings.HasPrefix(next, "|") {
			t.text = next[1:]
			return "", false
		}
		return "", true
	}
	path := []string{word}
	for len(path) <= MaxParts {
		rest, ok := strings.CutPrefix(next, "::")
		if !ok {
			rest, ok = strings.CutPrefix(next, ".")
		}
		if !ok {
			rest, ok = strings.CutPrefix(next, `\`)
		}
		rest = strings.TrimLeft(rest, " \t\r\n")
		if !ok || rest == "" || !IsNameByte(rest[0]) {
			break
		}
		t.text = rest
		path = append(path, t.word())
		next = strings.TrimLeft(t.text, " \t\r\n")
	}
	last := path[len(path)-1]
	name = strings.Join(path, ".")
	var args string
	switch {
	case strings.HasPrefix(next, "<"):
		end := closeAngle(next)
		if end < 0 {
			return name, true
		}
		args, next = next[1:end], strings.TrimLeft(next[end+1:], " \t\r\n")
		// Rust: Vec<T>::Item; Java: A<B>.C
		if rest, ok := strings.CutPrefix(next, "."); ok && rest != "" && IsNameByte(rest[0]) {
			t.text = rest
			return name + "." + t.word(), true
		}
	case strings.HasPrefix(next, "["):
		end := matching(next)
		if end < 0 {
			return name, true
		}
		if inside := strings.TrimSpace(next[1:end]); inside != "" && !lexical.IsDigit(inside[0]) {
			args, next = inside, strings.TrimLeft(next[end+1:], " \t\r\n")
		}
	}
	if t.resolved && args != "" && (holders[last] || lists[last]) {
		arg := args
		for i := TopComma(arg); i >= 0; i = TopComma(arg) {
			if holders[last] || last == "Generator" || last == "AsyncGenerator" || last == "vector" || strings.HasSuffix(last, "Set") {
				arg = arg[:i]
				break
			}
			arg = arg[i+1:]
		}
		name = t.inner(arg, depth)
		if lists[last] {
			name = listOf(name)
		}
	} else if t.arguments == AllArguments && args != "" {
		name += t.listed(args, depth)
	} else if t.arguments == OneArgument && args != "" && TopComma(args) < 0 {
		if arg := t.argument(args); arg != "" {
			name += "<" + arg + ">"
		}
	}
	return t.suffixed(name, next, depth), true
}

// listed is "<A,B>" for type arguments or the parts of a tuple, with nothing in the place of those that have no name; "" if none has.
func (t *typeReader) listed(text string, depth int) string {
	var b strings.Builder
	known := false
	for n := 0; n < maxArguments && text != ""; n++ {
		arg := text
		if i := TopComma(text); i >= 0 {
			arg, text = text[:i], text[i+1:]
		} else {
			text = ""
		}
		if n > 0 {
			b.WriteByte(',')
		}
		if name := t.withBase(t.inner(arg, depth)); name != "" {
			known = true
			b.WriteString(name)
		}
	}
	if !known {
		return ""
	}
	return "<" + b.String() + ">"
}

// argument is the type of a type argument, "" unless that is a plain name.
func (t *typeReader) argument(text string) string {
	inner := typeReader{Reader: t.Reader, text: text, resolved: true, own: t.own}
	arg := inner.read(1)
	if !isDotted(arg) || Pronouns[BaseOf(arg)] != "" {
		return ""
	}
	return arg
}

// suffixed is name with the lists that stand behind it.
func (t *typeReader) suffixed(name, rest string, depth int) string {
	for name != "" {
		rest = strings.TrimLeft(rest, " \t\r\n*&?!")
		end := matching(rest)
		if !strings.HasPrefix(rest, "[") || end < 0 {
			break
		}
		name += "[]"
		rest = rest[end+1:]
	}
	if name == "" && strings.HasPrefix(rest, "|") {
		return t.inner(rest[1:], depth)
	}
	return name
}

// TopComma is the index of the first comma of s outside of brackets, or -1.
func TopComma(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}':
			depth--
		case '>':
			if i == 0 || s[i-1] != '-' && s[i-1] != '=' {
				depth--
			}
		case '"', '\'', '`':
			if n := strings.IndexByte(s[i+1:], s[i]); n >= 0 {
				i += n + 1
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return -1
}
