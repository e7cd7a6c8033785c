package show

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/token"
)

// Values that are added to the worth of a line, which is the sum of the weights of the needles in it. The declaration
// of the hit gets declarationWorth, the first line of its comment summaryWorth. In exact search, a line that only
// repeats a match is worth at least matchedWorth, which is more than the lines around it.
const (
	declarationWorth = 2.0
	summaryWorth     = 0.8
	matchedWorth     = 0.7
)

// tellingLines returns the lines of the chunk that are in the file, in their order. In a chunk that repeats lines of
// other chunks, such as signatures, it leaves these lines out if there are others, except values of a type. matched are
// the occurrences of the needles in the text.
func tellingLines(c *record.Chunk, text *textLines, matched []occurrence, needles []Needle, finder *Finder) []answer.TellingLine {
	own := text.hasOwn()
	j := judge{chunk: c, text: text, needles: needles, finder: finder, dull: dullLines(c, text, finder.Dull), opening: true, shown: map[int]bool{}}
	j.declaration, j.named = declarationLine(c, text, j.dull)
	list := make([]answer.TellingLine, 0, text.count())
	for n := range text.count() {
		inLine := 0
		for inLine < len(matched) && matched[inLine].start < text.start[n+1] {
			inLine++
		}
		if text.number[n] > 0 && !(own && text.isAside(n)) {
			list = append(list, j.line(n, matched[:inLine]))
		}
		matched = matched[inLine:]
	}
	return list
}

// A judge says what each line of a chunk tells. It takes the lines in their order.
type judge struct {
	chunk   *record.Chunk
	text    *textLines
	needles []Needle
	finder  *Finder
	dull    []bool
	// declaration and named are the results of declarationLine.
	declaration int
	named       bool
	// opening is set while no line before says anything. shown has the needles in the lines before.
	opening bool
	shown   map[int]bool
}

// line returns the n-th line of the text, in which the occurrences were found.
func (j *judge) line(n int, found []occurrence) answer.TellingLine {
	line := answer.TellingLine{Number: j.text.number[n], Text: strings.TrimRight(j.text.line(n), " \t\r")}
	if len(found) > 0 {
		j.match(&line, n, found)
	}
	switch {
	case j.dull[n] && (len(found) == 0 || !j.finder.Exact && j.chunk.ChunkType != record.Documentation):
		line.Worth, line.Dull = 0, true
	case n == j.declaration:
		j.declare(&line, n, found)
	case j.opening && n < j.declaration:
		line.Worth += summaryWorth // the first line of a comment sums up
	}
	j.opening = j.opening && (line.Dull || strings.TrimSpace(line.Text) == "")
	return line
}

// match sets what the occurrences in a line are worth, and which part of the line shows them.
func (j *judge) match(line *answer.TellingLine, n int, found []occurrence) {
	line.Worth = lineValue(found, j.needles, j.shown)
	if j.finder.Exact {
		line.Worth = max(line.Worth, matchedWorth)
	}
	for o := range firstOfEach(found) {
		line.Matches++
		j.shown[o.needle] = true
	}
	if len(line.Text) > partWidth {
		line.From = bestPart(line.Text, j.text.start[n], found, j.needles)
	}
}

// declare sets what the declaration of the chunk is worth, and whether its name was asked for. If declarationLine has
// found none, the first line of the chunk stands for it in the answer to a question, unless the chunk continues another
// one.
func (j *judge) declare(line *answer.TellingLine, n int, found []occurrence) {
	if !j.named {
		if !j.finder.Exact && !notation.IsContinued(j.chunk) {
			line.Worth += declarationWorth
		}
		return
	}
	line.Worth += declarationWorth
	line.Declares = true
	// Of several words that were asked for, one within the name does not make it the name that was meant.
	name := corpus.LastComponent(j.chunk.Metadata.SymbolName)
	size := overlap(j.text, n, found, name)
	line.Names = size > 0 && (line.Matches == len(j.needles) || size >= len(strings.ReplaceAll(name, "_", "")))
}

const (
	// partWidth is the number of bytes of a line that is too long to be shown whole in which the matches should be.
	partWidth = 120
	// partLead is the number of bytes before the first match within which a part of a line begins.
	partLead = 60
	// partGain is how much more than the beginning of its line a part must be worth.
	partGain = 1.3
	// maxParts bounds the matches of a line at which a part may begin.
	maxParts = 50
)

