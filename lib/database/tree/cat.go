package tree

import (
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database"
	"cortex/lib/database/schema"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// Named returns the trees with the given names, or all trees if there are no names. If one is missing, the error wraps
// fs.ErrNotExist and has a hint.
func Named(ctx context.Context, db *database.DB, q Queryer, names []string) ([]*Tree, error) {
	var wanted []string
	if len(names) > 0 {
		wanted = names
	}
	list, err := All(ctx, q, wanted)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.ContainsFunc(list, func(t *Tree) bool { return t.Name == name }) {
			return nil, hint.Wrap(fmt.Errorf("no tree %q in database %q%w", name, db.Name(), errNotThere),
				"index it: cortex-parse --tree "+name+" . | cortex-chunk | cortex-embed | cortex-store --database URL; names of trees: cortex-store status --database URL")
		}
	}
	if len(list) == 0 {
		return nil, hint.Wrap(fmt.Errorf("no index in database %q%w", db.Name(), errNotThere), "write one: cortex-parse --tree NAME . | cortex-chunk | cortex-embed | cortex-store --database URL")
	}
	return list, nil
}

// List is Named in its own transaction.
func List(ctx context.Context, db *database.DB, names []string) (list []*Tree, err error) {
	err = db.Read(ctx, func(tx pgx.Tx) error {
		list, err = Named(ctx, db, tx, names)
		return err
	})
	return list, err
}

// notThere is fs.ErrNotExist to errors.Is, without text.
type notThere struct{}

func (notThere) Error() string        { return "" }
func (notThere) Is(target error) bool { return target == fs.ErrNotExist }

var errNotThere = notThere{}

// Cat writes trees as a stream of records from which a store is made, as store.Cat does. It sees one state of the
// database, whatever writers commit meanwhile.
func Cat(ctx context.Context, db *database.DB, names []string, w *jsonl.Writer, opts store.CatOptions) error {
	return db.Explain(pgx.BeginTxFunc(ctx, db.Pool(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		list, err := Named(ctx, db, tx, names)
		if err != nil {
			return err
		}
		for _, t := range list {
			if err := t.cat(ctx, tx, w, opts); err != nil {
				return err
			}
			if err := w.Flush(); err != nil {
				return err
			}
		}
		return nil
	}))
}

func (t *Tree) cat(ctx context.Context, tx pgx.Tx, w *jsonl.Writer, opts store.CatOptions) error {
	files := 0
	heads, err := Heads(ctx, tx, t.ID, nil)
	if err != nil {
		return err
	}
	for _, f := range heads {
		if f.Record.Status != "" {
			files++
		}
	}
	whole := len(opts.Types) == 0
	if whole {
		begin := &record.Begin{Schema: record.Schema, Tree: t.Name, Mode: record.Full, Files: files, Settings: t.Manifest.Trees[t.Name].Settings}
		if err := w.Write(begin); err != nil {
			return err
		}
	}
	for _, stray := range []bool{false, true} {
		if stray && files == len(heads) {
			break
		}
		err := t.Each(ctx, tx, func(f *File) error {
			if (f.File.Record.Status == "") != stray {
				return nil
			}
			return f.cat(w, opts)
		})
		if err != nil {
			return err
		}
		if whole && !stray {
			if err := w.Write(&record.End{Files: files}); err != nil {
				return err
			}
		}
	}
	return nil
}

// cat writes the records of one file.
func (f *File) cat(w *jsonl.Writer, opts store.CatOptions) error {
	if f.File.Record.Status != "" && len(opts.Types) == 0 {
		full, err := f.Full()
		if err != nil {
			return err
		}
		if err := w.Write(full); err != nil {
			return err
		}
	}
	for i := range f.Chunks {
		c := f.Chunks[i].Record
		if len(opts.Types) > 0 && !slices.Contains(opts.Types, c.ChunkType) {
			continue
		}
		var line []byte
		var err error
		if opts.Floats {
			line, err = jsonl.AppendFloats(nil, c)
		} else {
			line, err = jsonl.Append(nil, c)
		}
		if err != nil {
			return err
		}
		if err := w.WriteLines(line); err != nil {
			return err
		}
	}
	return nil
}

// Indexed returns what the database holds of a tree, as store.Indexed does. The error wraps fs.ErrNotExist if the tree
// is missing.
func Indexed(ctx context.Context, db *database.DB, name string) (begin *record.Begin, files map[string]*record.File, err error) {
	err = db.Read(ctx, func(tx pgx.Tx) error {
		list, err := Named(ctx, db, tx, []string{name})
		if err != nil {
			return err
		}
		own := list[0].Manifest.Trees[name]
		heads, err := Heads(ctx, tx, list[0].ID, nil)
		if err != nil {
			return err
		}
		begin = &record.Begin{Schema: record.Schema, Tree: name, Mode: record.Full, Settings: own.Settings}
		files = make(map[string]*record.File, len(heads))
		for _, f := range heads {
			if f.Record.Status == "" {
				continue
			}
			if own.Again {
				f.Record.SHA256 = ""
			}
			files[f.Record.FilePath] = &f.Record
		}
		begin.Files = len(files)
		return nil
	})
	return begin, files, err
}

// Status returns the combined status of trees, in the form of store.ReadStatus.
func Status(ctx context.Context, db *database.DB, names []string) (s *store.Status, err error) {
	err = db.Read(ctx, func(tx pgx.Tx) error {
		list, err := Named(ctx, db, tx, names)
		if err != nil {
			return err
		}
		all := layout.Manifest{Trees: map[string]layout.Tree{}}
		tally := layout.NewTally()
		files := map[string]*shard.File{}
		for _, t := range list {
			m := &t.Manifest
			all.Generation = max(all.Generation, m.Generation)
			all.GeneratedAt = max(all.GeneratedAt, m.GeneratedAt)
			if all.Dimensions == 0 {
				all.Model, all.Dimensions = m.Model, m.Dimensions
			}
			all.Trees[t.Name] = m.Trees[t.Name]
			tally.Merge(m.Tally())
			if err := t.troubled(ctx, tx, files); err != nil {
				return err
			}
		}
		all.SetCounts(tally)
		s = store.StatusOf("database "+db.Name(), &all, files)
		return tx.QueryRow(ctx, schema.DiskBytes).Scan(&s.DiskBytes)
	})
	return s, err
}

// troubled adds to files those of the tree that were skipped or not parsed in full.
func (t *Tree) troubled(ctx context.Context, tx pgx.Tx, files map[string]*shard.File) error {
	rows, err := tx.Query(ctx, `SELECT path FROM cortex.files WHERE tree_id = $1 AND status IN ('skipped', 'partial', 'error')`, t.ID)
	if err != nil {
		return err
	}
	paths, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(paths) == 0 {
		return err
	}
	heads, err := Heads(ctx, tx, t.ID, paths)
	for _, f := range heads {
		files[f.Path()] = f
	}
	return err
}
