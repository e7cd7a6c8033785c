package keep

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"cortex/lib/flock"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
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

// A pipelineMode selects the runs of the pipeline.
type pipelineMode int

const (
	// indexAll makes one full run and ends.
	indexAll pipelineMode = iota
	// indexChanges makes an incremental run, and further ones whenever files change.
	indexChanges
)

// pipeline runs the stages until one of them ends, which ends the others. It never returns nil.
func (k *Keeper) pipeline(ctx context.Context, root, dir string, mode pipelineMode) error {
	parse := []string{"--quiet", "."}
	if mode == indexChanges {
		parse = []string{"--watch", "--store", dir, "--quiet", "."}
	}
	args := [][]string{
		parse,
		{"--quiet"},
		append([]string{"--quiet"}, k.opts.Embed...),
		{"--quiet", "--fail-fast", "--store", dir},
	}
	look := mode == indexChanges && k.opts.Settings != nil
	settings := ""
	if look {
		settings = k.opts.Settings(root) // before the stages read them
	}
	refused := wantsAll(dir)
	p, err := startStages(ctx, k.opts.Bin, root, args)
	if err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	defer p.close()
	passing, stop := context.WithCancel(ctx)
	context.AfterFunc(passing, func() { p.from.Close() }) // which ends pass
	var renewed atomic.Bool
	if look {
		p.done.Go(func() {
			if k.awaitSettings(passing, root, settings) {
				renewed.Store(true)
				p.from.Close()
			}
		})
	}
	err = k.pass(dir, p.from, p.to)
	stop()
	p.to.Close()
	p.from.Close()
	at := time.Now()
	if err != nil || mode == indexChanges {
		p.end()
	} else { // a full run ends by itself once it is stored
		defer context.AfterFunc(ctx, p.end)()
	}
	p.done.Wait()
	var texts []string
	for _, s := range p.running {
		texts = append(texts, cmp.Or(s.said.String(), s.killed(at)))
	}
	said := causes(texts)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case renewed.Load() || !refused && wantsAll(dir):
		return errRenewed
	case err != nil: // messages of the stages are consequences of err
		return err
	case len(said) > 0:
		return errors.New(strings.Join(said, "; "))
	}
	return errors.New("the pipeline has ended")
}

// causes returns what the stages have said, "" for a stage without a message, in their order. It leaves out what an
// earlier stage has said, too, and that a stage had no input, since an earlier one failed.
func causes(texts []string) (said []string) {
	seen := map[string]bool{}
	for i, text := range texts {
		own := strings.TrimPrefix(text, Stages()[i]+": ")
		if text == "" || seen[own] || len(said) > 0 && own != text && strings.HasPrefix(own, "stdin: ") {
			continue
		}
		seen[own] = true
		said = append(said, text)
	}
	return said
}

// errRenewed is returned by pipeline if the settings have changed, or if cortex-store has refused a run with other
// settings than those of the index. The next run then has all files.
var errRenewed = errors.New("the settings have changed")

// wantsAll reports whether cortex-store has noted in the manifest that it needs all files of the tree.
func wantsAll(dir string) bool {
	m, err := store.ReadManifest(dir)
	return err == nil && m.Trees[""].Again
}

// awaitSettings waits until the settings differ from had, and returns false if ctx ends before.
func (k *Keeper) awaitSettings(ctx context.Context, root, had string) bool {
	for ; ctx.Err() == nil; sleep(ctx, lookSettings) {
		now := k.opts.Settings(root)
		if had != "" && now != "" && now != had {
			return true
		}
		had = cmp.Or(now, had)
	}
	return false
}

// A settingsError says that the settings select another embedder than the one that made the index.
type settingsError struct{}

func (*settingsError) Error() string {
	return "it was made with another embedder than the settings name, so a run would embed everything again"
}

// pass copies the records to cortex-store and counts them.
func (k *Keeper) pass(dir string, from io.Reader, to io.Writer) error {
	in := bufio.NewReaderSize(from, 256<<10)
	for begins := true; ; {
		block, err := in.ReadSlice('\n')
		if begins {
			if err := k.note(dir, block); err != nil {
				return err
			}
		}
		if len(block) > 0 {
			if _, err := to.Write(block); err != nil {
				return nil // cortex-store reports why
			}
		}
		switch begins = err == nil; {
		case err == io.EOF:
			return nil
		case err != nil && err != bufio.ErrBufferFull:
			return nil // from was closed to end the pipeline
		}
	}
}

// note reads the first block of a line to update the progress. The block of a Begin is the whole record.
func (k *Keeper) note(dir string, block []byte) error {
	line := jsonl.Line{Data: bytes.TrimSuffix(block, []byte("\n"))}
	kind, _ := line.Type()
	switch kind {
	case record.TypeBegin:
		rec, err := line.Decode()
		if err != nil {
			return nil // cortex-store reports invalid records
		}
		begin := rec.(*record.Begin)
		if m, err := store.ReadManifest(dir); err == nil {
			// The user's own run had other flags. Only the user may decide to embed everything again.
			if had := m.Settings["embed"]; had != "" && had != begin.Settings["embed"] && !k.isOutdated(&m) {
				return &settingsError{}
			}
		}
		if !Exists(dir) { // somebody may have deleted it during the watch
			if _, err := hide(dir); err != nil {
				return err
			}
		}
		seen := k.manifest()
		k.mu.Lock()
		k.done, k.total, k.seen, k.writes, k.active = 0, begin.Files, seen, true, time.Now()
		k.mu.Unlock()
	case record.TypeFile:
		k.mu.Lock()
		k.done, k.active = k.done+1, time.Now()
		k.mu.Unlock()
	}
	return nil
}
