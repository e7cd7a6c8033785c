package mask

import (
	"slices"
	"strings"

	"cortex/lib/parse/lexical"
)

// WithoutMacros is text with blanks in place of the words that a preprocessor takes away
// and over which the grammars of C and C++ stumble: names in capitals, with their
// arguments, that stand where a declaration has no name. A word that may be the type of
// what follows stays.
func WithoutMacros(text string) string {
	m := macros{text: text, looked: -1}
	for m.next() {
	}
	if m.out == nil {
		return text
	}
	return string(m.out)
}

const (
	// shortMacro is the length of the shortest name that counts.
	shortMacro = 4
	// maxArguments and maxComment bound how far the ends of these are looked for.
	maxArguments = 1000
	maxComment   = 1000
	// maxOperator is the length of the longest name of an operator.
	maxOperator = 80
	// maxHead is the length of the longest part of a head that stands under a condition.
	maxHead = 1000
	// maxDirective is the length of "#  elif" with all its blanks.
	maxDirective = 20
)

// declarationWords begin a declaration, or go on with it where it has no type yet.
var declarationWords = []string{"__attribute__", "__declspec", "_Bool", "auto", "bool", "char", "class", "const", "constexpr", "double",
	"enum", "explicit", "extern", "float", "friend", "inline", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long", "namespace", "short",
	"signed", "size_t", "static", "struct", "template", "typedef", "typename", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "union",
	"unsigned", "using", "virtual", "void"}

// notNames are words that are no names and do not begin a declaration.
var notNames = []string{"and", "and_eq", "alignas", "alignof", "asm", "bitand", "bitor", "case", "co_await", "co_return", "co_yield", "compl", "const", "decltype",
	"default", "delete", "else", "final", "goto", "mutable", "new", "noexcept", "not", "not_eq", "operator", "or", "or_eq", "override", "private", "protected",
	"public", "requires", "restrict", "return", "sizeof", "static_cast", "this", "throw", "typename", "volatile", "xor", "xor_eq"}

// attributeWords are in names of macros that stand for attributes, of which no type has one.
var attributeWords = []string{"ATTRIBUTE", "CONSTEVAL", "CONSTEXPR", "DEPRECATE", "EXPLICIT", "EXPORT", "INLINE", "MUST_USE", "NODISCARD", "NORETURN", "UNUSED", "_API"}

// macros reads the tokens of a text.
type macros struct {
	text string
	// out is the text to be, nil until something is dropped.
	out []byte
	pos int
	// before is the token before pos, earlier the one before that.
	before, earlier string
	enum            enumPlace
	// looked is the last directive of which the branches were looked at, and passed has the ends of those that were dropped.
	looked int
	passed map[int]int
}

// enumPlace is where in the declaration of an enum the reading is.
type enumPlace int8

const (
	noEnum enumPlace = iota
	enumHead
	enumBody
)

// next reads a token or drops it. It is false at the end.
func (m *macros) next() bool {
	m.pos = m.skip(m.pos)
	if m.pos >= len(m.text) {
		return false
	}
	start, end := m.pos, m.tokenEnd(m.pos)
	if token := m.text[start:end]; !m.drop(token, start, end) {
		m.read(token, end)
	}
	return true
}

// read goes on behind a token, to end.
func (m *macros) read(token string, end int) {
	m.earlier, m.before, m.pos = m.before, token, end
	switch {
	case token == "enum":
		m.enum = enumHead
	case m.enum == enumHead && token == "{":
		m.enum = enumBody
	case m.enum == enumHead && strings.Contains(";()=,>}", token), m.enum == enumBody && token == "}":
		m.enum = noEnum
	}
}

