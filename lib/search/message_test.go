package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/lineartest"
	"cortex/lib/record"
	"cortex/lib/search/answer"
)

func TestLiteralMakesMessage(t *testing.T) {
	for _, tt := range []struct {
		line, message string
		want          bool
	}{
		{`fmt.Errorf("open %s: %d tries left", name, n)`, "open a.txt: 3 tries left", true},
		{`fmt.Errorf("header %d: invalid format \"%s\" (expecting %q)", i, h)`, `header 2: invalid format "X-Foo" (expecting "Field: value")`, true},
		{`raise Error("Job {} failed: {}".format(job, logs))`, "Job 77aa-12 failed: container exited", true},
		{`raise Error(f"no table {table.name!r} in {base}")`, "no table 'visits' in shop", true},
		{`log.info("%(count)d rows of %(table)s were read" % values)`, "12 rows of visits were read", true},
		{"throw new Error(`cannot read ${file} of ${user.name}`)", "cannot read a.txt of Eve", true},
		{`raise "no #{thing} behind the door"`, "no lamp behind the door", true},
		{`fatalError("index \(i) is out of range")`, "index 7 is out of range", true},
		{`return errors.New("the door is closed")`, "open house: the door is closed", true},
		{`return errors.New("The Door is  closed")`, "open house: the door is closed", true},
		{`fmt.Errorf("close %s: %d tries left", name, n)`, "open a.txt: 3 tries left", false},
		{`fmt.Errorf("%d tries left to open %s", n, name)`, "open a.txt: 3 tries left", false},
		{`fmt.Errorf("%s: %w", name, err)`, "open a.txt: 3 tries left", false},
		{`fmt.Errorf("open %s", name)`, "open a.txt: 3 tries left", false},
		{`// don't open a.txt: 3 tries left, or it's gone`, "open a.txt: 3 tries left", false},
		{`field("Parent page", "the parent page")`, "parent page / subpage type rules", false},
		{`add("Expect: 100-continue\r\n")`, "requests are slow with Expect: 100-continue", false},
		{`errors.New("no such user")`, "login: no such user (bob)", true},
		{`errors.New("no such user")`, "login of bob with no such user in shop 7", false},
		{`throw new Error("no such user: " + name + " in " + shop)`, "login: no such user: bob in shop 7 of all the shops", true},
		{`console.log("Failed to open", name)`, "Failed to open a.txt", true},
		{`"a text that does not end: 3 tries left`, "open a.txt: 3 tries left", false},
	} {
		got := false
		for literal := range literals(tt.line) {
			got = got || makes(literal, plainMessage(tt.message)) > 0
		}
		if got != tt.want {
			t.Errorf("%s makes %q: %v", tt.line, tt.message, got)
		}
	}
}

