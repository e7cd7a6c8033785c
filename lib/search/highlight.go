package search

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cortex/lib/hint"
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
	// maxRanges is the number of ranges that one highlight lists.
	maxRanges = 50
)

// The marks around what matches.
const (
	markStart, markEnd = "<mark>", "</mark>"
	ellipsis           = "…"
)

// A wordTest tells words that a highlight marks.
type wordTest func(t token.Token) bool

// A needle is what a highlight marks: successive words, each of which satisfies its
// test; nil stands for any words in between.
type needle struct {
	words []wordTest
	// prose is a second test for a needle of one word, in the prose of documents; nil for none.
	prose  wordTest
	weight float32
}

// exactNeedles are the terms of a query that are looked for in the text: names of symbols stand there too.
func exactNeedles(n query.Node, stemmer *stemmer) []needle {
	var needles []needle
	query.Walk(n, func(t *query.Term) {
		if t.Field != query.Text && t.Field != query.Symbol || isAnything(t) {
			return
		}
		var words []wordTest
		var prose wordTest
		switch {
		case t.Regexp != nil:
			words = []wordTest{func(found token.Token) bool { return found.Kind != token.Part && t.Regexp.Match(found.Term) }}
		case len(t.Wild) > 0:
			for _, p := range token.Patterns(t.Text, t.Wild) {
				if p.Anything() {
					words = append(words, nil)
				} else {
					words = append(words, func(found token.Token) bool { return p.Match(found.Term) })
				}
			}
		default:
			list := token.Words(t.Text)
			for _, w := range list {
				words = append(words, func(found token.Token) bool {
					return found.Term == w.Term || t.Fuzzy > 0 && hint.Distance(w.Term, found.Term, t.Fuzzy) <= t.Fuzzy
				})
			}
			if len(list) == 1 && stemmed(t, list[0]) {
				prose = stemmer.sameStem(list[0].Term)
			}
		}
		for len(words) > 0 && words[0] == nil {
			words = words[1:]
		}
		for len(words) > 0 && words[len(words)-1] == nil {
			words = words[:len(words)-1]
		}
		if len(words) > 0 {
			needles = append(needles, needle{words, prose, 1})
		}
	})
	return needles
}

// questionNeedles are the words of a question in all their forms.
func questionNeedles(terms []term) []needle {
	var needles []needle
	for _, t := range terms {
		forms := make(map[string]bool, len(t.forms))
		for _, f := range t.forms {
			forms[f.text] = true
		}
		is := func(found token.Token) bool { return forms[found.Term] }
		needles = append(needles, needle{[]wordTest{is}, nil, t.weight})
	}
	return needles
}

// plainNeedles are the words of a question that say something, for which no dictionary is there.
func plainNeedles(question string) []needle {
	var needles []needle
	for _, word := range plainWords(question) {
		root := stem(word)
		is := func(found token.Token) bool {
			return found.Term == word || isLetters(found.Term) && stem(found.Term) == root
		}
		needles = append(needles, needle{[]wordTest{is}, nil, 1})
	}
	return needles
}

// noNeedle marks a place for which nobody asked.
const noNeedle = -1

// A place is a match in a text, in bytes.
type place struct {
	start, end int
	needle     int
}

