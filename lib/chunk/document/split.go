package document

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/chunk/lines"
	"cortex/lib/language/fence"
)

// A part is a range of a text that is too long for one chunk.
type part struct {
	span lines.Span
	// large says that the part is a piece of a single block that is too large for one part. torn says that the part
	// begins or ends inside a block.
	large, torn bool
	// opening is the beginning of the block that the part continues: the line of a fence, or the head of a table.
	opening string
}

// An atom is a piece of text that is not cut further: a block that fits into a chunk, or a line or part of a line of a
// larger block.
type atom struct {
	span lines.Span
	// from and to are the numbers of characters before its beginning and before its end.
	from, to int
	block    int
	cost     cost // of a cut before the atom
	// opening is the beginning of the block, to be repeated if the atom begins another part than the block.
	opening string
}

// A cost says how much related text a cut separates.
type cost uint8

const (
	betweenBlocks cost = iota
	betweenItems
	afterHead      // below a text that ends with a colon, or above its body, which is indented
	betweenStanzas // at a blank line in code; in text at the end of a line that ends a sentence
	betweenLines
	betweenSentences
	betweenWords
)

// A blockReader divides text into blocks, such as the paragraphs, list items, tables and fenced code of Markdown, and
// packs the blocks into parts of at most limit characters.
type blockReader struct {
	src    *lines.File
	limit  int
	markup string // the language

	atoms []atom
	block int
	// indent is the indentation of the last block. afterTerm says that the last block is a term that the next describes.
	indent    int
	afterTerm bool
}

// split cuts the lines of a group. Lines before head do not count towards the size of the first part.
func (r *blockReader) split(g group, head int) []part {
	first, last := r.src.Trim(g.first, g.last)
	if first == last {
		return nil
	}
	start := max(first, head)
	if r.src.Size(start, last) <= r.limit {
		return []part{{span: r.src.Span(first, last)}}
	}
	r.atoms, r.block, r.indent, r.afterTerm = r.atoms[:0], 0, 0, false
	r.read(start, last, g.joined)
	parts := r.pack()
	parts[0].span.First, parts[0].span.From = first, r.src.Start[first]
	return parts
}

// read fills in the atoms of a range of lines.
func (r *blockReader) read(first, last int, joined []*section) {
	for len(joined) > 0 && joined[0].first < first {
		joined = joined[1:]
	}
	for i := first; i < last; {
		switch {
		case len(joined) > 0 && joined[0].first == i:
			r.add(i, joined[0].last, betweenBlocks, verbatim)
			i = joined[0].last
			joined = joined[1:]
		case r.src.Blank(i):
			i++
		default:
			stop := last
			if len(joined) > 0 {
				stop = joined[0].first
			}
			i = r.readBlock(i, stop)
		}
	}
}

// A texture says where a block that is too large may be cut.
type texture bool

const (
	verbatim texture = true  // at blank lines
	prose    texture = false // at sentences
)

// readBlock adds the block that begins at line first, and returns the line after it.
func (r *blockReader) readBlock(first, last int) int {
	line := r.src.Line(first)
	before, above := betweenBlocks, ""
	if first > 0 {
		if above = r.src.Line(first - 1); !r.src.Blank(first - 1) {
			before = betweenItems
		}
	}
	if f, ok := fence.Open(line, above, r.markup); ok {
		i := first + 1
		for i < last && !f.Closes(r.src.Line(i)) {
			i++
		}
		i = min(i+1, last)
		r.addOpened(first, first+1, i, before)
		return i
	}
	if first+1 < last && isTableStart(line, r.src.Line(first+1)) {
		i := first + 2
		for i < last && strings.IndexByte(r.src.Line(i), '|') >= 0 {
			i++
		}
		r.addOpened(first, first+2, i, before)
		return i
	}
	if r.markup == "rst" && codeDirective.MatchString(line) {
		i := first + 1
		for i < last && (r.src.Blank(i) || fence.Indentation(r.src.Line(i)) > fence.Indentation(line)) {
			i++
		}
		r.addOpened(first, first+1, i, before)
		return i
	}
	if head, end := r.table(first, last); end > first {
		r.addOpened(first, head, end, before)
		return end
	}
	i := first + 1
	for ; i < last && !r.src.Blank(i); i++ {
		line = r.src.Line(i)
		if r.isListItem(line) || r.opensTable(line) || i+1 < last && isTableStart(line, r.src.Line(i+1)) {
			break
		}
		if _, ok := fence.Open(line, r.src.Line(i-1), r.markup); ok {
			break
		}
	}
	r.add(first, i, before, prose)
	return i
}

