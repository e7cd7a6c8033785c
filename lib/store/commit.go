package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"

	"cortex/lib/hint"
	"cortex/lib/safeopen"
)

// commit writes the next generation, unless it is the same as the last.
//
// The steps: write every changed file under a temporary name; keep the replaced
// content under its backup name; rename the chunk files; rename the manifest,
// which is the commit; remove the backups. Each step is durable before the next begins.
// A reader that holds the old manifest finds the old content under one of
// its two names until the commit, and afterwards sees a new manifest.
func (w *writer) commit(ctx context.Context) error {
	err := w.write(ctx)
	if err == nil {
		err = w.replace(ctx)
	}
	if err != nil {
		w.rollBack()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return commitError(w.lock.root.Name(), err)
	}
	return nil
}

// commitError says what failed: to read what the next generation takes over, or to write that.
func commitError(dir string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	var d *damage
	switch {
	case errors.As(err, &d):
		return withCure(dir, d)
	case errors.As(err, &path) && path.Op == "read":
		return withCure(dir, fmt.Errorf("read %s: %w", inStore(dir, path.Path), path.Err))
	case path != nil || errors.As(err, &link):
		return writeError(dir, err)
	}
	return withCure(dir, err)
}

// write writes the changed chunk files under their temporary names.
func (w *writer) write(ctx context.Context) error {
	if err := w.lock.root.Mkdir(chunksDir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	var written [kinds]ChunkFile
	var graphFile *GraphFile
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(w.opts.Jobs)
	// What takes longest begins first.
	if w.graph.made {
		group.Go(func() (err error) {
			w.opts.step("write " + graphName)
			graphFile, err = w.writeGraph(groupCtx)
			return err
		})
	}
	for _, kind := range w.byLength() {
		if !w.plans[kind].changed {
			continue
		}
		group.Go(func() (err error) {
			w.opts.step("write " + fileNames[kind])
			written[kind], err = w.writeFile(groupCtx, kind)
			return err
		})
	}
	var files []byte
	if w.graph.made {
		group.Go(func() (err error) {
			files, err = w.next.encodeFiles()
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if !w.graph.damaged {
		w.files = files
	}
	if w.graph.made {
		if err := w.takeGraph(graphFile); err != nil {
			return err
		}
	}
	for kind, name := range fileNames {
		p := &w.plans[kind]
		if !p.changed {
			continue
		}
		if !p.damaged && w.old != nil && w.old.ChunkFiles[name] == written[kind] {
			// What was moved about came out the same.
			p.changed = false
			if err := w.lock.root.Remove(tempPath(chunkPath(kind))); err != nil {
				return err
			}
		}
		w.next.ChunkFiles[name] = written[kind]
	}
	return nil
}

// byLength are the chunk types, those of most chunks first.
func (w *writer) byLength() []int {
	var order []int
	for kind := range kinds {
		order = append(order, kind)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(w.plans[b].kept+len(w.change.chunks[b]), w.plans[a].kept+len(w.change.chunks[a]))
	})
	return order
}

// writeFile writes one chunk file: what stays of the old one merged with the new chunks.
func (w *writer) writeFile(ctx context.Context, kind int) (ChunkFile, error) {
	out, err := newChunkWriter(w.lock.root, tempPath(chunkPath(kind)))
	if err != nil {
		return ChunkFile{}, err
	}
	out.digest.every = w.opts.markEvery
	p := &w.plans[kind]
	if p.kept > 0 {
		out.digest.resume(w.marksOf(chunkPath(kind), w.old.ChunkFiles[fileNames[kind]]), w.sameBeginning(kind))
	}
	err = out.header(w.next.Model, w.next.Dimensions, kind)
	if err == nil && p.kept > 0 {
		err = w.mergeStored(ctx, out, kind)
	} else {
		for _, e := range p.edits {
			err = cmp.Or(err, out.chunks(ctx, e.insert))
		}
	}
	before := out.written()
	err = cmp.Or(err, out.chunks(ctx, p.rest))
	p.pieces.add(-1, out.written()-before)
	sum, closeErr := out.close()
	w.takeMarks(chunkPath(kind), out)
	return sum, cmp.Or(err, closeErr)
}

// written is the number of bytes that were written, also those that have not gone to the file yet.
func (c *chunkWriter) written() int64 { return c.sum.Size + int64(c.w.Buffered()) }

// mergeStored writes the stored content with the edits of the plan.
func (w *writer) mergeStored(ctx context.Context, out *chunkWriter, kind int) error {
	p := &w.plans[kind]
	edits := p.edits
	var at, drop int64
	p.pieces.add(-1, out.written())
	err := readPieces(ctx, w.lock.root, chunkPath(kind), w.old.ChunkFiles[fileNames[kind]], func(data []byte) error {
		for len(data) > 0 {
			if n := min(drop, int64(len(data))); n > 0 {
				data, at, drop = data[n:], at+n, drop-n
				continue
			}
			n := int64(len(data))
			if len(edits) > 0 {
				n = min(n, edits[0].at-at)
			}
			if n > 0 {
				if err := out.copied(data[:n]); err != nil {
					return err
				}
				p.pieces.add(at, n)
				data, at = data[n:], at+n
				continue
			}
			before := out.written()
			if err := out.chunks(ctx, edits[0].insert); err != nil {
				return err
			}
			p.pieces.add(-1, out.written()-before)
			drop, edits = edits[0].drop, edits[1:]
		}
		return nil
	})
	out.sum.Chunks += p.kept
	return err
}

// replace puts the written files in their places.
func (w *writer) replace(ctx context.Context) error {
	root := w.lock.root
	changed := w.old == nil || w.graph.changed
	for _, p := range w.plans {
		changed = changed || p.changed
	}
	if !changed && sameContent(w.old, w.next) {
		w.next.Generation = w.old.Generation
		return nil
	}
	w.next.Generation, w.next.GeneratedAt = 1, w.now
	if w.old != nil {
		w.next.Generation = w.old.Generation + 1
	}
	if err := w.writeManifest(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w.noteChanges()
	if err := w.swapChunkFiles(); err != nil {
		return err
	}
	w.opts.step("commit")
	if err := root.Rename(tempPath(ManifestName), ManifestName); err != nil {
		return err
	}
	w.opts.step("committed")
	w.result.Written = true
	w.old = w.next
	// What goes wrong from here on the next writer puts in order.
	if err := cmp.Or(syncDir(root, "."), w.recover()); err != nil {
		w.opts.Report(fmt.Errorf("the index is written; clean up store %s: %w", root.Name(), cause(err)))
	}
	w.noteMarks()
	return nil
}

// writeManifest writes the next manifest under its temporary name.
func (w *writer) writeManifest() error {
	root := w.lock.root
	if err := writeOnce(root, gitignoreName, gitignore); err != nil {
		return err
	}
	data, err := w.next.encodeHead()
	if err == nil && w.files == nil {
		w.files, err = w.next.encodeFiles()
	}
	if err != nil {
		return err
	}
	w.opts.step("write " + ManifestName)
	data = append(data, w.files...)
	if len(data) > maxManifest {
		return hint.Wrap(fmt.Errorf("the manifest would have %d bytes, at most %d are read", len(data), maxManifest),
			"leave files out with paths.ignore, or index parts of the tree each with an index of its own")
	}
	f, err := root.Create(tempPath(ManifestName))
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// writeOnce writes a small file if there is none.
func writeOnce(root *safeopen.Root, name, content string) error {
	f, err := root.CreateNew(name)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(content)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// swapChunkFiles keeps the replaced chunk files under their backup names and renames the
// new ones over them.
func (w *writer) swapChunkFiles() error {
	root := w.lock.root
	for kind, p := range w.plans {
		if !p.changed || p.damaged || w.old == nil {
			continue
		}
		backup := backupPath(kind, w.old.ChunkFiles[fileNames[kind]].SHA256)
		w.opts.step("keep " + fileNames[kind])
		if err := keep(root, chunkPath(kind), backup); err != nil {
			return err
		}
	}
	if w.graph.changed && !w.graph.damaged && w.old != nil && w.old.Graph != nil {
		w.opts.step("keep " + graphName)
		if err := keep(root, graphPath, graphBackupPath(w.old.Graph.SHA256)); err != nil {
			return err
		}
	}
	if err := w.syncDirs(); err != nil {
		return err
	}
	for kind, p := range w.plans {
		if !p.changed {
			continue
		}
		w.opts.step("rename " + fileNames[kind])
		if err := root.Rename(tempPath(chunkPath(kind)), chunkPath(kind)); err != nil {
			return err
		}
	}
	if w.graph.changed {
		w.opts.step("rename " + graphName)
		if err := root.Rename(tempPath(graphPath), graphPath); err != nil {
			return err
		}
	}
	return w.syncDirs()
}

// keep gives a file a second name.
func keep(root *safeopen.Root, path, backup string) error {
	if err := root.Link(path, backup); err != nil {
		// A filesystem without hard links; readers look under the backup name too.
		return root.Rename(path, backup)
	}
	return nil
}

// syncDirs makes the names of chunk files and of the graph file durable.
func (w *writer) syncDirs() error {
	err := syncDir(w.lock.root, chunksDir)
	if err == nil && w.graph.changed {
		err = syncDir(w.lock.root, graphDir)
	}
	return err
}

// syncDir makes the names in a folder durable.
func syncDir(root *safeopen.Root, name string) error {
	dir, err := root.Dir(name)
	if err != nil {
		return err
	}
	defer dir.Close()
	err = dir.Sync()
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// recover puts in order what a commit left behind, its own or one that was cut short: it makes
// the chunk files those of the manifest and removes all others. It writes nothing
// if there is nothing to do.
func (w *writer) recover() error {
	root := w.lock.root
	names, err := leftovers(root)
	if err != nil || len(names) == 0 {
		return err
	}
	for kind := range kinds {
		if w.old == nil {
			break
		}
		want := w.old.ChunkFiles[fileNames[kind]]
		backup := backupPath(kind, want.SHA256)
		if err := w.restore(chunkPath(kind), backup, want, fileNames[kind]); err != nil {
			return err
		}
	}
	if w.old != nil && w.old.Graph != nil {
		want := w.old.Graph.content()
		if err := w.restore(graphPath, graphBackupPath(want.SHA256), want, graphName); err != nil {
			return err
		}
	}
	if err := syncDir(root, "."); err != nil {
		return err
	}
	// Giving a large file's pages back takes the system a while.
	var group errgroup.Group
	for _, name := range names {
		w.opts.step("remove " + name)
		group.Go(func() error {
			if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		})
	}
	return group.Wait()
}

// restore gives a file back the name that it was kept under, unless what it should hold is there.
func (w *writer) restore(path, backup string, want ChunkFile, name string) error {
	root := w.lock.root
	kept, err := contains(root, backup, want)
	if err != nil || !kept {
		return err
	}
	if there, err := contains(root, path, want); err != nil || there {
		return err
	}
	w.opts.step("restore " + name)
	return root.Rename(backup, path)
}

// contains reports whether the file has the content. What cannot be read may have it: that is an error.
func contains(root *safeopen.Root, path string, want ChunkFile) (bool, error) {
	err := readContent(context.Background(), root, path, want, 1, false,
		func(block) (struct{}, error) { return struct{}{}, nil }, func(struct{}) error { return nil })
	var d *damage
	if errors.As(err, &d) {
		return false, nil
	}
	return err == nil, err
}

// leftovers are the temporary and backup files in a store. Other files are not ours.
func leftovers(root *safeopen.Root) ([]string, error) {
	var names []string
	if _, err := root.Lstat(tempPath(ManifestName)); err == nil {
		names = append(names, tempPath(ManifestName))
	}
	names, err := leftoversIn(root, chunksDir, fileNames[:], names)
	if err != nil {
		return nil, err
	}
	return leftoversIn(root, graphDir, []string{graphName}, names)
}

func leftoversIn(root *safeopen.Root, folder string, files, names []string) ([]string, error) {
	dir, err := root.Dir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return names, nil
	case errors.Is(err, syscall.ENOTDIR):
		return nil, hint.Wrap(fmt.Errorf("%s/%s is not a folder", root.Name(), folder), "remove it and index again in full: "+indexAll)
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		for _, name := range files {
			rest, ours := strings.CutPrefix(entry, "."+name+".")
			if ours && ("."+rest == tempSuffix || strings.HasSuffix(rest, backupSuffix)) {
				names = append(names, folder+"/"+entry)
			}
		}
	}
	return names, nil
}

// rollBack takes back what a failed commit did, as far as it can; the rest is left to
// the next writer.
func (w *writer) rollBack() {
	if err := w.recover(); err != nil {
		w.opts.Report(fmt.Errorf("clean up store %s: %w", w.lock.root.Name(), cause(err)))
	}
	if w.lock.made {
		w.lock.root.Remove(gitignoreName)
		w.lock.root.Remove(chunksDir)
		w.lock.root.Remove(graphDir)
	}
}
