package read_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"cortex/lib/chunk"
	"cortex/lib/database"
	"cortex/lib/database/databasetest"
	"cortex/lib/database/read"
	"cortex/lib/database/write"
	"cortex/lib/derived"
	"cortex/lib/embed"
	"cortex/lib/graph/stored"
	"cortex/lib/graph/table"
	"cortex/lib/hint"
	"cortex/lib/parse"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/query"
	"cortex/lib/source"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// A server is a database for the tests below, which take turns.
type server struct{ *databasetest.Server }

func TestDatabase(t *testing.T) {
	s := &server{databasetest.Start(t)}
	t.Run("answers are those of the store", s.equal)
	t.Run("the index of vectors finds what all vectors say", s.nearest)
	t.Run("near terms are all that are near", s.near)
	t.Run("trees", s.trees)
	t.Run("changes are seen", s.changes)
	t.Run("what was read is kept", s.kept)
	t.Run("a session sees one state", s.oneState)
	t.Run("many clients while a tree is rewritten", s.many)
	t.Run("cancelled questions end", s.cancelled)
	t.Run("faults are told", s.faults)
	t.Run("who may not see a tree gets nothing of it", s.rights)
	t.Run("statements end", s.timeouts)
	t.Run("changes are followed", s.follows)
}

// files are those of two trees.
func files() map[string]map[string]string {
	return map[string]map[string]string{
		"shop": {
			"cart/cart.go": "// Package cart holds what a customer wants to buy.\npackage cart\n\nimport \"errors\"\n\n// ErrEmpty says that nothing is in the cart.\nvar ErrEmpty = errors.New(\"empty cart\")\n\n" +
				"// A Cart is a list of items.\ntype Cart struct{ items []string }\n\n// Add puts an item into the cart.\nfunc (c *Cart) Add(item string) { c.items = append(c.items, item) }\n\n" +
				"// Checkout reports an error where the cart is empty.\nfunc (c *Cart) Checkout() error {\n\tif len(c.items) == 0 {\n\t\treturn ErrEmpty\n\t}\n\treturn pay(c)\n}\n\nfunc pay(c *Cart) error { return nil }\n",
			"cart/cart_test.go": "package cart\n\nimport \"testing\"\n\nfunc TestCheckout(t *testing.T) {\n\tif new(Cart).Checkout() != ErrEmpty {\n\t\tt.Error(\"an empty cart is paid\")\n\t}\n}\n",
			"README.md":         "# Shop\n\nA shop that sells things.\n\n## Paying\n\nCustomers pay at the checkout. Errors are reported to them, and retried with a backoff.\n\n## Carts\n\nA cart holds items until it is paid.\n",
		},
		"tools": {
			"retry.py":      "\"\"\"Retries with backoff.\"\"\"\nimport time\n\n\ndef retry(work, attempts=3):\n    \"\"\"Call work until it succeeds.\"\"\"\n    for attempt in range(attempts):\n        try:\n            return work()\n        except OSError:\n            time.sleep(2 ** attempt)\n\n\nclass HTTPServer:\n    def handle_request(self, request):\n        return retry(lambda: self.answer(request))\n\n    def answer(self, request):\n        return request\n",
			"docs/guide.md": "---\ntags: [networking]\n---\n# Guide\n\nThe tools retry what fails. An HTTP server answers requests.\n\n```sh\ncurl localhost\n```\n",
		},
	}
}

// stream is the records of a tree as cortex-embed writes them.
func stream(t *testing.T, tree string, files map[string]string) []byte {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	var parsed, chunks, embedded bytes.Buffer
	report := func(err error) { t.Error(err) }
	must(t, parse.Run(t.Context(), jsonl.NewWriter(&parsed), parse.Options{Source: source.Options{Root: root}, Tree: tree, Mode: record.Full, Jobs: 1, Report: report}))
	opts := chunk.DefaultOptions()
	opts.Jobs, opts.Report = 1, report
	must(t, chunk.Run(t.Context(), jsonl.NewReader(&parsed, "files"), jsonl.NewWriter(&chunks), opts))
	e, err := embed.Open(t.Context(), embed.Config{})
	must(t, err)
	defer e.Close()
	must(t, embed.Run(t.Context(), jsonl.NewReader(&chunks, "chunks"), jsonl.NewWriter(&embedded), e, embed.Options{Jobs: 1, Report: report}))
	return embedded.Bytes()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func clock() time.Time { return time.Unix(1_700_000_000, 0) }

// apply writes a stream into the database and, unless it is "", into the store in dir.
func apply(t *testing.T, url, dir string, data []byte) {
	t.Helper()
	db, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 2})
	must(t, err)
	defer db.Close()
	opts := update.Options{Jobs: 1, Now: clock, Warn: t.Logf, Report: func(err error) { t.Error(err) }}
	must(t, update.RunInto(t.Context(), jsonl.NewReader(bytes.NewReader(data), "stream"), &write.Writer{DB: db, Warn: t.Logf, Now: clock}, opts))
	if opts.Dir = dir; dir != "" {
		must(t, update.Run(t.Context(), jsonl.NewReader(bytes.NewReader(data), "stream"), opts))
	}
}

