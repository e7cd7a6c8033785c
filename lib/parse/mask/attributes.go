package mask

import (
	"slices"
	"strings"
)

// extraEnd returns the end of the text to drop that begins with the token from start to end and has further tokens: an
// attribute, an assembly, the class of a pointer to a member, an explicit instantiation, or a macro with arguments
// between the type and the name of a function; end if there is none.
func (m *macros) extraEnd(token string, start, end int) int {
	after := m.skip(end)
	next := m.tokenAt(after)
	switch {
	case token == "__attribute__" && next == "(" && (m.before == "]" || m.before == ")" || isWord(m.before) && !slices.Contains(declarationWords, m.before)):
		return max(m.argumentsEnd(after), end)
	case next == "volatile" && m.innermost() == block && isMacroName(token):
		open := m.skip(after + len(next))
		if behind := m.argumentsEnd(open); behind > open {
			return behind
		}
	case token == "template" && (next == "class" || next == "struct") && (m.before == "" || startsStatement(m.before)):
		n := strings.IndexAny(m.text[end:min(len(m.text), end+maxArguments)], ";{")
		if n > 0 && m.text[end+n] == ';' {
			return end + n + 1
		}
	case m.before == "(" && isWord(token):
		if behind := m.qualifiedEnd(end); strings.HasPrefix(m.text[behind:], "::*") {
			return behind + len("::")
		}
	case isMacroName(token) && m.isBehindResult():
		behind := m.argumentsEnd(after)
		at := m.skipMacros(m.skip(behind))
		name := m.tokenAt(at)
		if isWord(name) && !slices.Contains(notNames, name) && !slices.Contains(declarationWords, name) &&
			m.tokenAt(m.skip(m.qualifiedEnd(at+len(name)))) == "(" {
			return max(behind, end)
		}
	}
	return end
}

// isBehindResult reports whether a type has ended before pos, so that the name of a function may follow.
func (m *macros) isBehindResult() bool {
	return m.before == "*" || isWord(m.before) && !slices.Contains(notNames, m.before) && !slices.Contains(incomplete, m.before)
}

// typeCallEnd returns the end of the arguments of the macro whose name ends at end if it stands for the name of a type:
// behind "typename", or as the head of a struct; otherwise 0.
func (m *macros) typeCallEnd(token string, end int) int {
	if !isWord(token) || slices.Contains(notNames, token) || slices.Contains(declarationWords, token) {
		return 0
	}
	open := m.skip(end)
	after := m.argumentsEnd(open)
	switch m.before {
	case "typename":
		if after > open && isMacroName(token) {
			return after
		}
	case "struct", "union":
		if after > open && m.tokenAt(m.skip(after)) == "{" {
			return after
		}
	}
	return 0
}

// isAttribute reports whether the word that ends at end stands for an attribute by its place: behind the parameters of a
// prototype, in front of a type at the start of a declaration, or in front of the star of a pointer to a function. So
// does "const" behind the type of a member function.
func (m *macros) isAttribute(token string, end int) bool {
	if !isWord(token) || slices.Contains(declarationWords, token) && token != "const" {
		return false
	}
	after := m.skip(end)
	next := m.tokenAt(after)
	switch {
	case m.before == "(" && next == "*" && isMacroName(token):
		name := m.skip(after + 1)
		closing := m.skip(name + len(m.tokenAt(name)))
		return isWord(m.tokenAt(name)) && m.tokenAt(closing) == ")" && m.tokenAt(m.skip(closing+1)) == "("
	case m.before == ")" && token == "const":
		return next == ")"
	case slices.Contains(notNames, token) || slices.Contains(notCalls, token) || m.innermost() != 0 && m.innermost() != '{' || m.enum != noEnum:
		return false
	case m.before == ")" && strings.HasPrefix(token, "__"):
		return next == ";" || next == "{" || strings.HasPrefix(next, "__") && !strings.HasPrefix(next, "__attribute")
	case m.before == "" || m.before == ";" || m.before == "{" || m.before == "}" || m.before == "static":
		return !isMacroName(token) && slices.Contains(declarationWords, next) && next != "const" && next != "__attribute__" ||
			strings.HasPrefix(token, "__") && m.isTypeAndName(after)
	}
	return false
}
