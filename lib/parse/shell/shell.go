// Package shell converts scripts of zsh to ones that the grammar of Bash can parse.
package shell

import (
	"strings"

	"cortex/lib/parse/lexical"
)

// Plain converts a script of any shell to one that the grammar of bash can parse, of the same length: it replaces
// syntax of zsh with strings or blanks. Names of functions, aliases, variables and commands stay, and so do command
// substitutions. Any text is accepted.
func Plain(text string) string {
	s := script{text: text, out: []byte(text)}
	s.list(endOfText)
	if s.depth > maxShellDepth {
		return text
	}
	return string(s.out)
}

// maxShellDepth bounds the nesting of commands and values. Text that exceeds it is returned unchanged.
const maxShellDepth = 100

// script has the state of Plain: it reads commands from the start of a text to its end and never goes back.
type script struct {
	text string
	out  []byte
	pos  int
	// end is the byte that ends the innermost list of commands or value.
	end byte
	// depth is the number of open lists of commands and values.
	depth int
	// kept has the outermost command substitutions read so far, with their brackets: fill leaves them as they are.
	kept []lexical.Span
	// documents has the here-documents that begin on the next line.
	documents []document
}

// A document is a here-document. end is the word that ends it.
type document struct {
	end string
	// tabs is set if tabs may precede the word that ends it.
	tabs bool
	// plain is set if no values are substituted in it.
	plain bool
}

// Ends of a list of commands, besides brackets.
const (
	endOfText   byte = 0
	endOfClause byte = ';' // a clause of a case
)

// A commandList has the state of reading a list of commands.
type commandList struct {
	// condition is the offset of an if, elif, while or until whose then or do is not read yet; -1 if there is none.
	condition int
	// thens is the number of ifs whose then is read and whose fi is not.
	thens int
	// nameless is set if the next group is the body of an anonymous function, which arguments may follow.
	nameless bool
}

// list reads commands up to their end and passes the end, except "esac" at the end of a clause.
func (s *script) list(end byte) {
	defer s.enter(end)()
	l := commandList{condition: -1}
	for s.gap(); s.pos < len(s.text); s.gap() {
		switch c := s.text[s.pos]; {
		case c == end && c == ')':
			s.pos++
			return
		case c == end && c == '}':
			s.closeGroup()
			return
		case end == endOfClause && (s.at(";;") || s.at(";&") || s.at(";|")):
			s.out[s.pos+1] = ';'
			s.pos += 2
			return
		case end == endOfClause && s.word("esac"):
			return
		case s.at("&|") || s.at("&!"):
			s.out[s.pos+1] = ' '
			s.pos += 2
		case strings.IndexByte(";&|)!", c) >= 0:
			s.pos++
		default:
			s.command(&l)
		}
	}
}

// enter opens a list or value, and returns the function that closes it. If the nesting is too deep, it moves to the end
// of the text.
func (s *script) enter(end byte) func() {
	outer := s.end
	s.end = end
	s.depth++
	if s.depth > maxShellDepth {
		s.pos = len(s.text)
		return func() {}
	}
	return func() {
		s.end = outer
		if s.depth <= maxShellDepth {
			s.depth--
		}
	}
}

// command reads the command at pos, or a keyword of a compound command.
func (s *script) command(l *commandList) {
	switch c := s.text[s.pos]; {
	case c == '<' || c == '>':
		s.redirect()
	case c == '(' && s.closedAt(s.pos) > 0:
		s.blankTo(s.closedAt(s.pos))
		l.nameless = true
	case s.at("(("):
		s.opaque(func() { s.brackets('(', ')') })
		s.shortBody(l)
	case c == '(':
		s.pos++
		s.list(')')
		s.shortBody(l)
	case c == '{' && (s.word("{") || s.opensTight()):
		nameless := l.nameless
		l.nameless = false
		s.pos++
		s.list('}')
		s.behindGroup(l, nameless)
	case s.word("[["):
		s.opaque(s.condition)
		s.shortBody(l)
	case s.word("if"), s.word("elif"), s.word("while"), s.word("until"):
		l.condition = s.pos
		s.pos = s.wordEnd(s.pos)
	case s.word("then"):
		l.condition = -1
		l.thens++
		s.pos += len("then")
	case s.word("do"):
		l.condition = -1
		s.pos += len("do")
	case s.word("fi"):
		l.thens = max(0, l.thens-1)
		s.pos += len("fi")
	case s.word("else"):
		end := s.pos + len("else")
		if l.thens == 0 && s.opensGroup(end) {
			s.blankTo(end)
		}
		s.pos = end
	case s.word("for"), s.word("select"):
		s.loop()
	case s.word("repeat"):
		s.repeat()
	case s.word("case"):
		s.cases()
	case s.word("function"):
		s.function(l)
	case s.word("done"), s.word("esac"), s.word("time"), s.word("coproc"):
		s.pos = s.wordEnd(s.pos)
	default:
		s.simple()
	}
}

