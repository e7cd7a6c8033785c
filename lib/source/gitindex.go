package source

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"cortex/lib/gitdir"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

const (
	// maxGitIndex bounds the part of an index that is read, in bytes. It has room for about five million files, which
	// are read in half a second.
	maxGitIndex = 512 << 20
	// maxGitConfig bounds git's configuration, in bytes. It has a few lines for each branch.
	maxGitConfig = 1 << 20
)

// A repository knows which files of a worktree git tracks. A nil repository, for a tree without git, tracks nothing.
type repository struct {
	// prefix is the length of the path of the worktree's top, with its slash.
	prefix int
	// index returns what is tracked. It reads git's index at the first call.
	index func() *tracked
	// failed is the error of the environment that prevented reading the index, if any.
	failed atomic.Pointer[error]
}

// newRepository returns the repository of a worktree. open returns the worktree's folders of git as gitFolders does; it
// is called at most once.
func newRepository(prefix int, open func() (git, common *safeopen.Root, err error)) *repository {
	r := &repository{prefix: prefix}
	r.index = sync.OnceValue(func() *tracked {
		index, err := readTracked(open)
		if isEnvironment(err) {
			r.failed.Store(&err)
		}
		return index
	})
	return r
}

// tracked holds the tracked files of a worktree. Paths are relative to its top.
type tracked struct {
	// maybe are the folders named in maybeFolders that have a tracked file.
	maybe map[string]bool
	// hashes are the sorted hashes of the paths of the tracked files and of their folders: most paths are never asked
	// for, so they are not kept.
	hashes []uint64
	seed   maphash.Seed
	// last is the path that was added last.
	last []byte
}

// maxHashes bounds tracked.hashes. Files beyond it count as not tracked.
const maxHashes = 16 << 20

// add adds a file. The paths of an index are sorted, so a folder is new if the path before is not in it.
func (t *tracked) add(path []byte) {
	if len(path) == 0 || len(path) > record.MaxPath || bytes.Equal(path, t.last) {
		return
	}
	same := 0
	for same < min(len(path), len(t.last)) && path[same] == t.last[same] {
		same++
	}
	t.last = append(t.last[:0], path...)
	addFolders(t.maybe, path)
	for i := same; i < len(path); i++ {
		if path[i] == '/' {
			t.addHash(path[:i])
		}
	}
	t.addHash(path)
}

func (t *tracked) addHash(path []byte) {
	if len(t.hashes) < maxHashes {
		t.hashes = append(t.hashes, maphash.Bytes(t.seed, path))
	}
}

// has reports whether the file is tracked, or a file in the folder.
func (t *tracked) has(path string) bool {
	_, ok := slices.BinarySearch(t.hashes, maphash.String(t.seed, path))
	return ok
}

// readTracked reads the index of a repository. With an error it returns an empty result.
func readTracked(open func() (git, common *safeopen.Root, err error)) (*tracked, error) {
	t := &tracked{maybe: map[string]bool{}, seed: maphash.MakeSeed()}
	err := t.read(open)
	slices.Sort(t.hashes)
	t.last = nil
	return t, err
}

func (t *tracked) read(open func() (git, common *safeopen.Root, err error)) error {
	git, common, err := open()
	if err != nil {
		return err
	}
	defer git.Close()
	defer common.Close()
	index, _, err := git.File("index")
	if err != nil {
		return err
	}
	defer index.Close()
	config, err := common.Read("config", maxGitConfig)
	if isEnvironment(err) {
		return err
	}
	hash := 20
	if bytes.Contains(bytes.ToLower(config), []byte("objectformat = sha256")) {
		hash = 32
	}
	trackedPaths(io.LimitReader(index, maxGitIndex), hash, t.add)
	return nil
}

