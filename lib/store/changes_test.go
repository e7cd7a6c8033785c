package store

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/record"
)

// chunkBytes are the chunk files of a store.
func chunkBytes(t *testing.T, dir string) (files [kinds][]byte) {
	t.Helper()
	for kind := range files {
		var err error
		if files[kind], err = os.ReadFile(filepath.Join(dir, chunkPath(kind))); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestChanges puts every generation together from the pieces of each one before it, and the new lines are those that stand in the new pieces.
func TestChanges(t *testing.T) {
	dir := newDir(t)
	random := rand.New(rand.NewPCG(1, 2))
	texts := make([]int, 12)
	type generation struct {
		files   map[string]ChunkFile
		content [kinds][]byte
	}
	var past []generation
	for version := range keptChanges + 4 {
		var files, chunks []any
		for range 1 + random.IntN(3) {
			i := random.IntN(len(texts))
			texts[i] = version + 1
			path := fmt.Sprintf("p/f%02d.go", i)
			files = append(files, file(path, "ok"))
			for j := range random.IntN(4) {
				c := code(fmt.Sprintf("code-impl-%s#F%d", path, j), path, fmt.Sprint(path, version*random.IntN(2)))
				if j == 2 {
					c.ChunkType, c.ID = record.Data, fmt.Sprintf("code-data-%s#F%d", path, j)
				}
				chunks = append(chunks, c)
			}
		}
		mustApply(t, dir, stream(t, slices.Concat([]any{begin(record.Incremental, len(files))}, files, chunks, []any{end(len(files))})...))
		lines, err := OpenLines(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		now := generation{lines.Head.ChunkFiles, chunkBytes(t, dir)}
		for back, old := range slices.Backward(past) {
			list, err := lines.Changes(old.files)
			if steps := len(past) - back; err != nil && steps <= keptChanges/2 {
				t.Fatalf("version %d, %d steps back: %v", version, steps, err)
			}
			if err != nil {
				continue
			}
			for kind, pieces := range list {
				var made []byte
				for _, p := range pieces {
					at := len(made)
					if p.Old >= 0 {
						made = append(made, old.content[kind][p.Old:p.Old+p.Size]...)
						continue
					}
					made = append(made, now.content[kind][at:at+int(p.Size)]...)
					among, err := lines.Among(t.Context(), kind, int64(at), p.Size)
					if err != nil {
						t.Fatal(err)
					}
					all, err := lines.Scan(t.Context(), kind, 1)
					if err != nil {
						t.Fatal(err)
					}
					all = slices.DeleteFunc(all, func(l Line) bool { return l.Offset < int64(at) || l.Offset >= int64(at)+p.Size })
					if !slices.Equal(among, all) {
						t.Errorf("version %d, %s: lines %v, want %v", version, fileNames[kind], among, all)
					}
				}
				if !bytes.Equal(made, now.content[kind]) {
					t.Errorf("version %d, %s: the pieces do not make the file", version, fileNames[kind])
				}
			}
		}
		past = append(past, now)
		lines.Close()
	}
	notes, err := os.ReadDir(derivedtest.Path(t, dir, derivedName, changesDir))
	if err != nil || len(notes) > keptChanges {
		t.Errorf("%d notes, %v", len(notes), err)
	}
}

// TestBadNotes reads notes that say what cannot be.
func TestBadNotes(t *testing.T) {
	dir := newDir(t)
	path := "a.go"
	put := func(text string) *Lines {
		mustApply(t, dir, stream(t, begin(record.Incremental, 1), file(path, "ok"), code("code-impl-a.go#A", path, text), code("code-impl-a.go#B", path, "b"), end(1)))
		lines, err := OpenLines(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { lines.Close() })
		return lines
	}
	old := put("one").Head.ChunkFiles
	lines := put("two")
	if _, err := lines.Changes(old); err != nil {
		t.Fatal(err)
	}
	note := derivedtest.Path(t, dir, derivedName, changesPath(lines.Head.ChunkFiles))
	good, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	name := "code-implementations.jsonl"
	if _, ok := old[name]; !ok {
		t.Fatal(old)
	}
	size := lines.Head.ChunkFiles[name].Size
	for _, numbers := range [][]int64{nil, {-1, size - 1}, {0, size + 1}, {-1, size, -1, 1}, {0, 0, -1, size}, {1 << 62, size}, {50, 50, 20, 20, -1, size - 70}, {-1, 1 << 62}, {0, -size}} {
		var c changes
		if err := codec.Unmarshal(good, &c); err != nil {
			t.Fatal(err)
		}
		c.Pieces[name] = numbers
		data, err := codec.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(note, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if list, err := lines.Changes(old); err == nil {
			t.Errorf("%v gave %v", numbers, list)
		}
	}
	for _, data := range [][]byte{nil, []byte("{"), good[:len(good)/2], []byte("{}"), bytes.Repeat([]byte(" "), maxChangesSize+1)} {
		if err := os.WriteFile(note, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := lines.Changes(old); err == nil {
			t.Errorf("%.40q is a note", data)
		}
	}
	if err := os.Remove(note); err != nil {
		t.Fatal(err)
	}
	if _, err := lines.Changes(old); err == nil {
		t.Error("no note, and no error")
	}
	kind := slices.Index(fileNames[:], name)
	for _, at := range [][2]int64{{3, 10}, {0, size + 1}, {-1, 5}, {size - 5, 5}} {
		if found, err := lines.Among(t.Context(), kind, at[0], at[1]); err == nil {
			t.Errorf("%v: lines %v", at, found)
		}
	}
}
