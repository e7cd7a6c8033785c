package mask

import "strings"

// moduleEnd returns the end of a declaration of a module of C++ or of an import, which begins with the token that ends at
// end, or of the word "export" in front of another declaration; otherwise 0.
func (m *macros) moduleEnd(token string, end int) int {
	if token != "export" && token != "module" && token != "import" || !m.beginsDeclaration() {
		return 0
	}
	at := m.skip(end)
	next := m.tokenAt(at)
	if token == "export" && next != "module" && next != "import" {
		if isWord(next) {
			return end
		}
		return 0
	}
	if m.innermost() != 0 {
		return 0
	}
	n := strings.IndexAny(m.text[end:min(len(m.text), end+maxHead)], ";\n")
	if n < 0 || m.text[end+n] != ';' {
		return 0
	}
	rest := strings.TrimSpace(m.text[end : end+n])
	if token == "module" && isWord(rest) && !strings.ContainsAny(rest, ".:") || strings.ContainsAny(rest, "(=*") {
		return 0 // a variable
	}
	return end + n + 1
}
