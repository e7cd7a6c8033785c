// Package share lets the processes of one user elect one of them to do work for all, and talk to it over a Unix socket.
//
// They meet in a folder of the user's runtime folder. The process that holds its lock leads and listens. The system releases the lock when that process ends,
// however it ends, and another process takes over. Nobody but the user gets in: the folders are the user's own (0700), and each side asks the system for the
// user of the other.
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

// ErrNone says that nobody leads, or that who does is just beginning or ending.
var ErrNone = errors.New("nobody leads")

const (
	socketName = "s"
	// maxSocketPath is the length of the path of a socket that all systems take.
	maxSocketPath = 103
	// joinTime is how long it is waited for a connection, which a process makes at once unless it was stopped with a full queue.
	joinTime = time.Second
)

// A Group is the processes that agree on a key: they meet in its folder, which is there while one of them leads.
type Group struct{ dir string }

// A Conn is a connection between two processes of the user.
type Conn = net.UnixConn

// At returns the group of a key, which may be any text. It fails if no folder belongs to the user alone.
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

// runtimeFolder is a folder for sockets of this user. Clients start servers with different environments, so that the variable is not all that counts.
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

// own makes the folder if it is missing, and refuses one that others may use.
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

// A Lead is held by the one who leads.
type Lead struct {
	dir      string
	lock     *flock.Lock
	listener *net.UnixListener
}

// Lead makes this process the one that leads. It fails with flock.ErrHeld if another one does.
func (g *Group) Lead() (*Lead, error) {
	for {
		lead, err := g.lead()
		if !errors.Is(err, fs.ErrNotExist) {
			return lead, err
		}
		// Who led until now has removed the folder.
	}
}

// lead is Lead, whose error is fs.ErrNotExist if the folder was removed meanwhile.
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
	// The lock of a folder that was removed keeps nobody away from one that was made in its place.
	if err := isAt(g.dir, folder); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	// What is left of one that was killed.
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

// isAt reports fs.ErrNotExist unless the path leads to the open folder.
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

// Accept waits for the next process of the user that joins. Others are turned away.
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

// Close lets another process lead. Connections stay open.
func (l *Lead) Close() error {
	// The socket goes first, so that nobody joins while nobody leads, and the folder while the lock keeps others from leading in it.
	closed := l.listener.Close()
	removed := os.Remove(l.dir)
	if errors.Is(removed, fs.ErrNotExist) {
		removed = nil
	}
	return errors.Join(closed, removed, l.lock.Release())
}

// Join connects with the process that leads. The error is ErrNone if there is none that takes a connection.
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

// checkPeer refuses another user's process.
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
