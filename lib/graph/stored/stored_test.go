package stored

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/derived"
	"cortex/lib/graph/table"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// newStore makes a folder for a store, and one for what is derived from it.
func newStore(t *testing.T) string {
	t.Helper()
	t.Setenv(derived.Variable, t.TempDir())
	return filepath.Join(t.TempDir(), store.Dir)
}

// called makes a file whose function f calls the given names.
func called(path string, names ...string) *record.File {
	f := &record.File{Type: record.TypeFile, FilePath: path, Language: "zig", SHA256: strings.Repeat("0", 64), Status: record.StatusOK}
	f.Symbols = []record.Symbol{{Kind: record.Function, Name: "f" + path[:1], QualifiedName: "f" + path[:1], StartLine: 1, EndLine: 5}}
	for i, name := range names {
		f.References = append(f.References, record.Reference{Relation: record.Calls, Name: name, Symbol: f.Symbols[0].Name, Lines: []int{i + 1}})
	}
	return f
}

// run applies a run to the store.
func run(t *testing.T, dir, tree string, mode record.Mode, files ...*record.File) {
	t.Helper()
	var stream bytes.Buffer
	w := jsonl.NewWriter(&stream)
	records := []record.Record{&record.Begin{Type: record.TypeBegin, Schema: record.Schema, Tree: tree, Mode: mode, Files: len(files)}}
	for _, f := range files {
		records = append(records, f)
	}
	for _, r := range append(records, &record.End{Type: record.TypeEnd, Files: len(files)}) {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	err := update.Run(t.Context(), jsonl.NewReader(&stream, "test"), update.Options{Dir: dir, Report: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
}

// edges returns the callers of all functions.
func edges(t *testing.T, g *Graph) (all []string) {
	t.Helper()
	for c := 'a'; c <= 'z'; c++ {
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callers, Target: "f" + string(c)})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Results {
			all = append(all, fmt.Sprintf("%s calls %s at %v", h.Place(), a.Target.Place(), h.Lines))
		}
	}
	return all
}

func open(t *testing.T, dir string, opts Options) *Graph {
	t.Helper()
	g, err := Open(t.Context(), dir, nil, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// checkEdges compares the edges with the wanted ones and with those of a graph made from scratch.
func checkEdges(t *testing.T, dir string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, edges(t, open(t, dir, Options{Jobs: 2}))); diff != "" {
		t.Error(diff)
	}
	of, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer of.Close()
	w := newWork(partsOf(dir, of.Manifest(), of), Options{})
	fresh, err := w.alone(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(edges(t, fresh), want); diff != "" {
		t.Error("made of nothing:", diff)
	}
}

// The graph follows the store, whatever it was made of before.
func TestGraphFollowsTheStore(t *testing.T) {
	dir := newStore(t)
	run(t, dir, "", record.Full, called("a.zig", "fb", "fc"), called("b.zig"))
	checkEdges(t, dir, "a.zig:1 calls b.zig:1 at [1]")
	run(t, dir, "", record.Incremental, called("b.zig", "fa"))
	checkEdges(t, dir, "b.zig:1 calls a.zig:1 at [1]", "a.zig:1 calls b.zig:1 at [1]")
	run(t, dir, "", record.Incremental, &record.File{Type: record.TypeFile, FilePath: "b.zig", Status: record.StatusDeleted}, called("c.zig", "fa"))
	checkEdges(t, dir, "c.zig:1 calls a.zig:1 at [1]", "a.zig:1 calls c.zig:1 at [2]")
	run(t, dir, "", record.Full, called("a.zig"))
	checkEdges(t, dir)
}

// Trees of one store keep their nodes apart.
func TestGraphOfSeveralTrees(t *testing.T) {
	dir := newStore(t)
	run(t, dir, "one", record.Full, called("a.zig", "fb"), called("b.zig"))
	run(t, dir, "two", record.Full, called("c.zig", "fb", "fd"), called("d.zig"))
	checkEdges(t, dir, "one:a.zig:1 calls one:b.zig:1 at [1]", "two:c.zig:1 calls two:d.zig:1 at [2]")
	run(t, dir, "two", record.Full)
	checkEdges(t, dir, "one:a.zig:1 calls one:b.zig:1 at [1]")
}

// A kept graph is opened and not made again.
func TestGraphIsMadeOnce(t *testing.T) {
	dir := newStore(t)
	run(t, dir, "", record.Full, called("a.zig", "fb"), called("b.zig"))
	of, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer of.Close()
	made := 0
	opts := Options{Progress: func(done, _ int) { made = done }}
	if err := Build(t.Context(), dir, of, opts); err != nil || made != 2 {
		t.Fatalf("%d files were resolved: %v", made, err)
	}
	made = 0
	checkEdges(t, dir, "a.zig:1 calls b.zig:1 at [1]")
	if err := Build(t.Context(), dir, of, opts); err != nil {
		t.Fatal(err)
	}
	open(t, dir, opts)
	if made != 0 {
		t.Errorf("%d files were resolved again", made)
	}
	run(t, dir, "", record.Incremental, called("a.zig", "fb", "fx"))
	open(t, dir, opts)
	if made != 1 {
		t.Errorf("%d files were resolved where one has changed", made)
	}
}

// A change that does not concern the graph makes no new tables.
func TestGraphOfOtherText(t *testing.T) {
	dir := newStore(t)
	run(t, dir, "", record.Full, called("a.zig", "fb"), called("b.zig"))
	checkEdges(t, dir, "a.zig:1 calls b.zig:1 at [1]")
	changed := called("a.zig", "fb")
	changed.SHA256 = strings.Repeat("1", 64)
	run(t, dir, "", record.Incremental, changed)
	if diff := cmp.Diff([]string{"a.zig:1 calls b.zig:1 at [1]"}, edges(t, open(t, dir, Options{Progress: func(int, int) { t.Error("files were resolved") }}))); diff != "" {
		t.Error(diff)
	}
	folder, err := derived.Path(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{tablesDir, factsDir} {
		if files, err := os.ReadDir(filepath.Join(folder, "graph", part)); err != nil || part == tablesDir && len(files) != 1 {
			t.Error(part, files, err)
		}
	}
	run(t, dir, "", record.Incremental, called("a.zig", "fx", "fb"))
	checkEdges(t, dir, "a.zig:1 calls b.zig:1 at [2]")
}

// A reader of an older generation gets the graph of that generation, and the kept graph of the current one stays.
func TestGraphOfAnOlderGeneration(t *testing.T) {
	dir := newStore(t)
	run(t, dir, "", record.Full, called("a.zig", "fb"), called("b.zig"))
	older, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer older.Close()
	run(t, dir, "", record.Incremental, called("a.zig", "fx", "fb"))
	checkEdges(t, dir, "a.zig:1 calls b.zig:1 at [2]")
	g, err := Open(t.Context(), dir, older, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if diff := cmp.Diff([]string{"a.zig:1 calls b.zig:1 at [1]"}, edges(t, g)); diff != "" {
		t.Error(diff)
	}
	open(t, dir, Options{Progress: func(int, int) { t.Error("the graph was taken away") }})
}

// Missing, old or damaged derived files make no difference to the graph.
func TestDerivedFilesAreDamaged(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"removed": os.Remove,
		"empty":   func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"cut off": func(path string) error {
			info, err := os.Stat(path)
			return errors.Join(err, os.Truncate(path, info.Size()/2))
		},
		"flipped": func(path string) error {
			data, err := os.ReadFile(path)
			data[len(data)*3/4] ^= 1
			return errors.Join(err, os.WriteFile(path, data, 0o600))
		},
	} {
		for _, part := range []string{lastName, tablesDir, factsDir} {
			t.Run(name+" "+part, func(t *testing.T) {
				dir := newStore(t)
				run(t, dir, "", record.Full, called("a.zig", "fb"), called("b.zig"))
				open(t, dir, Options{}).Close()
				folder, err := derived.Path(dir)
				if err != nil {
					t.Fatal(err)
				}
				err = filepath.WalkDir(filepath.Join(folder, "graph"), func(path string, d fs.DirEntry, err error) error {
					if err == nil && d.Type().IsRegular() && strings.Contains(path, "graph/"+part) {
						return damage(path)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				run(t, dir, "", record.Incremental, called("a.zig", "fx", "fb"))
				checkEdges(t, dir, "a.zig:1 calls b.zig:1 at [2]")
			})
		}
	}
}

// If nothing can be kept, the graph is made in memory, and the caller is told the reason.
func TestGraphWithoutAFolder(t *testing.T) {
	dir := newStore(t)
	run(t, dir, "", record.Full, called("a.zig", "fb"), called("b.zig"))
	home := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(home, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(derived.Variable, home)
	var told error
	if got := edges(t, open(t, dir, Options{Aside: func(why error) { told = why }})); len(got) != 1 || told == nil {
		t.Errorf("%v, told %v", got, told)
	}
}

// Several callers that open a missing graph at once make it only once.
func TestOpenedAtOnce(t *testing.T) {
	dir := newStore(t)
	run(t, dir, "", record.Full, called("a.zig", "fb"), called("b.zig"))
	made := make(chan int, 100)
	errs := make(chan error)
	const n = 8
	for range n {
		go func() {
			g, err := Open(context.Background(), dir, nil, Options{Jobs: 2, Progress: func(done, total int) {
				if done == total {
					made <- done
				}
			}})
			if err == nil {
				err = g.Close()
			}
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if len(made) != 1 {
		t.Errorf("made %d times", len(made))
	}
}
