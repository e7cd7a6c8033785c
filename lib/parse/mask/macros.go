package mask

import (
	"slices"
	"strings"

	"cortex/lib/parse/lexical"
)

// WithoutMacros replaces, with blanks, the uses of macros that the grammars of C and C++ cannot parse: names in
// capitals, with their arguments, in places where a declaration has no name. A name that may be the type in a
// declaration stays. The result has the same length.
func WithoutMacros(text string) string {
	m := macros{overlay: overlay{text: text}, looked: -1}
	for m.next() {
	}
	return m.result()
}

const (
	// shortMacro is the length of the shortest name that counts as a macro.
	shortMacro = 4
	// maxArguments and maxComment are the lengths of the longest macro arguments and comments whose end is found.
	maxArguments = 1000
	maxComment   = 1000
	// maxOperator is the length of the longest name of an operator.
	maxOperator = 80
	// maxHead is the most bytes that are read of a head, of a condition within one and of the declaration of a module.
	maxHead = 1000
	// maxDirective is the greatest length of "#  elif" with its blanks.
	maxDirective = 20
)

// declarationWords has words that begin a declaration, or continue it before its type.
var declarationWords = []string{"__attribute__", "__declspec", "_Bool", "auto", "bool", "char", "class", "const", "constexpr", "double",
	"enum", "explicit", "extern", "float", "friend", "inline", "int", "int16_t", "int32_t", "int64_t", "int8_t", "long", "namespace", "short",
	"signed", "size_t", "static", "struct", "template", "typedef", "typename", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "union",
	"unsigned", "using", "virtual", "void"}

// notNames has words that are no names and do not begin a declaration.
var notNames = []string{"and", "and_eq", "alignas", "alignof", "asm", "bitand", "bitor", "case", "co_await", "co_return", "co_yield", "compl", "const", "decltype",
	"default", "delete", "else", "final", "goto", "mutable", "new", "noexcept", "not", "not_eq", "operator", "or", "or_eq", "override", "private", "protected",
	"public", "requires", "restrict", "return", "sizeof", "static_cast", "this", "throw", "typename", "volatile", "xor", "xor_eq"}

// conventions has the calling conventions of Microsoft, which stand behind the type of a function.
var conventions = []string{"__cdecl", "__clrcall", "__fastcall", "__stdcall", "__thiscall", "__vectorcall"}

// attributeWords has parts of the names of macros that stand for attributes. No name of a type has one.
var attributeWords = []string{"ATTRIBUTE", "CONSTEVAL", "CONSTEXPR", "DEPRECATE", "EXPLICIT", "EXPORT", "INLINE", "MUST_USE", "NODISCARD", "NORETURN", "UNUSED", "_API"}

// macros has the state of WithoutMacros: it reads the tokens of a text.
type macros struct {
	overlay
	pos int
	// before is the last token before pos, earlier the one before it.
	before, earlier string
	enum            enumPlace
	// looked is the offset of the last directive given to chooseBranch. passed has the ends of blanked branches by
	// their starts.
	looked int
	passed map[int]int
	// openings are the conditions that open brackets and wait for those that close them.
	openings []opening
	// around has the open brackets around pos.
	around []byte
	// valued is set in a statement behind "=" or "return".
	valued bool
	// reading is set while the text up to the next token is passed over, and not while other text is examined.
	reading bool
}

// enumPlace is the part of an enum's declaration that is being read.
type enumPlace int8

const (
	noEnum enumPlace = iota
	enumHead
	enumBody
)

// next reads or drops a token. It returns false at the end of the text.
func (m *macros) next() bool {
	m.reading = true
	m.pos = m.skip(m.pos)
	m.reading = false
	if m.pos >= len(m.text) {
		return false
	}
	start, end := m.pos, m.tokenEnd(m.pos)
	if token := m.text[start:end]; !m.drop(token, start, end) {
		m.dropOldParameters(token, end)
		m.read(token, end)
	}
	return true
}

