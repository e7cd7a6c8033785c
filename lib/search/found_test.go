package search

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// tiersFile is the file that tiers are of.
const tiersFile = "package a\n\n// Open opens.\nfunc Open(name string) {\n\tcall(name)\n}\n\ntype Store struct {\n\tname string\n}\n"

// tiers are chunks of one file as the chunker makes them, and a section.
func tiers() []*record.Chunk {
	file := tiersFile
	span := func(c *record.Chunk, first, last int, text string) {
		at := strings.Index(file, text)
		c.Metadata.StartLine, c.Metadata.EndLine, c.Metadata.ByteStart, c.Metadata.ByteEnd = first, last, at, at+len(text)
	}
	body := file[strings.Index(file, "// Open"):strings.Index(file, "\n\ntype")]
	open := chunk("a.go", "a.Open", "// a.Open\n"+body)
	span(open, 3, 6, body)
	outline := chunk("a.go", "", "a.go: a go\n10 lines of go, package a\n1 type:\n  Store, struct, lines 8-10\n1 function:\n  Open, lines 3-6")
	outline.ID, outline.ChunkType, outline.Title = "code-symbols-a.go", record.Symbols, "a.go: outline"
	outline.Metadata.StartLine, outline.Metadata.EndLine, outline.Metadata.ByteEnd = 1, 10, len(file)
	definitions := chunk("a.go", "", "// Lines 3-6\n// Open opens.\nfunc Open(name string)\n\n// Lines 8-10\ntype Store struct {\n\tname string\n}")
	definitions.ID, definitions.ChunkType = "code-definitions-a.go", record.Definitions
	span(definitions, 3, 10, strings.TrimSuffix(file[strings.Index(file, "// Open"):], "\n"))
	definitions.Metadata.SymbolName, definitions.Metadata.SymbolType = "", ""
	definitions.Metadata.Symbols = []record.SymbolRef{{Name: "Store", Type: record.Struct, Line: 8}}
	definitions.Metadata.Repeats = []record.LineRange{{1, 5}}
	document := chunk("a.md", "b", "> A › Opening\n\n## Opening a store\nOpen it.", asDocument)
	document.Metadata.StartLine, document.Metadata.EndLine, document.Metadata.ByteStart, document.Metadata.ByteEnd = 3, 4, 20, 20+len("## Opening a store\nOpen it.")
	return []*record.Chunk{open, outline, definitions, document}
}

// A line of code that is no query is looked for as it is written. If it occurs nowhere, a sign in it is no match, and
// any other fault (!) is the error of the query.
func TestCodeIsFoundAsWritten(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.go", "Load", "func Load() error {\n\tif err != nil && !done(x)  {\n\t\treturn nil\n\t}\n}"),
		chunk("b.json", "", "{\n  \"port\": 80,\n  \"urn\": \"urn:a:b\"\n}"),
		chunk("c.go", "Other", "func Other() { err(nil, done, x, port, 8080) }"),
	})
	for query, want := range map[string]string{
		"err != nil && !done(x) {": "a.go", "  ERR != nil && !done(x) {\n": "a.go", `"port": 80`: "b.json", "urn:a:b": "b.json",
		"err == nil": "", "done - nil": "", "urn:a:c": "!", "err != nil &&": "a.go", `"port": 8`: "", "(": "!", "language:go (err": "!", "err || nil": "!",
	} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}})
		var fault *QueryError
		switch {
		case want == "!":
			if !errors.As(err, &fault) || fault.Query != query {
				t.Errorf("%s: error %v", query, err)
			}
		case want == "":
			if err != nil || len(r.Results) > 0 || !strings.Contains(r.NoMatch.Message, "as a query: position ") {
				t.Errorf("%s: %v, %v", query, r, err)
			}
		case err != nil || len(r.Results) != 1 || r.Results[0].Chunk.Metadata.FilePath != want:
			t.Errorf("%s: %v, %v", query, r, err)
		case !strings.HasPrefix(r.Metadata.Warning, "looked for as it is written, since it is no query: "):
			t.Errorf("%s: warning %q", query, r.Metadata.Warning)
		}
	}
	if _, err := x.Exact(t.Context(), answer.Request{Queries: []string{"urn:a:b", "port"}}); err == nil {
		t.Error("no error for one of several queries")
	}
}

