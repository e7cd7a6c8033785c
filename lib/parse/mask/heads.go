package mask

import (
	"slices"
	"strings"
)

// nameFunction gives a function whose name is an argument of a macro, such as API(name)(int x) {, this name: the macro
// becomes the type of the result, or is blanked behind one. Of several arguments, the last is the name. It returns false
// if the word from start to end is no such macro.
func (m *macros) nameFunction(token string, start, end int) bool {
	if around := m.innermost(); around != 0 && around != '{' || m.enum != noEnum || !isWord(token) || slices.Contains(notNames, token) ||
		slices.Contains(notCalls, token) || slices.Contains(declarationWords, token) {
		return false
	}
	open := m.skip(end)
	after := m.argumentsEnd(open)
	parameters := m.skip(after)
	behind := m.argumentsEnd(parameters)
	if after == open || behind == parameters || !slices.Contains(bodyStarts, m.tokenAt(m.skip(behind))) {
		return false
	}
	from := m.skip(max(open, open+strings.LastIndexByte(m.text[open:after], ',')) + 1)
	name := m.tokenAt(from)
	if !isWord(name) || m.skip(from+len(name)) != after-1 {
		return false
	}
	if m.isBehindResult() {
		end = start
	}
	m.blank(end, from)
	m.blank(from+len(name), after)
	m.read(name, after)
	return true
}

// bodyStarts has the tokens that may follow the parameters of a function that is defined.
var bodyStarts = []string{"{", "const", "noexcept", "override", "final"}

// nameType turns a macro that is the head of a type, such as "typedef NS_ENUM(int, Name) {" or "DECLARE_INTERFACE(Name) {",
// into an ordinary head. The last argument is the name of an enumeration, the first that of an interface. It returns false
// if the word from start to end is no such macro.
func (m *macros) nameType(token string, start, end int) bool {
	if m.before != "typedef" && !m.beginsDeclaration() {
		return false
	}
	keyword := ""
	switch {
	case strings.HasSuffix(token, "_ENUM") || strings.HasSuffix(token, "_OPTIONS"):
		keyword = "enum"
	case strings.HasPrefix(token, "DECLARE_INTERFACE"):
		keyword = "struct"
	default:
		return false
	}
	open := m.skip(end)
	after := m.argumentsEnd(open)
	if after == open || m.tokenAt(m.skip(after)) != "{" {
		return false
	}
	arguments := m.text[open:after]
	at := 0
	if keyword == "enum" {
		at = max(0, strings.LastIndexByte(arguments, ','))
	}
	from := m.skip(open + at + 1)
	name := m.tokenAt(from)
	if !isWord(name) || slices.Contains(declarationWords, name) {
		return false
	}
	if m.before == "typedef" {
		begin := strings.LastIndex(m.text[:start], "typedef")
		for begin > 0 && m.skip(begin+len("typedef")) != start { // the word is within a comment
			begin = strings.LastIndex(m.text[:begin], "typedef")
		}
		m.blank(begin, start)
	}
	m.blank(start, from)
	copy(m.bytes()[start:], keyword)
	m.blank(from+len(name), after)
	m.read(keyword, start+len(keyword))
	m.read(name, after)
	return true
}

// endBody blanks the ";" behind the empty body of a function, whose "{" is from start to end: the grammar takes "{};" in
// a class for the value of a field.
func (m *macros) endBody(start, end int) {
	qualified := m.earlier == ")" && slices.Contains(bodyStarts, m.before)
	if m.before != ")" && !qualified || m.innermost() != '{' || !m.isFunctionHead(start) {
		return
	}
	if closing := m.skip(end); m.tokenAt(closing) == "}" {
		if behind := m.skip(closing + 1); m.tokenAt(behind) == ";" {
			m.blank(behind, behind+1)
		}
	}
}

// isFunctionHead reports whether a type, a name and "(" begin the declaration that ends at end.
func (m *macros) isFunctionHead(end int) bool {
	begin := max(0, end-maxHead)
	head := m.text[begin:end]
	for i := len(head) - 2; i > 0; i-- {
		if c := head[i]; strings.IndexByte(";{}#", c) >= 0 || c == ':' && head[i-1] != ':' && head[i+1] != ':' {
			begin += i + 1
			break
		}
	}
	first := m.skip(begin)
	if first >= end { // the head is within a comment
		return false
	}
	token := m.tokenAt(first)
	n := strings.IndexByte(m.text[first:end], '(')
	return isWord(token) && !slices.Contains(notNames, token) && n > len(token) &&
		strings.TrimSpace(m.text[first+len(token):first+n]) != "" && !strings.Contains(m.text[first:end], "=")
}

// nameVariable turns a macro that declares a variable, such as DRIVER(name) = {...} or static DEFINE_LOCK(name), into a
// declaration with the macro as its type. It returns false if there is no such macro from start to end.
func (m *macros) nameVariable(token string, end int) bool {
	isStatic := m.before == "static" && m.innermost() == 0
	if !isMacroName(token) || !isStatic && !m.beginsDeclaration() {
		return false
	}
	open := m.skip(end)
	after := m.argumentsEnd(open)
	from := m.skip(open + 1)
	name := m.tokenAt(from)
	next := m.tokenAt(m.skip(after))
	switch {
	case after == open || next != "=" && (next != ";" || !isStatic):
		return false
	case slices.Contains(declarationWords, name) || strings.HasSuffix(name, "_t"): // a type, the name is behind it
		from = m.skip(open + strings.LastIndexByte(m.text[open:after], ',') + 1)
		name = m.tokenAt(from)
	}
	behind := m.tokenAt(m.skip(from + len(name)))
	if !isWord(name) || behind != ")" && (behind != "," || next != ";") {
		return false
	}
	m.blank(end, from)
	m.blank(from+len(name), after)
	m.read(token, end)
	m.read(name, after)
	return true
}

// dropOldParameters blanks the types of the parameters behind "*name(a, b)", which the grammar knows behind a name without
// "*" only.
func (m *macros) dropOldParameters(token string, end int) {
	if m.before != "*" || m.innermost() != 0 || !isWord(token) {
		return
	}
	open := m.skip(end)
	after := m.argumentsEnd(open)
	n := strings.IndexByte(m.text[after:min(len(m.text), after+maxHead)], '{')
	if after == open || n < 0 {
		return
	}
	types := m.text[after : after+n]
	if strings.HasSuffix(strings.TrimSpace(types), ";") && !strings.ContainsAny(types, "=(#}") && isWord(m.tokenAt(m.skip(after))) {
		m.blank(after, after+n)
	}
}