// read records a token and moves to end.
func (m *macros) read(token string, end int) {
	m.earlier, m.before, m.pos = m.before, token, end
	m.track(token)
	switch token {
	case "=", "return":
		m.valued = true
	case ";", "{", "}":
		m.valued = false
	}
	switch {
	case token == "enum":
		m.enum = enumHead
	case m.enum == enumHead && token == "{":
		m.enum = enumBody
	case m.enum == enumHead && strings.Contains(";()=,>}", token), m.enum == enumBody && token == "}":
		m.enum = noEnum
	}
}

// drop blanks the token from start to end, with its arguments or only these, and moves behind. It returns false if the
// token stays.
func (m *macros) drop(token string, start, end int) bool {
	switch {
	case token == "." && m.startsDesignator():
		return m.dropDesignator(start)
	case token == "," && m.closesArguments(end):
	case token == "," && m.innermost() == declared && !m.inTemplate(end):
		m.fill(start, end, ';')
		m.read(";", end)
		return true
	case token == ")" && m.innermost() == declared:
		m.around = m.around[:len(m.around)-1]
	case token == "=" && m.innermost() == '(' && m.dropDefault(end):
		return true
	case token == ":" && m.isGlobalNew(start):
		end++
	case m.before == "*" && isWord(token) && m.isQualifier(token, end):
	case token == "operator" && m.isUsed():
		return m.renameOperator(start, end)
	case token == "extern" && m.tokenAt(m.skip(end)) == "template":
	case m.extraEnd(token, start, end) > end:
		end = m.extraEnd(token, start, end)
	case m.typeCallEnd(token, end) > end:
		after := m.typeCallEnd(token, end)
		m.blank(end, after)
		m.read(token, after)
		return true
	case m.isAttribute(token, end):
	case token == "{":
		m.endBody(start, end)
		return false
	case isWord(token) && (m.nameFunction(token, start, end) || m.nameType(token, start, end) || m.nameVariable(token, end)):
		return true
	case m.moduleEnd(token, end) > 0:
		end = m.moduleEnd(token, end)
	case m.annotationEnd(token, end) > 0:
		end = m.annotationEnd(token, end)
	case token == "co_await" && m.before == "for":
	case (token == "constexpr" || token == "inline") && m.isConversion(m.skip(end)):
	case token == "throw" && m.tokenAt(m.skip(end)) != ")" && m.isValue():
	case isWord(token) && m.innermost() == block && startsStatement(m.before) && (m.endBlockMacro(token, start, end) || m.declare(token, start, end)):
		return true
	case token == "emit" || token == "Q_EMIT":
		if !startsStatement(m.before) || !isWord(m.tokenAt(m.skip(end))) {
			return false
		}
	case m.accessEnd(token, end) > 0:
		end = m.accessEnd(token, end)
	case token == ":" && m.before == "enum":
		if end = strings.IndexAny(m.text[start:min(len(m.text), start+maxType)], "{;(") + start; end <= start || m.text[end] != '{' {
			return false
		}
	case m.isFormat(token, end):
	case m.isTypeCall(token, end):
		end = m.argumentsEnd(m.skip(end))
	case isWord(token) && m.isBehindType(token, end):
	case m.isExport(token, end):
	case isMacroName(token):
		if m.innermost() == '(' && m.dropTypes(end) {
			return true
		}
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

// isUsed reports whether an operator is called by its name here, not declared.
func (m *macros) isUsed() bool {
	return m.before == "." || m.before == ">" && m.earlier == "-" || m.before == "return" || m.earlier == "return" && strings.Contains("&*!", m.before)
}

// renameOperator replaces the name of an operator, whose keyword is from start to end, by an ordinary name.
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

// condition returns the end of the arguments behind pos if they belong to a condition in the parameters of a template,
// otherwise pos.
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

// dropWrapper blanks the macro call whose name is from start to end, except for its first argument, which must be the
// name of an enumerator.
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

// isQualifier reports whether a word behind a star, which ends at end, qualifies the pointer: a name follows.
func (m *macros) isQualifier(token string, end int) bool {
	next := m.tokenAt(m.skip(end))
	return isWord(next) && !isMacroName(next) && !strings.HasPrefix(next, "__") && !slices.Contains(notNames, token) && !slices.Contains(notNames, next)
}

// tokenAt returns the token at pos, "" at the end of the text.
func (m *macros) tokenAt(pos int) string {
	if pos >= len(m.text) {
		return ""
	}
	return m.text[pos:m.tokenEnd(pos)]
}

// tokenEnd returns the end of the word, number, literal or other character at pos.
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

// literalEnd returns the end of the string or character literal at pos: the end of its line if it is not closed.
func (m *macros) literalEnd(pos int) int {
	quote := m.text[pos]
	if end := m.rawEnd(pos); end > 0 {
		return end
	}
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

// maxDelimiter is the length of the longest delimiter of a raw string.
const maxDelimiter = 16

// rawEnd returns the end of the raw string whose quote is at pos; 0 if there is none.
func (m *macros) rawEnd(pos int) int {
	if pos == 0 || m.text[pos-1] != 'R' || m.text[pos] != '"' {
		return 0
	}
	delimiter, _, ok := strings.Cut(m.text[pos+1:min(len(m.text), pos+maxDelimiter+2)], "(")
	if !ok || strings.ContainsAny(delimiter, " \\)\"\n") {
		return 0
	}
	closing := ")" + delimiter + `"`
	n := strings.Index(m.text[pos:], closing)
	if n < 0 {
		return len(m.text)
	}
	return pos + n + len(closing)
}

// skip returns the start of the next token behind blanks, comments and directives.
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

// lineEnd returns the end of the line at pos, including its continuation lines.
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

// directive returns the end of the directive at pos. It blanks comments in the middle of the body of a macro, which the
// grammar takes for its end, and the arguments of __has_include and the like in a condition, which the grammar cannot parse.
func (m *macros) directive(pos int) int {
	end := m.lineEnd(pos)
	if pos > m.looked {
		m.looked = pos
		m.chooseBranch(pos, end)
	}
	if m.reading && m.passed[pos] == 0 && m.inExpression() && strings.HasPrefix(directiveName(m.text[pos:end]), "if") {
		m.keepBranch(pos, end, true)
	}
	if after, found := m.passed[pos]; found {
		return after
	}
	if line := m.text[pos:end]; strings.Contains(line, "(<") && strings.Contains(line[:min(len(line), maxDirective)], "if") {
		if from := strings.Index(line, "(<"); strings.Contains(line[from:], ">)") {
			m.blank(pos+from+1, pos+from+strings.Index(line[from:], ">)")+1)
		}
	} else if from := strings.Index(line, "__has_"); from >= 0 && strings.Contains(line[:min(len(line), maxDirective)], "if") {
		open := from + strings.IndexByte(line[from:]+"(", '(')
		if n := strings.IndexByte(line[min(open, len(line)):], ')'); n > 1 && strings.ContainsAny(line[open:open+n], ":\"") {
			m.fill(pos+open+1, pos+open+n, '_')
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

// chooseBranch reduces the condition that the directive from pos to end opens to one branch, if the branches are
// variants of one part of the code.
func (m *macros) chooseBranch(pos, end int) {
	if strings.HasPrefix(directiveName(m.text[pos:end]), "if") && !m.joinHead(pos, end) {
		m.keepBranch(pos, end, false)
	}
}

// joinHead reduces the condition that the directive from pos to end opens to its first branch, if a "{" follows the
// condition and no branch has one: the branches are variants of one head, such as that of a function. It reports
// whether this is so.
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

// directiveName returns the word behind the "#" of a directive.
func directiveName(line string) string {
	line = strings.TrimLeft(strings.TrimSpace(line)[1:], " \t")
	return line[:len(line)-len(strings.TrimLeft(line, "abcdefghijklmnopqrstuvwxyz"))]
}

// opensBody reports whether only blanks and line comments are between pos and a "{".
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

// dropped returns the end of the text to drop for the macro whose name is from start to end; 0 if it stays.
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
		if isWord(next) && next != "final" || strings.HasPrefix(m.text[after:], "[[") {
			return end
		}
		return 0
	case ")", "const", "noexcept", "override", "final":
		return m.droppedBehind(next, end)
	case "]":
		if arguments && (next == ";" || next == "=") && isWordByte(m.earlier[0]) {
			return end
		}
		return 0
	case "", ";", "{", "}", ":", ">", "static", "inline", "extern", "constexpr", "virtual", "friend", "explicit":
	default:
		if m.before[0] == '"' {
			break
		}
		if isMacroName(next) {
			next = m.tokenAt(m.skipMacros(after))
		}
		if m.isBehindName(next) {
			return end
		}
		return 0
	}
	if slices.Contains(declarationWords, next) && !m.isDeclared(after+len(next)) && (next != "const" || arguments || m.before == "") {
		return end
	}
	if next == ";" && slices.Contains(declarationWords, first) {
		return end // no call of a function has a type as its argument
	}
	if isWord(next) && !m.isDeclared(after+len(next)) || next == "~" || strings.HasPrefix(m.text[after:], "[[") {
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

// isDeclared reports whether the word that ends at end is the name of a variable by what follows it.
func (m *macros) isDeclared(end int) bool {
	at := m.skip(end)
	next := m.tokenAt(at)
	return next == "[" && !strings.HasPrefix(m.text[at:], "[[") || next == "=" || next == ";" || next == ","
}

// maxMacros is the most macros in a row that are skipped.
const maxMacros = 4

// skipMacros returns the start of the next token behind the macros at pos and their arguments.
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

// isTypeAndName reports whether a name, stars and a name follow at pos: a type and a declared name, so that the word
// before is no type.
func (m *macros) isTypeAndName(pos int) bool {
	first := m.tokenAt(pos)
	if !isWord(first) || isMacroName(first) || slices.Contains(notNames, first) || slices.Contains(conventions, first) {
		return false
	}
	for pos = m.skip(m.qualifiedEnd(pos + len(first))); pos < len(m.text) && m.text[pos] == '*'; {
		pos = m.skip(pos + 1)
	}
	second := m.tokenAt(pos)
	return isWord(second) && !isMacroName(second) && !strings.HasPrefix(second, "__") && !slices.Contains(notNames, second)
}

// maxQualified is the most bytes in which qualifiedEnd looks for the end of a type's name.
const maxQualified = 300

// qualifiedEnd returns the end of the continuation of a type's name at pos: "::name" and "<arguments>".
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

// isBehindName reports whether a macro, which the token next follows, is behind a type and a name or behind the name of
// an enumerator.
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

// droppedBehind returns end if the word before end, behind the parameters of a function, is a macro to drop; otherwise
// 0. A call behind "if (x)" looks the same; to drop it does no harm.
func (m *macros) droppedBehind(next string, end int) int {
	ends := m.before != "const" || m.earlier == ")"
	if around := m.innermost(); m.before == ")" && (next == ";" || next == "=") && (m.valued || around != 0 && around != '{') {
		return 0 // the macro is a value behind a cast, or a statement behind a condition
	}
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

// startsDeclaration reports whether the declaration that begins at after, with the token next, has a type of its own,
// so that the macro on the line above is none.
func (m *macros) startsDeclaration(next string, after int, arguments bool) bool {
	if next == "}" || next == "" {
		return (!arguments || m.innermost() == '{') && (m.before == "}" || m.before == ";" || m.before == "{" || m.before == ":")
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

// argumentsEnd returns the end of the parentheses at pos; pos if there are none or they cannot be the arguments of a
// macro.
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

// isLine reports whether the text from start to end is alone on its line, apart from a comment.
func (m *macros) isLine(start, end int) bool {
	before := strings.TrimRight(m.text[:start], " \t")
	after := strings.TrimLeft(m.text[end:], " \t\r")
	return (before == "" || before[len(before)-1] == '\n') && (after == "" || after[0] == '\n' || after[0] == '/')
}
