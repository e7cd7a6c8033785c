package terminal

import (
	"path"
	"path/filepath"
	"strings"
)

// A View says how a reader sees the files of an index. The zero value shows paths as they are in their tree.
type View struct {
	// Dir is the folder in which the reader stands, Root the one that was indexed, both absolute and without links.
	Dir, Root string
	// Trees tells that the index has several trees.
	Trees bool
}

// Path is the way to a file from where the reader stands. In an index of several trees it is TREE:PATH for those with a name, since nobody knows
// where they are. treePath is as in an index: it begins with the tree if that has a name.
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
