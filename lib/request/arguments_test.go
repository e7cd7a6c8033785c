package request

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"cortex/lib/search/answer"
)

// readRequest reads arguments as the search tools do.
func readRequest(raw string) (answer.Request, int, error) {
	var r Search
	err := r.Read([]byte(raw))
	return r.Request, r.MaxTokens, err
}

func TestArgumentsThatAreUnderstood(t *testing.T) {
	base := answer.Request{Queries: []string{"x"}, Limit: 10}
	with := func(change func(*answer.Request)) answer.Request {
		r := base
		change(&r)
		return r
	}
	for _, test := range []struct {
		raw    string
		want   answer.Request
		tokens int
	}{
		{`{"query":"x"}`, base, 0},
		{`{"query":"x","limit":5}`, with(func(r *answer.Request) { r.Limit = 5 }), 0},
		{`{"query":"x","limit":"5"}`, with(func(r *answer.Request) { r.Limit = 5 }), 0},
		{`{"query":"x","limit":5.0}`, with(func(r *answer.Request) { r.Limit = 5 }), 0},
		{`{"query":"x","limit":1}`, with(func(r *answer.Request) { r.Limit = 1 }), 0},
		{`{"query":"x","limit":100,"max_tokens":"500"}`, with(func(r *answer.Request) { r.Limit = 100 }), 500},
		{`{"query":"x","limit":null,"path":null,"tags":null,"mode":null,"max_tokens":null}`, base, 0},
		{`{"query":["x"]}`, base, 0},
		{`{"query":["x","y"]}`, with(func(r *answer.Request) { r.Queries = []string{"x", "y"} }), 0},
		{`{"query":"x","topics":["y","z"]}`, with(func(r *answer.Request) { r.Queries = []string{"x", "y", "z"} }), 0},
		{`{"query":"x","topics":"y"}`, with(func(r *answer.Request) { r.Queries = []string{"x", "y"} }), 0},
		{`{"topics":["y"]}`, with(func(r *answer.Request) { r.Queries = []string{"y"} }), 0},
		{`{"query":"[a-z], not a list"}`, with(func(r *answer.Request) { r.Queries = []string{"[a-z], not a list"} }), 0},
		{`{"query":"x","languages":"go"}`, with(func(r *answer.Request) { r.Filter.Languages = []string{"go"} }), 0},
		{`{"query":"x","languages":["go","python"]}`, with(func(r *answer.Request) { r.Filter.Languages = []string{"go", "python"} }), 0},
		{`{"query":"x","languages":"[\"go\",\"python\"]"}`, with(func(r *answer.Request) { r.Filter.Languages = []string{"go", "python"} }), 0},
		{`{"query":"x","languages":"go,python"}`, with(func(r *answer.Request) { r.Filter.Languages = []string{"go", "python"} }), 0},
		{`{"query":"x","tags":["code, go"]}`, with(func(r *answer.Request) { r.Filter.Tags = []string{"code", "go"} }), 0},
		{`{"query":404}`, with(func(r *answer.Request) { r.Queries = []string{"404"} }), 0},
		{`{"query":"x","path":["lib/a"]}`, with(func(r *answer.Request) { r.Filter.Path = "lib/a" }), 0},
		{`{"query":"x","path":"[id]/a"}`, with(func(r *answer.Request) { r.Filter.Path = "[id]/a" }), 0},
		{`{"query":"x","tests":false}`, with(func(r *answer.Request) { r.Filter.Tests = answer.TestsNo }), 0},
		{`{"query":"x","tests":"False"}`, with(func(r *answer.Request) { r.Filter.Tests = answer.TestsNo }), 0},
		{`{"query":"x","tests":["no"]}`, with(func(r *answer.Request) { r.Filter.Tests = answer.TestsNo }), 0},
		{`{"query":"x","tests":true}`, base, 0},
		{`{"query":"x","tests":"ONLY"}`, with(func(r *answer.Request) { r.Filter.Tests = answer.TestsOnly }), 0},
		{`{"query":"x","languages":[]}`, with(func(r *answer.Request) { r.Filter.Languages = []string{} }), 0},
		{`{"query":"x","tags":["code","test"]}`, with(func(r *answer.Request) { r.Filter.Tags = []string{"code", "test"} }), 0},
		{`{"query":"x","chunk_types":["Data"],"symbol_type":"Method","mode":"KEYWORD"}`, with(func(r *answer.Request) {
			r.Filter.ChunkTypes = []string{"data"}
			r.Filter.SymbolType = "method"
			r.Mode = answer.Keyword
		}), 0},
		{`{"like":"lib/a.go:7"}`, with(func(r *answer.Request) { r.Queries, r.Like = nil, "lib/a.go:7" }), 0},
		{`{"query":"x","like":null}`, base, 0},
		{`{"query":"x","min_score":0.25}`, with(func(r *answer.Request) { r.MinScore = scoreOf(0.25) }), 0},
		{`{"query":"x","min_score":"0"}`, with(func(r *answer.Request) { r.MinScore = scoreOf(0) }), 0},
		{`{"query":"x","context":"full"}`, with(func(r *answer.Request) { r.Context.Full = true }), 0},
		{`{"query":"x","context":"3"}`, with(func(r *answer.Request) { r.Context = answer.Around{Before: 3, After: 3} }), 0},
		{`{"query":"x","context":50}`, with(func(r *answer.Request) { r.Context = answer.Around{Before: 50, After: 50} }), 0},
		{`{"query":"x","context_before":2,"context_after":"7"}`, with(func(r *answer.Request) { r.Context = answer.Around{Before: 2, After: 7} }), 0},
		{`{"query":"x","context":5,"context_after":0}`, with(func(r *answer.Request) { r.Context.Before = 5 }), 0},
		{`{"query":"x","context_after":3}`, with(func(r *answer.Request) { r.Context.After = 3 }), 0},
		{`{"query":"x","path":"lib/**","symbol_name":"Parse*"}`, with(func(r *answer.Request) {
			r.Filter.Path = "lib/**"
			r.Filter.SymbolName = "Parse*"
		}), 0},
	} {
		got, tokens, err := readRequest(test.raw)
		if err != nil {
			t.Errorf("%s: %v", test.raw, err)
			continue
		}
		if diff := cmp.Diff(test.want, got, cmp.Transformer("empty", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.raw, diff)
		}
		if tokens != test.tokens {
			t.Errorf("%s: %d tokens, want %d", test.raw, tokens, test.tokens)
		}
	}
}