// drop drops the token from start to end, with its arguments, or these alone, or it is false.
func (m *macros) drop(token string, start, end int) bool {
	switch {
	case m.before == "*" && isWord(token) && m.isQualifier(token, end):
	case token == "operator" && m.isUsed():
		return m.renameOperator(start, end)
	case token == "extern" && m.tokenAt(m.skip(end)) == "template":
	case isMacroName(token):
		if m.enum == enumBody && (m.before == "{" || m.before == ",") {
			return m.dropWrapper(start, end)
		}
		if after := m.condition(end); after > end {
			m.blank(end, after)
			m.read(token, after)
			return true
		}
		if end = m.dropped(start, end); end == 0 {
			return false
		}
	default:
		return false
	}
	m.blank(start, end)
	m.pos = end
	return true
}

// isUsed reports whether an operator is called by its name here, and not declared.
func (m *macros) isUsed() bool {
	return m.before == "." || m.before == ">" && m.earlier == "-" || m.before == "return" || m.earlier == "return" && strings.Contains("&*!", m.before)
}

// renameOperator makes a common name of that of the operator from start to end.
func (m *macros) renameOperator(start, end int) bool {
	rest := m.text[end:min(end+maxOperator, len(m.text))]
	n := strings.IndexByte(rest, '(')
	if n == 0 && strings.HasPrefix(rest, "()(") {
		n = len("()")
	}
	if n <= 0 || strings.ContainsAny(rest[:n], ";{}\n") {
		return false
	}
	m.fill(start, end+n, '_')
	m.read("operator", end+n)
	return true
}

// condition is the end of the arguments behind pos if they are those of a condition among the
// parameters of a template, or pos.
func (m *macros) condition(pos int) int {
	if m.before != "," && m.before != "<" {
		return pos
	}
	open := m.skip(pos)
	if after := m.argumentsEnd(open); after > open && m.tokenAt(m.skip(after)) == ">" {
		return after
	}
	return pos
}

// dropWrapper drops the macro from start to end, of whose arguments the first is the name of
// an enumerator, except for that.
func (m *macros) dropWrapper(start, end int) bool {
	open := m.skip(end)
	after := m.argumentsEnd(open)
	if after == open {
		return false
	}
	from := m.skip(open + 1)
	name := m.tokenAt(from)
	to := from + len(name)
	next, behind := m.tokenAt(m.skip(to)), m.tokenAt(m.skip(after))
	if !isWord(name) || next != "," && (next != ")" || behind != "," && behind != "=") {
		return false
	}
	m.blank(start, from)
	m.blank(to, after)
	m.read(name, after)
	return true
}

// isQualifier reports whether a word behind a star is one of a pointer, to end: what follows is the name.
func (m *macros) isQualifier(token string, end int) bool {
	next := m.tokenAt(m.skip(end))
	return isWord(next) && !isMacroName(next) && !strings.HasPrefix(next, "__") && !slices.Contains(notNames, token) && !slices.Contains(notNames, next)
}

// tokenAt is the token at pos, "" at the end.
func (m *macros) tokenAt(pos int) string {
	if pos >= len(m.text) {
		return ""
	}
	return m.text[pos:m.tokenEnd(pos)]
}

// tokenEnd is the end of the word, number, literal or other character at pos.
func (m *macros) tokenEnd(pos int) int {
	switch c := m.text[pos]; {
	case c == '"' || c == '\'':
		return m.literalEnd(pos)
	case isWordByte(c):
		for pos < len(m.text) && (isWordByte(m.text[pos]) || m.text[pos] == '\'' && lexical.IsDigit(c)) {
			pos++
		}
		return pos
	}
	return pos + 1
}

func isWordByte(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || lexical.IsDigit(c) || c >= 0x80
}

// isWord reports whether a token is a name or keyword.
func isWord(token string) bool {
	return token != "" && isWordByte(token[0]) && !lexical.IsDigit(token[0])
}

func isMacroName(token string) bool { return len(token) >= shortMacro && lexical.IsConstantCase(token) }

// literalEnd is the end of a string or character, which ends with its line at the latest.
func (m *macros) literalEnd(pos int) int {
	quote := m.text[pos]
	for pos++; pos < len(m.text) && m.text[pos] != '\n'; pos++ {
		switch m.text[pos] {
		case '\\':
			pos++
		case quote:
			return pos + 1
		}
	}
	return min(pos, len(m.text))
}