// A command line or a product is looked for as it is written, and so is a pattern that matches nothing. If the text
// occurs nowhere, the query is answered.
func TestOperatorsThatMayBeCode(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("build.sh", "build", "build() {\n\ttar -xzf  file\n}"),
		chunk("pack.sh", "pack", "pack() {\n\ttar -czf file; cut a-xzf\n}"),
		chunk("other.sh", "other", "other() {\n\ttar file xzf z\n}"),
		chunk("day.ts", "day", "const day = 24 * hour\nconst last = data?.pages"),
		chunk("week.go", "Weeks", "func Weeks() { return week * 24 * count }"),
		made("week_test", "want(week * 24 * 7)", "test"),
		chunk("hour.ts", "hour", "const most = hour + 24\nlet data, pages"),
	})
	for _, tt := range []struct {
		query, want string
		asWritten   bool
	}{
		{"week * 24 * 7", "week_test.go", true},
		{"tar -xzf file", "build.sh", true},
		{" -xzf", "build.sh", true},
		{"tar -z", "build.sh pack.sh", false},
		{"file -xzf", "", false},
		{`tar -"z"`, "build.sh pack.sh", false},
		{"tar NOT z", "build.sh pack.sh", false},
		{"tar -path:pack", "build.sh other.sh", false},
		{"24 * hour", "day.ts", true},
		{"hour * const", "day.ts hour.ts", false},
		{"data?.pages", "day.ts", true},
		{"datt?.pages", "", false},
	} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{tt.query}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range r.Results {
			got = append(got, h.Chunk.Metadata.FilePath)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != tt.want || strings.HasPrefix(r.Metadata.Warning, "looked for as it is written") != tt.asWritten {
			t.Errorf("%s: got %v and %q, want %s", tt.query, got, r.Metadata.Warning, tt.want)
		}
	}
}

func TestEachPlaceIsFoundOnce(t *testing.T) {
	x := newIndex(t, tiers())
	for q, want := range map[string]string{
		"open":                      "code-impl-a.go#a.Open doc-a.md#b",
		"name":                      "code-definitions-a.go code-impl-a.go#a.Open",
		"store":                     "code-definitions-a.go doc-a.md#b",
		"lines":                     "",
		"struct":                    "code-definitions-a.go",
		`"a open"`:                  "",
		"a.Open":                    "code-impl-a.go#a.Open",
		"path:a.go":                 "code-definitions-a.go code-impl-a.go#a.Open",
		"chunk_type:symbols lines":  "code-symbols-a.go",
		"chunk_type:symbols":        "code-symbols-a.go",
		"chunk_type:sym*":           "code-symbols-a.go",
		"chunk_type:/^sym/":         "code-symbols-a.go",
		"chunk_type:simbols~1":      "code-symbols-a.go",
		"chunk_type:sym* lines":     "code-symbols-a.go",
		"chunk_type:*ti* store":     "code-definitions-a.go doc-a.md#b",
		"chunk_type:* open":         "code-impl-a.go#a.Open doc-a.md#b",
		"title:outline":             "code-symbols-a.go",
		"title:outl* path:a.go":     "code-symbols-a.go",
		"title:outline lines":       "",
		"title:outline OR struct":   "code-definitions-a.go code-symbols-a.go",
		"-title:outline path:a.go":  "code-definitions-a.go code-impl-a.go#a.Open",
		"lines OR (a -title:b)":     "",
		"chunk_type:definitions Op": "",
		"chunk_type:definitions open OR chunk_type:documentation opening": "code-definitions-a.go doc-a.md#b",
	} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, h := range r.Results {
			ids = append(ids, h.Chunk.ID)
			if h.Chunk.Metadata.Repeats != nil {
				t.Errorf("%s: %+v", q, h.Chunk.Metadata)
			}
		}
		slices.Sort(ids)
		if got := strings.Join(ids, " "); got != want || r.TotalFound != len(ids) {
			t.Errorf("%s: found %q (%d), want %q", q, got, r.TotalFound, want)
		}
	}
}