// codeDirective matches the line of reStructuredText that begins a block of code.
var codeDirective = regexp.MustCompile(`^\s*\.\. (?:code-block|code|sourcecode|parsed-literal)::`)

// opensTable reports whether a line begins a table of AsciiDoc or reStructuredText.
func (r *blockReader) opensTable(line string) bool {
	line = strings.TrimSpace(line)
	switch r.markup {
	case "asciidoc":
		return line == "|==="
	case "rst":
		return strings.HasPrefix(line, "+-") && strings.Trim(line, "+-") == "" || isSimpleBorder(line) || strings.HasPrefix(line, ".. list-table::")
	}
	return false
}

// isSimpleBorder reports whether a line borders a simple table of reStructuredText, as in "=== ===".
func isSimpleBorder(line string) bool {
	return strings.HasPrefix(line, "==") && strings.Contains(line, " ") && strings.Trim(line, "= ") == ""
}

// table returns the end of the head and of the table that begins at line first; 0 if none begins there. The head is the
// first row if the table marks it as such, as with a blank line or "+===+" below it.
func (r *blockReader) table(first, last int) (head, end int) {
	opening := r.src.Line(first)
	if !r.opensTable(opening) {
		return 0, 0
	}
	opening = strings.TrimSpace(opening)
	indent := fence.Indentation(r.src.Line(first))
	head, end = first+1, first+1
	borders, rows, marked := 1, 0, false
	for ; end < last; end++ {
		line := strings.TrimSpace(r.src.Line(end))
		switch {
		case opening == "|===":
			if line == "|===" {
				return head, end + 1
			}
			if line == "" && end == first+2 {
				head = end
			}
		case opening[0] == '+':
			if line == "" {
				return head, end
			}
			if strings.HasPrefix(line, "+=") {
				head = end + 1
			}
		case opening[0] == '=':
			if line == "" && borders > 2 {
				return head, end
			}
			if isSimpleBorder(line) {
				if borders++; borders == 2 && (end+1 == last || r.src.Blank(end+1)) {
					return head, end + 1
				} else if borders == 2 {
					head = end + 1
				}
			}
		default:
			if line != "" && fence.Indentation(r.src.Line(end)) <= indent {
				return head, end
			}
			marked = marked || strings.HasPrefix(line, ":header-rows:")
			if strings.HasPrefix(line, "* -") {
				if rows++; rows == 2 && marked {
					head = end
				}
			}
		}
	}
	return head, end
}

// addOpened adds a block whose lines before head are needed to read the others, so every part repeats them. The head of
// a table in Markdown or Org is repeated without padding.
func (r *blockReader) addOpened(first, head, last int, before cost) {
	n := len(r.atoms)
	r.add(first, last, before, verbatim)
	opening := r.src.Slice(r.src.Span(first, head)) + "\n"
	if strings.HasPrefix(opening, "|") {
		opening = padding.ReplaceAllString(opening, "$1$2")
	}
	if utf8.RuneCountInString(opening) > r.limit/4 {
		return
	}
	for i := n; i < len(r.atoms); i++ {
		if r.atoms[i].span.First >= head {
			r.atoms[i].opening = opening
		}
	}
}

// padding matches what aligns the columns of a table.
var padding = regexp.MustCompile(`( ) +|(---)-+`)

