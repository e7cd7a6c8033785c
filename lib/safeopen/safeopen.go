// Package safeopen opens untrusted files and folders, such as those of a repository and of the store in it.
//
// Opening never blocks: a pipe without a writer, a device and a socket are errors at once. No link leads out of the
// folder. Only a regular file is opened as a file, and only a folder as a folder. A caller that reads a whole file
// states how large the file may be. All other packages open files through this one; opening_test.go in the root checks
// that. Begin with safeopen.go.
package safeopen

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Reasons not to open a file. They are wrapped in *fs.PathErrors.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrLink       = errors.New("it is a symbolic link")
)

// A SizeError reports a file that is larger than the limit of a read.
type SizeError struct{ Size, Most int64 }

func (e *SizeError) Error() string {
	return fmt.Sprintf("it has %d bytes, more than the %d that are read", e.Size, e.Most)
}

// A Root is a folder below which files are opened. Names are slash-separated paths relative to it. It is safe for
// concurrent use.
type Root struct {
	root *os.Root
	name string
	once sync.Once
	// dir is the folder as an open file. It is set when a name with a slash is first opened.
	dir *os.File
}

// Open opens a folder that the user has named. It follows links on the path.
func Open(dir string) (*Root, error) {
	root, err := os.OpenRoot(asFolder(dir))
	if err != nil {
		return nil, named(err, dir)
	}
	return &Root{root: root, name: dir}, nil
}

// OpenFolder opens a folder such as .cortex, which a repository could replace by a link to any place. A link is an
// error.
func OpenFolder(dir string) (*Root, error) {
	info, err := os.Lstat(dir)
	if err != nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: ErrLink}
	}
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	// A link may have replaced the folder meanwhile.
	if opened, err := r.root.Stat("."); err != nil || !os.SameFile(info, opened) {
		r.Close()
		return nil, &fs.PathError{Op: "open", Path: dir, Err: errors.New("the folder was replaced meanwhile")}
	}
	return r, nil
}

// asFolder appends a slash to the path, so that the system opens only a folder.
func asFolder(path string) string {
	if path == "" || strings.HasSuffix(path, "/") {
		return path
	}
	return path + "/"
}

// named returns the error with the caller's path.
func named(err error, path string) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: p.Op, Path: path, Err: p.Err}
	}
	return err
}

// Name returns the path by which the folder was opened.
func (r *Root) Name() string { return r.name }

// Close closes the folder. Files opened below it stay open.
func (r *Root) Close() error {
	var err error
	r.once.Do(func() {}) // no other goroutine opens r.dir from now on
	if r.dir != nil {
		err = r.dir.Close()
	}
	return errors.Join(err, r.root.Close())
}

// Folder opens a folder below the root.
func (r *Root) Folder(name string) (*Root, error) {
	root, err := r.root.OpenRoot(asFolder(name))
	if err != nil {
		return nil, named(err, name)
	}
	return &Root{root: root, name: filepath.Join(r.name, filepath.FromSlash(name))}, nil
}

// Dir opens a folder below the root, to list, sync or lock it; "." is the root itself. For a link that leads out, the
// error is ErrLink.
func (r *Root) Dir(name string) (*os.File, error) {
	f, err := r.root.OpenFile(name, os.O_RDONLY|directory|syscall.O_NONBLOCK, 0)
	if leadsOut(err) {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrLink}
	}
	return f, err
}

// List returns the entries of a folder, in no particular order.
func (r *Root) List(name string) ([]fs.DirEntry, error) {
	dir, err := r.Dir(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.ReadDir(-1)
}

// File opens a regular file for reading. For a link that leads out, the error is ErrLink.
func (r *Root) File(name string) (*os.File, fs.FileInfo, error) {
	if strings.Contains(name, "/") {
		if dir := r.own(); dir != nil {
			if f := openBelow(dir, name, filepath.Join(r.name, filepath.FromSlash(name)), syscall.O_NONBLOCK); f != nil {
				return regular(f, name)
			}
		}
	}
	f, err := r.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	switch {
	case leadsOut(err):
		err = &fs.PathError{Op: "open", Path: name, Err: ErrLink}
	case errors.Is(err, syscall.ENXIO):
		// The name is a socket, or a device that does not exist.
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, nil, err
	}
	return regular(f, name)
}

// leadsOut reports whether the error of os.Root is about a link out of its folder. os exports no value for that error.
func leadsOut(err error) bool {
	var p *fs.PathError
	return errors.As(err, &p) && p.Err.Error() == "path escapes from parent"
}

// own returns the root as an open file, nil if it cannot be opened.
func (r *Root) own() *os.File {
	r.once.Do(func() { r.dir, _ = r.Dir(".") })
	return r.dir
}

// regular returns the file, or closes it if it is not a regular file.
func regular(f *os.File, name string) (*os.File, fs.FileInfo, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: ErrNotRegular}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// File opens a regular file that the user has named. It follows links.
func File(path string) (*os.File, fs.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if errors.Is(err, syscall.ENXIO) {
		err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
	}
	if err != nil {
		return nil, nil, err
	}
	return regular(f, path)
}

// ReadFile returns the content of a regular file that the user has named. It follows links. For a file of more than
// most bytes, the error is a *SizeError.
func ReadFile(path string, most int64) ([]byte, error) {
	f, info, err := File(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, info.Size(), path, most)
}

// Read returns the content of a regular file. For a file of more than most bytes, the error is a *SizeError.
func (r *Root) Read(name string, most int64) ([]byte, error) {
	f, info, err := r.File(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return read(f, info.Size(), name, most)
}

func read(f *os.File, size int64, name string, most int64) ([]byte, error) {
	if size <= most {
		data, err := readUpTo(f, most+1, size)
		if err != nil {
			return nil, err
		}
		if size = int64(len(data)); size <= most {
			return data, nil
		}
	}
	return nil, &fs.PathError{Op: "read", Path: name, Err: &SizeError{size, most}}
}

// Head returns up to most bytes from the start of a regular file, and whether the file has more.
func (r *Root) Head(name string, most int64) (data []byte, more bool, err error) {
	f, info, err := r.File(name)
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	data, err = readUpTo(f, most+1, info.Size())
	if int64(len(data)) > most {
		data, more = data[:most], true
	}
	return data, more, err
}

// readUpTo reads up to most bytes. size is the expected size.
func readUpTo(r io.Reader, most, size int64) ([]byte, error) {
	data := bytes.NewBuffer(make([]byte, 0, min(size, most)+bytes.MinRead))
	_, err := data.ReadFrom(io.LimitReader(r, most))
	return data.Bytes(), err
}

// Create creates a file for writing. It removes an existing file of that name first, without opening it.
func (r *Root) Create(name string) (*os.File, error) {
	if err := r.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return r.CreateNew(name)
}

// CreateRead is Create for a file that is also read.
func (r *Root) CreateRead(name string) (*os.File, error) {
	if err := r.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return r.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

// CreateNew creates a file for writing. The error is fs.ErrExist if the name exists.
func (r *Root) CreateNew(name string) (*os.File, error) {
	return r.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// These methods are those of os.Root. They open nothing.

func (r *Root) Lstat(name string) (fs.FileInfo, error)    { return r.root.Lstat(name) }
func (r *Root) Mkdir(name string, perm fs.FileMode) error { return r.root.Mkdir(name, perm) }
func (r *Root) Rename(from, to string) error              { return r.root.Rename(from, to) }
func (r *Root) Remove(name string) error                  { return r.root.Remove(name) }
