// Package expression converts expressions and types of all languages to record.Expression, in which names, members and
// calls are written in the same way for every language. Reader.Read takes an expression, which it reads backward from
// its last name; Reader.TypeName takes a type.
package expression

import (
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

const (
	// MaxExpression is the most bytes of an expression that are read, counted from its end.
	MaxExpression = 1000
	// MaxParts is the most names of an expression that are kept.
	MaxParts = 8
	// MaxReceiver is the length in bytes of the longest record.Expression.
	MaxReceiver = 200
	// Omitted stands for an unknown beginning of an expression.
	Omitted = "…"
)

// Pronouns maps names that mean the object or type around them to their form in a record.Expression.
var Pronouns = map[string]string{
	"this": "this", "$this": "this", "self": "this", "Self": "this", "cls": "this", "super": "super",
}

// keywords has words that are no names at the start of an expression.
var keywords = wordSet(`true false nil null None True False NULL nullptr undefined func function fn lambda def do end if else
	case when match switch for while loop return yield throw raise in is as instanceof typeof sizeof void not and or struct class interface
	async goto break continue undef import YES NO`)

// wrapping has words before an expression that do not change its meaning.
var wrapping = wordSet("await try co_await new move ref mut const out inout borrowing consuming unsafe")

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// IsNameByte reports whether c can be part of a name.
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

// isDotted reports whether s is a list of names with single dots between them.
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

// A Reader converts expressions and types of one language.
type Reader struct {
	// Marks: a name may end with "?" or "!".
	Marks bool
	// Symbols: names are those of Lisp.
	Symbols bool
	// Words: names are those of shells, which may contain "-" and ":".
	Words bool
	// Composites: T{...} is a value of type T, not a call with a block.
	Composites bool
	// Own: types named List, Task and so on have no special meaning.
	Own bool
	// Arguments says which types, besides holders and lists, keep their type arguments, since their values may stand
	// for values of these.
	Arguments Arguments
	// Pointers has types such as Arc: a call Arc::new(x) makes a value that is used as x itself.
	Pointers map[string]bool
	Pronouns map[string]string
	// Modules maps words that name modules before "::" to their form in an expression.
	Modules map[string]string
}

// Arguments says which type arguments are kept.
type Arguments int

// The values of Arguments.
const (
	NoArguments Arguments = iota
	// OneArgument: the type argument of types with exactly one.
	OneArgument
	// PlainArguments: the names of all type arguments, without type arguments of their own.
	PlainArguments
	// AllArguments: all type arguments except lifetimes, and the types of the parts of tuples.
	AllArguments
)

// maxArguments is the most type arguments that a type keeps.
const maxArguments = 6

// Read returns the record.Expression of text, which must have no comments; "" for literals, operations and functions,
// which tell nothing.
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
		// A member of an omitted receiver.
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

// elseTail returns the expression in the last block of "if a { b } else { c }", which has the type of the whole; "" if
// text has no such end or the block has statements.
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

// readSymbol returns the expression of a Lisp symbol: a name, which may follow a namespace and a slash. A constructor
// ->T, map->T or T. stands for its type. A member of the next form, as in (.trim s), gives "".
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

// isShellWord reports whether text is a name in a shell that in other languages would be several names with operators.
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

// withPronoun returns an expression with a pronoun at its start replaced; "" if it begins with a keyword.
func (g *Reader) withPronoun(s string) string {
	base := BaseOf(s)
	p, ok := g.Pronouns[base]
	if !ok {
		p, ok = Pronouns[base]
	}
	if ok {
		rest := s[len(base):]
		if p == "super" || base == "cls" || base == "Self" || base == "static" {
			rest = strings.TrimPrefix(rest, "()") // a call of the type itself makes an object
		}
		return p + rest
	}
	if keywords[base] {
		return ""
	}
	return s
}

// BaseOf returns the name at the start of an expression, "" if it begins otherwise.
func BaseOf(s string) string {
	if s == "" || s[0] == '(' || strings.HasPrefix(s, Omitted) {
		return ""
	}
	if i := strings.IndexAny(s, ".(["); i >= 0 {
		return s[:i]
	}
	return s
}

// Shorten cuts an expression at its start so that it has at most MaxReceiver bytes; "" if that leaves no part of it.
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

// A backward reads an expression from its end to its start.
type backward struct {
	*Reader
	text string
	end  int
	// whole is set if text has the whole expression, not only its end.
	whole bool
	// parts has the names read so far, the last one first, each with the calls and subscripts behind it.
	parts []string
	// joined is the separator behind the name that is read next. arguments has its type arguments, called the text of
	// the arguments of the last call read.
	joined, arguments, called string
}

const MaxParentheses = 4

// read reads the expression that ends at r.end. depth is the nesting of parentheses.
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

// madePointer returns the call behind a name, with its suffixes, if the name is a type in Pointers, as in Arc::new(x);
// otherwise "".
func (r *backward) madePointer(name, suffix string) string {
	if len(r.parts) == 0 || r.joined != "::" || suffix != "" || !r.Pointers[name] {
		return ""
	}
	if call := r.parts[len(r.parts)-1]; strings.Contains(call, "()") {
		return call
	}
	return ""
}

// pointed returns the whole expression if it begins with a call such as Arc::new(x): the call is replaced by its first
// argument.
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

// join returns base with the parts behind it.
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

// suffixes reads the calls, subscripts and marks behind a name and returns calls and subscripts in their order.
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

// isSlice reports whether a subscript is a range, whose result is a list, not an element.
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

// follows reports whether the bracket at start follows a name, a call or the like, and so belongs to it.
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

// open returns the offset of the bracket that matches the one before r.end, -1 if the text does not have it.
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

// quoteOpen returns the start of the string literal that ends at i, or -1. An apostrophe that is no quote, as in a
// lifetime, has no other before it on its line.
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

// openAngle returns the offset of the "<" that matches the ">" before r.end, or -1. Arguments may be negative numbers and
// characters, as in one<-1, '+'>.
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
		case c == '\'' && i > 1 && r.text[i-2] == '\'':
			i -= 2
		case c == '\'' && i > 2 && r.text[i-2] == '\\' && r.text[i-3] == '\'':
			i -= 3
		case c == '-' && lexical.IsDigit(r.text[i+1]):
		case !IsNameByte(c) && !lexical.IsSpace(c) && strings.IndexByte(".,:&*?[]()'|", c) < 0:
			return -1
		}
	}
	return -1
}

