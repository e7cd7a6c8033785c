package language

import (
	"bytes"
	"strings"
)

// maxHeader is the most bytes of a header that are read.
const maxHeader = 256 << 10

// headerLanguage returns the language of a ".h" file, C, C++ or Objective-C, by words that the other two do not have.
// Comments and strings do not count. Code in "#ifdef __cplusplus" counts only if it declares a namespace, class or
// template, which the grammar of C cannot parse: most headers of C libraries have such conditions.
func headerLanguage(head []byte) string {
	s := headerScan{text: head[:min(len(head), maxHeader)]}
	cPlusPlus := false
	for s.next() {
		if s.isObjectiveC() {
			return "objectivec"
		}
		cPlusPlus = cPlusPlus || s.isCPlusPlus() && (!s.guarded() || s.declares())
	}
	if cPlusPlus || s.includes {
		return "cpp"
	}
	return "c"
}

// A headerScan reads the tokens of a header: words, numbers, literals, "::" and other single bytes.
type headerScan struct {
	text []byte
	pos  int
	// before has the two tokens before token, "" for those separated by a directive.
	before [2]string
	token  string
	// guards has the open preprocessor conditions.
	guards []guard
	// hidden is the number of guards that are hidden.
	hidden int
	// directive is set while the tokens are those of a #define.
	directive bool
	// attribute is set while the tokens are those of an attribute [[...]].
	attribute bool
	// includes is set if a header of the C++ library is included.
	includes bool
}

// A guard is an open #if. It is hidden in a branch that only C++ or Objective-C compiles; hiddenElse says the same of
// its #else branch.
type guard struct{ hidden, hiddenElse bool }

// guarded reports whether the token is in a hidden branch.
func (s *headerScan) guarded() bool { return s.hidden > 0 }

// open begins a branch, and close ends the innermost one.
func (s *headerScan) open(g guard) {
	s.guards = append(s.guards, g)
	if g.hidden {
		s.hidden++
	}
}

func (s *headerScan) close() (g guard, ok bool) {
	if len(s.guards) == 0 {
		return guard{}, false
	}
	g = s.guards[len(s.guards)-1]
	s.guards = s.guards[:len(s.guards)-1]
	if g.hidden {
		s.hidden--
	}
	return g, true
}