// add adds a block, as one atom if it fits into a part.
func (r *blockReader) add(first, last int, before cost, t texture) {
	first, last = r.src.Trim(first, last)
	// A block indented further than the one above is its body, as below the line of a directive, an option or a list item.
	above := r.indent
	r.indent = fence.Indentation(r.src.Line(first))
	isTerm := last == first+1 && r.isTerm(first)
	if n := len(r.atoms); n > 0 && before == betweenBlocks &&
		(r.indent > above || r.endsWithColon(r.atoms[n-1].span) || r.afterTerm && !isTerm) {
		before = afterHead
	}
	r.afterTerm = isTerm
	r.block++
	if r.src.Size(first, last) <= r.limit {
		r.addLines(first, last, before)
		return
	}
	for i := first; i < last; i++ {
		if r.src.Blank(i) {
			continue
		}
		if i > first {
			before = betweenLines
			if t == verbatim && r.src.Blank(i-1) || t == prose && endsSentence(strings.TrimRight(r.src.Line(i-1), " \t\r\n")) {
				before = betweenStanzas
			}
		}
		if r.src.Size(i, i+1) <= r.limit {
			r.addLines(i, i+1, before)
		} else {
			r.addPieces(i, before)
		}
	}
}

// isTerm reports whether a paragraph of one line is a term, which begins with code or bold and is no sentence, as in
// "**--out** _path_".
func (r *blockReader) isTerm(line int) bool {
	text := strings.TrimSpace(r.src.Line(line))
	return (strings.HasPrefix(text, "`") || strings.HasPrefix(text, "**")) && len(text) < maxTerm && hasWords(text) &&
		!strings.ContainsAny(text[len(strings.TrimRight(text, ".!?;*_`")):], ".!?;")
}

// maxTerm bounds the size in bytes of a term.
const maxTerm = 120

// addLines adds an atom of whole lines.
func (r *blockReader) addLines(first, last int, before cost) {
	span := r.src.Span(first, last)
	r.atoms = append(r.atoms, atom{
		span: span, from: r.src.Size(0, first), to: r.src.Size(0, last) - (r.src.Start[last] - span.To),
		block: r.block, cost: before,
	})
}

// addPieces adds the sentences of a line that is too long, and cuts those that are too long between words.
func (r *blockReader) addPieces(line int, before cost) {
	whole := r.src.Span(line, line+1)
	characters := r.src.Size(0, line)
	for at := whole.From; at < whole.To; {
		sentence := r.src.Text[at : at+sentenceLength(r.src.Text[at:whole.To])]
		for _, cut := range lines.Cut(sentence, r.limit, lines.Runes) {
			n := utf8.RuneCountInString(sentence[cut[0]:cut[1]])
			r.atoms = append(r.atoms, atom{
				span: lines.Span{First: line, Last: line + 1, From: at + cut[0], To: at + cut[1]}, from: characters, to: characters + n,
				block: r.block, cost: before,
			})
			characters += n
			before = betweenWords
		}
		before = betweenSentences
		at += len(sentence)
	}
}

// pack distributes the atoms over parts.
func (r *blockReader) pack() []part {
	var parts []part
	for i := 0; i < len(r.atoms); {
		end := r.end(i)
		first, last := &r.atoms[i], &r.atoms[end-1]
		p := part{span: lines.Span{First: first.span.First, Last: last.span.Last, From: first.span.From, To: last.span.To}}
		opens := i > 0 && r.atoms[i-1].block == first.block
		closes := end < len(r.atoms) && r.atoms[end].block == last.block
		p.torn = opens || closes
		p.large = p.torn && first.block == last.block
		if opens {
			p.opening = first.opening
		}
		if n := len(parts); n > 0 && end == len(r.atoms) && last.to-first.from <= r.limit/2 && r.onlyDefinesLinks(p.span) {
			parts[n-1].span.Last, parts[n-1].span.To = p.span.Last, p.span.To
			break
		}
		parts = append(parts, p)
		i = end
	}
	return parts
}