// bestPart returns the offset of the part of a long line that shows most needles: 0 unless the beginning of the line
// shows clearly less. A row of a table begins with what it is about. start is the offset of the line in the text.
func bestPart(line string, start int, found []occurrence, needles []Needle) int {
	if strings.HasPrefix(strings.TrimSpace(line), "|") || utf8.RuneCountInString(line) <= partWidth {
		return 0
	}
	value := func(i, end int) float32 {
		to := i
		for to < len(found) && found[to].end <= end {
			to++
		}
		return lineValue(found[i:to], needles, nil)
	}
	most, best := partGain*value(0, start+partWidth), 0
	for i := range found[:min(len(found), maxParts)] {
		if v := value(i, found[i].start+partWidth-partLead); v > most {
			most, best = v, found[i].start-start
		}
	}
	if best <= partLead {
		return 0
	}
	lead := line[best-partLead : best]
	if at := strings.LastIndex(lead, ". "); at >= 0 { // a sentence begins
		return best - partLead + at + len(". ")
	}
	if at := strings.IndexByte(lead, ' '); at >= 0 {
		return best - partLead + at + len(" ")
	}
	return best
}

// declarationLine returns the line of the text at which the declaration of the chunk begins. If there is none, found is
// false and declaration is the first line that is not dull.
func declarationLine(c *record.Chunk, text *textLines, dull []bool) (declaration int, found bool) {
	head, _, _ := strings.Cut(c.Metadata.SymbolSignature, "\n")
	name := corpus.LastComponent(c.Metadata.SymbolName)
	fromName := head[max(strings.Index(head, name), 0):]
	first := -1
	for n := range text.count() {
		line := strings.TrimSpace(text.line(n))
		if text.number[n] == 0 || line == "" {
			continue
		}
		if first < 0 && !dull[n] {
			first = n
		}
		if head == "" || !strings.Contains(line, name) {
			continue
		}
		sign := head
		if strings.HasPrefix(line, name) {
			sign = fromName // the type of the result is on the line before
		}
		if declares(line, sign) {
			return n, true
		}
	}
	return first, false
}

// overlap returns how many bytes of the name in line n are in the occurrences.
func overlap(text *textLines, n int, found []occurrence, name string) (size int) {
	at := strings.Index(text.line(n), name)
	if at < 0 {
		return 0
	}
	start := text.start[n] + at
	for _, o := range found {
		size += max(0, min(o.end, start+len(name))-max(o.start, start))
	}
	return size
}

// signedBytes is how many bytes of a signature's words must be in its first line: a signature may continue in further
// lines.
const signedBytes = 24

// declares reports whether a trimmed line and the head of a signature begin with the same words, up to signedBytes or
// the end of the shorter one.
func declares(line, head string) bool {
	if strings.HasPrefix(line, "@") || strings.HasPrefix(line, "[") || strings.HasPrefix(line, "#[") {
		// Annotations may precede the declaration in the same line.
		line = line[max(strings.Index(line, head), 0):]
	}
	if begins, begun := token.First(head), token.First(line); begins != "" && begun != "" {
		// The first word decides for most lines, without a scan of all words.
		if !strings.EqualFold(begins[:min(len(begins), signedBytes)], begun[:min(len(begun), signedBytes)]) {
			return false
		}
		if rest, ok := strings.CutPrefix(line, head); ok && (rest == "" || strings.IndexByte(" {(:=;,", rest[0]) >= 0) {
			return true
		}
	}
	want, got := signWords(head), signWords(line)
	return want != "" && (strings.HasPrefix(got, want[:min(len(want), signedBytes)]) || got != "" && strings.HasPrefix(want, got))
}

// signWords returns the words of a line with single spaces, so that signatures can be compared whatever their spacing
// and punctuation.
func signWords(line string) string {
	var words []byte
	last := 0
	token.Scan(line, func(t token.Token) {
		switch t.Kind {
		case token.Whole:
			last = len(words)
			words = append(append(words, t.Term...), ' ')
		case token.Sigil:
			words = append(append(words[:last], t.Term...), ' ')
		}
	})
	return string(words)
}

// dropOthers marks lines of a list of declarations as dull, so that of fifty constants the one that was asked for is
// shown. It keeps lines that match, lines of the symbols in asked, and comments right above kept lines.
func dropOthers(lines []answer.TellingLine, matched map[int]bool, asked, all []record.SymbolRef) {
	belongs := func(number int) bool {
		return slices.ContainsFunc(asked, func(s record.SymbolRef) bool { return s.Line <= number && number < nextSymbol(s, all) })
	}
	declares := make(map[int]bool, len(all)) // such a line is no comment, even if it begins with # as #define does
	for _, s := range all {
		declares[s.Line] = true
	}
	below := 0 // the line below if it is shown
	for n := len(lines) - 1; n >= 0; n-- {
		l := &lines[n]
		kept := matched[l.Number] || belongs(l.Number) || below == l.Number+1 && isRemark(l.Text) && !declares[l.Number]
		if below = 0; kept {
			below = l.Number
		}
		l.Dull = l.Dull || !kept
	}
}

// nextSymbol returns the line of the next symbol after s that is not within s.
func nextSymbol(s record.SymbolRef, all []record.SymbolRef) int {
	next := math.MaxInt
	for _, other := range all {
		if other.Line > s.Line && !corpus.IsWithin(other.Name, s.Name) {
			next = min(next, other.Line)
		}
	}
	return next
}
