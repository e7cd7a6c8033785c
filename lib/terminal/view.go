package terminal

import (
	"path"
	"path/filepath"
	"strings"
)

// A View says how to show paths of files to a reader. The zero value shows paths relative to the root of their tree.
type View struct {
	// Dir is the folder of the reader, Root the indexed folder. Both are absolute, with links resolved.
	Dir, Root string
	// Trees says that the index has several trees.
	Trees bool
}

// Path returns the path of a file relative to the reader's folder. In an index of several trees, the path of a file in
// a named tree is TREE:PATH, since the place of the tree is unknown. treePath is a path as in an index, which begins
// with the tree's name if it has one.
func (v View) Path(tree, treePath string) string {
	if v.Trees && tree != "" {
		return treePath
	}
	if tree != "" {
		treePath = strings.TrimPrefix(treePath, tree+":")
	}
	if v.Dir == v.Root {
		return path.Clean(treePath)
	}
	rel, err := filepath.Rel(v.Dir, filepath.Join(v.Root, filepath.FromSlash(treePath)))
	if err != nil {
		return path.Clean(treePath)
	}
	return filepath.ToSlash(rel)
}
