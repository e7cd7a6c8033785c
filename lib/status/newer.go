package status

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"cortex/lib/record"
	"cortex/lib/safeopen"
	"cortex/lib/source"
	"cortex/lib/store"
)

// A Newer is a file of a tree that is new or has changed since the tree was indexed.
type Newer struct {
	// Path is "" if no such file was found.
	Path string
	// New says that the index does not have the file.
	New bool
}

// FindNewer looks for one file of the tree at root whose current text generation g of the store in dir lacks. paths are
// the files in the index. It first checks the folders that have changed, since every new file is in one, and then the
// files. It stops after most checks, of which it does some 500 in a millisecond; reading a file or folder counts as
// lookCost checks. It may miss newer files, but never returns a file that is not newer.
func FindNewer(ctx context.Context, g *store.Generation, dir, root string, paths []string, list Lister, most int) (Newer, error) {
	opts, err := list(root)
	if err != nil {
		return Newer{}, err
	}
	opts.Root, opts.Store = root, dir
	tree, err := source.OpenFolder(root)
	if err != nil {
		return Newer{}, err
	}
	defer tree.Close()
	l := look{g: g, tree: tree, opts: opts, since: committed(dir, g.Manifest()), known: make(map[string]bool, len(paths))}
	var folders []string
	for _, p := range paths {
		l.known[p] = true
		for folder := range record.Folders(p) {
			if l.known[folder] {
				break
			}
			l.known[folder] = true
			folders = append(folders, folder)
		}
	}
	if !slices.ContainsFunc(paths[:min(len(paths), 20)], l.isThere) {
		return Newer{}, nil // the tree of this store is elsewhere
	}
	var unknown []string
	next := func(name string) (changed bool) {
		if most--; most < 0 {
			return false
		}
		if info, err := l.stat(name); err != nil || info.ModTime().Before(l.since) {
			return false
		}
		most -= lookCost
		return true
	}
	for _, folder := range folders {
		if next(folder) {
			more, err := l.folder(folder)
			if err != nil {
				return Newer{}, err
			}
			unknown = append(unknown, more...)
		}
	}
	if found, err := l.new(ctx, unknown); err != nil || found.Path != "" {
		return found, err
	}
	for _, path := range paths {
		if ctx.Err() != nil {
			return Newer{}, ctx.Err()
		}
		if !next(path) {
			continue
		}
		if found, err := l.file(ctx, path); err != nil || found.Path != "" {
			return found, err
		}
	}
	return Newer{}, nil
}

// lookCost is the cost of reading a file or listing a folder, in checks of a file's time.
const lookCost = 200

// A look is the state of one call of FindNewer.
type look struct {
	g    *store.Generation
	tree *source.Folder
	opts source.Options
	// since is when the generation was written.
	since time.Time
	// known are the files and folders of the index.
	known map[string]bool
}

// stat is os.Lstat of a file or folder in the tree. It opens no file, so links on the path are harmless.
func (l *look) stat(name string) (fs.FileInfo, error) {
	return os.Lstat(filepath.Join(l.opts.Root, filepath.FromSlash(name)))
}

func (l *look) isThere(name string) bool {
	_, err := l.stat(name)
	return err == nil
}

// maxUnknown bounds the files per folder that are checked although the index does not have them: a folder may have many
// ignored files.
const maxUnknown = 100

// folder returns the files that the index does not have in a folder of the index, and in folders inside it that the
// index does not have.
func (l *look) folder(folder string) ([]string, error) {
	root, err := safeopen.Open(l.opts.Root)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	unknown, inner := l.unknown(root, folder)
	for _, folder := range inner {
		more, _ := l.unknown(root, folder)
		unknown = append(unknown, more...)
	}
	return unknown[:min(len(unknown), maxUnknown)], nil
}

// new returns the first of these files that belongs to the tree and has a text. It lists them all at once, since each
// list reads git's index.
func (l *look) new(ctx context.Context, unknown []string) (Newer, error) {
	if len(unknown) == 0 {
		return Newer{}, nil
	}
	listed, err := source.List(ctx, l.opts, unknown)
	if err != nil {
		return Newer{}, err
	}
	for _, e := range listed {
		if e.Deleted || e.Skip != "" {
			continue
		}
		// The store also records skipped files, which paths does not have.
		if _, known, err := l.g.File(ctx, e.Path); err != nil || known {
			continue
		}
		if _, _, skip, err := l.tree.Read(e, l.opts.MaxSize); err == nil && skip == "" {
			return Newer{Path: e.Path, New: true}, nil
		}
	}
	return Newer{}, nil
}

// unknown returns the entries of a folder that the index does not have: files changed since the commit, and folders. It
// returns none if the folder cannot be read.
func (l *look) unknown(root *safeopen.Root, folder string) (files, folders []string) {
	listing, err := root.Listing(folder)
	if err != nil {
		return nil, nil
	}
	defer listing.Close()
	for _, e := range listing.Entries {
		name := path.Join(folder, e.Name())
		if l.known[name] {
			continue
		}
		if e.IsDir() {
			folders = append(folders, name)
		} else if info, err := listing.Info(e); err == nil && !info.ModTime().Before(l.since) {
			files = append(files, name)
		}
	}
	return files, folders
}

// file returns the file if its text differs from that in the index.
func (l *look) file(ctx context.Context, name string) (Newer, error) {
	data, _, skip, err := l.tree.Read(source.Entry{Path: name, Secrets: l.opts.Secrets}, l.opts.MaxSize)
	if err != nil || skip != "" {
		return Newer{}, nil // a file that is skipped has no text to index
	}
	f, known, err := l.g.File(ctx, name)
	if err != nil || !known {
		return Newer{}, err
	}
	if digest := sha256.Sum256(data); hex.EncodeToString(digest[:]) == f.Record.SHA256 {
		return Newer{}, nil
	}
	return Newer{Path: name}, nil
}
