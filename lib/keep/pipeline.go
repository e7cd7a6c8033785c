package keep

import (
	"cmp"
	"context"
	"errors"
	"time"

	"cortex/lib/flock"
	"cortex/lib/safeopen"
	"cortex/lib/store"
)

// once runs the pipeline until it ends, which is an error unless the settings have changed. Without an error, once
// returns the time until the next attempt, or until the next check if another process keeps the index.
func (k *Keeper) once(ctx context.Context) (again time.Duration, err error) {
	defer func() {
		if errors.Is(err, errRenewed) {
			again, err = lookAgain, nil
		}
	}()
	k.mu.Lock()
	k.started = time.Now()
	k.mu.Unlock()
	root, dir := k.opts.Location()
	exists, damage := Exists(dir), damageOf(dir)
	if !exists || damage != nil {
		if err := k.opts.MayMake(root); err != nil {
			return 0, cmp.Or(damage, err)
		}
	}
	held, err := acquire(dir)
	if errors.Is(err, flock.ErrHeld) {
		k.mu.Lock()
		k.follows, k.err, k.told, k.wait = true, nil, nil, 0
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
	if damage != nil {
		sleep(ctx, firstAttempt) // another program, such as git, may be writing the manifest
		if damage = damageOf(dir); damage != nil {
			return 0, k.rebuild(ctx, root, dir, damage)
		}
	}
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
			if err := leave(dir); err != nil { // the user's settings select another embedder
				return 0, err
			}
		}
	}
	if exists && k.hasOutdated(dir) && k.opts.MayMake(root) == nil {
		if err := k.pipeline(ctx, root, dir, indexAll); k.hasOutdated(dir) {
			return 0, err
		}
	}
	err = k.pipeline(ctx, root, dir, indexChanges)
	if damageOf(dir) != nil {
		return lookAgain, nil // the next attempt rebuilds the store
	}
	return 0, err
}

// damageOf returns why the manifest of the store cannot be read; nil if it is valid or missing.
func damageOf(dir string) error {
	if _, err := store.ReadManifest(dir); errors.Is(err, store.ErrDamagedManifest) {
		return err
	}
	return nil
}

// rebuild runs the pipeline on a store with a damaged manifest. cortex-store does not replace such a manifest, so
// rebuild removes it first, and puts it back if the pipeline creates none.
func (k *Keeper) rebuild(ctx context.Context, root, dir string, damage error) error {
	k.opts.Warn("%v: rebuilding the index", damage)
	folder, err := safeopen.OpenFolder(dir)
	if err != nil {
		return err
	}
	defer folder.Close()
	manifest, err := folder.Read(store.ManifestName, store.MaxManifest)
	if err != nil {
		return err
	}
	if err := folder.Remove(store.ManifestName); err != nil {
		return err
	}
	err = k.pipeline(ctx, root, dir, indexChanges)
	f, made := folder.CreateNew(store.ManifestName)
	if made != nil { // the pipeline has created a manifest
		return err
	}
	_, written := f.Write(manifest)
	return errors.Join(err, written, f.Close())
}

// hasOutdated reports whether the store's embeddings are of a model that this version does not have.
func (k *Keeper) hasOutdated(dir string) bool {
	m, err := store.ReadManifest(dir)
	return err == nil && k.isOutdated(&m)
}
