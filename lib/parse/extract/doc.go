package extract

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// doc returns the documentation of f, and its first line if it is above the definition, otherwise 0. A docstring comes
// first, then a comment above the definition, then one between its attributes; a value may have a comment at the end of
// its line.
func (x *extraction) doc(f *fact, s *record.Symbol) (text string, line int) {
	if f.doc.End > 0 {
		if c, ok := x.commentAt(f.doc.Start); ok && x.isLineComment(x.comments[c]) {
			if text := x.cleanComments(f.doc.Start, x.runEnd(x.comments[c])); text != "" {
				return text, 0
			}
		} else if text := cleanString(x.text[f.doc.Start:f.doc.End]); text != "" {
			return shorten.Bytes(text, maxDoc), 0
		}
	}
	if text := x.docInAttributes(f); text != "" {
		return text, 0
	}
	if first, ok := x.commentsAbove(f.around.Start); ok {
		if text := x.cleanComments(first, f.around.Start); text != "" {
			return text, x.line(first)
		}
	}
	if text := x.docBetweenAttributes(f); text != "" {
		return text, 0
	}
	switch {
	case f.kind.IsData():
		return x.trailingComment(s.EndByte), 0
	case f.kind == record.Macro && f.value.End > 0 && x.text[f.name.End] != '(':
		return x.trailingComment(f.value.End), 0 // a constant, whose span may include the comment
	}
	return "", 0
}

// maxEnding bounds the definitions ending before a comment that are tried for it.
const maxEnding = 20

// documentAfter assigns comments that document the definition before them, such as "///<", to symbols without
// documentation. A comment on the line of the definition goes to the innermost that ends there; a comment on a line of
// its own goes to the definition that begins in its column, unless the comment is directly above the next definition.
func (x *extraction) documentAfter(symbols []record.Symbol) {
	if len(x.docsAfter) == 0 {
		return
	}
	ends := make([]int, len(symbols)) // indexes of symbols sorted by end, inner ones last
	for i := range ends {
		ends[i] = i
	}
	slices.SortFunc(ends, func(a, b int) int {
		return cmp.Or(cmp.Compare(symbols[a].EndByte, symbols[b].EndByte), cmp.Compare(symbols[a].StartByte, symbols[b].StartByte))
	})
	for _, c := range x.docsAfter {
		own := x.startsLine(c.Start)
		next := sort.Search(len(symbols), func(i int) bool { return symbols[i].StartByte >= c.End })
		if own && next < len(symbols) && x.gapFits(c.End, symbols[next].StartByte) {
			continue
		}
		var best *record.Symbol
		n := sort.Search(len(ends), func(i int) bool { return symbols[ends[i]].EndByte > c.Start })
		for i := n - 1; i >= max(0, n-maxEnding); i-- {
			s := &symbols[ends[i]]
			if !x.gapFits(x.skipMarks(s.EndByte), c.Start) {
				break
			}
			if best == nil || own && x.column(s.StartByte) == x.column(c.Start) {
				best = s
			}
		}
		if best != nil && best.Doc == "" {
			best.Doc = x.cleanComments(c.Start, x.runEnd(c))
		}
	}
}

// runEnd returns the end of the run of line comments that begins with c, a comment on the definition before it.
func (x *extraction) runEnd(c lexical.Span) int {
	if !x.isLineComment(c) {
		return c.End
	}
	i, _ := x.commentAt(c.Start)
	end := c.End
	for i++; i < len(x.comments); i++ {
		next := x.comments[i]
		if !x.isLineComment(next) || !x.gapFits(end, next.Start) || !x.startsLine(next.Start) || holds(x.docsAfter, next) ||
			strings.HasPrefix(x.text[next.Start:next.End], "-- |") {
			break
		}
		end = next.End
	}
	return end
}

// hasLine reports whether one of the lines of doc is line.
func hasLine(doc, line string) bool {
	for l := range strings.Lines(doc) {
		if strings.TrimSpace(l) == line {
			return true
		}
	}
	return false
}

// skipMarks returns the offset behind the separators such as "," and ";" that follow pos.
func (x *extraction) skipMarks(pos int) int {
	for i := pos; i < min(pos+maxBlanks, len(x.text)); i++ {
		switch x.text[i] {
		case ',', ';', '|', ')':
			pos = i + 1
		case ' ', '\t':
		default:
			return pos
		}
	}
	return pos
}

// docInAttributes returns the documentation in strings of the attributes of f.
func (x *extraction) docInAttributes(f *fact) string {
	if f.signature == f.around.Start {
		return ""
	}
	i, _ := slices.BinarySearchFunc(x.docs, f.around.Start, func(d lexical.Span, at int) int { return cmp.Compare(d.Start, at) })
	var lines []string
	for size := 0; i < len(x.docs) && x.docs[i].End <= f.signature && size < maxDoc && len(lines) < maxAttributes; i++ {
		text := cleanString(x.text[x.docs[i].Start:x.docs[i].End])
		lines = append(lines, text)
		size += len(text)
	}
	return joinDoc(lines)
}

