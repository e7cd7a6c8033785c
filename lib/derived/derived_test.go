package derived_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"cortex/lib/derived"
	"cortex/lib/hint"
)

func use(t *testing.T) (home string) {
	t.Helper()
	home = filepath.Join(t.TempDir(), "home")
	t.Setenv(derived.Variable, home)
	return home
}

// create makes derived files of size bytes for the store at dir.
func create(t *testing.T, dir string, size int) {
	t.Helper()
	root, err := derived.Create(dir, "index")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := derived.Write(root, "data", make([]byte, size)); err != nil {
		t.Fatal(err)
	}
}

func has(t *testing.T, dir string) bool {
	t.Helper()
	root, err := derived.Open(dir, "index")
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	return root.Close() == nil
}

func TestHome(t *testing.T) {
	t.Setenv(derived.Variable, "")
	t.Setenv("XDG_CACHE_HOME", "/somewhere")
	if home, err := derived.Home(); err != nil || home != "/somewhere/cortex" {
		t.Errorf("home %q, error %v", home, err)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if home, err := derived.Home(); err == nil || !strings.Contains(hint.Of(err), derived.Variable) {
		t.Errorf("home %q without an environment, error %v, advice %q", home, err, hint.Of(err))
	}
	if _, err := derived.Open(t.TempDir(), "index"); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("open without a home: %v", err)
	}
	t.Setenv(derived.Variable, "relative")
	if home, err := derived.Home(); err != nil || !filepath.IsAbs(home) {
		t.Errorf("home %q, error %v", home, err)
	}
}

// If the cache folder cannot be created or is full, the error says how to choose another.
func TestCureOfTheFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(derived.Variable, filepath.Join(file, "cache"))
	_, err := derived.Create(t.TempDir(), "index")
	if want := "set CORTEX_CACHE_DIR to a folder that can be written"; err == nil || hint.Of(err) != want {
		t.Errorf("a folder in a file: error %v, advice %q, want %q", err, hint.Of(err), want)
	}
	use(t)
	root, err := derived.Create(t.TempDir(), "index")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	err = derived.Publish(root, "data", func(io.Writer) error { return syscall.ENOSPC })
	if want := "make room there, or set CORTEX_CACHE_DIR to a folder on a disk with room"; !errors.Is(err, syscall.ENOSPC) || hint.Of(err) != want {
		t.Errorf("a full disk: error %v, advice %q, want %q", err, hint.Of(err), want)
	}
}

// A store has the same folder whichever path names it, before and after it exists. Different stores have different
// folders.
func TestPathOfAStore(t *testing.T) {
	use(t)
	root := t.TempDir()
	dir := filepath.Join(root, ".cortex")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Fatal(err)
	}
	create(t, dir, 1)
	t.Chdir(root)
	for _, name := range []string{".cortex", dir + "/", filepath.Join(link, ".cortex"), "./x/../.cortex"} {
		if !has(t, name) {
			t.Errorf("%s has no derived files", name)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if !has(t, dir) {
		t.Error("a store that was made has others")
	}
	if has(t, filepath.Join(root, "x", ".cortex")) {
		t.Error("another store has them too")
	}
}

func TestOpenMakesNothing(t *testing.T) {
	home := use(t)
	if has(t, filepath.Join(t.TempDir(), ".cortex")) {
		t.Error("there are derived files")
	}
	if _, err := os.Lstat(home); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder was made: %v", err)
	}
}

// Creating derived files removes those of stores that no longer exist, but keeps those of a store that is made again.
func TestStoreThatIsGone(t *testing.T) {
	use(t)
	gone, stays := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for _, root := range []string{gone, stays} {
		if err := os.Mkdir(root, 0o700); err != nil {
			t.Fatal(err)
		}
		create(t, filepath.Join(root, ".cortex"), 1)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	create(t, filepath.Join(t.TempDir(), ".cortex"), 1)
	if has(t, filepath.Join(gone, ".cortex")) {
		t.Error("a store that is gone has derived files")
	}
	if !has(t, filepath.Join(stays, ".cortex")) {
		t.Error("a folder without a store lost its derived files")
	}
}

// A folder that a process left without an owner is removed after a day.
func TestFolderWithoutAnOwner(t *testing.T) {
	home := use(t)
	create(t, filepath.Join(t.TempDir(), ".cortex"), 1)
	young, old := filepath.Join(home, "stores", "young"), filepath.Join(home, "stores", "old")
	for _, dir := range []string{young, old} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	before := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(old, before, before); err != nil {
		t.Fatal(err)
	}
	create(t, filepath.Join(t.TempDir(), ".cortex"), 1)
	if _, err := os.Lstat(young); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestLeastRecentlyUsedGoesFirst(t *testing.T) {
	home := use(t)
	dirs := make([]string, 3)
	for i := range dirs {
		dirs[i] = filepath.Join(t.TempDir(), ".cortex")
		create(t, dirs[i], 1000)
		folder, err := derived.Path(dirs[i])
		if err != nil {
			t.Fatal(err)
		}
		used := time.Now().Add(-time.Duration(10-i) * 24 * time.Hour)
		if err := os.Chtimes(filepath.Join(folder, "path"), used, used); err != nil {
			t.Fatal(err)
		}
	}
	if !has(t, dirs[0]) { // that is a use
		t.Fatal("no derived files")
	}
	derived.RemoveUnused(filepath.Join(home, "stores"), 2500, time.Now())
	for i, want := range []bool{true, false, true} {
		if got := has(t, dirs[i]); got != want {
			t.Errorf("store %d has derived files: %v, want %v", i, got, want)
		}
	}
}

func TestReadIsBounded(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := derived.Write(root, "a/b", []byte("12345")); err != nil {
		t.Fatal(err)
	}
	if data, err := derived.Read(root, "a/b", 5); err != nil || string(data) != "12345" {
		t.Errorf("read %q, error %v", data, err)
	}
	if _, err := derived.Read(root, "a/b", 4); err == nil || !strings.Contains(err.Error(), "more than 4 bytes") {
		t.Errorf("error %v", err)
	}
	if entries, err := os.ReadDir(filepath.Join(root.Name(), "a")); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}