// onlyDefinesLinks reports whether a text only says where the links of Markdown lead to, perhaps on lines of their own.
// Such a text answers nothing by itself.
func (r *blockReader) onlyDefinesLinks(s lines.Span) bool {
	inDefinition := false
	for i := s.First; i < s.Last; i++ {
		line := strings.TrimSpace(r.src.Line(i))
		isLabel := strings.HasPrefix(line, "[") && strings.Contains(line, "]:")
		if !isLabel && !inDefinition && hasWords(line) {
			return false
		}
		inDefinition = isLabel && strings.HasSuffix(line, "]:")
	}
	return true
}

// end returns the end of the part that begins with atom i. Of the cuts that leave the part at least half full, it
// chooses the last one of the lowest cost.
func (r *blockReader) end(i int) int {
	begin, total := r.atoms[i].from, r.atoms[len(r.atoms)-1].to
	full := i + 1
	for full < len(r.atoms) && r.atoms[full].to-begin <= r.limit {
		full++
	}
	if full == len(r.atoms) {
		return full
	}
	best, least := full, betweenWords+1
	for k := full; k > i && (k == full || r.atoms[k-1].to-begin >= r.limit/2); k-- {
		c := r.atoms[k].cost
		if total-r.atoms[k].from < r.limit/4 {
			// The rest would be too small to stand alone.
			c += 2
		}
		if c < least {
			best, least = k, c
		}
	}
	return best
}

// isListItem reports whether a line begins a list item, a paragraph of a manual page or an element of a page.
func (r *blockReader) isListItem(line string) bool {
	if r.markup == "html" {
		return elementStart.MatchString(line)
	}
	if r.markup == "roff" {
		macro, _, _ := strings.Cut(strings.TrimRight(line, " \t\r\n"), " ")
		switch macro {
		case ".TP", ".IP", ".HP", ".PP", ".LP", ".P", ".It", ".Pp":
			return true
		}
		return false
	}
	line = strings.TrimLeft(line, "> \t")
	return line != "" && fence.MarkerLength(line) > 0
}

// elementStart matches a line of HTML that begins an element with a text of its own.
var elementStart = regexp.MustCompile(`(?i)^\s*<(?:p|li|dt|div|section|article|table|tr|ul|ol|dl|blockquote|h[1-6])\b`)

// isTableStart reports whether the two lines begin a table of Markdown or Org, which has "+" where the columns meet.
func isTableStart(header, delimiter string) bool {
	return strings.IndexByte(header, '|') >= 0 && strings.IndexByte(delimiter, '|') >= 0 &&
		strings.IndexByte(delimiter, '-') >= 0 && strings.Trim(delimiter, "|:-+> \t\r\n") == ""
}

// endsWithColon reports whether a block ends with a colon, and so introduces the next.
func (r *blockReader) endsWithColon(p lines.Span) bool {
	return strings.HasSuffix(strings.TrimRight(r.src.Slice(p), " \t\r\n"), ":")
}

// endsSentence reports whether a text without trailing space ends with the mark of a sentence's end.
func endsSentence(text string) bool {
	text = strings.TrimRight(text, "\"')]*_`")
	if text == "" {
		return false
	}
	switch r, _ := utf8.DecodeLastRuneInString(text); r {
	case '.', '!', '?', ':', ';', '。', '！', '？', '…':
		return true
	}
	return false
}

// sentenceLength returns the length of the first sentence of a line, with the space after it.
func sentenceLength(line string) int {
	before := rune(0)
	for i, r := range line {
		switch before {
		case '。', '！', '？':
			return i
		}
		if unicode.IsSpace(r) && !unicode.IsSpace(before) && endsSentence(line[max(0, i-8):i]) {
			rest := strings.TrimLeft(line[i:], " \t")
			// Abbreviations such as "e.g. this" do not end a sentence.
			if next, _ := utf8.DecodeRuneInString(rest); !unicode.IsLower(next) {
				return len(line) - len(rest)
			}
		}
		before = r
	}
	return len(line)
}

// A group is a range of lines of a section that get no chunk of a section below it. joined are the sections in the
// range that have joined.
type group struct {
	first, last int
	joined      []*section
}
