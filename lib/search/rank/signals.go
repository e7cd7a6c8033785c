package rank

import (
	"cmp"
	"math"
	"slices"

	"cortex/lib/search/answer"
	"cortex/lib/search/wording"
)

// A Signal is one reason to rank a chunk high or low.
type Signal uint8

// The signals.
const (
	// Words is the BM25 score of the chunk, divided by the best one.
	Words Signal = iota
	// FileWords is the mean of the three best word scores of the chunk's file, divided by the best file's.
	FileWords
	// Name is how far the question accounts for the name of the file or section.
	Name
	// Outline is the BM25 score of the file's outline, divided by the best one.
	Outline
	// NamedType is set where a capitalised word of the question is a type that the chunk declares. It is namedByWords
	// for a type or value that is asked for by the words of its name.
	NamedType
	// Declares is how well the chunk declares the identifier that is the question, or has the question as its heading.
	Declares
	// Mentioned is set for chunks that have an identifier which the question names among other words, or declare it.
	Mentioned
	// Coverage is the share of the question's words, by rarity, that the chunk has.
	Coverage
	// Headline is the BM25 score for the first line of a report, divided by the best one.
	Headline
	// Place is set if a report gives the file's path or its module.
	Place
	// Line is set for the chunk of a line that the text points to: 1 for the first line, 1/√n for the nth.
	Line
	// Size is the size of the file, from -1 to 1 (see sizeTable); small files say less.
	Size
	// Tests, Asides and Prose are set for test code, for examples and translations, and for documentation, unless the
	// question asks for these. Tests is testAsked for test code that is asked for. Prose is -1 for sections that match
	// the question at least as well as any code, and proseOfUse for documentation if the question is about use.
	Tests
	Asides
	Prose
	// Listing is set for code other than a definition with its body: lists of declarations, lines between definitions.
	// It is stub for definitions of a few lines, byItself for types and values, and askedFor for those that the
	// question asks for.
	Listing
	// Meaning is the similarity of the embeddings, FileMeaning that of the file as a whole (see Topic.meanings). In
	// both, 0 is the similarity of the poolMeaning-th best chunk.
	Meaning
	FileMeaning
	signals
)

var signalNames = [signals]string{"words", "file words", "name", "outline", "type", "declares", "mentioned", "coverage",
	"headline", "place", "line", "size", "tests", "asides", "prose", "listing", "meaning", "file meaning"}

// String returns the name of the signal, which explanations show.
func (s Signal) String() string { return signalNames[s] }

// AllSignals returns the signals in the order of the table above.
func AllSignals() []Signal {
	list := make([]Signal, signals)
	for i := range list {
		list[i] = Signal(i)
	}
	return list
}

// proseOfUse is the value of Prose for documentation if the question is about use.
const proseOfUse = -2

// Weights holds the weight of each signal.
type Weights [signals]float64

// A Ranking holds the weights without and with embeddings. scripts/relevance measures the effect of each.
type Ranking struct{ Lexical, Hybrid Weights }

const (
	// borneOut is the coverage of the best chunk from which on the question is taken to use the words of the code.
	borneOut = 0.9
	// meaningFar and fileMeaningFar say how much the weights of meaning grow if no word of a short question occurs.
	meaningFar, fileMeaningFar = 8.0, 4.0
	// proseOfReport is the factor of the weight of Prose for a report, which is about code. meaningOfReport and
	// fileMeaningOfReport are those of the weights of meaning: the embedding of a long text says little, least of all
	// about a single place.
	proseOfReport, meaningOfReport, fileMeaningOfReport = 5.0, 0.2, 0.7
)