// docBetweenAttributes returns the comment between the attributes of f or behind them: the last with a docMarker, or
// else the comment directly above the signature.
func (x *extraction) docBetweenAttributes(f *fact) string {
	if f.signature <= f.around.Start {
		return ""
	}
	n, _ := x.commentAt(f.signature)
	for last := n - maxAttributes; n > max(last, 0) && x.comments[n-1].Start > f.around.Start; n-- {
		c := x.comments[n-1]
		if m := docMarker(x.text[c.Start:c.End]); m != "" && m != "//!" && x.startsLine(c.Start) && !x.inAttribute(c.Start) {
			first, _ := x.run(n - 1)
			return x.cleanComments(first, c.End)
		}
	}
	if first, ok := x.commentsAbove(f.signature); ok && first > f.around.Start {
		return x.cleanComments(first, f.signature)
	}
	return ""
}

// commentsAbove returns the start of the comment directly above the line of pos, including the line comments directly
// above that. ok is false if there is no comment or it follows code on its line. pos must be the first code on its
// line.
//
// If a comment without a docMarker separates the definition from a run of comments with one, the latter counts. A run
// with a docMarker may be followed by one empty line.
func (x *extraction) commentsAbove(pos int) (first int, ok bool) {
	n, _ := x.commentAt(pos)
	if n == 0 || !x.startsLine(x.comments[n-1].Start) {
		return 0, false
	}
	c := x.comments[n-1]
	marker := docMarker(x.text[c.Start:c.End])
	if !x.gapFits(c.End, pos) && (marker == "" || !x.gapOf(c.End, pos, 2) || x.standsAlone(c)) || marker == "//!" {
		return 0, false // Rust and Zig: //! documents the enclosing file or block
	}
	first, n = x.run(n - 1)
	if marker == "" && n > 0 {
		above := x.comments[n-1]
		if m := docMarker(x.text[above.Start:above.End]); m != "" && m != "//!" && x.gapFits(above.End, first) && x.startsLine(above.Start) {
			first, _ = x.run(n - 1)
		}
	}
	return first, true
}

// standsAlone reports whether a "/**" comment followed by an empty line documents the file, or declares something
// itself, by a tag such as @typedef, rather than documenting the next definition.
func (x *extraction) standsAlone(c lexical.Span) bool {
	s := x.text[c.Start:c.End]
	if !strings.HasPrefix(s, "/**") {
		return false
	}
	return c.Start <= maxBlanks && strings.TrimSpace(x.text[:c.Start]) == "" ||
		slices.ContainsFunc([]string{"@typedef", "@callback", "@import", "@file", "@module", "@license", "@copyright", "@author", "@defgroup", "@name", "@{", "@}"},
			func(tag string) bool { return strings.Contains(s, tag) })
}

// run returns the start and the index of the first comment in the run of line comments of one kind that ends with
// comment n.
func (x *extraction) run(n int) (first, index int) {
	if x.runs == nil {
		x.runs = make([]int, len(x.comments))
		for i := range x.runs {
			if x.runs[i] = i; i > 0 && x.goesOn(x.comments[i-1], x.comments[i]) {
				x.runs[i] = x.runs[i-1]
			}
		}
	}
	index = x.runs[n]
	return x.comments[index].Start, index
}

// goesOn reports whether the line comment c continues the run of the comment above it.
func (x *extraction) goesOn(above, c lexical.Span) bool {
	// A grammar may insert an empty comment at the end of the file.
	return c.Start < c.End && x.text[above.Start] == x.text[c.Start] && x.gapFits(above.End, c.Start) && x.startsLine(above.Start) &&
		x.isLineComment(c) && x.isLineComment(above) &&
		docMarker(x.text[above.Start:above.End]) == docMarker(x.text[c.Start:c.End])
}

// docMarker returns the marker, such as "///" or "/**", that makes a comment documentation in its language, "" if it
// has none.
func docMarker(s string) string {
	for _, m := range []string{"///", "//!", "#'", "/**"} {
		if strings.HasPrefix(s, m) && !strings.HasPrefix(s, "////") && !strings.HasPrefix(s, "/***") && !strings.HasPrefix(s, "/**/") {
			return m
		}
	}
	if len(s) > 1 && s[0] == '!' && strings.IndexByte("!><", s[1]) >= 0 {
		return "!!" // Fortran
	}
	return ""
}

