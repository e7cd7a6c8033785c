package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"cortex/lib/record"
	"cortex/lib/store/layout"
)

// Indexed returns what the store in dir holds of a tree, as the records of the run that would produce it: a begin
// record with the settings, and the file records by path, without text and facts. A file without a checksum must be
// indexed again.
//
// The error wraps fs.ErrNotExist if the store or the tree does not exist, if the store has an older format, or if a
// shard is damaged: then the caller indexes everything, which repairs the store. If thorough is set, shards that have
// changed on disk are checked for damage. Indexed passes damage to warn.
func Indexed(ctx context.Context, dir, tree string, thorough bool, warn func(format string, args ...any)) (*record.Begin, map[string]*record.File, error) {
	m, lists, err := readFiles(ctx, dir, thorough)
	var d *layout.Damage
	var older *layout.OlderError
	switch {
	case errors.As(err, &d):
		warn("%s; everything is indexed again", d)
		return nil, nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	case errors.As(err, &older):
		return nil, nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	case err != nil:
		return nil, nil, err
	}
	settings, known := m.Trees[tree]
	if !known {
		return nil, nil, fmt.Errorf("no tree %q in %s: %w", tree, dir, fs.ErrNotExist)
	}
	begin := &record.Begin{Schema: record.Schema, Tree: tree, Mode: record.Full, Settings: settings.Settings}
	files := map[string]*record.File{}
	for _, f := range slices.Concat(lists...) {
		if f.Tree == tree && f.Record.Status != "" {
			if settings.Again {
				f.Record.SHA256 = ""
			}
			files[f.Record.FilePath] = &f.Record
		}
	}
	begin.Files = len(files)
	return begin, files, nil
}