// TestLongQuestionIsCut passes a question beyond the greatest length, such as an issue with its log.
// The number of whole definitions is bounded by the size of the answer rather than by their number.
func TestLimitOfWholeDefinitions(t *testing.T) {
	for raw, want := range map[string]int{
		`{"query":"x"}`: 10, `{"query":"x","context":"3"}`: 10, `{"query":"x","context":"full"}`: 40, `{"query":"x","context":"full","limit":3}`: 3,
	} {
		var r Exact
		if err := r.Read([]byte(raw)); err != nil || r.Limit != want {
			t.Errorf("%s: limit %d, %v, want %d", raw, r.Limit, err, want)
		}
	}
}

func TestLongQuestionIsCut(t *testing.T) {
	long := strings.Repeat("é", MaxQuestion+1)
	for raw, want := range map[string]bool{
		`{"query":"` + long + `"}`: true, `{"query":"` + long[:2*MaxQuestion] + `"}`: false, `{"query":"x","topics":["y","` + long + `"]}`: true,
	} {
		var r Search
		if err := r.Read([]byte(raw)); err != nil || r.Cut != want || slices.ContainsFunc(r.Queries, func(q string) bool { return len(q) > 2*MaxQuestion }) {
			t.Errorf("%.30s: cut %v, %v", raw, r.Cut, err)
		}
	}
	var r Exact
	if err := r.Read([]byte(`{"query":"` + long + `"}`)); err == nil || err.Error() != "query: 20001 characters, at most 2000 are allowed" {
		t.Errorf("got %v", err)
	}
}