// places finds the needles in the text of the chunk, in order, none overlapping another: the
// one that begins first stays, the longer one of two.
func places(c *record.Chunk, needles []needle) []place {
	if len(needles) == 0 {
		return nil
	}
	var prose intervals
	if c.ChunkType == record.Documentation && slices.ContainsFunc(needles, func(n needle) bool { return n.prose != nil }) {
		prose = proseOf(c.Text, ownText(c))
	}
	var list []place
	// open holds for each needle the matches that have begun and where they go on.
	type begun struct{ start, next, at, from int }
	open := make([][]begun, len(needles))
	token.Scan(c.Text, func(t token.Token) {
		inProse := prose.hold(t.Start)
		for i := range needles {
			words := needles[i].words
			if words[0](t) || inProse && needles[i].prose != nil && needles[i].prose(t) {
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
				if !fits || b.from >= t.From || !words[next](t) {
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

// highlights chooses at most three pieces of the chunk that show the most needles, and
// among them the line that declares the symbol, if there is one. Lines that the chunker made up are
// shown only of chunks that have no others.
func highlights(c *record.Chunk, needles []needle, symbol *record.SymbolRef) []Highlight {
	lines := newTextLines(c)
	found, needles := lines.matches(needles)
	return highlightsOf(lines, found, needles, symbol)
}

// highlightsOf are the highlights of a text whose matches are known.
func highlightsOf(lines *textLines, found []place, needles []needle, symbol *record.SymbolRef) []Highlight {
	first := -1
	if symbol != nil {
		first, found = lines.declaration(symbol, found)
	}
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
	slices.SortStableFunc(out, func(a, b Highlight) int { return a.Line - b.Line })
	return out
}

// allHighlights shows all lines that match, in pieces of lines that follow each other.
func allHighlights(c *record.Chunk, needles []needle, symbol *record.SymbolRef) []Highlight {
	lines := newTextLines(c)
	found, _ := lines.matches(needles)
	if symbol != nil {
		_, found = lines.declaration(symbol, found)
	}
	if len(found) == 0 {
		return lines.opening()
	}
	out := []Highlight{}
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

// maxSingles bounds the words into which needles are taken apart.
const maxSingles = 32

// singleWords takes needles of several words apart.
func singleWords(needles []needle) []needle {
	var out []needle
	for _, n := range needles {
		for _, word := range n.words {
			if word != nil && len(out) < maxSingles {
				out = append(out, needle{[]wordTest{word}, n.prose, n.weight})
			}
		}
	}
	return out
}

// lineValue counts the needles of a line, those that were shown before for little.
func lineValue(list []place, needles []needle, shown map[int]bool) float32 {
	var value float32
	for i, p := range list {
		repeated := slices.ContainsFunc(list[:i], func(q place) bool { return q.needle == p.needle })
		switch {
		case repeated || p.needle == noNeedle:
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
	// start has the first byte of each line, and the end of the text.
	start []int
	// number is the line of the file that each line is; 0 if it is in no file.
	number []int
	// base is the byte of the file at which each line begins; -1 where that is not known.
	base []int
	// real is set if any line is in the file.
	real bool
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
	t.number = make([]int, t.count())
	t.base = slices.Repeat([]int{-1}, t.count())
	switch c.ChunkType {
	case record.Implementations, record.Documentation:
		t.numberVerbatim()
	case record.Definitions, record.Data:
		t.numberPieces()
	}
	t.real = slices.ContainsFunc(t.number, func(n int) bool { return n > 0 })
	return t
}

// numberVerbatim numbers the lines of a text that ends with the bytes of the file that the metadata names.
func (t *textLines) numberVerbatim() {
	m := &t.chunk.Metadata
	size := m.ByteEnd - m.ByteStart
	if size <= 0 || size > len(t.chunk.Text) {
		return
	}
	body := t.at(len(t.chunk.Text) - size)
	for n := body; n < t.count(); n++ {
		t.number[n] = max(m.StartLine+n-body, 0)
		t.base[n] = m.ByteEnd - (len(t.chunk.Text) - t.start[n])
	}
}

// numberPieces numbers lines that stand under comments which name those of the file.
func (t *textLines) numberPieces() {
	m := &t.chunk.Metadata
	next, last := 0, 0
	headings, first := 0, 0
	for n := range t.number {
		if a, b, ok := linesComment(t.line(n)); ok {
			next, last = a, b
			headings++
			first = n + 1
			continue
		}
		t.number[n] = min(next, last)
		if headings == 1 && t.number[first] == m.StartLine && !t.repeated(n) {
			// The first piece begins where the chunk does.
			t.base[n] = m.ByteStart + t.start[n] - t.start[first]
		}
		if next > 0 {
			next++
		}
	}
}

// repeated reports whether the line is none of the file or stands in another chunk too.
func (t *textLines) repeated(n int) bool {
	return slices.ContainsFunc(t.chunk.Metadata.Repeats, func(r record.LineRange) bool { return r[0] <= n+1 && n+1 <= r[1] })
}

// matches finds the needles in lines of the file, in those that are the chunk's own if there are any, and if they are nowhere,
// the words of which they are made. It returns the needles to which the places refer.
func (t *textLines) matches(needles []needle) ([]place, []needle) {
	found := t.inFile(places(t.chunk, needles))
	if len(found) == 0 {
		// A name may stand at the head in one piece, and in the source in several.
		needles = singleWords(needles)
		found = t.inFile(places(t.chunk, needles))
	}
	own := func(p place) bool { return !t.repeated(t.at(p.start)) }
	if slices.ContainsFunc(found, own) {
		found = slices.DeleteFunc(found, func(p place) bool { return !own(p) })
	}
	return found, needles
}

// mainLine is the line that stands for a chunk without a match, as an empty place: the one that declares what was asked for, or else
// the first that says something.
func (t *textLines) mainLine(f *finder) []place {
	if len(t.chunk.Metadata.Symbols) > 0 {
		if list, found := f.find(t.chunk); found {
			if n, _ := t.declaration(&list[0], nil); n >= 0 {
				return []place{{t.start[n], t.start[n], noNeedle}}
			}
		}
	}
	first := -1
	for n := range t.count() {
		if strings.TrimSpace(t.line(n)) == "" || t.real && t.number[n] == 0 {
			continue
		}
		if !t.repeated(n) {
			first = n
			break
		}
		if first < 0 {
			first = n
		}
	}
	if first < 0 {
		return nil
	}
	return []place{{t.start[first], t.start[first], noNeedle}}
}

// enclosing is the name of the symbol around the line of the file, "" if there is none.
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

// inFile keeps the places that are in the file, or all if no line is.
func (t *textLines) inFile(found []place) []place {
	if !t.real {
		return found
	}
	return slices.DeleteFunc(found, func(p place) bool { return t.number[t.at(p.start)] == 0 })
}

// follows reports whether the line comes right after the one before in the file as well.
func (t *textLines) follows(n int) bool {
	return !t.real || t.number[n] == t.number[n-1]+1
}

// declaration finds the line that declares the symbol, -1 if none does. Its name is added to the
// places if no other is in the line.
func (t *textLines) declaration(s *record.SymbolRef, found []place) (int, []place) {
	name := lastComponent(s.Name)
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
	if slices.ContainsFunc(found, func(p place) bool { return p.start < to && p.end > from }) {
		return n, found
	}
	p := place{from, from, noNeedle}
	if at := strings.Index(t.line(n), name); at >= 0 {
		p.start, p.end = from+at, from+at+len(name)
	}
	i, _ := slices.BinarySearchFunc(found, p, func(a, b place) int { return a.start - b.start })
	return n, slices.Insert(found, i, p)
}

// linesComment reads the numbers of a comment such as "// Lines 10-15".
func linesComment(line string) (first, last int, ok bool) {
	before, rest, ok := strings.Cut(strings.TrimLeft(line, " \t"), "Lines ")
	if !ok || len(before) > len("<!-- ") || strings.ContainsAny(before, "\"'`") {
		return 0, 0, false
	}
	digits, rest, ok := strings.Cut(rest, "-")
	if !ok {
		return 0, 0, false
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	first, err := strconv.Atoi(digits)
	if err != nil {
		return 0, 0, false
	}
	last, err = strconv.Atoi(rest[:end])
	return first, last, err == nil && 0 < first && first <= last
}

// highlight shows the lines [from, to) with their matches marked.
func (t *textLines) highlight(from, to int, found []place) Highlight {
	c := t.chunk.Text
	var b strings.Builder
	h := Highlight{Line: t.number[from], Symbol: t.enclosing(t.number[from])}
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
		for _, p := range inside {
			r := MatchRange{Line: t.number[n], Column: p.start + 1, Length: p.end - p.start}
			if t.base[n] >= 0 {
				r.Bytes = &[2]int{t.base[n] + p.start, t.base[n] + p.end}
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
	for n := range t.count() {
		if !says(t.line(n)) || t.real && t.number[n] == 0 {
			continue
		}
		to := n + 1
		for to < t.count() && to < n+2 && says(t.line(to)) && t.follows(to) {
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
