package read

import (
	"slices"
	"sync"

	"cortex/lib/search"
	"cortex/lib/search/index"
)

// A tree is a row of cortex.trees.
type tree struct {
	treeVersion
	// written identifies the content of the tree.
	written                        string
	name, analyser, stemmer, model string
	modelID                        int32 // 0 for none
	dimensions                     int
	chunks, files, unembedded      int
}

// A treeVersion is a generation of a tree.
type treeVersion struct {
	id         int32
	generation int64
}

// A state is one generation of each tree.
type state struct {
	trees []tree
	// model is the model of the vectors that are searched, with its number and dimensions; "" for none.
	model      string
	modelID    int32
	dimensions int
	chunks     int
	ids        []int32
	place      map[int32]int      // index in trees by the tree's identifier
	catalogues []*index.Catalogue // remote refers to them
	remote     *search.Remote
	facts      *known
}

// generations returns the sum of the trees' generations, which grows with every change.
func (s *state) generations() (sum int64) {
	for _, t := range s.trees {
		sum += t.generation
	}
	return sum
}

func (s *state) is(trees []tree) bool {
	return slices.EqualFunc(s.trees, trees, func(a, b tree) bool { return a.treeVersion == b.treeVersion })
}

// A catalogue is the catalogue of one generation of a tree.
type catalogue struct {
	treeVersion
	*index.Catalogue
}

// A known caches what was read of lexemes, for all sessions with the same state.
type known struct {
	mu     sync.Mutex
	counts map[string]int
	terms  map[string][]string // by prefix
	// whole has the terms of dictionaries, nil for a dictionary with too many.
	whole map[int][]string
	kept  int
}

// maxKnown bounds the number of lexemes in a known.
const maxKnown = 1 << 20

// maxWhole is the greatest number of terms of a dictionary that are kept for Near. An index with more chunks has more
// terms, so its dictionaries are not read.
const maxWhole = maxKnown / 2

func newKnown() *known {
	return &known{counts: map[string]int{}, terms: map[string][]string{}, whole: map[int][]string{}}
}

// room adds n to the size, and empties the cache if that exceeds maxKnown.
func (k *known) room(n int) {
	if k.kept += n; k.kept > maxKnown {
		clear(k.counts)
		clear(k.terms)
		clear(k.whole)
		k.kept = n
	}
}

// split returns the trees' identifiers and the numbers of the chunks.
func split(s *state, refs []index.Ref) (trees, numbers []int32) {
	for _, r := range refs {
		trees, numbers = append(trees, s.trees[r.Tree].id), append(numbers, int32(r.Number))
	}
	return trees, numbers
}
