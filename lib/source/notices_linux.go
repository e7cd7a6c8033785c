package source

import (
	"os"
	"path/filepath"
	"syscall"
)

// Notices tell whether anything has happened in folders of a tree, by inotify. Unlike the events of a Watcher they wait in the system until they are asked
// for, so that what happened before the question is in the answer.
type Notices struct {
	root string
	file *os.File
	conn syscall.RawConn
	// broken tells that a folder could not be watched.
	broken bool
}

// NewNotices is for the tree at root, of which no folder is watched yet. It fails where the system has no room for it.
func NewNotices(root string) (*Notices, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	n := &Notices{root: root, file: os.NewFile(uintptr(fd), "inotify")}
	n.conn, err = n.file.SyscallConn()
	return n, err
}

// noticed is all that can change what a walk finds, or the content of a file.
const noticed = syscall.IN_CREATE | syscall.IN_DELETE | syscall.IN_MODIFY | syscall.IN_MOVED_FROM | syscall.IN_MOVED_TO | syscall.IN_ATTRIB |
	syscall.IN_DELETE_SELF | syscall.IN_MOVE_SELF | syscall.IN_ONLYDIR | syscall.IN_DONT_FOLLOW

// watch begins to watch a folder.
func (n *Notices) watch(folder string) {
	err := n.conn.Control(func(fd uintptr) {
		_, err := syscall.InotifyAddWatch(int(fd), filepath.Join(n.root, filepath.FromSlash(folder)), noticed)
		n.broken = n.broken || err != nil && err != syscall.ENOENT && err != syscall.ENOTDIR && err != syscall.EACCES
	})
	n.broken = n.broken || err != nil
}

// Tell reports whether they are of all folders that were to be watched; n may be nil.
func (n *Notices) Tell() bool { return n != nil && !n.broken }

// Any reports whether anything has happened since the last call, or cannot be known.
func (n *Notices) Any() bool {
	any := n.broken
	buf := make([]byte, 16<<10)
	err := n.conn.Control(func(fd uintptr) {
		for {
			read, err := syscall.Read(int(fd), buf)
			if err == syscall.EINTR {
				continue
			}
			if any = any || err != syscall.EAGAIN; read <= 0 {
				return
			}
		}
	})
	return any || err != nil
}

// Close ends the watch.
func (n *Notices) Close() error { return n.file.Close() }
