package show

import (
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/token"
)

// What a line is worth that says what the hit is, beside one that has a word of the question.
const (
	declarationWorth = 2.0
	summaryWorth     = 0.8
)

// tellingLines are the lines of the chunk that stand in the file, in their order. Of a chunk that repeats lines of others, such as signatures, the
// repeated ones are left out if there are others. matched are the places of the needles in its text.
func tellingLines(c *record.Chunk, text *textLines, matched []occurrence, needles []Needle, sorts dullness) []answer.TellingLine {
	byLine := map[int][]occurrence{}
	for _, p := range matched {
		n := text.at(p.start)
		byLine[n] = append(byLine[n], p)
	}
	own := false
	for n := range text.count() {
		own = own || text.number[n] > 0 && !text.repeated(n) && strings.TrimSpace(text.line(n)) != ""
	}
	dull := dullLines(c, text, sorts)
	declaration, found := declarationLine(c, text, dull)
	opening := true
	shown := map[int]bool{}
	var list []answer.TellingLine
	for n := range text.count() {
		if text.number[n] == 0 || own && text.repeated(n) && !corpus.IsVerbatim(c.ChunkType) {
			continue
		}
		line := answer.TellingLine{Number: text.number[n], Text: strings.TrimRight(text.line(n), " \t\r"), Worth: lineValue(byLine[n], needles, shown)}
		for _, p := range byLine[n] {
			shown[p.needle] = true
		}
		switch {
		case dull[n] && (sorts&Unmatched == 0 || len(byLine[n]) == 0):
			line.Worth, line.Dull = 0, true
		case n == declaration && (found || !corpus.IsContinued(c)):
			line.Worth += declarationWorth
			line.Declares = found
		case opening && n < declaration:
			line.Worth += summaryWorth // the first line of a comment sums up
		}
		opening = opening && (line.Dull || strings.TrimSpace(line.Text) == "")
		list = append(list, line)
	}
	return list
}

// declarationLine is the line of the text at which what the chunk declares begins, the first one that is not dull if that is not found.
func declarationLine(c *record.Chunk, text *textLines, dull map[int]bool) (line int, found bool) {
	head, _, _ := strings.Cut(c.Metadata.SymbolSignature, "\n")
	want, name := signWords(head), corpus.LastComponent(c.Metadata.SymbolName)
	first := -1
	for n := range text.count() {
		if text.number[n] == 0 || strings.TrimSpace(text.line(n)) == "" {
			continue
		}
		if first < 0 && !dull[n] {
			first = n
		}
		if want == "" || !strings.Contains(text.line(n), name) {
			continue
		}
		// A signature may go on in further lines.
		if got := signWords(text.line(n)); strings.HasPrefix(got, want[:min(len(want), 24)]) || got != "" && strings.HasPrefix(want, got) {
			return n, true
		}
	}
	return first, false
}

// signWords are the words of a line, so that signatures can be compared whatever their spacing and punctuation.
func signWords(line string) string {
	var b strings.Builder
	for _, w := range token.Words(line) {
		b.WriteString(w.Term)
		b.WriteByte(' ')
	}
	return b.String()
}
