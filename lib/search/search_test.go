package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// chunk makes a chunk of Go code; the identifier is derived from path and symbol.
func chunk(path, symbol, text string, change ...func(*record.Chunk)) *record.Chunk {
	c := &record.Chunk{
		ID: "code-impl-" + path + "#" + symbol, ChunkType: record.Implementations, Title: path + ": " + symbol, Text: text,
		Tags: []string{"code", "go", "implementations"},
		Metadata: record.Metadata{Source: "code", FilePath: path, Language: "go", Package: "pkg", SymbolName: symbol, SymbolType: record.Function,
			StartLine: 10, EndLine: 10 + strings.Count(text, "\n"), ByteEnd: len(text)},
	}
	for _, f := range change {
		f(c)
	}
	return c
}

func tagged(tags ...string) func(*record.Chunk) {
	return func(c *record.Chunk) { c.Tags = append(c.Tags, tags...) }
}

func asDocument(c *record.Chunk) {
	c.ID = "doc-" + c.Metadata.FilePath + "#" + c.Metadata.SymbolName
	c.ChunkType = record.Documentation
	c.Tags = []string{"doc", "markdown", "documentation"}
	c.Metadata.Source, c.Metadata.Language, c.Metadata.SymbolName, c.Metadata.SymbolType = "doc", "markdown", "", ""
}

// storeOf is a small store with the forms of names that queries must tell apart.
func storeOf() []*record.Chunk {
	return []*record.Chunk{
		chunk("lib/auth/handler.go", "LoginHandler", "func LoginHandler(w http.ResponseWriter) {\n\t// error handling for logins\n\tvar mu sync.RWMutex\n}"),
		chunk("lib/auth/handler_test.go", "TestLoginHandler", "func TestLoginHandler(t *testing.T) { handler := 1 }", tagged("test")),
		chunk("lib/provider.go", "Provider", "type Provider struct{ name string }"),
		chunk("lib/provider.go", "NewProvider", "func NewProvider() *Provider { return newProvider }"),
		chunk("lib/lock.go", "Lock", "func Lock(m *Mutex) { m.lock() } // a mutex"),
		chunk("web/app.py", "app", "@decorator\ndef app(a): return a.b.c\n", func(c *record.Chunk) {
			c.Tags = []string{"code", "python", "implementations"}
			c.Metadata.Language = "python"
		}),
		chunk("src/vec.cpp", "vec", "#include <vector>\nstd::vector<int> v; Foo<Bar> f;", func(c *record.Chunk) {
			c.Metadata.Language, c.Metadata.Package = "cpp", ""
		}),
		chunk("run.sh", "run", "cmd --flag $var /path/like/this; decorator include flag var", func(c *record.Chunk) {
			c.Metadata.Language, c.Metadata.SymbolType = "bash", ""
		}),
		chunk("docs/guide.md", "errors", "Handling an error: if NOT for the 日本語 reader 🚀, привет мир. Never handle errors twice.", asDocument),
		chunk("docs/guide.md", "get", "getUserByID and get_user_name and kebab-case-name and utf8Reader and HTTPServer", asDocument),
	}
}

func snapshot(t testing.TB, chunks []*record.Chunk, e embed.Embedder) *contents {
	t.Helper()
	slices.SortFunc(chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	snap := &contents{chunks: chunks}
	if e == nil {
		return snap
	}
	snap.model = e.Model()
	for _, c := range chunks {
		vectors, err := e.Embed(t.Context(), embed.Passage, []string{embed.Text(c)})
		if err != nil {
			t.Fatal(err)
		}
		c.Embedding, c.EmbeddingModel = vectors[0], e.Model()
	}
	return snap
}

func newIndex(t testing.TB, chunks []*record.Chunk) *Index {
	t.Helper()
	return indexWith(t, chunks, Settings{})
}

func indexWith(t testing.TB, chunks []*record.Chunk, settings Settings) *Index {
	t.Helper()
	x, err := newInMemory(snapshot(t, chunks, builtin()), builtin(), settings)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return x
}

// shardsWith is indexWith for an index of several segments, without embeddings.
func shardsWith(t testing.TB, chunks []*record.Chunk, settings Settings) *Index {
	t.Helper()
	x, err := newSharded(snapshot(t, chunks, nil), nil, settings, 7)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// found asks a query and gives the symbols (of documents: the slugs) of the hits, best first.
func found(t *testing.T, x *Index, query string, filter answer.Filter) []string {
	t.Helper()
	r, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}, Limit: -1, Filter: filter})
	if err != nil {
		t.Errorf("%s: %v", query, err)
		return nil
	}
	return names(r)
}

