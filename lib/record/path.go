package record

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxPath bounds a path in a tree, in bytes. Linux system calls take no longer path (PATH_MAX is 4096, including the
// NUL byte).
const MaxPath = 4095

// outsideFolders are the names of folders that never belong to a tree, at any depth: git's own folder and the store.
var outsideFolders = []string{".git", ".cortex"}

// CheckPath returns an error unless path is the path of a file in a tree: relative to the root, with slashes, valid
// UTF-8, at most MaxPath bytes, and outside of .git and .cortex folders. Readers of records, manifests and graph files
// check every path with it. The error does not quote the path, which may have any length.
func CheckPath(path string) error {
	switch {
	case path == "":
		return errors.New("it is empty")
	case len(path) > MaxPath:
		return fmt.Errorf("it is longer than %d bytes", MaxPath)
	case !utf8.ValidString(path):
		return errors.New("it is not UTF-8")
	case strings.IndexByte(path, 0) >= 0:
		return errors.New("it holds a NUL byte")
	case path == "." || !fs.ValidPath(path):
		return errors.New("it is not relative to the root of the tree")
	case !strings.Contains(path, ".git") && !strings.Contains(path, ".cortex"):
		return nil
	}
	for part := range strings.SplitSeq(path, "/") {
		if slices.Contains(outsideFolders, part) {
			return fmt.Errorf("it leads into %q", part)
		}
	}
	return nil
}

// CheckTree returns an error unless name can be the first part of a TreePath: a valid path (CheckPath) without colons
// and control characters. The tree of a store of one has the name "".
func CheckTree(name string) error {
	if name == "" {
		return nil
	}
	if err := CheckPath(name); err != nil {
		return fmt.Errorf("tree %q: as a path %w", name, err)
	}
	if strings.ContainsFunc(name, func(r rune) bool { return r == ':' || r < ' ' || 0x7f <= r && r < 0xa0 }) {
		return fmt.Errorf("tree %q: a name may not hold a colon or a control character", name)
	}
	return nil
}

// CheckTreePath returns an error unless treePath is a valid TreePath of a file in the tree.
func CheckTreePath(tree, treePath string) error {
	if err := CheckTree(tree); err != nil {
		return err
	}
	path := treePath
	if tree != "" {
		var ok bool
		if path, ok = strings.CutPrefix(treePath, tree+":"); !ok {
			return fmt.Errorf("file_path %q does not start with its tree %q", treePath, tree)
		}
	}
	if err := CheckPath(path); err != nil {
		return fmt.Errorf("file_path %q: %w", treePath, err)
	}
	return nil
}

// CheckFolder returns an error unless path is the path of a file or folder in a tree, or "." for its root.
func CheckFolder(path string) error {
	if path == "." {
		return nil
	}
	return CheckPath(path)
}

// Folders yields the folders that contain path, the nearest first and "." last. path need not be valid.
func Folders(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for end := strings.LastIndexByte(path, '/'); end >= 0; end = strings.LastIndexByte(path[:end], '/') {
			if !yield(path[:end]) {
				return
			}
		}
		yield(".")
	}
}

// IsInside reports whether one of the folders contains path. path need not be valid.
func IsInside(path string, folders map[string]bool) bool {
	if len(folders) == 0 {
		return false
	}
	for folder := range Folders(path) {
		if folders[folder] {
			return true
		}
	}
	return false
}
