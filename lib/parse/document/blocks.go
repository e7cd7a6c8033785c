package document

import (
	"strings"

	"cortex/lib/language/fence"
	"cortex/lib/parse/lexical"
	"cortex/lib/shorten"
)

// maxContainers bounds the nesting of quotes and lists. Deeper ones are read as text.
const maxContainers = 64

// scanMarkdown finds the headings of a Markdown text outside of quotes and lists. It follows the block structure of
// CommonMark 0.31 with the tables of GitHub, line by line, without making a tree: the cost of a line is its length plus
// at most maxContainers steps.
//
// MDX has neither HTML blocks nor indented code; its import and export lines are read as paragraphs.
func scanMarkdown(text string, mdx bool) document {
	var doc document
	var start int
	doc.title, doc.tags, start = frontMatter(text)
	if title, found := strings.CutPrefix(text, "% "); found { // as Pandoc has it
		title, _, _ = strings.Cut(title, "\n")
		doc.title = shorten.End(shorten.Line(title), maxHeadingName)
	}
	s := blockScanner{text: text, mdx: mdx}
	s.inline.references = func() map[string]bool {
		if s.labels == nil {
			s.labels = linkLabels(text)
		}
		return s.labels
	}
	s.number = strings.Count(text[:start], "\n")
	for pos := start; pos < len(text) && len(s.headings) < maxHeadings; {
		end, next := lexical.NextLine(text, pos)
		s.number++
		s.lineStart, s.pos, s.end, s.next, s.col = pos, pos, end, next, 0
		s.line()
		pos = next
	}
	doc.headings = s.headings
	return doc
}

// A leaf is the kind of the open block that takes text.
type leaf uint8

const (
	noLeaf leaf = iota
	paragraph
	table
	fencedCode
	indentedCode
	htmlBlock
)

// A container is an open quote or list item.
type container struct {
	item    bool
	content int  // item: the column at which its content begins
	empty   bool // item: nothing has followed its marker yet
}

// A blockScanner has the open blocks and the position in the current line.
type blockScanner struct {
	text     string
	mdx      bool
	headings []heading
	inline   plainText
	labels   map[string]bool

	containers []container
	// matched is the number of containers that the current line continues or opens. The others stay open until it is
	// clear that the line is no lazy continuation of a paragraph in them.
	matched   int
	leaf      leaf
	fenceChar byte
	fenceLen  int
	html      htmlKind
	// The last paragraph: the byte offset and line number of its start behind link definitions; whether it has only
	// link definitions, so that an underline makes no heading of it; and its last line.
	paraStart, paraLine int
	definitions         bool
	lastText            string

	number               int // number of the current line
	lineStart, end, next int
	pos                  int // byte offset in text
	col                  int // column of pos; within a tab if that is partly consumed
}

// line processes one line.
func (s *blockScanner) line() {
	s.matchContainers()
	if s.matched == len(s.containers) {
		if s.continueVerbatim() {
			return
		}
	} else if s.leaf != paragraph {
		s.leaf = noLeaf
	}
	for s.matched < maxContainers {
		width, after := s.indent()
		if after == s.end || width >= 4 && !s.mdx {
			break
		}
		if s.text[after] == '>' {
			s.openQuote(width, after)
			continue
		}
		if s.leafStart(after) {
			return
		}
		if !s.openItem(width, after) {
			break
		}
	}
	s.restOfLine()
}

// indent returns the width in columns of the white space at pos, and the byte offset of its end.
func (s *blockScanner) indent() (width, after int) {
	col := s.col
	for i := s.pos; i < s.end; i++ {
		switch s.text[i] {
		case ' ':
			col++
		case '\t':
			col = (col/4 + 1) * 4
		default:
			return col - s.col, i
		}
	}
	return col - s.col, s.end
}

// skip consumes at most width columns of white space.
func (s *blockScanner) skip(width int) {
	for target := s.col + width; s.col < target && s.pos < s.end; s.pos++ {
		switch s.text[s.pos] {
		case ' ':
			s.col++
		case '\t':
			stop := (s.col/4 + 1) * 4
			if stop > target {
				s.col = target
				return
			}
			s.col = stop
		default:
			return
		}
	}
}

// matchContainers sets matched to the number of open containers that the line continues, and consumes their markers.
func (s *blockScanner) matchContainers() {
	for s.matched = 0; s.matched < len(s.containers); s.matched++ {
		c := &s.containers[s.matched]
		width, after := s.indent()
		switch {
		case !c.item:
			if width > 3 || after == s.end || s.text[after] != '>' {
				return
			}
			s.pos, s.col = after+1, s.col+width+1
			s.skip(1)
		case after == s.end:
			if c.empty {
				return
			}
		case s.col+width >= c.content:
			s.skip(c.content - s.col)
			c.empty = false
		default:
			return
		}
	}
}

