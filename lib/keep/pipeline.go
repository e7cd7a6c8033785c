package keep

import (
	"context"
	"errors"
	"time"

	"cortex/lib/flock"
	"cortex/lib/store"
)

// once runs the pipeline until it ends, which is an error, or returns when to look again because another process does.
func (k *Keeper) once(ctx context.Context) (again time.Duration, err error) {
	root, dir := k.opts.Location()
	exists := Exists(dir)
	if !exists {
		if err := k.opts.MayMake(root); err != nil {
			return 0, err
		}
	}
	held, err := acquire(dir)
	if errors.Is(err, flock.ErrHeld) {
		k.mu.Lock()
		k.follows, k.err = true, nil
		k.mu.Unlock()
		return lookAgain, nil
	}
	if err != nil {
		return 0, err
	}
	defer held.Release()
	k.mu.Lock()
	k.follows, k.err, k.done, k.total = false, nil, 0, 0
	k.mu.Unlock()
	if !exists {
		undo, err := hide(dir)
		if err != nil {
			return 0, err
		}
		defer func() {
			if !Exists(dir) {
				undo()
			}
		}()
		if k.takeOver(ctx, root, dir) {
			err := k.pipeline(ctx, root, dir, indexChanges)
			var settings *settingsError
			if !errors.As(err, &settings) {
				return 0, err
			}
			if err := leave(dir); err != nil { // its embedder is not that of the user's settings
				return 0, err
			}
		}
	}
	if exists && k.hasOutdated(dir) && k.opts.MayMake(root) == nil {
		if err := k.pipeline(ctx, root, dir, indexAll); k.hasOutdated(dir) {
			return 0, err
		}
	}
	return 0, k.pipeline(ctx, root, dir, indexChanges)
}

// hasOutdated reports whether the index of the store has embeddings that this version cannot ask.
func (k *Keeper) hasOutdated(dir string) bool {
	m, err := store.ReadManifest(dir)
	return err == nil && k.isOutdated(&m)
}
