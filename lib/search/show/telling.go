package show

import (
	"math"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/token"
)

// Worths of lines; a line has besides the weight of each word of the question that it is the first to have. declarationWorth and summaryWorth are those of the lines that say what the hit is: its
// declaration, and the first line of its comment. In exact search a line that repeats a match has at least matchedWorth, which is more than the lines around it have.
const (
	declarationWorth = 2.0
	summaryWorth     = 0.8
	matchedWorth     = 0.7
)

// tellingLines are the lines of the chunk that stand in the file, in their order. Of a chunk that repeats lines of others, such as signatures, the
// repeated ones are left out if there are others. matched are the places of the needles in its text.
func tellingLines(c *record.Chunk, text *textLines, matched []occurrence, needles []Needle, sorts dullness) []answer.TellingLine {
	own := false
	for n := range text.count() {
		own = own || text.number[n] > 0 && !text.repeated(n) && strings.TrimSpace(text.line(n)) != ""
	}
	dull := dullLines(c, text, sorts)
	declaration, named := declarationLine(c, text, dull)
	opening := true
	shown := map[int]bool{}
	list := make([]answer.TellingLine, 0, text.count())
	for n := range text.count() {
		inLine := 0
		for inLine < len(matched) && matched[inLine].start < text.start[n+1] {
			inLine++
		}
		found := matched[:inLine]
		matched = matched[inLine:]
		if text.number[n] == 0 || own && text.repeated(n) && !corpus.IsVerbatim(c.ChunkType) {
			continue
		}
		line := answer.TellingLine{Number: text.number[n], Text: strings.TrimRight(text.line(n), " \t\r"), Worth: lineValue(found, needles, shown)}
		for range firstOfEach(found) {
			line.Matches++
		}
		if sorts&Unmatched != 0 && line.Matches > 0 {
			line.Worth = max(line.Worth, matchedWorth)
		}
		for _, p := range found {
			shown[p.needle] = true
		}
		switch {
		case dull[n] && (sorts&Unmatched == 0 || len(found) == 0):
			line.Worth, line.Dull = 0, true
		case n == declaration && (named || sorts&Unmatched == 0 && !corpus.IsContinued(c)):
			line.Worth += declarationWorth
			line.Declares = named
			line.Names = named && namesAny(text, n, found, corpus.LastComponent(c.Metadata.SymbolName))
		case opening && n < declaration:
			line.Worth += summaryWorth // the first line of a comment sums up
		}
		opening = opening && (line.Dull || strings.TrimSpace(line.Text) == "")
		list = append(list, line)
	}
	return list
}

// declarationLine is the line of the text at which what the chunk declares begins, the first one that is not dull if that is not found.
func declarationLine(c *record.Chunk, text *textLines, dull map[int]bool) (declaration int, found bool) {
	head, _, _ := strings.Cut(c.Metadata.SymbolSignature, "\n")
	name := corpus.LastComponent(c.Metadata.SymbolName)
	first := -1
	for n := range text.count() {
		line := strings.TrimSpace(text.line(n))
		if text.number[n] == 0 || line == "" {
			continue
		}
		if first < 0 && !dull[n] {
			first = n
		}
		if head != "" && strings.Contains(line, name) && declares(line, head) {
			return n, true
		}
	}
	return first, false
}

// namesAny reports whether one of the occurrences in the line is in the name.
func namesAny(text *textLines, n int, found []occurrence, name string) bool {
	at := strings.Index(text.line(n), name)
	if at < 0 {
		return false
	}
	start := text.start[n] + at
	return slices.ContainsFunc(found, func(o occurrence) bool { return o.start < start+len(name) && o.end > start })
}

// signedBytes is how much of the words of a signature stands in its line at least: a signature may go on in further lines.
const signedBytes = 24

// declares reports whether a line without spaces around it has the words of the head of a signature, as far as either goes.
func declares(line, head string) bool {
	if strings.HasPrefix(line, "@") || strings.HasPrefix(line, "[") || strings.HasPrefix(line, "#[") {
		// Annotations may stand before it in the same line.
		line = line[max(strings.Index(line, head), 0):]
	}
	if begins, begun := token.First(head), token.First(line); begins != "" && begun != "" {
		// The beginning decides for most lines, which need not be cut into words.
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

// signWords are the words of a line, so that signatures can be compared whatever their spacing and punctuation.
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

// dropOthers makes those lines of a list of declarations dull that neither match, nor belong to a symbol that was asked for, nor are remarks above such lines:
// of fifty constants one is asked for.
func dropOthers(lines []answer.TellingLine, matched map[int]bool, asked, all []record.SymbolRef) {
	belongs := func(number int) bool {
		return slices.ContainsFunc(asked, func(s record.SymbolRef) bool { return s.Line <= number && number < nextSymbol(s, all) })
	}
	below := false // whether the line below is shown
	for n := len(lines) - 1; n >= 0; n-- {
		l := &lines[n]
		below = matched[l.Number] || belongs(l.Number) || below && isRemark(l.Text)
		l.Dull = l.Dull || !below
	}
}

// nextSymbol is the line at which the next symbol begins that is not within s.
func nextSymbol(s record.SymbolRef, all []record.SymbolRef) int {
	next := math.MaxInt
	for _, other := range all {
		within := strings.HasPrefix(other.Name, s.Name) && len(other.Name) > len(s.Name) && strings.IndexByte(".:#/", other.Name[len(s.Name)]) >= 0
		if other.Line > s.Line && !within {
			next = min(next, other.Line)
		}
	}
	return next
}