// gapFits reports whether only blanks, masked text and at most one line end are between end and start. The line end may
// be the last byte before end, as in comment nodes that include it. One behind masked text, such as a macro in front of a
// function, does not count.
func (x *extraction) gapFits(end, start int) bool { return x.gapOf(end, start, 1) }

// noBreakSpace may be indentation in some languages, such as C#.
const noBreakSpace = "\u00a0"

// gapOf does the same as gapFits with at most most line ends.
func (x *extraction) gapOf(end, start, most int) bool {
	if end > start || start-end > maxBlanks {
		return false
	}
	ends, masked := 0, false
	if end > 0 && x.text[end-1] == '\n' {
		ends++
	}
	for ; end < start; end++ {
		switch c := x.text[end]; {
		case c == '\n' && masked:
			masked = false
		case c == '\n':
			if ends++; ends > most {
				return false
			}
		case c != x.masked[end] && x.masked[end] == ' ':
			masked = true
		case strings.HasPrefix(x.text[end:], noBreakSpace):
			end += len(noBreakSpace) - 1
		case !lexical.IsSpace(c):
			return false
		}
	}
	return true
}

// isLineComment reports whether c is a comment that ends with its line, not a block comment or a string.
func (x *extraction) isLineComment(c lexical.Span) bool {
	s := x.text[c.Start:c.End]
	for _, m := range blockMarkers {
		if strings.HasPrefix(s, m[0]) {
			return false
		}
	}
	_, found := slices.BinarySearchFunc(x.docs, c, lexical.ByStart)
	return !found
}

// blockMarkers has the markers that open and close block comments. A marker that begins with another comes first.
var blockMarkers = [][2]string{
	{"/*", "*/"}, {"(*", "*)"}, {"{-", "-}"}, {"{", "}"}, {"<!--", "-->"}, {"--[[", "]]"}, {"--[=[", "]=]"}, {"#=", "=#"}, {"=begin", "=end"},
}

// trailingComment returns the comment that follows a value on the same line. end is the end of the value.
func (x *extraction) trailingComment(end int) string {
	n, _ := x.commentAt(end)
	if n == len(x.comments) {
		return ""
	}
	c := x.comments[n]
	if gap := x.text[end:min(c.Start, end+40)]; strings.Trim(gap, " \t,;") != "" {
		return ""
	}
	rest := strings.TrimLeft(x.text[c.End:min(c.End+maxBlanks, len(x.text))], " \t\f\v\r")
	if x.text[c.End-1] != '\n' && rest != "" && rest[0] != '\n' {
		return "" // code follows on the line, to which the comment belongs
	}
	return x.cleanComments(c.Start, c.End)
}

// cleanComments returns the text of the comments from first to end without their markers.
func (x *extraction) cleanComments(first, end int) string {
	if text, ok := x.cleaned[lexical.Span{Start: first, End: end}]; ok {
		return text
	}
	from, _ := x.commentAt(first)
	n := from
	var lines []string
	marker := ""
	for size := 0; n < len(x.comments) && x.comments[n].Start < end && size < maxDoc; n++ {
		c := x.comments[n]
		m := docMarker(x.text[c.Start:c.End])
		if marker != "" && m != marker {
			break
		}
		marker = m
		text := x.text[c.Start:min(c.End, c.Start+2*maxDoc)]
		size += len(text)
		if _, found := slices.BinarySearchFunc(x.docs, c, lexical.ByStart); found {
			lines = append(lines, cleanString(text))
		} else if x.isLineComment(c) {
			// Some grammars parse a run of line comments as one comment.
			for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
				lines = append(lines, lineComment(strings.TrimLeft(line, " \t")))
			}
		} else {
			lines = append(lines, blockComment(text)...)
		}
	}
	text := joinDoc(lines)
	if n-from > maxSkip {
		// Cache the text of a long run, since many names may share it.
		if x.cleaned == nil {
			x.cleaned = map[lexical.Span]string{}
		}
		x.cleaned[lexical.Span{Start: first, End: end}] = text
	}
	return text
}

// lineComment returns a line comment without its marker; "" for an instruction to a tool, such as //go:embed.
func lineComment(s string) string {
	s = strings.TrimRight(s, " \t\r\n")
	if s != "" && strings.IndexByte("*cC", s[0]) >= 0 {
		s = "!" + s[1:] // Fortran's fixed form
	}
	body := strings.TrimLeft(s, "/#-;%!")
	if body == "" || isDirective(body) && strings.HasPrefix(s, "//") || isInstruction(s, body) {
		return ""
	}
	switch s[0] {
	case '#':
		// "#:" is Sphinx's marker for attributes, "#'" is roxygen's.
		body = strings.TrimPrefix(strings.TrimPrefix(body, ":"), "'")
	case '!':
		body = strings.TrimLeft(body, "><")
	case '-':
		if text := strings.TrimPrefix(body, " "); strings.HasPrefix(text, "| ") || strings.HasPrefix(text, "^ ") {
			body = text[1:] // Haddock
		}
	case '/':
		if strings.HasPrefix(body, "< ") {
			body = body[1:] // Doxygen, behind a member
		}
	}
	return strings.TrimPrefix(body, " ")
}

