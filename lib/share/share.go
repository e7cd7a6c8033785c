// Package share lets the processes of one user elect a leader that works for all of them, and lets them talk to the
// leader over a Unix socket.
//
// The processes meet in a folder inside the user's runtime folder. The process that holds the folder's lock leads and
// listens. The system releases the lock when that process ends for any reason, and another process takes over. Only the
// user's own processes can join: the folders belong to the user (mode 0700), and each side asks the system for the user
// of the other.
package share

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"cortex/lib/flock"
	"cortex/lib/safeopen"
)

// ErrNone says that no process leads, or that the leader is starting or ending.
var ErrNone = errors.New("nobody leads")

const (
	socketName = "s"
	// maxSocketPath is the longest path of a socket that all systems accept, in bytes.
	maxSocketPath = 103
	// joinTime bounds the wait for a connection. The system connects at once unless the leader is stopped and its queue
	// is full.
	joinTime = time.Second
)

// A Group is the processes that use the same key. They meet in the folder dir, which exists while one of them leads.
type Group struct{ dir string }

// A Conn is a connection between two processes of the user.
type Conn = net.UnixConn

// At returns the group of a key, which may be any text. It returns an error if there is no folder that only the user
// can access.
func At(getenv func(string) string, key string) (*Group, error) {
	base, err := runtimeFolder(getenv)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(key))
	dir := filepath.Join(base, hex.EncodeToString(sum[:12]))
	if info, err := os.Lstat(dir); err == nil {
		if err := check(dir, info); err != nil {
			return nil, err
		}
	}
	if path := filepath.Join(dir, socketName); len(path) > maxSocketPath {
		return nil, fmt.Errorf("the path of a socket is too long: %s", path)
	}
	return &Group{dir}, nil
}

// runtimeFolder returns a folder for sockets of this user. Clients start servers with different environments, so
// XDG_RUNTIME_DIR may be missing in some.
func runtimeFolder(getenv func(string) string) (string, error) {
	uid := strconv.Itoa(os.Geteuid())
	for _, dir := range []string{getenv("XDG_RUNTIME_DIR"), "/run/user/" + uid} {
		if info, err := os.Lstat(dir); dir != "" && filepath.IsAbs(dir) && err == nil && check(dir, info) == nil {
			dir = filepath.Join(dir, "cortex")
			return dir, own(dir)
		}
	}
	dir := filepath.Join(os.TempDir(), "cortex-"+uid)
	return dir, own(dir)
}

// own creates the folder if it is missing. It returns an error if others can access the folder.
func own(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	return check(dir, info)
}

func check(dir string, info fs.FileInfo) error {
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is no folder", dir)
	case !isOwn(info):
		return fmt.Errorf("%s is not the user's own", dir)
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s is open to others", dir)
	}
	return nil
}

// A Lead is held by the leading process.
type Lead struct {
	dir      string
	lock     *flock.Lock
	listener *net.UnixListener
}

// Lead makes this process the leader. The error is flock.ErrHeld if another process leads.
func (g *Group) Lead() (*Lead, error) {
	for {
		lead, err := g.lead()
		if !errors.Is(err, fs.ErrNotExist) {
			return lead, err
		}
		// The previous leader has removed the folder meanwhile; try again.
	}
}

// lead is one attempt of Lead. The error is fs.ErrNotExist if the folder was removed meanwhile.
func (g *Group) lead() (*Lead, error) {
	if err := own(g.dir); err != nil {
		return nil, err
	}
	root, err := safeopen.Open(g.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	folder, err := root.Dir(".")
	if err != nil {
		return nil, err
	}
	lock, err := flock.Try(folder)
	if err != nil {
		folder.Close()
		return nil, err
	}
	// A lock on a removed folder has no effect on processes that use its replacement.
	if err := isAt(g.dir, folder); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	// Remove the socket of a leader that was killed.
	if err := root.Remove(socketName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, errors.Join(err, lock.Release())
	}
	path := filepath.Join(g.dir, socketName)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err == nil {
		if err = os.Chmod(path, 0o600); err != nil {
			listener.Close()
		}
	}
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return &Lead{g.dir, lock, listener}, nil
}

// isAt returns fs.ErrNotExist unless path leads to the open folder.
func isAt(path string, folder *os.File) error {
	own, err := folder.Stat()
	if err != nil {
		return err
	}
	there, err := os.Lstat(path)
	if err == nil && !os.SameFile(own, there) {
		err = fs.ErrNotExist
	}
	return err
}

// Accept waits for the next process of the user to join. It turns away others.
func (l *Lead) Accept() (*Conn, error) {
	for {
		conn, err := l.listener.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if checkPeer(conn) == nil {
			return conn, nil
		}
		conn.Close()
	}
}

// Close lets another process lead. Accepted connections stay open.
func (l *Lead) Close() error {
	// Remove the socket first, so that no process joins without a leader. Remove the folder before the lock is
	// released, so that no process leads in a removed folder.
	closed := l.listener.Close()
	removed := os.Remove(l.dir)
	if errors.Is(removed, fs.ErrNotExist) {
		removed = nil
	}
	return errors.Join(closed, removed, l.lock.Release())
}

// Join connects to the leader. The error is ErrNone if no leader accepts the connection.
func (g *Group) Join() (*Conn, error) {
	dialer := net.Dialer{Timeout: joinTime}
	conn, err := dialer.Dial("unix", filepath.Join(g.dir, socketName))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	joined := conn.(*Conn)
	if err := checkPeer(joined); err != nil {
		joined.Close()
		return nil, err
	}
	return joined, nil
}

// checkPeer returns an error if the process at the other end belongs to another user.
func checkPeer(conn *Conn) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var uid int
	var asked error
	if err := raw.Control(func(fd uintptr) { uid, asked = peerOf(int(fd)) }); err != nil {
		return err
	}
	switch {
	case asked != nil:
		return fmt.Errorf("ask who is connected: %w", asked)
	case uid != os.Geteuid():
		return fmt.Errorf("user %d is connected", uid)
	}
	return nil
}