// skip is where the next token begins: after blanks, comments and directives.
func (m *macros) skip(pos int) int {
	lineStart := pos == 0
	for pos < len(m.text) {
		rest := m.text[pos:]
		switch c := rest[0]; {
		case c == '\n':
			lineStart = true
			pos++
		case lexical.IsSpace(c):
			pos++
		case c == '#' && lineStart:
			pos = m.directive(pos)
		case strings.HasPrefix(rest, "//"):
			pos = m.lineEnd(pos)
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				return len(m.text)
			}
			pos += n + 4
		default:
			return pos
		}
	}
	return pos
}

// lineEnd is the end of the line and of those that continue it.
func (m *macros) lineEnd(pos int) int {
	for pos < len(m.text) {
		n := strings.IndexByte(m.text[pos:], '\n')
		if n < 0 {
			return len(m.text)
		}
		pos += n
		if !strings.HasSuffix(strings.TrimSuffix(m.text[pos-n:pos], "\r"), "\\") {
			return pos
		}
		pos++
	}
	return pos
}

// directive is the end of a directive. To the grammar a comment ends the body of a
// macro, so those that stand in its midst are dropped, and <header> in a condition is no expression.
func (m *macros) directive(pos int) int {
	end := m.lineEnd(pos)
	if pos > m.looked {
		m.looked = pos
		m.chooseBranch(pos, end)
	}
	if after, found := m.passed[pos]; found {
		return after
	}
	if line := m.text[pos:end]; strings.Contains(line, "(<") && strings.Contains(line[:min(len(line), maxDirective)], "if") {
		if from := strings.Index(line, "(<"); strings.Contains(line[from:], ">)") {
			m.blank(pos+from+1, pos+from+strings.Index(line[from:], ">)")+1)
		}
	}
	for pos < end {
		start := strings.Index(m.text[pos:end], "/*")
		if start < 0 {
			break
		}
		start += pos
		length := strings.Index(m.text[start:min(start+maxComment, len(m.text))], "*/")
		if length < 0 {
			break
		}
		pos = start + length + 2
		if pos > end {
			end = m.lineEnd(pos)
		}
		if strings.TrimLeft(m.text[pos:end], " \t\r") != "" {
			m.blank(start, pos)
		}
	}
	return end
}

// chooseBranch keeps one branch of the condition that the directive from pos to end opens, where its branches are parts of one thing.
func (m *macros) chooseBranch(pos, end int) {
	if strings.HasPrefix(directiveName(m.text[pos:end]), "if") && !m.joinHead(pos, end) {
		m.keepBranch(pos, end)
	}
}

// joinHead keeps the first branch alone, without the directives, of the condition that the directive from
// pos to end opens if a body follows and none stands in it: those are parts of one head, of which
// the grammar sees as many as there are branches. It reports whether there is such a head.
func (m *macros) joinHead(pos, end int) bool {
	limit := min(len(m.text), end+maxHead)
	drop := []lexical.Span{{Start: pos, End: end}}
	for at := end + 1; at < limit; {
		lineEnd := m.lineEnd(at)
		line := strings.TrimSpace(m.text[at:lineEnd])
		name := ""
		if strings.HasPrefix(line, "#") {
			name = directiveName(line)
		}
		switch {
		case name == "endif":
			if !m.opensBody(lineEnd) {
				return false
			}
			last := &drop[len(drop)-1]
			if len(drop) == 1 {
				drop = append(drop, lexical.Span{Start: at, End: lineEnd})
			} else {
				last.End = lineEnd
			}
			for _, s := range drop {
				m.blank(s.Start, s.End)
			}
			return true
		case name == "else" || strings.HasPrefix(name, "elif"):
			if len(drop) == 1 {
				drop = append(drop, lexical.Span{Start: at, End: lineEnd})
			}
		case name != "" || strings.HasPrefix(line, "#"):
			return false
		default:
			code, _, _ := strings.Cut(line, "//")
			if strings.ContainsAny(code, ";{}") {
				return false
			}
		}
		at = lineEnd + 1
	}
	return false
}