// TestMatchRanges compares the ranges of matches with the files.
func TestMatchRanges(t *testing.T) {
	files := map[string]string{
		"a.go": tiersFile,
		"a.md": "A\n=\n\n\nNothing to see\n\n" + "## Opening a store\nOpen it.",
	}
	chunks := tiers()
	document := chunks[3]
	document.Metadata.ByteStart = strings.Index(files["a.md"], "## ")
	document.Metadata.ByteEnd = len(files["a.md"])
	document.Metadata.StartLine, document.Metadata.EndLine = 7, 8
	x := newIndex(t, chunks)
	for _, q := range []string{"open", "name", "store", "call", "struct"} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}, Limit: -1})
		if err != nil || r.TotalFound == 0 {
			t.Fatalf("%s: %v, %v", q, r, err)
		}
		for _, h := range r.Results {
			file := files[h.Chunk.Metadata.FilePath]
			matches := 0
			for _, highlight := range h.Highlights {
				for _, m := range highlight.Matches {
					matches++
					line := strings.Split(file, "\n")[m.Line-1]
					if got := line[m.Column-1 : m.Column-1+m.Length]; !strings.HasPrefix(strings.ToLower(got), q) {
						t.Errorf("%s: %s: %+v is %q", q, h.Chunk.ID, m, got)
					}
					if m.Bytes == nil {
						if h.Chunk.ChunkType != record.Definitions {
							t.Errorf("%s: %s: %+v", q, h.Chunk.ID, m)
						}
					} else if got := file[m.Bytes[0]:m.Bytes[1]]; len(got) != m.Length || !strings.HasPrefix(strings.ToLower(got), q) {
						t.Errorf("%s: %s: bytes %v are %q", q, h.Chunk.ID, *m.Bytes, got)
					}
				}
				want := map[record.ChunkType]string{record.Implementations: "a.Open", record.Definitions: "Store"}[h.Chunk.ChunkType]
				if highlight.Symbol != want {
					t.Errorf("%s: %s: line %d is in %q, want %q", q, h.Chunk.ID, highlight.Line, highlight.Symbol, want)
				}
			}
			if matches == 0 {
				t.Errorf("%s: %s: no matches in %+v", q, h.Chunk.ID, h.Highlights)
			}
		}
	}
}

func TestFilesAndLines(t *testing.T) {
	x := newIndex(t, tiers())
	for q, want := range map[string]string{
		"open":     "a.go:3 a.go:4 a.md:3 a.md:4",
		"name":     "a.go:4 a.go:5 a.go:9",
		"lang:go":  "a.go:3 a.go:8",
		"symbol:*": "a.go:3 a.go:8",
		// An outline is in no line of the file.
		"chunk_type:symbols struct": "a.go:1",
		"open store":                "a.md:3 a.md:4",
	} {
		f, err := x.Find(t.Context(), answer.Request{Queries: []string{q}, Limit: -1})
		if err != nil {
			t.Fatal(err)
		}
		var lines, files []string
		err = f.Lines(func(l MatchedLine) error {
			lines = append(lines, fmt.Sprintf("%s:%d", l.FilePath, l.Number))
			if !slices.Contains(files, l.FilePath) {
				files = append(files, l.FilePath)
			}
			return nil
		})
		slices.Sort(lines)
		if got := strings.Join(lines, " "); err != nil || got != want {
			t.Errorf("%s: lines %q, want %q, %v", q, got, want, err)
		}
		paths, trees, _, err := f.Files()
		slices.Sort(paths)
		slices.Sort(files)
		if err != nil || !slices.Equal(paths, files) || len(trees) != len(paths) {
			t.Errorf("%s: files %q %q, want %q, %v", q, paths, trees, files, err)
		}
	}
}

