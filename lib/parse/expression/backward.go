package expression

import (
	"strings"

	"cortex/lib/parse/lexical"
)

// wrapping has words before an expression that do not change its meaning.
var wrapping = wordSet("await try co_await new move ref mut const out inout borrowing consuming unsafe")

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
		return r.list(suffix, depth), true
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

// list reads a list in brackets, whose type is unknown, or a message of Objective-C.
func (r *backward) list(suffix string, depth int) string {
	end := r.end
	if start := r.open(); r.Selectors && start >= 0 && strings.Trim(r.text[:start], "&* \t\r\n") == "" {
		if s := r.message(r.text[start+1:end-1], depth); s != "" {
			return r.join(s + suffix)
		}
	}
	return r.behind("", suffix)
}

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
