package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/render/brief"
)

// made is a function of that name in a file of its own, whose body has the line.
func made(name, line string, tags ...string) *record.Chunk {
	text := "func " + name + "() {\n\tprepare(name)\n\t" + line + "\n}\n"
	return &record.Chunk{
		ID: "code-impl-" + name + ".go#" + name, ChunkType: record.Implementations, Title: name, Text: text, Tags: append([]string{"code", "go", "implementations"}, tags...),
		Metadata: record.Metadata{Source: record.SourceCode, FilePath: name + ".go", Language: "go", StartLine: 1, EndLine: strings.Count(text, "\n"), ByteEnd: len(text), SymbolName: name, SymbolType: record.Function},
	}
}

// TestExactFindsWhatMakesAMessage asks for messages as programs have said them.
func TestExactFindsWhatMakesAMessage(t *testing.T) {
	chunks := []*record.Chunk{
		made("braces", "error(\"Command `{}` not found\", name)"),
		made("percent", `warn("open %s: %d tries left of the day", name, n)`),
		made("dollar", "warn(`Failed to resolve ${kind.slice(0, -1)}: ${name}${extra}`)"),
		made("plus", `throw new Error("The table " + table.name + " has no column " + column)`),
		made("parts", "warn(`Extraneous attributes (` +\n\t\t`${names.join(', ')}) ` +\n\t\t`were passed to the component`)"),
		made("swift", `fatalError("Index \(i) is out of the range")`),
		made("other", `warn("Failed to resolve async component: " + name)`),
		made("prose", "// The command that was not yet found, the table that has a column, the index is out, and the tries left of the day."),
		made("tested", `expect("Failed to resolve directive: focus")`, "test"),
		made("shown", `expect("Index 7 is out of the range")`, "test"),
		made("empty", `warn("object file %s is empty", path)`),
		made("porcelain", `report("Your local changes to these files would be overwritten by %s:", name)`),
		made("unrelated", `die("refusing to merge unrelated histories")`),
		made("merging", `expect("error: Your local changes to these files would be overwritten by merge: a.c")`, "test"),
		made("stat", `warn("cannot stat %s: %s", path, reason)`),
		made("missing", `echo "$0: $notes: No such file or directory" >&2`),
		made("reader", `warn("zone %s of %s read with %d errors", name, path, n)`),
		made("grepped", `grep "zone one.zone read with 3 errors" log`),
		made("given", `expect("The quota of the tenant is used up")`, "test"),
	}
	slices.SortFunc(chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	x := newIndex(t, chunks)
	for _, tt := range []struct{ query, first, values, marked string }{
		{"\"Command `gti` not found\"", "braces", `"gti"`, "Command … not found"},
		{"Command `gti` not found", "braces", `"gti"`, "Command … not found"},
		{`"open /tmp/a.txt: 3 tries left of the day"`, "percent", `"tmp/a.txt: 3"`, "open … tries left of the day"},
		{`"Failed to resolve component: my-comp"`, "dollar", `"component: my-comp"`, "Failed to resolve"},
		{`"Failed to resolve component: my-comp" -path:test lang:go`, "dollar", `"component: my-comp"`, "Failed to resolve"},
		{`"The table visits has no column age"`, "plus", `"visits", "age"`, "The table … has no column"},
		{`"Extraneous attributes (class) were passed to the component"`, "parts", `"class"`, "Extraneous attributes … were passed to the component"},
		{`"Index 12 is out of the range"`, "swift", `"12"`, "Index … is out of the range"},
		// Only test code says this as it is; what makes it comes first.
		{`"Index 7 is out of the range"`, "swift", `"7"`, "Index … is out of the range"},
		// A label that the reporting function puts before the message is no part of it, and a path is a value however
		// long.
		{"error: Your local changes to these files would be overwritten by merge: a.c", "porcelain", `"error", "merge: a.c"`, "Your local changes to these files would be overwritten by"},
		{"error: object file .git/objects/ab/cdef0123456789 is empty", "empty", `"error", "git/objects/ab/cdef0123456789"`, "object file … is empty"},
		{"*** error: object file 77 is empty ***", "empty", `"error", "77"`, "object file … is empty"},
		// So is the reason of the system, unless there is no more.
		{`"cannot stat /srv/zones: No such file or directory"`, "stat", `"srv/zones: No such file or directory"`, "cannot stat"},
		{`"notes.txt: No such file or directory"`, "missing", `"notes.txt"`, "No such file or directory"},
		// A place does not come first for having a value.
		{`"zone b of /srv/a.zone read with 3 errors"`, "reader", `"b", "srv/a.zone", "3"`, "zone … of … read with … errors"},
		// This is no query.
		{"fatal: refusing to merge unrelated histories (origin/main", "unrelated", `"fatal", "origin/main"`, "refusing to merge unrelated histories"},
	} {
		response, err := x.Exact(t.Context(), answer.Request{Queries: []string{tt.query}})
		if err != nil {
			t.Fatal(err)
		}
		if len(response.Results) == 0 {
			t.Errorf("%s: nothing: %+v", tt.query, response.NoMatch)
			continue
		}
		h := response.Results[0]
		if h.Chunk.Title != tt.first || !strings.HasPrefix(response.Doubt, "not verbatim: ") || !strings.HasSuffix(response.Doubt, "Taken for values: "+tt.values) || !response.Metadata.Doubtful || response.NoMatch != nil {
			t.Errorf("%s: found %s, %q, %+v", tt.query, h.Chunk.Title, response.Doubt, response.NoMatch)
		}
		var marked []string
		for _, one := range h.Highlights {
			for _, part := range strings.Split(one.Text, "<mark>")[1:] {
				word, _, _ := strings.Cut(part, "</mark>")
				marked = append(marked, word)
			}
		}
		if got := strings.Join(marked, " … "); got != tt.marked {
			t.Errorf("%s: marked %s", tt.query, got)
		}
	}
}

// TestExactTakesLittleForAMessage searches for texts that occur verbatim, texts that are no message, and messages that
// no code produces.
func TestExactTakesLittleForAMessage(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		made("a", `error("Command not found", name, archive, retry)`),
		made("b", `// The table that is not there, the column of the age.`),
		made("c", `expect("The quota of the tenant is used up")`, "test"),
	})
	for query, found := range map[string]int{
		`"command not found"`:                       1,
		`"The quota of the tenant is used up"`:      1, // by test code alone, and nothing makes it
		`"Command gti not found"`:                   0, // there is no place for a value
		`"The table visits has no column age"`:      0,
		`"The quota of the tenant was exceeded" -c`: 0,
		`command AND (visits OR zebra) not found`:   0,
		`command zebra not found*`:                  0,
		`command found zebra`:                       0,
		`symbol:"command gti not found"`:            0,
		`/command/ gti not found`:                   0,
	} {
		response, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}})
		if err != nil {
			t.Fatal(err)
		}
		if response.TotalFound != found || response.Doubt != "" || (response.NoMatch == nil) != (found > 0) {
			t.Errorf("%s: %d hits, doubt %q, %+v", query, response.TotalFound, response.Doubt, response.NoMatch)
		}
	}
	if _, err := x.Exact(t.Context(), answer.Request{Queries: []string{"command gti not (found"}}); err == nil {
		t.Error("no error for a query with a fault that is no message")
	}
	// A filter holds for what makes a message as well, and pages go through it.
	var chunks []*record.Chunk
	for i := range 12 {
		chunks = append(chunks, made(fmt.Sprintf("maker%02d", i), `error("Command %q not found", name)`))
	}
	chunks = append(chunks, made("tester", `error("Command 'zsh' not found")`, "test"))
	x = newIndex(t, chunks)
	for _, tt := range []struct {
		req          answer.Request
		shown, total int
	}{
		{answer.Request{}, 12, 12},
		{answer.Request{Limit: 5}, 5, 12},
		{answer.Request{Limit: 5, Offset: 10}, 2, 12},
		{answer.Request{Filter: answer.Filter{Path: "maker03.go"}}, 1, 1},
		{answer.Request{Filter: answer.Filter{Tests: answer.TestsOnly}}, 1, 1},
		{answer.Request{Filter: answer.Filter{Languages: []string{"rust"}}}, 0, 0},
	} {
		tt.req.Queries = []string{"\"Command `gti` not found\""}
		response, err := x.Exact(t.Context(), tt.req)
		if err != nil || len(response.Results) != tt.shown || response.TotalFound != tt.total || (response.Doubt == "") != (tt.total == 0) {
			t.Errorf("%+v: %d of %d, %q, %v", tt.req, len(response.Results), response.TotalFound, response.Doubt, err)
		}
	}
}