// filled is a database with all files, and a store with the same.
func (s *server) filled(t *testing.T) (url, dir string) {
	t.Helper()
	url, dir = s.New(t), filepath.Join(t.TempDir(), store.Dir)
	t.Setenv("CORTEX_CACHE_DIR", t.TempDir())
	all := files()
	for _, tree := range []string{"shop", "tools"} {
		apply(t, url, dir, stream(t, tree, all[tree]))
	}
	return url, dir
}

// near compares the near terms of lexemes with the edit distance.
func (s *server) near(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("abcdéß日")
	drawn := func() string {
		var b strings.Builder
		for range 2 + random.IntN(7) {
			b.WriteRune(alphabet[random.IntN(len(alphabet))])
		}
		return b.String()
	}
	words := map[string][]string{}
	url := s.New(t)
	t.Setenv("CORTEX_CACHE_DIR", t.TempDir())
	for _, tree := range []string{"one", "two"} {
		for range 300 {
			words[tree] = append(words[tree], drawn())
		}
		apply(t, url, "", stream(t, tree, map[string]string{"a.md": "# Words\n\n" + strings.Join(words[tree], " ") + "\n"}))
	}
	// Each has the server for itself.
	for name, trees := range map[string][]string{"all trees": nil, "one tree": {"one"}, "no dictionary is kept": nil} {
		t.Run(name, func(t *testing.T) {
			r := s.reader(t, url, trees...)
			if name == "no dictionary is kept" {
				r.KeepNoDictionary()
			}
			x := session(t, r)
			dict := corpus.Dict{Field: query.Text, Kind: corpus.WholeTerms}.Number()
			var all []string
			must(t, x.Terms(1<<dict, "", func(term string, _ uint64) bool {
				all = append(all, term)
				return true
			}))
			if len(all) < 200 {
				t.Fatalf("%d terms", len(all))
			}
			// Two edits come last: they keep all terms.
			for i := range 80 {
				edits := 1 + i/40
				word := drawn()
				if i%2 == 0 {
					word = edited(random, all[random.IntN(len(all))], edits)
				}
				var got, want []string
				must(t, x.Near(dict, word, edits, func(other string) bool {
					if hint.Distance(word, other, edits) <= edits {
						got = append(got, other)
					}
					return true
				}))
				for _, term := range all {
					if hint.Distance(word, term, edits) <= edits {
						want = append(want, term)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s~%d in %v: %q, want %q", word, edits, trees, got, want)
				}
			}
			// A count that was known must survive that others take its room.
			counted := func(terms ...string) (counts []int) {
				must(t, x.Counts(terms, 1<<dict, func(_, _, count int) { counts = append(counts, count) }))
				return counts
			}
			once := counted(all[0])
			x.FillKnown()
			if twice := counted(all[0], "nowhere"); once[0] == 0 || !slices.Equal(twice, []int{once[0], 0}) {
				t.Errorf("%s is in %v chunks, then in %v", all[0], once, twice)
			}
		})
	}
}

// edited is a word after some edits, exchanges most of them.
func edited(random *rand.Rand, word string, edits int) string {
	list := []rune(word)
	for range edits {
		at := random.IntN(len(list))
		switch random.IntN(5) {
		case 0:
			list = slices.Insert(list, at, 'b')
		case 1:
			if len(list) > 1 {
				list = slices.Delete(list, at, at+1)
			}
		default:
			at = max(at, 1)
			if at < len(list) {
				list[at-1], list[at] = list[at], list[at-1]
			}
		}
	}
	return string(list)
}

func (s *server) reader(t *testing.T, url string, trees ...string) *read.Reader {
	t.Helper()
	db, err := database.Open(t.Context(), url, database.Options{Conns: s.conns()})
	must(t, err)
	t.Cleanup(db.Close)
	r, err := read.New(db, read.Options{Trees: trees, Jobs: 1, Embedder: openEmbedder})
	must(t, err)
	t.Cleanup(func() { must(t, r.Close()) })
	return r
}

// conns is the number of connections that the server can take from a test.
func (s *server) conns() int {
	if s.Full {
		return 4
	}
	return 1
}

func session(t *testing.T, r *read.Reader) *read.Session {
	t.Helper()
	s, err := r.Session(t.Context())
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func (s *server) equal(t *testing.T) {
	url, dir := s.filled(t)
	var list []asked
	add := func(exact bool, req search.Request, queries ...string) {
		for _, q := range queries {
			req.Queries = []string{q}
			list = append(list, asked{exact, req})
		}
	}
	exact := search.Request{Limit: -1, Context: search.Around{Full: true}, Counts: true}
	add(true, exact, "cart", "HTTPServer", "httpserver", "server", `"empty cart"`, `"return retry"`, "ca*", "*ry", "re?ry", "retyr~1", "cart~2", "/^re.*t$/", "checkout OR retry", "checkout -test", "NOT go",
		"symbol:Cart", "symbol:Check*", "title:guide", "path:cart", "path:*.py", "lang:go errors", "tags:networking", "chunk_type:definitions cart", "tree:tools retry", "package:cart", "text:*", "nothinglikeit", "absent OR chekcout",
		"empty AND", "retries", "Cart.Add", "cart.items", "symbol_type:class", "pay^3 cart")
	question := search.Request{Limit: 10, Explain: true, Counts: true}
	modes := []search.Mode{"", search.Keyword, answer.Semantic, search.Hybrid, answer.Fusion}
	for _, mode := range modes {
		question.Mode = mode
		add(false, question, "how are errors reported", "retry with backoff", "Cart", "where do customers pay", "handel requests of an HTTP server", "xyzzy plugh", strings.Repeat("the cart is empty and the checkout fails in cart/cart.go:20 ", 6))
	}
	question.Mode = ""
	for _, f := range []search.Filter{{Languages: []string{"go"}}, {Tests: "no"}, {Tests: "only"}, {Path: "tools:**"}, {SymbolName: "Check*"}, {SymbolType: "function"}, {Tags: []string{"networking"}}, {ChunkTypes: []string{"documentation"}}, {Path: "nowhere"}} {
		question.Filter = f
		add(false, question, "errors at the checkout")
	}
	list = append(list, asked{false, search.Request{Like: "shop:cart/cart.go:14", Limit: 5}}, asked{false, search.Request{Queries: []string{"empty cart", "retry policy"}, Limit: 5}})
	compare(t, url, dir, nil, list)
	compare(t, url, dir, []string{"shop", "tools"}, list[:5])

	remote := session(t, s.reader(t, url))
	have, err := remote.Graph()
	must(t, err)
	want, err := stored.Open(t.Context(), dir, nil, stored.Options{Jobs: 1})
	must(t, err)
	defer want.Close()
	for _, op := range []table.Operation{table.Callers, table.Callees, table.Dependencies, table.Dependents, table.TypeUsages, table.References, table.Impact} {
		for _, target := range []string{"Cart", "Checkout", "pay", "retry", "HTTPServer.answer", "shop:cart/cart.go", "nobody"} {
			req := table.Request{Operation: op, Target: target, Limit: 50}
			a, err := have.Query(t.Context(), req)
			must(t, err)
			b, err := want.Query(t.Context(), req)
			must(t, err)
			if a, b := graphText(a), graphText(b); a != b {
				t.Errorf("%s of %s:\n%s\nwant\n%s", op, target, a, b)
			}
		}
	}
	lines, err := remote.Lines("shop:cart/cart.go", 12, 13)
	must(t, err)
	if strings.Join(lines, "\n") != "// Add puts an item into the cart.\nfunc (c *Cart) Add(item string) { c.items = append(c.items, item) }" {
		t.Errorf("lines %q", lines)
	}
}

func graphText(a *table.Answer) string {
	own := *a
	own.Metadata.TookMS = 0
	return fmt.Sprintf("%+v %+v %+v", own.Target, own.Results, own.Tests)
}

// nearest compares the answers of the index of vectors with those of all vectors.
func (s *server) nearest(t *testing.T) {
	url := s.New(t)
	t.Setenv("CORTEX_CACHE_DIR", t.TempDir())
	words := strings.Fields("cart item customer payment error retry server request answer file parse index vector search graph tree store commit lock cache")
	all := map[string]string{}
	for i := range 300 {
		w := func(k int) string { return words[(i*7+k*k*3+i/len(words))%len(words)] }
		all[fmt.Sprintf("%s/%d.md", w(0), i)] = fmt.Sprintf("# %s %s\n\nThe %s of the %s is a %s with %s.\n", w(1), w(2), w(3), w(4), w(5), w(6))
	}
	apply(t, url, "", stream(t, "many", all))
	found := func(index bool) (list [][]string) {
		r := s.reader(t, url)
		if index {
			r.AskIndex()
		}
		x, err := r.Session(t.Context())
		must(t, err)
		defer func() {
			must(t, x.Close())
			must(t, r.Close())
		}()
		for i := range words {
			response, err := x.Search(t.Context(), search.Request{Queries: []string{words[i] + " " + words[(i+5)%len(words)]}, Mode: answer.Semantic, Limit: 10})
			must(t, err)
			var ids []string
			for _, h := range response.Results {
				ids = append(ids, h.Chunk.ID)
			}
			list = append(list, ids)
		}
		return list
	}
	same, total := 0, 0
	exact, approximate := found(false), found(true)
	for i, ids := range exact {
		for _, id := range ids {
			if total++; slices.Contains(approximate[i], id) {
				same++
			}
		}
	}
	t.Logf("of %d hits the index of vectors finds %d", total, same)
	if total < 5*len(words) || same*100 < 95*total {
		t.Errorf("of %d hits the index of vectors finds %d", total, same)
	}
	db, err := database.Open(t.Context(), url, database.Options{Conns: 1})
	must(t, err)
	defer db.Close()
	// What the planner takes where it would not read a table: the statement must be one that the index can answer.
	must(t, db.Read(t.Context(), func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), `SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off`, pgx.QueryExecModeSimpleProtocol); err != nil {
			return err
		}
		var vector string
		if err := tx.QueryRow(t.Context(), `SELECT embedding::text FROM cortex.embeddings LIMIT 1`).Scan(&vector); err != nil {
			return err
		}
		dimensions := strings.Count(vector, ",") + 1
		rows, err := tx.Query(t.Context(), `EXPLAIN `+read.NearestStatement(1, dimensions, ` AND tree_id = ANY($2)`)+` LIMIT 10`, pgx.QueryExecModeExec, vector, []int32{1})
		if err != nil {
			return err
		}
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if text := strings.Join(plan, "\n"); err == nil && (!strings.Contains(text, "embedding_idx") && !strings.Contains(text, "halfvec_idx") || strings.Contains(text, "Sort  (")) {
			t.Errorf("the index of vectors is not asked:\n%s", text)
		}
		return err
	}))
}