// weights returns the weights for the topic. For a short question, meaning counts the more, the less of the question
// the best chunk covers, unless it names an identifier that occurs; no chunk covers most words of a long one. The more
// words a question has, the more often one of them matches a file's name by chance, and the more the first line of a
// report says.
func (a *Topic) weights(usual *Weights) *Weights {
	w, brief := *usual, wording.Brevity(a.substance)
	w[Name] *= brief
	w[Size] *= brief
	far := brief * max(borneOut-a.coverage, 0) / borneOut
	if a.named {
		far = 0
	}
	w[Meaning] *= 1 + meaningFar*far
	w[FileMeaning] *= 1 + fileMeaningFar*far
	if a.Headline != "" {
		w[Meaning] *= meaningOfReport
		w[FileMeaning] *= fileMeaningOfReport
	}
	w[Headline] *= 1 - brief
	w[Line] *= 1 + brief
	if len(a.lines) == 0 {
		w[Place] *= 1 - brief
		w[Line] = 0 // so that span does not include it
	}
	if a.isAboutCode() {
		w[Prose] *= proseOfReport
	}
	return &w
}

// of returns the weights for a mode, which must not be Auto.
func (r *Ranking) of(mode answer.Mode) *Weights {
	if mode == answer.Keyword {
		return &r.Lexical
	}
	return &r.Hybrid
}

// DefaultRanking returns the weights, which are round numbers; docs/ranking.md has the effect of each.
func DefaultRanking() Ranking {
	lexical := Weights{
		Words: .6, Coverage: .4, FileWords: .5, Name: .4, Outline: .3,
		NamedType: .6, Declares: 1, Mentioned: .6, Headline: .7, Place: .6, Line: 1,
		Size: .4, Tests: -1, Asides: -.4, Prose: -.2, Listing: -.2,
	}
	hybrid := lexical
	hybrid[Meaning], hybrid[FileMeaning] = .4, .4
	return Ranking{lexical, hybrid}
}

// behindBest is the share of the distance to the file's best place, by place signals, that a place loses in addition.
const behindBest = 0.15

// ofPlaces marks the signals that differ between places of one file; the others are evidence for the file as a whole.
var ofPlaces = [signals]bool{Words: true, Coverage: true, NamedType: true, Declares: true, Mentioned: true, Headline: true, Line: true, Listing: true, Meaning: true}

// evidence holds the values of a candidate's signals.
type evidence [signals]float32

// ofPlace returns the weighted sum of the place signals.
func (w *Weights) ofPlace(e *evidence) float64 {
	sum := 0.0
	for s, value := range e {
		if ofPlaces[s] {
			sum += w[s] * float64(value)
		}
	}
	return sum
}

func (w *Weights) sum(e *evidence) float64 {
	sum := 0.0
	for s, value := range e {
		sum += w[s] * float64(value)
	}
	return sum
}

// span returns the number that sums are divided by to make scores: the difference between the greatest and the least
// possible sum, apart from what test code, types and values gain if the question asks for them.
func (w *Weights) span() float64 {
	span, ofPlace := math.Abs(w[Size])-proseOfUse*math.Abs(w[Prose]), listingInFile // Size goes down to -1, Prose to proseOfUse
	for s, weight := range w {
		span += math.Abs(weight)
		if ofPlaces[s] {
			ofPlace += math.Abs(weight)
		}
	}
	return span + listingInFile + behindBest*ofPlace
}

// reasons returns the signals that contribute to the score, those with the greatest effect first.
func (w *Weights) reasons(e *evidence) []answer.Reason {
	span := w.span()
	var list []answer.Reason
	for s, value := range e {
		if gain := w[s] * float64(value); gain != 0 {
			list = append(list, answer.Reason{Signal: Signal(s).String(), Value: hundredths(float64(value)), Gain: hundredths(gain / span)})
		}
	}
	slices.SortStableFunc(list, func(a, b answer.Reason) int { return cmp.Compare(math.Abs(b.Gain), math.Abs(a.Gain)) })
	return list
}

// listingInFile is an extra penalty for a listing in the comparison with other places of its file.
const listingInFile = 0.3

func hundredths(v float64) float64 { return math.Round(v*100) / 100 }
