package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/record"
	"cortex/lib/store"
)

// A child process opens the store in its working directory and dies at the step whose number the variable holds.
const childVariable = "CORTEX_INDEX_CHILD"

func TestMain(m *testing.M) {
	if steps := os.Getenv(childVariable); steps != "" {
		os.Exit(child(steps))
	}
	// What is durable on a disk takes a while.
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", "/dev/shm")
	}
	derivedtest.Main(m)
}

func child(steps string) int {
	var number int
	fmt.Sscan(steps, &number)
	opts := Options{Effort: Build, step: func(string) {
		if number--; number == 0 {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until it arrives
		}
	}}
	g, err := Open(context.Background(), ".", words(), opts)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	g.Close()
	return 0
}

// words is an analysis of words between blanks.
func words() *Analysis {
	return &Analysis{
		Version: "words", Dicts: []string{"text", "title"},
		Terms: func(c *record.Chunk, emit func(dict int, term string, from, to int)) {
			for dict, text := range []string{c.Text, c.Title} {
				for i, word := range strings.Fields(text) {
					emit(dict, word, i, i+1)
				}
			}
		},
		Symbols: func(c *record.Chunk) iter.Seq[record.SymbolRef] { return slices.Values(c.Metadata.Symbols) },
		Traits:  func(c *record.Chunk) uint32 { return uint32(len(c.Tags)) },
	}
}

// clock stands still, so that a text that comes back is the chunk that it was.
func clock() time.Time { return time.Unix(1_750_000_000, 0) }