// part reads the name before suffix. If there is no name, it reads the rest of the expression, sets done and returns
// the whole expression.
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

// behind returns the whole expression if it begins with base, "" for an unknown beginning.
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

// typed returns the whole expression if it begins with a value of type t.
func (r *backward) typed(t, suffix string) string {
	if t == "" {
		return r.behind("", suffix)
	}
	return r.join("(" + t + ")" + suffix)
}

// separator reads the separator between a name and the one before it; false if there is none.
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

// finish returns the whole expression after its first name is read. It handles operators, casts and words before that
// name.
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
		// Go: the first argument is the type.
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

// cast returns a value of the type in text, for a cast.
func (r *backward) cast(text string) string {
	t := r.TypeName(text, true)
	if t == "" {
		return ""
	}
	return "(" + t + ")"
}

// cutWord returns the word at the end of s; false if there is none.
func cutWord(s string) (string, bool) {
	i := len(s)
	for i > 0 && IsNameByte(s[i-1]) {
		i--
	}
	return s[i:], i < len(s)
}

// parenthesis reads an expression in parentheses, or a type assertion of Go.
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

// list reads a list in brackets, whose type is unknown.
func (r *backward) list(suffix string) string { return r.behind("", suffix) }

// composite reads a composite value T{...}.
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

// matching returns the index of the bracket that closes the one at the start of s, or -1.
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

// closeAngle returns the index of the ">" that closes the "<" at the start of s, or -1.
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

// holders has types whose values are used as the value that they hold, lists has collection types. Their names mean the
// same in many languages.
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
	// qualifiers has words before a type that are no part of it.
	qualifiers = wordSet(`const mut dyn impl struct class enum union volatile static readonly final typename ref out in extends super val var inout some any
		register extern inline unsafe unsigned signed keyof typeof unique lateinit override abstract virtual constexpr chan mutable
		internal public private protected open vararg crossinline noinline suspend weak borrowing consuming sending nonisolated`)
	// casts has functions whose result has the type of their type argument.
	casts = wordSet("static_cast dynamic_cast reinterpret_cast const_cast make_unique make_shared")
	// untyped has words that in place of a type say nothing.
	untyped = wordSet(`import func fn function interface auto var null None undefined nil void map fun Fn FnMut FnOnce`)
)

// MaxType is the most bytes of a type that are read.
const MaxType = 400

// TypeName returns the type that text names, for (T) of a record.Expression: its qualified name, and "[]" for each
// list; "" if there is none. If resolved is set, holders are replaced by the type that they hold, and other types keep
// their type arguments according to g.Arguments.
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

// withBase returns a type with a pronoun or a word in Modules at its start replaced.
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

// WithoutLifetimes returns a Rust type without lifetimes, including those in its type arguments.
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

// A typeReader reads a type from its start.
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
			// A type in quotes.
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
				return listed(inside, func(part string) string { return t.withBase(t.inner(part, depth)) })
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

// firstOf returns the type of the first of several results, which may have names: (T, error), (a, b T, err error).
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

// named reads a type that begins with a word. done is false if the word is a qualifier, behind which the type is to be
// read.
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
		name += listed(args, func(arg string) string { return t.withBase(t.inner(arg, depth)) })
	} else if args != "" && (t.arguments == PlainArguments || t.arguments == OneArgument && TopComma(args) < 0) {
		name += listed(args, t.argument)
	}
	return t.suffixed(name, next, depth), true
}

// listed returns "<A,B>" for type arguments or the parts of a tuple, which read converts, with empty text for unknown ones;
// "" if all are unknown.
func listed(text string, read func(string) string) string {
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
		if name := read(arg); name != "" {
			known = true
			b.WriteString(name)
		}
	}
	if !known {
		return ""
	}
	return "<" + b.String() + ">"
}

// argument returns the type of a type argument, "" if it is no plain name.
func (t *typeReader) argument(text string) string {
	inner := typeReader{Reader: t.Reader, text: text, resolved: true, own: t.own}
	arg := inner.read(1)
	if !isDotted(arg) || Pronouns[BaseOf(arg)] != "" {
		return ""
	}
	return arg
}

// suffixed returns name with "[]" for each pair of brackets at the start of rest.
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

// TopComma returns the index of the first comma in s outside of brackets and strings, or -1.
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
