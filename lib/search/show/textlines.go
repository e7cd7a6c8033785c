package show

import (
	"slices"
	"strings"

	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/corpus"
)

// textLines holds the lines of a chunk's text and their places in the file. Indices of lines count from 0.
type textLines struct {
	chunk *record.Chunk
	// start has the byte offset of each line, and the length of the text.
	start []int
	// number has the line number in the file of each line, 0 for lines that are not in the file.
	number []int
	// Lines from based[0] to before based[1] begin in the file shift bytes after their offset in the text. For other
	// lines, the offset is not known.
	based [2]int
	shift int
	// real is set if any line is in the file.
	real bool
	// values are the lines of the values in a type, which have chunks of their own.
	values []record.LineRange
}

// newTextLines splits the text of the chunk into lines and numbers them.
func newTextLines(c *record.Chunk) *textLines {
	t := &textLines{chunk: c, start: make([]int, 1, strings.Count(c.Text, "\n")+2)}
	for at := 0; at < len(c.Text); {
		end := strings.IndexByte(c.Text[at:], '\n') + 1
		if end == 0 {
			end = len(c.Text) - at
		}
		at += end
		t.start = append(t.start, at)
	}
	t.number = make([]int, t.count())
	switch c.ChunkType {
	case record.Implementations, record.Documentation:
		t.numberVerbatim()
	case record.Definitions, record.Data:
		t.numberPieces()
	}
	t.real = slices.ContainsFunc(t.number, func(n int) bool { return n > 0 })
	return t
}

// numberVerbatim numbers the lines of a text that ends with the bytes [ByteStart, ByteEnd) of the file.
func (t *textLines) numberVerbatim() {
	m := &t.chunk.Metadata
	size := m.ByteEnd - m.ByteStart
	if size <= 0 || size > len(t.chunk.Text) {
		return
	}
	body := t.at(len(t.chunk.Text) - size)
	for n := body; n < t.count(); n++ {
		t.number[n] = max(m.StartLine+n-body, 0)
	}
	t.based, t.shift = [2]int{body, t.count()}, m.ByteEnd-len(t.chunk.Text)
}

// numberPieces numbers lines that follow comments such as "// Lines 10-15". After the last function of a type, whose
// body is left out, the line that closes the type comes without such a comment; the type may begin in another chunk.
func (t *textLines) numberPieces() {
	m := &t.chunk.Metadata
	next, last := 0, 0
	headings, first := 0, 0
	type piece struct{ indent, last int }
	var around []piece // the current piece and those that it is in
	for n := range t.number {
		line := t.line(n)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if a, b, ok := notation.ReadLines(m.Language, line); ok {
			for len(around) > 0 && around[len(around)-1].indent >= indent {
				around = around[:len(around)-1]
			}
			around = append(around, piece{indent, b})
			next, last = a, b
			headings++
			first = n + 1
			continue
		}
		for isClosing(line) && len(around) > 0 && indent < around[len(around)-1].indent {
			around = around[:len(around)-1]
			switch {
			case len(around) > 0:
				last = around[len(around)-1].last
			case n == len(t.number)-1: // it closes the type that the chunk continues
				last = m.EndLine
			default:
				last = 0
			}
			next = last
		}
		t.number[n] = min(next, last)
		if headings == 1 && t.number[first] == m.StartLine {
			// The first piece begins at the first byte of the chunk.
			t.based, t.shift = [2]int{first, n + 1}, m.ByteStart-t.start[first]
		}
		if next > 0 {
			next++
		}
	}
}

// isClosing reports whether a line does nothing but close what other lines open.
func isClosing(line string) bool {
	line = strings.TrimSpace(line)
	return line == "end" || line != "" && strings.Trim(line, "})];,") == ""
}

// base returns the byte offset in the file at which the line begins, -1 if it is not known.
func (t *textLines) base(n int) int {
	if n < t.based[0] || n >= t.based[1] || !corpus.IsVerbatim(t.chunk.ChunkType) && t.repeated(n) {
		return -1
	}
	return t.start[n] + t.shift
}

// repeated reports whether the line is not in the file or is in another chunk as well.
func (t *textLines) repeated(n int) bool {
	return slices.ContainsFunc(t.chunk.Metadata.Repeats, func(r record.LineRange) bool { return r[0] <= n+1 && n+1 <= r[1] })
}

// hasOwn reports whether any line with text is in the file and not aside.
func (t *textLines) hasOwn() bool {
	for n, number := range t.number {
		if number > 0 && !t.isAside(n) && strings.TrimSpace(t.line(n)) != "" {
			return true
		}
	}
	return false
}

// isAside reports whether the line is left out where the chunk is shown: it is repeated and no value of the type that the
// chunk declares.
func (t *textLines) isAside(n int) bool {
	return !corpus.IsVerbatim(t.chunk.ChunkType) && t.repeated(n) &&
		!slices.ContainsFunc(t.values, func(r record.LineRange) bool { return r[0] <= t.number[n] && t.number[n] <= r[1] })
}

