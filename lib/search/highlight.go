package search

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Sizes of highlights.
const (
	maxHighlights = 3
	// maxLines is the number of lines of one highlight.
	maxLines = 3
	// maxWidth is the number of characters that is shown of a line.
	maxWidth = 150
)

// The marks around what matches.
const (
	markStart, markEnd = "<mark>", "</mark>"
	ellipsis           = "…"
)

// A needle is what a highlight marks: successive words, each of which satisfies its
// test; nil stands for any words in between.
type needle struct {
	words  []func(term string) bool
	weight float32
}

// exactNeedles are the terms of a query that are looked for in the text.
func exactNeedles(n query.Node) []needle {
	var needles []needle
	query.Walk(n, func(t *query.Term) {
		if t.Field != query.Text || isAnything(t) {
			return
		}
		var words []func(string) bool
		switch {
		case len(t.Wild) > 0:
			for _, p := range token.Patterns(t.Text, t.Wild) {
				if p.Anything() {
					words = append(words, nil)
				} else {
					words = append(words, p.Match)
				}
			}
		default:
			for _, w := range token.Words(t.Text) {
				words = append(words, func(term string) bool {
					return term == w.Term || t.Fuzzy > 0 && token.Distance(w.Term, term, t.Fuzzy) <= t.Fuzzy
				})
			}
		}
		for len(words) > 0 && words[0] == nil {
			words = words[1:]
		}
		for len(words) > 0 && words[len(words)-1] == nil {
			words = words[:len(words)-1]
		}
		if len(words) > 0 {
			needles = append(needles, needle{words, 1})
		}
	})
	return needles
}

// questionNeedles are the words of a question in all their forms.
func questionNeedles(terms []term) []needle {
	var needles []needle
	for _, t := range terms {
		is := func(found string) bool {
			return slices.ContainsFunc(t.forms, func(f form) bool { return f.text == found })
		}
		needles = append(needles, needle{[]func(string) bool{is}, t.weight})
	}
	return needles
}

// plainNeedles are the words of a question that say something, for which no dictionary is there.
func plainNeedles(question string) []needle {
	var needles []needle
	prose := isProse(question)
	for _, w := range token.Words(question) {
		if prose && isFunctionWord(w.Term) {
			continue
		}
		root := stem(w.Term)
		is := func(found string) bool { return found == w.Term || isLetters(found) && stem(found) == root }
		needles = append(needles, needle{[]func(string) bool{is}, 1})
	}
	return needles
}

// A place is a match in a text, in bytes.
type place struct {
	start, end int
	needle     int
}