func names(r *answer.Response) []string {
	names := []string{}
	for _, h := range r.Results {
		_, name, _ := strings.Cut(h.Chunk.ID, "#")
		names = append(names, name)
	}
	return names
}

func TestMinScore(t *testing.T) {
	settings := Settings{}
	x := newIndex(t, storeOf())
	ask := func(x *Index, req answer.Request) *answer.Response {
		t.Helper()
		r, err := x.Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, req := range []answer.Request{
		{Queries: []string{"how does the login handler handle errors"}},
		{Queries: []string{"how does the login handler handle errors", "mutex"}},
		{Queries: []string{"how does the login handler handle errors"}, Mode: answer.Semantic},
		{Like: "code-impl-lib/provider.go#Provider"},
	} {
		all := ask(x, req)
		middle := all.Results[(len(all.Results)-1)/2].Score
		req.MinScore = &middle
		some := ask(x, req)
		if len(some.Results) == 0 || len(some.Results) >= len(all.Results) || some.TotalFound != len(some.Results) || some.Results[len(some.Results)-1].Score < middle {
			t.Errorf("%+v: %d of %d hits, %d found", req, len(some.Results), len(all.Results), some.TotalFound)
		}
		most := 1.0
		req.MinScore = &most
		if none := ask(x, req); len(none.Results) > 0 || none.TotalFound > 0 || none.NoMatch == nil ||
			none.NoMatch.Message != fmt.Sprintf("no hit has a score of 1 or more; the best has %.2f", all.Results[0].Score) {
			t.Errorf("%+v: %+v", req, none)
		}
		// The setting counts where the request says nothing.
		req.MinScore = nil
		settings.MinScore = middle
		own := indexWith(t, storeOf(), settings)
		if r := ask(own, req); len(r.Results) != len(some.Results) {
			t.Errorf("%+v: %d hits by the setting, %d by the request", req, len(r.Results), len(some.Results))
		}
		zero := 0.0
		req.MinScore = &zero
		if r := ask(own, req); len(r.Results) != len(all.Results) {
			t.Errorf("%+v: %d hits of %d", req, len(r.Results), len(all.Results))
		}
	}
	for _, bad := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		if _, err := x.Search(t.Context(), answer.Request{Queries: []string{"x"}, MinScore: &bad}); err == nil || !strings.Contains(err.Error(), "minimal score") {
			t.Errorf("%g: %v", bad, err)
		}
	}
}