// trees are found by their names, and hidden if they are not asked.
func (s *server) trees(t *testing.T) {
	url, _ := s.filled(t)
	r := s.reader(t, url, "tools")
	if generation, trees, chunks := r.Last(); generation != 0 || trees != 0 || chunks != 0 {
		t.Errorf("before any question: generation %d, %d trees, %d chunks", generation, trees, chunks)
	}
	one := session(t, r)
	if generation, trees, chunks := r.Last(); generation != 1 || trees != 1 || chunks == 0 {
		t.Errorf("generation %d, %d trees, %d chunks", generation, trees, chunks)
	}
	for query, found := range map[string]int{"retry": 1, "cart": 0} {
		response, err := one.Exact(t.Context(), search.Request{Queries: []string{query}, Limit: 100})
		must(t, err)
		if (response.TotalFound > 0) != (found > 0) {
			t.Errorf("%s in tree tools: %d hits", query, response.TotalFound)
		}
		for _, h := range response.Results {
			if h.Chunk.Metadata.Tree != "tools" {
				t.Errorf("hit in tree %q", h.Chunk.Metadata.Tree)
			}
		}
	}
	must(t, one.Close())
	_, err := s.reader(t, url, "tolos").Session(t.Context())
	if err == nil || hint.Of(err) != `did you mean "tools"?` {
		t.Errorf("%v, hint %q", err, hint.Of(err))
	}
}

