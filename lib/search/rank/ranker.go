// Package rank answers questions in words: it gathers evidence for every chunk that may be a hit, weighs the evidence, and joins chunks that belong together into results.
//
// Begin with ask.go, which takes a question through its steps: words (scoring.go, typo.go, longtext.go), the lexicon's words for them (concepts.go), similarity of
// embeddings (vectors.go), then the weighted sum of all signals (rank.go). signals.go is the table of signals and their weights. merge.go, sections.go, join.go and
// twins.go join hits that are alike; doubt.go tells guesses from answers; reasons.go says why a hit is where it is.
package rank

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"cortex/lib/search/concept"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// Merging says how hits of one document become one, and what hits of this tree count beside those of others.
type Merging struct {
	// Threshold is the number of sections below one heading that must be hits for their parent to take their place.
	Threshold int
	// Bonus is the share of the best section's score that each of them adds to the parent's.
	Bonus float64
	// MaxDepth is how many levels up hits may be merged; 0 for none.
	MaxDepth int
	// LocalBoost is the weight of hits in the store's own tree, the one without a name, beside those of others.
	LocalBoost float64
}

// DefaultMerging are the values of Settings without any.
func DefaultMerging() Merging { return Merging{Threshold: 2, Bonus: 0.1, MaxDepth: 2, LocalBoost: 1.5} }

// A Ranker ranks the chunks of a corpus for questions. Its methods may be called at once.
type Ranker struct {
	*corpus.Corpus
	// ranking is what signals count, and merging how hits of one document become one.
	ranking Ranking
	merging Merging
	// typos tells that misspelt words of questions are looked for in other spellings.
	typos   bool
	vectors *vectorIndex
	names   func() *nameTable
	sizes   func() sizeTable
	// outlines tells outlines from other chunks.
	outlines func() *outlineSets
	places   func() *corpus.Places
	// lexicon has the words that code has for what people say.
	lexicon func() *concept.Lexicon
	// meaningOf is the embedding by which the lexicon is compared with a question, nil if there is none.
	meaningOf func(topic string) []float32
	// buffers are for findWords.
	buffers *sync.Pool
	// tests has the chunks of test code and fixtures, where Warm has found them: few requests would be worth it.
	tests *atomic.Pointer[corpus.Set]
	// ofSeveral tells that the index has trees with names.
	ofSeveral func() bool
}

// New makes a ranker. meaningOf gives the embedding of a question by the model with which the lexicon was compiled, nil if there is none.
func New(c *corpus.Corpus, merging Merging, typos bool, meaningOf func(topic string) []float32) *Ranker {
	return &Ranker{
		Corpus: c, meaningOf: meaningOf, ranking: DefaultRanking(), merging: merging, typos: typos, vectors: newVectorIndex(c.Generation),
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

// Over is the ranker of the same chunks as another request asks it, over whose corpus it is. What is built once for all questions is shared.
func (x *Ranker) Over(c *corpus.Corpus) *Ranker {
	own := *x
	own.Corpus, own.vectors = c, newVectorIndex(c.Generation)
	return &own
}

// Warm builds what questions will need.
func (x *Ranker) Warm(ctx context.Context) error {
	for _, table := range []func(){func() { x.names() }, func() { x.WithLines() }, func() { x.sizes() }, func() { x.outlines() }, x.findTests} {
		if err := ctx.Err(); err != nil {
			return err
		}
		table()
	}
	return nil
}

// WithoutMeaning is the cure where there are no embeddings.
const WithoutMeaning = "use the mode keyword, or make the index with cortex-embed in the pipeline"

// openLexicon opens the lexicon in the binary, which a test has read.
func openLexicon() *concept.Lexicon {
	l, err := concept.Default()
	if err != nil {
		return nil
	}
	return l
}

// testIn reports chunks, which are asked in ascending order, of test code or a fixture.
func (x *Ranker) testIn() func(chunk int) bool {
	next, fixture := 0, false
	return func(chunk int) bool {
		if chunk >= next {
			_, next = x.Generation.FileAt(chunk)
			fixture = isFixture(x.Generation.FilePath(chunk))
		}
		return fixture || corpus.IsTest(x.Generation, chunk)
	}
}

// findTests makes the set of the chunks that testIn reports.
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
