package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// holds reports whether one chunk satisfies the node. It uses nothing of the index but the analyser and the patterns.
func holds(c *record.Chunk, n query.Node, asked map[record.ChunkType]bool) bool {
	switch n := n.(type) {
	case *query.And:
		return !slices.ContainsFunc(n.Nodes, func(child query.Node) bool { return !holds(c, child, asked) })
	case *query.Or:
		return slices.ContainsFunc(n.Nodes, func(child query.Node) bool { return holds(c, child, asked) })
	case *query.Not:
		return !holds(c, n.Node, asked)
	}
	t := n.(*query.Term)
	switch t.Field {
	case query.Tags:
		return slices.ContainsFunc(c.Tags, func(tag string) bool { return equalFacet(t, tag) })
	case query.ChunkType:
		return equalFacet(t, string(c.ChunkType))
	case query.Language:
		return equalFacet(t, c.Metadata.Language)
	case query.Symbol:
		return slices.ContainsFunc(declaredNames(c), func(name string) bool { return textHolds(name, t) })
	case query.Title:
		return textHolds(c.Title, t)
	}
	if t.IsAnything() {
		return c.Text != ""
	}
	// The text without what is not the chunk's own, byte for byte.
	own := []byte(c.Text)
	for i := range own {
		if asked[c.ChunkType] && (c.ChunkType == record.Symbols || c.ChunkType == record.Definitions) {
			break
		}
		if !slices.ContainsFunc(corpus.OwnText(c), func(s index.Span) bool { return s.From <= i && i < s.To }) {
			own[i] = '\n'
		}
	}
	if t.Literal != nil {
		return t.Literal.Match(own)
	}
	if textHolds(string(own), t) {
		return true
	}
	words := token.Words(t.Text)
	if len(words) > 1 && !t.Phrase && t.Regexp == nil && len(t.Wild) == 0 {
		return slices.ContainsFunc(declaredNames(c), func(name string) bool { return textHolds(name, t) })
	}
	if c.ChunkType != record.Documentation || len(words) != 1 || t.Phrase || t.Fuzzy > 0 || len(t.Wild) > 0 || t.Regexp != nil || words[0].Kind != token.Whole {
		return false
	}
	// Endings are cut off by hand from the few words that documents here have.
	root := func(w string) string { return strings.TrimSuffix(strings.TrimSuffix(w, "s"), "ed") }
	found := false
	token.Scan(string(own), func(w token.Token) {
		found = found || w.Kind == token.Whole && onlyLetters(w.Term) && onlyLetters(words[0].Term) && root(w.Term) == root(words[0].Term)
	})
	return found
}

// declaredNames are the names of what the chunk declares.
func declaredNames(c *record.Chunk) []string {
	var names []string
	for s := range corpus.Declared(c) {
		names = append(names, s.Name)
	}
	return names
}

// hasOwnLines reports whether a line that says something is the chunk's own, or it has none at all.
func hasOwnLines(c *record.Chunk) bool {
	return c.Text == "" || slices.ContainsFunc(corpus.OwnText(c), func(s index.Span) bool { return strings.TrimSpace(c.Text[s.From:s.To]) != "" })
}

// onlyLetters reports whether a word is of at least three letters and nothing else.
func onlyLetters(word string) bool {
	letters := []rune(word)
	return len(letters) >= 3 && !slices.ContainsFunc(letters, func(r rune) bool { return !unicode.IsLetter(r) })
}

// askedIn are the chunk types that the query names.
func askedIn(n query.Node) map[record.ChunkType]bool {
	asked := map[record.ChunkType]bool{}
	query.Walk(n, func(t *query.Term) {
		if t.Field == query.ChunkType {
			asked[record.ChunkType(t.Text)] = true
		}
	})
	return asked
}

// hasTitle reports whether the query asks for the chunk's title.
func hasTitle(c *record.Chunk, n query.Node) bool {
	found := false
	query.Walk(n, func(t *query.Term) {
		found = found || t.Field == query.Title && !t.IsAnything() && c.ChunkType != record.Documentation && textHolds(c.Title, t)
	})
	return found
}

