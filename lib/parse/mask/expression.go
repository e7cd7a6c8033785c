package mask

import (
	"bytes"
	"slices"
	"strings"

	"cortex/lib/parse/lexical"
)

// Brackets in macros.around, beside "(", "[" and "{".
const (
	loopHead    = 'f' // the "(" of "for ("
	initializer = '=' // the "{" of an initializer
	block       = ';' // the "{" of a function's body or of a block in it
	declared    = 'd' // the blanked "(" of a macro that declares a variable
)

// track records the brackets around the position behind a token.
func (m *macros) track(token string) {
	switch token {
	case "(":
		kind := byte('(')
		if m.earlier == "for" {
			kind = loopHead
		}
		m.around = append(m.around, kind)
	case "[":
		m.around = append(m.around, '[')
	case "{":
		m.around = append(m.around, m.brace())
	case ")":
		if m.innermost() == '(' || m.innermost() == loopHead {
			m.around = m.around[:len(m.around)-1]
		}
	case "]":
		if m.innermost() == '[' {
			m.around = m.around[:len(m.around)-1]
		}
	case "}": // ends what is open in braces
		m.around = m.around[:max(bytes.LastIndexAny(m.around, "{=;"), 0)]
	case ";": // ends what is open in a statement: its brackets do not match, or the macro that they belong to is unusual
		for strings.IndexByte("([=", m.innermost()) >= 0 {
			m.around = m.around[:len(m.around)-1]
		}
	}
}

// innermost returns the innermost open bracket, 0 if there is none.
func (m *macros) innermost() byte {
	if len(m.around) == 0 {
		return 0
	}
	return m.around[len(m.around)-1]
}

// brace returns the kind of the "{" that was read last.
func (m *macros) brace() byte {
	outer := m.innermost()
	switch m.earlier {
	case "=":
		return initializer
	case ")", "else", "do", "try", "const", "noexcept", "override":
		return block
	case ",", "{":
		if outer == initializer {
			return initializer
		}
	}
	if outer == block && startsStatement(m.earlier) {
		return block
	}
	return '{'
}

// startsStatement reports whether a statement may begin behind the token.
func startsStatement(before string) bool { return slices.Contains(statementStarts, before) }

var statementStarts = []string{";", "{", "}", ":", ")", "else", "do"}

// notCalls has words before parentheses that are not the names of functions or macros.
var notCalls = []string{"if", "for", "while", "switch", "catch", "constexpr"}

// endBlockMacro separates a macro at the start of a statement, such as FOREACH(x), from the block behind it: the grammar
// takes the two for a function. A macro that declares a variable, such as FOREACH(type x, list), becomes a loop. It
// returns false if there is no such macro from start to end.
func (m *macros) endBlockMacro(token string, start, end int) bool {
	if slices.Contains(notCalls, token) || slices.Contains(notNames, token) {
		return false
	}
	open := m.skip(end)
	after := m.argumentsEnd(open)
	if m.tokenAt(after) == "" || m.text[after-1] != ')' {
		return false
	}
	brace := m.skip(after)
	if m.tokenAt(brace) != "{" || m.tokenAt(m.skip(m.bracesEnd(brace))) == ";" { // an initializer ends in "};"
		return false
	}
	if comma := m.declarationEnd(open); comma > 0 && len(token) >= len("for") {
		m.blank(start, end)
		copy(m.bytes()[start:], "for")
		m.fill(comma, comma+1, ':')
		m.read("for", end)
		return true
	}
	if c := m.text[after]; c == ' ' || c == '\t' {
		m.fill(after, after+1, ';')
		m.read(token, end)
		return true
	}
	m.blank(start, after)
	m.pos = after
	return true
}

// maxType is the length of the longest type whose end declarationEnd finds.
const maxType = 300

// declarationEnd returns the offset of the comma behind the declaration of a variable at the start of the arguments at
// open, such as "type x, value"; 0 if there is none.
func (m *macros) declarationEnd(open int) int {
	words, pointer, typed, last := 0, false, false, ""
	for pos, limit := m.skip(open+1), open+maxType; pos < min(limit, len(m.text)); pos = m.skip(pos) {
		switch token := m.tokenAt(pos); {
		case token == ",":
			if words > 1 && (typed || !pointer) && isWord(last) {
				return pos
			}
			return 0
		case token == "*" || token == "&":
			pointer, last, pos = true, token, pos+1
		case isWord(token) && (token == "const" || !slices.Contains(notNames, token)):
			words++
			end := pos + len(token)
			pos = m.qualifiedEnd(end)
			typed = typed || token == "const" || token == "auto" || pos > end && m.text[pos-1] == '>'
			last = m.text[end:pos] + token
		default:
			return 0
		}
	}
	return 0
}