// places finds the needles in the text, in order, none overlapping another: the
// one that begins first stays, the longer one of two.
func places(text string, needles []needle) []place {
	if len(needles) == 0 {
		return nil
	}
	var list []place
	// open holds for each needle the matches that have begun and where they go on.
	type begun struct{ start, next, at, from int }
	open := make([][]begun, len(needles))
	token.Scan(text, func(t token.Token) {
		for i := range needles {
			words := needles[i].words
			if words[0](t.Term) {
				if len(words) == 1 {
					list = append(list, place{t.Start, t.End, i})
				} else {
					open[i] = append(open[i], begun{t.Start, 1, t.To, t.From})
				}
			}
			if len(words) == 1 {
				continue
			}
			grown := open[i]
			for _, b := range open[i] {
				next, fits := b.next, t.From == b.at
				if words[next] == nil {
					next, fits = next+1, t.From > b.at && t.From <= b.at+maxGap
				}
				if !fits || b.from >= t.From || !words[next](t.Term) {
					continue
				}
				if next == len(words)-1 {
					list = append(list, place{b.start, t.End, i})
				} else if len(grown) < 64 {
					grown = append(grown, begun{b.start, next + 1, t.To, t.From})
				}
			}
			// What the text has gone past cannot go on.
			open[i] = slices.DeleteFunc(grown, func(b begun) bool { return t.From > b.at+maxGap })
		}
	})
	slices.SortFunc(list, func(a, b place) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	kept := list[:0]
	for _, p := range list {
		if len(kept) == 0 || p.start >= kept[len(kept)-1].end {
			kept = append(kept, p)
		}
	}
	return kept
}

// highlights chooses at most three pieces of the chunk that show the most needles.
func highlights(c *record.Chunk, needles []needle) []Highlight {
	found := places(c.Text, needles)
	lines := newTextLines(c)
	if len(found) == 0 {
		return lines.opening()
	}
	// byLine has the matches of each line that has any.
	byLine := map[int][]place{}
	var numbers []int
	for _, p := range found {
		first := lines.at(p.start)
		for n := first; n <= min(lines.at(p.end-1), first+maxLines); n++ {
			if _, ok := byLine[n]; !ok {
				numbers = append(numbers, n)
			}
			byLine[n] = append(byLine[n], p)
		}
	}
	var out []Highlight
	shown := map[int]bool{}
	var chosen []int
	for range maxHighlights {
		best, most := -1, float32(0)
		for _, n := range numbers {
			if value := lineValue(byLine[n], needles, shown); !slices.Contains(chosen, n) && value > most {
				// What the chunker wrote above the text is in no file.
				if n < lines.body {
					value /= 4
				}
				if value > most {
					best, most = n, value
				}
			}
		}
		if best < 0 {
			break
		}
		from, to := best, best+1
		for ; to < best+maxLines && byLine[to] != nil && !slices.Contains(chosen, to); to++ {
		}
		for n := from; n < to; n++ {
			chosen = append(chosen, n)
			for _, p := range byLine[n] {
				shown[p.needle] = true
			}
		}
		out = append(out, lines.highlight(from, to, found))
	}
	slices.SortStableFunc(out, func(a, b Highlight) int { return a.Line - b.Line })
	return out
}

// lineValue counts the needles of a line, those that were shown before for little.
func lineValue(list []place, needles []needle, shown map[int]bool) float32 {
	var value float32
	for i, p := range list {
		repeated := slices.ContainsFunc(list[:i], func(q place) bool { return q.needle == p.needle })
		switch {
		case repeated:
		case shown[p.needle]:
			value += needles[p.needle].weight / 10
		default:
			value += needles[p.needle].weight
		}
	}
	return value
}

// textLines knows the lines of a chunk's text and where they are in the file. Lines count from 0.
type textLines struct {
	chunk *record.Chunk
	start []int // where each line begins, and the end of the text
	// body is the first line that stands in the file; all of an outline is made up.
	body int
}

func newTextLines(c *record.Chunk) *textLines {
	t := &textLines{chunk: c, start: []int{0}}
	for i := range len(c.Text) {
		if c.Text[i] == '\n' {
			t.start = append(t.start, i+1)
		}
	}
	if t.start[len(t.start)-1] < len(c.Text) {
		t.start = append(t.start, len(c.Text))
	}
	if t.verbatim() {
		t.body = t.at(len(c.Text) - (c.Metadata.ByteEnd - c.Metadata.ByteStart))
	}
	return t
}

// verbatim reports whether the text ends with the bytes of the file that the metadata names.
func (t *textLines) verbatim() bool {
	m := &t.chunk.Metadata
	size := m.ByteEnd - m.ByteStart
	switch t.chunk.ChunkType {
	case record.Implementations, record.Documentation:
		return size > 0 && size <= len(t.chunk.Text)
	}
	return false
}

func (t *textLines) count() int { return len(t.start) - 1 }

// at is the line of the byte.
func (t *textLines) at(offset int) int {
	i, found := slices.BinarySearch(t.start, offset)
	if !found {
		i--
	}
	return max(0, min(i, t.count()-1))
}

func (t *textLines) line(n int) string {
	return strings.TrimRight(t.chunk.Text[t.start[n]:t.start[n+1]], "\r\n")
}

// number is the line of the file that line n is, or belongs to; 0 if there is none.
func (t *textLines) number(n int) int {
	switch {
	case t.verbatim():
		if n < t.body {
			return 0
		}
		return t.chunk.Metadata.StartLine + n - t.body
	case t.chunk.ChunkType == record.Symbols:
		return 0
	}
	// Declarations stand under comments that name their lines.
	for i := n; i >= 0 && i > n-100; i-- {
		if first, ok := linesComment(t.line(i)); ok {
			return first
		}
	}
	return 0
}

// linesComment reads the first number of a comment such as "// Lines 10-15".
func linesComment(line string) (int, bool) {
	_, rest, ok := strings.Cut(line, "Lines ")
	if !ok || len(line)-len(rest) > len("<!-- Lines ") {
		return 0, false
	}
	digits, _, ok := strings.Cut(rest, "-")
	if !ok {
		return 0, false
	}
	first, err := strconv.Atoi(digits)
	return first, err == nil
}

// highlight shows the lines [from, to) with their matches marked.
func (t *textLines) highlight(from, to int, found []place) Highlight {
	c := t.chunk.Text
	var b strings.Builder
	for n := from; n < to; n++ {
		if n > from {
			b.WriteByte('\n')
		}
		var inside []place
		for _, p := range found {
			// A match may go on over the end of its line.
			start, end := max(p.start, t.start[n]), min(p.end, t.start[n]+len(t.line(n)))
			for start < end && start > p.start && (c[start] == ' ' || c[start] == '\t') {
				start++ // the indentation of the next line
			}
			if start < end {
				inside = append(inside, place{start - t.start[n], end - t.start[n], p.needle})
			}
		}
		writeLine(&b, t.line(n), inside)
	}
	return Highlight{Line: t.number(from), Text: b.String()}
}

// writeLine writes the line, or the part of it around the first match if it is long.
func writeLine(b *strings.Builder, line string, marks []place) {
	from, to := window(line, marks)
	if from > 0 {
		b.WriteString(ellipsis)
	}
	at := from
	for _, m := range marks {
		if m.start < at || m.end > to {
			continue
		}
		b.WriteString(line[at:m.start])
		b.WriteString(markStart)
		b.WriteString(line[m.start:m.end])
		b.WriteString(markEnd)
		at = m.end
	}
	b.WriteString(line[at:to])
	if to < len(line) {
		b.WriteString(ellipsis)
	}
}

// window chooses the bytes of the line that are shown, at the edges of characters.
func window(line string, marks []place) (from, to int) {
	if utf8.RuneCountInString(line) <= maxWidth {
		return 0, len(line)
	}
	first, last := 0, 0
	if len(marks) > 0 {
		first, last = marks[0].start, marks[0].end
	}
	// A third of the room stands before the match, the rest behind.
	from = first
	for n := 0; n < maxWidth/3 && from > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(line[:from])
		from -= size
	}
	to = from
	for n := 0; to < len(line) && (n < maxWidth || to < last); n++ {
		_, size := utf8.DecodeRuneInString(line[to:])
		to += size
	}
	return from, to
}

// opening is the first lines that say something, for a chunk without a match.
func (t *textLines) opening() []Highlight {
	for n := t.body; n < t.count(); n++ {
		if !says(t.line(n)) {
			continue
		}
		to := n + 1
		for to < t.count() && to < n+2 && says(t.line(to)) {
			to++
		}
		return []Highlight{t.highlight(n, to, nil)}
	}
	return []Highlight{}
}

// says reports whether a line has at least a few letters.
func says(line string) bool {
	letters := 0
	for _, r := range line {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 3
}
