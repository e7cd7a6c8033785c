package safeopen

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// place makes a folder with a root in it:
//
//	secret              outside
//	root/a/b/c          inside
//	root/large          8 GiB, of which nothing is on disk
//	root/pipe, socket   nothing to read
//	root/out, up, within, folder   links
func place(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	root := filepath.Join(top, "root")
	for _, err := range []error{
		os.MkdirAll(filepath.Join(root, "a/b"), 0o777),
		os.WriteFile(filepath.Join(top, "secret"), []byte("outside"), 0o666),
		os.WriteFile(filepath.Join(root, "a/b/c"), []byte("inside"), 0o666),
		os.WriteFile(filepath.Join(root, "large"), nil, 0o666),
		os.Truncate(filepath.Join(root, "large"), 8<<30),
		syscall.Mkfifo(filepath.Join(root, "pipe"), 0o666),
		syscall.Mkfifo(filepath.Join(root, "a/pipe"), 0o666),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"out": "../secret", "absolute": filepath.Join(top, "secret"), "up": "..", "within": "a/b/c", "folder": "a", "topipe": "a/pipe",
	} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func open(t *testing.T, dir string) *Root {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// soon fails if f waits.
func soon(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { f(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s waits", what)
	}
}

func TestFilesAreOpenedBelowTheRoot(t *testing.T) {
	dir := place(t)
	r := open(t, dir)
	for path, direct := range map[string]bool{
		"a/b/c": true, "a/../a/b/c": true,
		"within": false, "folder/b/c": false, "out": false, "absolute": false, "up/secret": false, "../secret": false, "a/../../secret": false,
		filepath.Join(dir, "../secret"): false, "a/b/none": false, "a/b/c/d": false, "": false,
	} {
		own, err := r.Dir(".")
		if err != nil {
			t.Fatal(err)
		}
		if f := openBelow(own, path, path, syscall.O_NONBLOCK); f != nil {
			f.Close()
			if !direct {
				t.Errorf("%q is opened in one call", path)
			}
		}
		own.Close()
		data, err := r.Read(path, 10)
		inside := direct || path == "within" || path == "folder/b/c"
		if (err == nil) != inside || inside && string(data) != "inside" {
			t.Errorf("%q: %q, %v", path, data, err)
		}
		if leadsOut := path == "out" || path == "absolute" || path == "up/secret"; leadsOut && !errors.Is(err, ErrLink) {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestNothingIsWaitedFor(t *testing.T) {
	dir := place(t)
	r := open(t, dir)
	socket := filepath.Join(dir, "socket")
	if len(socket) < 100 {
		l, err := net.Listen("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	} else if err := os.Mkdir(socket, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pipe", "a/pipe", "socket", "topipe", "a", "folder"} {
		soon(t, name, func() {
			if _, _, err := r.File(name); !errors.Is(err, ErrNotRegular) {
				t.Errorf("open %s: %v", name, err)
			}
			if _, err := r.Read(name, 10); !errors.Is(err, ErrNotRegular) {
				t.Errorf("read %s: %v", name, err)
			}
		})
	}
	for _, name := range []string{"pipe", "a/pipe", "topipe", "a/b/c"} {
		soon(t, name, func() {
			if _, err := Open(filepath.Join(dir, name)); !errors.Is(err, syscall.ENOTDIR) {
				t.Errorf("open %s as a root: %v", name, err)
			}
			if _, err := r.Folder(name); !errors.Is(err, syscall.ENOTDIR) {
				t.Errorf("open %s as a folder: %v", name, err)
			}
			if _, err := r.List(name); !errors.Is(err, syscall.ENOTDIR) {
				t.Errorf("list %s: %v", name, err)
			}
		})
	}
}

func TestFolders(t *testing.T) {
	dir := place(t)
	r := open(t, dir)
	a, err := r.Folder("a")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.Name() != filepath.Join(dir, "a") || r.Name() != dir {
		t.Errorf("named %q in %q", a.Name(), r.Name())
	}
	if f, _, err := a.File("b/c"); err != nil || f.Name() != filepath.Join(dir, "a/b/c") {
		t.Errorf("%v, %v", f, err)
	} else if f.Close(); len(f.Name()) == 0 {
		t.Error("no name")
	}
	list, err := a.List("b")
	if err != nil || len(list) != 1 || list[0].Name() != "c" {
		t.Errorf("%v, %v", list, err)
	}
	for _, name := range []string{"up", "..", "none"} {
		if f, err := r.Folder(name); err == nil {
			f.Close()
			t.Errorf("%s is opened", name)
		}
	}
}

func TestOpenFolderRefusesLinks(t *testing.T) {
	dir := place(t)
	for _, name := range []string{"folder", "up", "topipe"} {
		if _, err := OpenFolder(filepath.Join(dir, name)); !errors.Is(err, ErrLink) || !strings.Contains(err.Error(), filepath.Join(dir, name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := OpenFolder(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	if _, err := OpenFolder(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestSizesAreBounded(t *testing.T) {
	r := open(t, place(t))
	var size *SizeError
	if data, err := r.Read("large", 1<<20); !errors.As(err, &size) || size.Size != 8<<30 || size.Most != 1<<20 || data != nil {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if data, more, err := r.Head("large", 1<<20); len(data) != 1<<20 || !more || err != nil {
		t.Errorf("%d bytes, %v, %v", len(data), more, err)
	}
	for most, want := range map[int64]bool{5: false, 6: true, 7: true} {
		data, err := r.Read("a/b/c", most)
		if (err == nil) != want || want && string(data) != "inside" {
			t.Errorf("%d: %q, %v", most, data, err)
		}
		head, more, err := r.Head("a/b/c", most)
		if string(head) != "inside"[:min(most, 6)] || more == want || err != nil {
			t.Errorf("%d: %q, %v, %v", most, head, more, err)
		}
	}
}

// An existing file is never opened when a file of the same name is created.
func TestCreateReplaces(t *testing.T) {
	dir := place(t)
	r := open(t, dir)
	for _, name := range []string{"pipe", "out", "within", "a/b/c", "new"} {
		soon(t, name, func() {
			f, err := r.Create(name)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			_, err = io.WriteString(f, "new")
			if err := errors.Join(err, f.Close()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if data, err := r.Read(name, 10); string(data) != "new" || err != nil {
				t.Errorf("%s: %q, %v", name, data, err)
			}
		})
	}
	if data, err := os.ReadFile(filepath.Join(dir, "../secret")); string(data) != "outside" || err != nil {
		t.Errorf("outside: %q, %v", data, err)
	}
	if f, err := r.CreateNew("new"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v, %v", f, err)
	}
}