func equalFacet(t *query.Term, value string) bool {
	if t.Regexp != nil {
		return t.Regexp.Match(strings.ToLower(value))
	}
	if len(t.Wild) > 0 {
		return token.PatternOf(t.Text, t.Wild).Match(strings.ToLower(value))
	}
	return hint.Distance(strings.ToLower(t.Text), strings.ToLower(value), t.Fuzzy) <= t.Fuzzy
}

func textHolds(text string, t *query.Term) bool {
	var tokens []token.Token
	token.Scan(text, func(tok token.Token) { tokens = append(tokens, tok) })
	if t.IsAnything() {
		return text != ""
	}
	if t.Regexp != nil {
		return slices.ContainsFunc(tokens, func(tok token.Token) bool { return tok.Kind != token.Part && t.Regexp.Match(tok.Term) })
	}
	var tests []func(string) bool
	if len(t.Wild) > 0 {
		for _, p := range token.Patterns(t.Text, t.Wild) {
			tests = append(tests, p.Match)
		}
	} else {
		for _, w := range token.Words(t.Text) {
			tests = append(tests, func(term string) bool { return hint.Distance(w.Term, term, t.Fuzzy) <= t.Fuzzy })
		}
	}
	var from func(at int, tests []func(string) bool) bool
	from = func(at int, tests []func(string) bool) bool {
		if len(tests) == 0 {
			return true
		}
		return slices.ContainsFunc(tokens, func(tok token.Token) bool {
			return (at < 0 || tok.From == at) && tests[0](tok.Term) && from(tok.To, tests[1:])
		})
	}
	return from(-1, tests)
}

// generator makes small corpora and queries over the same few words, so that hits and
// misses are both frequent.
type generator struct{ *rand.Rand }

func (g generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g generator) word() string {
	return g.pick("get", "user", "User", "getUser", "get_user", "HTTPServer", "http", "server", "id", "utf8", "8", "rwMutex", "mutex", "users", "Locked", "locks", "@get", "--user", "日本", "本")
}

func (g generator) text() string {
	var b strings.Builder
	for range g.IntN(12) {
		b.WriteString(g.word() + g.pick(" ", ".", "::", "-", "\n", "(", ", "))
	}
	return b.String()
}

func (g generator) corpus() []*record.Chunk {
	var chunks []*record.Chunk
	for i := range 1 + g.IntN(20) {
		c := chunk(fmt.Sprintf("f%d.go", i), fmt.Sprintf("%s%d", g.pick("get", "User", "x"), i), g.text(), tagged(g.pick("a", "b")))
		c.Metadata.Language = g.pick("go", "python", "")
		for range g.IntN(3) {
			c.Metadata.Symbols = append(c.Metadata.Symbols, record.SymbolRef{Name: g.word() + g.pick("", "."+g.word()), Type: record.Struct, Line: 1})
		}
		switch g.IntN(6) {
		case 0:
			asDocument(c)
			c.Text = "> " + g.word() + "\n\n" + c.Text
		case 1:
			c.ChunkType = record.Definitions
			for n := 1; n < 6; n += 2 + g.IntN(2) {
				c.Metadata.Repeats = append(c.Metadata.Repeats, record.LineRange{n, n + g.IntN(2)})
			}
		case 2:
			c.ChunkType = record.Symbols
		}
		chunks = append(chunks, c)
	}
	return chunks
}

func (g generator) query(depth int) string {
	if depth > 0 && g.IntN(3) > 0 {
		a, b := g.query(depth-1), g.query(depth-1)
		return g.pick("("+a+" AND "+b+")", "("+a+" OR "+b+")", "("+a+" "+b+")", "NOT "+a, "-"+a, "("+a+" -"+b+")", a+" AND NOT "+b, a+" OR "+b)
	}
	return g.pick(
		g.word(), g.word(), g.word()+"."+g.word(), `"`+g.word()+" "+g.word()+`"`, `"`+g.word()+g.word()+" "+g.word()+`"`,
		"title:"+g.word(), "symbol:"+g.word(), "tags:"+g.pick("a", "b", "go", "A"), "lang:"+g.pick("go", "python", "p*"),
		g.pick("u*", "*er", "g?t", "*", "get*", "*s*", "@g*", "get.u*"), g.pick("/^u.*r$/", "/e./", "/^@|8/", "symbol:/x1?/", "tags:/^A$/"), "chunk_type:"+g.pick("symbols", "definitions", "documentation"), g.pick("usr~", "gte~2", "http~1", "mutx~1", "idd~"), "symbol:*")
}

