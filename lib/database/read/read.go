// Package read answers questions from an index in PostgreSQL: lib/search and lib/graph use it in place of the segments
// and tables of an index on disk.
//
// A Reader follows some trees of a database. It keeps a catalogue of each tree in memory: the places and symbols of its
// chunks. Each question has a Session, a transaction that sees one state of the database: it compares the generations
// of the trees with those of the catalogues, loads what has changed, and reads from the tables what ranking needs. So
// an answer never mixes two generations. Begin with session.go; state.go says what is in memory, and load.go loads it;
// source.go has the statements of search, catalogue.go those of catalogues, graph.go those of the graph.
package read

import (
	"context"
	"errors"
	"sync"

	"cortex/lib/database"
	"cortex/lib/embed"
	"cortex/lib/graph/stored"
	"cortex/lib/search"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// Options configure a Reader.
type Options struct {
	// Trees are the names of the trees to search; empty stands for all trees that the role may see.
	Trees []string
	// Settings are the settings of search.
	Settings search.Settings
	// Embedder opens the embedder for the model of the vectors. It may be nil, and may return nil, for none. The Reader
	// closes the embedder.
	Embedder func(ctx context.Context, model string) (embed.Embedder, error)
	// Progress is called with the number of chunks in loaded catalogues and their total; it may be nil.
	Progress func(done, total int)
	// Jobs is the number of goroutines that open catalogues and build the graph.
	Jobs int
}

// A Reader answers questions about trees of a database. All methods except Close are safe for concurrent use.
type Reader struct {
	db       *database.DB
	opts     Options
	analysis *index.Analysis
	// maxExact is the number of chunks up to which every vector is compared; above it, the vector index is used.
	maxExact int
	// maxWhole is the number of chunks up to which whole dictionaries are kept in memory.
	maxWhole int

	mu sync.Mutex
	// known has the newest catalogue of each tree.
	known map[int32]*catalogue
	// last is the newest state that a session has used.
	last *state
	// loading has a channel for each catalogue that is being read, closed at its end.
	loading map[treeVersion]chan struct{}

	embedders sync.Mutex
	embedder  embed.Embedder
	model     string // the model of embedder

	graphs graphs
}

// graphs has the graph of the last state that was asked for one.
type graphs struct {
	mu   sync.Mutex
	of   *state
	last *stored.Graph
}

// maxExact is the default of Reader.maxExact.
const maxExact = 50_000

// New returns a reader. It does not access the database.
func New(db *database.DB, opts Options) (*Reader, error) {
	stemmer, err := corpus.NewStemmer(opts.Settings.Stemmer)
	if err != nil {
		return nil, err
	}
	return &Reader{db: db, opts: opts, analysis: corpus.Analysis(stemmer), maxExact: maxExact, maxWhole: maxWhole, known: map[int32]*catalogue{}, loading: map[treeVersion]chan struct{}{}}, nil
}

// Close closes the embedder. No session may be open.
func (r *Reader) Close() error {
	if r.embedder == nil {
		return nil
	}
	return r.embedder.Close()
}

// embedderOf returns the embedder for a model, which it opens once. It fails if the model changes.
func (r *Reader) embedderOf(ctx context.Context, model string) (embed.Embedder, error) {
	if model == "" || r.opts.Embedder == nil {
		return nil, nil
	}
	r.embedders.Lock()
	defer r.embedders.Unlock()
	if r.model == model {
		return r.embedder, nil
	}
	e, err := r.opts.Embedder(ctx, model)
	if err != nil {
		return nil, err
	}
	if r.embedder != nil {
		err = errors.New("the model of the index has changed; start again")
		if e != nil {
			err = errors.Join(err, e.Close())
		}
		return nil, err
	}
	r.embedder, r.model = e, model
	return e, nil
}

// Last describes the last state that was used: the sum of the generations of its trees, and the numbers of trees and
// chunks.
func (r *Reader) Last() (generation int64, trees, chunks int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil {
		return 0, 0, 0
	}
	return r.last.generations(), len(r.last.trees), r.last.chunks
}
