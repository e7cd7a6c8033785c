package store

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/record"
)

// A grove is a store whose files are large enough for marks.
type grove struct {
	dir   string
	texts []int
}

func newGrove(t *testing.T) *grove {
	g := &grove{newDir(t), make([]int, 60)}
	items := []any{begin(record.Full, len(g.texts))}
	for i := range g.texts {
		items = append(items, g.file(i)...)
	}
	mustApply(t, g.dir, stream(t, append(items, end(len(g.texts)))...), markOften)
	checkVerified(t, g.dir)
	return g
}

func markOften(o *Options) { o.markEvery = 1 << 10 }

// file is one file with a chunk of some kilobytes and as large a part of the graph.
func (g *grove) file(i int) []any {
	path := fmt.Sprintf("p/f%02d.go", i)
	f := file(path, "ok")
	f.SHA256 = sum(1000*i + g.texts[i])
	r := rand.New(rand.NewPCG(uint64(i), 0))
	for n := range 100 {
		name := fmt.Sprintf("f%d_%x", n, r.Uint64())
		f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Function, Name: name, QualifiedName: name, StartLine: n + 1, EndLine: n + 1, Signature: strings.Repeat("x", 150)})
	}
	c := code("code-impl-"+path+"#F", path, fmt.Sprint(g.texts[i], strings.Repeat(" text", 4000+r.IntN(500))))
	c.ChunkType = record.Implementations
	f.References = []record.Reference{{Relation: record.Calls, Name: "f", Lines: []int{1 + g.texts[i]}}}
	return []any{f, c}
}

// change changes a file and writes it.
func (g *grove) change(t *testing.T, i int) {
	t.Helper()
	g.texts[i]++
	mustApply(t, g.dir, stream(t, append(append([]any{begin(record.Incremental, 1)}, g.file(i)...), end(1))...), markOften)
}

// marks reads the marks of the store.
func (g *grove) marks(t *testing.T) map[string]marked {
	t.Helper()
	return readMarks(g.dir)
}

// spoil makes the marks lead to wrong digests.
func (g *grove) spoil(t *testing.T) {
	t.Helper()
	all := g.marks(t)
	for _, m := range all {
		for _, mark := range m.Marks {
			mark.State[len(mark.State)/4] ^= 1
		}
	}
	if err := writeMarks(g.dir, all); err != nil {
		t.Fatal(err)
	}
}

// Digests that go on from a mark are those of the whole content, whichever file changes and however often.
func TestMarks(t *testing.T) {
	g := newGrove(t)
	r := newRandom(1)
	for range 20 {
		g.change(t, r.IntN(len(g.texts)))
		checkVerified(t, g.dir)
		for _, path := range []string{chunkPath(3), graphPath} {
			if n := len(g.marks(t)[path].Marks); n < 3 {
				t.Fatalf("%d marks in %s", n, path)
			}
		}
	}
	// A run that removes what others have, and one that brings new files.
	mustApply(t, g.dir, stream(t, begin(record.Incremental, 1), file("p/f30.go", "deleted"), end(1)), markOften)
	checkVerified(t, g.dir)
	g.change(t, 30)
	checkVerified(t, g.dir)
}

// Marks count for no other file than the one that was written, and only if they are as they were.
func TestMarksOfOtherFiles(t *testing.T) {
	last := 59
	t.Run("the same", func(t *testing.T) {
		g := newGrove(t)
		g.spoil(t)
		g.change(t, last)
		checkContains(t, verify(t, g.dir), "differs from its digest") // so they are used
	})
	for name, change := range map[string]func(t *testing.T, g *grove){
		"a copy": func(t *testing.T, g *grove) {
			g.spoil(t)
			to := newDir(t)
			if out, err := exec.Command("cp", "-a", g.dir, to).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			g.dir = to
		},
		"touched": func(t *testing.T, g *grove) {
			g.spoil(t)
			for _, path := range []string{chunkPath(3), graphPath} {
				if err := os.Chmod(filepath.Join(g.dir, path), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		},
		"another sum": func(t *testing.T, g *grove) {
			name := derivedtest.Path(t, g.dir, derivedName, marksName)
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(strings.Replace(string(data), `"state":"c2hh`, `"state":"c2hi`, 1)), 0o666); err != nil {
				t.Fatal(err)
			}
		},
		"nonsense": func(t *testing.T, g *grove) {
			data := `{"chunks/code-implementations.jsonl":7}`
			text := formatCRC(crc32.Checksum([]byte(data), castagnoli)) + "\n" + data
			if err := os.WriteFile(derivedtest.Path(t, g.dir, derivedName, marksName), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		},
		"no folder": func(t *testing.T, g *grove) {
			if err := os.RemoveAll(derivedtest.Path(t, g.dir, derivedName)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(derivedtest.Path(t, g.dir, derivedName), nil, 0o666); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			g := newGrove(t)
			change(t, g)
			g.change(t, last)
			checkVerified(t, g.dir)
		})
	}
}

// States and offsets that no writer has left are not used.
func TestBadMarks(t *testing.T) {
	for _, marks := range [][]mark{
		{{Offset: 4}},
		{{Offset: 4, State: []byte("sha\x03 and so on")}},
		{{Offset: -4, State: nil}},
		{{Offset: 9, State: nil}},
	} {
		var d, want digest
		for _, x := range []*digest{&d, &want} {
			x.hash = sha256.New()
		}
		d.resume(marks, 8)
		for _, x := range []*digest{&d, &want} {
			x.write([]byte("0123"))
			x.write([]byte("456789"))
		}
		if string(d.hash.Sum(nil)) != string(want.hash.Sum(nil)) {
			t.Errorf("%v", marks)
		}
	}
}