// simple reads a simple command with its arguments, or the name of a function with its "()".
func (s *script) simple() {
	named := false // set once the name of the command is read
	for s.pos < len(s.text) {
		s.blanks()
		start := s.pos
		switch {
		case s.at("&>"):
			s.pos++
			continue
		case s.pos == len(s.text) || strings.IndexByte("\r\n;&|)", s.text[s.pos]) >= 0 || s.comment(), s.end == '}' && s.closesGroup():
			return
		case (s.at("<") || s.at(">")) && !s.at("<(") && !s.at(">("):
			s.redirect()
			continue
		}
		if !named && s.closedAt(s.wordEnd(s.pos)) > 0 {
			s.pos = s.closedAt(s.wordEnd(s.pos))
			return
		}
		if !named {
			s.index()
		}
		s.argument()
		if s.pos == start {
			s.pos++
		}
		word := s.text[start:s.pos]
		if strings.IndexByte(word, '=') <= 0 || !inWord(word[0]) {
			if !named {
				s.blanks()
				if at := s.closedAt(s.pos); at > 0 {
					s.pos = at
					return
				}
			}
			named = true
		}
	}
}

// closesGroup reports whether a brace at pos ends a group.
func (s *script) closesGroup() bool {
	return s.at("}") && (s.pos+1 == len(s.text) || strings.IndexByte(" \t\r\n;&|)", s.text[s.pos+1]) >= 0)
}

// index reads a name, and masks the index in an assignment to an element.
func (s *script) index() {
	start := s.pos
	for s.pos < len(s.text) && inWord(s.text[s.pos]) {
		s.pos++
	}
	if at := s.pos; at > start && s.at("[") {
		s.brackets('[', ']')
		if s.pos > at+2 && (s.at("=") || s.at("+=")) {
			s.fill(at+1, s.pos-1)
		}
	}
}

// argument reads one word.
func (s *script) argument() {
	start, braces := s.pos, 0
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '{':
			braces++
			s.pos++
		case c == '}' && braces > 0:
			braces--
			s.pos++
		case c == '}' && s.end == '}' && s.pos > start && s.closesGroup():
			s.string(start, s.pos-1)
			s.out[s.pos-1] = ';'
			return
		case c == '(' && s.pos == start+1 && s.text[start] == '=' && (start == 0 || lexical.IsSpace(s.text[start-1])):
			s.out[start] = '<' // =(command) gives the name of a file with the output
			s.pos++
			s.list(')')
		case c == '(' && s.pos > start && s.text[s.pos-1] == '=':
			s.array()
		case c == '(' && s.pos == start+1 && strings.IndexByte("<>", s.text[start]) >= 0:
			s.pos++
			s.list(')')
		case c == '(':
			s.opaque(func() { s.brackets('(', ')') }) // brackets of a pattern
		case c == '<' && s.numbersEnd() > 0:
			end := s.numbersEnd()
			s.string(s.pos, end)
			s.pos = end
		case s.pos == start && (c == '<' || c == '>'):
			s.pos++
		case strings.IndexByte(" \t\r\n;&|<>)", c) >= 0:
			return
		default:
			s.part(false)
		}
	}
}

// numbersEnd returns the end of a range of numbers at pos in a pattern, such as <1-9>; 0 if there is none.
func (s *script) numbersEnd() int {
	end := s.pos + 1
	for end < len(s.text) && (lexical.IsDigit(s.text[end]) || s.text[end] == '-') {
		end++
	}
	if end == len(s.text) || s.text[end] != '>' || strings.Count(s.text[s.pos:end], "-") != 1 {
		return 0
	}
	return end + 1
}

