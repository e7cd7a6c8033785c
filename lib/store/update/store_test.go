package update

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
	"cortex/lib/store/layout"
)

// A child process does what the variable names, on the stream in its standard input and
// the store in its working directory.
const childVariable = "CORTEX_STORE_CHILD"

func TestMain(m *testing.M) {
	if job := os.Getenv(childVariable); job != "" {
		os.Exit(child(job))
	}
	// Each child with a race detector would wait a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	derivedtest.Main(m)
}

// exitUnsupervised is the status of a child that cannot be supervised.
const exitUnsupervised = 77

func child(job string) int {
	if err := beSupervised(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitUnsupervised
	}
	opts := Options{Jobs: 1, Now: clock(1), perShard: 5, Report: func(err error) { fmt.Fprintln(os.Stderr, err) }}
	work := func() error { return Run(context.Background(), jsonl.NewReader(os.Stdin, "stdin"), opts) }
	var number int
	switch name, argument, _ := strings.Cut(job, " "); name {
	case "kill":
		_, err := fmt.Sscan(argument, &number)
		opts.step = func(step string) {
			if number--; number == 0 || err != nil && strings.HasPrefix(step, argument) {
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {} // until it arrives
			}
		}
	case "limit":
		fmt.Sscan(argument, &number)
		limit := syscall.Rlimit{Cur: uint64(number), Max: uint64(number)}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			panic(err)
		}
	case "nobody":
		if err := syscall.Setuid(65534); err != nil {
			panic(err)
		}
	default:
		if reader := readers[name]; reader != nil {
			work = func() error { return reader(layout.Dir) }
		}
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		if text := hint.Of(err); text != "" {
			fmt.Fprintln(os.Stderr, "hint:", text)
		}
		return 2
	}
	return 0
}

// readers has all functions that read a store.
var readers = map[string]func(dir string) error{
	"load": func(dir string) error { _, err := load(dir); return err },
	"chunks": func(dir string) error {
		g, err := store.Open(context.Background(), dir)
		if err != nil {
			return err
		}
		defer g.Close()
		return readChunks(g)
	},
	"indexed": func(dir string) error {
		_, _, err := store.Indexed(context.Background(), dir, "", true, func(string, ...any) {})
		return err
	},
	"verify": func(dir string) error {
		return store.Verify(context.Background(), dir, func(err error) { fmt.Fprintln(os.Stderr, err) })
	},
	"status": func(dir string) error { _, err := store.ReadStatus(context.Background(), dir); return err },
	"cat": func(dir string) error {
		return store.Cat(context.Background(), dir, jsonl.NewWriter(io.Discard), store.CatOptions{})
	},
}

// readChunks reads all records in order, and each chunk by its place.
func readChunks(g *store.Generation) error {
	for i := range g.Manifest().Shards {
		var file store.Entry
		for e, err := range g.Records(context.Background(), i) {
			if err != nil {
				return err
			}
			if e.Chunk == nil {
				file = e
				continue
			}
			// ReadChunk returns a chunk without these.
			e.Chunk.Embedding, e.Chunk.EmbeddingModel, e.Chunk.CreatedAt, e.Chunk.UpdatedAt = nil, "", "", ""
			f, err := g.ReadHead(store.Place{Shard: i, Offset: file.Offset, Size: file.Size})
			if err != nil {
				return err
			}
			c, err := g.ReadChunk(f, store.Place{Shard: i, Offset: e.Offset, Size: e.Size})
			if err != nil {
				return err
			}
			if !reflect.DeepEqual(c, e.Chunk) {
				return fmt.Errorf("chunk %q is read as %q", e.Chunk.ID, c.ID)
			}
		}
	}
	return nil
}

