// Package gitdir reads what git's files say about the folders of a repository (git's Documentation/gitrepository-layout).
// It opens nothing: callers read the files, within bounds of their own trust.
package gitdir

import (
	"path/filepath"
	"strings"
)

// MaxPointer bounds a file that names a folder: ".git" of a linked work tree or a submodule, "commondir", "gitdir".
const MaxPointer = 16 << 10

// Target is the folder of git that the text of a file ".git" names, which lies in the folder dir. It is clean, and absolute if dir is; ok is false if the
// text names none.
func Target(text []byte, dir string) (path string, ok bool) {
	name, ok := strings.CutPrefix(string(text), "gitdir:")
	if !ok {
		return "", false
	}
	return Path([]byte(name), dir)
}

// Path is the path that the text of "commondir" or "gitdir" consists of, a file in the folder dir, with the result as of Target.
func Path(text []byte, dir string) (path string, ok bool) {
	name := strings.TrimSpace(string(text))
	if name == "" || strings.ContainsAny(name, "\x00\n") {
		return "", false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	return filepath.Clean(name), true
}

// Common is the folder that all work trees of a repository share, for the folder of git of one of them, by the names alone; linked reports whether that is a
// linked work tree.
func Common(git string) (common string, linked bool) {
	git = filepath.Clean(git)
	if list := filepath.Dir(git); filepath.Base(list) == "worktrees" {
		return filepath.Dir(list), true
	}
	return git, false
}
