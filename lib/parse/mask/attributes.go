package mask

import (
	"slices"
	"strings"

	"cortex/lib/parse/lexical"
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
	case m.isAttributeCall(token, after):
		return m.argumentsEnd(after)
	case (isMacroName(token) || next == "(" && (strings.HasPrefix(token, "__") || m.isNumber(after+1))) && m.isBehindResult():
		behind := m.argumentsEnd(after)
		at := m.skipMacros(m.skip(behind))
		name := m.tokenAt(at)
		if isWord(name) && !strings.HasPrefix(name, "__") && !slices.Contains(notNames, name) && !slices.Contains(declarationWords, name) &&
			m.tokenAt(m.skip(m.qualifiedEnd(at+len(name)))) == "(" {
			return max(behind, end)
		}
	}
	return end
}

// isAttributeCall reports whether a word such as __printf, with arguments at open, is at the start of a declaration.
func (m *macros) isAttributeCall(token string, open int) bool {
	if !strings.HasPrefix(token, "__") || slices.Contains(declarationWords, token) || m.before != "static" && !m.beginsDeclaration() {
		return false
	}
	behind := m.argumentsEnd(open)
	at := m.skip(behind)
	return behind > open && (slices.Contains(declarationWords, m.tokenAt(at)) || m.isTypeAndName(at))
}

// beginsDeclaration reports whether a declaration, but no statement, may begin at pos.
func (m *macros) beginsDeclaration() bool {
	return (m.innermost() == 0 || m.innermost() == '{') && (m.before == "" || m.before == ";" || m.before == "{" || m.before == "}")
}

// isNumber reports whether a number is at pos.
func (m *macros) isNumber(pos int) bool {
	token := m.tokenAt(m.skip(pos))
	return token != "" && lexical.IsDigit(token[0])
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
	case token == "FAR" && next == "*":
		return m.before == "*" || m.isBehindResult()
	case m.earlier == "typedef" && strings.HasPrefix(token, "__") && m.isBehindResult() && isWord(next):
		return m.tokenAt(m.skip(after+len(next))) == ";" && m.before != "unsigned" && m.before != "signed"
	case m.before == "(" && next == "*" && isMacroName(token):
		name := m.skip(after + 1)
		closing := m.skip(name + len(m.tokenAt(name)))
		return isWord(m.tokenAt(name)) && m.tokenAt(closing) == ")" && m.tokenAt(m.skip(closing+1)) == "("
	case m.before == ")" && token == "const":
		return next == ")"
	case slices.Contains(notNames, token) || slices.Contains(notCalls, token) || m.innermost() != 0 && m.innermost() != '{' || m.enum != noEnum:
		return false
	case m.before == "]" && strings.HasPrefix(token, "__"):
		return next == ";" || next == "="
	case m.before == ")" && strings.HasPrefix(token, "__"):
		return next == ";" || next == "{" || strings.HasPrefix(next, "__") && !strings.HasPrefix(next, "__attribute")
	case m.before == "" || m.before == ";" || m.before == "{" || m.before == "}" || m.before == "static":
		return !isMacroName(token) && m.leadsToDeclaration(after) ||
			strings.HasPrefix(token, "__") && m.isTypeAndName(after)
	}
	return false
}

// maxAttributes is the most attributes in a row that are read.
const maxAttributes = 4

// leadsToDeclaration reports whether the words at pos end with one that begins a declaration, so that those before it are
// attributes.
func (m *macros) leadsToDeclaration(pos int) bool {
	for range maxAttributes {
		token := m.tokenAt(pos)
		switch {
		case token == "__attribute__" || !isWord(token) || slices.Contains(notNames, token):
			return false
		case slices.Contains(declarationWords, token):
			return true
		}
		pos = m.skip(pos + len(token))
	}
	return false
}

// annotationEnd returns the end of an annotation of a parameter or result as Windows has them, such as _In_ and
// _Out_writes_(n), or __in and the like in front of the type and the name of a parameter; otherwise 0.
func (m *macros) annotationEnd(token string, end int) int {
	if len(token) < shortMacro || token[0] != '_' {
		return 0
	}
	behind := m.argumentsEnd(m.skip(end))
	if behind == m.skip(end) {
		behind = end
	}
	at := m.skip(behind)
	next := m.tokenAt(at)
	switch {
	case !isWord(next) || slices.Contains(notNames, next) && next != "const":
		return 0
	case token[len(token)-1] == '_' && 'A' <= token[1] && token[1] <= 'Z' && 'a' <= token[2] && token[2] <= 'z':
		return behind
	case strings.HasPrefix(token, "__") && (m.before == "(" || m.before == ",") && m.innermost() == '(' && next != "const" && !strings.HasPrefix(next, "__"):
		for at = m.skip(m.qualifiedEnd(at + len(next))); m.tokenAt(at) == "*"; {
			at = m.skip(at + 1)
		}
		if second := m.tokenAt(at); isWord(second) && !slices.Contains(notNames, second) && !slices.Contains(declarationWords, token) {
			return behind
		}
	}
	return 0
}