// closeUnmatched closes the containers that the line does not continue.
func (s *blockScanner) closeUnmatched() {
	if s.matched < len(s.containers) {
		s.containers = s.containers[:s.matched]
		s.leaf = noLeaf
	}
}

// open opens a container in the line.
func (s *blockScanner) open(c container) {
	s.closeUnmatched()
	s.containers = append(s.containers, c)
	s.matched = len(s.containers)
	s.leaf = noLeaf
}

// openQuote opens the quote whose marker is at after.
func (s *blockScanner) openQuote(width, after int) {
	s.open(container{})
	s.pos, s.col = after+1, s.col+width+1
	s.skip(1)
}

// openItem opens a list item if there is a marker at after.
func (s *blockScanner) openItem(width, after int) bool {
	n, first := listMarker(s.text[after:s.end])
	if n == 0 {
		return false
	}
	blank := strings.Trim(s.text[after+n:s.end], " \t") == ""
	if s.inParagraph() && (blank || !first) {
		return false
	}
	s.pos, s.col = after+n, s.col+width+n
	gap, _ := s.indent()
	if blank || gap > 4 {
		gap = 1
	}
	s.open(container{item: true, content: s.col + gap, empty: blank})
	s.skip(gap)
	return true
}

// inParagraph reports whether the line directly follows the text of a paragraph in the same containers.
func (s *blockScanner) inParagraph() bool {
	return s.leaf == paragraph && s.matched == len(s.containers)
}

// startLeaf closes unmatched containers and opens a leaf. It returns true.
func (s *blockScanner) startLeaf(l leaf) bool {
	s.closeUnmatched()
	s.leaf = l
	return true
}

// continueVerbatim handles a line inside fenced code or HTML.
func (s *blockScanner) continueVerbatim() bool {
	switch s.leaf {
	case fencedCode:
		width, after := s.indent()
		if width < 4 && after < s.end && s.text[after] == s.fenceChar {
			n := fence.Run(s.text[after:s.end])
			if n >= s.fenceLen && strings.Trim(s.text[after+n:s.end], " \t") == "" {
				s.leaf = noLeaf
			}
		}
		return true
	case htmlBlock:
		if s.html.ends(s.text[s.pos:s.end]) {
			s.leaf = noLeaf
		} else if _, after := s.indent(); s.html.endsAtBlank() && after < s.end && s.text[after] == '<' {
			s.addHTML(after)
		}
		return true
	}
	return false
}

// leafStart handles a line whose text, at after, begins with a heading, a fence, an
// underline, a thematic break or HTML.
func (s *blockScanner) leafStart(after int) bool {
	rest := s.text[after:s.end]
	switch rest[0] {
	case '#':
		if level, title, ok := atxHeading(rest); ok {
			s.startLeaf(noLeaf)
			s.add(heading{level: level, start: s.lineStart, line: s.number, signature: rest}, title)
			return true
		}
	case '`', '~':
		n := fence.Run(rest)
		if n >= 3 && (rest[0] == '~' || strings.IndexByte(rest[n:], '`') < 0) {
			s.fenceChar, s.fenceLen = rest[0], n
			return s.startLeaf(fencedCode)
		}
	case '=', '-', '*', '_':
		if s.inParagraph() && !s.definitions && isUnderline(rest) {
			s.leaf = noLeaf
			s.addUnderlined(rest[0])
			return true
		}
		if isThematicBreak(rest) {
			return s.startLeaf(noLeaf)
		}
	case '<':
		if s.mdx && !strings.HasPrefix(rest, "<!--") {
			s.addHTML(after)
			return false
		}
		if kind := htmlStart(rest, s.inParagraph()); kind != notHTML {
			if kind.endsAtBlank() {
				s.addHTML(after)
			}
			s.html = kind
			if kind.endsAtBlank() || !kind.ends(rest[2:]) {
				return s.startLeaf(htmlBlock)
			}
			return s.startLeaf(noLeaf)
		}
	}
	return false
}

