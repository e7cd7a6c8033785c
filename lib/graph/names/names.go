// Package names splits the paths and qualified names of nodes (names.go), compares them with names that a user wrote
// (match.go), and finds similar ones (near.go), for package table.
package names

import (
	"strings"
)

// FolderOf returns the identifier of the folder of a tree path: with a final slash, "./" for the root of the tree.
func FolderOf(path string) string {
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		return path[:slash+1]
	}
	if colon := strings.IndexByte(path, ':'); colon >= 0 {
		return path[:colon+1] + "./"
	}
	return "./"
}

// PathBase returns the last part of a path or of a folder's identifier.
func PathBase(path string) string {
	path = strings.TrimSuffix(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// IsSeparator reports whether c separates the parts of a name.
func IsSeparator(c byte) bool { return c == '.' || c == ':' || c == '#' || c == '/' || c == '\\' }

// LastPart returns the part of a name behind its last separator; a separator at the end of the name does not count.
func LastPart[T string | []byte](name T) T {
	for i := len(name) - 1; i >= 0; i-- {
		if IsSeparator(name[i]) && i < len(name)-1 {
			return name[i+1:]
		}
	}
	return name
}

// Outer returns a qualified name without its last part, "" if it has one part.
func Outer(qualified string) string {
	return strings.TrimRight(strings.TrimSuffix(qualified, LastPart(qualified)), ".:#/\\")
}

// Parts splits a name at the separators of all languages, in lower case if fold is set.
func Parts(name string, fold bool) []string {
	if fold {
		name = strings.ToLower(name)
	}
	name = strings.ReplaceAll(name, "->", ".")
	return strings.FieldsFunc(name, func(r rune) bool { return r < 0x80 && IsSeparator(byte(r)) })
}

// CommonFolder returns the deepest folder that contains all paths.
func CommonFolder(paths []string) string {
	folder := FolderOf(paths[0])
	for _, p := range paths[1:] {
		for folder != "./" && !strings.HasPrefix(p, folder) {
			folder = FolderOf(strings.TrimSuffix(folder, "/"))
		}
	}
	return folder
}