func TestCaseThatWasAskedForFirst(t *testing.T) {
	chunks := []*record.Chunk{
		chunk("a.go", "useLower", "parse(1); parse(2); parse(3)"),
		chunk("b.go", "useUpper", strings.Repeat("something else ", 50)+"Parse(1)"),
		chunk("c.go", "part", "reParse ParseAll parseSome"),
		chunk("d.go", "other", "x := PARSE"),
		chunk("e.go", "parse", "func parse() {}"),
		chunk("f.go", "Parse", "func Parse() {}"),
		chunk("g.go", "pkgUpper", "sync.Parse"),
	}
	x := newIndex(t, chunks)
	for q, want := range map[string]string{
		"Parse":      "Parse parse pkgUpper useUpper useLower other part",
		"parse":      "parse Parse useLower other pkgUpper useUpper part",
		"PARSE":      "parse Parse other useLower pkgUpper useUpper part",
		"SYNC.parse": "pkgUpper",
	} {
		if got := strings.Join(found(t, x, q, answer.Filter{}), " "); got != want {
			t.Errorf("%s: found %q, want %q", q, got, want)
		}
	}
}

func TestWhyNothingMatches(t *testing.T) {
	chunks := []*record.Chunk{
		chunk("a.go", "a", "provider providers reader"), chunk("b.go", "b", "provider writer"), chunk("c.go", "c", "reader writer", tagged("slow")),
		chunk("d.go", "d", "closer"),
	}
	x := newIndex(t, chunks)
	shards, err := newSharded(snapshot(t, chunks, nil), nil, Settings{}, 7)
	if err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]string{
		"Provdier":                   "Provdier: no match; near: provider (2), providers (1)",
		"provider Provdier":          "Provdier: no match; near: provider (2), providers (1)",
		"pro":                        "pro: no match; pro* finds longer words",
		`"a rea" closer`:             "a: no match\nrea: no match; rea* finds longer words",
		"qzx OR raeder":              "qzx: no match\nraeder: no match; near: reader (2)",
		"closer provider":            "closer and provider: each matches (1 and 2), never both in one place",
		"provider reader writer":     "each part of provider reader writer matches, and each pair, but never all in one place",
		`reader|provider`:            `reader|provider: no match; OR joins alternatives: reader OR provider`,
		`"reader\s+provider"`:        `"reader\s+provider": no match; words that follow each other are a phrase: "reader provider"`,
		`"reader provider"`:          `"reader provider": no match; its words occur, but not next to each other`,
		"provider.rider":             "rider of provider.rider: no match; near: reader (2)",
		"1.0e-7":                     "1.0e-7: no match",
		`"provider rider"`:           "rider: no match; near: reader (2)",
		"closer -(closer OR reader)": "closer and NOT (closer OR reader): each matches (1 and 1), never both in one place",
		"d.go":                       "d.go: no text has this path; path:d.go finds what is there",
		"./d.go:12 reader":           "./d.go:12: no text has this path; path:./d.go finds what is there",
		"NOT text:*":                 "NOT *: everything is excluded by NOT",
		"tags:slwo":                  "tags:slwo: no match; near: slow (1)",
		"/^zz/":                      "/^zz/: no match; an expression is compared with single words",
		"zz*":                        "zz*: no match",
		"symbol:Provdier":            "symbol:Provdier: no match",
		"reader path:lib/nosuch.go":  `no file matches the path "lib/nosuch.go"`,
		"reader path:src/aa.go":      `no file matches the path "src/aa.go"; near: a.go`,
		"reader path:x*.go":          `no file matches the path "x*.go"`,
		"path:/^x/":                  `no file matches the path "/^x/"`,
		"tags:slow (qq OR (rider))":  "qq: no match\nrider: no match; near: reader (2)",
	} {
		for name, x := range map[string]*Index{"index": x, "shards": shards} {
			r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}})
			if err != nil || r.NoMatch == nil {
				t.Errorf("%s: %v, %+v", q, err, r)
			} else if r.NoMatch.Message != want {
				t.Errorf("%s (%s): got %q, want %q", q, name, r.NoMatch.Message, want)
			}
		}
	}
	for q, want := range map[string]string{
		"reader":                     "reader: 2 matches, all excluded by path \"b.go\": a.go, c.go",
		"writer closer":              "closer: 1 match, all excluded by path \"b.go\": d.go",
		"writer -provider":           "writer -provider: 1 match, all excluded by path \"b.go\": c.go",
		"writer -(closer OR writer)": "NOT (closer OR writer): 1 match, all excluded by path \"b.go\": a.go",
		"clo* tags:slow /^read/":     "clo*: 1 match, all excluded by path \"b.go\": d.go\ntags:slow: 1 match, all excluded by path \"b.go\": c.go\n/^read/: 2 matches, all excluded by path \"b.go\": a.go, c.go",
		`provider "reader writer"`:   `"reader writer": 1 match, all excluded by path "b.go": c.go`,
		"provider reader.provider":   "reader.provider: no match; its words occur, but not next to each other",
		"provider Raeder":            "Raeder: no match; near: reader (2)",
		"provider path:c.go":         "file_path:c.go: 1 match, all excluded by path \"b.go\": c.go",
	} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}, Filter: answer.Filter{Path: "b.go"}})
		if err != nil || r.NoMatch == nil || r.NoMatch.Message != want {
			t.Errorf("%s in b.go: %+v, %v, want %q", q, r.NoMatch, err, want)
		}
	}
	r, err := x.Exact(t.Context(), answer.Request{Queries: []string{"reader", "closer writer", "reader"}, Filter: answer.Filter{Path: "d.go"}})
	if want := "(reader OR closer writer OR reader): 2 matches, all excluded by path \"d.go\": a.go, c.go"; err != nil || r.NoMatch == nil || r.NoMatch.Message != want {
		t.Errorf("%+v, %v, want %q", r.NoMatch, err, want)
	}
	for want, f := range map[string]answer.Filter{
		`closer: 1 match, all excluded by path "a.go": d.go`:                            {Path: "a.go", Tests: answer.TestsNo},
		`closer: 1 match, all excluded by tests: only: d.go`:                            {Path: "d.go", Tests: answer.TestsOnly},
		`closer: 1 match, all excluded by language "python" and by path "a.go": d.go`:   {Path: "a.go", Languages: []string{"python"}},
		`(reader OR closer): 3 matches, all excluded by tag "slow" with path "d.go": a`: {Path: "d.go", Tags: []string{"slow"}},
	} {
		query, _, _ := strings.Cut(want, ": ")
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}, Filter: f})
		if err != nil || r.NoMatch == nil || !strings.HasPrefix(r.NoMatch.Message, want) {
			t.Errorf("%s with %+v: %+v, %v, want %q", query, f, r.NoMatch, err, want)
		}
	}
	if r, err := x.Exact(t.Context(), answer.Request{Queries: []string{"reader"}, Offset: 5}); err != nil || r.NoMatch != nil || r.TotalFound != 2 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestTestCodeComesAfterCode checks that code precedes test code if the scores are close. A declaration of the name, or