// valuesIn returns the lines of the chunks of values among the lines of a chunk that declares types.
func valuesIn(x *corpus.Corpus, chunk int) (list []record.LineRange) {
	gen := x.Generation
	if gen.ChunkType(chunk) != record.Definitions {
		return nil
	}
	first, last := gen.Lines(chunk)
	for i := range gen.Chunks(gen.File(chunk)) {
		if a, b := gen.Lines(i); gen.ChunkType(i) == record.Data && first <= b && a <= last {
			list = append(list, record.LineRange{a, b})
		}
	}
	return list
}

// matches returns the occurrences of the needles in lines of the file, without those in repeated lines if there are
// others. If no needle occurs, it looks for their single words. It returns the needles to which the occurrences refer.
func (t *textLines) matches(needles []Needle) ([]occurrence, []Needle) {
	found := t.inFile(places(t.chunk, needles))
	if len(found) == 0 && slices.ContainsFunc(needles, func(n Needle) bool { return len(n.words) > 1 }) {
		// A name may be one word in a line that the chunker added, and several words in the source.
		needles = singleWords(needles)
		found = t.inFile(places(t.chunk, needles))
	}
	own := func(p occurrence) bool { return !t.repeated(t.at(p.start)) }
	if slices.ContainsFunc(found, own) {
		found = slices.DeleteFunc(found, func(p occurrence) bool { return !own(p) })
	}
	return found, needles
}

// pointedWorth is the weight of a line to which the question points; that of a word of the question is about 1.
const pointedWorth = 10

// withLines adds one more needle, whose occurrences are the given lines of the file.
func (t *textLines) withLines(found []occurrence, needles []Needle, lines []int) ([]occurrence, []Needle) {
	all := slices.Clip(found)
	for n, number := range t.number {
		if number > 0 && slices.Contains(lines, number) {
			all = append(all, occurrence{t.start[n], t.start[n] + len(strings.TrimRight(t.line(n), "\r\n")), len(needles)})
		}
	}
	slices.SortStableFunc(all, func(a, b occurrence) int { return a.start - b.start })
	return all, append(slices.Clip(needles), Needle{weight: pointedWorth})
}

// enclosing returns the name of the last symbol that begins at or before the line of the file, or else the symbol of
// the chunk.
func (t *textLines) enclosing(line int) string {
	m := &t.chunk.Metadata
	name := ""
	for _, s := range m.Symbols {
		if s.Line <= line && s.Type != record.Heading {
			name = s.Name
		}
	}
	if name == "" {
		return m.SymbolName
	}
	return name
}

// numbersOf returns the line numbers in the file at which the occurrences begin.
func (t *textLines) numbersOf(list []occurrence) map[int]bool {
	numbers := make(map[int]bool, len(list))
	for _, o := range list {
		numbers[t.number[t.at(o.start)]] = true
	}
	return numbers
}

func (t *textLines) count() int { return len(t.start) - 1 }

// at returns the line that contains the byte offset.
func (t *textLines) at(offset int) int {
	i, found := slices.BinarySearch(t.start, offset)
	if !found {
		i--
	}
	return max(0, min(i, t.count()-1))
}

// between returns the lines [from, to).
func (t *textLines) between(from, to int) string { return t.chunk.Text[t.start[from]:t.start[to]] }

func (t *textLines) line(n int) string {
	from, to := t.start[n], t.start[n+1]
	for to > from && (t.chunk.Text[to-1] == '\n' || t.chunk.Text[to-1] == '\r') {
		to--
	}
	return t.chunk.Text[from:to]
}

// inFile keeps the occurrences that begin in a line of the file, or all if no line is in the file.
func (t *textLines) inFile(found []occurrence) []occurrence {
	if !t.real {
		return found
	}
	return slices.DeleteFunc(found, func(p occurrence) bool { return t.number[t.at(p.start)] == 0 })
}

// follows reports whether the line comes right after the one before it in the file, too.
func (t *textLines) follows(n int) bool {
	return !t.real || t.number[n] == t.number[n-1]+1
}

// declaration returns the line that declares the symbol, -1 if there is none. It adds the name to the occurrences if
// none of them is in the line.
func (t *textLines) declaration(s *record.SymbolRef, found []occurrence) (int, []occurrence) {
	name := corpus.LastComponent(s.Name)
	n := -1
	for i, number := range t.number {
		if number == s.Line && (n < 0 || strings.Contains(t.line(i), name) && !strings.Contains(t.line(n), name)) {
			n = i
		}
	}
	if n < 0 {
		return n, found
	}
	from, to := t.start[n], t.start[n+1]
	if slices.ContainsFunc(found, func(p occurrence) bool { return p.start < to && p.end > from }) {
		return n, found
	}
	p := occurrence{from, from, noNeedle}
	if at := strings.Index(t.line(n), name); at >= 0 {
		p.start, p.end = from+at, from+at+len(name)
	}
	i, _ := slices.BinarySearchFunc(found, p, func(a, b occurrence) int { return a.start - b.start })
	return n, slices.Insert(found, i, p)
}