// changes are seen by the next session, and sessions at once all get an answer.
func (s *server) changes(t *testing.T) {
	url, _ := s.filled(t)
	r := s.reader(t, url)
	count := func(query string) int {
		x, err := r.Session(t.Context())
		if err != nil {
			t.Error(err)
			return -1
		}
		defer x.Close()
		response, err := x.Exact(t.Context(), search.Request{Queries: []string{query}, Limit: 1})
		if err != nil {
			t.Error(err)
			return -1
		}
		return response.TotalFound
	}
	if n := count("wishlist"); n != 0 {
		t.Fatalf("%d hits before it is there", n)
	}
	all := files()["shop"]
	all["wish.go"] = "package shop\n\n// A Wishlist is for later.\ntype Wishlist struct{}\n"
	delete(all, "README.md")
	if !s.Full {
		must(t, r.Close())
	}
	apply(t, url, "", stream(t, "shop", all))
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() {
			if n := count("wishlist"); n == 0 {
				t.Error("not found after the change")
			}
			if n := count("sells"); n != 0 {
				t.Errorf("%d hits in a file that is gone", n)
			}
		})
	}
	asking.Wait()
}

// kept catalogues and graphs are taken by readers that start later, unless the tree has changed.
func (s *server) kept(t *testing.T) {
	url, dir := s.filled(t)
	var folder string // of what is kept
	// read opens a reader, asks it, and returns how many chunks it has read for catalogues, with the answers of the index and of the graph.
	read := func(query string) (chunks int, found, callees string) {
		db, err := database.Open(t.Context(), url, database.Options{Conns: 1})
		must(t, err)
		defer db.Close()
		r, err := read.New(db, read.Options{Jobs: 2, Progress: func(done, total int) { chunks = max(chunks, total) }})
		must(t, err)
		defer r.Close()
		x, err := r.Session(t.Context())
		must(t, err)
		defer x.Close()
		response, err := x.Exact(t.Context(), search.Request{Queries: []string{query}, Limit: 100, Context: search.Around{Full: true}})
		must(t, err)
		for _, h := range response.Results {
			found += fmt.Sprintf("%s %d %s\n", h.Chunk.ID, h.Chunk.Metadata.StartLine, h.Chunk.Text)
		}
		read := chunks // what the graph tells its Progress is not of catalogues
		g, err := x.Graph()
		must(t, err)
		a, err := g.Query(t.Context(), table.Request{Operation: table.Callees, Target: "Checkout"})
		must(t, err)
		root, err := derived.OpenDatabase(db.Address(), ".")
		must(t, err)
		defer root.Close()
		folder = root.Name()
		return read, found, graphText(a)
	}
	list := func() (list []string) {
		must(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if name := filepath.Base(path); err == nil && !d.IsDir() && name != "lock" && name != "path" {
				list = append(list, path)
			}
			return err
		}))
		return list
	}
	first, found, callees := read("pay")
	if first == 0 || found == "" || !strings.Contains(callees, "pay") {
		t.Fatalf("%d chunks read, found %q, callees %q", first, found, callees)
	}
	again := func(what string, want int) {
		t.Helper()
		n, a, b := read("pay")
		if n != want || a != found || b != callees {
			t.Errorf("%s: %d chunks read, want %d; found %q, want %q; callees %q, want %q", what, n, want, a, found, b, callees)
		}
	}
	again("a second start", 0)
	kept := len(list())

	// A tree that changes is read again, and what was kept of it goes.
	shop := files()["shop"]
	shop["cart/cart.go"] = strings.ReplaceAll(shop["cart/cart.go"], "pay(c)", "purse(pay(c))") + "\nfunc purse(err error) error { return err }\n"
	apply(t, url, dir, stream(t, "shop", shop))
	n, found2, callees2 := read("pay")
	if n == 0 || n >= first || !strings.Contains(found2, "purse") || !strings.Contains(callees2, "purse") {
		t.Errorf("after a change: %d chunks of %d read, found %q, callees %q", n, first, found2, callees2)
	}
	if now := len(list()); now != kept {
		t.Errorf("%d files are kept after the change, before %d", now, kept)
	}
	found, callees = found2, callees2

	// What is damaged is made anew.
	for _, path := range list() {
		data, err := os.ReadFile(path)
		must(t, err)
		for i := range data {
			data[i] ^= 0x55
		}
		must(t, os.WriteFile(path, data, 0o600))
	}
	if n, a, _ := read("pay"); n == 0 || a != found {
		t.Errorf("after damage: %d chunks read, found %q, want %q", n, a, found)
	}
	again("a start after damage", 0)

	// Another database at the same address, whose trees have the same numbers and generations, has nothing of what was kept.
	if s.Full {
		db, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 1})
		must(t, err)
		_, err = db.Pool().Exec(t.Context(), `DROP SCHEMA cortex CASCADE`)
		must(t, err)
		db.Close()
	} else {
		url = s.New(t)
	}
	other := map[string]string{"a.go": "package a\n\n// Checkout must pay the bill.\nfunc Checkout() { bill() }\n\nfunc bill() {}\n"}
	apply(t, url, "", stream(t, "shop", other))
	apply(t, url, "", stream(t, "shop", other))
	if n, a, b := read("pay"); n == 0 || !strings.Contains(a, "bill") || strings.Contains(a, "cart") || !strings.Contains(b, "bill") {
		t.Errorf("another database: %d chunks read, found %q, callees %q", n, a, b)
	}
}