// declare turns a macro that declares a variable, such as ASSIGN(type x, value), into a declaration. It returns false if
// there is no such macro from start to end.
func (m *macros) declare(token string, start, end int) bool {
	if !isMacroName(token) {
		return false
	}
	open := m.skip(end)
	if m.tokenAt(open) != "(" {
		return false
	}
	comma := m.declarationEnd(open)
	if comma == 0 {
		return false
	}
	m.blank(start, open+1)
	m.fill(comma, comma+1, '=')
	m.around = append(m.around, declared)
	m.read("=", comma+1)
	return true
}

// inTemplate reports whether the text at pos looks like a further argument of a template.
func (m *macros) inTemplate(pos int) bool {
	rest := m.text[pos:min(len(m.text), pos+maxType)]
	n := strings.IndexAny(rest, "(){};<>")
	return n >= 0 && (rest[n] == '>' || rest[n] == '<') && !strings.HasPrefix(rest[n:], "<<") && !strings.HasPrefix(rest[n:], "< ")
}

// isTypeCall reports whether a word that ends at end is a macro in a statement of its own with a type as its argument.
func (m *macros) isTypeCall(token string, end int) bool {
	if m.innermost() != block || !startsStatement(m.before) || len(token) < 2 || !lexical.IsConstantCase(token) {
		return false
	}
	open := m.skip(end)
	after := m.argumentsEnd(open)
	return after > open && slices.Contains(declarationWords, m.tokenAt(m.skip(open+1))) && m.tokenAt(m.skip(after)) == ";"
}

// accessEnd returns the end of the word that ends at end if it is a macro behind "public" and the like, and of the colon
// behind it if it stands for an access specifier itself; otherwise 0.
func (m *macros) accessEnd(token string, end int) int {
	colon := m.skip(end)
	if !isWord(token) || m.tokenAt(colon) != ":" || strings.HasPrefix(m.text[colon:], "::") {
		return 0
	}
	switch m.before {
	case "public", "private", "protected":
		return colon
	case "{", "}", ";":
		if m.innermost() == '{' && m.enum == noEnum && (isMacroName(token) || token == "signals") {
			return colon + 1
		}
	}
	return 0
}

// isFormat reports whether a word that ends at end is a macro between strings, such as PRIu64, and not the prefix of one,
// such as R.
func (m *macros) isFormat(token string, end int) bool {
	return isWord(token) && (len(token) >= shortMacro || !strings.HasPrefix(m.text[end:], "\"")) && strings.HasPrefix(m.before, "\"") && strings.HasPrefix(m.tokenAt(m.skip(end)), "\"")
}

// isExport reports whether a word between "class" and a name, which ends at end, is a macro: by its name, or because the
// head of a class ends behind the word after it.
func (m *macros) isExport(token string, end int) bool {
	if m.before != "class" && m.before != "struct" && m.before != "union" || !isWord(token) || m.innermost() == loopHead || slices.Contains(notNames, token) || slices.Contains(declarationWords, token) {
		return false
	}
	at := m.skip(end)
	name := m.tokenAt(at)
	if !isWord(name) || name == "final" || isMacroName(name) && !isMacroName(token) {
		return false
	}
	behind := m.skip(at + len(name))
	switch m.tokenAt(behind) {
	case "{":
		return behind > at+len(name) // x{...} is a variable
	case ":":
		return !strings.HasPrefix(m.text[behind:], "::")
	case "final":
		return true
	}
	return strings.HasSuffix(token, "_EXPORT") || strings.HasSuffix(token, "_API")
}

// isGlobalNew reports whether "::new" or "::delete" begins at pos.
func (m *macros) isGlobalNew(pos int) bool {
	rest := m.text[pos:]
	if !strings.HasPrefix(rest, "::new") && !strings.HasPrefix(rest, "::delete") || isWord(m.before) && m.before != "return" {
		return false
	}
	word := m.tokenAt(pos + len("::"))
	return word == "new" || word == "delete"
}