// directiveName is the word behind the "#" of a directive.
func directiveName(line string) string {
	line = strings.TrimLeft(strings.TrimSpace(line)[1:], " \t")
	return line[:len(line)-len(strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyz"))]
}

// opensBody reports whether behind pos a body begins after no more than blanks and line comments.
func (m *macros) opensBody(pos int) bool {
	for limit := min(len(m.text), pos+maxHead); pos < limit; pos++ {
		switch c := m.text[pos]; {
		case c == '{':
			return true
		case strings.HasPrefix(m.text[pos:], "//"):
			pos = m.lineEnd(pos)
		case !lexical.IsSpace(c):
			return false
		}
	}
	return false
}

// dropped is the end of what goes with the macro's name from start to end, or 0 if it stays.
func (m *macros) dropped(start, end int) int {
	after := m.skip(end)
	arguments, first := false, ""
	if n := m.argumentsEnd(after); n > after {
		arguments, first, end = true, m.tokenAt(m.skip(after+1)), n
		after = m.skip(n)
	}
	next := m.tokenAt(after)
	switch m.before {
	case "class", "struct", "union", "enum":
		if isWord(next) && next != "final" {
			return end
		}
		return 0
	case ")", "const", "noexcept", "override", "final":
		return m.droppedBehind(next, end)
	case "", ";", "{", "}", ":", ">", "static", "inline", "extern", "constexpr", "virtual", "friend", "explicit":
	default:
		if m.before[0] == '"' {
			break
		}
		if m.isBehindName(next) {
			return end
		}
		return 0
	}
	if slices.Contains(declarationWords, next) && (next != "const" || arguments || m.before == "") {
		return end
	}
	if next == ";" && slices.Contains(declarationWords, first) {
		return end // no call has a type for its argument
	}
	if isWord(next) || next == "~" || strings.HasPrefix(m.text[after:], "[[") {
		name := m.text[start:end]
		if slices.ContainsFunc(attributeWords, func(w string) bool { return strings.Contains(name, w) }) {
			return end
		}
	}
	if isMacroName(next) {
		behind := m.skipMacros(after)
		if slices.Contains(declarationWords, m.tokenAt(behind)) || m.isTypeAndName(behind) {
			return end
		}
	}
	if !arguments && m.isTypeAndName(after) || m.isLine(start, end) && m.startsDeclaration(next, after, arguments) {
		return end
	}
	return 0
}

// maxMacros bounds how many macros in a row are looked at.
const maxMacros = 4

// skipMacros is where behind the macros at pos, with their arguments, the next token begins.
func (m *macros) skipMacros(pos int) int {
	for range maxMacros {
		name := m.tokenAt(pos)
		if !isMacroName(name) {
			break
		}
		pos = m.skip(m.argumentsEnd(m.skip(pos + len(name))))
	}
	return pos
}

// isTypeAndName reports whether at pos stand a name, stars and a name, so that no type is before them.
func (m *macros) isTypeAndName(pos int) bool {
	first := m.tokenAt(pos)
	if !isWord(first) || isMacroName(first) || slices.Contains(notNames, first) {
		return false
	}
	for pos = m.skip(m.qualifiedEnd(pos + len(first))); pos < len(m.text) && m.text[pos] == '*'; {
		pos = m.skip(pos + 1)
	}
	second := m.tokenAt(pos)
	return isWord(second) && !isMacroName(second) && !strings.HasPrefix(second, "__") && !slices.Contains(notNames, second)
}

// maxQualified bounds how far the end of the name of a type is looked for.
const maxQualified = 300

// qualifiedEnd is the end of what continues the name of a type from pos: "::name" and "<arguments>".
func (m *macros) qualifiedEnd(pos int) int {
	for limit := min(len(m.text), pos+maxQualified); pos < limit; {
		switch rest := m.text[pos:limit]; {
		case strings.HasPrefix(rest, "::") && len(rest) > 2 && isWordByte(rest[2]):
			pos = m.tokenEnd(pos + 2)
		case rest[0] == '<':
			depth, n := 0, 0
			for ; n < len(rest); n++ {
				if c := rest[n]; c == '<' {
					depth++
				} else if c == '>' {
					if depth--; depth == 0 {
						break
					}
				} else if strings.IndexByte(";{}", c) >= 0 {
					return pos
				}
			}
			if n == len(rest) {
				return pos
			}
			pos += n + 1
		default:
			return pos
		}
	}
	return pos
}

// isBehindName reports whether a macro stands behind a type and a name, or behind the name of
// an enumerator, with next after it.
func (m *macros) isBehindName(next string) bool {
	switch next {
	case ",", ")", "=", ";", "}":
	default:
		return false
	}
	if !isWord(m.before) || slices.Contains(notNames, m.before) {
		return false
	}
	if m.enum == enumBody {
		return m.earlier == "{" || m.earlier == ","
	}
	if slices.Contains(declarationWords, m.before) || next == "}" {
		return false
	}
	switch m.earlier {
	case "&", "*", ">":
		return true
	case "static", "extern", "const", "inline", "constexpr", "struct", "union", "enum", "class", "typename", "typedef", "using", "namespace", "friend":
		return false
	}
	return isWord(m.earlier) && !slices.Contains(notNames, m.earlier)
}

// droppedBehind is end if what stands behind the parameters of a function is a macro. A
// call behind "if (x)" looks the same; without it that has no body, which does no harm.
func (m *macros) droppedBehind(next string, end int) int {
	ends := m.before != "const" || m.earlier == ")"
	switch next {
	case "{":
		return end
	case ";", "override", "const", "noexcept", "requires":
		if ends {
			return end
		}
	case "=":
		if m.before == ")" {
			return end
		}
	default:
		if isMacroName(next) && ends {
			return end
		}
	}
	return 0
}

// startsDeclaration reports whether at after begins what no macro on the line above can
// be the type of.
func (m *macros) startsDeclaration(next string, after int, arguments bool) bool {
	if next == "}" {
		return !arguments && (m.before == "}" || m.before == ";" || m.before == "{")
	}
	if isMacroName(next) || next == "public" || next == "private" || next == "protected" {
		return true
	}
	if !isWord(next) || arguments {
		return false
	}
	// A type and a name
	at := m.skip(after + len(next))
	rest := strings.TrimLeft(m.text[at:min(at+50, len(m.text))], "*&:< ")
	return rest != "" && isWordByte(rest[0])
}

// argumentsEnd is the end of the parentheses at pos, or pos if there are none that could
// be the arguments of a macro.
func (m *macros) argumentsEnd(pos int) int {
	if pos >= len(m.text) || m.text[pos] != '(' {
		return pos
	}
	depth := 0
	for i := pos; i < min(len(m.text), pos+maxArguments); i++ {
		switch m.text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		case ';', '{', '}', '#':
			return pos
		case '"', '\'':
			i = m.literalEnd(i) - 1
		}
	}
	return pos
}

// isLine reports whether nothing but a comment stands beside the text from start to end on its line.
func (m *macros) isLine(start, end int) bool {
	before := strings.TrimRight(m.text[:start], " \t")
	after := strings.TrimLeft(m.text[end:], " \t\r")
	return (before == "" || before[len(before)-1] == '\n') && (after == "" || after[0] == '\n' || after[0] == '/')
}

// blank drops the text from start to end.
func (m *macros) blank(start, end int) { m.fill(start, end, ' ') }

// fill puts c in place of the text from start to end, but for the ends of its lines.
func (m *macros) fill(start, end int, c byte) {
	if m.out == nil {
		m.out = []byte(m.text)
	}
	for i := start; i < end; i++ {
		if m.out[i] != '\n' && m.out[i] != '\r' {
			m.out[i] = c
		}
	}
}
