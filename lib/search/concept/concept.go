// Package concept finds the words that code uses for what people say: for "stop people from trying many passwords",
// code has "rate", "throttle", "lockout". The words of a question and its embedding go in; words that such code may
// contain come out, each with a weight. Begin with Lexicon.Words; table.go has the compiled form of the lexicon.
//
// The lexicon is lexicon.txt. Each line is a group: phrases that people say, then " = ", then the words of code.
//
//	send a visitor elsewhere, bounce to another page = redirect location moved found 301 302 forward
//
// lexicon.bin is compiled from it, embedded in the binary and read in place. A test of lib/search compiles the text and
// compares: UPDATE_GOLDEN=1 go test ./lib/search -run TestLexicon writes lexicon.bin after a change of the text or of
// the built-in model, which embeds the phrases.
package concept

import (
	"cmp"
	_ "embed"
	"maps"
	"math"
	"slices"
	"strings"

	"cortex/lib/search/cosine"
)

//go:embed lexicon.txt
var lexiconText string

//go:embed lexicon.bin
var lexiconTable string

// Text returns the source of the lexicon.
func Text() string { return lexiconText }

// Default returns the compiled lexicon in the binary.
func Default() (*Lexicon, error) { return Open(lexiconTable) }

// A Word is a word that the code in question may contain.
type Word struct {
	Text string
	// Weight is the weight of the word relative to a word of the question itself, above 0.
	Weight float64
	// Shared says that the word is from a group whose phrases share words with the question.
	Shared bool
}

const (
	// leastMatch is the least share of a phrase, weighted by the rarity of its words among all phrases, that a question
	// must contain for the phrase to match.
	leastMatch = 0.5
	// maxGroups is the number of groups that a question selects by words: those whose phrases match best.
	maxGroups = 20
	// maxWeight is the weight of a word of a fully matched group, before it is divided by 1 plus commonness for each
	// group that has the word.
	maxWeight, commonness = 2.5, 0.04
	// confirmed is the share of the smaller weight that is added if several selected groups have the same word.
	confirmed = 0.5
	// nearGroups is the number of groups that a question selects by meaning. nearWeight is the weight of the words of
	// the nearest group at cosine 1; the weights of the others fall by the exponential of nearFade times the difference
	// of their cosines.
	nearGroups, nearWeight, nearFade = 20, 1.8, 8
)

// Words returns the words that code may use for a question, by falling weight: the words of the groups whose phrases
// share words with the question, and of the groups whose phrases are nearest to it in meaning. stems are the stems of
// the question's words, by the stemmer with which the lexicon was compiled; vector is its embedding by the model with
// which the lexicon was compiled, or nil to ignore meaning. Meaning is also ignored if fewer than half of the stems
// occur in phrases, since the nearest groups are then near by chance alone.
func (l *Lexicon) Words(stems []string, vector []float32) []Word {
	weights := map[uint32]float64{}
	known := l.addShared(weights, stems)
	shared := maps.Clone(weights)
	if 2*known >= len(stems) {
		l.addNear(weights, vector)
	}
	words := make([]Word, 0, len(weights))
	for word, weight := range weights {
		words = append(words, Word{l.words.at(word), weight, shared[word] > 0})
	}
	slices.SortFunc(words, func(a, b Word) int { return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Text, b.Text)) })
	return words
}

// addShared adds the words of groups that share words with the question, and returns how many of its stems occur in
// phrases.
func (l *Lexicon) addShared(weights map[uint32]float64, stems []string) (known int) {
	var lists []stemPhrases
	for i, s := range stems {
		n, ok := l.stems.find(s)
		if !ok {
			continue
		}
		if known++; !slices.Contains(stems[:i], s) {
			lists = append(lists, stemPhrases{l.phrasesOf(n), l.rarity(n)})
		}
	}
	best := map[uint32]float64{}
	eachPhrase(lists, func(phrase uint32, sum float32) {
		group, total := l.phrase(phrase)
		if share := float64(sum / total); share >= leastMatch {
			best[group] = max(best[group], min(share, 1))
		}
	})
	matches := make([]match, 0, len(best))
	for group, share := range best {
		matches = append(matches, match{group, share})
	}
	slices.SortFunc(matches, stronger)
	for _, m := range matches[:min(len(matches), maxGroups)] {
		for word := range l.wordsOf(m.group) {
			w := maxWeight * m.strength / (1 + commonness*float64(l.groupsWith(word)))
			weights[word] = max(weights[word], w) + confirmed*min(weights[word], w)
		}
	}
	return known
}

// stemPhrases has the phrases that contain a stem, ascending, and the stem's rarity.
type stemPhrases struct {
	phrases numbers
	rarity  float32
}

// eachPhrase visits each phrase of the lists once, ascending, with the sum of the rarities of its stems. It consumes
// the lists.
func eachPhrase(lists []stemPhrases, visit func(phrase uint32, sum float32)) {
	const none = math.MaxUint32
	for {
		next := uint32(none)
		for i := range lists {
			if lists[i].phrases.len() > 0 {
				next = min(next, lists[i].phrases.at(0))
			}
		}
		if next == none {
			return
		}
		sum := float32(0)
		for i := range lists {
			for list := &lists[i]; list.phrases.len() > 0 && list.phrases.at(0) == next; list.phrases = list.phrases[4:] {
				sum += list.rarity
			}
		}
		visit(next, sum)
	}
}

// addNear adds the words of the groups whose phrases are nearest to the question in meaning.
func (l *Lexicon) addNear(weights map[uint32]float64, vector []float32) {
	probe, ok := cosine.NewProbe(vector)
	if !ok || len(l.scales)*probe.Stride() != 2*len(l.vectors) {
		return
	}
	var matches []match // the nearest groups so far
	var block [1024]int32
	for first := 0; first < len(l.scales); first += len(block) {
		sums := block[:min(len(block), len(l.scales)-first)]
		probe.Products(sums, l.vectors[first*probe.Stride()/2:][:len(sums)*probe.Stride()/2])
		for i, sum := range sums {
			m := match{uint32(first + i), float64(probe.Cosine(sum, l.scales[first+i]))}
			if len(matches) < nearGroups || m.strength > matches[nearGroups-1].strength {
				at, _ := slices.BinarySearchFunc(matches, m, stronger)
				matches = slices.Insert(matches, at, m)[:min(len(matches)+1, nearGroups)]
			}
		}
	}
	for _, m := range matches {
		w := nearWeight * matches[0].strength * math.Exp(nearFade*(m.strength-matches[0].strength))
		for word := range l.wordsOf(m.group) {
			weights[word] += w
		}
	}
}

// A match is a group with the strength of its match with a question, at most 1.
type match struct {
	group    uint32
	strength float64
}

// stronger orders matches by falling strength.
func stronger(a, b match) int {
	return cmp.Or(cmp.Compare(b.strength, a.strength), cmp.Compare(a.group, b.group))
}
