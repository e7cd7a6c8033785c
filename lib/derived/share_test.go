package derived_test

import (
	"os"
	"path/filepath"
	"testing"

	"cortex/lib/derived"
)

// TestShare gives a store the files of another one, and leaves its own.
func TestShare(t *testing.T) {
	use(t)
	one, other := filepath.Join(t.TempDir(), "one"), filepath.Join(t.TempDir(), "other")
	write := func(dir, name, text string) {
		t.Helper()
		root, err := derived.Create(dir, "index")
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		if err := derived.Write(root, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write(one, "a", "a of one")
	write(one, "below/b", "b of one")
	write(one, "lock", "")
	write(other, "a", "a of other")
	if err := derived.Share(one, other, "index"); err != nil {
		t.Fatal(err)
	}
	file := func(dir, name string) string {
		t.Helper()
		folder, err := derived.Path(dir)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.Join(folder, "index", name)
	}
	if data, err := os.ReadFile(file(other, "a")); err != nil || string(data) != "a of other" {
		t.Errorf("%v, %q", err, data)
	}
	first, err := os.Stat(file(one, "below/b"))
	if err != nil {
		t.Fatal(err)
	}
	if second, err := os.Stat(file(other, "below/b")); err != nil || !os.SameFile(first, second) {
		t.Errorf("%v, it is not shared", err)
	}
	if _, err := os.Stat(file(other, "lock")); err == nil {
		t.Error("the lock is shared")
	}
	write(one, "below/b", "replaced")
	if data, err := os.ReadFile(file(other, "below/b")); err != nil || string(data) != "b of one" {
		t.Errorf("%v, %q after one has replaced its file", err, data)
	}
	if err := derived.Share(filepath.Join(t.TempDir(), "none"), other, "index"); err != nil {
		t.Errorf("of a store without files: %v", err)
	}
}
