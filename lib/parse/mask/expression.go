package mask

import (
	"bytes"
	"slices"
	"strings"
)

// Brackets in macros.around, beside "(", "[" and "{".
const (
	loopHead    = 'f' // the "(" of "for ("
	initializer = '=' // the "{" of an initializer
	block       = ';' // the "{" of a function's body or of a block in it
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
	case ")", "else", "do", "try":
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
// takes the two for a function. It returns false if there is no such macro from start to end.
func (m *macros) endBlockMacro(token string, start, end int) bool {
	if m.innermost() != block || !startsStatement(m.before) || slices.Contains(notCalls, token) || slices.Contains(notNames, token) {
		return false
	}
	after := m.argumentsEnd(m.skip(end))
	if m.tokenAt(after) == "" || m.text[after-1] != ')' {
		return false
	}
	brace := m.skip(after)
	if m.tokenAt(brace) != "{" || m.tokenAt(m.skip(m.bracesEnd(brace))) == ";" { // an initializer ends in "};"
		return false
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

// inExpression reports whether pos is within an expression: in parentheses, brackets or an initializer, or behind an
// operator.
func (m *macros) inExpression() bool {
	return strings.IndexByte("([f=", m.innermost()) >= 0 || slices.Contains(continuing, m.before)
}
