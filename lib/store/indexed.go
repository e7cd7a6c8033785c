package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"golang.org/x/sync/errgroup"

	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// Indexed returns what the store in dir holds of a tree, in the form of the run that would make it: a begin
// record with the settings, and the file records by path, without text. A record without a checksum
// is of a file that must be done again.
//
// The error is fs.ErrNotExist if there is no store, or none of that tree, or if a chunk file is damaged: then
// everything is to be indexed, which mends it. Damage is looked for if thorough is set, and told to warn.
func Indexed(ctx context.Context, dir, tree string, thorough bool, warn func(format string, args ...any)) (*record.Begin, map[string]*record.File, error) {
	var m *Manifest
	err := consistently(ctx, dir, func(root *safeopen.Root, now *Manifest) error {
		if m = now; !thorough {
			return nil
		}
		return checkSums(ctx, root, m)
	})
	var d *damage
	if errors.As(err, &d) {
		warn("%s; everything is indexed again", d)
		return nil, nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	if err != nil {
		return nil, nil, err
	}
	settings, known := m.Trees[tree]
	if !known {
		return nil, nil, fmt.Errorf("no tree %q in %s: %w", tree, dir, fs.ErrNotExist)
	}
	if m.Graph == nil {
		return nil, nil, fmt.Errorf("no graph in %s: %w", dir, fs.ErrNotExist)
	}
	begin := &record.Begin{Schema: record.Schema, Tree: tree, Mode: record.Full, Settings: settings.Settings}
	files := make(map[string]*record.File, len(m.Files))
	for path, f := range m.Files {
		if f.Tree == tree {
			r := m.file(tree, path)
			files[r.FilePath] = r
		}
	}
	begin.Files = len(files)
	return begin, files, nil
}

// checkSums reads the chunk files for their sums alone.
func checkSums(ctx context.Context, root *safeopen.Root, m *Manifest) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for kind := range kinds {
		group.Go(func() error {
			want := m.ChunkFiles[fileNames[kind]]
			err := readPieces(ctx, root, chunkPath(kind), want, func([]byte) error { return nil })
			if err != nil && readPieces(ctx, root, backupPath(kind, want.SHA256), want, func([]byte) error { return nil }) == nil {
				return nil // a writer is at work
			}
			return err
		})
	}
	if want := m.Graph; want != nil {
		group.Go(func() error {
			err := readPieces(ctx, root, graphPath, want.content(), func([]byte) error { return nil })
			if err != nil && readPieces(ctx, root, graphBackupPath(want.SHA256), want.content(), func([]byte) error { return nil }) == nil {
				return nil
			}
			return err
		})
	}
	return group.Wait()
}

// file is the file record of which the manifest's entry was made.
func (m *Manifest) file(tree, path string) *record.File {
	f := m.Files[path]
	return &record.File{
		FilePath:   record.SplitTreePath(tree, path),
		Language:   f.Language,
		SHA256:     m.FileChecksums[path],
		Size:       f.Size,
		Status:     f.Status,
		ErrorCount: f.ErrorCount,
		Reason:     f.Reason,
	}
}
