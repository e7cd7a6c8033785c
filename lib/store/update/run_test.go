package update

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// stored is the store that the cases below start from: three files, and four chunks with identifiers
// a1, a2, b1, c1.
func stored(t *testing.T) string {
	t.Helper()
	dir := newDir(t)
	mustApply(t, dir, stream(t, begin(record.Full, 3),
		file("a.go", "ok"), code("a2", "a.go", "two"), code("a1", "a.go", "one"),
		file("b.go", "ok"), code("b1", "b.go", "bee"),
		file("c.go", "partial"), code("c1", "c.go", "sea"),
		end(3)))
	return dir
}

func TestRun(t *testing.T) {
	const all = "a1=one a2=two b1=bee c1=sea"
	other := func(id, path, text string) *record.Chunk {
		c := code(id, path, text)
		c.EmbeddingModel = "other"
		return c
	}
	plain := func(id, path, text string) *record.Chunk {
		c := code(id, path, text)
		c.Embedding, c.EmbeddingModel = nil, ""
		return c
	}
	whole := func(f *record.File, text string) *record.File { f.Text = text; return f }
	reason := func(f *record.File, reason string) *record.File { f.Reason = reason; return f }
	tests := []struct {
		name  string
		items []any
		want  string
		// message is a part of what is reported or returned; "" is success.
		message string
		files   string // of the manifest, if it matters
	}{
		{"full run removes what it does not mention",
			[]any{begin(record.Full, 1), file("a.go", "ok"), code("a1", "a.go", "one"), end(1)}, "a1=one", "", "a.go:ok"},
		{"empty full run", []any{begin(record.Full, 0), end(0)}, "", "", ""},
		{"incremental run keeps what it does not mention",
			[]any{begin(record.Incremental, 1), file("a.go", "ok"), code("a1", "a.go", "uno"), end(1)},
			"a1=uno b1=bee c1=sea", "", "a.go:ok b.go:ok c.go:partial"},
		{"deleted", []any{begin(record.Incremental, 1), file("a.go", "deleted"), end(1)}, "b1=bee c1=sea", "", "b.go:ok c.go:partial"},
		{"unchanged in a full run",
			[]any{begin(record.Full, 1), file("b.go", "unchanged"), end(1)}, "b1=bee", "", "b.go:ok"},
		{"unchanged with a chunk",
			[]any{begin(record.Incremental, 2), file("a.go", "ok"), code("a1", "a.go", "uno"), file("b.go", "unchanged"), code("b2", "b.go", "other"), end(2)},
			"a1=uno b1=bee c1=sea", "", "a.go:ok b.go:ok c.go:partial"},
		{"unchanged and not known",
			[]any{begin(record.Incremental, 1), file("z.go", "unchanged"), end(1)}, all, `file "z.go" is said to be unchanged`, ""},
		{"skipped", []any{begin(record.Incremental, 1), reason(file("a.go", "skipped"), "binary"), end(1)},
			"b1=bee c1=sea", "", "a.go:skipped b.go:ok c.go:partial"},
		{"unreadable keeps the old chunks",
			[]any{begin(record.Full, 1), reason(file("a.go", "skipped"), "unreadable: permission denied"), end(1)}, "a1=one a2=two", "", "a.go:ok"},
		{"a new file that is unreadable",
			[]any{begin(record.Incremental, 1), reason(file("z.go", "skipped"), "unreadable"), end(1)}, all, "", "a.go:ok b.go:ok c.go:partial z.go:skipped"},
		{"a file without chunks now", []any{begin(record.Incremental, 1), file("a.go", "error"), end(1)}, "b1=bee c1=sea", "", ""},
		{"files that were not cut", []any{begin(record.Full, 1), whole(file("a.go", "ok"), "package a\n"), end(1)},
			all, `stdin:2: file "a.go" still has its text`, "a.go:ok b.go:ok c.go:partial"},
		{"files that were not cut, outside a run", []any{whole(file("a.go", "ok"), "package a\n")},
			all, `stdin:1: file "a.go" still has its text`, "a.go:ok b.go:ok c.go:partial"},
		{"no end", []any{begin(record.Full, 1), file("a.go", "ok"), code("a1", "a.go", "uno")}, all, "stdin: run did not end: the index is unchanged", ""},
		{"no end before the next begin",
			[]any{begin(record.Full, 1), begin(record.Incremental, 1), file("a.go", "deleted"), end(1)},
			"b1=bee c1=sea", "run did not end", ""},
		{"chunks alone", []any{code("a1", "a.go", "uno"), code("z", "z.go", "zet")}, "a1=uno a2=two b1=bee c1=sea z=zet", "", "a.go:ok b.go:ok c.go:partial"},
		{"chunks alone, the last of each wins", []any{code("z", "z.go", "1"), code("z", "z.go", "2"), code("z", "z.go", "3")}, all + " z=3", "", ""},
		{"file records outside a run say nothing", []any{file("a.go", "deleted"), code("b1", "b.go", "B")}, "a1=one a2=two b1=B c1=sea", "", "a.go:ok b.go:ok c.go:partial"},
		{"chunks before a run are a change of their own",
			[]any{code("z", "z.go", "zet"), begin(record.Full, 1), file("a.go", "unchanged"), end(1)}, "a1=one a2=two", "", ""},
		{"end without begin", []any{code("z", "z.go", "zet"), end(3)}, all + " z=zet", "stdin:2: end of a run without its begin", ""},
		{"lost records", []any{begin(record.Full, 1), file("a.go", "ok"), code("a1", "a.go", "uno"), &record.End{Files: 1, Errors: 2}},
			"a1=uno a2=two b1=bee c1=sea", "the run lost 2 records: chunks are added and replaced, none removed", ""},
		{"a bad line", []any{begin(record.Full, 1), file("a.go", "ok"), `{"type":"chunk"`, code("a1", "a.go", "uno"), end(1)},
			"a1=uno a2=two b1=bee c1=sea", "stdin:3: ", ""},
		{"an unexpected type", []any{begin(record.Full, 1), file("a.go", "ok"), `{"type":"chunck"}`, end(1)}, all, `stdin:3: unexpected record type "chunck"`, ""},
		{"missing files", []any{begin(record.Full, 2), file("a.go", "ok"), end(2)}, all, "the run brought 1 of 2 files", ""},
		{"missing files, end says so", []any{begin(record.Full, 0), file("a.go", "ok"), end(2)}, all, "the run brought 1 of 2 files", ""},
		{"lost records keep a deleted file", []any{begin(record.Incremental, 1), file("a.go", "deleted"), &record.End{Files: 1, Errors: 1}},
			all, "lost 1 record:", "a.go:ok b.go:ok c.go:partial"},
		{"an identifier twice", []any{begin(record.Incremental, 1), file("z.go", "ok"), code("z", "z.go", "1"), code("z", "z.go", "2"), end(1)},
			all + " z=1", `stdin:4: chunk "z" comes a second time, first on line 3`, ""},
		{"a file twice", []any{begin(record.Incremental, 2), file("z.go", "ok"), file("z.go", "deleted"), end(2)}, all, `stdin:3: file "z.go" comes a second time`, ""},
		{"another model", []any{begin(record.Incremental, 1), file("a.go", "ok"), other("a1", "a.go", "uno"), end(1)},
			all, `the run brings chunks with an embedding of model "other" with 3 dimensions, the index keeps 2 chunks`, ""},
		{"another model in chunks alone", []any{other("z", "z.go", "zet")}, all, "the index is unchanged", ""},
		{"no embedding", []any{plain("z", "z.go", "zet")}, all + " z=zet", "", ""},
		{"a full run with another model", []any{begin(record.Full, 1), file("a.go", "ok"), other("a1", "a.go", "uno"), end(1)}, "a1=uno", "", ""},
		{"a full run without embeddings", []any{begin(record.Full, 1), file("a.go", "ok"), plain("a1", "a.go", "uno"), end(1)}, "a1=uno", "", ""},
		{"a full run with another model that keeps a file",
			[]any{begin(record.Full, 2), file("a.go", "ok"), other("a1", "a.go", "uno"), file("b.go", "unchanged"), end(2)}, all, "the index keeps 1 chunk with", ""},
		{"two models in one run", []any{begin(record.Full, 1), file("a.go", "ok"), code("a1", "a.go", "1"), other("a2", "a.go", "2"), end(1)},
			all, `stdin:4: chunk "a2" has an embedding of model "other"`, ""},
		{"an embedding without a model",
			[]any{strings.Replace(strings.TrimSpace(stream(t, code("z", "z.go", "zet"))), `,"embedding_model":"m"`, "", 1)}, all, "an embedding without embedding_model", ""},
		{"a chunk of another tree", []any{begin(record.Incremental, 1), file("z.go", "ok"), inTree("t", code("z", "z.go", "zet")), end(1)},
			all, `chunk "z" is of tree "t", the run of tree ""`, ""},
		{"a chunk that moved to another type",
			[]any{begin(record.Incremental, 1), file("b.go", "ok"), data(code("b1", "b.go", "bee")), end(1)}, all, "", ""},
		{"a chunk without its file", []any{begin(record.Incremental, 1), file("y.go", "ok"), code("z", "z.go", "zet"), end(1)},
			all, `stdin:3: chunk "z": the record of its file "z.go" has not come before`, "a.go:ok b.go:ok c.go:partial y.go:ok"},
		{"a later schema", []any{`{"type":"begin","schema":99,"tree":"","mode":"full","files":0,"settings":{}}`, end(0)}, all, "schema 99", ""},
		{"a tree with a colon", []any{&record.Begin{Schema: 1, Tree: "a:b", Mode: record.Full}, end(0)}, all, `tree "a:b"`, ""},
		{"nothing", nil, all, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := stored(t)
			o := apply(t, dir, stream(t, test.items...), at(2))
			if test.message == "" && o.messages() != "" {
				t.Errorf("Run: %s", o.messages())
			}
			checkContains(t, o.messages(), test.message)
			if warned := strings.Join(o.warned, ""); (warned != "") != (strings.HasPrefix(test.name, "unreadable") || strings.HasSuffix(test.name, "without embeddings")) {
				t.Errorf("warned: %q", warned)
			}
			snap := mustLoad(t, dir)
			if got := ids(snap); got != test.want {
				t.Errorf("chunks %s\nwant   %s", got, test.want)
			}
			if got := filesOf(t, dir); test.files != "" && got != test.files {
				t.Errorf("files %s\nwant  %s", got, test.files)
			}
			checkVerified(t, dir)
		})
	}
}