// oneState holds a session open while a tree is written anew.
func (s *server) oneState(t *testing.T) {
	if !s.Full {
		t.Skip("needs a server of several sessions")
	}
	url, _ := s.filled(t)
	r := s.reader(t, url)
	old := session(t, r)
	all := files()["shop"]
	all["cart/cart.go"] = strings.ReplaceAll(all["cart/cart.go"], "Checkout", "Purchase")
	all["cart/cart_test.go"] = strings.ReplaceAll(all["cart/cart_test.go"], "Checkout", "Purchase")
	apply(t, url, "", stream(t, "shop", all))
	for query, x := range map[string]*read.Session{"symbol:Checkout": old, "symbol:Purchase": session(t, r)} {
		response, err := x.Exact(t.Context(), search.Request{Queries: []string{query}, Limit: 100, Context: search.Around{Full: true}})
		must(t, err)
		if response.TotalFound == 0 {
			t.Errorf("%s: not found in its session", query)
		}
		for _, h := range response.Results {
			if name := strings.TrimPrefix(query, "symbol:"); !strings.Contains(h.Chunk.Text, name) {
				t.Errorf("%s: a mixed answer: %q", query, h.Chunk.Text)
			}
		}
		g, err := x.Graph()
		must(t, err)
		if a, err := g.Query(t.Context(), table.Request{Operation: table.Callees, Target: strings.TrimPrefix(query, "symbol:")}); err != nil || a.Target == nil {
			t.Errorf("%s: the graph is of another state: %+v, %v", query, a, err)
		}
	}
}