// the name in the same case, stays first.
func TestTestCodeComesAfterCode(t *testing.T) {
	chunks := func() []*record.Chunk {
		return []*record.Chunk{
			chunk("lib/a_test.go", "TestA", "provider, provider and provider", tagged("test")),
			chunk("lib/fixtures/b.go", "B", "provider, provider and provider, provider"),
			chunk("lib/z.go", "Z", "one provider among many other words that have nothing to do with it at all"),
			chunk("lib/y.go", "Y", "one myProvider"),
			chunk("lib/x_test.go", "NewServer", "func NewServer() {}", tagged("test")),
			chunk("lib/x.go", "X", "calls NewServer shards, and NewServer again"),
		}
	}
	for name, x := range map[string]*Index{"index": newIndex(t, chunks()), "shards": shardsWith(t, chunks(), Settings{})} {
		for q, want := range map[string]string{
			"provider":             "Z B TestA Y",
			"NewServer":            "NewServer X",
			"provider tags:test":   "TestA",
			"lang:go -newserver":   "Y Z TestA B",
			"provider -path:lib/z": "B TestA Y",
		} {
			got := found(t, x, q, answer.Filter{})
			if q == "lang:go -newserver" {
				// Only the kind of place determines the order.
				slices.Sort(got[:2])
				slices.Sort(got[2:])
				got[2], got[3] = got[3], got[2]
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s, %s: found %q, want %s", name, q, got, want)
			}
		}
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{"provider tags:test"}})
		if err != nil || r.Results[0].Score != 1 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestFuzzyDistanceIsASetting(t *testing.T) {
	snap := &contents{chunks: []*record.Chunk{chunk("a.go", "f", "provider"), chunk("b.go", "g", "something else")}}
	for distance, want := range map[int]map[string]int{
		0:  {"prvidr~": 0, "provdier~": 0, "provider~": 1},
		1:  {"prvidr~": 0, "provdier~": 1},
		2:  {"prvidr~": 1, "provdier~": 1},
		-1: {"prvidr~": 0, "provdier~": 1}, // not set
	} {
		settings := Settings{FuzzyDistance: &distance}
		if distance < 0 {
			settings.FuzzyDistance = nil
		}
		x, err := newInMemory(snap, nil, settings)
		if err != nil {
			t.Fatal(err)
		}
		want["prvidr~2"], want["prvidr~1"], want["provdier~1"] = 1, 0, 1
		for q, want := range want {
			r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}})
			if err != nil || r.TotalFound != want {
				t.Errorf("distance %d, %s: %d found, want %d, %v", distance, q, r.TotalFound, want, err)
			}
		}
		// Without it, a question means what it says.
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{"provdier"}})
		if want := distance != 0; err != nil || (len(r.Results) > 0) != want {
			t.Errorf("distance %d: %+v, %v", distance, r, err)
		}
	}
}