// put stores these texts, a chunk each, and nothing else.
func put(t *testing.T, dir string, texts ...string) {
	t.Helper()
	var stream []byte
	add := func(r record.Record) {
		var err error
		if stream, err = record.Append(stream, r); err != nil {
			t.Fatal(err)
		}
	}
	add(&record.Begin{Schema: record.Schema, Mode: record.Full, Files: len(texts), Settings: map[string]string{}})
	for i, text := range texts {
		path := fmt.Sprintf("f%03d", i)
		add(&record.File{FilePath: path, Status: record.StatusOK, SHA256: fmt.Sprintf("%064x", i)})
		add(&record.Chunk{ID: "doc-" + path, ChunkType: record.Documentation, Title: "title " + path, Text: text, Tags: []string{"doc", path},
			Metadata:  record.Metadata{Source: "doc", FilePath: path, StartLine: i, EndLine: i + 1, Symbols: []record.SymbolRef{{Name: path, Type: record.Heading, Line: i}}},
			Embedding: record.Embedding{1, float32(i)}, EmbeddingModel: "m"})
	}
	add(&record.End{Files: len(texts)})
	err := store.Run(t.Context(), record.NewReader(bytes.NewReader(stream), "test"), store.Options{Dir: dir, Jobs: 1, Now: clock, Report: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
}

// content is all that a generation says.
func content(t *testing.T, g *Generation) []string {
	t.Helper()
	var all []string
	for i := range g.Len() {
		c, err := g.Chunk(i)
		if err != nil {
			t.Fatal(err)
		}
		start, end := g.Lines(i)
		all = append(all, fmt.Sprint(g.ID(i), g.ChunkType(i), g.FilePath(i), g.Language(i), g.Tree(i), slices.Collect(g.Tags(i)), slices.Collect(g.Symbols(i)),
			start, end, g.Traits(i), g.Vector(i), c.Text))
	}
	for dict := range g.meta.Sums {
		err := g.Text().Terms(dict, "", func(string) bool { return true }, func(term string) bool {
			line := fmt.Sprint(dict, " ", term)
			postings := map[int]string{}
			err := g.Text().Each(t.Context(), dict, term, func(chunk, freq int, length float64) {
				postings[chunk] = fmt.Sprintf("%d*%d of %.6f", chunk, freq, length)
			})
			if err != nil {
				t.Fatal(err)
			}
			var set []int
			for chunk := range postings {
				set = append(set, chunk)
			}
			slices.Sort(set)
			err = g.Text().Spans(t.Context(), dict, term, g.Text().Numbers(func(yield func(int)) {
				for _, chunk := range set {
					yield(chunk)
				}
			}), func(chunk int, spans []Span) { postings[chunk] += fmt.Sprint(spans) })
			if err != nil {
				t.Fatal(err)
			}
			for _, chunk := range set {
				line += "; " + postings[chunk]
			}
			if n, err := g.Text().Count(dict, term); err != nil || n != len(set) {
				t.Errorf("%q is in %d chunks, counted %d, %v", term, len(set), n, err)
			}
			all = append(all, line)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func mustOpen(t *testing.T, dir string, effort Effort) *Generation {
	t.Helper()
	g, err := Open(t.Context(), dir, words(), Options{Effort: effort})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestDeltaEqualsBase makes the same generation from a base, in files and in memory, and as a base.
func TestDeltaEqualsBase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), store.Dir)
	put(t, dir, "one two", "two three three", "four", "five only", "")
	mustOpen(t, dir, Build).Close()
	put(t, dir, "one two", "two three", "four", "", "six six", "seven two")
	delta := mustOpen(t, dir, Update)
	defer delta.Close()
	if len(delta.segments) != 2 || len(delta.segments[1].mapped) == 0 {
		t.Error("the difference is not on disk")
	}
	got := content(t, delta)
	// A lock that another holds leaves memory.
	remove := func(patterns ...string) {
		for _, p := range patterns {
			paths, err := filepath.Glob(derivedtest.Path(t, dir, "index", p))
			if err != nil || len(paths) == 0 {
				t.Fatalf("nothing matches %s: %v", p, err)
			}
			for _, path := range paths {
				if err := os.RemoveAll(path); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	remove("generation-"+delta.Key(), "delta-*")
	held, err := os.OpenFile(derivedtest.Path(t, dir, "index", lockName), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	memory := mustOpen(t, dir, Update)
	defer memory.Close()
	if len(memory.segments) != 2 || len(memory.segments[1].mapped) != 0 {
		t.Error("the difference is not in memory")
	}
	if diff := cmp.Diff(got, content(t, memory)); diff != "" {
		t.Errorf("memory differs:\n%s", diff)
	}
	if _, err := Open(t.Context(), dir, (&Analysis{Version: "other", Dicts: words().Dicts}), Options{Effort: Build}); !errors.Is(err, ErrBusy) {
		t.Errorf("while another builds: %v", err)
	}
	held.Close()
	remove("*")
	base := mustOpen(t, dir, Build)
	defer base.Close()
	if len(base.segments) != 1 {
		t.Error("a generation that was made alone has a delta")
	}
	if diff := cmp.Diff(content(t, base), got); diff != "" {
		t.Errorf("delta differs from base:\n%s", diff)
	}
}

// TestKilledBuilder kills a process at every step of writing a base and a delta. What it leaves is no index, or a sound one, and the next takes it away.
func TestKilledBuilder(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	for _, prepared := range []bool{false, true} {
		for number := 1; ; number++ {
			dir := filepath.Join(t.TempDir(), store.Dir)
			if prepared {
				put(t, dir, "one", "two", "three")
				mustOpen(t, dir, Build).Close()
			}
			put(t, dir, "one", "two two", "four")
			cmd := exec.Command(os.Args[0])
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", childVariable, number))
			out, err := cmd.CombinedOutput()
			killed := err != nil
			var status *exec.ExitError
			if killed && (!errors.As(err, &status) || status.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL) {
				t.Fatalf("step %d: %v: %s", number, err, out)
			}
			before := mustOpen(t, dir, Build)
			got := content(t, before)
			before.Close()
			// Another generation cleans up.
			put(t, dir, "one", "two two", "five")
			mustOpen(t, dir, Build).Close()
			if left, _ := filepath.Glob(derivedtest.Path(t, dir, "index/tmp-*")); len(left) > 0 {
				t.Errorf("step %d: left %q", number, left)
			}
			put(t, dir, "one", "two two", "four")
			if err := os.RemoveAll(derivedtest.Path(t, dir)); err != nil {
				t.Fatal(err)
			}
			fresh := mustOpen(t, dir, Build)
			if diff := cmp.Diff(content(t, fresh), got); diff != "" {
				t.Errorf("prepared %v, killed at step %d: differs from a fresh index:\n%s", prepared, number, diff)
			}
			fresh.Close()
			if !killed {
				if number < 6 {
					t.Errorf("only %d steps", number-1)
				}
				break
			}
		}
	}
}

// TestChunkWithoutEmbedding stands beside others that have one.
func TestChunkWithoutEmbedding(t *testing.T) {
	m := &maker{lines: &store.Lines{Head: store.Head{Model: "m", Dimensions: 2}}, analysis: words()}
	w := newCatalogWriter(len(m.analysis.Dicts))
	b := &batch{rows: make([]store.Line, 3), lengths: make([][]uint32, 3), chunks: []*record.Chunk{
		{ID: "a", Embedding: record.Embedding{3, 4}, EmbeddingModel: "m"}, {ID: "b"}, {ID: "c", Embedding: record.Embedding{1, 0}, EmbeddingModel: "other"},
	}}
	var vectors []float32
	err := m.addRows(t.Context(), w, b, make([]float32, 2), func(v []float32) error {
		vectors = append(vectors, v...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	g := &Generation{numberOf: []uint32{0, 1, 2}, meta: meta{Dimensions: 2}}
	g.add(&segment{catalog: w.finish(), vectors: vectors})
	if v := g.Vector(0); len(v) != 2 || v[0] != 0.6 || v[1] != 0.8 {
		t.Errorf("vector %v", v)
	}
	if g.Vector(1) != nil || g.Vector(2) != nil {
		t.Errorf("vectors %v, %v of chunks without one of the model", g.Vector(1), g.Vector(2))
	}
}

// TestGarbage changes a store often: the cache does not grow.
func TestGarbage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), store.Dir)
	most := 0
	for i := range 12 {
		put(t, dir, "one", "two", fmt.Sprint("text ", i))
		mustOpen(t, dir, Build).Close()
		entries, err := os.ReadDir(derivedtest.Path(t, dir, "index"))
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, len(entries))
	}
	// A base, and for each generation that is kept a file and a delta, and the lock.
	if want := 1 + 2*keptGenerations + 1; most > want {
		t.Errorf("the cache had %d entries, at most %d were expected", most, want)
	}
}

func contentOf(s sections) []byte {
	var content bytes.Buffer
	s.WriteTo(&content)
	return content.Bytes()
}

// TestSections changes each byte of a file of sections.
func TestSections(t *testing.T) {
	data := contentOf(newSections(catalogFile, [][]byte{{1, 2, 3}, nil, make([]byte, 20)}))
	if s, err := splitSections(catalogFile, data, false); err != nil || len(s) != 3 || !bytes.Equal(s[0], []byte{1, 2, 3}) || len(s[2]) != 20 {
		t.Fatal(s, err)
	}
	for i := range data {
		bad := slices.Clone(data)
		bad[i] ^= 0x10
		if _, err := splitSections(catalogFile, bad, false); !errors.Is(err, ErrDamaged) {
			t.Errorf("byte %d: %v", i, err)
		}
		if _, err := splitSections(catalogFile, data[:i], false); !errors.Is(err, ErrDamaged) {
			t.Errorf("cut to %d bytes: %v", i, err)
		}
	}
}

// FuzzCatalog decodes what is no catalog.
func FuzzCatalog(f *testing.F) {
	w := newCatalogWriter(2)
	c := &record.Chunk{ID: "a", ChunkType: record.Data, Tags: []string{"x", "y"}}
	if err := w.add(c, words(), store.Line{}, true, []uint32{0, 3}); err != nil {
		f.Fatal(err)
	}
	f.Add(contentOf(w.finish().encode()))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := decodeCatalog(data, 2); err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	})
}
