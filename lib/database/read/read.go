// Package read answers questions from an index in PostgreSQL: lib/search and lib/graph use it in place of the segments and tables of an index on disk.
//
// A Reader follows some trees of a database. It keeps a catalogue of each tree in memory: what the chunks of the tree are, and where. Each question has a Session, one transaction that sees
// one state of the database: it compares the generations of the trees with those of the catalogues, loads what has changed, and reads from the tables what the ranking asks for.
// So an answer never mixes two generations. Begin with session.go; source.go has the statements of search, catalogue.go those of catalogues, graph.go those of the graph.
package read

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database"
	"cortex/lib/embed"
	"cortex/lib/hint"
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

// New makes a reader. It reads nothing yet.
func New(db *database.DB, opts Options) (*Reader, error) {
	stemmer, err := corpus.NewStemmer(opts.Settings.Stemmer)
	if err != nil {
		return nil, err
	}
	return &Reader{db: db, opts: opts, analysis: corpus.Analysis(stemmer), maxExact: maxExact, known: map[int32]*catalogue{}, loading: map[treeVersion]chan struct{}{}}, nil
}

// Close closes the embedder. No session may be open.
func (r *Reader) Close() error {
	if r.embedder == nil {
		return nil
	}
	return r.embedder.Close()
}

// A tree is a row of cortex.trees.
type tree struct {
	treeVersion
	// written names what the tree holds.
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
	// model is that of the vectors that are asked, with its identifier and dimensions; "" for none.
	model      string
	modelID    int32
	dimensions int
	chunks     int
	ids        []int32
	place      map[int32]int      // of each tree's identifier in trees
	catalogues []*index.Catalogue // to which remote refers
	remote     *search.Remote
	facts      *known
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

// generations is the sum of the trees' generations, which grows with every change.
func (s *state) generations() (sum int64) {
	for _, t := range s.trees {
		sum += t.generation
	}
	return sum
}

func (s *state) is(trees []tree) bool {
	return slices.EqualFunc(s.trees, trees, func(a, b tree) bool { return a.treeVersion == b.treeVersion })
}

// readTrees reads the rows of the trees that are asked, in the order of their names.
func (r *Reader) readTrees(ctx context.Context, tx pgx.Tx) ([]tree, error) {
	rows, err := tx.Query(ctx, `SELECT t.id, t.generation, t.name, t.analyser, t.stemmer, coalesce(m.id, 0), coalesce(m.name, ''), coalesce(m.dimensions, 0), t.chunks, t.files,
		coalesce((t.stats->>'unembedded')::int, 0), t.written::text
		FROM cortex.trees t LEFT JOIN cortex.models m ON m.id = t.model_id WHERE cardinality($1::text[]) = 0 OR t.name = ANY($1) ORDER BY t.name`, append([]string{}, r.opts.Trees...))
	if err != nil {
		return nil, err
	}
	trees, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (t tree, err error) {
		err = row.Scan(&t.id, &t.generation, &t.name, &t.analyser, &t.stemmer, &t.modelID, &t.model, &t.dimensions, &t.chunks, &t.files, &t.unembedded, &t.written)
		return t, err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range r.opts.Trees {
		if !slices.ContainsFunc(trees, func(t tree) bool { return t.name == name }) {
			return nil, r.noTree(ctx, tx, name)
		}
	}
	for _, t := range trees {
		if t.chunks > 0 && t.analyser != r.analysis.Version {
			return nil, hint.Wrap(fmt.Errorf("read tree %q: its words were analysed in another way than they are asked for (%q, not %q)", t.name, t.analyser, r.analysis.Version),
				"index it again with this version of Cortex, or set search.stemmer to "+t.stemmer)
		}
	}
	return trees, nil
}

// noTree tells of a tree that is not there, or not to be seen.
func (r *Reader) noTree(ctx context.Context, tx pgx.Tx, name string) error {
	rows, err := tx.Query(ctx, `SELECT name FROM cortex.trees ORDER BY name`)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	const most = 20
	advice := "index it: cortex-parse . | cortex-chunk | cortex-embed | cortex-store --database URL --tree " + name
	switch near := hint.Nearest(name, names); {
	case near != "":
		advice = fmt.Sprintf("did you mean %q?", near)
	case len(names) > most:
		advice = fmt.Sprintf("it has %d trees, such as %s", len(names), strings.Join(names[:most], ", "))
	case len(names) > 0:
		advice = "it has " + strings.Join(names, ", ")
	}
	return hint.Wrap(fmt.Errorf("tree %q: the database has none of that name", name), advice)
}

// stateOf is the state in which the trees are, with catalogues that are read over the session where they are not known.
func (r *Reader) stateOf(ctx context.Context, tx pgx.Tx, trees []tree) (*state, error) {
	r.mu.Lock()
	last := r.last
	r.mu.Unlock()
	if last != nil && last.is(trees) {
		return last, nil
	}
	s := &state{trees: trees, place: map[int32]int{}, facts: newKnown()}
	byModel := map[string]int{}
	for i, t := range trees {
		s.ids, s.place[t.id] = append(s.ids, t.id), i
		s.chunks += t.chunks
		if t.modelID != 0 {
			byModel[t.model] += t.chunks
		}
	}
	for _, t := range trees {
		// Of several models that of most chunks is asked; the others' chunks are found by their words.
		if t.modelID != 0 && (s.model == "" || byModel[t.model] > byModel[s.model]) {
			s.model, s.modelID, s.dimensions = t.model, t.modelID, t.dimensions
		}
	}
	var err error
	if s.catalogues, err = r.catalogues(ctx, tx, s); err != nil {
		return nil, err
	}
	vectors := 0
	for _, t := range trees {
		if s.modelID != 0 && t.modelID == s.modelID {
			vectors += t.chunks - t.unembedded
		}
	}
	remote, err := index.NewRemote(s.catalogues, s.model, s.dimensions, vectors, r.analysis)
	if err != nil {
		return nil, err
	}
	embedder, err := r.embedderOf(ctx, s.model)
	if err != nil {
		return nil, err
	}
	if s.remote, err = search.NewRemote(remote, embedder, r.opts.Settings); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil || r.last.generations() <= s.generations() {
		r.last = s
		maps.DeleteFunc(r.known, func(id int32, _ *catalogue) bool { _, ok := s.place[id]; return !ok })
	}
	return s, nil
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