// What matches none of the alternatives of a query is told although others match.
func TestUnmatchedAlternatives(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.go", "Load", "func Load() error { return nil }"),
		chunk("b.go", "Store", "func Store() error { return Load() }"),
	})
	many := "Load"
	for n := range 9 {
		many += fmt.Sprintf(" OR q%d", n)
	}
	none := ""
	for n := range 8 {
		none += fmt.Sprintf("q%d: no match; ", n)
	}
	for query, want := range map[string]string{
		many:                                none + "no match either: q8",
		"symbol:(Load OR Store)":            "",
		"symbol:(Load OR Stoer OR nothing)": "symbol:Stoer: no match; near: store (1); symbol:nothing: no match",
		"(Load OR Stoer) path:a.go":         "Stoer: no match; near: store (1)",
		"Load Store":                        "",
	} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}})
		if err != nil || len(r.Results) == 0 || r.Metadata.Warning != want {
			t.Errorf("%s: %v, warning %q", query, err, r.Metadata.Warning)
		}
	}
}

// A qualified name that nothing declares, such as that of an inherited method, is answered with the declarations of its
// last component.
// A word that only is a part of longer names is answered with what finds these.
func TestWordsWithinLongerNames(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.go", "tcp_reject_overflow", "tcp_reject_overflow = 1"), chunk("b.go", "onRejectOverflow", "func onRejectOverflow() {}"), chunk("c.go", "c", "overflow, reject"),
	})
	for query, want := range map[string]string{
		"reject_overflow":        `reject_overflow: no match; "reject overflow" (2) finds its words, also in longer names`,
		"rejectOverflow OR zz":   `rejectOverflow: no match; near: onrejectoverflow (1); "reject Overflow" (2) finds its words, also in longer names` + "\nzz: no match",
		"symbol:reject_overflow": `symbol:reject_overflow: no match; symbol:"reject overflow" (2) finds its words, also in longer names`,
		"symbol:tcp_reject":      `symbol:tcp_reject: no match; symbol:"tcp reject" (1) finds its words, also in longer names`,
		"overflow_tcp":           "overflow_tcp: no match",
		"symbol:rejec":           "symbol:rejec: no match; near: reject (2)",
	} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}})
		if err != nil || r.NoMatch == nil || r.NoMatch.Message != want {
			t.Errorf("%s: %+v, %v, want %q", query, r.NoMatch, err, want)
		}
	}
}

