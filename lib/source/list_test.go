package source

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/hint"
	"cortex/lib/record"
)

func list(t testing.TB, opts Options, paths ...string) []Entry {
	t.Helper()
	entries, err := List(t.Context(), opts, paths)
	if err != nil {
		t.Fatal(err)
	}
	return withoutStats(entries)
}

func TestList(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "12345", "d/b.go": "x", "d/.gitignore": "*.log\n", "d/x.log": "", "node_modules/m.js": "", "vendor/v.go": "", ".git/config": "", "d/e/f.md": ""})
	os.Symlink("d", filepath.Join(root, "link"))
	opts := Options{Root: root, Ignore: []string{"d/e"}}
	got := list(t, opts, "d/b.go", "./a.go", "a.go", "", "d/../a.go", filepath.Join(root, "d", "b.go"), "d/x.log", "node_modules/m.js", "vendor/v.go", "vendor",
		".git/config", "gone.go", "gone/too.go", "a.go/below", "d", ".", "link", "link/b.go", "d/e/f.md", "d//.gitignore", "bad\xff.go")
	want := []Entry{
		{Path: "a.go", Size: 5}, {Path: "a.go/below", Deleted: true},
		{Path: `bad\xff.go`, Deleted: true}, {Path: "d", Deleted: true}, {Path: "d/.gitignore", Size: 6}, {Path: "d/b.go", Size: 1}, {Path: "d/e/f.md", Deleted: true},
		{Path: "d/x.log", Deleted: true}, {Path: "gone.go", Deleted: true}, {Path: "gone/too.go", Deleted: true}, {Path: "link", Size: 1, Skip: SymbolicLink},
		{Path: "link/b.go", Deleted: true}, {Path: "node_modules/m.js", Deleted: true}, {Path: "vendor", Skip: "dependencies or build output: the line !/vendor/ in .cortexignore includes them"},
		{Path: "vendor/v.go", Deleted: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestListOutside(t *testing.T) {
	root := filepath.Join(t.TempDir(), "tree")
	write(t, root, tree("a ../tree2/b"))
	for _, path := range []string{"../tree2/b", "..", "a/../../tree2/b", "/etc/passwd", root + "2/b", filepath.Dir(root)} {
		_, err := List(t.Context(), Options{Root: root}, []string{"a", path})
		if err == nil || !strings.Contains(err.Error(), path) || hint.Of(err) == "" {
			t.Errorf("%q: error %v", path, err)
		}
	}
}

func TestListInAFolderThatCannotBeRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	root := t.TempDir()
	write(t, root, tree("a locked/b locked/d/c"))
	if err := os.Chmod(filepath.Join(root, "locked"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "locked"), 0o755) })
	const reason = Unreadable + ": permission denied"
	want := []Entry{{Path: "a"}, {Path: "locked/b", Skip: reason}, {Path: "locked/d/c", Skip: reason}}
	if diff := cmp.Diff(want, list(t, Options{Root: root}, "a", "locked/b", "locked/d/c")); diff != "" {
		t.Error(diff)
	}
}

func TestListThroughLinkedRoot(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"real/a": "x", "real/.gitignore": "b\n", "real/b": ""})
	link := filepath.Join(dir, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{filepath.Join(dir, "real", "a"), filepath.Join(link, "a"), "a"} {
		if diff := cmp.Diff([]Entry{{Path: "a", Size: 1}}, list(t, Options{Root: link}, path)); diff != "" {
			t.Error(path, diff)
		}
	}
	if diff := cmp.Diff([]string{".gitignore", "a"}, paths(walk(t, Options{Root: link}))); diff != "" {
		t.Error(diff)
	}
}

// For every existing path, List agrees with Walk: a path that Walk does not list is deleted.
func TestListAgreesWithWalk(t *testing.T) {
	rounds := 10
	if testing.Short() {
		rounds = 3
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 2))
		root := t.TempDir()
		for range 80 {
			var path string
			for range 1 + r.IntN(4) {
				path += "/" + pick(r, "a", "b", "ab", "a.b", "x.c", "build", "vendor", "package.json", ".git", "target", "\xff")
			}
			os.MkdirAll(filepath.Join(root, filepath.Dir(path)), 0o755)
			switch r.IntN(10) {
			case 0:
				os.Symlink(pick(r, "a", "..", "build"), filepath.Join(root, path))
			case 1:
				os.WriteFile(filepath.Join(root, filepath.Dir(path), pick(r, ignoreNames[:]...)), []byte(randomPatterns(r)), 0o644)
			default:
				os.WriteFile(filepath.Join(root, path), []byte("x"), 0o644)
			}
		}
		opts := Options{Root: root, Ignore: []string{"ab/**"}, Code: []string{"**/*.c", "**/b", "**/build/**"}}
		listed := map[string]Entry{}
		for _, e := range walk(t, opts) {
			listed[e.Path] = e
		}
		var all []string
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			rel, _ := filepath.Rel(root, path)
			if rel != "." && !(d.IsDir() && escape(rel) != rel) { // Walk has an entry for a folder with such a name
				all = append(all, rel)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, e := range list(t, opts, all...) {
			seen[e.Path] = true
			want, ok := listed[e.Path]
			if !ok {
				want = Entry{Path: e.Path, Deleted: true}
			}
			if want.Skip != badName && e != want {
				t.Errorf("seed %d: List %+v, Walk %+v", seed, e, want)
			}
		}
		for path, e := range listed {
			if !seen[path] && e.Skip != badName {
				t.Errorf("seed %d: List does not have %q", seed, path)
			}
		}
	}
}

// Paths that no index may have are dropped. For example, paths of a store are in every list of changes if git tracks
// the store.
func TestListPassesOverWhatNoIndexHas(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.go": "", ".cortex/generator-output.json": "{}", ".git/config": "", "d/.cortex": ""})
	got, err := List(t.Context(), Options{Root: root}, []string{"a.go", ".cortex/generator-output.json", ".git/config", "d/.cortex", ".", "d/..", "a\x00b", strings.Repeat("a/", record.MaxPath)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.go"}, paths(got)); diff != "" {
		t.Error(diff)
	}
}
