package derived

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"testing"
	"time"
)

func TestPublishAndMap(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if _, err := Map(root, "a/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := Write(root, "a/b", []byte("first")); err != nil {
		t.Fatal(err)
	}
	m, err := Map(root, "a/b")
	if err != nil {
		t.Fatal(err)
	}
	if err := Publish(root, "a/b", func(w io.Writer) error { _, err := w.Write(bytes.Repeat([]byte("x"), 3<<20)); return err }); err != nil {
		t.Fatal(err)
	}
	if string(m.Data) != "first" {
		t.Errorf("what is mapped became %q", m.Data)
	}
	if err := errors.Join(m.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	full := errors.New("the disk is full")
	if err := Publish(root, "a/b", func(w io.Writer) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
	entries, err := fs.ReadDir(root.FS(), "a")
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
	Keep(root, "a", func(string) bool { return true })
	if _, err := root.Stat("a/b"); err != nil {
		t.Error(err)
	}
	Keep(root, "a", func(name string) bool { return name != "b" })
	if _, err := root.Stat("a/b"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if err := Write(root, "empty", nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"empty", "a"} {
		if _, err := Map(root, name); err == nil {
			t.Errorf("%s was mapped", name)
		}
	}
}

func TestLockExcludes(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	l, err := Acquire(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if _, err := Acquire(ctx, root); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if l, err = TryAcquire(root); err != nil {
		t.Fatal(err)
	}
	l.Release()
}