func TestDeclaredElsewhere(t *testing.T) {
	declare := func(path, name, text string) *record.Chunk {
		return chunk(path, name, text, func(c *record.Chunk) {
			c.Metadata.Symbols = []record.SymbolRef{{Name: name, Type: record.Method, Line: 1}}
		})
	}
	x := newIndex(t, []*record.Chunk{
		declare("a.py", "Shape.draw", "def draw(self): pass"), declare("b.py", "Text.draw", "def draw(self): pass"), declare("c.py", "Circle.grow", "class Circle: def grow(self)"),
	})
	for query, want := range map[string]string{
		"Circle.draw":          "Circle.draw: no match; declared: Shape.draw, Text.draw",
		"symbol:Circle::draw":  "symbol:Circle::draw: no match; declared: Shape.draw, Text.draw",
		"Circle.Draw":          "Circle.Draw: no match; its words occur, but not next to each other",
		`"Circle.draw"`:        `"Circle.draw": no match; its words occur, but not next to each other`,
		"Circle.draw -path:ab": "Circle.draw: no match; declared: Shape.draw, Text.draw",
	} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}})
		if err != nil || r.NoMatch == nil || r.NoMatch.Message != want {
			t.Errorf("%s: %+v, %v, want %q", query, r.NoMatch, err, want)
		}
	}
	r, err := x.Exact(t.Context(), answer.Request{Queries: []string{"Circle.draw"}, Filter: answer.Filter{Path: "b.py"}})
	if want := "Circle.draw: no match; declared: Text.draw"; err != nil || r.NoMatch == nil || r.NoMatch.Message != want {
		t.Errorf("in b.py: %+v, %v, want %q", r.NoMatch, err, want)
	}
}

// A directive of the C preprocessor may have white space behind its sign.
func TestDirectivesAreFound(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.h", "", "#define LIMIT 1\n"), chunk("b.h", "", "#\tdefine LIMIT 2\n"), chunk("c.h", "", "#  define LIMITS 3\n"), chunk("d.h", "", "we define LIMIT\n"),
	})
	for _, query := range []string{"#define LIMIT", `"#define LIMIT"`, `"#define" limit`} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}})
		if err != nil || r.TotalFound != 2 || r.Doubt != "" {
			t.Errorf("%s: %+v, %v", query, r, err)
			continue
		}
		for _, h := range r.Results {
			if len(h.Highlights) == 0 || len(h.Highlights[0].Matches) == 0 {
				t.Errorf("%s: no highlight in %q", query, h.Chunk.Text)
			}
		}
	}
}

// Of a table or list in a document, exact search shows the row or item that was asked for.
func TestATermOfADocumentIsShownAlone(t *testing.T) {
	rows := "| size | 10 | how large |\n| limit | 20 | how many |\n| depth | 30 | how deep |\n| width | 40 | at most limit |"
	x := newIndex(t, []*record.Chunk{chunk("a.md", "", rows, func(c *record.Chunk) {
		c.ChunkType = record.Documentation
		c.Metadata.EndLine, c.Metadata.ByteEnd = c.Metadata.StartLine+3, len(rows)
		c.Metadata.Symbols = nil
		for i, name := range []string{"size", "limit", "depth", "width"} {
			c.Metadata.Symbols = append(c.Metadata.Symbols, record.SymbolRef{Name: name, Type: record.Key, Line: c.Metadata.StartLine + i})
		}
	})})
	for query, want := range map[string]int{"limit": 2, "depth": 1, "how": 4} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}, Lines: true})
		if err != nil || len(r.Results) != 1 {
			t.Fatalf("%s: %+v, %v", query, r, err)
		}
		shown := 0
		for _, line := range r.Results[0].Lines() {
			if !line.Dull {
				shown++
			}
		}
		if shown != want {
			t.Errorf("%s: %d lines are shown, want %d", query, shown, want)
		}
	}
}