func inTree(tree string, c *record.Chunk) *record.Chunk {
	c.Metadata.Tree = tree
	c.Metadata.FilePath = record.TreePath(tree, c.Metadata.FilePath)
	return c
}

func data(c *record.Chunk) *record.Chunk { c.ChunkType = record.Data; return c }

func TestTimes(t *testing.T) {
	dir := newDir(t)
	run := func(hour int, text, title string) *record.Chunk {
		c := code("a", "a.go", text)
		c.Title = title
		mustApply(t, dir, stream(t, begin(record.Full, 1), file("a.go", "ok"), c, end(1)), at(hour))
		return mustLoad(t, dir).Chunks[0]
	}
	tests := []struct {
		hour             int
		text, title      string
		created, updated string
	}{
		{5, "one", "t", "05", "05"},
		{6, "one", "t", "05", "05"},
		{7, "one", "other", "05", "05"},
		{8, "two", "other", "05", "08"},
		{3, "three", "other", "05", "05"}, // the clock went back
	}
	for _, test := range tests {
		c := run(test.hour, test.text, test.title)
		if c.CreatedAt != "2024-05-06T"+test.created+":00:00Z" || c.UpdatedAt != "2024-05-06T"+test.updated+":00:00Z" {
			t.Errorf("at %d, text %s: created %s, updated %s", test.hour, test.text, c.CreatedAt, c.UpdatedAt)
		}
	}
}