// difference returns where two answers differ. It compares them for equality first, since cmp is slow.
func difference(want, got any) string {
	if reflect.DeepEqual(want, got) {
		return ""
	}
	return cmp.Diff(want, got)
}

// sameAnswer compares answers whole.
func sameAnswer(t *testing.T, a, b func(context.Context, answer.Request) (*answer.Response, error), req answer.Request) {
	t.Helper()
	one, err := a(t.Context(), req)
	two, err2 := b(t.Context(), req)
	if err != nil || err2 != nil {
		t.Fatalf("%q: %v, %v", req.Queries, err, err2)
	}
	one.Metadata.TookMS, two.Metadata.TookMS = 0, 0
	if diff := difference(one, two); diff != "" {
		t.Errorf("%q: answers differ:\n%s", req.Queries, diff)
	}
}

// TestSegmentsFailAlike asks for more words than a pattern may stand for.
func TestSegmentsFailAlike(t *testing.T) {
	var many strings.Builder
	for i := range 5000 + 10 {
		fmt.Fprintf(&many, "w%dx ", i)
	}
	snap := snapshot(t, []*record.Chunk{chunk("a.go", "a", many.String())}, nil)
	shards, err := newSharded(snap, nil, Settings{}, 7)
	if err != nil {
		t.Fatal(err)
	}
	defer shards.Close()
	for _, q := range []string{"w*", "*x", "w5~2 OR w*x"} {
		_, err := shards.Exact(t.Context(), answer.Request{Queries: []string{q}})
		var fault *QueryError
		if !errors.As(err, &fault) || !strings.Contains(fault.Problem, "5000") {
			t.Errorf("%s: %v", q, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := shards.Exact(ctx, answer.Request{Queries: []string{"w1x"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestExactEqualsReference(t *testing.T) {
	seeds := uint64(20)
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		g := generator{rand.New(rand.NewPCG(seed, 4))}
		chunks := g.corpus()
		x, err := newInMemory(snapshot(t, chunks, nil), nil, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		shards, err := newSharded(snapshot(t, chunks, nil), nil, Settings{}, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			q := g.query(3)
			node, err := query.Parse(q, 1)
			if err != nil {
				t.Fatalf("%s: %v", q, err)
			}
			asked := askedIn(node)
			var want []string
			for _, c := range chunks {
				if holds(c, node, asked) && (hasOwnLines(c) || asked[c.ChunkType] || hasTitle(c, node)) {
					want = append(want, c.ID)
				}
			}
			r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}, Limit: -1})
			if err != nil {
				t.Fatalf("%s: %v", q, err)
			}
			var got []string
			for _, h := range r.Results {
				got = append(got, h.Chunk.ID)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("seed %d, %s:\n got %q\nwant %q", seed, q, got, want)
				for _, c := range chunks {
					if slices.Contains(got, c.ID) != slices.Contains(want, c.ID) {
						t.Logf("%s: %q", c.ID, c.Text)
					}
				}
			}
			if r.TotalFound != len(want) {
				t.Errorf("seed %d, %s: total %d, want %d", seed, q, r.TotalFound, len(want))
			}
			checkResponse(t, r)
			sameAnswer(t, x.Exact, shards.Exact, answer.Request{Queries: []string{q}, Limit: -1})
			if i%6 > 0 {
				continue
			}
			sameAnswer(t, x.Search, shards.Search, answer.Request{Queries: []string{g.text() + "users of " + g.word()}, Limit: -1})
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
