package table

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

// isSeparator tells the bytes between the parts of names.
func isSeparator(c byte) bool { return c == '.' || c == ':' || c == '#' || c == '/' || c == '\\' }

// lastPart of a name with parts.
func lastPart[T string | []byte](name T) T {
	for i := len(name) - 1; i >= 0; i-- {
		if isSeparator(name[i]) && i < len(name)-1 {
			return name[i+1:]
		}
	}
	return name
}

// outer is the qualified name without its last part, "" if it has one part.
func outer(qualified string) string {
	return strings.TrimRight(strings.TrimSuffix(qualified, lastPart(qualified)), ".:#/\\")
}