// Times in the stream count only for chunks that the store does not have, and only if they are times.
func TestIncomingTimes(t *testing.T) {
	timed := func(created, updated string) *record.Chunk {
		c := code("z", "z.go", "zet")
		c.CreatedAt, c.UpdatedAt = created, updated
		return c
	}
	const old, now = "2020-01-01T00:00:00Z", "2024-05-06T01:00:00Z"
	tests := []struct{ created, updated, wantCreated, wantUpdated string }{
		{old, now, old, now},
		{old, "", now, now},
		{"yesterday", old, now, now},
		{`"\`, old, now, now},
		{"2020-01-01T00:00:00+01:00", old, now, now},
	}
	for _, test := range tests {
		dir := newDir(t)
		mustApply(t, dir, stream(t, timed(test.created, test.updated)))
		c := mustLoad(t, dir).Chunks[0]
		if c.CreatedAt != test.wantCreated || c.UpdatedAt != test.wantUpdated {
			t.Errorf("%q %q: created %s, updated %s", test.created, test.updated, c.CreatedAt, c.UpdatedAt)
		}
		mustApply(t, dir, stream(t, timed("2019-01-01T00:00:00Z", "2019-01-01T00:00:00Z")))
		if again := mustLoad(t, dir).Chunks[0]; again.CreatedAt != c.CreatedAt {
			t.Errorf("%s replaced by %s", c.CreatedAt, again.CreatedAt)
		}
		checkVerified(t, dir)
	}
}

func TestNothingChangedWritesNothing(t *testing.T) {
	dir := newDir(t)
	input := stream(t, begin(record.Full, 1), file("a.go", "ok"), code("a", "a.go", "x"), end(1))
	if r := mustApply(t, dir, input, at(1)); !r.Written || r.Generation != 1 || r.Added != 1 {
		t.Errorf("%+v", r)
	}
	before := infos(t, dir)
	if r := mustApply(t, dir, input, at(2)); r.Written || r.Generation != 1 || r.Added+r.Changed+r.Removed != 0 || r.Chunks != 1 {
		t.Errorf("%+v", r)
	}
	for path, info := range infos(t, dir) {
		if !os.SameFile(before[path], info) || !before[path].ModTime().Equal(info.ModTime()) {
			t.Errorf("%s was written", path)
		}
	}
	// A file leaves the shards of other files.
	dir = newDir(t)
	s := randomState(newRandom(1), 60)
	mustApply(t, dir, s.full(t), small)
	before = infos(t, dir)
	mustApply(t, dir, stream(t, begin(record.Incremental, 1), file("d.go", "ok"), data(code("d", "d.go", "x")), end(1)), small, at(3))
	m, err := store.ReadManifest(dir)
	if err != nil || len(m.Shards) < 4 {
		t.Fatalf("%d shards: %v", len(m.Shards), err)
	}
	for path, info := range infos(t, dir) {
		changes := path == layout.ShardPath(layout.ShardName(shard.Of("d.go", len(m.Shards)))) || path == layout.ManifestName
		if os.SameFile(before[path], info) == changes {
			t.Errorf("%s: written is %v", path, !changes)
		}
	}
}

func infos(t *testing.T, dir string) map[string]os.FileInfo {
	t.Helper()
	all := map[string]os.FileInfo{}
	for name := range contents(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = info
	}
	return all
}

// The result does not depend on the number of workers.
func TestDeterminism(t *testing.T) {
	input := randomState(newRandom(1), 300).full(t)
	var want map[string]string
	for _, jobs := range []int{1, 2, 7} {
		dir := newDir(t)
		mustApply(t, dir, input, func(o *Options) { o.Jobs = jobs })
		got := contents(t, dir)
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%d workers: %s", jobs, diff)
		}
	}
}

func TestTrees(t *testing.T) {
	dir := newDir(t)
	tree := func(name string, texts ...string) string {
		b := begin(record.Full, 1)
		b.Tree = name
		items := []any{b, file("a.go", "ok")}
		for _, text := range texts {
			items = append(items, inTree(name, code("code-impl-"+record.TreePath(name, "a.go")+"#"+text, "a.go", text)))
		}
		return stream(t, append(items, end(1))...)
	}
	mustApply(t, dir, tree("x", "1", "2")+tree("y", "3")+tree("", "4"))
	mustApply(t, dir, tree("x", "1"))
	snap := mustLoad(t, dir)
	if got := ids(snap); got != "code-impl-a.go#4=4 code-impl-x:a.go#1=1 code-impl-y:a.go#3=3" {
		t.Error(got)
	}
	want := map[string]layout.Tree{}
	for _, name := range []string{"", "x", "y"} {
		want[name] = layout.Tree{Settings: begin("", 0).Settings, Files: 1, Chunks: 1}
	}
	if diff := cmp.Diff(want, snap.Manifest.Trees); diff != "" {
		t.Error(diff)
	}
	checkVerified(t, dir)
	// A file name may look like one of another tree. That tree's chunks stay, also where the identifiers are the same.
	for _, mode := range []record.Mode{record.Incremental, record.Full} {
		before := ids(mustLoad(t, dir))
		o := apply(t, dir, stream(t, begin(mode, 2), file("a.go", "ok"), code("code-impl-a.go#4", "a.go", "4"),
			file("y:a.go", "ok"), code("code-impl-y:a.go#3", "y:a.go", "other"), code("code-impl-y:a.go#5", "y:a.go", "more"), end(2)))
		checkContains(t, o.messages(), `file "y:a.go" is of tree "y" in the store, and of tree "" in the run`)
		if got := ids(mustLoad(t, dir)); got != before {
			t.Errorf("%s: chunks %s, before %s", mode, got, before)
		}
		checkVerified(t, dir)
	}
}

// Files in a folder that cannot be read now stay in the store.
func TestFolderThatBecomesUnreadable(t *testing.T) {
	dir := newDir(t)
	mustApply(t, dir, stream(t, begin(record.Full, 3), file("d/a.go", "ok"), code("a1", "d/a.go", "one"),
		file("d/e/b.go", "ok"), code("b1", "d/e/b.go", "two"), file("dd/c.go", "ok"), code("c1", "dd/c.go", "three"), end(3)))
	locked := file("d", "skipped")
	locked.Reason = "unreadable: permission denied"
	for range 2 {
		o := apply(t, dir, stream(t, begin(record.Full, 1), locked, end(1)))
		checkContains(t, strings.Join(o.warned, "\n"), "d: unreadable: permission denied: its old chunks stay")
		snap := mustLoad(t, dir)
		if got := ids(snap); got != "a1=one b1=two" {
			t.Errorf("chunks %s", got)
		}
		if got := filesOf(t, dir); got != "d/a.go:ok d/e/b.go:ok d:skipped" {
			t.Errorf("files %s", got)
		}
		checkVerified(t, dir)
	}
	mustApply(t, dir, stream(t, begin(record.Full, 1), file("d/a.go", "ok"), code("a1", "d/a.go", "one"), end(1)))
	if got := ids(mustLoad(t, dir)); got != "a1=one" {
		t.Errorf("chunks %s", got)
	}
}

func TestLosingTheEmbeddingsIsSaid(t *testing.T) {
	dir := stored(t)
	plain := code("a1", "a.go", "one")
	plain.Embedding, plain.EmbeddingModel = nil, ""
	for i, want := range []string{"the index loses its embeddings by ", ""} {
		o := apply(t, dir, stream(t, begin(record.Full, 1), file("a.go", "ok"), plain, end(1)))
		if warned := strings.Join(o.warned, "\n"); want == "" && warned != "" || !strings.Contains(warned, want) {
			t.Errorf("run %d: warned %q", i, warned)
		}
	}
}

// Chunks may lack the embedding that others have. The next incremental run brings their files again, with embeddings.
func TestChunksWithoutEmbedding(t *testing.T) {
	plain := func(id, path, text string) *record.Chunk {
		c := code(id, path, text)
		c.Embedding, c.EmbeddingModel = nil, ""
		return c
	}
	start := func(mode record.Mode, files int) *record.Begin {
		b := begin(mode, files)
		b.Settings["embed"] = "e1"
		return b
	}
	check := func(dir, wantIDs, complete string, unembedded int) {
		t.Helper()
		snap := mustLoad(t, dir)
		m := snap.Manifest
		if got := ids(snap); got != wantIDs {
			t.Error(got)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(checksums(t, dir))), " "); got != complete {
			t.Errorf("checksums of %q, want %q", got, complete)
		}
		if m.Stats.Unembedded != unembedded {
			t.Errorf("%d without embedding, want %d", m.Stats.Unembedded, unembedded)
		}
		checkVerified(t, dir)
		checkCatIsFixedPoint(t, dir)
	}
	dir := newDir(t)
	// The service is down from the start.
	mustApply(t, dir, stream(t, start(record.Full, 2), file("a.go", "ok"), plain("a1", "a.go", "one"), file("b.go", "ok"), plain("b1", "b.go", "two"), end(2)))
	check(dir, "a1=one b1=two", "", 0)
	// It answers for a moment.
	mustApply(t, dir, stream(t, start(record.Incremental, 2), file("a.go", "ok"), code("a1", "a.go", "one"), plain("a2", "a.go", "more"), file("b.go", "ok"), code("b1", "b.go", "two"), end(2)))
	check(dir, "a1=one a2=more b1=two", "b.go", 1)
	if m := mustLoad(t, dir).Manifest; m.Model != "m" || m.Dimensions != 3 {
		t.Errorf("model %q, %d dimensions", m.Model, m.Dimensions)
	}
	// A change while it is down.
	o := apply(t, dir, stream(t, start(record.Incremental, 2), file("a.go", "unchanged"), file("b.go", "ok"), plain("b1", "b.go", "new"), end(2)))
	if len(o.warned) > 0 || o.err != nil {
		t.Error(o.warned, o.err)
	}
	check(dir, "a1=one a2=more b1=new", "", 2)
	status, err := store.ReadStatus(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := status.Write(&text, time.Now()); err != nil {
		t.Fatal(err)
	}
	checkContains(t, text.String(), "2 chunks without embedding")
	// It is back.
	mustApply(t, dir, stream(t, start(record.Incremental, 2), file("a.go", "ok"), code("a1", "a.go", "one"), code("a2", "a.go", "more"), file("b.go", "ok"), code("b1", "b.go", "new"), end(2)))
	check(dir, "a1=one a2=more b1=new", "a.go b.go", 0)
}

// Files that were indexed with different settings are never in one tree: the run is refused, and the next run indexes
// all files again, since none has a checksum.
func TestSettingsChange(t *testing.T) {
	other := func(mode record.Mode, files int) *record.Begin {
		b := begin(mode, files)
		b.Settings["chunk"] = "c2"
		return b
	}
	for name, input := range map[string]string{
		"one file":             stream(t, other(record.Incremental, 1), file("a.go", "ok"), code("a1", "a.go", "uno"), end(1)),
		"unchanged in full":    stream(t, other(record.Full, 2), file("a.go", "ok"), code("a1", "a.go", "uno"), file("b.go", "unchanged"), end(2)),
		"nothing is mentioned": stream(t, other(record.Incremental, 0), end(0)),
	} {
		t.Run(name, func(t *testing.T) {
			dir := stored(t)
			before := contents(t, dir)
			for range 2 {
				o := apply(t, dir, input)
				if o.err == nil || len(o.results) > 0 {
					t.Fatalf("a run with other settings is applied: %v", o.results)
				}
				checkContains(t, o.err.Error(), "the run was made with other settings than the index (chunk), which would keep ")
				checkHint(t, o.err, "cortex-parse --incremental .")
				after := contents(t, dir)
				m := mustLoad(t, dir).Manifest
				if len(checksums(t, dir)) > 0 || m.Settings["chunk"] != "c1" || m.Generation != 2 {
					t.Errorf("checksums %v, settings %v, generation %d", checksums(t, dir), m.Settings, m.Generation)
				}
				delete(after, layout.ManifestName)
				for path, text := range after {
					if text != before[path] {
						t.Errorf("%s has changed", path)
					}
				}
				checkVerified(t, dir)
			}
			mustApply(t, dir, stream(t, other(record.Incremental, 4), file("a.go", "ok"), code("a1", "a.go", "uno"), file("b.go", "deleted"),
				file("c.go", "ok"), file("d.go", "skipped"), end(4)))
			snap := mustLoad(t, dir)
			if got := ids(snap); got != "a1=uno" || snap.Manifest.Settings["chunk"] != "c2" || len(checksums(t, dir)) != 2 {
				t.Errorf("%s, %v, %v", got, snap.Manifest.Settings, checksums(t, dir))
			}
			checkVerified(t, dir)
		})
	}
}

// A file that cannot be read keeps no chunks of other settings.
func TestSettingsChangeOfUnreadable(t *testing.T) {
	dir := newDir(t)
	mustApply(t, dir, stream(t, begin(record.Full, 3), file("a.go", "ok"), code("a1", "a.go", "one"),
		file("b.go", "ok"), code("b1", "b.go", "two"), file("d/c.go", "ok"), code("c1", "d/c.go", "three"), end(3)))
	b := begin(record.Full, 3)
	b.Settings["embed"] = "e2"
	unreadable := func(path string) *record.File {
		f := file(path, "skipped")
		f.Reason = "unreadable: permission denied"
		return f
	}
	o := apply(t, dir, stream(t, b, file("a.go", "ok"), code("a1", "a.go", "one"), unreadable("b.go"), unreadable("d"), end(3)))
	if o.messages() != "" {
		t.Error(o.messages())
	}
	checkContains(t, strings.Join(o.warned, "\n"), "b.go: unreadable: permission denied: its old chunks are removed, since they were made with other settings")
	snap := mustLoad(t, dir)
	if got := ids(snap) + " " + filesOf(t, dir); got != "a1=one a.go:ok b.go:skipped d:skipped" {
		t.Error(got)
	}
	checkVerified(t, dir)
}

// If the index has another version of a file than the run says, the next run indexes the file again.
func TestUnchangedOfAnotherVersion(t *testing.T) {
	dir := stored(t)
	f := file("a.go", "unchanged")
	f.SHA256 = sum(99)
	o := apply(t, dir, stream(t, begin(record.Incremental, 2), f, file("b.go", "unchanged"), end(2)))
	if diff := cmp.Diff([]string{`file "a.go" is said to be unchanged, but the index has another version of it`}, o.reported); diff != "" {
		t.Error(diff)
	}
	snap := mustLoad(t, dir)
	if diff := cmp.Diff(map[string]string{"b.go": sum(4), "c.go": sum(4)}, checksums(t, dir)); diff != "" {
		t.Error(diff)
	}
	if got := ids(snap); got != "a1=one a2=two b1=bee c1=sea" {
		t.Error(got)
	}
	checkVerified(t, dir)
}

// A run that touches no chunk does not read the chunk files, and makes the same manifest.
func TestRunWithoutChunks(t *testing.T) {
	skipped := func(path, reason string) *record.File {
		f := file(path, "skipped")
		f.Reason = reason
		return f
	}
	all := []any{file("a.go", "unchanged"), file("b.go", "unchanged"), file("c.go", "unchanged")}
	for _, test := range []struct {
		name    string
		more    []any
		written bool
		files   string
	}{
		{"nothing", nil, false, "a.go:ok b.go:ok c.go:partial s.png:skipped"},
		{"skipped as before", []any{skipped("s.png", "binary")}, false, "a.go:ok b.go:ok c.go:partial s.png:skipped"},
		{"skipped for another reason", []any{skipped("s.png", "too large")}, true, "a.go:ok b.go:ok c.go:partial s.png:skipped"},
		{"a skipped file is gone", []any{file("s.png", "deleted")}, true, "a.go:ok b.go:ok c.go:partial"},
		{"a new skipped file", []any{skipped("t.png", "binary")}, true, "a.go:ok b.go:ok c.go:partial s.png:skipped t.png:skipped"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := stored(t)
			mustApply(t, dir, stream(t, begin(record.Incremental, 1), skipped("s.png", "binary"), end(1)))
			items := append(slices.Clone(all), test.more...)
			r := mustApply(t, dir, stream(t, append(append([]any{begin(record.Incremental, len(items))}, items...), end(len(items)))...))
			if r.Written != test.written || r.Added+r.Changed+r.Removed != 0 || r.Chunks != 4 {
				t.Errorf("%+v", r)
			}
			if got := filesOf(t, dir); got != test.files {
				t.Error(got)
			}
			// Verify counts everything anew.
			checkVerified(t, dir)
		})
	}
}

// A file whose chunks may be incomplete has no checksum.
func TestLostRecordsDropChecksums(t *testing.T) {
	dir := stored(t)
	apply(t, dir, stream(t, begin(record.Full, 1), file("a.go", "ok"), code("a1", "a.go", "uno"), &record.End{Files: 1, Errors: 1}))
	if diff := cmp.Diff(map[string]string{"b.go": sum(4), "c.go": sum(4)}, checksums(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestProgress(t *testing.T) {
	dir := newDir(t)
	var seen []string
	mustApply(t, dir, stream(t, begin(record.Full, 2), file("a.go", "ok"), file("b.go", "ok"), end(2)), func(o *Options) {
		o.Progress = func(done, total int, item string) {
			seen = append(seen, item)
			if done != len(seen) || total != 2 {
				t.Errorf("%d of %d", done, total)
			}
		}
	})
	if strings.Join(seen, " ") != "a.go b.go" {
		t.Error(seen)
	}
}

func TestCancelled(t *testing.T) {
	dir := stored(t)
	before := contents(t, dir)
	ctx, cancel := context.WithCancel(context.Background())
	opts := (&outcome{}).options(dir)
	opts.step = func(step string) {
		if strings.HasPrefix(step, "write") {
			cancel()
		}
	}
	err := Run(ctx, jsonl.NewReader(strings.NewReader(stream(t, code("z", "z.go", "zet"))), "stdin"), opts)
	if err != context.Canceled {
		t.Errorf("Run: %v", err)
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// A run that is interrupted as it begins neither leaves an empty store behind nor waits for its own lock.
func TestCancelledAtOnce(t *testing.T) {
	dir := newDir(t)
	ctx, cancel := context.WithCancel(context.Background())
	in := &interrupting{strings.NewReader(stream(t, begin(record.Full, 1), file("a.go", "ok"), end(1))), cancel}
	var o outcome
	if err := Run(ctx, jsonl.NewReader(in, "stdin"), o.options(dir)); err != context.Canceled {
		t.Errorf("Run: %v", err)
	}
	if len(o.warned) > 0 {
		t.Error(o.warned)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the store: %v", err)
	}
}

// An interrupting reader calls cancel as it is read.
type interrupting struct {
	io.Reader
	cancel func()
}

func (r *interrupting) Read(p []byte) (int, error) {
	r.cancel()
	return r.Reader.Read(p)
}
