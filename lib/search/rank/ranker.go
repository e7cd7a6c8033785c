// Package rank answers questions in words: it gathers evidence for every chunk that may be a hit, weighs the evidence,
// and joins chunks that belong together into results.
//
// Begin with ask.go, which takes a question through its steps: words (scoring.go, typo.go, report.go), the lexicon's
// words for them (concepts.go), similarity of embeddings (package near), then the weighted sum of all signals
// (rank.go). signals.go is the table of signals and their weights; mentions.go finds what the question names, kinds.go
// tells tests, documentation, types and values apart. merge.go, sections.go, join.go and twins.go join hits that are
// alike; doubt.go tells guesses from answers; reasons.go says why a hit is where it is.
package rank

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"cortex/lib/search/concept"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/near"
)

// Merging says how hits of one document become one hit, and how much hits of the store's own tree count.
type Merging struct {
	// Threshold is the number of sections below one heading that must be hits for the heading to replace them.
	Threshold int
	// Bonus is the share of the best section's score that each section adds to the score of its heading.
	Bonus float64
	// MaxDepth is how many levels up hits may be merged; 0 for none.
	MaxDepth int
	// LocalBoost is the weight of hits in the store's own tree, which has no name, relative to hits in other trees.
	LocalBoost float64
}

// DefaultMerging returns the values that apply if no settings are given.
func DefaultMerging() Merging { return Merging{Threshold: 2, Bonus: 0.1, MaxDepth: 2, LocalBoost: 1.5} }

// A Ranker ranks the chunks of a corpus for questions. Its methods may be called concurrently.
type Ranker struct {
	*corpus.Corpus
	// ranking holds the weights of signals; merging says how hits of one document become one.
	ranking Ranking
	merging Merging
	// typos says whether words of questions that occur nowhere are searched for in other spellings.
	typos    bool
	vectors  *near.Index
	names    func() *nameTable
	sizes    func() sizeTable
	outlines func() *outlineSets
	places   func() *corpus.Places
	// lexicon returns the lexicon of concepts; nil if it cannot be opened.
	lexicon func() *concept.Lexicon
	// meaningOf returns the embedding of a question by the model that compiled the lexicon; nil if there is none.
	meaningOf func(topic string) []float32
	buffers   *sync.Pool
	// tests holds the chunks of test code and fixtures after Warm; finding them does not pay for a few requests.
	tests *atomic.Pointer[corpus.Set]
	// ofSeveral reports whether the index has trees with names.
	ofSeveral func() bool
}

// New returns a ranker. meaningOf returns the embedding of a question by the model that compiled the lexicon, or nil.
func New(c *corpus.Corpus, merging Merging, typos bool, meaningOf func(topic string) []float32) *Ranker {
	return &Ranker{
		Corpus: c, meaningOf: meaningOf, ranking: DefaultRanking(), merging: merging, typos: typos, vectors: near.New(c.Generation),
		names:    sync.OnceValue(func() *nameTable { return newNameTable(c.Generation) }),
		outlines: sync.OnceValue(func() *outlineSets { return newOutlineSets(c.Generation) }),
		sizes:    sync.OnceValue(func() sizeTable { return newSizeTable(c.Generation) }),
		places:   sync.OnceValue(func() *corpus.Places { return corpus.NewPlaces(c.Generation) }),
		lexicon:  sync.OnceValue(openLexicon),
		buffers:  &sync.Pool{New: func() any { return new([]occurrence) }},
		tests:    &atomic.Pointer[corpus.Set]{},
		ofSeveral: sync.OnceValue(func() bool {
			return slices.ContainsFunc(c.Generation.Values(index.Tree), func(tree string) bool { return tree != "" })
		}),
	}
}

// Over returns a ranker that reads through the corpus of another request and shares the tables that are built once.
func (x *Ranker) Over(c *corpus.Corpus) *Ranker {
	own := *x
	own.Corpus, own.vectors = c, near.New(c.Generation)
	return &own
}

// Warm builds the tables that questions need. It stops between tables if ctx is done.
func (x *Ranker) Warm(ctx context.Context) error {
	for _, table := range []func(){func() { x.names() }, func() { x.WithLines() }, func() { x.sizes() }, func() { x.outlines() }, x.findTests} {
		if err := ctx.Err(); err != nil {
			return err
		}
		table()
	}
	return nil
}

// WithoutMeaning is the hint for a request that needs embeddings where the index has none.
const WithoutMeaning = "use the mode keyword, or make the index with cortex-embed in the pipeline"

// openLexicon opens the lexicon in the binary. A test makes sure that it can be read.
func openLexicon() *concept.Lexicon {
	l, err := concept.Default()
	if err != nil {
		return nil
	}
	return l
}

// testIn returns a function that reports whether a chunk is test code, a fixture or a translation. Call it with
// ascending chunks.
func (x *Ranker) testIn() func(chunk int) bool {
	next, copies := 0, false
	return func(chunk int) bool {
		if chunk >= next {
			_, next = x.Generation.FileAt(chunk)
			file := x.Generation.FilePath(chunk)
			copies = isFixture(file) || corpus.IsTranslation(file)
		}
		return copies || corpus.IsTest(x.Generation, chunk)
	}
}

// findTests sets tests to the chunks that testIn reports.
func (x *Ranker) findTests() {
	if x.tests.Load() != nil {
		return
	}
	set, isTest := corpus.NewSet(x.Generation.Len()), x.testIn()
	for i := range x.Generation.Len() {
		if isTest(i) {
			set.Add(i)
		}
	}
	x.tests.Store(&set)
}
