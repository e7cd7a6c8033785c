package store

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cortex/lib/record"
)

// called is a file of which the function f calls the given names.
func called(path string, names ...string) *record.File {
	f := file(path, "ok")
	f.Language = "zig"
	f.Symbols = []record.Symbol{{Kind: record.Function, Name: "f" + path[:1], QualifiedName: "f" + path[:1], StartLine: 1, EndLine: 5}}
	for i, name := range names {
		f.References = append(f.References, record.Reference{Relation: record.Calls, Name: name, Symbol: f.Symbols[0].Name, Lines: []int{i + 1}})
	}
	return f
}

func readAllGraph(t testing.TB, dir string) string {
	t.Helper()
	r, head, err := OpenGraph(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(data)) != head.Graph.Size {
		t.Errorf("%d bytes, the head says %d", len(data), head.Graph.Size)
	}
	return string(data)
}

func checkEdge(t testing.TB, lines, want string) {
	t.Helper()
	if !strings.Contains(lines, want) {
		t.Errorf("no %s in\n%s", want, lines)
	}
}

// An edge into a file follows when that file changes, is removed or comes back.
func TestEdgesFollowOtherFiles(t *testing.T) {
	dir := newDir(t)
	mustApply(t, dir, stream(t, begin(record.Full, 2), called("a.zig", "fb", "fc"), called("b.zig"), end(2)))
	lines := readAllGraph(t, dir)
	checkEdge(t, lines, `{"edge":"calls","from":"a.zig#fa","name":"fb","lines":[1],"by":"unique","confidence":0.6,"to":["b.zig#fb"]}`)
	checkEdge(t, lines, `{"edge":"calls","from":"a.zig#fa","name":"fc","lines":[2]}`)
	mustApply(t, dir, stream(t, begin(record.Incremental, 2), file("b.zig", "deleted"), called("c.zig", "fa"), end(2)))
	lines = readAllGraph(t, dir)
	checkEdge(t, lines, `{"edge":"calls","from":"a.zig#fa","name":"fb","lines":[1]}`)
	checkEdge(t, lines, `"name":"fc","lines":[2],"by":"unique","confidence":0.6,"to":["c.zig#fc"]}`)
	// A file whose declarations stay as they are changes its own lines alone.
	mustApply(t, dir, stream(t, begin(record.Incremental, 1), called("c.zig", "nothing", "fa"), end(1)))
	again := readAllGraph(t, dir)
	checkEdge(t, again, `{"edge":"calls","from":"c.zig#fc","name":"fa","lines":[2],"by":"unique","confidence":0.6,"to":["a.zig#fa"]}`)
	if before, after := lines[:strings.Index(lines, `{"node":"c.zig"`)], again[:strings.Index(again, `{"node":"c.zig"`)]; before != after {
		t.Errorf("%s\nbecame\n%s", before, after)
	}
	checkVerified(t, dir)
	checkNoLeftovers(t, dir)
}

// Records that are picked from a stream say nothing about files, and change nothing of the graph.
func TestPickedRecordsKeepTheGraph(t *testing.T) {
	dir := newDir(t)
	mustApply(t, dir, stream(t, code("z", "z.go", "zet")))
	_, _, err := OpenGraph(context.Background(), dir)
	checkHint(t, err, indexAgain)
	if !errors.Is(err, ErrNoGraph) {
		t.Error(err)
	}
	mustApply(t, dir, stream(t, begin(record.Full, 1), called("a.zig", "fa"), end(1)))
	before := readAllGraph(t, dir)
	mustApply(t, dir, stream(t, called("b.zig", "fa"), code("y", "b.zig", "ypsilon")))
	if after := readAllGraph(t, dir); after != before {
		t.Errorf("%s\nbecame\n%s", before, after)
	}
	checkVerified(t, dir)
}

// A store without a graph, as older versions made it, works, is to be indexed in full, and gets one by that and not before.
func TestStoreWithoutGraph(t *testing.T) {
	dir := newDir(t)
	mustApply(t, dir, stream(t, begin(record.Full, 2), called("a.zig", "fb"), called("b.zig"), end(2)))
	withoutGraph(t, dir)
	if _, _, err := Indexed(context.Background(), dir, "", true, t.Logf); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	mustLoad(t, dir)
	mustApply(t, dir, stream(t, begin(record.Incremental, 1), called("c.zig"), end(1)))
	if _, _, err := OpenGraph(context.Background(), dir); !errors.Is(err, ErrNoGraph) {
		t.Error(err)
	}
	mustApply(t, dir, stream(t, begin(record.Full, 3), called("a.zig", "fb"), file("b.zig", "unchanged"), called("c.zig"), end(3)))
	if _, _, err := OpenGraph(context.Background(), dir); !errors.Is(err, ErrNoGraph) {
		t.Error(err)
	}
	mustApply(t, dir, stream(t, begin(record.Full, 2), called("a.zig", "fb"), called("b.zig"), end(2)))
	checkEdge(t, readAllGraph(t, dir), `"to":["b.zig#fb"]`)
	checkVerified(t, dir)
}