func scoreOf(x float64) *float64 { return &x }

func TestArgumentsThatAreRefused(t *testing.T) {
	const known = "known arguments: query, topics, like, limit, offset, path, languages, chunk_types, symbol_type, symbol_name, tests, context, max_tokens, format, mode"
	for _, test := range []struct{ raw, want string }{
		{``, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`null`, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`{}`, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`{"query":" "}`, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`{"query":[]}`, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`"x"`, `arguments: expected an object with named arguments, got "x"`},
		{`[1]`, `arguments: expected an object with named arguments, got [1]`},
		{`{"query":{"a":1}}`, `query: expected a string, got {"a":1}; write it in quotes: "..."`},
		{`{"query":["a",1]}`, `query: expected a list of strings, got ["a",1]; write it like ["a", "b"]`},
		{`{"query":["a",null]}`, `query: expected a list of strings, got ["a",null]; write it like ["a", "b"]`},
		{`{"query":["a",""]}`, `query: an item is blank; leave it out`},
		{`{"query":"x","topics":["1","2","3","4","5","6","7","8","9","10","11"]}`, `topics: 11 items, at most 10 are allowed`},
		{`{"query":"x","limit":0}`, `limit: expected a whole number from 1 to 100, got 0`},
		{`{"query":"x","limit":101}`, `limit: expected a whole number from 1 to 100, got 101`},
		{`{"query":"x","limit":-3}`, `limit: expected a whole number from 1 to 100, got -3`},
		{`{"query":"x","limit":1e300}`, `limit: expected a whole number from 1 to 100, got 1e300`},
		{`{"query":"x","limit":1e999}`, `limit: expected a whole number from 1 to 100, got 1e999`},
		{`{"query":"x","limit":2.5}`, `limit: expected a whole number from 1 to 100, got 2.5`},
		{`{"query":"x","limit":"many"}`, `limit: expected a whole number from 1 to 100, got "many"`},
		{`{"query":"x","limit":"NaN"}`, `limit: expected a whole number from 1 to 100, got "NaN"`},
		{`{"query":"x","limit":"Inf"}`, `limit: expected a whole number from 1 to 100, got "Inf"`},
		{`{"query":"x","limit":true}`, `limit: expected a whole number from 1 to 100, got true`},
		{`{"query":"x","limit":[5]}`, `limit: expected a whole number from 1 to 100, got [5]`},
		{`{"query":"x","max_tokens":499}`, `max_tokens: expected a whole number from 500 to 100000, got 499`},
		{`{"query":"x","like":"lib/a.go:7"}`, `like: given along with a query; give one of them`},
		{`{"query":"x","context":51}`, `context: expected a number of lines from 0 to 50, or full, got 51`},
		{`{"query":"x","context_before":51}`, `context_before: expected a number of lines from 0 to 50, got 51`},
		{`{"query":"x","context":"full","context_after":2}`, `context: full excludes lines before or after; give one of them`},
		{`{"query":"x","min_score":1.5}`, `min_score: expected a number from 0 to 1, got 1.5`},
		{`{"query":"x","context":"all"}`, `context: expected a number of lines from 0 to 50, or full, got "all"`},
		{`{"query":"x","tags":7}`, `tags: expected a list of strings, got 7; write it like ["a", "b"]`},
		{`{"query":"x","tags":"[1]"}`, `tags: expected a list of strings, got "[1]"; write it like ["a", "b"]`},
		{`{"query":"x","chunk_types":["function"]}`, `chunk_types: expected symbols, definitions, data, implementations or documentation, got ["function"]`},
		{`{"query":"x","chunk_types":"docs"}`, `chunk_types: expected symbols, definitions, data, implementations or documentation, got "docs"`},
		{`{"query":"x","chunk_types":"implementation"}`, `chunk_types: expected symbols, definitions, data, implementations or documentation, got "implementation"; did you mean "implementations"?`},
		{`{"query":"x","mode":"exact"}`, `mode: expected auto, semantic, keyword, hybrid or fusion, got "exact"`},
		{`{"query":"x","mode":"semantics"}`, `mode: expected auto, semantic, keyword, hybrid or fusion, got "semantics"; did you mean "semantic"?`},
		{`{"query":"x","path":["a",1]}`, `path: expected a string, got ["a",1]; write it in quotes: "..."`},
		{`{"query":"x","include_tests":false}`, "include_tests: unknown argument; did you mean \"tests\"?\n" + known},
		{`{"query":"x","filePath":"lib"}`, "filePath: unknown argument; did you mean \"path\"?\n" + known},
		{`{"query":"x","tokens":500}`, "tokens: unknown argument; did you mean \"max_tokens\"?\n" + known},
		{`{"query":"x","min_scor":0}`, "min_scor: unknown argument; leave it out\n" + known},
		{`{"query":"x","chunkTypes":["data"]}`, "chunkTypes: unknown argument; did you mean \"chunk_types\"?\n" + known},
		{`{"query":"x","chunk_type":["data"]}`, "chunk_type: unknown argument; did you mean \"chunk_types\"?\n" + known},
		{`{"query":"x","lang":"go"}`, "lang: unknown argument; did you mean \"languages\"?\n" + known},
		{`{"querry":"x"}`, "querry: unknown argument; did you mean \"query\"?\n" + known + "\n" +
			`query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`{"query":"x","zebra":1,"Limit":2}`, "Limit: unknown argument; did you mean \"limit\"?\nzebra: unknown argument; leave it out\n" + known},
		{`{"query":"x","tests":5}`, `tests: expected no or only, got 5`},
		{`{"query":"x","tests":["no","only"]}`, `tests: expected no or only, got ["no","only"]`},
		{`{"query":"x","tests":"all"}`, `tests: expected no or only, got "all"`},
		{`{"query":"x","languages":"go,"}`, `languages: an item is blank; leave it out`},
		{`{"query":{},"limit":"a","mode":"b"}`, "query: expected a string, got {}; write it in quotes: \"...\"\n" +
			"limit: expected a whole number from 1 to 100, got \"a\"\n" +
			"mode: expected auto, semantic, keyword, hybrid or fusion, got \"b\""},
	} {
		_, _, err := readRequest(test.raw)
		if err == nil {
			t.Errorf("%s: accepted", test.raw)
			continue
		}
		if diff := cmp.Diff(test.want, err.Error()); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.raw, diff)
		}
	}
}

// A long name must not cost quadratic time or fill the answer.
func TestHostileNamesStayShort(t *testing.T) {
	name := strings.Repeat("ü", 1<<20)
	_, _, err := readRequest(`{"query":"x","` + name + `":1}`)
	if err == nil || len(err.Error()) > 1000 {
		t.Fatalf("got %.200v", err)
	}
}

// Several paths are one list with commas, from flags and from a list in a call.
func TestSeveralPaths(t *testing.T) {
	for _, args := range [][]string{{"--path", "lib/a", "-p", "docs/"}, {"--path=lib/a,docs/"}, {"--path=lib/a", "--path=", "--path=docs/"}} {
		var r Exact
		fs := pflag.NewFlagSet("exact", pflag.ContinueOnError)
		Flags(fs, r.Options())
		if err := fs.Parse(args); err != nil || r.Filter.Path != "lib/a,docs/" {
			t.Errorf("%q: path %q, %v", args, r.Filter.Path, err)
		}
	}
	for raw, want := range map[string]string{`["lib/a","docs/"]`: "lib/a,docs/", `["{a,b}/*.go","Makefile"]`: "{a,b}/*.go,Makefile", `["lib"]`: "lib", `"lib"`: "lib"} {
		r, _, err := readRequest(`{"query":"x","path":` + raw + `}`)
		if err != nil || r.Filter.Path != want {
			t.Errorf("%s: path %q, %v", raw, r.Filter.Path, err)
		}
	}
}
