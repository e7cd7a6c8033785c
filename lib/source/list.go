package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/record"
)

// List is Walk for the given paths only, such as those that a version control system reports as changed. Paths are
// relative to the root, or absolute inside it; a path outside is an error that names it. List cleans and sorts the
// paths and returns one entry for each. The entry is that of Walk, or has Deleted set if the path does not exist, is
// ignored or is no file, so that an index removes it. A path in an unreadable folder gets an entry with Skip
// Unreadable. List drops paths that no record may have, such as empty ones and paths inside a store.
func List(ctx context.Context, opts Options, paths []string) ([]Entry, error) {
	w, err := newWalker(opts)
	if err != nil {
		return nil, err
	}
	defer w.root.Close()
	around, err := rootScope(opts.Root, w.report)
	if err != nil {
		return nil, treeError(opts.Root, err)
	}
	paths, err = cleanPaths(opts.Root, paths)
	if err != nil {
		return nil, err
	}
	l := lister{w, map[string]*scope{}}
	if l.scopes["."], err = l.enter(".", around); err != nil {
		return nil, treeError(opts.Root, err)
	}
	entries := make([]Entry, 0, len(paths))
	for _, path := range paths {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e, err := l.entry(path)
		if err != nil {
			return nil, treeError(opts.Root, err)
		}
		entries = append(entries, e)
	}
	for _, s := range l.scopes {
		if s == nil {
			continue
		}
		if err := s.repo.fault(); err != nil {
			return nil, treeError(opts.Root, err)
		}
	}
	return inOrder(entries), nil
}

// cleanPaths returns the paths relative to the root, with slashes, sorted and without duplicates.
func cleanPaths(root string, paths []string) ([]string, error) {
	abs, err := filepath.Abs(root)
	if err != nil {
		return nil, treeError(root, err)
	}
	roots := []string{abs}
	if real, err := filepath.EvalSymlinks(abs); err == nil && real != abs {
		roots = append(roots, real)
	}
	clean := make([]string, 0, len(paths))
	for _, path := range paths {
		if path == "" {
			continue
		}
		rel, ok := relative(roots, path)
		if !ok {
			return nil, hint.Wrap(fmt.Errorf("path %q is outside the tree %q", path, root),
				"paths are relative to the root of the tree, or absolute inside it")
		}
		if record.CheckPath(escape(rel)) == nil {
			clean = append(clean, rel)
		}
	}
	slices.Sort(clean)
	return slices.Compact(clean), nil
}

func relative(roots []string, path string) (string, bool) {
	if !filepath.IsAbs(path) {
		rel := filepath.Clean(path)
		return filepath.ToSlash(rel), filepath.IsLocal(rel)
	}
	for _, root := range roots {
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), true
		}
	}
	return "", false
}

// A lister looks up paths. scopes caches the scopes of their folders; the scope is nil for a folder that Walk would not
// enter.
type lister struct {
	*walker
	scopes map[string]*scope
}

func (l *lister) entry(path string) (Entry, error) {
	gone := Entry{Path: escape(path), Deleted: true}
	dir, name := ".", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, name = path[:i], path[i+1:]
	}
	s, err := l.scope(dir)
	if err != nil {
		return gone, err
	}
	info, err := l.root.Lstat(path)
	switch {
	case s == nil && errors.Is(err, fs.ErrPermission):
		return Entry{Path: escape(path), Skip: unreadable(err)}, nil
	case s == nil:
		return gone, nil
	case err != nil && isEnvironment(err):
		return Entry{}, err
	case errors.Is(err, fs.ErrNotExist):
		return gone, nil
	case err == nil && info.IsDir():
		if s.judge(name, true) == product && !l.globs.ignores(path) {
			return Entry{Path: path, Skip: productSkip(path)}, nil
		}
		if in, err := l.scope(path); err != nil || in == nil || !in.linked {
			return gone, err
		}
		return Entry{Path: path, Skip: LinkedWorktree}, nil
	case s.excludes(name, false) || l.globs.ignores(path) || !l.globs.wants(path):
		return gone, nil
	case err != nil:
		return Entry{Path: escape(path), Skip: unreadable(err)}, nil
	}
	return l.walker.entry(path, info), nil
}

// scope returns the scope of a folder. It is nil if the folder or one above it is missing, ignored or a link.
func (l *lister) scope(path string) (*scope, error) {
	if s, ok := l.scopes[path]; ok {
		return s, nil
	}
	above := "."
	for end := 0; end < len(path); end++ {
		if next := strings.IndexByte(path[end:], '/'); next >= 0 {
			end += next
		} else {
			end = len(path)
		}
		dir := path[:end]
		s, ok := l.scopes[dir]
		if !ok {
			var err error
			if s, err = l.open(dir, l.scopes[above]); err != nil {
				return nil, err
			}
			l.scopes[dir] = s
		}
		if s == nil {
			l.scopes[path] = nil
			return nil, nil
		}
		above = dir
	}
	return l.scopes[path], nil
}

// open returns the scope of a folder, nil if Walk would not enter the folder.
func (l *lister) open(path string, above *scope) (*scope, error) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if !utf8.ValidString(path) || above.excludes(name, true) || l.globs.ignores(path) {
		return nil, nil
	}
	info, err := l.root.Lstat(path)
	if err == nil && info.IsDir() {
		var s *scope
		if s, err = l.enter(path, above); err == nil {
			return s, nil
		}
	}
	if err != nil && isEnvironment(err) {
		return nil, err
	}
	return nil, nil
}

func (l *lister) enter(path string, above *scope) (*scope, error) {
	list, err := l.root.Listing(path)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	name := path[strings.LastIndexByte(path, '/')+1:]
	if name == "." {
		name = ""
	}
	return above.enter(name, l.root, path, list.Entries, l.report)
}