// TestMatchesComeBeforeWhatStandsBesideThem shows a hit within growing budgets: lines that match come first, even if an
// earlier line has the same words.
func TestMatchesComeBeforeWhatStandsBesideThem(t *testing.T) {
	line := func(n string) string {
		return `error("The inference of the key has failed since the engine found ` + n + ` of the fields that end so, which is too few; please say which field is the key")`
	}
	c := made("infer", strings.Join([]string{"prepare(\"of the very first kind\")", line("none"), "settle(\"this of the key alone\")", line("many"), "leave()"}, "\n\t"))
	x := newIndex(t, []*record.Chunk{c})
	response, err := x.Exact(t.Context(), answer.Request{Queries: []string{`"of the key has failed"`}, Lines: true})
	if err != nil {
		t.Fatal(err)
	}
	some := false
	for tokens := 30; tokens < 300; tokens++ {
		text := brief.Text(response, tokens, brief.Arguments)
		if strings.Contains(text, "prepare") || strings.Contains(text, "settle") || strings.Contains(text, "leave") {
			some = true
			if !strings.Contains(text, "none") || !strings.Contains(text, "many") {
				t.Fatalf("%d tokens:\n%s", tokens, text)
			}
		}
	}
	if !some {
		t.Error("no other line is ever shown")
	}
}

// TestVerbatimPhraseComesFirst has places with the words of a phrase more often, but with a place for a value between
// them.
func TestVerbatimPhraseComesFirst(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		made("asRecord", "error(\"Can't convert {} to record\"); error(\"Can't convert {} to list\")"),
		made("asText", "error(\"Can't convert {} to text\"); error(\"Can't convert {} to words\")"),
		made("convert", "error(\"It failed since one: Can't  convert to {to_type}, whatever one can try\")"),
	})
	response, err := x.Exact(t.Context(), answer.Request{Queries: []string{`"Can't convert to"`}})
	if err != nil {
		t.Fatal(err)
	}
	if len(response.Results) != 3 || response.Results[0].Chunk.Title != "convert" || response.Doubt != "" {
		for _, h := range response.Results {
			t.Errorf("found %s, %g", h.Chunk.Title, h.Score)
		}
	}
}
