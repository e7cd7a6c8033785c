package index

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/store"
)

// near is what a generation has near some words, and with some beginnings.
func nearTerms(t *testing.T, g *Generation) []string {
	t.Helper()
	var all []string
	for dict := range g.meta.Sums {
		collect := func(term string) bool {
			all = append(all, term)
			return true
		}
		for _, word := range []string{"word1", "wrod12", "w", "xyz", ""} {
			for edits := 1; edits <= 2; edits++ {
				all = append(all, fmt.Sprint(dict, " near ", word, edits))
				if err := g.Text().Near(dict, word, edits, collect); err != nil {
					t.Fatal(err)
				}
			}
			all = append(all, fmt.Sprint(dict, " begins with ", word))
			if err := g.Text().Terms(dict, word, func(term string) bool { return len(term)%2 == 1 }, collect); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all
}

// TestSuccession changes a store again and again: the index that is made of the last one is as if it had been made of the chunks alone, whether
// it is known what has changed or not.
func TestSuccession(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	dir := filepath.Join(t.TempDir(), store.Dir)
	texts := make([]string, 40)
	text := func() string {
		words := make([]string, random.IntN(12))
		for i := range words {
			words[i] = fmt.Sprint("word", random.IntN(30)*random.IntN(30))
		}
		return strings.Join(words, " ")
	}
	for i := range texts {
		texts[i] = text()
	}
	put(t, dir, texts...)
	mustOpen(t, dir, Build).Close()
	most := 0
	var past [][]string
	for step := range 60 {
		past = append(past, slices.Clone(texts))
		for range 1 + random.IntN(1+random.IntN(8)) {
			texts[random.IntN(len(texts))] = text()
		}
		switch random.IntN(10) {
		case 0:
			texts = texts[:len(texts)-1]
		case 1:
			texts = append(texts, text())
		case 2: // back to another branch
			texts = slices.Clone(past[random.IntN(len(past))])
		case 3: // a generation that no index was made of
			put(t, dir, texts...)
			texts[0] = text()
		}
		put(t, dir, texts...)
		if random.IntN(4) == 0 {
			if err := os.RemoveAll(derivedtest.Path(t, dir, "store/changes")); err != nil {
				t.Fatal(err)
			}
		}
		g := mustOpen(t, dir, Update)
		most = max(most, len(g.segments))
		alone := filepath.Join(t.TempDir(), store.Dir)
		put(t, alone, texts...)
		fresh := mustOpen(t, alone, Build)
		if diff := cmp.Diff(content(t, fresh), content(t, g)); diff != "" {
			t.Fatalf("step %d: differs from a fresh index:\n%s", step, diff)
		}
		if diff := cmp.Diff(nearTerms(t, fresh), nearTerms(t, g)); diff != "" {
			t.Fatalf("step %d: terms differ from those of a fresh index:\n%s", step, diff)
		}
		g.Close()
		fresh.Close()
	}
	if most < 3 {
		t.Errorf("at most %d segments at a time", most)
	}
	shared.Lock()
	defer shared.Unlock()
	if len(shared.segments) != 0 {
		t.Errorf("%d segments are still open", len(shared.segments))
	}
}

// TestFollowEqualsCompare finds one difference both ways.
func TestFollowEqualsCompare(t *testing.T) {
	dir := filepath.Join(t.TempDir(), store.Dir)
	put(t, dir, "one", "two", "three", "four", "five")
	mustOpen(t, dir, Build).Close()
	put(t, dir, "one", "two two", "three", "4")
	put(t, dir, "one", "two", "three", "4", "five", "six")
	lines, err := store.OpenLines(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	c := &cache{storeDir: dir, folder: "index", lines: lines, analysis: words(), opts: Options{Jobs: 1}}
	defer lines.Close()
	if c.root, err = os.OpenRoot(derivedtest.Path(t, dir, "index")); err != nil {
		t.Fatal(err)
	}
	defer c.root.Close()
	old := c.older()
	defer old.Close()
	got, err := old.follow(t.Context(), lines)
	if err != nil {
		t.Fatal(err)
	}
	all, err := c.scan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(old.compare(all), got, cmp.AllowUnexported(difference{})); diff != "" {
		t.Error(diff)
	}
	if want := []uint32{0, 1, 2, gone, 4, gone}; !slices.Equal(got.from, want) {
		t.Errorf("chunks come from %v, want %v", got.from, want)
	}
}

// TestLyingNote opens an index where a note says that nothing has changed. Reading a chunk finds that out, and after Forget the index is right.
func TestLyingNote(t *testing.T) {
	dir := filepath.Join(t.TempDir(), store.Dir)
	put(t, dir, "one", "two", "three")
	mustOpen(t, dir, Build).Close()
	put(t, dir, "one", "new", "three")
	notes, err := filepath.Glob(derivedtest.Path(t, dir, "store/changes/*"))
	if err != nil || len(notes) != 1 {
		t.Fatal(notes, err)
	}
	lines, err := store.OpenLines(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	note, err := os.ReadFile(notes[0])
	if err != nil {
		t.Fatal(err)
	}
	start := strings.Index(string(note), `"pieces":`)
	size := lines.Head.ChunkFiles["doc-chunks.jsonl"].Size
	if start < 0 || size == 0 {
		t.Fatalf("%s, %d", note, size)
	}
	lie := fmt.Sprintf(`%s"pieces":{"doc-chunks.jsonl":[0,%d]}}`, note[:start], size)
	if err := os.WriteFile(notes[0], []byte(lie), 0o666); err != nil {
		t.Fatal(err)
	}
	g := mustOpen(t, dir, Update)
	if _, err := g.Chunk(1); !errors.Is(err, store.ErrChanged) {
		t.Errorf("a chunk that is not there is read: %v", err)
	}
	g.Close()
	if err := Forget(dir); err != nil {
		t.Fatal(err)
	}
	g = mustOpen(t, dir, Build)
	defer g.Close()
	if c, err := g.Chunk(1); err != nil || c.Text != "new" {
		t.Errorf("%v, %v", c, err)
	}
}

// TestRebase changes so much that another base is due, and the store once more while that is made.
func TestRebase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), store.Dir)
	texts := make([]string, 2*freeDue)
	for i := range texts {
		texts[i] = fmt.Sprint("one ", i)
	}
	put(t, dir, texts...)
	mustOpen(t, dir, Build).Close()
	for i := range freeDue + 1 {
		texts[i] = fmt.Sprint("two ", i)
	}
	put(t, dir, texts...)
	g := mustOpen(t, dir, Update)
	if len(g.segments) != 2 || !g.Due() {
		t.Errorf("%d segments, due is %v", len(g.segments), g.Due())
	}
	g.Close()
	updated := false
	opts := Options{Effort: Rebase, step: func(name string) {
		if name != "seal" || updated {
			return
		}
		updated = true
		if _, err := Open(t.Context(), dir, words(), Options{Effort: Rebase}); !errors.Is(err, ErrBusy) {
			t.Errorf("another base is made at once: %v", err)
		}
		texts[5] = "three"
		put(t, dir, texts...)
		g := mustOpen(t, dir, Update)
		defer g.Close()
		if len(g.segments[len(g.segments)-1].mapped) == 0 {
			t.Error("an update meanwhile is not written")
		}
		// The base is finished later, by a clock that may not tell.
		past := time.Now().Add(-time.Minute)
		names, err := filepath.Glob(derivedtest.Path(t, dir, "index", generationPrefix+"*"))
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			if err := os.Chtimes(name, past, past); err != nil {
				t.Fatal(err)
			}
		}
	}}
	g, err := Open(t.Context(), dir, words(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if !updated || len(g.segments) != 1 || g.Due() {
		t.Errorf("updated %v, %d segments, due is %v", updated, len(g.segments), g.Due())
	}
	g.Close()
	texts[7] = "four"
	put(t, dir, texts...)
	g = mustOpen(t, dir, Update)
	defer g.Close()
	if len(g.segments) != 2 || g.segments[1].catalog.rows() != 2 || g.Due() {
		t.Errorf("%d segments, %d rows in the last, due is %v", len(g.segments), g.segments[len(g.segments)-1].catalog.rows(), g.Due())
	}
	alone := filepath.Join(t.TempDir(), store.Dir)
	put(t, alone, texts...)
	fresh := mustOpen(t, alone, Build)
	defer fresh.Close()
	if diff := cmp.Diff(content(t, fresh), content(t, g)); diff != "" {
		t.Errorf("differs from a fresh index:\n%s", diff)
	}
	// What a process that died has not finished goes with the next update.
	dead := derivedtest.Path(t, dir, "index", rebaseTemp+"dead")
	if err := os.Mkdir(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	texts[7] = "five"
	put(t, dir, texts...)
	mustOpen(t, dir, Update).Close()
	if _, err := os.Stat(dead); err == nil {
		t.Error("what was not finished is still there")
	}
}

// FuzzInverted decodes and reads what is no inverted file.
func FuzzInverted(f *testing.F) {
	v := newInverter(2)
	for _, text := range []string{"a b a", "c", ""} {
		emit := v.next()
		for i, word := range strings.Fields(text) {
			emit(i%2, word, i, i+1)
		}
	}
	good := v.finish(f.Context())
	f.Add(contentOf(good.encode()))
	for _, i := range []int{40, 200, 300} {
		bad := contentOf(good.encode())
		bad[min(i, len(bad)-1)] ^= 1
		f.Add(bad)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := decodeInverted(data, 2)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Error(err)
			}
			return
		}
		if v.size > 1000 {
			return // a segment has as many rows
		}
		v.lengths = make([][]uint32, 2)
		for dict := range v.lengths {
			v.lengths[dict] = make([]uint32, v.size)
		}
		text := newText([]part{{v, 0}}, make([]uint64, 2), v.size)
		text.mapped = true
		read := func() error {
			return text.Terms(1, "", func(string) bool { return true }, func(term string) bool {
				err = text.Each(t.Context(), 1, term, func(int, int, float64) {})
				return err == nil
			})
		}
		if err := errors.Join(read(), err); err != nil && !errors.Is(err, ErrDamaged) {
			t.Error(err)
		}
	})
}