// next reads a token. It returns false at the end of the text.
func (s *headerScan) next() bool {
	for {
		s.blanks()
		if s.pos >= len(s.text) {
			return false
		}
		if s.text[s.pos] != '#' || s.directive || !s.startsLine() {
			break
		}
		s.preprocessor()
	}
	s.before = [2]string{s.before[1], s.token}
	start := s.pos
	switch c := s.text[start]; {
	case isWord(c):
		for s.pos < len(s.text) && isWord(s.text[s.pos]) {
			s.pos++
		}
	case c == '"' || c == '\'':
		s.literal(c)
	case bytes.HasPrefix(s.text[start:], []byte("::")):
		s.pos += 2
	default:
		s.pos++
	}
	s.token = string(s.text[start:s.pos])
	if s.token == "[" && s.before[1] == "[" {
		s.attribute = true
	} else if s.token == "]" || s.token == ";" {
		s.attribute = false
	}
	return true
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// blanks skips white space and comments. A line end closes a #define.
func (s *headerScan) blanks() {
	for s.pos < len(s.text) {
		rest := s.text[s.pos:]
		switch c := rest[0]; {
		case c == '\n':
			if s.directive {
				s.directive, s.token, s.before = false, "", [2]string{}
			}
			s.pos++
		case c == ' ' || '\t' <= c && c <= '\r':
			s.pos++
		case c == '\\' && (bytes.HasPrefix(rest, []byte("\\\n")) || bytes.HasPrefix(rest, []byte("\\\r\n"))):
			s.pos += bytes.IndexByte(rest, '\n') + 1
		case bytes.HasPrefix(rest, []byte("//")):
			s.pos += s.lineLength()
		case bytes.HasPrefix(rest, []byte("/*")):
			s.pos += 2
			s.pos += until(rest[2:], "*/")
			s.pos = min(s.pos+2, len(s.text))
		default:
			return
		}
	}
}

// until returns the index of end in s, or the length of s.
func until(s []byte, end string) int {
	if i := bytes.Index(s, []byte(end)); i >= 0 {
		return i
	}
	return len(s)
}

// startsLine reports whether only blanks precede pos on its line.
func (s *headerScan) startsLine() bool {
	i := s.pos
	for i > 0 && (s.text[i-1] == ' ' || s.text[i-1] == '\t') {
		i--
	}
	return i == 0 || s.text[i-1] == '\n'
}

// literal skips a string or character literal, at most to the end of its line.
func (s *headerScan) literal(quote byte) {
	for s.pos++; s.pos < len(s.text) && s.text[s.pos] != '\n'; s.pos++ {
		switch s.text[s.pos] {
		case '\\':
			s.pos++
		case quote:
			s.pos++
			return
		}
	}
	s.pos = min(s.pos, len(s.text))
}

// preprocessor reads a directive. Of a #define it reads only the keyword, since the rest is code.
func (s *headerScan) preprocessor() {
	s.token, s.before = "", [2]string{}
	line := s.text[s.pos+1 : s.pos+s.lineLength()]
	rest := strings.TrimLeft(string(line), " \t")
	word := rest[:len(rest)-len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz"))]
	rest = strings.TrimSpace(rest[len(word):])
	switch word {
	case "define":
		s.pos += 1 + len(line) - len(strings.TrimLeft(string(line), " \t")) + len(word)
		s.directive = true
		return
	case "include", "import":
		if isCPlusPlusHeader(rest) && !s.guarded() {
			s.includes = true
		}
	case "if", "ifdef":
		s.open(newGuard(rest))
	case "ifndef":
		g := newGuard(rest)
		s.open(guard{hidden: g.hiddenElse, hiddenElse: g.hidden})
	case "elif", "elifdef":
		s.alternative(newGuard(rest))
	case "else":
		s.alternative(guard{})
	case "endif":
		s.close()
	}
	s.pos += 1 + len(line)
}

// lineLength returns the length of the line from pos, with its continuation lines and without the last line end.
func (s *headerScan) lineLength() int {
	n := 0
	for {
		n += until(s.text[s.pos+n:], "\n")
		if s.pos+n >= len(s.text) || !bytes.HasSuffix(bytes.TrimRight(s.text[s.pos:s.pos+n], "\r"), []byte("\\")) {
			return n
		}
		n++
	}
}

// alternative begins the branch of an #elif or #else.
func (s *headerScan) alternative(g guard) {
	if last, ok := s.close(); ok {
		s.open(guard{hidden: last.hiddenElse || g.hidden, hiddenElse: last.hiddenElse})
	}
}

// newGuard returns the guard of a condition.
func newGuard(condition string) guard {
	if !strings.Contains(condition, "__cplusplus") && !strings.Contains(condition, "__OBJC__") {
		return guard{}
	}
	negative := strings.Contains(condition, "!defined") || strings.Contains(condition, "! defined") || strings.Contains(condition, "!__")
	return guard{hidden: !negative, hiddenElse: negative}
}

// isCPlusPlusHeader reports whether an #include names a header without ending, such as <vector>, as in the C++ library.
func isCPlusPlusHeader(name string) bool {
	name, ok := strings.CutPrefix(name, "<")
	name, _, closed := strings.Cut(name, ">")
	return ok && closed && name != "" && !strings.Contains(name, ".")
}

// isObjectiveC reports whether the token shows that the file is Objective-C.
func (s *headerScan) isObjectiveC() bool {
	if s.guarded() {
		return false
	}
	switch s.token {
	case "interface", "protocol", "class", "property", "implementation", "import":
		return s.before[1] == "@"
	case "NS_ASSUME_NONNULL_BEGIN", "NS_ENUM", "NS_OPTIONS", "FOUNDATION_EXPORT":
		return !s.directive
	}
	return false
}

// isCPlusPlus reports whether the token, after the two before it, is possible only in C++. A word that C allows as a
// name counts only with its neighbours.
func (s *headerScan) isCPlusPlus() bool {
	two, one, token := s.before[0], s.before[1], s.token
	switch one {
	case "namespace", "using", "typename", "virtual", "friend", "explicit", "mutable", "concept":
		if two == "struct" || two == "enum" || two == "union" || two == "." || two == "#" || two == "*" {
			return false
		}
		return isName(token) || one == "namespace" && token == "{" && two != ")"
	case "class":
		return isName(token) && two != "struct" && two != "." && two != "*" && two != "@"
	case "template", "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast":
		return token == "<"
	case "public", "private", "protected":
		return token == ":" && (two == "{" || two == "}" || two == ";")
	case "operator":
		return !isName(token) && strings.Contains("=<>!+-*/%^&|~[(", token)
	case "extern":
		return strings.HasPrefix(token, `"`)
	case "constexpr", "noexcept", "decltype":
		return token != ";" && token != "," && token != ")" && two != "."
	case "::":
		return isName(token) && !s.attribute
	}
	return false
}

// declares reports whether the token, for which isCPlusPlus is true, declares a namespace, class or template.
func (s *headerScan) declares() bool {
	one := s.before[1]
	return !s.directive && (one == "namespace" && s.before[0] != "using" || one == "class" || one == "template")
}

// isName reports whether a token is a name or a keyword.
func isName(token string) bool {
	return token != "" && isWord(token[0]) && (token[0] < '0' || token[0] > '9')
}