// TestMessageFindsWhatMakesIt has many chunks with more of the words of the message than the one whose literal it fits.
func TestMessageFindsWhatMakesIt(t *testing.T) {
	chunk := func(name, text string) *record.Chunk {
		return &record.Chunk{
			ID: "code-impl-" + name + ".go#" + name, ChunkType: record.Implementations, Title: name, Text: text, Tags: []string{"code", "go", "implementations"},
			Metadata: record.Metadata{Source: record.SourceCode, FilePath: name + ".go", Language: "go", StartLine: 1, EndLine: 1 + strings.Count(text, "\n"), SymbolName: name, SymbolType: record.Function},
		}
	}
	var chunks []*record.Chunk
	for i := range 30 {
		chunks = append(chunks, chunk(fmt.Sprintf("Destination%d", i), "// Destination exists, destination of a path in tmp: the file foo bar of the destination exists.\nfunc Destination() { exists(destination, tmp, foo, bar) }\n"))
	}
	chunks = append(chunks, chunk("Move", "func Move(to string) error {\n\tprepare(to)\n\tprepare(to)\n\tprepare(to)\n\treturn fmt.Errorf(\"destination %s exists\", to)\n}\n"))
	chunks = append(chunks, chunk("Quota", "func Quota() error {\n\tprepare()\n\treturn errors.New(\"the quota of the tenant is used up, ask for more\")\n}\n"))
	slices.SortFunc(chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	x, err := newInMemory(&contents{chunks: chunks}, nil, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]string{
		"destination /tmp/foo/bar exists":                "Move.go",
		"error: destination /tmp/foo/bar exists (17)":    "Move.go",
		"why does a destination /tmp/foo/bar exist?":     "",
		"destination of a path in tmp the file exists":   "",
		"when is 'quota of the tenant is used up' said?": "Quota.go",
	} {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{question}})
		if err != nil || len(r.Results) == 0 {
			t.Fatalf("%s: %v, %v", question, r, err)
		}
		first := r.Results[0]
		if got := first.Chunk.Metadata.FilePath; (got == "Move.go" || got == "Quota.go") != (want != "") || want != "" && got != want {
			t.Errorf("%s: %s", question, got)
		}
		if want != "" && !slices.ContainsFunc(first.Highlights, func(h answer.Highlight) bool {
			return strings.Contains(h.Text, "Errorf") || strings.Contains(h.Text, "errors.New")
		}) {
			t.Errorf("%s: the literal is not shown: %v", question, first.Highlights)
		}
		if !slices.IsSortedFunc(r.Results, func(a, b answer.Hit) int { return cmp.Compare(b.Score, a.Score) }) {
			t.Errorf("%s: the scores are not in order", question)
		}
	}
	if r, err := x.Search(t.Context(), answer.Request{Queries: []string{"destination /tmp/foo/bar exists"}, Mode: answer.Keyword}); err != nil || r.Results[0].Chunk.Metadata.FilePath == "Move.go" {
		t.Errorf("mode keyword is by words alone: %v", err)
	}
}

// Code that has a message as it was written is the whole answer. Without such code, and without a literal that fits,
// the code with the most of the words in their order comes first. Equal functions are one hit.
func TestWholeMessageAndChangedMessage(t *testing.T) {
	chunks := []*record.Chunk{chunk("a.py", "check", "def check(axis):\n"+strings.Repeat("    prepare(one, two)\n", 12)+"    raise ValueError(\"Unknown orientation of the axis: use up or down\")\n")}
	for i := range 8 {
		chunks = append(chunks, chunk(fmt.Sprintf("b%d.py", i), "unknown_axis_orientation", "def unknown_axis_orientation(axis):\n    # ValueError: down or left of the axis orientation unknown, ValueError of left\n    return orientation(axis)\n"))
	}
	x := newIndex(t, chunks)
	for question, hits := range map[string]int{"Unknown orientation of the axis: use up or down": 1, "ValueError: Unknown orientation of the axis: use left or down": 2} {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{question}, Limit: -1})
		if err != nil || len(r.Results) != hits || r.TotalFound != hits || r.Results[0].Chunk.Metadata.FilePath != "a.py" {
			t.Errorf("%s: %v, %d of %d hits, the first is %s", question, err, len(r.Results), r.TotalFound, r.Results[0].Chunk.ID)
		}
	}
}

// A question may quote a message; a report quotes much.
func TestMessagesOf(t *testing.T) {
	for text, want := range map[string][]string{
		`when is "quota is used up" said?`:               {"quota is used up"},
		"why 'quota  is Used up', and (`ask for more`)?": {"quota is used up", "ask for more"},
		"the tenant's quota isn't used up by others":     {"the tenant's quota isn't used up by others"},
		"where is the quota used up":                     nil,
		`why "used up"?`:                                 nil,
		"Requests of a tenant are refused\n\nWe see 'quota is used up' in the log of every server since the update of last week, and nothing else?": nil,
	} {
		if got := messagesOf(answer.Request{}, []string{text}); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// A line may have any number of quotes that nothing closes.
func TestLiteralsInLinearTime(t *testing.T) {
	n := lineartest.Size(t)
	for _, seed := range []string{`"\"`, "`'", `\"`} {
		lineartest.Check(t, seed, n, func(n int) func() {
			text := `"` + lineartest.Repeat(seed, n)
			return func() {
				for range literals(text) {
				}
			}
		})
	}
}
