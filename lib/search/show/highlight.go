package show

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/shorten"
)

// Sizes of highlights.
const (
	maxHighlights = 3
	// maxLines is the greatest number of lines of one highlight.
	maxLines = 3
	// maxRanges is the greatest number of match ranges that one highlight lists.
	maxRanges = 50
)

// The marks around matches.
const (
	markStart, markEnd = "<mark>", "</mark>"
)

// highlightsOf chooses at most maxHighlights pieces of the chunk that show the most needles, among them the line that
// declares the symbol, if there is one. It shows lines that the chunker made up only for chunks that have no others.
func highlightsOf(lines *textLines, found []occurrence, needles []Needle, symbol *record.SymbolRef) []answer.Highlight {
	first := -1
	if symbol != nil {
		first, found = lines.declaration(symbol, found)
	}
	if len(found) == 0 {
		return lines.opening()
	}
	// byLine has the matches of each line that has any.
	byLine := map[int][]occurrence{}
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
	var out []answer.Highlight
	shown := map[int]bool{}
	var chosen []int
	for i := range maxHighlights {
		best, most := -1, float32(0)
		for _, n := range numbers {
			if value := lineValue(byLine[n], needles, shown); !slices.Contains(chosen, n) && value > most {
				best, most = n, value
			}
		}
		if i == 0 && first >= 0 {
			best = first
		}
		if best < 0 {
			break
		}
		from, to := best, best+1
		for ; to < best+maxLines && byLine[to] != nil && !slices.Contains(chosen, to) && lines.follows(to); to++ {
		}
		for n := from; n < to; n++ {
			chosen = append(chosen, n)
			for _, p := range byLine[n] {
				shown[p.needle] = true
			}
		}
		out = append(out, lines.highlight(from, to, found))
	}
	slices.SortStableFunc(out, func(a, b answer.Highlight) int { return a.Line - b.Line })
	return out
}

// AllHighlights returns all lines that match; adjacent lines become one highlight.
func AllHighlights(c *record.Chunk, needles []Needle, symbol *record.SymbolRef) []answer.Highlight {
	lines := newTextLines(c)
	found, _ := lines.matches(needles)
	if symbol != nil {
		_, found = lines.declaration(symbol, found)
	}
	if len(found) == 0 {
		return lines.opening()
	}
	out := []answer.Highlight{}
	for len(found) > 0 {
		from := lines.at(found[0].start)
		to, n := from+1, 0
		for ; n < len(found) && (lines.at(found[n].start) < to || lines.at(found[n].start) == to && lines.follows(to)); n++ {
			to = max(to, lines.at(max(found[n].end-1, found[n].start))+1)
		}
		out = append(out, lines.highlight(from, to, found[:n]))
		found = found[n:]
	}
	return out
}

// repeatedShare is the part of its weight that a needle counts in a line if a line before has it.
const repeatedShare = 0.4

// lineValue returns the sum of the weights of the needles in a line. A needle in shown counts less.
func lineValue(list []occurrence, needles []Needle, shown map[int]bool) float32 {
	var value float32
	for p := range firstOfEach(list) {
		switch {
		case p.needle == noNeedle:
		case shown[p.needle]:
			value += repeatedShare * needles[p.needle].weight
		default:
			value += needles[p.needle].weight
		}
	}
	return value
}

// firstOfEach iterates over the first occurrence of each needle.
func firstOfEach(list []occurrence) iter.Seq[occurrence] {
	return func(yield func(occurrence) bool) {
		for i, o := range list {
			repeated := slices.ContainsFunc(list[:i], func(before occurrence) bool { return before.needle == o.needle })
			if !repeated && !yield(o) {
				return
			}
		}
	}
}

// highlight returns the lines [from, to) with their matches marked.
func (t *textLines) highlight(from, to int, found []occurrence) answer.Highlight {
	c := t.chunk.Text
	var b strings.Builder
	h := answer.Highlight{Line: t.number[from], Symbol: t.enclosing(t.number[from])}
	for n := from; n < to; n++ {
		if n > from {
			b.WriteByte('\n')
		}
		var inside []occurrence
		for _, p := range found {
			// A match may continue in the next line.
			start, end := max(p.start, t.start[n]), min(p.end, t.start[n]+len(t.line(n)))
			for start < end && start > p.start && (c[start] == ' ' || c[start] == '\t') {
				start++ // the indentation of the next line
			}
			if start < end {
				inside = append(inside, occurrence{start - t.start[n], end - t.start[n], p.needle})
			}
		}
		for _, p := range inside {
			r := answer.MatchRange{Line: t.number[n], Column: p.start + 1, Length: p.end - p.start}
			if base := t.base(n); base >= 0 {
				r.Bytes = &[2]int{base + p.start, base + p.end}
			}
			if r.Line > 0 && p.needle != noNeedle && len(h.Matches) < maxRanges {
				h.Matches = append(h.Matches, r)
			}
		}
		writeLine(&b, t.line(n), inside)
	}
	h.Text = b.String()
	return h
}

// writeLine writes the line with marks around the matches. Of a long line it writes the part around the first match.
func writeLine(b *strings.Builder, line string, marks []occurrence) {
	from, to := window(line, marks)
	if from > 0 {
		b.WriteString(shorten.Ellipsis)
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
		b.WriteString(shorten.Ellipsis)
	}
}

// window returns the bytes of the line that are shown, whole characters.
func window(line string, marks []occurrence) (from, to int) {
	if utf8.RuneCountInString(line) <= answer.HighlightWidth {
		return 0, len(line)
	}
	first, last := 0, 0
	if len(marks) > 0 {
		first, last = marks[0].start, marks[0].end
	}
	// A third of the width is before the match, the rest behind.
	from = first
	for n := 0; n < answer.HighlightWidth/3 && from > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(line[:from])
		from -= size
	}
	to = from
	for n := 0; to < len(line) && (n < answer.HighlightWidth || to < last); n++ {
		_, size := utf8.DecodeRuneInString(line[to:])
		to += size
	}
	return from, to
}

// opening returns a highlight of the first one or two lines with words, for a chunk without a match.
func (t *textLines) opening() []answer.Highlight {
	for n := range t.count() {
		if !says(t.line(n)) || t.real && t.number[n] == 0 {
			continue
		}
		to := n + 1
		for to < t.count() && to < n+2 && says(t.line(to)) && t.follows(to) {
			to++
		}
		return []answer.Highlight{t.highlight(n, to, nil)}
	}
	return []answer.Highlight{}
}

// says reports whether a line has at least three letters.
func says(line string) bool {
	letters := 0
	for _, r := range line {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 3
}