// fault returns the error of the environment that made the answers of tracks unreliable, if any.
func (r *repository) fault() error {
	if r == nil {
		return nil
	}
	if err := r.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// tracks reports whether git tracks a file in the folder, one of maybeFolders. Files such as ".gitkeep", which only keep
// the folder, do not count.
func (r *repository) tracks(folder string) bool {
	return r != nil && r.index().maybe[folder[r.prefix:]]
}

// has reports whether git tracks the file, or a file in the folder.
func (r *repository) has(path string) bool {
	return r != nil && r.index().has(path[r.prefix:])
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

// trackedPaths calls f with every path of an index of version 2 to 4 (git's Documentation/gitformat-index). It stops
// where the index is malformed. f must not keep the path.
func trackedPaths(index io.Reader, hash int, f func(path []byte)) {
	// A path that does not fit into the buffer counts as malformed.
	r := bufio.NewReaderSize(index, 64<<10)
	const header = 12
	head, err := r.Peek(header)
	if err != nil || string(head[:4]) != "DIRC" {
		return
	}
	version := binary.BigEndian.Uint32(head[4:])
	count := binary.BigEndian.Uint32(head[8:])
	if version < 2 || version > 4 {
		return
	}
	r.Discard(header)
	var path []byte
	for range count {
		size := 40 + hash + 2
		entry, err := r.Peek(size)
		if err != nil {
			return
		}
		if entry[size-2]&0x40 != 0 {
			size += 2 // extended flags
		}
		if _, err := r.Discard(size); err != nil {
			return
		}
		keep := 0
		if version == 4 {
			prefix, _ := r.Peek(maxVarint)
			drop, n := indexVarint(prefix)
			if n == 0 || drop > len(path) {
				return
			}
			r.Discard(n)
			size += n
			keep = len(path) - drop
		}
		name, err := r.ReadSlice(0)
		if err != nil || keep+len(name) > r.Size() {
			return
		}
		path = append(path[:keep], name[:len(name)-1]...)
		size += len(name)
		f(path)
		if version < 4 {
			// Skip the padding after the entry.
			if _, err := r.Discard((size+7)&^7 - size); err != nil {
				return
			}
		}
	}
}

// maxVarint is the greatest accepted length of a number, in bytes.
const maxVarint = 5

// indexVarint decodes a number in git's offset encoding at the start of data. n is its length, 0 if it is malformed.
func indexVarint(data []byte) (value, n int) {
	for i, c := range data[:min(len(data), maxVarint)] {
		value = value<<7 | int(c&0x7f)
		if c&0x80 == 0 {
			return value, i + 1
		}
		value++
	}
	return 0, 0
}

// gitFolders opens the folder that has the index of the worktree at top, and the folder that has its config and
// info/exclude. The first is ".git" itself, or the folder that the file ".git" names.
func gitFolders(top string) (git, common *safeopen.Root, err error) {
	path := filepath.Join(top, ".git")
	info, err := os.Lstat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		root, err := safeopen.Open(top)
		if err != nil {
			return nil, nil, err
		}
		defer root.Close()
		if path, err = gitFolder(root, ".git", top); err != nil {
			return nil, nil, err
		}
	}
	if git, err = safeopen.Open(path); err != nil {
		return nil, nil, err
	}
	text, err := git.Read("commondir", gitdir.MaxPointer)
	if common, ok := gitdir.Path(text, path); err == nil && ok {
		path = common
	} else if isEnvironment(err) {
		git.Close()
		return nil, nil, err
	}
	if common, err = safeopen.Open(path); err != nil {
		git.Close()
		return nil, nil, err
	}
	return git, common, nil
}

// gitFolder returns the folder of git that the file ".git" in dir names.
func gitFolder(root *safeopen.Root, file, dir string) (string, error) {
	text, err := root.Read(file, gitdir.MaxPointer)
	if err != nil {
		return "", err
	}
	target, ok := gitdir.Target(text, dir)
	if !ok {
		return "", &fs.PathError{Op: "read", Path: filepath.Join(dir, ".git"), Err: fs.ErrInvalid}
	}
	return target, nil
}

// maybeFolders are names of folders that hold build products in most projects and sources in some, such as a package
// named "build". At the top of a tree and next to one of buildFiles they are skipped, unless git tracks a file in them.
var maybeFolders = nameSet("build", "_build", "out", "target", "coverage", "venv", "obj")
