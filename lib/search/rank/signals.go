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
	// Words is the BM25 of the chunk over the question's best.
	Words Signal = iota
	// FileWords is the mean of the three best Words of the chunk's file, over the best file's.
	FileWords
	// Name is how far the question accounts for the file's name, or a section's.
	Name
	// Outline is the BM25 of the file's outline, over the best one.
	Outline
	// NamedType is set where a capitalised word of the question is a type that the chunk declares.
	NamedType
	// Declares is how well the chunk declares the identifier that is the question.
	Declares
	// Mentioned is set for a place that has an identifier which the question names among other words, and for its declaration.
	Mentioned
	// Coverage is the share of the question's words, by their rarity, that the chunk has.
	Coverage
	// Headline is the BM25 of the first line of a report, over the best one. Place is set
	// where a report gives the file's path or its module.
	Headline
	Place
	// Line is set for the place of a line that the text gives: 1 for the first line, 1/√n for the nth.
	Line
	// Size is that of the file; small ones have less to say.
	Size
	// Tests, Examples and Prose are set for test code, what stands in a folder of examples,
	// and documentation, unless the question asks for such. Prose is -1 for sections that have as much of the question
	// as any code, and proseOfUse for documentation where the question is about use.
	Tests
	Examples
	Prose
	// Listing is set for what is no definition with its body: lists of declarations, blocks of data, and lines between definitions;
	// in part for definitions of a few lines.
	Listing
	// Meaning is the likeness of the embeddings, and FileMeaning that of the file as a whole (Topic.meanings), both with the
	// poolMeaning-th best chunk as 0.
	Meaning
	FileMeaning
	signals
)

var signalNames = [signals]string{"words", "file words", "name", "outline", "type", "declares", "mentioned", "coverage",
	"headline", "place", "line", "size", "tests", "examples", "prose", "listing", "meaning", "file meaning"}

// String is the name of the signal, as reasons have it.
func (s Signal) String() string { return signalNames[s] }

// AllSignals lists the signals.
func AllSignals() []Signal {
	list := make([]Signal, signals)
	for i := range list {
		list[i] = Signal(i)
	}
	return list
}

// proseOfUse is Prose of documentation where the question is about use.
const proseOfUse = -2

// Weights says what each signal counts.
type Weights [signals]float64

// A Ranking holds the weights for questions without embeddings and with them.
// scripts/relevance measures what each gives.
type Ranking struct{ Lexical, Hybrid Weights }

const (
	// borneOut is the coverage of the best chunk from which on the words of a question are taken for those of the code.
	borneOut = 0.9
	// meaningFar and fileMeaningFar are by how much more meaning counts where no word of a short question occurs.
	meaningFar, fileMeaningFar = 8.0, 2.5
	// proseOfReport is by how much more documentation is pushed down by a report, which is about code.
	proseOfReport = 5.0
)

// weights are the weights for the topic. The less of a short question the best chunk has, the more meaning counts; nothing has most words of a long one. The more words there are, the more often one of them accounts for a file's name by
// chance, and the more says the first line of a report.
func (a *Topic) weights(usual *Weights) *Weights {
	w, brief := *usual, wording.Brevity(a.substance)
	w[Name] *= brief
	w[Size] *= brief
	far := brief * max(borneOut-a.coverage, 0) / borneOut
	w[Meaning] *= 1 + meaningFar*far
	w[FileMeaning] *= 1 + fileMeaningFar*far
	w[Headline] *= 1 - brief
	w[Line] *= 1 + brief
	if len(a.lines) == 0 {
		w[Place] *= 1 - brief
		w[Line] = 0 // and no part of what a score is a share of
	}
	if a.isAboutCode() {
		w[Prose] *= proseOfReport
	}
	return &w
}

// of gives the weights for a mode that is not Auto.
func (r *Ranking) of(mode answer.Mode) *Weights {
	if mode == answer.Keyword {
		return &r.Lexical
	}
	return &r.Hybrid
}

// DefaultRanking are round numbers; docs/ranking.md has what each gives.
func DefaultRanking() Ranking {
	lexical := Weights{
		Words: .6, Coverage: .4, FileWords: .5, Name: .4, Outline: .3,
		NamedType: .6, Declares: 1, Mentioned: .6, Headline: .7, Place: .6, Line: 1,
		Size: .4, Tests: -1, Examples: -.4, Prose: -.2, Listing: -.2,
	}
	hybrid := lexical
	hybrid[Meaning], hybrid[FileMeaning] = .3, .35
	return Ranking{lexical, hybrid}
}

// behindBest is the share of what a place has less than the best one of its file, by the signals of places alone, that it loses besides.
const behindBest = 0.15

// ofPlaces are the signals that tell places of one file apart; the others are evidence for the file.
var ofPlaces = [signals]bool{Words: true, Coverage: true, NamedType: true, Declares: true, Mentioned: true, Headline: true, Line: true, Listing: true, Meaning: true}

// evidence are the values of a candidate's signals.
type evidence [signals]float32

// ofPlace is sum of the signals of places.
func (w *Weights) ofPlace(e *evidence) float64 {
	sum := 0.0
	for s, value := range e {
		if ofPlaces[s] {
			sum += w[s] * float64(value)
		}
	}
	return sum
}

// sum is the evidence as the weights have it.
func (w *Weights) sum(e *evidence) float64 {
	sum := 0.0
	for s, value := range e {
		sum += w[s] * float64(value)
	}
	return sum
}

// span is the difference between the greatest and the least score that are possible.
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

// reasons lists the signals that are not 0, those that matter most first.
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

// listingInFile is what a listing has less besides beside other places of its file.
const listingInFile = 0.3

func hundredths(v float64) float64 { return math.Round(v*100) / 100 }