// encode is a manifest as it is written.
func encode(m *Manifest) ([]byte, error) {
	head, err := m.encodeHead()
	if err != nil {
		return nil, err
	}
	files, err := m.encodeFiles()
	return append(head, files...), err
}

// withoutGraph makes the store what it was before there were graphs.
func withoutGraph(t testing.TB, dir string) {
	t.Helper()
	m, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	m.Graph = nil
	data, err := encode(&m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ManifestName), data, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, graphDir)); err != nil {
		t.Fatal(err)
	}
}

// Damage is found by who reads the graph and by a run that needs what it says, and is mended by a full run.
func TestDamagedGraph(t *testing.T) {
	full := []any{begin(record.Full, 2), called("a.zig", "fb"), called("b.zig"), end(2)}
	for name, damage := range map[string]func(string) string{
		"flipped byte": func(s string) string { return strings.Replace(s, `"name":"fb"`, `"name":"fc"`, 1) },
		"broken line":  func(s string) string { return strings.Replace(s, `"lines":[1]`, `"lines":[x]`, 1) },
		"cut off":      func(s string) string { return s[:len(s)-9] },
		"first line":   func(s string) string { return strings.Replace(s, "code-graph", "code-grape", 1) },
		"empty":        func(string) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			dir := newDir(t)
			mustApply(t, dir, stream(t, full...))
			good := readAllGraph(t, dir)
			spoil(t, filepath.Join(dir, graphPath), damage)
			r, _, err := OpenGraph(context.Background(), dir)
			if err == nil {
				_, err = io.ReadAll(r)
				r.Close()
			}
			checkHint(t, err, indexAll)
			checkContains(t, err.Error(), "damaged")
			if _, _, err := Indexed(context.Background(), dir, "", true, t.Logf); !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
			checkContains(t, verify(t, dir), "code-graph.jsonl")
			for _, change := range []*record.File{called("b.zig", "fa"), called("c.zig", "fa")} {
				o := apply(t, dir, stream(t, begin(record.Incremental, 1), change, end(1)))
				checkContains(t, o.messages(), "damaged")
				checkHint(t, o.err, indexAll)
			}
			if r := mustApply(t, dir, stream(t, full...)); !r.Written {
				t.Error("not mended")
			}
			if again := readAllGraph(t, dir); again != good {
				t.Errorf("%s\nbecame\n%s", good, again)
			}
			checkVerified(t, dir)
		})
	}
}

// Verify compares the edges with what the facts lead to.
func TestVerifyResolvesAgain(t *testing.T) {
	dir := newDir(t)
	mustApply(t, dir, stream(t, begin(record.Full, 2), called("a.zig", "fb"), called("b.zig"), end(2)))
	spoil(t, filepath.Join(dir, graphPath), func(s string) string { return strings.Replace(s, `"to":["b.zig#fb"]`, `"to":["b.zig#fa"]`, 1) })
	m, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	sums := newBlockReader(nil, true)
	data := contents(t, dir)[graphPath]
	sums.sum([]byte(data))
	m.Graph = &GraphFile{Version: m.Graph.Version, Size: sums.size, SHA256: hex.EncodeToString(sums.whole.Sum(nil)), CRC32C: formatCRC(sums.crc)}
	encoded, err := encode(&m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ManifestName), encoded, 0o666); err != nil {
		t.Fatal(err)
	}
	checkContains(t, verify(t, dir), "its edges do not follow from its facts")
}

// Trees of one store keep their nodes apart.
func TestGraphOfSeveralTrees(t *testing.T) {
	dir := newDir(t)
	run := func(tree string, mode record.Mode, files ...*record.File) {
		b := begin(mode, len(files))
		b.Tree = tree
		items := []any{b}
		for _, f := range files {
			items = append(items, f)
		}
		mustApply(t, dir, stream(t, append(items, end(len(files)))...))
	}
	run("one", record.Full, called("a.zig", "fb"), called("b.zig"))
	run("two", record.Full, called("a.zig", "fb", "fc"), called("c.zig"))
	run("one", record.Incremental, called("b.zig", "fa", "fc"))
	lines := readAllGraph(t, dir)
	checkEdge(t, lines, `{"edge":"calls","from":"one:a.zig#fa","name":"fb","lines":[1],"by":"unique","confidence":0.6,"to":["one:b.zig#fb"]}`)
	checkEdge(t, lines, `{"edge":"calls","from":"one:b.zig#fb","name":"fc","lines":[2]}`)
	checkEdge(t, lines, `{"edge":"calls","from":"two:a.zig#fa","name":"fc","lines":[2],"by":"unique","confidence":0.6,"to":["two:c.zig#fc"]}`)
	run("two", record.Full)
	if lines := readAllGraph(t, dir); strings.Contains(lines, "two:") || !strings.Contains(lines, "one:") {
		t.Error(lines)
	}
	checkVerified(t, dir)
	checkCatIsFixedPoint(t, dir)
}