func TestExactSyntax(t *testing.T) {
	x := newIndex(t, storeOf())
	tests := []struct{ query, want string }{
		// Words, whole and as parts, in any case.
		{"handler", "LoginHandler TestLoginHandler"},
		{"HANDLER", "LoginHandler TestLoginHandler"},
		{"loginhandler", "LoginHandler"},
		{"rwmutex", "LoginHandler"},
		{"RWMutex", "LoginHandler"},
		{"sync.RWMutex", "LoginHandler"},
		{"mutex", "Lock LoginHandler"},
		{"user", "get"}, {"getUserByID", "get"}, {"getuserbyid", "get"}, {"id", "get"},
		{"get_user_name", "get"}, {"kebab-case-name", "get"}, {"kebab", "get"},
		{"utf8", "get"}, {"8", "get"}, {"http", "LoginHandler get"}, {"server", "get"},
		{"absent", ""},
		// Nothing is a stop word.
		{"if", "errors"}, {"for", "LoginHandler errors"}, {"not", "errors"}, {"if not for", "errors"},
		// Phrases.
		{`"error handling"`, "LoginHandler"},
		{`"handling an error"`, "errors"},
		{`"handling error"`, ""},
		{`"rw mutex"`, "LoginHandler"},
		{`"get user"`, "get"},
		{`"var mu sync rwmutex"`, "LoginHandler"},
		{`"mutex m lock"`, "Lock"},
		// Fields.
		{"text:handler AND tags:go", "LoginHandler TestLoginHandler"},
		{"handler -file_path:test", "LoginHandler"},
		{"title:guide", "errors get"},
		{"path:guide.md", "errors get"}, {"file_path:lib/auth", "LoginHandler TestLoginHandler"},
		{"path:*_test.go", "TestLoginHandler"}, {"path:lib/*.go -path:test", "LoginHandler Lock NewProvider Provider"},
		{"symbol:provider", "NewProvider Provider"}, {"symbol_name:NewProvider", "NewProvider"},
		{"lang:python", "app"}, {"language:py", "app"}, {"lang:golang symbol:lock", "Lock"},
		{"chunk_type:documentation", "errors get"}, {"tags:test", "TestLoginHandler"}, {"tags:te*", "TestLoginHandler"},
		{"symbol_type:function symbol:vec", "vec"}, {"package:pkg lang:python", "app"},
		{"NOT symbol:*", "errors get"}, {"NOT package:* AND NOT symbol:run", "vec"},
		// Boolean operators.
		{"provider AND name", "Provider"}, {"mutex OR provider", "Lock LoginHandler NewProvider Provider"},
		{"mutex provider", ""}, {"mutex OR provider AND name", "Lock LoginHandler Provider"},
		{"(mutex OR provider) AND name", "Provider"}, {"text:(mutex OR provider) -name", "Lock LoginHandler NewProvider"},
		{"+mutex -sync", "Lock"}, {"mutex NOT sync", "Lock"}, {"NOT NOT mutex", "Lock LoginHandler"},
		{"-tags:code", "errors get"}, {"NOT (tags:go OR tags:doc)", "app"},
		{"NOT tags:code OR symbol:app", "app errors get"},
		// Wildcards and typos.
		{"Prov*", "NewProvider Provider"}, {"text:Prov*", "NewProvider Provider"}, {"*mutex", "Lock LoginHandler"},
		{"p?th", "run"}, {"m*x", "Lock LoginHandler"}, {"sync.RW*", "LoginHandler"}, {"a.*.c", "app"},
		{"provdier~2", "NewProvider Provider"}, {"providr~", "NewProvider Provider"}, {"provdier~1", "NewProvider Provider"}, {"rpovdier~1", ""},
		{"syc.RWMutx~1", "LoginHandler"},
		// Names with punctuation.
		{"std::vector", "vec"}, {"a.b.c", "app"}, {"@decorator", "app"}, {"decorator", "app run"},
		{"#include", "vec"}, {"$var", "run"}, {"--flag", "run"}, {"/path/like/this", "run"}, {"Foo<Bar>", "vec"},
		{"http.ResponseWriter", "LoginHandler"}, {"m.lock()", "Lock"},
		{"日本語", "errors"}, {"本", "errors"}, {"日語", ""}, {"🚀", "errors"}, {"ПРИВЕТ", "errors"}, {`"привет мир"`, "errors"},
		{`\@decorator`, "app"}, {`text:"#include"`, "vec"},
		{"@*", "app"}, {"#*", "vec"}, {"--*", "run"}, {"$v?r", "run"}, {"$?ar", "run"},
	}
	for _, tt := range tests {
		got := found(t, x, tt.query, answer.Filter{})
		slices.Sort(got)
		want := strings.Fields(tt.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: found %q, want %q", tt.query, got, want)
		}
	}
}

