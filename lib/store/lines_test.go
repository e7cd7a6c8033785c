package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/parallel"
	"cortex/lib/record"
)

// scanAll reads all chunks of the store by their lines.
func scanAll(t *testing.T, l *Lines) []*record.Chunk {
	t.Helper()
	var chunks []*record.Chunk
	decoder := NewLineDecoder()
	var buf []byte
	for file := range record.ChunkTypes {
		lines, err := l.Scan(t.Context(), file, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			if buf, err = l.Read(line, buf); err != nil {
				t.Fatal(err)
			}
			c, err := decoder.Decode(buf)
			if err != nil {
				t.Fatal(err)
			}
			if c.ID != line.ID || c.ChunkType != record.ChunkTypes[line.File] {
				t.Errorf("line of %q in file %d is chunk %q of type %s", line.ID, line.File, c.ID, c.ChunkType)
			}
			chunks = append(chunks, c)
		}
	}
	slices.SortFunc(chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	return chunks
}

func TestLinesOutliveTheirGeneration(t *testing.T) {
	dir := newDir(t)
	odd := code("b\"\\\u00e9", "b.go", "two\nlines")
	mustApply(t, dir, stream(t, begin(record.Full, 2), file("a.go", record.StatusOK), code("a", "a.go", strings.Repeat("x", 3*blockSize)),
		file("b.go", record.StatusOK), odd, end(2)), at(1))
	l, err := OpenLines(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	want, err := Load(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	head, err := ReadHead(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := &want.Manifest
	if diff := cmp.Diff(Head{m.Version, m.Generation, m.GeneratedAt, m.Model, m.Dimensions, m.ChunkFiles, m.Graph}, head); diff != "" {
		t.Errorf("head differs from the manifest:\n%s", diff)
	}
	mustApply(t, dir, stream(t, begin(record.Full, 1), file("c.go", record.StatusOK), code("c", "c.go", "other"), end(1)), at(2))
	if diff := cmp.Diff(want.Chunks, scanAll(t, l)); diff != "" {
		t.Errorf("chunks differ:\n%s", diff)
	}
}

// TestHeadOfAnyForm reads a manifest that was not written by encode.
// Lines that are opened at any step of a commit are those of one generation, though the files of both have the same sizes.
func TestLinesOpenedWhileAWriterCommits(t *testing.T) {
	dir := newDir(t)
	both := func(text string) string {
		return stream(t, begin(record.Full, 1), file("a.go", "ok"), code("a1", "a.go", text), data(code("a2", "a.go", text)), end(1))
	}
	mustApply(t, dir, both("one"))
	last := "one"
	for range 3 {
		next := map[string]string{"one": "two", "two": "one"}[last]
		seen := 0
		var mutex sync.Mutex // files are written at once
		mustApply(t, dir, both(next), func(o *Options) {
			o.step = func(name string) {
				mutex.Lock()
				defer mutex.Unlock()
				l, err := OpenLines(t.Context(), dir)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				defer l.Close()
				for _, c := range scanAll(t, l) {
					if want := map[bool]string{true: next, false: last}[name == "committed" || strings.HasPrefix(name, "remove ")]; c.Text != want {
						t.Errorf("%s: %s is %q, want %q", name, c.ID, c.Text, want)
					}
				}
				seen++
			}
		})
		if seen < 8 {
			t.Errorf("%d steps", seen)
		}
		last = next
	}
}

func TestHeadOfAnyForm(t *testing.T) {
	dir := newDir(t)
	mustApply(t, dir, stream(t, begin(record.Full, 1), file("a.go", record.StatusOK), code("a", "a.go", "x"), end(1)), at(1))
	want, err := ReadHead(dir)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, ManifestName)
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []func(string) string{
		func(s string) string { return strings.ReplaceAll(s, "\n", "") },
		func(s string) string { return strings.ReplaceAll(s, "\n  ", "\r\n\t") },
		func(s string) string {
			return strings.Replace(s, `"settings": {`, `"settings": {"x": "`+strings.Repeat("y", 70_000)+`",`, 1)
		},
	} {
		if err := os.WriteFile(name, []byte(change(string(data))), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadHead(dir); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%v, %+v", err, got)
		}
	}
	for _, bad := range []string{"", "{", strings.Replace(string(data), `"version": 1`, `"version": 2`, 1), strings.Replace(string(data), `"sha256": "`, `"sha256": "zz`, 1)} {
		if err := os.WriteFile(name, []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := ReadHead(dir)
		_, want := ReadManifest(dir)
		if err == nil || want == nil || err.Error() != want.Error() {
			t.Errorf("%.40q: %v, want %v", bad, err, want)
		}
	}
}

func TestLinesSeeDamage(t *testing.T) {
	dir := newDir(t)
	mustApply(t, dir, stream(t, begin(record.Full, 1), file("a.go", record.StatusOK), code("a", "a.go", "some text"), end(1)), at(1))
	name := filepath.Join(dir, chunkPath(kindOf([]byte(record.Implementations))))
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	l, err := OpenLines(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file := kindOf([]byte(record.Implementations))
	lines, err := l.Scan(t.Context(), file, 1)
	if err != nil || len(lines) != 1 {
		t.Fatal(lines, err)
	}
	data[len(data)-3] ^= 1
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
	var d *damage
	if _, err := l.Scan(t.Context(), file, 1); !errors.As(err, &d) {
		t.Errorf("scan of a damaged file: %v", err)
	}
	if _, err := l.Read(lines[0], nil); !errors.Is(err, ErrChanged) {
		t.Errorf("read of a damaged line: %v", err)
	}
	if err := os.Truncate(name, int64(len(data)-1)); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Read(lines[0], nil); !errors.Is(err, ErrChanged) {
		t.Errorf("read of a truncated file: %v", err)
	}
	if _, err := OpenLines(t.Context(), dir); !errors.As(err, &d) {
		t.Errorf("open of a truncated file: %v", err)
	}
}

// TestDiscard discards the files of a generation that was replaced, piece by piece, and none that is still in the store. They can be read all the same.
func TestDiscard(t *testing.T) {
	dir := newDir(t)
	text := strings.Repeat("x", 3*discardAtOnce)
	mustApply(t, dir, stream(t, begin(record.Full, 1), file("a.go", record.StatusOK), code("a", "a.go", text), data(code("b", "a.go", "kept")), end(1)))
	l, err := OpenLines(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	want := scanAll(t, l)
	discards := func() (pieces int) {
		l.Discard(parallel.WithYield(t.Context(), func() { pieces++ }))
		return pieces
	}
	if n := discards(); n != 0 {
		t.Errorf("%d pieces of files that are in the store", n)
	}
	mustApply(t, dir, stream(t, begin(record.Full, 1), file("a.go", record.StatusOK), code("a", "a.go", "short"), data(code("b", "a.go", "kept")), end(1)))
	if n := discards(); n != 4 {
		t.Errorf("%d pieces of a file of a little more than three", n)
	}
	if diff := cmp.Diff(want, scanAll(t, l)); diff != "" {
		t.Errorf("chunks differ:\n%s", diff)
	}
}
