package update

import (
	"context"
	"errors"
	"io/fs"

	"cortex/lib/store/layout"
)

// apply works out the next generation and commits it if it differs from the last.
func (w *writer) apply(ctx context.Context) (Result, error) {
	w.now = w.opts.Now().UTC().Format(layout.TimeLayout)
	w.result = Result{Tree: w.change.tree(), Files: w.change.byStatus}
	if w.change.begin != nil {
		w.result.Mode = w.change.begin.Mode
	}
	if err := w.readOld(); err != nil {
		return Result{}, err
	}
	if err := w.recover(); err != nil {
		return Result{}, commitError(w.lock.root.Name(), err)
	}
	w.tables = layout.OpenTables(w.lock.root.Name(), true)
	defer w.tables.Close()
	if err := w.plan(ctx); err != nil {
		return Result{}, err
	}
	if err := w.commit(ctx); err != nil {
		return Result{}, err
	}
	w.result.Chunks = w.next.Stats.Chunks
	w.result.Generation = w.next.Generation
	return w.result, nil
}

// readOld reads the manifest that is to be replaced.
func (w *writer) readOld() error {
	old, _, err := layout.ReadManifest(w.lock.root)
	var older *layout.OlderError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.As(err, &older) && w.replacesTree():
		w.opts.Warn("%s: %s: it is made anew", w.lock.root.Name(), older)
		return nil
	case err != nil:
		return err
	}
	w.old = old
	return nil
}