// A quoted text with an operator is found as it is written; other phrases are words one after the other.
func TestOperatorsInPhrases(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.go", "unequal", "if err != nil {\n\treturn err, nil\n}"),
		chunk("b.go", "equal", "if err == nil && vo->driver {\n\ti++\n}"),
		chunk("c.go", "broken", "ok := err !=\n\tnil; mi++; i = vo - driver"),
		chunk("d.go", "list", "// err nil, vo driver\nreturn err, nil"),
	})
	for query, want := range map[string]string{
		`"err != nil"`: "broken unequal", `"ERR  !=  nil"`: "broken unequal", `"err == nil"`: "equal", `"vo->driver"`: "equal", `"i++"`: "equal",
		`"err nil"`: "broken equal list unequal", `"err, nil"`: "broken equal list unequal", `"err != nil" OR "i++"`: "broken equal unequal", `err -"err != nil"`: "equal list",
		"\"err\xff != nil\"": "broken equal list unequal", "\"!= \xf0 err\"": "broken equal list unequal", `"` + strings.Repeat("a+", 300) + `"`: "",
	} {
		got := found(t, x, query, answer.Filter{})
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%s: found %q, want %q", query, got, want)
		}
	}
	f, err := x.Find(t.Context(), answer.Request{Queries: []string{`"err != nil"`}, Limit: -1})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	if err := f.Lines(func(l answer.MatchedLine) error { lines = append(lines, l.Text); return nil }); err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	if got, want := strings.Join(lines, "|"), "\tnil; mi++; i = vo - driver|if err != nil {|ok := err !="; got != want {
		t.Errorf("lines %q, want %q", got, want)
	}
	r, err := x.Exact(t.Context(), answer.Request{Queries: []string{`"err === nil"`}})
	if err != nil || r.NoMatch == nil || r.NoMatch.Message != `"err === nil": no match; its words occur, but not written so` {
		t.Errorf("%+v, %v", r.NoMatch, err)
	}
}

func TestCloserMatchFirst(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.go", "part", "rwMutex mutexLock myMutex aMutex theMutex mutexMutex"),
		chunk("b.go", "whole", strings.Repeat("one two three ", 200)+"mutex"),
		chunk("c.go", "Mutex", "type mutex struct{}"),
		chunk("d.go", "near", "provides"),
		chunk("e.go", "nearer", "provide it to the provided one"),
		chunk("f.go", "use", "call(handle)"),
		chunk("g.go", "handle", "func handle() { return of something longer than the use }"),
	})
	for query, want := range map[string]string{
		"mutex":    "Mutex whole part",
		"provide~": "nearer near",
		"provide*": "nearer near",
		"handle":   "handle use",
	} {
		if got := strings.Join(found(t, x, query, answer.Filter{}), " "); got != want {
			t.Errorf("%s: found %q, want %q", query, got, want)
		}
	}
}

func TestBoost(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.go", "a", "red blue"), chunk("b.go", "b", "red green"), chunk("c.go", "c", "green"), chunk("d.go", "d", "blue"),
	})
	for query, first := range map[string]string{"blue OR green^5": "c", "blue^5 OR green": "d", "(blue red)^0.1 OR green": "c"} {
		if got := found(t, x, query, answer.Filter{}); len(got) == 0 || got[0] != first {
			t.Errorf("%s: found %q, want %q first", query, got, first)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	x := newIndex(t, storeOf())
	_, err := x.Exact(t.Context(), answer.Request{Queries: []string{"handler AND"}})
	var fault *QueryError
	if !errors.As(err, &fault) || fault.Position != 12 {
		t.Errorf("got %v, want an error at position 12", err)
	}
	if _, err := x.Exact(t.Context(), answer.Request{}); err == nil {
		t.Error("no query gave no error")
	}
	if _, err := x.Exact(t.Context(), answer.Request{Queries: []string{"handler", "lock OR"}}); !errors.As(err, &fault) || fault.Query != "lock OR" || fault.Position != 8 {
		t.Errorf("got %v, want an error at position 8 of the second query", err)
	}
	for query, want := range map[string]struct {
		position        int
		problem, advice string
	}{
		"handler chunk_type:implementation": {20, "unknown chunk type", `did you mean "implementations"?`},
		"lang:pyhton OR handler":            {6, "unknown language", `did you mean "python"?`},
		"handler -lang:(go OR klingon)":     {22, "unknown language", "the index has"},
		"symbol_type:funktion":              {13, "unknown symbol type", `did you mean "function"?`},
	} {
		_, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}})
		var fault *QueryError
		if !errors.As(err, &fault) || fault.Position != want.position || !strings.Contains(fault.Problem, want.problem) || !strings.Contains(fault.Suggestion, want.advice) {
			t.Errorf("%s: got %v, want %v", query, err, want)
		}
	}
	for _, query := range []string{"lang:rust", "symbol_type:interface", "chunk_type:data", "lang:klin*", "tags:anything"} {
		if _, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}}); err != nil {
			t.Errorf("%s, of which there is none here: %v", query, err)
		}
	}
	many := &strings.Builder{}
	for i := range 5000 + 10 {
		fmt.Fprintf(many, "w%dx ", i)
	}
	x = newIndex(t, []*record.Chunk{chunk("a.go", "a", many.String())})
	_, err = x.Exact(t.Context(), answer.Request{Queries: []string{"x OR w*"}})
	if !errors.As(err, &fault) || fault.Position != 6 || !strings.Contains(fault.Problem, "5000") {
		t.Errorf("a pattern with too many words: got %v", err)
	}
}

