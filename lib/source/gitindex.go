package source

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// maxGitIndex is the size up to which an index is read: about five million files.
const maxGitIndex = 512 << 20

// A repository answers what git tracks in one work tree. Nil is the answer for
// a tree without git: nothing.
type repository struct {
	// prefix is the length of the path of the work tree's top, with its slash.
	prefix int
	// folders are those of maybeFolders, by path below the top, in which git tracks a file.
	folders func() map[string]bool
}

// newRepository is for a work tree whose folders open returns, as gitFolders does; it is called at most once.
func newRepository(prefix int, open func() (git, common *os.Root, err error)) *repository {
	return &repository{prefix, sync.OnceValue(func() map[string]bool {
		git, common, err := open()
		if err != nil {
			return nil
		}
		defer git.Close()
		defer common.Close()
		index, err := readSmall(git, "index", maxGitIndex)
		if err != nil {
			return nil
		}
		config, err := readSmall(common, "config", maxIgnoreFile)
		hash := 20
		if err == nil && bytes.Contains(bytes.ToLower(config), []byte("objectformat = sha256")) {
			hash = 32
		}
		folders := map[string]bool{}
		trackedPaths(index, hash, func(path []byte) { addFolders(folders, path) })
		return folders
	})}
}

// tracks reports whether git tracks a file in the folder that is worth more than
// keeping it, such as a ".gitkeep".
func (r *repository) tracks(folder string) bool {
	return r != nil && r.folders()[folder[r.prefix:]]
}

func addFolders(folders map[string]bool, path []byte) {
	if name := path[bytes.LastIndexByte(path, '/')+1:]; len(name) == 0 || name[0] == '.' {
		return
	}
	start := 0
	for i, c := range path {
		if c == '/' {
			if maybeFolders[string(path[start:i])] && !folders[string(path[:i])] {
				folders[string(path[:i])] = true
			}
			start = i + 1
		}
	}
}

// trackedPaths calls f with every path of an index of version 2 to 4
// (git's Documentation/gitformat-index). It stops where the index is not well formed. f must not keep
// the path.
func trackedPaths(index []byte, hash int, f func(path []byte)) {
	const header = 12
	if len(index) < header || string(index[:4]) != "DIRC" {
		return
	}
	version := binary.BigEndian.Uint32(index[4:])
	count := binary.BigEndian.Uint32(index[8:])
	if version < 2 || version > 4 {
		return
	}
	rest := index[header:]
	var path []byte
	for range count {
		size := 40 + hash + 2
		if len(rest) < size {
			return
		}
		if rest[size-2]&0x40 != 0 {
			size += 2 // extended flags
		}
		if len(rest) < size {
			return
		}
		name := rest[size:]
		keep := 0
		if version == 4 {
			drop, n := indexVarint(name)
			if n == 0 || drop > len(path) {
				return
			}
			name = name[n:]
			size += n
			keep = len(path) - drop
		}
		end := bytes.IndexByte(name, 0)
		if end < 0 {
			return
		}
		path = append(path[:keep], name[:end]...)
		size += end + 1
		if version < 4 {
			size = (size + 7) &^ 7
		}
		f(path)
		rest = rest[min(size, len(rest)):]
	}
}

// indexVarint decodes the number at the start of data as git's offsets are encoded; n is its length, 0 if it is
// not well formed.
func indexVarint(data []byte) (value, n int) {
	for i, c := range data[:min(len(data), 5)] {
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}

// readSmall reads a regular file of at most limit bytes; of a longer one, what is within.
func readSmall(root *os.Root, name string, limit int64) ([]byte, error) {
	f, _, err := openRegular(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// gitFolders opens the folder that holds the index, and the one that holds config and info/exclude, of the
// work tree at top: ".git" itself, or where the file of that name points (git's Documentation/gitrepository-layout).
func gitFolders(top string) (git, common *os.Root, err error) {
	path := filepath.Join(top, ".git")
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		root, err := os.OpenRoot(top)
		if err != nil {
			return nil, nil, err
		}
		defer root.Close()
		line, err := readSmall(root, ".git", maxIgnoreFile)
		if err != nil {
			return nil, nil, err
		}
		target, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "gitdir: ")
		if !ok {
			return nil, nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid}
		}
		path = from(top, target)
	}
	if git, err = os.OpenRoot(path); err != nil {
		return nil, nil, err
	}
	if line, err := readSmall(git, "commondir", maxIgnoreFile); err == nil {
		path = from(path, strings.TrimSpace(string(line)))
	}
	if common, err = os.OpenRoot(path); err != nil {
		git.Close()
		return nil, nil, err
	}
	return git, common, nil
}

// from resolves a path that is written relative to a folder.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