// part reads a piece of a word: a quoted text, a substitution, or one byte. quoted is set within a string, where quotes
// have no meaning.
func (s *script) part(quoted bool) {
	switch c := s.text[s.pos]; {
	case c == '\\':
		s.pos = min(s.pos+2, len(s.text))
	case c == '\'' && !quoted:
		s.pos++
		s.passTo('\'', false)
	case c == '"' && !quoted:
		s.pos++
		for s.pos < len(s.text) && s.text[s.pos] != '"' {
			s.part(true)
		}
		s.pos = min(s.pos+1, len(s.text))
	case c == '`':
		start := s.pos
		s.pos++
		s.passTo('`', true)
		s.keep(start)
	case s.at("$'") && !quoted:
		s.pos += 2
		s.passTo('\'', true)
	case s.at("$(("):
		s.opaqueIn(quoted, func() {
			s.pos++
			s.brackets('(', ')')
		})
	case s.at("$("):
		start := s.pos
		s.pos += 2
		s.list(')')
		s.keep(start)
	case s.at("${"):
		s.opaqueIn(quoted, func() { s.parameter(quoted) })
	case c == '$' && !quoted:
		s.variable()
	default:
		s.pos++
	}
}

// keep adds the command substitution from start to pos to s.kept, in place of those within it.
func (s *script) keep(start int) {
	for len(s.kept) > 0 && s.kept[len(s.kept)-1].Start > start {
		s.kept = s.kept[:len(s.kept)-1]
	}
	s.kept = append(s.kept, lexical.Span{Start: start, End: s.pos})
}

// passTo moves behind the next byte c. If escapes is set, a backslash escapes it.
func (s *script) passTo(c byte, escapes bool) {
	for ; s.pos < len(s.text); s.pos++ {
		switch {
		case s.text[s.pos] == c:
			s.pos++
			return
		case escapes && s.text[s.pos] == '\\':
			s.pos++
		}
	}
	s.pos = len(s.text)
}

// variable reads a variable without braces, and masks it if it has marks in front or an index, which only zsh has.
func (s *script) variable() {
	start := s.pos
	s.pos++
	for s.pos < len(s.text) && strings.IndexByte("+#^=~", s.text[s.pos]) >= 0 {
		s.pos++
	}
	marked := s.pos > start+1
	name := s.pos
	for s.pos < len(s.text) && inWord(s.text[s.pos]) {
		s.pos++
	}
	switch {
	case name == s.pos:
		s.pos = start + 1
	case s.at("["):
		s.opaqueFrom(start, func() { s.brackets('[', ']') })
	case marked:
		s.opaqueFrom(start, func() {})
	}
}

// array reads the elements of an array, from its bracket on.
func (s *script) array() {
	s.pos++
	defer s.enter(')')()
	for s.gap(); s.pos < len(s.text) && s.text[s.pos] != ')'; s.gap() {
		start := s.pos
		if strings.IndexByte(";&|", s.text[s.pos]) < 0 {
			s.argument()
		}
		if s.pos == start {
			s.out[s.pos] = '_'
			s.pos++
		}
	}
	s.pos = min(s.pos+1, len(s.text))
}

// redirect reads the operator of a redirection, and the word that ends a here-document. Other words are read elsewhere.
func (s *script) redirect() {
	start := s.pos
	for s.pos < len(s.text) && (s.text[s.pos] == '<' || s.text[s.pos] == '>') {
		s.pos++
	}
	mark := s.text[start:s.pos]
	if s.at("&") {
		s.pos++
	}
	if s.at("!") || s.at("|") {
		s.out[s.pos] = ' '
		s.pos++
	}
	if mark != "<<" {
		return
	}
	d := document{tabs: s.at("-")}
	if d.tabs {
		s.pos++
	}
	s.blanks()
	word := s.pos
	s.argument()
	d.plain = strings.ContainsAny(s.text[word:s.pos], `"'\`)
	if d.end = strings.NewReplacer(`"`, "", `'`, "", `\`, "").Replace(s.text[word:s.pos]); d.end != "" {
		s.documents = append(s.documents, d)
	}
}

