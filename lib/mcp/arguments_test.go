package mcp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
	"cortex/lib/search"
	"cortex/lib/search/answer"
	"cortex/lib/search/show"
)

// readRequest reads arguments the way search tools do.
func readRequest(raw string) (search.Request, int, error) {
	a, err := parseArguments(json.RawMessage(raw))
	if err != nil {
		return search.Request{}, 0, err
	}
	req := searchRequest(a)
	tokens := maxTokens(a, false)
	return req, tokens, a.err()
}

func TestArgumentsThatAreUnderstood(t *testing.T) {
	base := search.Request{Queries: []string{"x"}, Limit: 10}
	with := func(change func(*search.Request)) search.Request {
		r := base
		change(&r)
		return r
	}
	for _, test := range []struct {
		raw    string
		want   search.Request
		tokens int
	}{
		{`{"query":"x"}`, base, 20000},
		{`{"query":"x","limit":5}`, with(func(r *search.Request) { r.Limit = 5 }), 20000},
		{`{"query":"x","limit":"5"}`, with(func(r *search.Request) { r.Limit = 5 }), 20000},
		{`{"query":"x","limit":5.0}`, with(func(r *search.Request) { r.Limit = 5 }), 20000},
		{`{"query":"x","limit":1}`, with(func(r *search.Request) { r.Limit = 1 }), 20000},
		{`{"query":"x","limit":100,"max_tokens":"500"}`, with(func(r *search.Request) { r.Limit = 100 }), 500},
		{`{"query":"x","limit":null,"path":null,"tags":null,"mode":null,"max_tokens":null}`, base, 20000},
		{`{"query":["x"]}`, base, 20000},
		{`{"query":["x","y"]}`, with(func(r *search.Request) { r.Queries = []string{"x", "y"} }), 20000},
		{`{"query":"x","topics":["y","z"]}`, with(func(r *search.Request) { r.Queries = []string{"x", "y", "z"} }), 20000},
		{`{"query":"x","topics":"y"}`, with(func(r *search.Request) { r.Queries = []string{"x", "y"} }), 20000},
		{`{"topics":["y"]}`, with(func(r *search.Request) { r.Queries = []string{"y"} }), 20000},
		{`{"query":"[a-z], not a list"}`, with(func(r *search.Request) { r.Queries = []string{"[a-z], not a list"} }), 20000},
		{`{"query":"x","languages":"go"}`, with(func(r *search.Request) { r.Filter.Languages = []string{"go"} }), 20000},
		{`{"query":"x","languages":["go","python"]}`, with(func(r *search.Request) { r.Filter.Languages = []string{"go", "python"} }), 20000},
		{`{"query":"x","languages":"[\"go\",\"python\"]"}`, with(func(r *search.Request) { r.Filter.Languages = []string{"go", "python"} }), 20000},
		{`{"query":"x","languages":[]}`, with(func(r *search.Request) { r.Filter.Languages = []string{} }), 20000},
		{`{"query":"x","tags":["code","test"]}`, with(func(r *search.Request) { r.Filter.Tags = []string{"code", "test"} }), 20000},
		{`{"query":"x","chunk_types":["Data"],"symbol_type":"Method","mode":"KEYWORD"}`, with(func(r *search.Request) {
			r.Filter.ChunkTypes = []string{"data"}
			r.Filter.SymbolType = "method"
			r.Mode = search.Keyword
		}), 20000},
		{`{"like":"lib/a.go:7"}`, with(func(r *search.Request) { r.Queries, r.Like = nil, "lib/a.go:7" }), 20000},
		{`{"query":"x","like":null}`, base, 20000},
		{`{"query":"x","min_score":0.25}`, with(func(r *search.Request) { r.MinScore = scoreOf(0.25) }), 20000},
		{`{"query":"x","min_score":"0"}`, with(func(r *search.Request) { r.MinScore = scoreOf(0) }), 20000},
		{`{"query":"x","context":"full"}`, with(func(r *search.Request) { r.Context.Full = true }), 20000},
		{`{"query":"x","context":"3"}`, with(func(r *search.Request) { r.Context = search.Around{Before: 3, After: 3} }), 20000},
		{`{"query":"x","context":50}`, with(func(r *search.Request) { r.Context = search.Around{Before: 50, After: 50} }), 20000},
		{`{"query":"x","context_before":2,"context_after":"7"}`, with(func(r *search.Request) { r.Context = search.Around{Before: 2, After: 7} }), 20000},
		{`{"query":"x","context":5,"context_after":0}`, with(func(r *search.Request) { r.Context.Before = 5 }), 20000},
		{`{"query":"x","context_after":3}`, with(func(r *search.Request) { r.Context.After = 3 }), 20000},
		{`{"query":"x","path":"lib/**","symbol_name":"Parse*"}`, with(func(r *search.Request) {
			r.Filter.Path = "lib/**"
			r.Filter.SymbolName = "Parse*"
		}), 20000},
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

func scoreOf(x float64) *float64 { return &x }

func TestArgumentsThatAreRefused(t *testing.T) {
	const known = "known arguments: query, topics, like, mode, min_score, limit, offset, chunk_types, tags, languages, path, symbol_type, symbol_name, tests, context, context_before, context_after, max_tokens"
	long := strings.Repeat("x", 20_001)
	for _, test := range []struct{ raw, want string }{
		{``, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`null`, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`{}`, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`{"query":" "}`, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`{"query":[]}`, `query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`"x"`, `arguments: expected an object with named arguments, got "x"`},
		{`[1]`, `arguments: expected an object with named arguments, got [1]`},
		{`{"query":5}`, `query: expected a string, got 5; write it in quotes: "..."`},
		{`{"query":{"a":1}}`, `query: expected a string, got {"a":1}; write it in quotes: "..."`},
		{`{"query":["a",1]}`, `query: expected a list of strings, got ["a",1]; write it like ["a", "b"]`},
		{`{"query":["a",null]}`, `query: expected a list of strings, got ["a",null]; write it like ["a", "b"]`},
		{`{"query":["a",""]}`, `query: an item is blank; leave it out`},
		{`{"query":"` + long + `"}`, `query: 20001 characters are too many; give at most 20000`},
		{`{"query":"x","topics":["1","2","3","4","5","6","7","8","9","10","11"]}`, `topics: 11 items are too many; give at most 10`},
		{`{"query":"x","limit":0}`, `limit: 0 is out of range; give a whole number from 1 to 100`},
		{`{"query":"x","limit":101}`, `limit: 101 is out of range; give a whole number from 1 to 100`},
		{`{"query":"x","limit":-3}`, `limit: -3 is out of range; give a whole number from 1 to 100`},
		{`{"query":"x","limit":1e300}`, `limit: 1e300 is out of range; give a whole number from 1 to 100`},
		{`{"query":"x","limit":1e999}`, `limit: expected a whole number, got 1e999; give a whole number from 1 to 100`},
		{`{"query":"x","limit":2.5}`, `limit: expected a whole number, got 2.5; give a whole number from 1 to 100`},
		{`{"query":"x","limit":"many"}`, `limit: expected a whole number, got "many"; give a whole number from 1 to 100`},
		{`{"query":"x","limit":"NaN"}`, `limit: expected a whole number, got "NaN"; give a whole number from 1 to 100`},
		{`{"query":"x","limit":"Inf"}`, `limit: "Inf" is out of range; give a whole number from 1 to 100`},
		{`{"query":"x","limit":true}`, `limit: expected a whole number, got true; give a whole number from 1 to 100`},
		{`{"query":"x","limit":[5]}`, `limit: expected a whole number, got [5]; give a whole number from 1 to 100`},
		{`{"query":"x","max_tokens":499}`, `max_tokens: 499 is out of range; give a whole number from 500 to 100000`},
		{`{"query":"x","like":"lib/a.go:7"}`, `like: given along with a query; give one of them`},
		{`{"query":"x","context":51}`, `context: expected a number of lines or full, got 51; give a number of lines from 0 to 50, or full`},
		{`{"query":"x","context_before":51}`, `context_before: 51 is out of range; give a whole number from 0 to 50`},
		{`{"query":"x","context":"full","context_after":2}`, `context: full along with lines before or after; give one of them`},
		{`{"query":"x","min_score":1.5}`, `min_score: expected a number from 0 to 1, got 1.5; write it like 0.5`},
		{`{"query":"x","context":"all"}`, `context: expected a number of lines or full, got "all"; give a number of lines from 0 to 50, or full`},
		{`{"query":"x","languages":"go,python"}`, `languages: "go,python": a comma does not separate items; write ["go","python"]`},
		{`{"query":"x","tags":["code, go"]}`, `tags: "code, go": a comma does not separate items; write ["code","go"]`},
		{`{"query":"x","tags":7}`, `tags: expected a list of strings, got 7; write it like ["a", "b"]`},
		{`{"query":"x","tags":"[1]"}`, `tags: expected a list of strings, got "[1]"; write it like ["a", "b"]`},
		{`{"query":"x","chunk_types":["function"]}`, `chunk_types: unknown value "function"; give one of: symbols, definitions, data, implementations, documentation`},
		{`{"query":"x","chunk_types":"docs"}`, `chunk_types: unknown value "docs"; give one of: symbols, definitions, data, implementations, documentation`},
		{`{"query":"x","chunk_types":"implementation"}`, `chunk_types: unknown value "implementation"; did you mean "implementations"? give one of: symbols, definitions, data, implementations, documentation`},
		{`{"query":"x","mode":"exact"}`, `mode: unknown value "exact"; give one of: auto, semantic, keyword, hybrid, fusion`},
		{`{"query":"x","mode":"semantics"}`, `mode: unknown value "semantics"; did you mean "semantic"? give one of: auto, semantic, keyword, hybrid, fusion`},
		{`{"query":"x","path":["a"]}`, `path: expected a string, got ["a"]; write it in quotes: "..."`},
		{`{"query":"x","chunkTypes":["data"]}`, "chunkTypes: unknown argument; did you mean \"chunk_types\"?\n" + known},
		{`{"query":"x","chunk_type":["data"]}`, "chunk_type: unknown argument; did you mean \"chunk_types\"?\n" + known},
		{`{"query":"x","lang":"go"}`, "lang: unknown argument; did you mean \"languages\"?\n" + known},
		{`{"querry":"x"}`, "querry: unknown argument; did you mean \"query\"?\n" + known + "\n" +
			`query: missing or blank; say what to find, such as "where are passwords checked"`},
		{`{"query":"x","zebra":1,"Limit":2}`, "Limit: unknown argument; did you mean \"limit\"?\nzebra: unknown argument; leave it out\n" + known},
		{`{"query":1,"limit":"a","mode":"b"}`, "query: expected a string, got 1; write it in quotes: \"...\"\n" +
			"mode: unknown value \"b\"; give one of: auto, semantic, keyword, hybrid, fusion\n" +
			"limit: expected a whole number, got \"a\"; give a whole number from 1 to 100"},
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

// A name of any length must not cost quadratic time or fill the answer.
func TestHostileNamesStayShort(t *testing.T) {
	name := strings.Repeat("ü", 1<<20)
	_, _, err := readRequest(`{"query":"x","` + name + `":1}`)
	if err == nil || len(err.Error()) > 1000 {
		t.Fatalf("got %.200v", err)
	}
}

func TestSchemasNameWhatIsRead(t *testing.T) {
	for _, tool := range tools() {
		var schema struct {
			Properties map[string]struct {
				Type, Description string
				Minimum, Maximum  *int
				Enum              []string
				Default           any
				Items             *struct{ Enum []string }
			}
			Required []string
		}
		if err := json.Unmarshal([]byte(tool.schema), &schema); err != nil {
			t.Fatalf("%s: %v", tool.name, err)
		}
		a, _ := parseArguments(nil)
		tool.prepare(a)
		var named []string
		for name, p := range schema.Properties {
			named = append(named, name)
			if strings.Count(p.Description, " ") > 25 {
				t.Errorf("%s: %s: description %q", tool.name, name, p.Description)
			}
		}
		slices.Sort(named)
		for name, words := range map[string][]string{
			"symbol_type": names(record.Kinds), "mode": names(answer.Modes), "operation": operations(), "tests": answer.TestChoices(),
		} {
			if p, ok := schema.Properties[name]; ok && !slices.Equal(p.Enum, words) {
				t.Errorf("%s: %s: the schema enumerates %q, the code %q", tool.name, name, p.Enum, words)
			}
		}
		if p, ok := schema.Properties["chunk_types"]; ok && !slices.Equal(p.Items.Enum, names(record.ChunkTypes)) {
			t.Errorf("%s: chunk_types: the schema enumerates %q, the code %q", tool.name, p.Items.Enum, names(record.ChunkTypes))
		}
		read := slices.Sorted(slices.Values(a.asked))
		quiet := map[string][]string{
			"cortex_search": {"tags", "min_score", "context_before", "context_after", "include_stats"},
			"cortex_exact":  {"tags", "context_before", "context_after", "include_stats", "languages", "chunk_types", "symbol_type", "symbol_name"},
		}[tool.name]
		read = slices.DeleteFunc(read, func(name string) bool { return slices.Contains(quiet, name) })
		if diff := cmp.Diff(named, read); diff != "" {
			t.Errorf("%s: schema and reading differ: (-schema +read)\n%s", tool.name, diff)
		}
		// What the schema admits at its bounds, the tool admits; one more it refuses.
		try := func(name string, value any) error {
			object := map[string]any{}
			for _, required := range schema.Required {
				object[required] = "x"
			}
			switch name {
			case "query", "topics", "like":
				delete(object, "query") // one of them
			case "to":
				object["operation"] = "path"
			case "operation":
				if value == "path" {
					object["to"] = "x"
				}
			}
			if object["operation"] == "x" {
				object["operation"] = "callers"
			}
			if tool.name == "cortex_search" && name != "like" {
				object["query"] = "x"
			}
			object[name] = value
			raw, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			a, err := parseArguments(raw)
			if err != nil {
				t.Fatal(err)
			}
			tool.prepare(a)
			return a.err()
		}
		for name, p := range schema.Properties {
			good, bad := []any{}, []any{}
			switch {
			case p.Minimum != nil:
				good = append(good, *p.Minimum, *p.Maximum, p.Default)
				bad = append(bad, *p.Minimum-1, *p.Maximum+1)
			case p.Type == "string" && p.Enum != nil:
				for _, word := range p.Enum {
					good = append(good, word)
				}
				bad = append(bad, "nonsense")
			case p.Type == "string" && name != "context":
				good = append(good, strings.Repeat("é", 500))
				bad = append(bad, strings.Repeat("é", 20_001))
			case p.Type == "array" && p.Items.Enum != nil:
				good = append(good, p.Items.Enum)
				bad = append(bad, []string{"nonsense"})
			case p.Type == "array":
				good = append(good, slices.Repeat([]string{"a"}, 10))
				bad = append(bad, slices.Repeat([]string{"a"}, 21))
			}
			for _, value := range good {
				if err := try(name, value); err != nil {
					t.Errorf("%s: %s: the schema admits what is refused: %v", tool.name, name, err)
				}
			}
			for _, value := range bad {
				if err := try(name, value); err == nil {
					t.Errorf("%s: %s: %.40v is accepted against the schema", tool.name, name, value)
				}
			}
		}
	}
}

// Every conversation pays for the descriptions and schemas of the tools. The estimate counts up to a tenth more than tokenizers do.
func TestToolsCostLittle(t *testing.T) {
	total := 0
	for _, tool := range tools() {
		var schema bytes.Buffer
		if err := json.Compact(&schema, []byte(tool.schema)); err != nil {
			t.Fatal(err)
		}
		n := show.Tokens(tool.name + tool.description + schema.String())
		t.Log(tool.name, n)
		total += n
		if examples := strings.Count(tool.description, `{"`); examples != 2 {
			t.Errorf("%s: %d examples", tool.name, examples)
		}
	}
	if total > 1200 {
		t.Errorf("the tools take %d tokens, at most 1,200", total)
	}
}

// TestTasks compares tasks with the tool and arguments that an assistant should choose for them: all are named in the schema, and accepted.
func TestTasks(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "tasks.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range bytes.Lines(data) {
		var task struct {
			Task, Tool string
			Arguments  json.RawMessage
		}
		if err := json.Unmarshal(line, &task); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		count++
		at := slices.IndexFunc(tools(), func(tool tool) bool { return tool.name == task.Tool })
		if at < 0 {
			t.Errorf("%s: no tool %q", task.Task, task.Tool)
			continue
		}
		a, err := parseArguments(task.Arguments)
		if err != nil {
			t.Fatal(err)
		}
		tools()[at].prepare(a)
		if err := a.err(); err != nil {
			t.Errorf("%s: %v", task.Task, err)
		}
		for name := range a.values {
			if !strings.Contains(tools()[at].schema, `"`+name+`": {`) {
				t.Errorf("%s: the schema does not name %s", task.Task, name)
			}
		}
	}
	if count < 30 {
		t.Errorf("%d tasks", count)
	}
}
