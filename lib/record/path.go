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

// MaxPath is the length in bytes of the longest path in a tree: that of the longest one which a system call of Linux
// takes (PATH_MAX, with the byte that ends it).
const MaxPath = 4095

// outsideFolders are the folders that are no part of a tree, wherever they lie in it: the repository's own, and the store.
var outsideFolders = []string{".git", ".cortex"}

// CheckPath makes sure that a text is the path of a file in a tree: relative to the root, with slashes, valid UTF-8, as short as a
// system call takes it, and neither in a repository's own folder nor in a store. All paths in records, manifests and graph files
// are checked by it where they are read. The error does not hold the path, which may be of any length.
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

// CheckTree makes sure that the parts of a TreePath in a tree of that name can be told apart, and that it is a path as its second part
// is. The tree of a store of one has the name "".
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

// CheckTreePath makes sure that a text is the TreePath of a file in the tree.
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

// CheckFolder makes sure that a text is the path of a file or folder in a tree, or "." for its root.
func CheckFolder(path string) error {
	if path == "." {
		return nil
	}
	return CheckPath(path)
}

// Folders yields the folders that a path lies in, the nearest first, and last ".". It ends for any text.
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