// A record that is not at its place gives another error than a shard that cannot be read.
func TestReadElsewhere(t *testing.T) {
	dir := t.TempDir()
	apply(t, dir, stream(t, begin(record.Full, 1), file("a.go", record.StatusOK), code("code-impl-a.go#F", "a.go", "func F()"), end(1)))
	g, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	number := slices.IndexFunc(g.Manifest().Shards, func(s layout.Shard) bool { return s.Size > 0 })
	var places []store.Place
	for e, err := range g.Records(t.Context(), number) {
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, store.Place{Shard: number, Offset: e.Offset, Size: e.Size})
	}
	if len(places) != 2 {
		t.Fatalf("%d records", len(places))
	}
	head, chunk := places[0], places[1]
	f, err := g.ReadHead(head)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := g.ReadChunk(f, chunk); err != nil || c.ID != "code-impl-a.go#F" || c.Metadata.Language != "go" {
		t.Errorf("%+v, %v", c, err)
	}
	size := g.Manifest().Shards[number].Size
	for _, at := range []store.Place{
		{Shard: number, Offset: head.Offset, Size: 1}, {Shard: number, Offset: chunk.Offset + 1, Size: chunk.Size - 1}, {Shard: number, Offset: chunk.Offset, Size: chunk.Size - 1},
		{Shard: number, Offset: chunk.Offset, Size: chunk.Size + 1}, {Shard: number, Offset: -1, Size: 5}, {Shard: number, Offset: size, Size: 1}, {Shard: number, Offset: 0, Size: 0},
		{Shard: -1, Offset: 0, Size: 5}, {Shard: len(g.Manifest().Shards), Offset: 0, Size: 5},
	} {
		if c, err := g.ReadChunk(f, at); !errors.Is(err, store.ErrChanged) {
			t.Errorf("a chunk at %+v: %+v, %v", at, c, err)
		}
		if f, err := g.ReadHead(at); !errors.Is(err, store.ErrChanged) {
			t.Errorf("a file at %+v: %+v, %v", at, f, err)
		}
	}
}

// clock returns a clock that is stopped at an hour of a certain day.
func clock(hour int) func() time.Time {
	return func() time.Time { return time.Date(2024, 5, 6, hour, 0, 0, 0, time.UTC) }
}

// sum returns a digest in the form of file records, different for every n.
func sum(n int) string { return fmt.Sprintf("%064x", n) }

func begin(mode record.Mode, files int) *record.Begin {
	return &record.Begin{Schema: record.Schema, Mode: mode, Files: files, Settings: map[string]string{"parse": "p1", "chunk": "c1"}}
}

func file(path string, status record.Status) *record.File {
	return &record.File{FilePath: path, Language: "go", SHA256: sum(len(path)), Size: 100, Status: status}
}

func code(id, path, text string) *record.Chunk {
	return &record.Chunk{
		ID: id, ChunkType: record.Implementations, Title: id, Text: text, Tags: []string{"code", "go"},
		Metadata:  record.Metadata{Source: "code", FilePath: path, Language: "go", StartLine: 1, EndLine: 2, ByteEnd: 9},
		Embedding: record.Embedding{0.5, -1, float32(len(text))}, EmbeddingModel: "m",
	}
}

func end(files int) *record.End { return &record.End{Files: files} }

// stream encodes records; a string stands for a line as it is.
func stream(t testing.TB, items ...any) string {
	t.Helper()
	var out []byte
	for _, item := range items {
		switch item := item.(type) {
		case string:
			out = append(append(out, item...), '\n')
		case record.Record:
			var err error
			if out, err = jsonl.Append(out, item); err != nil {
				t.Fatal(err)
			}
		default:
			t.Fatalf("not a record: %v", item)
		}
	}
	return string(out)
}

// outcome has everything that a call of Run reported.
type outcome struct {
	mu       sync.Mutex
	reported []string
	warned   []string
	results  []Result
	err      error
}

func (o *outcome) options(dir string) Options {
	return Options{
		Dir: dir, Jobs: 2, Now: clock(1),
		Report: func(err error) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.reported = append(o.reported, err.Error())
		},
		Warn: func(format string, args ...any) {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.warned = append(o.warned, fmt.Sprintf(format, args...))
		},
		Committed: func(r Result) { o.results = append(o.results, r) },
	}
}

func (o *outcome) messages() string {
	all := slices.Clone(o.reported)
	if o.err != nil {
		all = append(all, o.err.Error())
	}
	return strings.Join(all, "\n")
}

// apply runs a stream on the store and returns the outcome.
func apply(t testing.TB, dir string, input string, change ...func(*Options)) *outcome {
	t.Helper()
	o := &outcome{}
	opts := o.options(dir)
	for _, f := range change {
		f(&opts)
	}
	o.err = Run(context.Background(), jsonl.NewReader(strings.NewReader(input), "stdin"), opts)
	return o
}

// mustApply is apply for a stream that must succeed without reports.
func mustApply(t testing.TB, dir string, input string, change ...func(*Options)) Result {
	t.Helper()
	o := apply(t, dir, input, change...)
	if text := o.messages(); text != "" {
		t.Fatalf("Run: %s", text)
	}
	if len(o.results) == 0 {
		t.Fatal("nothing was committed")
	}
	return o.results[len(o.results)-1]
}

func at(hour int) func(*Options) { return func(o *Options) { o.Now = clock(hour) } }

func newDir(t testing.TB) string { return filepath.Join(t.TempDir(), layout.Dir) }