// clients is the number of those who ask at once in many, and secondsVariable names for how long they do, some rewrites otherwise.
const (
	clients         = 50
	secondsVariable = "CORTEX_TEST_SECONDS"
)

// many asks while the tree changes between two versions, of which each file has the name. No answer has both.
func (s *server) many(t *testing.T) {
	if !s.Full {
		t.Skip("needs a server of several sessions")
	}
	url, _ := s.filled(t)
	versions := [2][]byte{}
	const number = 30
	for v, word := range []string{"alphaversion", "betaversion"} {
		all := map[string]string{}
		for i := range number {
			all[fmt.Sprintf("f%d.go", i)] = fmt.Sprintf("package f\n\n// F%d is of %s.\nfunc F%d() string { return %q }\n", i, word, i, word)
		}
		versions[v] = stream(t, "mix", all)
	}
	apply(t, url, "", versions[0])
	db, err := database.Open(t.Context(), url, database.Options{Conns: 9})
	must(t, err)
	defer db.Close()
	r, err := read.New(db, read.Options{Jobs: 1, Embedder: openEmbedder})
	must(t, err)
	defer r.Close()
	var asking sync.WaitGroup
	over := make(chan struct{})
	following, cancel := context.WithCancel(t.Context())
	end := sync.OnceFunc(func() {
		close(over)
		cancel()
		asking.Wait()
	})
	defer end() // also where the test fails
	asking.Go(func() { r.Follow(following, func(err error) { t.Error(err) }) })
	var mu sync.Mutex
	var took []time.Duration
	for client := range clients {
		asking.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-over:
					return
				default:
				}
				start := time.Now()
				if err := askMixed(t.Context(), r, number, (client+i)%3); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				took = append(took, time.Since(start))
				mu.Unlock()
			}
		})
	}
	seconds, _ := strconv.Atoi(os.Getenv(secondsVariable))
	rewrites, start := 0, time.Now()
	for ; rewrites < 6 || time.Since(start) < time.Duration(seconds)*time.Second; rewrites++ {
		apply(t, url, "", versions[(rewrites+1)%2])
	}
	end()
	slices.Sort(took)
	t.Logf("%d clients, %d rewrites, %d questions in %v: p50 %v, p99 %v", clients, rewrites, len(took), time.Since(start).Round(time.Second), took[len(took)/2], took[len(took)*99/100])
}