// restOfLine handles the rest of a line: text, indented code or nothing.
func (s *blockScanner) restOfLine() {
	width, after := s.indent()
	rest := s.text[after:s.end]
	switch {
	case rest == "":
		s.closeUnmatched()
		if s.leaf != indentedCode {
			s.leaf = noLeaf
		}
	case s.leaf == paragraph:
		if s.inParagraph() && isDelimiterRow(rest, s.lastText) {
			s.leaf = table
		}
		if s.definitions && !isDefinition(rest) {
			s.definitions = false
			s.paraStart, s.paraLine = s.lineStart, s.number
		}
		s.lastText = rest
	case width >= 4 && !s.mdx:
		s.startLeaf(indentedCode)
	case s.leaf == table && s.matched == len(s.containers):
	default:
		s.startLeaf(paragraph)
		s.paraStart, s.paraLine, s.lastText = s.lineStart, s.number, rest
		s.definitions = isDefinition(rest)
	}
}

// add adds a heading that ends with the current line, unless it is in a container.
func (s *blockScanner) add(h heading, title string) {
	if len(s.containers) > 0 {
		return
	}
	h.end = s.next
	h.name = s.inline.name(title)
	h.signature = shorten.Line(h.signature)
	s.headings = append(s.headings, h)
}

// addHTML adds the heading whose element is at offset at, if there is one and it is not in a container.
func (s *blockScanner) addHTML(at int) {
	h, ok := htmlHeading(s.text, at, s.number)
	if ok && len(s.containers) == 0 && h.name != "" && !(s.mdx && strings.Contains(h.name, "{")) {
		s.headings = appendHeading(s.headings, h)
	}
}

// addUnderlined makes the open paragraph a heading.
func (s *blockScanner) addUnderlined(underline byte) {
	level := 2
	if underline == '=' {
		level = 1
	}
	title := s.text[s.paraStart:s.lineStart]
	before := s.text[:s.paraStart]
	if (strings.HasSuffix(before, "\n---\n") || strings.HasSuffix(before, "\n---\r\n")) && beginsWithKey(title, "---") ||
		strings.HasPrefix(s.lastText, "{{") && strings.HasSuffix(s.lastText, "}}") {
		return // front matter as an example, perhaps in shortcodes
	}
	s.add(heading{level: level, start: s.paraStart, line: s.paraLine, signature: title}, title)
}

// atxHeading splits a heading of the form "## title ##".
func atxHeading(line string) (level int, title string, ok bool) {
	level = fence.Run(line)
	if level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return 0, "", false
	}
	title = strings.Trim(line[level:], " \t")
	if open := strings.TrimRight(title, "#"); open == "" || open[len(open)-1] == ' ' || open[len(open)-1] == '\t' {
		title = strings.TrimRight(open, " \t")
	}
	return level, title, true
}

// isUnderline reports whether a line underlines a heading.
func isUnderline(line string) bool {
	if line[0] != '=' && line[0] != '-' {
		return false
	}
	return strings.Trim(line[fence.Run(line):], " \t") == ""
}

// isThematicBreak reports whether a line is a rule of three or more of its first
// character.
func isThematicBreak(line string) bool {
	if line[0] == '=' {
		return false
	}
	n := 0
	for i := range len(line) {
		switch line[i] {
		case line[0]:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// listMarker returns the length of the list marker at the start of a line, 0 if there
// is none, and whether it can begin a list in the middle of a paragraph.
func listMarker(line string) (n int, first bool) {
	switch c := line[0]; {
	case c == '-' || c == '+' || c == '*':
		n, first = 1, true
	case c >= '0' && c <= '9':
		for n < len(line) && n < 10 && line[n] >= '0' && line[n] <= '9' {
			n++
		}
		if n == 10 || n == len(line) || line[n] != '.' && line[n] != ')' {
			return 0, false
		}
		first = line[:n] == "1"
		n++
	}
	if n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0, false
	}
	return n, first
}

// isDefinition reports whether a line begins a link or footnote definition.
func isDefinition(line string) bool {
	return line[0] == '[' && strings.Contains(line, "]:")
}

// isDelimiterRow reports whether a line under the given header makes a table.
func isDelimiterRow(line, header string) bool {
	if strings.Trim(line, "|:- \t") != "" || strings.IndexByte(line, '|') < 0 || strings.IndexByte(line, '-') < 0 {
		return false
	}
	return countCells(line) == countCells(header)
}

// countCells counts the cells of a table row.
func countCells(row string) int {
	row = strings.Trim(row, " \t")
	row = strings.TrimPrefix(row, "|")
	n := 1
	for i := range len(row) {
		if row[i] == '|' && i < len(row)-1 && (i == 0 || row[i-1] != '\\') {
			n++
		}
	}
	return n
}