// isInstruction reports whether a line comment is for a tool, not for the reader.
func isInstruction(s, body string) bool {
	if strings.HasPrefix(s, "#!") {
		return true
	}
	body = strings.TrimLeft(body, " \t")
	for _, word := range []string{"-*-", "frozen_string_literal:", "encoding:", "coding:", "rubocop:", "shellcheck ", "eslint-",
		"prettier-ignore", "biome-ignore", "@ts-", "tslint:", "NOLINT", "clang-format ", "pylint:", "type: ignore", "noqa", "fmt: ", "isort:",
		":nodoc:", ":doc:", ":startdoc:", ":stopdoc:", ":nocov:", "typed: ", "warn_indent:", "shareable_constant_value:"} {
		if strings.HasPrefix(body, word) {
			return true
		}
	}
	return false
}

// isDirective reports whether the text of a comment has the form word:word without a space, which godoc defines as an
// instruction to a tool.
func isDirective(body string) bool {
	word, rest, ok := strings.Cut(body, ":")
	return ok && word != "" && rest != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") == "" &&
		('a' <= rest[0] && rest[0] <= 'z' || '0' <= rest[0] && rest[0] <= '9')
}

// blockComment returns the lines of a block comment without its markers.
func blockComment(s string) []string {
	for _, m := range blockMarkers {
		if body, ok := strings.CutPrefix(s, m[0]); ok {
			s = strings.TrimSuffix(body, m[1])
			if strings.HasPrefix(m[1], "*") {
				s = strings.TrimRight(s, "*")
			}
			break
		}
	}
	s = strings.TrimLeft(s, "*!")
	if body := strings.TrimLeft(s, " "); strings.HasPrefix(body, "| ") || strings.HasPrefix(body, "^ ") || strings.HasPrefix(body, "|\n") {
		s = body[1:] // Haddock
	}
	lines := strings.Split(s, "\n")
	// Some authors forget the star of a line.
	with, without, twice := 0, 0, true
	for _, line := range lines[1:] {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "*") {
			with++
		} else if line != "" {
			without++
		}
		twice = twice && (line == "" || line == "*" || strings.HasPrefix(line, "**"))
	}
	starred := len(lines) > 1 && with >= 4*without
	for i, line := range lines {
		line = strings.TrimRight(line, " \t\r")
		if starred && i > 0 {
			line = strings.TrimPrefix(strings.TrimLeft(line, " \t"), "*")
			if twice {
				line = strings.TrimPrefix(line, "*")
			}
			line = strings.TrimPrefix(line, " ")
		}
		lines[i] = line
	}
	lines[0] = strings.TrimLeft(lines[0], " \t")
	if !starred {
		dedent(lines[1:])
	}
	return lines
}

// maxQuotePrefix is the length in bytes of the longest prefix of a string literal.
const maxQuotePrefix = 4

// cleanString returns the text of a docstring: a string literal without prefix and quotes.
func cleanString(s string) string {
	if quote := strings.IndexAny(s, "\"'"); quote > 0 && quote <= maxQuotePrefix && !strings.ContainsAny(s[:quote], " \t\r\n") {
		s = s[quote:] // raw"", ~S""", u''
	}
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if body, ok := strings.CutPrefix(s, quote); ok {
			s = strings.TrimSuffix(body, quote)
			break
		}
	}
	lines := strings.Split(shorten.Bytes(s, 2*maxDoc), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	lines[0] = strings.TrimLeft(lines[0], " \t")
	dedent(lines[1:])
	return joinDoc(lines)
}

// dedent removes the indentation that all lines share.
func dedent(lines []string) {
	indent := -1
	for _, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if n := len(line) - len(strings.TrimLeft(line, " \t")); indent < 0 || n < indent {
			indent = n
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(indent, 0), len(line)):]
	}
}

// joinDoc joins lines, without blank lines and rules at both ends.
func joinDoc(lines []string) string {
	for len(lines) > 0 && isRule(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 0 && isRule(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.TrimRight(shorten.Bytes(strings.Join(lines, "\n"), maxDoc), " \t\n")
}

// isRule reports whether a line is blank or a rule such as "-----".
func isRule(line string) bool { return strings.Trim(line, " \t-=*#~_+/") == "" }

// maxDoc is the length in bytes at which a documentation comment is cut.
const maxDoc = 8000
