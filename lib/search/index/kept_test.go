package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"cortex/lib/derived/derivedtest"
)

// keyNumber is a key.
func keyNumber(n int) string { return fmt.Sprintf("%032x-1", n) }

func TestKeptFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := OpenKept(dir, "graph", keyNumber(1)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of nothing: %v", err)
	}
	for n := range 4 {
		if err := KeepFile(t.Context(), dir, "graph", keyNumber(n), []byte(strings.Repeat("x", n+1))); err != nil {
			t.Fatal(err)
		}
		k, err := OpenKept(dir, "graph", keyNumber(n))
		if err != nil || len(k.Data) != n+1 {
			t.Fatalf("%d: %v", n, err)
		}
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(derivedtest.Path(t, dir, "graph"))
	if err != nil || len(entries) != keptFiles+1 {
		t.Errorf("%d files and a lock: %v, %v", keptFiles, entries, err)
	}
	for _, bad := range []string{"", "..", "x/y", "tmp-0", strings.Repeat("g", 32)} {
		if err := KeepFile(t.Context(), dir, "graph", bad, nil); err == nil {
			t.Errorf("%q is taken for a key", bad)
		}
		if _, err := OpenKept(dir, "graph", bad); err == nil {
			t.Errorf("%q is taken for a key", bad)
		}
	}
}

// TestKeptFilesOfOthers: what was copied, changed or cut is not what was written.
func TestKeptFilesOfOthers(t *testing.T) {
	for name, harm := range map[string]func(folder string) error{
		"copied": func(folder string) error {
			if err := os.CopyFS(folder+"2", os.DirFS(folder)); err != nil {
				return err
			}
			if err := os.RemoveAll(folder); err != nil {
				return err
			}
			return os.Rename(folder+"2", folder)
		},
		"changed":   func(folder string) error { return os.WriteFile(folder+"/content", []byte("other text"), 0o600) },
		"cut":       func(folder string) error { return os.Truncate(folder+"/content", 3) },
		"emptied":   func(folder string) error { return os.Truncate(folder+"/content", 0) },
		"unsealed":  func(folder string) error { return os.Remove(folder + "/seal") },
		"bad seal":  func(folder string) error { return os.WriteFile(folder+"/seal", []byte("{"), 0o600) },
		"long seal": func(folder string) error { return os.WriteFile(folder+"/seal", make([]byte, 1<<20), 0o600) },
		"linked": func(folder string) error {
			if err := os.Rename(folder+"/content", folder+"/c"); err != nil {
				return err
			}
			return os.Symlink("c", folder+"/content")
		},
	} {
		dir := t.TempDir()
		if err := KeepFile(t.Context(), dir, "graph", keyNumber(1), []byte("some text.")); err != nil {
			t.Fatal(err)
		}
		folder := derivedtest.Path(t, dir, "graph", keyNumber(1))
		if err := harm(folder); err != nil {
			t.Fatal(err)
		}
		if k, err := OpenKept(dir, "graph", keyNumber(1)); err == nil {
			t.Errorf("%s: opened, with %q", name, k.Data)
		}
		// It is made anew.
		if err := KeepFile(t.Context(), dir, "graph", keyNumber(1), []byte("some text.")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if k, err := OpenKept(dir, "graph", keyNumber(1)); err != nil || string(k.Data) != "some text." {
			t.Errorf("%s, made anew: %v", name, err)
		}
	}
}
