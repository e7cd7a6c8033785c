// Package names takes apart the paths and names of nodes, for package table.
package names

import (
	"strings"
)

// FolderOf is the folder of a tree path as an identifier.
func FolderOf(path string) string {
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		return path[:slash+1]
	}
	if colon := strings.IndexByte(path, ':'); colon >= 0 {
		return path[:colon+1] + "./"
	}
	return "./"
}

// PathBase is the last part of a path or of a folder's identifier.
func PathBase(path string) string {
	path = strings.TrimSuffix(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// IsSeparator tells the bytes between the parts of names.
func IsSeparator(c byte) bool { return c == '.' || c == ':' || c == '#' || c == '/' || c == '\\' }

// LastPart of a name with parts.
func LastPart[T string | []byte](name T) T {
	for i := len(name) - 1; i >= 0; i-- {
		if IsSeparator(name[i]) && i < len(name)-1 {
			return name[i+1:]
		}
	}
	return name
}

// Outer is the qualified name without its last part, "" if it has one part.
func Outer(qualified string) string {
	return strings.TrimRight(strings.TrimSuffix(qualified, LastPart(qualified)), ".:#/\\")
}

// Parts splits a name at the separators of all languages.
func Parts(name string, fold bool) []string {
	if fold {
		name = strings.ToLower(name)
	}
	name = strings.ReplaceAll(name, "->", ".")
	return strings.FieldsFunc(name, func(r rune) bool { return r < 0x80 && IsSeparator(byte(r)) })
}
