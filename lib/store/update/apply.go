package update

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"cortex/lib/store/layout"
)

// applyRun computes the next generation of the locked store, and commits it if it differs from the current one.
func applyRun(ctx context.Context, l *lock, opts Options, c *change) (Result, error) {
	old, err := readOld(l, opts, c)
	if err != nil {
		return Result{}, err
	}
	w := &writer{plan: newPlan(opts, c, old), lock: l, result: newResult(c.tree(), c)}
	if err := w.recover(); err != nil {
		return Result{}, commitError(l.root.Name(), err)
	}
	w.tables = layout.OpenTables(l.root.Name())
	defer w.tables.Close()
	if err := w.readHeads(ctx); err != nil {
		return Result{}, err
	}
	if err := w.decide(); err != nil {
		var keeps *settingsError
		if errors.As(err, &keeps) {
			w.next = keeps.next
			err = cmp.Or(w.or(ctx, w.finish(ctx, nil)), err)
		}
		return Result{}, err
	}
	if err := w.commit(ctx); err != nil {
		return Result{}, err
	}
	w.result.Chunks, w.result.Generation = w.next.Stats.Chunks, w.next.Generation
	return w.result, nil
}

// readOld reads the manifest of the current generation; nil if there is none or if the run replaces one of an older
// format.
func readOld(l *lock, opts Options, c *change) (*layout.Manifest, error) {
	old, _, err := layout.ReadManifest(l.root)
	var older *layout.OlderError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.As(err, &older) && c.replacesTree():
		opts.Warn("%s: %s: rebuilding it", l.root.Name(), older)
		return nil, nil
	}
	return old, err
}
