// Package paths finds files and folders in the list of the files of a graph by their paths, for package table.
package paths

import (
	"path"
	"sort"
	"strings"

	"cortex/lib/record"
)

// A List has the files of a graph by number, sorted by tree path.
type List struct {
	// Len is the number of files.
	Len int
	// File returns the name of the tree of a file, and its tree path.
	File func(file uint32) (tree, path string)
}

// A Match is what a path means: a file, several files whose paths end with it, or a folder. It has no files if the path
// means nothing.
type Match struct {
	Files []uint32
	// IsFolder is set if Files are the files below one folder.
	IsFolder bool
	// Folder is the path of the folder with a final slash; "" for the root, and if only the end of the path was given.
	Folder string
}

// Find returns the number of the file with a tree path.
func (l List) Find(treePath string) (file uint32, ok bool) {
	i, ok := sort.Find(l.Len, func(i int) int {
		_, p := l.File(uint32(i))
		return strings.Compare(treePath, p)
	})
	return uint32(i), ok
}

// Match finds a file or folder by its path or a unique end of it, or the files whose paths have that end. isName reports
// whether a symbol or file has a name: if none has, a query without dots and slashes may be the end of a folder's path.
func (l List) Match(query string, isName func(string) bool) Match {
	name := strings.ReplaceAll(query, `\`, "/")
	folder := strings.HasSuffix(name, "/") || name == "." || !strings.ContainsAny(name, "./") && !isName(name)
	tree := ""
	if colon := strings.IndexByte(name, ':'); colon >= 0 && !strings.Contains(name[:colon], "/") {
		tree, name = name[:colon+1], name[colon+1:]
	}
	name = tree + strings.TrimPrefix(path.Clean("/"+name), "/")
	if file, ok := l.Find(name); ok {
		return Match{Files: []uint32{file}}
	}
	if found := l.Folder(name); len(found.Files) > 0 {
		return found
	}
	if folder || strings.Contains(name, "/") {
		if files := l.belowEnd(name + "/"); len(files) > 0 {
			return Match{Files: files, IsFolder: true}
		}
	}
	var found Match
	if strings.ContainsAny(name, "./") {
		for f := range uint32(l.Len) {
			if p := l.plain(f); p == name || strings.HasSuffix(p, "/"+name) {
				found.Files = append(found.Files, f)
			}
		}
	}
	return found
}

// Folder finds the folder with a path.
func (l List) Folder(path string) Match {
	folder := strings.TrimPrefix(path+"/", "/")
	return Match{Files: l.Below(folder), IsFolder: true, Folder: folder}
}

// Below returns the files below a folder, given by its path, with or without its tree, and a final slash; "" and "./" stand
// for the root of all trees.
func (l List) Below(folder string) []uint32 {
	all := folder == "" || folder == "./"
	var files []uint32
	for f := range uint32(l.Len) {
		if _, p := l.File(f); all || strings.HasPrefix(p, folder) || strings.HasPrefix(l.plain(f), folder) {
			files = append(files, f)
		}
	}
	return files
}

// belowEnd returns the files below the only folder whose path ends with the given one, nil if there are several such
// folders.
func (l List) belowEnd(folder string) []uint32 {
	var files []uint32
	only := ""
	for f := range uint32(l.Len) {
		_, p := l.File(f)
		i := strings.Index(p, "/"+folder)
		if i < 0 {
			continue
		}
		own := p[:i+1+len(folder)]
		if only != "" && only != own {
			return nil
		}
		only, files = own, append(files, f)
	}
	return files
}

// plain returns the path of a file within its tree.
func (l List) plain(file uint32) string { return record.SplitTreePath(l.File(file)) }
