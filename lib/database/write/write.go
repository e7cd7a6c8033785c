// Package write writes trees into a database: a Writer is the target of update.RunInto.
//
// Each run is one transaction under the advisory lock of its tree. The rows of changed files are replaced. An unchanged
// chunk keeps its row and its number; a changed one gets the next number of the tree, and its postings are added.
// Postings of removed chunks stay until they outnumber the others; then all are rewritten. Begin with write.go; tree.go
// applies a change, words.go makes postings, rows.go writes rows into tables.
package write

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database"
	"cortex/lib/database/tree"
	"cortex/lib/hint"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/store/layout"
	"cortex/lib/store/update"
)

// A Writer writes into one database.
type Writer struct {
	DB *database.DB
	// Stemmer is the language of the stems by which words are found, "" for the default.
	Stemmer string
	// Patience is how long a run waits for the lock of a tree; 0 stands for usualPatience.
	Patience time.Duration
	// Warn is called with messages for the user.
	Warn func(format string, args ...any)

	// Now is the clock for commits without a run; nil stands for time.Now.
	Now func() time.Time

	limits
	// as is the role that writes, "" for the connected user.
	as string
}

// usualPatience is how long a run waits for another writer of the same tree. When a writer is killed, the server ends
// its transaction as soon as it notices.
const usualPatience = time.Minute

// lockInterval is the time between two attempts to take a lock.
const lockInterval = 100 * time.Millisecond

// Update implements update.Target.
func (w *Writer) Update(ctx context.Context, of update.Preview, apply func(ctx context.Context, t update.Tree) error) error {
	stemmer, err := corpus.NewStemmer(w.Stemmer)
	if err != nil {
		return err
	}
	analysis := corpus.Analysis(stemmer)
	return w.DB.Explain(w.DB.Retry(ctx, func(ctx context.Context) error {
		model, err := w.model(ctx, of)
		if err != nil {
			return err
		}
		return w.update(ctx, of, model, analysis, apply)
	}))
}

// model returns the number of the run's model, 0 for none. A new model is committed before the run, with the index of
// its vectors, so that no writer waits for another one.
func (w *Writer) model(ctx context.Context, of update.Preview) (id int, err error) {
	if of.Dimensions == 0 {
		return 0, nil
	}
	const find = `SELECT id FROM cortex.models WHERE name = $1 AND dimensions = $2`
	err = w.DB.Pool().QueryRow(ctx, find, of.Model, of.Dimensions).Scan(&id)
	if !errors.Is(err, pgx.ErrNoRows) {
		return id, err
	}
	err = pgx.BeginFunc(ctx, w.DB.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('cortex models', 0))`); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, find, of.Model, of.Dimensions).Scan(&id)
		if !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if err := tx.QueryRow(ctx, `INSERT INTO cortex.models (name, dimensions) VALUES ($1, $2) RETURNING id`, of.Model, of.Dimensions).Scan(&id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `SELECT cortex.index_model($1)`, id)
		return err
	})
	return id, err
}

// update applies the run in one transaction.
func (w *Writer) update(ctx context.Context, of update.Preview, model int, a *index.Analysis, apply func(ctx context.Context, t update.Tree) error) error {
	tx, err := w.DB.Pool().Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	if tx, err = w.lock(ctx, tx, of.Tree); err != nil {
		return err
	}
	t, err := w.open(ctx, tx, of.Tree, a)
	if err != nil {
		return err
	}
	if t.model = model; model == 0 {
		t.model = t.old.ModelID
	}
	if err := apply(ctx, t); err != nil || t.committed {
		return err
	}
	if t.known && t.old.Analyser != a.Version {
		next := t.old.Manifest
		next.Generation++
		now := time.Now
		if w.Now != nil {
			now = w.Now
		}
		next.GeneratedAt = now().UTC().Format(layout.TimeLayout)
		return t.Commit(ctx, &next)
	}
	return nil
}

// lock takes the lock of the tree in the transaction. If another process holds it, lock retries in new transactions,
// and returns the last one.
func (w *Writer) lock(ctx context.Context, tx pgx.Tx, name string) (pgx.Tx, error) {
	patience := w.Patience
	if patience == 0 {
		patience = usualPatience
	}
	deadline := time.Now().Add(patience)
	for said := false; ; said = true {
		held := false
		err := tx.QueryRow(ctx, `SELECT pg_try_advisory_xact_lock(hashtextextended('cortex tree ' || $1, 0))`, name).Scan(&held)
		if err != nil || held {
			return tx, err
		}
		if time.Now().After(deadline) {
			return tx, hint.Wrap(fmt.Errorf("%s in database %q is being written by another process", describe(name), w.DB.Name()), "try again when it has ended")
		}
		if !said {
			w.Warn("%s is being written by another process: waiting for it", describe(name))
		}
		if err := tx.Rollback(ctx); err != nil {
			return tx, err
		}
		select {
		case <-time.After(lockInterval):
		case <-ctx.Done():
			return tx, ctx.Err()
		}
		if tx, err = w.DB.Pool().Begin(ctx); err != nil {
			return tx, err
		}
	}
}

func describe(name string) string {
	if name == "" {
		return "the tree without a name"
	}
	return fmt.Sprintf("tree %q", name)
}

// open reads the row of the tree, and inserts one if there is none.
func (w *Writer) open(ctx context.Context, tx pgx.Tx, name string, a *index.Analysis) (*change, error) {
	if w.as != "" {
		if _, err := tx.Exec(ctx, `SELECT set_config('role', $1, true)`, w.as); err != nil {
			return nil, err
		}
	}
	var version string
	restricted := false
	if err := tx.QueryRow(ctx, `SELECT version(), row_security_active('cortex.chunks')`).Scan(&version, &restricted); err != nil {
		return nil, err
	}
	t := &change{limits: w.limits, tx: tx, analysis: a, stemmer: w.Stemmer}
	switch {
	case strings.Contains(version, "PGlite"):
		t.by = inserted
	case restricted:
		t.by = staged
	}
	list, err := tree.All(ctx, tx, []string{name})
	if err != nil {
		return nil, err
	}
	if t.known = len(list) > 0; t.known {
		t.old = list[0]
	} else {
		t.old = &tree.Tree{Name: name}
		err = tx.QueryRow(ctx, `INSERT INTO cortex.trees (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id`, name).Scan(&t.old.ID)
		if err != nil {
			return nil, err
		}
	}
	_, err = tx.Exec(ctx, `CREATE TEMPORARY TABLE cortex_counts (lexeme text COLLATE "C" NOT NULL, chunks integer NOT NULL) ON COMMIT DROP`)
	t.start()
	return t, err
}
