package write

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database"
	"cortex/lib/database/databasetest"
	"cortex/lib/database/tree"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// A server is a database for the tests below, which take turns.
type server struct {
	*databasetest.Server
	t *testing.T
}

func TestDatabase(t *testing.T) {
	s := &server{databasetest.Start(t), t}
	t.Run("any sequence equals the store", s.anySequence)
	t.Run("a stream that is cut changes nothing", s.cut)
	t.Run("words are analysed again", s.analysedAgain)
	t.Run("rights", s.rights)
	t.Run("forget", s.forget)
	t.Run("columns follow from records", s.columns)
	t.Run("long rows of postings are divided", s.covering)
	t.Run("writers that are no owners", s.noOwner)
	t.Run("lost connections", s.lost)
	t.Run("many writers", s.many)
	t.Run("one tree at a time", s.oneAtATime)
}

// A target is an empty database.
type target struct {
	db *database.DB
	w  *Writer
}

func (s *server) target(t *testing.T) *target {
	t.Helper()
	db, err := database.Open(t.Context(), s.New(t), database.Options{Write: true, Conns: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return &target{db, &Writer{DB: db, Warn: t.Logf}}
}

func options(t *testing.T, second int64) update.Options {
	return update.Options{Jobs: 2, Now: func() time.Time { return time.Unix(1_700_000_000+second, 0) }, Warn: t.Logf, Report: func(err error) { t.Log(err) }}
}

func (x *target) apply(t *testing.T, stream string, opts update.Options) error {
	t.Helper()
	x.w.Now = opts.Now
	return update.RunInto(t.Context(), jsonl.NewReader(strings.NewReader(stream), "stdin"), x.w, opts)
}

func (x *target) mustApply(t *testing.T, stream string, opts update.Options) {
	t.Helper()
	if err := x.apply(t, stream, opts); err != nil {
		t.Fatal(err)
	}
}

func (x *target) cat(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	err := tree.Cat(t.Context(), x.db, nil, jsonl.NewWriter(&b), store.CatOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (x *target) verify(t *testing.T) {
	t.Helper()
	if err := tree.Verify(t.Context(), x.db, nil, func(err error) { t.Error(err) }); err != nil {
		t.Fatal(err)
	}
	var stray int
	err := x.db.Pool().QueryRow(t.Context(), `SELECT count(*) FROM cortex.postings p WHERE NOT EXISTS (SELECT FROM cortex.lexemes l WHERE l.tree_id = p.tree_id AND l.lexeme = p.lexeme)`).Scan(&stray)
	if err != nil || stray > 0 {
		t.Fatalf("%d rows of postings are of no lexeme: %v", stray, err)
	}
}

// A source is a tree of files.
type source struct {
	name  string
	files map[string][]*record.Chunk
}

var pieces = []string{"parse", "HTTPServer", "größe", "snake_case", "\n", "\t", "\\N", "\\.", "\"", "{}", "日本", " ", " ", "\u2028", "'", "x.y", "\x00", "\x01", "getFoo", "$1", "NULL"}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

func (s *source) edit(r *rand.Rand) string {
	path := fmt.Sprintf("dir%d/f%d.go", r.IntN(2), r.IntN(9))
	full := record.TreePath(s.name, path)
	var list []*record.Chunk
	for i := range r.IntN(5) {
		c := &record.Chunk{ID: fmt.Sprintf("code-impl-%s#f%d", record.IDPath(full), i), ChunkType: record.Implementations, Title: randomText(r, 4), Text: randomText(r, 30),
			Tags: []string{"code", "go", "implementations", strings.ReplaceAll(randomText(r, 2), "\x00", "")}, Metadata: record.Metadata{Source: record.SourceCode, FilePath: full, Tree: s.name, Language: "go",
				StartLine: 1 + i, EndLine: 2 + i, SymbolName: randomText(r, 3), SymbolType: record.Function}}
		if r.IntN(5) > 0 {
			e := record.Embedding{r.Float32() - 0.5, r.Float32(), 1, 0.25}
			if c.EmbeddingModel = "test"; r.IntN(2) == 0 {
				e = record.Quantize(nil, e).Embedding()
			}
			c.Embedding = e
		}
		list = append(list, c)
	}
	s.files[path] = list
	return path
}

// stream is a run over the paths; those that are not touched are unchanged.
func (s *source) stream(t *testing.T, mode record.Mode, paths []string, touched func(path string) bool) string {
	t.Helper()
	var b bytes.Buffer
	w := jsonl.NewWriter(&b)
	write := func(r record.Record) {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	write(&record.Begin{Schema: record.Schema, Tree: s.name, Mode: mode, Files: len(paths), Settings: map[string]string{"parse": "1"}})
	for _, path := range paths {
		list, there := s.files[path]
		sum := sha256.Sum256(fmt.Append(nil, path, len(list)))
		if len(list) > 0 {
			sum = sha256.Sum256([]byte(list[0].Text + list[0].Title))
		}
		f := &record.File{FilePath: path, Language: "go", SHA256: hex.EncodeToString(sum[:]), Size: 7, Status: record.StatusOK,
			Symbols: []record.Symbol{{Kind: record.Function, Name: "f", QualifiedName: "f", StartLine: 1, EndLine: 2}}, Imports: []string{"fmt"}}
		switch {
		case !there:
			f = &record.File{FilePath: path, Status: record.StatusDeleted}
		case !touched(path):
			f = &record.File{FilePath: path, Status: record.StatusUnchanged}
		}
		write(f)
		if f.Status.Indexed() {
			for _, c := range list {
				write(c)
			}
		}
	}
	write(&record.End{Files: len(paths)})
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (s *source) full(t *testing.T) string {
	return s.stream(t, record.Full, slices.Sorted(maps.Keys(s.files)), func(string) bool { return true })
}

// change changes some files and returns a run that says so.
func (s *source) change(t *testing.T, r *rand.Rand) string {
	t.Helper()
	touched := map[string]bool{}
	for range 1 + r.IntN(3) {
		touched[s.edit(r)] = true
	}
	for _, path := range slices.Sorted(maps.Keys(s.files)) {
		if r.IntN(6) == 0 {
			delete(s.files, path)
			touched[path] = true
		}
	}
	is := func(path string) bool { return touched[path] }
	switch r.IntN(3) {
	case 0:
		return s.full(t)
	case 1:
		return s.stream(t, record.Full, slices.Sorted(maps.Keys(s.files)), is)
	}
	return s.stream(t, record.Incremental, slices.Sorted(maps.Keys(touched)), is)
}

// After any sequence of runs, each tree of the database equals a store on disk after the same runs, and its derived
// tables are consistent.
func (s *server) anySequence(t *testing.T) {
	seeds := uint64(2)
	if s.Full {
		seeds = 10
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 21))
		x := s.target(t)
		x.w.perBlock, x.w.leastRewritten = 1+int(seed%2)*6, 5
		dirs := map[string]string{}
		sources := []*source{{"", map[string][]*record.Chunk{}}, {"api", map[string][]*record.Chunk{}}}
		for step := range int64(10) {
			of := sources[r.IntN(2)]
			run := of.change(t, r)
			opts := options(t, step)
			if dirs[of.name] == "" {
				dirs[of.name] = t.TempDir() + "/store"
			}
			opts.Dir = dirs[of.name]
			if err := update.Run(t.Context(), jsonl.NewReader(strings.NewReader(run), "stdin"), opts); err != nil {
				t.Fatal(err)
			}
			x.mustApply(t, run, opts)
			var want bytes.Buffer
			for _, name := range slices.Sorted(maps.Keys(dirs)) {
				if err := store.Cat(t.Context(), dirs[name], jsonl.NewWriter(&want), store.CatOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			if got := x.cat(t); got != want.String() {
				t.Fatalf("seed %d, step %d: the database has\n%s\nthe store\n%s", seed, step, got, want.String())
			}
			x.verify(t)
		}
		x.db.Close()
	}
}

func newSource(t *testing.T, seed uint64, name string) *source {
	t.Helper()
	src := &source{name, map[string][]*record.Chunk{}}
	r := rand.New(rand.NewPCG(seed, 5))
	for len(src.files) < 5 {
		src.edit(r)
	}
	return src
}

func (s *server) cut(t *testing.T) {
	x := s.target(t)
	src := newSource(t, 1, "api")
	x.mustApply(t, src.full(t), options(t, 1))
	before := x.cat(t)
	r := rand.New(rand.NewPCG(1, 1))
	for range 5 {
		src.edit(r)
	}
	run := src.full(t)
	lines := strings.SplitAfter(run, "\n")
	for _, n := range []int{1, 2, len(lines) / 2, len(lines) - 2} {
		x.mustApply(t, strings.Join(lines[:n], ""), options(t, 2))
		if got := x.cat(t); got != before {
			t.Fatalf("the first %d of %d lines changed something", n, len(lines))
		}
	}
	x.verify(t)
}

func (s *server) analysedAgain(t *testing.T) {
	x := s.target(t)
	run := newSource(t, 2, "api").full(t)
	x.mustApply(t, run, options(t, 1))
	x.w.Stemmer = "german"
	x.mustApply(t, run, options(t, 2))
	x.verify(t)
	list, err := tree.All(t.Context(), x.db.Pool(), nil)
	if err != nil || len(list) != 1 || list[0].Stemmer != "german" || list[0].Manifest.Generation != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
}

// A role that may not see a tree gets nothing of it, from any table.
func (s *server) rights(t *testing.T) {
	x := s.target(t)
	x.mustApply(t, newSource(t, 3, "open").full(t), options(t, 1))
	x.mustApply(t, newSource(t, 4, "closed").full(t), options(t, 1))
	ctx := t.Context()
	role := "cortex_test_other"
	for _, sql := range []string{`DROP ROLE IF EXISTS ` + role, `CREATE ROLE ` + role, `UPDATE cortex.trees SET readers = '{` + role + `}' WHERE name = 'closed'`} {
		if _, err := x.db.Pool().Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	count := func(as string, table string) (n int) {
		t.Helper()
		err := pgx.BeginFunc(ctx, x.db.Pool(), func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SET LOCAL ROLE `+as); err != nil {
				return err
			}
			return tx.QueryRow(ctx, `SELECT count(DISTINCT t.tree_id) FROM (`+table+`) t`).Scan(&n)
		})
		if err != nil {
			t.Fatalf("%s as %s: %v", table, as, err)
		}
		return n
	}
	for _, table := range []string{"files", "chunks", "embeddings", "lexemes", "postings"} {
		if n := count("cortex_read", "SELECT tree_id FROM cortex."+table); n != 1 {
			t.Errorf("a reader sees %d trees in %s", n, table)
		}
		if n := count("cortex_write", "SELECT tree_id FROM cortex."+table); n != 2 {
			t.Errorf("a writer sees %d trees in %s", n, table)
		}
	}
	if n := count("cortex_read", "SELECT id AS tree_id FROM cortex.trees"); n != 1 {
		t.Errorf("a reader sees %d trees", n)
	}
	if _, err := x.db.Pool().Exec(ctx, `GRANT cortex_read TO `+role); err != nil {
		t.Fatal(err)
	}
	if n := count(role, "SELECT tree_id FROM cortex.chunks"); n != 2 {
		t.Errorf("a reader of both trees sees %d", n)
	}
	err := pgx.BeginFunc(ctx, x.db.Pool(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL ROLE cortex_read`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `DELETE FROM cortex.chunks`)
		return err
	})
	if err == nil {
		t.Error("a reader removes chunks")
	}
	for _, sql := range []string{`DROP OWNED BY ` + role, `DROP ROLE ` + role} {
		if _, err := x.db.Pool().Exec(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *server) forget(t *testing.T) {
	x := s.target(t)
	x.mustApply(t, newSource(t, 3, "a").full(t), options(t, 1))
	want := x.cat(t)
	x.mustApply(t, newSource(t, 4, "b").full(t), options(t, 1))
	var forgotten bool
	if err := x.db.Pool().QueryRow(t.Context(), `SELECT cortex.forget('b')`).Scan(&forgotten); err != nil || !forgotten {
		t.Fatal(forgotten, err)
	}
	if x.cat(t) != want {
		t.Error("another tree than the forgotten one differs")
	}
	x.verify(t)
}

func (s *server) noOwner(t *testing.T) {
	x := s.target(t)
	src := newSource(t, 3, "a")
	x.mustApply(t, src.full(t), options(t, 1))
	r := rand.New(rand.NewPCG(1, 1))
	for step := range int64(3) {
		run := src.change(t, r)
		x.w.as = "cortex_write"
		x.mustApply(t, run, options(t, 2+step))
		x.w.as = ""
		x.verify(t)
	}
}

// Each column that is derived from a chunk's record is compared with it.
func (s *server) columns(t *testing.T) {
	x := s.target(t)
	x.mustApply(t, newSource(t, 3, "a").full(t), options(t, 1))
	x.verify(t)
	for i, set := range []string{`title = 'other'`, `language = 'other'`, `package = 'other'`, `tags = '{other}'`, `symbols = '[["other", "function", 1]]'`, `symbols = '7'`,
		`start_line = start_line + 1`, `end_line = end_line + 1`, `traits = traits + 1`, `lengths = '{1}'`} {
		var id string
		err := x.db.Pool().QueryRow(t.Context(), `UPDATE cortex.chunks SET `+set+` WHERE number = (SELECT number FROM cortex.chunks ORDER BY number OFFSET $1 LIMIT 1) RETURNING id`, i).Scan(&id)
		if err != nil {
			t.Fatal(set, err)
		}
		var reported []string
		err = tree.Verify(t.Context(), x.db, nil, func(err error) { reported = append(reported, err.Error()) })
		want := fmt.Sprintf("tree %q: chunk %q: its columns do not follow from its record", "a", id)
		if err == nil || len(reported) != i+1 || !slices.Contains(reported, want) {
			t.Errorf("%s: %v, %q", set, err, reported)
		}
	}
}

// A killer is a target whose first transactions lose their connection.
type killer struct {
	*Writer
	kills int
}

func (k *killer) Update(ctx context.Context, of update.Preview, apply func(ctx context.Context, t update.Tree) error) error {
	return k.Writer.Update(ctx, of, func(ctx context.Context, t update.Tree) error {
		return apply(ctx, &killedTree{t.(*change), k})
	})
}

type killedTree struct {
	*change
	k *killer
}

func (t *killedTree) Put(ctx context.Context, path string, was, now []byte) error {
	if err := t.change.Put(ctx, path, was, now); err != nil || t.k.kills == 0 {
		return err
	}
	t.k.kills--
	_, err := t.tx.Exec(ctx, `SELECT pg_terminate_backend(pg_backend_pid())`)
	if err == nil {
		err = errors.New("the connection lives")
	}
	return err
}

func (s *server) lost(t *testing.T) {
	if !s.Full {
		t.Skip("needs a full server: PGlite has one session, which lasts")
	}
	x := s.target(t)
	run := newSource(t, 6, "api").full(t)
	k := &killer{x.w, 3}
	if err := update.RunInto(t.Context(), jsonl.NewReader(strings.NewReader(run), "stdin"), k, options(t, 1)); err != nil || k.kills != 0 {
		t.Fatal(k.kills, err)
	}
	x.verify(t)
	want := s.target(t)
	want.mustApply(t, run, options(t, 1))
	if x.cat(t) != want.cat(t) {
		t.Error("what was written after lost connections differs")
	}
}

// Many writers make the tables at once, and write a tree each.
func (s *server) many(t *testing.T) {
	if !s.Full {
		t.Skip("needs a full server: PGlite has one session")
	}
	url := s.New(t)
	var group sync.WaitGroup
	for i := range 6 {
		run := newSource(t, uint64(i), fmt.Sprintf("tree%d", i)).full(t)
		group.Go(func() {
			db, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 2})
			if err != nil {
				t.Error(err)
				return
			}
			defer db.Close()
			x := &target{db, &Writer{DB: db, Warn: t.Logf}}
			if err := x.apply(t, run, options(t, 1)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	db, err := database.Open(t.Context(), url, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	x := &target{db: db}
	x.verify(t)
	if n := strings.Count(x.cat(t), `{"type":"begin"`); n != 6 {
		t.Errorf("%d trees", n)
	}
}

func (s *server) oneAtATime(t *testing.T) {
	if !s.Full {
		t.Skip("needs a full server: PGlite has one session")
	}
	x := s.target(t)
	run := newSource(t, 1, "api").full(t)
	tx, err := x.db.Pool().Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(t.Context())
	if _, err := tx.Exec(t.Context(), `SELECT pg_advisory_xact_lock(hashtextextended('cortex tree api', 0))`); err != nil {
		t.Fatal(err)
	}
	x.w.Patience = time.Nanosecond
	if err := x.apply(t, run, options(t, 1)); err == nil || !strings.Contains(err.Error(), "being written by another process") {
		t.Fatalf("error %v", err)
	}
	// The lock comes free while it is waited for.
	x.w.Patience = time.Minute
	x.w.Warn = func(string, ...any) { _ = tx.Rollback(context.Background()) }
	x.mustApply(t, run, options(t, 1))
	x.verify(t)
}