// TestExpressionTakesTooLong has words of a million bytes in all for expressions of up to a thousand steps a byte. An
// expression is refused, unless few words have the literal that every match contains.
func TestExpressionTakesTooLong(t *testing.T) {
	var text strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&text, "%0150x ", i)
	}
	x := shardsWith(t, []*record.Chunk{chunk("a.go", "a", text.String())}, Settings{})
	for query, refused := range map[string]bool{
		"/[yz][a-x]{980}/": true,
		"/yz[a-x]{980}/":   false,
		"/[yz][a-x]{400}/": false,
	} {
		_, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}})
		var fault *QueryError
		if errors.As(err, &fault) != refused || refused && !strings.Contains(fault.Problem, "takes too long") {
			t.Errorf("%s: got %v", query, err)
		}
	}
}

func TestFilters(t *testing.T) {
	x := newIndex(t, storeOf())
	tests := []struct {
		filter answer.Filter
		want   string
	}{
		{answer.Filter{}, "LoginHandler Lock NewProvider Provider TestLoginHandler app errors get run vec"},
		{answer.Filter{ChunkTypes: []string{"documentation"}}, "errors get"},
		{answer.Filter{ChunkTypes: []string{"Documentation", "definitions"}}, "errors get"},
		{answer.Filter{Languages: []string{"golang", "PYTHON"}, Path: "*.py"}, "app"},
		{answer.Filter{Tags: []string{"go", "test"}}, "TestLoginHandler"},
		{answer.Filter{Tags: []string{"go", "absent"}}, ""},
		{answer.Filter{Path: "lib/**"}, "LoginHandler Lock NewProvider Provider TestLoginHandler"},
		{answer.Filter{Path: "lib/*.go"}, "Lock NewProvider Provider"},
		{answer.Filter{Path: "*.go"}, "LoginHandler Lock NewProvider Provider TestLoginHandler"},
		{answer.Filter{Path: "./lib/auth/"}, "LoginHandler TestLoginHandler"},
		{answer.Filter{Path: "auth"}, "LoginHandler TestLoginHandler"},
		{answer.Filter{Path: "LIB/AUTH/handler.go"}, "LoginHandler"},
		{answer.Filter{Path: "lib/pro"}, "NewProvider Provider"},
		{answer.Filter{Path: "auth/handler.go"}, "LoginHandler"},
		{answer.Filter{Path: "{src,web}/**"}, "app vec"},
		{answer.Filter{SymbolType: "function", Path: "src"}, "vec"},
		{answer.Filter{SymbolName: "*handler"}, "LoginHandler TestLoginHandler"},
		{answer.Filter{SymbolName: "new?rovider"}, "NewProvider"},
	}
	for _, tt := range tests {
		got := found(t, x, "text:*", tt.filter)
		slices.Sort(got)
		want := strings.Fields(tt.want)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%+v: found %q, want %q", tt.filter, got, want)
		}
		for _, mode := range answer.Modes {
			r, err := x.Search(t.Context(), answer.Request{Queries: []string{"provider handler app vector error user"}, Limit: -1, Mode: mode, Filter: tt.filter})
			if err != nil {
				t.Errorf("%s, %+v: %v", mode, tt.filter, err)
				continue
			}
			for _, name := range names(r) {
				if !slices.Contains(want, name) {
					t.Errorf("%s, %+v: found %s", mode, tt.filter, name)
				}
			}
		}
	}
	for _, tt := range []struct {
		filter    answer.Filter
		err, hint string
	}{
		{answer.Filter{ChunkTypes: []string{"data", "Documentaton"}}, `unknown chunk type "Documentaton"`, `did you mean "documentation"? chunk types are symbols, `},
		{answer.Filter{ChunkTypes: []string{"x"}}, `unknown chunk type "x"`, "chunk types are symbols, "},
		{answer.Filter{Languages: []string{"go", "pyton"}}, `unknown language "pyton"`, `did you mean "python"? the index has bash, cpp, go, markdown, python`},
		{answer.Filter{Languages: []string{"golnag"}}, `unknown language "golnag"`, `did you mean "golang"? the index has `},
		{answer.Filter{Languages: []string{"nosuch"}}, `unknown language "nosuch"`, "the index has bash, "},
		{answer.Filter{Languages: []string{"cobol2"}}, `unknown language "cobol2"`, `did you mean "cobol"? the index has bash, `},
		{answer.Filter{SymbolType: "func"}, `unknown symbol type "func"`, `did you mean "function"? symbol types are `},
		{answer.Filter{Path: "a[b"}, `path "a[b" is not a valid glob`, "write "},
	} {
		for _, ask := range []func(context.Context, answer.Request) (*answer.Response, error){x.Exact, x.Search} {
			_, err := ask(t.Context(), answer.Request{Queries: []string{"a"}, Filter: tt.filter})
			if err == nil || err.Error() != tt.err || !strings.HasPrefix(hint.Of(err), tt.hint) {
				t.Errorf("%+v: error %v with hint %q, want %s with %s", tt.filter, err, hint.Of(err), tt.err, tt.hint)
			}
		}
	}
	// Known, and not in the index: nothing is found.
	if got := found(t, x, "text:*", answer.Filter{Languages: []string{"haskell"}}); len(got) != 0 {
		t.Errorf("found %q in a language that is not there", got)
	}
}

