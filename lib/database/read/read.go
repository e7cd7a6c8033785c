// Package read answers questions from an index in PostgreSQL: lib/search and lib/graph use it in place of the segments and tables of an index on disk.
//
// A Reader follows some trees of a database. It keeps a catalogue of each tree in memory: what the chunks of the tree are, and where. Each question has a Session, one transaction that sees
// one state of the database: it compares the generations of the trees with those of the catalogues, loads what has changed, and reads from the tables what the ranking asks for.
// So an answer never mixes two generations. Begin with session.go; state.go says what a session knows before it asks, and load.go loads it;
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

// Options shape a Reader.
type Options struct {
	// Trees are the names of the trees that are asked, all that the role may see if there are none.
	Trees []string
	// Settings are those of search.
	Settings search.Settings
	// Embedder opens the embedder for the model of the vectors; nil, and a nil one, for none. The Reader closes it.
	Embedder func(ctx context.Context, model string) (embed.Embedder, error)
	// Progress is told how many chunks of how many are in catalogues, where any must be loaded; nil for nobody.
	Progress func(done, total int)
	// Jobs is the number of workers.
	Jobs int
}

// A Reader answers questions about trees of a database. All methods may be called at once, except Close.
type Reader struct {
	db       *database.DB
	opts     Options
	analysis *index.Analysis
	// maxExact is the number of chunks up to which the vector of each is compared; of more, the index of vectors is asked.
	maxExact int
	// maxWhole is the number of chunks up to which whole dictionaries are kept.
	maxWhole int

	mu sync.Mutex
	// known are the newest catalogues by tree.
	known map[int32]*catalogue
	// last is the newest state of all trees that was asked.
	last *state
	// loading are the catalogues that are on their way.
	loading map[treeVersion]chan struct{}

	embedders sync.Mutex
	embedder  embed.Embedder
	model     string // of embedder

	graphs graphs
}

// graphs has the graph of the state that was asked last.
type graphs struct {
	mu   sync.Mutex
	of   *state
	last *stored.Graph
}

// maxExact is the usual Reader.maxExact.
const maxExact = 50_000

// New makes a reader. It reads nothing yet.
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

// embedderOf opens the embedder for a model, once.
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

// Last is the state that was asked last: the sum of the generations of its trees, how many trees there are and how many chunks they have.
func (r *Reader) Last() (generation int64, trees, chunks int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil {
		return 0, 0, 0
	}
	return r.last.generations(), len(r.last.trees), r.last.chunks
}