// askMixed asks in one of three ways, and tells of an answer that is of no version, or of both.
func askMixed(ctx context.Context, r *read.Reader, files, way int) error {
	x, err := r.Session(ctx)
	if err != nil {
		return err
	}
	defer x.Close()
	var response *search.Response
	switch way {
	case 0:
		response, err = x.Exact(ctx, search.Request{Queries: []string{"alphaversion OR betaversion"}, Limit: -1})
	case 1:
		response, err = x.Search(ctx, search.Request{Queries: []string{"which functions are of alphaversion or betaversion"}, Limit: 100, Filter: search.Filter{Path: "mix:**"}})
	default:
		g, err := x.Graph()
		if err != nil {
			return err
		}
		a, err := g.Query(ctx, table.Request{Operation: table.Callees, Target: "mix:f0.go#F0"})
		if err == nil && a.Target == nil {
			err = errors.New("the graph lacks a function")
		}
		return err
	}
	if err != nil {
		return err
	}
	alpha, beta := 0, 0
	for _, h := range response.Results {
		if strings.Contains(h.Chunk.Text, "alphaversion") {
			alpha++
		}
		if strings.Contains(h.Chunk.Text, "betaversion") {
			beta++
		}
	}
	if alpha > 0 && beta > 0 || way == 0 && alpha+beta < files {
		return fmt.Errorf("a mixed answer: %d of one version, %d of the other", alpha, beta)
	}
	return nil
}

func (s *server) cancelled(t *testing.T) {
	url, _ := s.filled(t)
	r := s.reader(t, url)
	ctx, cancel := context.WithCancel(t.Context())
	x, err := r.Session(ctx)
	must(t, err)
	cancel()
	if _, err := x.Exact(ctx, search.Request{Queries: []string{"cart"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was cancelled", err)
	}
	must(t, x.Close())
	// Another one is answered.
	next := session(t, r)
	if _, err := next.Exact(t.Context(), search.Request{Queries: []string{"cart"}}); err != nil {
		t.Error(err)
	}
}

func (s *server) faults(t *testing.T) {
	url, _ := s.filled(t)
	db, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 1})
	must(t, err)
	must(t, db.Write(t.Context(), func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `UPDATE cortex.trees SET analyser = 'older', generation = generation + 1 WHERE name = 'shop'`)
		return err
	}))
	db.Close()
	r := s.reader(t, url)
	if _, err := r.Session(t.Context()); err == nil || !strings.Contains(err.Error(), `tree "shop"`) || !strings.Contains(hint.Of(err), "index it again") {
		t.Errorf("%v, hint %q", err, hint.Of(err))
	}
	must(t, r.Close())
	must(t, session(t, s.reader(t, url, "tools")).Close()) // the other tree is right
}

// rights asks as a role that may see one of two trees.
func (s *server) rights(t *testing.T) {
	if !s.Full {
		t.Skip("needs a full server: PGlite has one user")
	}
	url, _ := s.filled(t)
	owner, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 1})
	must(t, err)
	defer owner.Close()
	const role = "cortex_test_reader"
	for _, sql := range []string{`DROP ROLE IF EXISTS ` + role, `CREATE ROLE ` + role, `GRANT cortex_read TO ` + role, `UPDATE cortex.trees SET readers = '{cortex_write}' WHERE name = 'shop'`} {
		_, err := owner.Pool().Exec(t.Context(), sql)
		must(t, err)
	}
	defer func() {
		_, err := owner.Pool().Exec(t.Context(), `DROP ROLE `+role)
		must(t, err)
	}()
	if strings.Contains(url, "?") {
		url += "&role=" + role
	} else {
		url += "?role=" + role
	}
	x := session(t, s.reader(t, url))
	if trees := x.Trees(); !slices.Equal(trees, []string{"tools"}) {
		t.Errorf("trees %q", trees)
	}
	for _, query := range []string{"cart", "symbol:Checkout", "path:cart", "ca*", "cart~1", "/Cart/", "text:* AND NOT retry", "tree:shop"} {
		response, err := x.Exact(t.Context(), search.Request{Queries: []string{query}, Limit: -1, Counts: true})
		must(t, err)
		for _, h := range response.Results {
			if h.Chunk.Metadata.Tree != "tools" {
				t.Errorf("%s: a hit in tree %q", query, h.Chunk.Metadata.Tree)
			}
		}
		if data := fmt.Sprintf("%+v", response.Counts); strings.Contains(data, "shop") || strings.Contains(data, "cart") {
			t.Errorf("%s: counts %s", query, data)
		}
	}
	answer, err := x.Search(t.Context(), search.Request{Queries: []string{"where do customers pay for what is in the cart"}, Limit: 50})
	must(t, err)
	for _, h := range answer.Results {
		if h.Chunk.Metadata.Tree != "tools" {
			t.Errorf("a question: a hit in tree %q", h.Chunk.Metadata.Tree)
		}
	}
	g, err := x.Graph()
	must(t, err)
	if a, err := g.Query(t.Context(), table.Request{Operation: table.Callees, Target: "Checkout"}); err == nil && (a.Target != nil || len(a.Results) > 0) {
		t.Errorf("the graph has %s", graphText(a))
	}
	for _, err := range x.File(t.Context(), "shop:cart/cart.go") {
		t.Errorf("a file that may not be seen: %v", err)
	}
	now, err := x.Status()
	must(t, err)
	if now.Stats.Files != 2 {
		t.Errorf("status tells of %d files", now.Stats.Files)
	}
	must(t, x.Close())
	_, err = s.reader(t, url, "shop").Session(t.Context())
	if err == nil || strings.Contains(hint.Of(err), "shop,") || !strings.Contains(err.Error(), "none of that name") {
		t.Errorf("%v, hint %q", err, hint.Of(err))
	}
	db, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 1})
	must(t, err)
	defer db.Close()
	opts := update.Options{Jobs: 1, Now: clock, Warn: t.Logf, Report: func(err error) { t.Error(err) }}
	err = update.RunInto(t.Context(), jsonl.NewReader(bytes.NewReader(stream(t, "tools", files()["shop"])), "stream"), &write.Writer{DB: db, Warn: t.Logf, Now: clock}, opts)
	if err == nil || !strings.Contains(hint.Of(err), "GRANT cortex_write") {
		t.Errorf("a reader writes: %v, hint %q", err, hint.Of(err))
	}
}

