package mask

import (
	"strings"
)

// maxValue is the length in bytes of the longest value in braces that dropDesignator blanks.
const maxValue = 4000

// startsDesignator reports whether a "." is at the start of an argument of a call: the call is of a macro that puts its
// arguments into an initializer.
func (m *macros) startsDesignator() bool {
	return (m.before == "," || m.before == "(") && m.innermost() == '('
}

// closesArguments reports whether a comma, which ends at end, is the last token of the arguments of a call.
func (m *macros) closesArguments(end int) bool {
	return m.innermost() == '(' && m.tokenAt(m.skip(end)) == ")"
}

// dropDesignator blanks ".name =" at pos, which the grammar cannot parse in the arguments of a call. Of a value in braces
// it leaves the name alone. It returns false if no designator is at pos.
func (m *macros) dropDesignator(pos int) bool {
	name := m.skip(pos + 1)
	if !isWord(m.tokenAt(name)) {
		return false
	}
	nameEnd := m.tokenEnd(name)
	equals := m.skip(nameEnd)
	for m.tokenAt(equals) == "." && isWord(m.tokenAt(m.skip(equals+1))) {
		nameEnd = m.tokenEnd(m.skip(equals + 1))
		equals = m.skip(nameEnd)
	}
	if m.tokenAt(equals) != "=" || strings.HasPrefix(m.text[equals+1:], "=") {
		return false
	}
	value := m.skip(equals + 1)
	if m.tokenAt(value) != "{" {
		m.blank(pos, value)
		m.pos = value
		return true
	}
	end := m.bracesEnd(value)
	if end == value {
		return false
	}
	m.blank(pos, name)
	m.blank(nameEnd, end)
	m.read(m.text[name:nameEnd], end)
	return true
}

// bracesEnd returns the end of the braces at pos, pos if they are too long or have no end.
func (m *macros) bracesEnd(pos int) int {
	depth := 0
	for at := pos; at < min(len(m.text), pos+maxValue); {
		end := m.tokenEnd(at)
		switch m.text[at] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return end
			}
		}
		at = m.skip(end)
	}
	return pos
}
