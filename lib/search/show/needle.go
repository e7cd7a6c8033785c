package show

import (
	"regexp"
	"slices"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
	"cortex/lib/search/wording"
)

// A wordTest tells words that a highlight marks.
type wordTest func(t token.Token) bool

// A Needle is what a highlight marks: successive words, each of which satisfies its
// test; nil stands for any words in between.
type Needle struct {
	words []wordTest
	// prose is a second test for a needle of one word, in the prose of documents; nil for none.
	prose  wordTest
	weight float32
	// literal has to match at the words; nil for none.
	literal *regexp.Regexp
	// among has the words of all needles of a question in all their forms; nil where a word is told otherwise.
	among *token.Set
}

// ExactNeedles are the terms of a query that are looked for in the text: names of symbols stand there too.
func ExactNeedles(n query.Node, stemmer *corpus.Stemmer) []Needle {
	var needles []Needle
	query.Walk(n, func(t *query.Term) {
		if t.Field != query.Text && t.Field != query.Symbol || t.IsAnything() {
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
			if len(list) == 1 && corpus.Stemmed(t, list[0]) {
				prose = stemmer.SameStem(list[0].Term)
			}
		}
		for len(words) > 0 && words[0] == nil {
			words = words[1:]
		}
		for len(words) > 0 && words[len(words)-1] == nil {
			words = words[:len(words)-1]
		}
		if len(words) > 0 {
			needles = append(needles, Needle{words: words, prose: prose, weight: 1, literal: t.Literal})
		}
	})
	return needles
}

// QuestionNeedles are the words of a question in all their forms.
func QuestionNeedles(terms []wording.Term) []Needle {
	var needles []Needle
	among := token.NewSet()
	for _, t := range terms {
		own := make(map[string]bool, len(t.Forms))
		for _, f := range t.Forms {
			own[f.Text] = true
			among.Add(f.Text)
		}
		is := func(found token.Token) bool { return own[found.Term] }
		needles = append(needles, Needle{words: []wordTest{is}, weight: t.Weight, among: among})
	}
	return needles
}

// PlainNeedles are the words of a question that say something, for which no dictionary is there.
func PlainNeedles(question string) []Needle {
	var needles []Needle
	for _, word := range wording.PlainWords(question) {
		root := wording.Stem(word)
		is := func(found token.Token) bool {
			return found.Term == word || wording.IsLetters(found.Term) && wording.Stem(found.Term) == root
		}
		needles = append(needles, Needle{words: []wordTest{is}, weight: 1})
	}
	return needles
}

// PhraseNeedles are the words of a text, one after the other, if there are several. A line that has them tells more than one that has words of the question.
func PhraseNeedles(text string) []Needle {
	needle := Needle{weight: 10}
	for _, w := range token.Words(text) {
		needle.words = append(needle.words, func(found token.Token) bool { return found.Term == w.Term })
	}
	if len(needle.words) < 2 {
		return nil
	}
	return []Needle{needle}
}

// noNeedle marks a place for which nobody asked.
const noNeedle = -1

// An occurrence is a match in a text, in bytes.
type occurrence struct {
	start, end int
	needle     int
}

// places finds the needles in the text of the chunk, in order, none overlapping another: the
// one that begins first stays, the longer one of two.
func places(c *record.Chunk, needles []Needle) []occurrence {
	if len(needles) == 0 {
		return nil
	}
	var prose corpus.Intervals
	if c.ChunkType == record.Documentation && slices.ContainsFunc(needles, func(n Needle) bool { return n.prose != nil }) {
		prose = corpus.ProseOf(c.Text, corpus.OwnText(c))
	}
	var list []occurrence
	// open holds for each needle the matches that have begun and where they go on.
	type begun struct{ start, next, at, from int }
	open := make([][]begun, len(needles))
	among := needles[0].among
	if slices.ContainsFunc(needles, func(n Needle) bool { return n.among != among }) {
		among = nil
	}
	visit := func(t token.Token) {
		inProse := prose.Hold(t.Start)
		for i := range needles {
			words := needles[i].words
			if words[0](t) || inProse && needles[i].prose != nil && needles[i].prose(t) {
				if len(words) == 1 {
					list = append(list, occurrence{t.Start, t.End, i})
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
					next, fits = next+1, t.From > b.at && t.From <= b.at+corpus.MaxGap
				}
				if !fits || b.from >= t.From || !words[next](t) {
					continue
				}
				if next == len(words)-1 {
					list = append(list, occurrence{b.start, t.End, i})
				} else if len(grown) < 64 {
					grown = append(grown, begun{b.start, next + 1, t.To, t.From})
				}
			}
			// What the text has gone past cannot go on.
			open[i] = slices.DeleteFunc(grown, func(b begun) bool { return t.From > b.at+corpus.MaxGap })
		}
	}
	if among != nil { // words of a question stand alone, so positions are not needed
		token.ScanFor(c.Text, among, visit)
	} else {
		token.Scan(c.Text, visit)
	}
	for i := range needles {
		if literal := needles[i].literal; literal != nil {
			matches := literal.FindAllStringIndex(c.Text, -1)
			list = slices.DeleteFunc(list, func(p occurrence) bool {
				at, found := slices.BinarySearchFunc(matches, p.start, func(m []int, start int) int { return m[0] - start })
				if !found {
					at--
				}
				return p.needle == i && (at < 0 || p.end > matches[at][1])
			})
		}
	}
	slices.SortFunc(list, func(a, b occurrence) int {
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

// maxSingles bounds the words into which needles are taken apart.
const maxSingles = 32

// singleWords takes needles of several words apart.
func singleWords(needles []Needle) []Needle {
	var out []Needle
	for _, n := range needles {
		for _, word := range n.words {
			if word != nil && len(out) < maxSingles {
				out = append(out, Needle{words: []wordTest{word}, prose: n.prose, weight: n.weight, among: n.among})
			}
		}
	}
	return out
}
