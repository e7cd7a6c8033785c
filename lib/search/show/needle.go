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

// A wordTest reports whether a highlight marks the word.
type wordTest func(t token.Token) bool

// A Needle is what a highlight marks: a sequence of words, each of which satisfies its test. A nil test stands for any
// words in between.
type Needle struct {
	words []wordTest
	// prose is a second test for a needle of one word, used in the prose of documents; nil for none.
	prose  wordTest
	weight float32
	// literal must match at the words; nil for no condition.
	literal *regexp.Regexp
	// among has all words, in all forms, of the needles of a question; nil if a needle has another test.
	among *token.Set
}

// ExactNeedles returns needles for the terms of a query that occur in texts: those of the fields Text and Symbol.
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
					return found.Term == w.Term || found.Term == t.Unsigned(w.Term) || t.Fuzzy > 0 && hint.Distance(w.Term, found.Term, t.Fuzzy) <= t.Fuzzy
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

// QuestionNeedles returns a needle for each word of a question, which matches all its forms. A rare word weighs more: in
// a mailer, nearly every line has the word message. The mean of the weights is that of the terms.
func QuestionNeedles(terms []wording.Term) []Needle {
	var needles []Needle
	var rarity, known float32
	for _, t := range terms {
		if t.Rarity > 0 {
			rarity += t.Rarity
			known++
		}
	}
	among := token.NewSet()
	for _, t := range terms {
		own := make(map[string]bool, len(t.Forms))
		for _, f := range t.Forms {
			own[f.Text] = true
			among.Add(f.Text)
		}
		is := func(found token.Token) bool { return own[found.Term] }
		weight := t.Weight
		if t.Rarity > 0 {
			weight *= t.Rarity * known / rarity
		}
		needles = append(needles, Needle{words: []wordTest{is}, weight: weight, among: among})
	}
	return needles
}

// PlainNeedles returns needles for the words of substance of a question, by their stems. It needs no dictionary.
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

// PhraseNeedles returns a needle for the words of a text in sequence, or nil if there are fewer than two. Its weight is
// greater than that of single words.
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

// noNeedle is the needle of an occurrence that matches no needle.
const noNeedle = -1

// An occurrence is a match in a text. start and end are byte offsets, needle is the index of the needle.
type occurrence struct {
	start, end int
	needle     int
}

// places returns the occurrences of the needles in the text of the chunk, in order and without overlaps.
func places(c *record.Chunk, needles []Needle) []occurrence {
	if len(needles) == 0 {
		return nil
	}
	var prose corpus.Intervals
	if c.ChunkType == record.Documentation && slices.ContainsFunc(needles, func(n Needle) bool { return n.prose != nil }) {
		prose = corpus.ProseOf(c, corpus.OwnText(c))
	}
	var list []occurrence
	open := make([][]begun, len(needles))
	among := needles[0].among
	if slices.ContainsFunc(needles, func(n Needle) bool { return n.among != among }) {
		among = nil
	}
	visit := func(t token.Token) {
		inProse := prose.Hold(t.Start)
		for i := range needles {
			n := &needles[i]
			begins := n.words[0](t) || inProse && n.prose != nil && n.prose(t)
			if len(n.words) > 1 {
				list, open[i] = n.grow(open[i], t, begins, list, i)
			} else if begins {
				list = append(list, occurrence{t.Start, t.End, i})
			}
		}
	}
	if among != nil { // needles of a question have one word each, so positions are not needed
		token.ScanFor(c.Text, among, visit)
	} else {
		token.Scan(c.Text, visit)
	}
	for i := range needles {
		if literal := needles[i].literal; literal != nil {
			list = withinLiteral(list, i, literal.FindAllStringIndex(c.Text, -1))
		}
	}
	return withoutOverlaps(list)
}

// A begun sequence is the first words of a needle in a text: the byte offset of their start, the index of the next
// test, and the word positions at which the last word ends and begins.
type begun struct{ start, next, at, from int }

// maxBegun bounds the sequences of one needle that have begun.
const maxBegun = 64

// grow continues the sequences in open with a word, which also begins a new one if begins is set. It adds the sequences
// that end with the word to list, as occurrences of the needle with index i, and returns those that may continue.
func (n *Needle) grow(open []begun, t token.Token, begins bool, list []occurrence, i int) ([]occurrence, []begun) {
	if begins {
		open = append(open, begun{t.Start, 1, t.To, t.From})
	}
	grown := open
	for _, b := range open {
		next, fits := b.next, t.From == b.at
		if n.words[next] == nil {
			next, fits = next+1, t.From > b.at && t.From <= b.at+corpus.MaxGap
		}
		if !fits || b.from >= t.From || !n.words[next](t) {
			continue
		}
		if next == len(n.words)-1 {
			list = append(list, occurrence{b.start, t.End, i})
		} else if len(grown) < maxBegun {
			grown = append(grown, begun{b.start, next + 1, t.To, t.From})
		}
	}
	return list, slices.DeleteFunc(grown, func(b begun) bool { return t.From > b.at+corpus.MaxGap })
}

// withinLiteral drops the occurrences of a needle that are not within one of the matches of its literal.
func withinLiteral(list []occurrence, needle int, matches [][]int) []occurrence {
	return slices.DeleteFunc(list, func(p occurrence) bool {
		if p.needle != needle {
			return false
		}
		at, found := slices.BinarySearchFunc(matches, p.start, func(m []int, start int) int { return m[0] - start })
		if !found {
			at--
		}
		return at < 0 || p.end > matches[at][1]
	})
}

// withoutOverlaps sorts the occurrences. Of overlapping ones it keeps the one that begins first, or the longer one if
// they begin together.
func withoutOverlaps(list []occurrence) []occurrence {
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

// maxSingles bounds the needles that singleWords returns.
const maxSingles = 32

// singleWords returns a needle for each word of the needles.
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
