package source

import (
	"os"
	"path/filepath"
	"syscall"
)

// Notices report whether anything has happened in folders of a tree, by inotify. Unlike the events of a Watcher, the
// events wait in the kernel until Any reads them, so Any never misses an event that came before the call.
type Notices struct {
	root string
	file *os.File
	conn syscall.RawConn
	// broken says that a folder could not be watched.
	broken bool
}

// NewNotices returns Notices for the tree at root that watch no folder yet. It returns an error if the system's limit
// is reached.
func NewNotices(root string) (*Notices, error) {
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	n := &Notices{root: root, file: os.NewFile(uintptr(fd), "inotify")}
	n.conn, err = n.file.SyscallConn()
	return n, err
}

// noticed are all events that may change the result of a walk or the content of a file.
const noticed = syscall.IN_CREATE | syscall.IN_DELETE | syscall.IN_MODIFY | syscall.IN_MOVED_FROM | syscall.IN_MOVED_TO | syscall.IN_ATTRIB |
	syscall.IN_DELETE_SELF | syscall.IN_MOVE_SELF | syscall.IN_ONLYDIR | syscall.IN_DONT_FOLLOW

// watch adds a folder.
func (n *Notices) watch(folder string) {
	err := n.conn.Control(func(fd uintptr) {
		_, err := syscall.InotifyAddWatch(int(fd), filepath.Join(n.root, filepath.FromSlash(folder)), noticed)
		n.broken = n.broken || err != nil && err != syscall.ENOENT && err != syscall.ENOTDIR && err != syscall.EACCES
	})
	n.broken = n.broken || err != nil
}

// Tell reports whether all folders are watched. n may be nil.
func (n *Notices) Tell() bool { return n != nil && !n.broken }

// Any reports whether anything has happened since the last call, or may have.
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
