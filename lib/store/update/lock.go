package update

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"cortex/lib/flock"
	"cortex/lib/hint"
	"cortex/lib/safeopen"
	"cortex/lib/store/layout"
)

// A lock is the right to write to a store. It is held on the folder itself, so that no lock file is left behind, and
// the system releases it when the process ends.
type lock struct {
	root *safeopen.Root
	held *flock.Lock
	made bool // acquire created the folder
}

// acquire locks the store's folder, and creates it if it is missing. If another process holds the lock, it fails at
// once with errLocked.
func acquire(dir string) (*lock, error) {
	l := &lock{}
	var err error
	if l.root, err = safeopen.OpenFolder(dir); errors.Is(err, fs.ErrNotExist) {
		if err = os.Mkdir(dir, 0o777); err == nil || errors.Is(err, fs.ErrExist) {
			l.made = err == nil
			l.root, err = safeopen.OpenFolder(dir)
		}
	}
	switch {
	case errors.Is(err, safeopen.ErrLink):
		return nil, hint.Wrap(fmt.Errorf("write store %s: %w", dir, safeopen.ErrLink), layout.CureOfLink)
	case errors.Is(err, syscall.ENOTDIR):
		return nil, fmt.Errorf("write store %s: it is not a folder", dir)
	case err != nil:
		return nil, writeError(dir, err)
	}
	if l.held, err = take(dir, l.root); err != nil {
		l.root.Close()
		return nil, err
	}
	return l, nil
}

// take locks the folder at dir, which is open as root.
func take(dir string, root *safeopen.Root) (*flock.Lock, error) {
	folder, err := root.Dir(".")
	if err != nil {
		return nil, writeError(dir, err)
	}
	held, err := flock.Try(folder)
	switch {
	case errors.Is(err, flock.ErrHeld):
		err := lockedBy(dir, folder)
		folder.Close()
		return nil, err
	case err != nil:
		folder.Close()
		return nil, fmt.Errorf("lock store %s: %w", dir, err)
	}
	// The folder may have been replaced before it was locked.
	locked, err := folder.Stat()
	if err == nil {
		var now os.FileInfo
		if now, err = os.Lstat(dir); err == nil && !os.SameFile(locked, now) {
			err = errors.New("the folder was replaced meanwhile")
		}
	}
	if err != nil {
		held.Release()
		return nil, fmt.Errorf("lock store %s: %w", dir, layout.Cause(err))
	}
	return held, nil
}

// BeingWritten reports whether a process is writing to the store now.
func BeingWritten(dir string) bool {
	root, err := safeopen.OpenFolder(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	held, err := take(dir, root)
	if err != nil {
		return errors.Is(err, errLocked)
	}
	held.Release()
	return false
}

// errLocked is wrapped by the error about a lock that another process holds.
var errLocked = errors.New("locked")

type lockedError struct{ dir, holder string }

func (e *lockedError) Error() string {
	return "store " + e.dir + " is being written by " + e.holder
}
func (e *lockedError) Is(target error) bool { return target == errLocked }

// lockedBy returns the error about the lock on the folder at dir. It names the process that holds the lock if that is
// one of Cortex, as far as the system tells.
func lockedBy(dir string, folder *os.File) error {
	pid, program := holder(folder)
	if !strings.HasPrefix(program, "cortex-") {
		return hint.Wrap(&lockedError{dir, "another process"}, "try again when it has ended")
	}
	advice := "run the pipeline again when that process has stored its run"
	if program == "cortex-serve" {
		advice = "cortex-serve keeps the index up to date itself, so no pipeline is needed while it runs"
	}
	return hint.Wrap(&lockedError{dir, fmt.Sprintf("%s, process %d", program, pid)}, advice)
}

// release releases the store. It removes a folder that it created and that is still empty, since that would look like a
// store.
func (l *lock) release() {
	if l.held == nil {
		return
	}
	if l.made {
		os.Remove(l.root.Name())
	}
	l.held.Release()
	l.root.Close()
	l.held = nil
}

// inStore returns the path of a file of the store in dir; path may be relative to dir, as in errors of package os. A
// new shard has the path of the shard that it replaces: its own differs in each attempt, and the same fault would seem
// to be another one.
func inStore(dir, path string) string {
	folder, name := filepath.Split(path)
	if shard, isNew := layout.ShardOf(name); isNew {
		path = folder + shard
	}
	switch {
	case path == ".":
		return dir
	case path == dir || strings.HasPrefix(path, dir+"/"):
		return path
	}
	return dir + "/" + path
}

// writeError explains why the store, or a file of it, cannot be written.
func writeError(dir string, err error) error {
	name := dir
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		name = inStore(dir, path.Path)
	case errors.As(err, &link):
		name = inStore(dir, link.New)
	}
	if name == dir {
		name = "store " + dir
	}
	wrapped := fmt.Errorf("write %s: %w", name, layout.Cause(err))
	switch {
	case errors.Is(err, syscall.EROFS):
		return hint.Wrap(wrapped, "name a store on another file system with --store DIR")
	case errors.Is(err, fs.ErrPermission):
		return hint.Wrap(wrapped, "the store cannot be written to here: change its permissions, or name another with --store DIR")
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return hint.Wrap(wrapped, "the index is as it was; make room and run it again")
	case errors.Is(err, syscall.EIO):
		return hint.Wrap(wrapped, "the index is as it was; the disk may be failing")
	case errors.Is(err, fs.ErrNotExist):
		return hint.Wrap(wrapped, "make its parent folder first")
	}
	return wrapped
}
