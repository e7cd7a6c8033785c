package derived

import (
	"bufio"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"cortex/lib/flock"
)

const lockName = "lock"

// TryAcquire takes the lock of the folder, or returns flock.ErrHeld.
func TryAcquire(root *os.Root) (*flock.Lock, error) {
	f, err := root.OpenFile(lockName, os.O_RDWR|os.O_CREATE|asFile, 0o600)
	if err != nil {
		return nil, withCure(err)
	}
	lock, err := flock.Try(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return lock, nil
}

// Acquire waits for the lock of the folder until ctx ends.
func Acquire(ctx context.Context, root *os.Root) (*flock.Lock, error) {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		lock, err := TryAcquire(root)
		if !errors.Is(err, flock.ErrHeld) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(wait):
		}
	}
}

// Publish replaces the file as Write does, with the content that write writes.
func Publish(root *os.Root, name string, write func(io.Writer) error) (err error) {
	defer func() { err = withCure(err) }()
	if err := root.MkdirAll(path.Dir(name), 0o700); err != nil {
		return err
	}
	random := make([]byte, 8)
	rand.Read(random) // never fails
	temp := path.Join(path.Dir(name), tempPrefix+hex.EncodeToString(random))
	defer func() {
		if err != nil {
			err = errors.Join(err, ignoreMissing(root.Remove(temp)))
		}
	}()
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 64<<10)
	if err = write(out); err == nil {
		err = out.Flush()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return root.Rename(temp, name)
}

// Keep removes the files of a folder for which keep returns false. It ignores errors, since leftover files only cost
// space.
func Keep(root *os.Root, folder string, keep func(name string) bool) {
	entries, _ := fs.ReadDir(root.FS(), folder)
	for _, e := range entries {
		if !keep(e.Name()) {
			_ = root.Remove(path.Join(folder, e.Name()))
		}
	}
}

// A Mapped is a file mapped into memory, which all processes share. Files are replaced and never written in place, so
// the data does not change.
type Mapped struct{ Data []byte }

// Map maps a file, which must not be empty. Data begins at a page boundary.
func Map(root *os.Root, name string) (*Mapped, error) {
	f, err := root.OpenFile(name, os.O_RDONLY|asFile, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if size := info.Size(); !info.Mode().IsRegular() || size <= 0 || size != int64(int(size)) {
		return nil, &fs.PathError{Op: "map", Path: f.Name(), Err: fmt.Errorf("it is no file, or has %d bytes", size)}
	}
	data, err := mapFile(f, int(info.Size()))
	if err != nil {
		return nil, &fs.PathError{Op: "map", Path: f.Name(), Err: err}
	}
	return &Mapped{data}, nil
}

// Close unmaps the file. Data must not be in use any more.
func (m *Mapped) Close() error {
	if m == nil || m.Data == nil {
		return nil
	}
	data := m.Data
	m.Data = nil
	return unmap(data)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// tempPrefix begins the names of temporary files.
const tempPrefix = ".tmp-"

// Try writes a file of tried bytes into the folder, or into its nearest existing parent, and removes the file. The
// error says why the folder cannot be written, for example because the disk is full.
func Try(folder string) error {
	for {
		f, err := os.CreateTemp(folder, ".cortex-try-*")
		if above := filepath.Dir(folder); errors.Is(err, fs.ErrNotExist) && above != folder {
			folder = above
			continue
		}
		if err == nil {
			_, err = f.Write(make([]byte, tried))
			err = cmp.Or(err, f.Close(), os.Remove(f.Name()))
		}
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err // the path of the removed file would not help
		}
		return withCure(err)
	}
}

// tried is the size of the file that Try writes, in bytes. It is too large for a file system to store in the inode.
const tried = 64 << 10