// gap passes blanks, line ends with the here-documents behind them, and comments.
func (s *script) gap() {
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '\n':
			s.pos++
			s.passDocuments()
		case lexical.IsSpace(c):
			s.pos++
		case s.at("\\\n"):
			s.pos += 2
		case s.at("\\\r\n"):
			s.pos += 3
		case !s.comment():
			return
		}
	}
}

// blanks passes blanks and line continuations.
func (s *script) blanks() {
	for s.pos < len(s.text) {
		switch {
		case isBlank(s.text[s.pos]):
			s.pos++
		case s.at("\\\n"):
			s.pos += 2
		case s.at("\\\r\n"):
			s.pos += 3
		default:
			return
		}
	}
}

// comment passes a comment at pos; false if there is none.
func (s *script) comment() bool {
	if !s.at("#") || s.pos > 0 && !lexical.IsSpace(s.text[s.pos-1]) && strings.IndexByte(";&|(){}", s.text[s.pos-1]) < 0 {
		return false
	}
	s.pos, _ = lexical.NextLine(s.text, s.pos)
	return true
}

// passDocuments passes the here-documents that begin at pos.
func (s *script) passDocuments() {
	documents := s.documents
	s.documents = nil
	for _, d := range documents {
		for s.pos < len(s.text) {
			end, next := lexical.NextLine(s.text, s.pos)
			line := s.text[s.pos:end]
			if d.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == d.end {
				s.pos = next
				break
			}
			for !d.plain && s.pos < end {
				switch {
				case s.at("${"):
					s.opaqueIn(true, func() { s.parameter(true) })
				case s.at("\\"):
					s.pos += 2
				default:
					s.pos++
				}
			}
			s.pos = max(s.pos, next)
		}
	}
}

// closeGroup reads the brace that ends a group. It puts a ";" before it where bash, unlike zsh, needs one.
func (s *script) closeGroup() {
	before := strings.TrimRight(s.text[max(0, s.pos-maxGap):s.pos], " \t")
	switch n := len(before); {
	case strings.HasSuffix(before, "\\\n"):
		s.out[max(0, s.pos-maxGap)+n-2] = ' '
	case n > 0 && strings.IndexByte("\n;&{", before[n-1]) < 0 && isBlank(s.text[s.pos-1]):
		s.out[s.pos-1] = ';'
	}
	s.pos++
}

// maxGap is the most blanks before a closing brace that are skipped.
const maxGap = 1000

// behindGroup reads what may follow the closing brace of a group: another group, as after "else", or the arguments of
// an anonymous function.
func (s *script) behindGroup(l *commandList, nameless bool) {
	end := s.pos
	s.blanks()
	start := s.pos
	switch {
	case s.word("always"), s.word("else") && l.thens == 0, s.word("elif") && l.thens == 0:
		if start == end {
			return
		}
		s.out[end] = ';'
		if !s.word("elif") {
			s.blankTo(s.wordEnd(start))
		}
	case nameless && start > end:
		for s.pos < len(s.text) && strings.IndexByte("\r\n;&|)<>}#", s.text[s.pos]) < 0 {
			word := s.pos
			s.argument()
			s.pos = max(s.pos, word+1)
			s.blanks()
		}
		if s.pos > start {
			s.blank(start, s.pos)
		}
	}
}

// shortBody turns the condition before pos into a command of its own if its body is a group: bash has no such short
// form.
func (s *script) shortBody(l *commandList) {
	end := s.pos
	s.blanks()
	if l.condition < 0 || s.pos == end {
		return
	}
	if s.word("then") || s.word("do") {
		s.out[s.pos-1] = ';'
	}
	if !s.word("{") {
		return
	}
	s.blank(l.condition, s.wordEnd(l.condition))
	s.out[s.pos-1] = ';'
	l.condition = -1
}

// condition reads a condition from "[[" to "]]".
func (s *script) condition() {
	s.pos += 2
	for s.pos < len(s.text) {
		if s.at("]]") && lexical.IsSpace(s.text[s.pos-1]) {
			s.pos += 2
			return
		}
		s.part(false)
	}
}

