package source

import (
	"context"
	"io/fs"
	"os"
)

// Walk lists the files of the tree, sorted by the bytes of their paths. What is ignored is not listed; what
// is known to be unfit is listed with Skip. It fails if the root
// cannot be read, a pattern is wrong, or ctx is done.
func Walk(ctx context.Context, opts Options) ([]Entry, error) {
	root, err := os.OpenRoot(opts.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var entries []Entry
	err = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path == ".git" {
				return fs.SkipDir
			}
			return ctx.Err()
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e := Entry{Path: path, Size: info.Size()}
		if d.Type()&fs.ModeSymlink != 0 {
			e.Skip = SymbolicLink
		} else if !d.Type().IsRegular() {
			e.Skip = NotRegular
		}
		entries = append(entries, e)
		return nil
	})
	return entries, err
}

// List is Walk for the given paths alone, such as what a version control system says
// has changed. Paths are relative to the root, or absolute inside it; one outside it
// is an error. They are cleaned, sorted, and each is listed once. A path that does not exist
// or is ignored comes back with Deleted, so that an index forgets it.
func List(ctx context.Context, opts Options, paths []string) ([]Entry, error) {
	all, err := Walk(ctx, opts)
	if err != nil {
		return nil, err
	}
	found := map[string]Entry{}
	for _, e := range all {
		found[e.Path] = e
	}
	var entries []Entry
	for _, p := range paths {
		e, ok := found[p]
		if !ok {
			e = Entry{Path: p, Deleted: true}
		}
		entries = append(entries, e)
	}
	return entries, nil
}