// TestFilterBeforeTopK has more hits outside the filter than the pool of words holds.
func TestFilterBeforeTopK(t *testing.T) {
	var chunks []*record.Chunk
	for i := range 2000 {
		chunks = append(chunks, chunk(fmt.Sprintf("a/f%d.go", i), "f", "retry with backoff and more backoff"))
	}
	chunks = append(chunks, chunk("b/z.go", "z", "something else that has backoff in it, at the end of a longer text"))
	x := newIndex(t, chunks)
	for _, mode := range answer.Modes {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{"retry with backoff"}, Mode: mode, Filter: answer.Filter{Path: "b"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := names(r); !slices.Equal(got, []string{"z"}) {
			t.Errorf("%s: found %q, want z", mode, got)
		}
	}
}

func TestSearch(t *testing.T) {
	x := newIndex(t, storeOf())
	tests := []struct {
		queries []string
		mode    answer.Mode
		first   string
		source  string
	}{
		{[]string{"how do we handle a login"}, answer.Auto, "LoginHandler", "hybrid"},
		{[]string{"handling errors"}, answer.Keyword, "errors", "keyword"},
		{[]string{"read and lock the mutexes"}, answer.Keyword, "Lock", "keyword"},
		{[]string{"NewProvider"}, answer.Auto, "NewProvider", "keyword"},
		{[]string{"std::vector"}, "", "vec", "keyword"},
		{[]string{"type Provider struct name string"}, answer.Semantic, "Provider", "semantic"},
	}
	for _, tt := range tests {
		r, err := x.Search(t.Context(), answer.Request{Queries: tt.queries, Mode: tt.mode})
		if err != nil {
			t.Errorf("%q: %v", tt.queries, err)
			continue
		}
		if got := names(r); len(got) == 0 || got[0] != tt.first || r.Metadata.Source != tt.source {
			t.Errorf("%q: found %q by %s, want %s first by %s", tt.queries, got, r.Metadata.Source, tt.first, tt.source)
		}
		checkResponse(t, r)
	}
}

func checkResponse(t *testing.T, r *answer.Response) {
	t.Helper()
	if r.TotalReturned != len(r.Results) || r.TotalFound < r.TotalReturned || r.Metadata.TookMS < 0 {
		t.Errorf("%q: %d of %d hits, %d given", r.Query, r.TotalReturned, r.TotalFound, len(r.Results))
	}
	for i, h := range r.Results {
		if h.Score < 0 || h.Score > 1 || i > 0 && h.Score > r.Results[i-1].Score {
			t.Errorf("%q: hit %d has score %g", r.Query, i, h.Score)
		}
		if len(h.Highlights) > 3 || h.Highlights == nil {
			t.Errorf("%q: hit %d has %d highlights", r.Query, i, len(h.Highlights))
		}
	}
	data, err := json.Marshal(r)
	if err != nil || strings.Contains(string(data), "embedding") {
		t.Errorf("%q: answer as JSON: %v, %.100s", r.Query, err, data)
	}
}

func TestTopicsKeepTheHigherScore(t *testing.T) {
	x := newIndex(t, storeOf())
	found := func(queries ...string) []string {
		r, err := x.Search(t.Context(), answer.Request{Queries: queries, Mode: answer.Keyword, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		return ids(r)
	}
	a, b, both := found("login handler"), found("vector of numbers"), found("login handler", "  ", "vector of numbers")
	if len(both) < max(len(a), len(b)) {
		t.Fatalf("%d hits for two topics, %d and %d for each", len(both), len(a), len(b))
	}
	if first := both[:2]; !slices.Contains(first, a[0]) || !slices.Contains(first, b[0]) {
		t.Errorf("the first hits of two topics are %q, those of each %q and %q", first, a[0], b[0])
	}
}

// TestChances asks questions that the index answers, questions that it answers in part, and nonsense. Chances fall in
// this order, and with the position of a hit.
func TestChances(t *testing.T) {
	x := newIndex(t, storeOf())
	least := 1.0
	for _, question := range []string{"login handler", "handler of purple umbrellas", "purple umbrellas dance"} {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{question}, Mode: answer.Keyword})
		if err != nil {
			t.Fatal(err)
		}
		sum, last := 0.0, 1.0
		for _, h := range r.Results {
			if h.Score > last {
				t.Errorf("%q: %s has %g behind %g", question, h.Chunk.ID, h.Score, last)
			}
			sum, last = sum+h.Score, h.Score
		}
		if sum > least {
			t.Errorf("%q: the chances are %g in all, for a better question %g", question, sum, least)
		}
		least = sum
	}
}

// TestOrderByScoreAsShown has scores that differ only in digits that are not shown.
func TestOrderByScoreAsShown(t *testing.T) {
	var chunks []*record.Chunk
	for i := range 40 {
		text := "needle" + strings.Repeat(" hay", 5000-i)
		chunks = append(chunks, chunk(fmt.Sprintf("f%02d.go", i), "", text))
	}
	x := newIndex(t, append(chunks, chunk("g.go", "other", "hay")))
	ask := map[string]func() (*answer.Response, error){
		"exact": func() (*answer.Response, error) {
			return x.Exact(t.Context(), answer.Request{Queries: []string{"needle"}, Limit: -1})
		},
		"search": func() (*answer.Response, error) {
			return x.Search(t.Context(), answer.Request{Queries: []string{"needle"}, Mode: answer.Keyword, Limit: -1})
		},
	}
	for name, ask := range ask {
		response, err := ask()
		if err != nil || len(response.Results) != 40 {
			t.Fatalf("%s: %v, %v", name, response, err)
		}
		for i, h := range response.Results[1:] {
			before := response.Results[i]
			if before.Score < h.Score || before.Score == h.Score && before.Chunk.ID > h.Chunk.ID {
				t.Errorf("%s: %s (%v) stands before %s (%v)", name, before.Chunk.ID, before.Score, h.Chunk.ID, h.Score)
				break
			}
		}
	}
}

func TestPaging(t *testing.T) {
	x := newIndex(t, storeOf())
	for _, ask := range []func(context.Context, answer.Request) (*answer.Response, error){x.Exact, x.Search} {
		all, err := ask(t.Context(), answer.Request{Queries: []string{"name"}, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		if len(all.Results) < 2 {
			t.Fatalf("%d hits are too few for this test", len(all.Results))
		}
		var pages []string
		for offset := range len(all.Results) + 2 {
			r, err := ask(t.Context(), answer.Request{Queries: []string{"name"}, Limit: 1, Offset: offset})
			if err != nil {
				t.Fatal(err)
			}
			if r.TotalFound != all.TotalFound {
				t.Errorf("page %d: %d found, want %d", offset, r.TotalFound, all.TotalFound)
			}
			pages = append(pages, names(r)...)
		}
		if !slices.Equal(pages, names(all)) {
			t.Errorf("pages give %q, all at once %q", pages, names(all))
		}
	}
}

func TestWithoutEmbeddings(t *testing.T) {
	x, err := newInMemory(snapshot(t, storeOf(), nil), nil, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	r, err := x.Search(t.Context(), answer.Request{Queries: []string{"error handling"}})
	if err != nil || r.Metadata.Source != "keyword" || len(r.Results) == 0 {
		t.Errorf("auto: %v, %v", r, err)
	}
	for _, mode := range []answer.Mode{answer.Semantic, answer.Hybrid} {
		if _, err := x.Search(t.Context(), answer.Request{Queries: []string{"x"}, Mode: mode}); err == nil || hint.Of(err) == "" {
			t.Errorf("%s without a model: error %v, hint %q", mode, err, hint.Of(err))
		}
	}
	if _, err := x.Search(t.Context(), answer.Request{Queries: []string{"x"}, Mode: "best"}); err == nil {
		t.Error("unknown mode gave no error")
	}
	for _, empty := range []string{" ", "?", "()"} {
		if _, err := x.Search(t.Context(), answer.Request{Queries: []string{empty}}); err == nil {
			t.Errorf("%q gave no error", empty)
		}
	}
}

func TestEmptyStore(t *testing.T) {
	x := newIndex(t, nil)
	if r, err := x.Exact(t.Context(), answer.Request{Queries: []string{"a OR -b OR c* OR d~"}}); err != nil || len(r.Results) != 0 || r.Results == nil {
		t.Errorf("exact: %v, %v", r, err)
	}
	if r, err := x.Search(t.Context(), answer.Request{Queries: []string{"how"}}); err != nil || len(r.Results) != 0 {
		t.Errorf("search: %v, %v", r, err)
	}
}

func TestOtherDimensions(t *testing.T) {
	e := builtin()
	snap := snapshot(t, storeOf(), e)
	for _, c := range snap.chunks {
		c.Embedding = c.Embedding[:8]
	}
	snap.chunks[0].Embedding = nil
	x, err := newInMemory(snap, e, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if _, err := x.Search(t.Context(), answer.Request{Queries: []string{"error"}, Mode: answer.Semantic}); err == nil || !strings.Contains(err.Error(), "8") {
		t.Errorf("got %v, want an error about dimensions", err)
	}
}

func TestCancelled(t *testing.T) {
	x := newIndex(t, storeOf())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, answer.Request{Queries: []string{"error"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	// What failed to be built for one request is built for the next.
	if r, err := x.Search(t.Context(), answer.Request{Queries: []string{"error"}}); err != nil || len(r.Results) == 0 {
		t.Errorf("after a cancelled request: %v, %v", r, err)
	}
}

func TestConcurrentRequests(t *testing.T) {
	x := newIndex(t, storeOf())
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			var err error
			switch i % 4 {
			case 0:
				_, err = x.Search(t.Context(), answer.Request{Queries: []string{"error handling"}})
			case 1:
				_, err = x.Exact(t.Context(), answer.Request{Queries: []string{`"error handling" OR mut* OR -lang:go`}})
			case 2:
				_, err = x.Search(t.Context(), answer.Request{Queries: []string{"login"}, Mode: answer.Semantic, Filter: answer.Filter{Path: "lib"}})
			case 3:
				err = x.Warm(t.Context())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}