// brackets reads from an opening bracket at pos to its closing one.
func (s *script) brackets(opening, closing byte) {
	defer s.enter(')')()
	for depth := 0; s.pos < len(s.text); {
		switch s.text[s.pos] {
		case opening:
			depth++
			s.pos++
		case closing:
			depth--
			s.pos++
		case '\n':
			if opening == '[' {
				return
			}
			s.pos++
		default:
			s.part(false)
		}
		if depth == 0 {
			return
		}
	}
}

// parameter reads a parameter from "${" to "}". quoted is set within a string, where a single quote has no meaning.
func (s *script) parameter(quoted bool) {
	s.pos += 2
	defer s.enter(')')()
	for s.pos < len(s.text) {
		switch c := s.text[s.pos]; {
		case c == '}':
			s.pos++
			return
		case c == '\'' && !quoted:
			s.pos++
			if n := strings.IndexByte(s.text[s.pos:], '\''); n >= 0 && !strings.Contains(s.text[s.pos:s.pos+n], "\n") {
				s.pos += n + 1
			}
		case s.at("$'"):
			s.pos++
		case c == '"':
			s.part(false)
		default:
			s.part(quoted)
		}
	}
}

// loop reads the head of a for or select loop.
func (s *script) loop() {
	start := s.pos
	s.pos = s.wordEnd(s.pos)
	s.blanks()
	if s.at("((") {
		s.brackets('(', ')')
		s.head(start)
		return
	}
	names := 0 // a loop of zsh may have several variables
	for s.pos < len(s.text) && inWord(s.text[s.pos]) && !s.word("in") && !s.word("do") {
		s.pos = max(s.wordEnd(s.pos), s.pos+1)
		s.blanks()
		names++
	}
	switch {
	case s.word("in"):
		s.pos += len("in")
		s.values()
		end := s.pos
		if s.toBody(); s.word("do") && names == 1 {
			return
		}
		s.pos = end
	case s.at("("):
		s.brackets('(', ')')
	default:
		return
	}
	s.head(start)
}

// toBody passes blanks, comments and ";" between the head of a loop and its body.
func (s *script) toBody() {
	for s.gap(); s.at(";"); s.gap() {
		s.pos++
	}
}

// values reads the values of a loop.
func (s *script) values() {
	for s.blanks(); s.pos < len(s.text) && strings.IndexByte("\r\n;&|)", s.text[s.pos]) < 0; s.blanks() {
		start := s.pos
		s.argument()
		s.pos = max(s.pos, start+1)
	}
}

// repeat reads the head of a repeat loop of zsh, with the number of rounds.
func (s *script) repeat() {
	start := s.pos
	s.pos = s.wordEnd(s.pos)
	s.blanks()
	s.argument()
	s.head(start)
}

// head replaces the head of a loop, from start to pos, with one of bash: a while loop if "do" follows, otherwise a
// command before the body.
func (s *script) head(start int) {
	end := s.pos
	s.toBody()
	if s.word("do") && end-start >= len("while _") {
		s.string(start+len("while "), end)
		copy(s.out[start:], "while ")
		return
	}
	s.string(start, end)
	if end < s.pos && s.text[end] != '\n' && s.text[end] != '\r' {
		s.out[end] = ';'
	}
}

// cases reads a case command up to "esac".
func (s *script) cases() {
	s.pos += len("case")
	s.blanks()
	s.argument()
	s.gap()
	if !s.word("in") {
		return
	}
	s.pos += len("in")
	for s.gap(); s.pos < len(s.text); s.gap() {
		if s.word("esac") {
			s.pos += len("esac")
			return
		}
		s.patterns()
		s.list(endOfClause)
	}
}

// patterns reads the patterns of a clause, including the bracket behind them, and masks them.
func (s *script) patterns() {
	start := s.pos
	if s.at("(") {
		s.brackets('(', ')')
		if s.pos == len(s.text) || lexical.IsSpace(s.text[s.pos]) || s.text[s.pos] == ';' {
			s.string(start+1, s.pos-1)
			return
		}
	}
	for s.pos < len(s.text) && s.text[s.pos] != ')' {
		if s.text[s.pos] == '(' {
			s.brackets('(', ')')
		} else {
			s.part(false)
		}
	}
	if end := s.pos; end > start+1 {
		s.string(start, end)
	} else if end > start {
		s.out[start] = '_'
	}
	s.pos = min(s.pos+1, len(s.text))
}