// timeouts bound statements, which the URL says, or the one who opens the database.
func (s *server) timeouts(t *testing.T) {
	if !s.Full {
		t.Skip("needs a full server: PGlite does not interrupt statements")
	}
	url := s.New(t)
	first, err := database.Open(t.Context(), url, database.Options{Write: true, Conns: 1})
	must(t, err)
	first.Close()
	limit := "?statement_timeout=70"
	if strings.Contains(url, "?") {
		limit = "&statement_timeout=70"
	}
	for _, test := range []struct {
		url   string
		opts  database.Options
		limit string
	}{
		{url, database.Options{}, "30s"}, {url, database.Options{Write: true}, "1h"}, {url, database.Options{Timeout: 60 * time.Millisecond}, "60ms"}, {url + limit, database.Options{Write: true}, "70ms"},
	} {
		db, err := database.Open(t.Context(), test.url, test.opts)
		must(t, err)
		defer db.Close()
		var have string
		must(t, db.Pool().QueryRow(t.Context(), `SHOW statement_timeout`).Scan(&have))
		if have != test.limit {
			t.Errorf("%+v: statements end after %s, want %s", test.opts, have, test.limit)
		}
		if !strings.HasSuffix(test.limit, "ms") {
			continue
		}
		err = db.Read(t.Context(), func(tx pgx.Tx) error {
			_, err := tx.Exec(t.Context(), `SELECT pg_sleep(60)`)
			return err
		})
		if err == nil || !strings.Contains(err.Error(), "statement timeout") || !strings.Contains(hint.Of(err), "statement_timeout=MILLISECONDS") {
			t.Errorf("%v, hint %q", err, hint.Of(err))
		}
	}
}

// follows waits until a reader that nobody asks has loaded a change, also after its connections were lost.
func (s *server) follows(t *testing.T) {
	if !s.Full {
		t.Skip("needs a server of several sessions")
	}
	url, _ := s.filled(t)
	r := s.reader(t, url)
	ctx, cancel := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() { r.Follow(ctx, func(err error) { t.Log(err) }) })
	defer following.Wait()
	defer cancel()
	wait := func(want int64) {
		t.Helper()
		for end := time.Now().Add(3 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if generation, _, _ := r.Last(); generation == want {
				return
			}
		}
		t.Fatalf("generation %d is not loaded", want)
	}
	wait(2)
	apply(t, url, "", stream(t, "tools", files()["shop"]))
	wait(3)
	db, err := database.Open(t.Context(), url, database.Options{Conns: 1})
	must(t, err)
	_, err = db.Pool().Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	must(t, err)
	db.Close()
	apply(t, url, "", stream(t, "tools", files()["tools"]))
	wait(4)
}