// loaded has the manifest and the chunks of one generation of a store.
type loaded struct {
	Manifest layout.Manifest
	// Chunks are sorted by ID, bytewise.
	Chunks []*record.Chunk
}

func load(dir string) (*loaded, error) {
	g, err := store.Open(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	snap := &loaded{Manifest: *g.Manifest()}
	for i := range snap.Manifest.Shards {
		for e, err := range g.Records(context.Background(), i) {
			if err != nil {
				return nil, err
			}
			if e.Chunk != nil {
				snap.Chunks = append(snap.Chunks, e.Chunk)
			}
		}
	}
	slices.SortFunc(snap.Chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	return snap, nil
}

func mustLoad(t testing.TB, dir string) *loaded {
	t.Helper()
	snap, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// ids lists "ID=TEXT" of all chunks.
func ids(snap *loaded) string {
	var list []string
	for _, c := range snap.Chunks {
		list = append(list, c.ID+"="+c.Text)
	}
	return strings.Join(list, " ")
}

// filesOf lists "PATH:STATUS" of all files.
func filesOf(t testing.TB, dir string) string {
	t.Helper()
	_, files, err := store.ReadFiles(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for path, f := range files {
		if f.Record.Status != "" {
			list = append(list, path+":"+string(f.Record.Status))
		}
	}
	return strings.Join(sorted(list), " ")
}

// checksums returns the checksums of the files that need not be indexed again.
func checksums(t testing.TB, dir string) map[string]string {
	t.Helper()
	m, files, err := store.ReadFiles(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for path, f := range files {
		if f.Record.SHA256 != "" && !m.Trees[f.Tree].Again {
			sums[path] = f.Record.SHA256
		}
	}
	return sums
}

// contents reads all files of a store.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func verify(t testing.TB, dir string) string {
	t.Helper()
	var faults []string
	err := store.Verify(context.Background(), dir, func(err error) { faults = append(faults, err.Error()) })
	if err != nil && len(faults) == 0 {
		t.Fatal(err)
	}
	if err == nil && len(faults) > 0 {
		t.Fatal("faults without an error")
	}
	return strings.Join(faults, "\n")
}

func checkVerified(t testing.TB, dir string) {
	t.Helper()
	if faults := verify(t, dir); faults != "" {
		t.Errorf("Verify:\n%s", faults)
	}
}

func checkContains(t testing.TB, text, want string) {
	t.Helper()
	if !strings.Contains(text, want) {
		t.Errorf("got %q\nwant something with %q", text, want)
	}
}

func checkHint(t testing.TB, err error, want string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	checkContains(t, hint.Of(err), want)
}

func TestClock(t *testing.T) {
	env := func(value string) func(string) string {
		return func(name string) string {
			if name != "SOURCE_DATE_EPOCH" {
				t.Errorf("asks for %s", name)
			}
			return value
		}
	}
	now, err := Clock(env("86400"))
	if err != nil || now().UTC().Format(layout.TimeLayout) != "1970-01-02T00:00:00Z" {
		t.Error("wrong time", err)
	}
	if now, err = Clock(env("")); err != nil || time.Since(now()) > time.Hour {
		t.Error(err)
	}
	for _, bad := range []string{"x", "-1", "1.5", "999999999999999"} {
		if _, err := Clock(env(bad)); err == nil || hint.Of(err) == "" {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// After a clock was set back, a store still has times in order, and everything that was written.
func TestClockThatGoesBack(t *testing.T) {
	dir := newDir(t)
	at := func(seconds int64) func(*Options) {
		return func(o *Options) { o.Now = func() time.Time { return time.Unix(seconds, 0) } }
	}
	mustApply(t, dir, stream(t, begin(record.Full, 1), file("a.go", "ok"), code("a1", "a.go", "one"), end(1)), at(2_000_000_000))
	mustApply(t, dir, stream(t, begin(record.Incremental, 1), file("a.go", "partial"), code("a1", "a.go", "two"), code("a2", "a.go", "new"), end(1)), at(1_000_000_000))
	checkVerified(t, dir)
	snap := mustLoad(t, dir)
	if got := ids(snap); got != "a1=two a2=new" || snap.Manifest.Generation != 2 {
		t.Errorf("generation %d: %s", snap.Manifest.Generation, got)
	}
	for i, want := range []string{"2033-05-18T03:33:20Z", "2001-09-09T01:46:40Z"} {
		if c := snap.Chunks[i]; c.CreatedAt != want || c.UpdatedAt != want {
			t.Errorf("%s: created %s, updated %s", c.ID, c.CreatedAt, c.UpdatedAt)
		}
	}
}