// function reads the keyword "function", the name and the "()" behind it, if there is one.
func (s *script) function(l *commandList) {
	start := s.pos
	s.pos += len("function")
	s.blanks()
	if s.word("{") || s.at("\n") || s.at("\r") {
		s.blank(start, start+len("function"))
		l.nameless = true
		return
	}
	for names := 0; s.pos < len(s.text) && strings.IndexByte("\r\n;&|(){}#", s.text[s.pos]) < 0; names++ {
		word := s.pos
		s.pos = max(s.wordEnd(s.pos), s.pos+1)
		for s.at("$") {
			s.pos = s.wordEnd(s.pos + 1) // a variable in the name
		}
		if names > 0 {
			s.blank(word, s.pos) // zsh allows several names
		}
		s.blanks()
	}
	if end := s.closedAt(s.pos); end > 0 {
		s.pos = end
	}
}

// opaque replaces the text that read passes with a string, except command substitutions in it.
func (s *script) opaque(read func()) { s.opaqueFrom(s.pos, read) }

func (s *script) opaqueFrom(start int, read func()) {
	read()
	s.string(start, s.pos)
}

// opaqueIn does the same as opaque; if quoted is set, it writes no quotes, since the text is within a string.
func (s *script) opaqueIn(quoted bool, read func()) {
	start := s.pos
	read()
	if quoted {
		s.fill(start, s.pos)
	} else {
		s.string(start, s.pos)
	}
}

// string replaces the text from start to end with a quoted string.
func (s *script) string(start, end int) {
	s.fill(start, end)
	if end >= start+2 {
		s.out[start], s.out[end-1] = '"', '"'
	}
}

// fill replaces the text from start to end with "_", except line ends and the command substitutions in s.kept.
func (s *script) fill(start, end int) {
	for i := len(s.kept) - 1; i >= 0 && s.kept[i].End > start; i-- {
		if kept := s.kept[i]; kept.Start >= start && kept.End <= end {
			s.put('_', kept.End, end)
			end = kept.Start
		}
	}
	s.put('_', start, end)
}

// blank replaces the text from start to end with blanks.
func (s *script) blank(start, end int) {
	s.put(' ', start, end)
}

func (s *script) put(fill byte, start, end int) {
	for i := start; i < end; i++ {
		if c := s.text[i]; c != '\n' && c != '\r' {
			s.out[i] = fill
		}
	}
}

// blankTo replaces the text from pos to end with blanks and moves to end.
func (s *script) blankTo(end int) {
	s.blank(s.pos, end)
	s.pos = end
}

func (s *script) at(text string) bool { return strings.HasPrefix(s.text[s.pos:], text) }

// word reports whether the word at pos is text.
func (s *script) word(text string) bool {
	return s.at(text) && s.wordEnd(s.pos) == s.pos+len(text)
}

// wordEnd returns the end of the word at pos: at the next blank, operator, quote or substitution.
func (s *script) wordEnd(pos int) int {
	if n := strings.IndexAny(s.text[pos:], " \t\r\n;&|<>()\"'`$\\"); n >= 0 {
		return pos + n
	}
	return len(s.text)
}

// opensTight reports whether a group begins at pos without a blank behind its brace, and moves the brace so that there
// is one.
func (s *script) opensTight() bool {
	if s.pos == 0 || !isBlank(s.text[s.pos-1]) || s.at("{}") {
		return false
	}
	s.out[s.pos-1], s.out[s.pos] = '{', ' '
	return true
}

// opensGroup reports whether a group begins behind pos and blanks.
func (s *script) opensGroup(pos int) bool {
	before := s.pos
	s.pos = pos
	s.blanks()
	opens := s.word("{")
	s.pos = before
	return opens
}

// closedAt returns the end of an empty pair of parentheses at pos, 0 if there is none.
func (s *script) closedAt(pos int) int {
	if pos >= len(s.text) || s.text[pos] != '(' {
		return 0
	}
	for pos++; pos < len(s.text) && isBlank(s.text[pos]); pos++ {
	}
	if pos < len(s.text) && s.text[pos] == ')' {
		return pos + 1
	}
	return 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func inWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || lexical.IsDigit(c)
}