// dropDefault replaces the braces behind the "=" that ends at end, the default value of a parameter, by a number. It
// returns false if there are none.
func (m *macros) dropDefault(end int) bool {
	open := m.skip(end)
	if m.tokenAt(open) != "{" {
		return false
	}
	after := m.bracesEnd(open)
	if next := m.tokenAt(m.skip(after)); after == open || next != "," && next != ")" || strings.ContainsAny(m.text[open:after], "(;") {
		return false
	}
	m.blank(open, after)
	m.fill(open, open+1, '0')
	m.read("=", after)
	return true
}

// dropTypes blanks the types in an argument of a macro whose name ends at end, such as SIGNAL(changed(int)), which the
// grammar cannot parse in an expression. It returns false if there are none.
func (m *macros) dropTypes(end int) bool {
	open := m.skip(end)
	after := m.argumentsEnd(open)
	name := m.skip(open + 1)
	if after == open || !isWord(m.tokenAt(name)) {
		return false
	}
	types := m.skip(m.qualifiedEnd(m.tokenEnd(name)))
	behind := m.argumentsEnd(types)
	if behind == types || m.skip(behind) != after-1 || !m.hasTypes(types+1, behind) {
		return false
	}
	m.blank(types+1, behind-1)
	m.earlier, m.before, m.pos = m.before, ")", after
	return true
}

// hasTypes reports whether the text from pos to end has words or signs that are parts of types only.
func (m *macros) hasTypes(pos, end int) bool {
	before := ""
	for pos = m.skip(pos); pos < end; pos = m.skip(pos) {
		token := m.tokenAt(pos)
		if slices.Contains(declarationWords, token) || (token == "," || token == ")") && (before == "*" || before == "&") {
			return true
		}
		before, pos = token, pos+len(token)
	}
	return false
}

// incomplete has words that do not complete a type: a name behind one may be the type.
var incomplete = []string{"static", "inline", "extern", "const", "constexpr", "virtual", "friend", "explicit", "volatile", "register",
	"struct", "union", "enum", "class", "typename", "typedef", "using", "namespace", "template"}

// isBehindType reports whether the word that ends at end is between the type and the name of a function, where only a
// macro can be.
func (m *macros) isBehindType(token string, end int) bool {
	if !isWord(m.before) || slices.Contains(notNames, m.before) || slices.Contains(incomplete, m.before) || slices.Contains(notNames, token) || slices.Contains(declarationWords, token) {
		return false
	}
	at := m.skip(end)
	name := m.tokenAt(at)
	if !isWord(name) || slices.Contains(notNames, name) || slices.Contains(declarationWords, name) {
		return false
	}
	behind := m.qualifiedEnd(at + len(name))
	if strings.HasSuffix(m.text[at:behind], "::operator") {
		return true
	}
	if behind == at+len(name) && isMacroName(name) {
		return false
	}
	return m.text[behind-1] != '>' && m.tokenAt(m.skip(behind)) == "("
}

// continuing has tokens behind which an expression goes on.
var continuing = []string{"=", "+", "-", "/", "%", "&", "|", "^", "!", "~", "?", "return"}

// inExpression reports whether pos is within an expression: in parentheses, brackets or an initializer, behind an
// operator, or at the start of the initializers of a constructor.
func (m *macros) inExpression() bool {
	return m.before == ":" && m.earlier == ")" || strings.IndexByte("([f=", m.innermost()) >= 0 || slices.Contains(continuing, m.before)
}

// isValue reports whether an argument or a branch of a conditional expression begins at pos.
func (m *macros) isValue() bool {
	return (m.before == "(" || m.before == ",") && m.innermost() == '(' || (m.before == "?" || m.before == ":") && m.valued
}

// isConversion reports whether the head of an operator for a conversion, outside of its class, is at pos, in front of which
// the grammar knows no "inline".
func (m *macros) isConversion(pos int) bool {
	name := m.tokenAt(pos)
	behind := m.qualifiedEnd(pos + len(name))
	next := m.tokenAt(m.skip(behind))
	return isWord(name) && strings.HasSuffix(m.text[pos:behind], "::operator") && isWord(next) && next != "new" && next != "delete"
}
