package brief

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// hit returns a hit that shows a function of so many lines, whose middle line has the word answer.
func hit(path, name string, start, lines int, score float64) answer.Hit {
	h := answer.Hit{Score: score}
	h.Chunk.Title = path + ": " + name + " (function)"
	h.Chunk.Metadata = record.Metadata{FilePath: path, StartLine: start, EndLine: start + lines - 1, SymbolName: name, SymbolSignature: "func " + name + "()"}
	var list []answer.TellingLine
	for n := range lines {
		l := answer.TellingLine{Number: start + n, Text: "\tstep of the work that is not asked for"}
		switch {
		case n == 0:
			l = answer.TellingLine{Number: start, Text: "func " + name + "() {", Worth: 2, Declares: true}
		case n == lines-1:
			l.Text = "}"
		case n == lines/2:
			l.Text, l.Worth = "\treturn answer"+name, 1
		}
		list = append(list, l)
	}
	h.Lines = func() []answer.TellingLine { return list }
	return h
}

// use returns a hit that shows a function which uses answer in the given lines and does not declare it.
func use(path, name string, start int, at ...int) answer.Hit {
	h := hit(path, name, start, 20, .5)
	h.Chunk.ChunkType = record.Implementations
	lines := h.Lines()
	lines[10].Text, lines[10].Worth = "\tanother step", 0
	for _, n := range at {
		lines[n].Text, lines[n].Worth, lines[n].Matches = fmt.Sprintf("\tx := answer(%d)", n), 1, 1
	}
	return h
}

func response(hits ...answer.Hit) *answer.Response {
	return &answer.Response{Results: hits, TotalFound: len(hits), TotalReturned: len(hits)}
}

func TestShortResultIsShownWhole(t *testing.T) {
	got := Text(response(hit("a.go", "Alpha", 10, 4, 1)), 2000, Arguments)
	want := "a.go:10-13\nfunc Alpha() {\n\tstep of the work that is not asked for\n\treturn answerAlpha\n}"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Only the telling lines of a long result are shown. … stands for the others, with the number of the next line.
func TestLongResultShowsItsTellingLines(t *testing.T) {
	got := Text(response(hit("a.go", "Alpha", 10, 300, 1)), 500, Arguments)
	if !strings.HasPrefix(got, "a.go:10-309\nfunc Alpha() {\n") || !strings.Contains(got, "\n…159\n\tstep of the work that is not asked for\n\treturn answerAlpha\n\tstep of the work that is not asked for\n") || !strings.HasSuffix(got, "\n…") {
		t.Errorf("got\n%s", got)
	}
}

// Where a result has room for several lines, the lines behind one that tells much stand with it, and those that stand alone do not scatter.
func TestLinesStandTogether(t *testing.T) {
	h := hit("a.go", "Alpha", 10, 100, .5)
	for _, n := range []int{20, 70} {
		h.Lines()[n].Text, h.Lines()[n].Worth = fmt.Sprintf("\t// telling %d", n), 1.5
	}
	got := Topics([]*answer.Response{response(h), response()}, 400, Arguments)
	for _, n := range []int{20, 70} {
		passage := fmt.Sprintf("\n…%d\n\t// telling %d\n", 10+n, n) + strings.Repeat("\tstep of the work that is not asked for\n", 4) + "…"
		if !strings.Contains(got, passage) {
			t.Errorf("no passage of line %d in\n%s", 10+n, got)
		}
	}
}

// Between lines of a result that stand apart, be it declarations or parts, … tells that lines are left out.
func TestLinesThatStandApartAreToldApart(t *testing.T) {
	h := hit("a.md", "Alpha", 10, 8, 1)
	for i := range h.Lines()[4:] {
		h.Lines()[4+i].Number += 30
	}
	for _, parts := range [][]answer.Part{nil, {{StartLine: 10, EndLine: 13}, {StartLine: 44, EndLine: 47}}} {
		h.Parts = parts
		if got := Text(response(h), 2000, Arguments); !strings.Contains(got, "asked for\n…44\n\treturn answerAlpha\n") || strings.Count(got, "…") != 1 {
			t.Errorf("parts %v:\n%s", parts, got)
		}
	}
}

// Of a result for which there is no room as it should be, as many lines are shown as there is room for, if they tell more than its place.
func TestResultIsShownAsFarAsThereIsRoom(t *testing.T) {
	most := 0
	for budget := 40; budget <= 200; budget += 5 {
		got := Text(response(hit("a.go", "Alpha", 10, 300, 1)), budget, Arguments)
		lines := strings.Count(got, "step of the work")
		if lines < most || Tokens(got) > budget || lines == 0 && got != "a.go:10-309  func Alpha()" {
			t.Errorf("%d tokens, %d lines of work where less room had %d:\n%s", budget, lines, most, got)
		}
		most = lines
	}
	if most < 4 {
		t.Errorf("%d lines of work", most)
	}
}

// In an answer to several topics, improbable results of a topic are left out, and probable ones get lines. A greater
// budget shows more.
func TestTopicsAreThrifty(t *testing.T) {
	find := func(chance float64) *answer.Response {
		first, second, last := hit("a.go", "Alpha", 10, 40, 1), hit("b.go", "Beta", 1, 40, 1), hit("c.go", "Gamma", 1, 40, 1)
		first.Score, second.Score, last.Score = chance, 0.07, 0.02
		return response(first, second, last)
	}
	likely, unlikely := find(0.5), find(0.09)
	got := Topics([]*answer.Response{likely, unlikely}, 2*topicTokens, Arguments)
	sure, doubtful, _ := strings.Cut(got[1:], "\n# ")
	if n := strings.Count(sure, "step of the work"); n < 8 || n > 30 {
		t.Errorf("%d lines of what probably answers:\n%s", n, sure)
	}
	if strings.Contains(doubtful, "step of the work") || !strings.Contains(doubtful, "b.go:1-40") {
		t.Errorf("of what hardly answers:\n%s", doubtful)
	}
	if strings.Contains(got, "c.go") {
		t.Errorf("what hardly answers is named:\n%s", got)
	}
	if got := Topics([]*answer.Response{likely, unlikely}, 3*topicTokens, Arguments); strings.Count(got, "c.go") != 2 {
		t.Errorf("with room for all:\n%s", got)
	}
}

// Each of several topics has its heading and its own results, and what one leaves of the budget goes to those behind it.
func TestTopicsAreAnsweredOneByOne(t *testing.T) {
	one, other, none := response(hit("a.go", "Alpha", 10, 4, 1)), response(hit("b.go", "Beta", 1, 60, 1)), response()
	one.Query, other.Query, none.Query = "first of all", "where is the second", strings.Repeat("long ", 30)
	one.Metadata.Also = []string{"begin"}
	none.NoMatch = &answer.NoMatch{Message: "nothing"}
	got := Topics([]*answer.Response{one, other, none}, 900, Arguments)
	want := "# first of all\na.go:10-13\nfunc Alpha() {\n\tstep of the work that is not asked for\n\treturn answerAlpha\n}\n\n# where is the second\nb.go:1-60\nfunc Beta() {\n"
	end := "\n\n# " + strings.TrimSpace(strings.Repeat("long ", 12)) + "…\nnothing"
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, end) {
		t.Errorf("got\n%s\nwant\n%s…%s", got, want, end)
	}
	for _, budget := range []int{200, 500, 2000} {
		if got := Topics([]*answer.Response{other, one, other}, budget, Arguments); Tokens(got) > budget || strings.Count(got, "# ") != 3 {
			t.Errorf("%d tokens for a budget of %d:\n%s", Tokens(got), budget, got)
		}
	}
	if got, want := Topics([]*answer.Response{one}, 900, Arguments), Text(one, 900, Arguments); got != want {
		t.Errorf("one topic: %s", got)
	}
}

// The path of a file stands once above its results. The place of a method names its class, and no place has more of a signature than tells.
func TestPlacesSayWhatIsThereInFewWords(t *testing.T) {
	first, second, third := hit("a.py", "Alpha", 10, 4, 1), hit("a.py", "__init__", 30, 4, .004), hit("a.py", "load", 40, 4, .004)
	second.Chunk.Metadata.SymbolName, second.Chunk.Metadata.SymbolSignature = "Store.__init__", "def __init__(self)"
	third.Chunk.Metadata.SymbolName = "load"
	third.Chunk.Metadata.SymbolSignature = "async def load(self, " + strings.Repeat("more, ", 20) + "last)"
	got := Text(response(first, second, third), DefaultTokens, Arguments)
	want := "a.py:10-13\nfunc Alpha() {\n\tstep of the work that is not asked for\n\treturn answerAlpha\n}\n\n:30-33  def Store.__init__(self)\n:40-43  async def load(self, more, more, more, more, more, more, mor…"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	first.Chunk.Metadata.SymbolSignature = "public static <" + strings.Repeat("Type, ", 20) + "> void Alpha(int one, int two)"
	if got := Text(response(first), 20, Arguments); !strings.HasSuffix(got, "> void Alpha…") {
		t.Errorf("a signature with a name far behind: %s", got)
	}
}

// Results of one file stand together, the best first, also where another file has one between them.
// Names of sections are shown as they are written: they are no qualified names.
func TestHeadingsStandAsWritten(t *testing.T) {
	section := func(level, breadcrumb string, start, last int, ranges ...record.LineRange) answer.Hit {
		h := answer.Hit{Score: .01, Ranges: ranges, Chunk: answer.Chunk{ChunkType: record.Documentation, Title: breadcrumb}}
		names := strings.Split(breadcrumb, record.Separator)
		h.Chunk.Metadata = record.Metadata{FilePath: "doc.md", StartLine: start, EndLine: last, SymbolType: record.Heading, SymbolName: breadcrumb}
		if level != "" {
			h.Chunk.Metadata.SymbolSignature = level + " " + names[len(names)-1]
		}
		return h
	}
	for want, h := range map[string]answer.Hit{
		"doc.md:4-9  ## Major/minor releases":    section("##", "Major/Release Process › Major/minor releases", 4, 9),
		"doc.md:4  ## mode: docker_dns":          section("##", "DNS › mode: docker_dns", 4, 4),
		"doc.md:1-3  Error: not found.":          section("", "Error: not found.", 1, 3),
		"doc.md:1-9  # A":                        section("#", "A", 1, 9, record.LineRange{1, 3}, record.LineRange{5, 9}),
		"doc.md:1-5,468-469  # A":                section("#", "A", 1, 469, record.LineRange{1, 5}, record.LineRange{468, 469}),
		"doc.md:1-5,20-30,40-50 and 1 more  # A": section("#", "A", 1, 90, record.LineRange{1, 5}, record.LineRange{20, 30}, record.LineRange{40, 50}, record.LineRange{60, 90}),
	} {
		if got := Text(response(h), 2000, Arguments); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestResultsOfOneFileStandTogether(t *testing.T) {
	got := Text(response(hit("a.go", "Alpha", 10, 4, 1), hit("b.go", "Beta", 1, 4, .9), hit("a.go", "Gamma", 30, 4, .8)), 2000, Arguments)
	alpha, beta, gamma := strings.Index(got, "Alpha"), strings.Index(got, "Beta"), strings.Index(got, "Gamma")
	if alpha < 0 || gamma < alpha || beta < gamma {
		t.Errorf("got\n%s", got)
	}
}

// A line that two results share stands once.
func TestEachLineStandsOnce(t *testing.T) {
	got := Text(response(hit("a.go", "Alpha", 10, 6, 1), hit("a.go", "Alpha", 10, 6, .9)), 2000, Arguments)
	if n := strings.Count(got, "return answerAlpha"); n != 1 {
		t.Errorf("the line stands %d times:\n%s", n, got)
	}
}

// Twins of a result are named beside it.
func TestTwinsAreNamed(t *testing.T) {
	h, far := hit("v3/a.go", "Alpha", 10, 4, 1), hit("v3/b.go", "Beta", 1, 4, .004)
	h.Twins = []answer.Twin{{FilePath: "v4/a.go", StartLine: 11, EndLine: 14}}
	for i := range 5 {
		far.Twins = append(far.Twins, answer.Twin{FilePath: fmt.Sprintf("v%d/b.go", i+4), StartLine: 1, EndLine: 4})
	}
	got := Text(response(h, far), DefaultTokens, Arguments)
	if !strings.HasPrefix(got, "v3/a.go:10-13\nalso in v4/a.go:11-14\nfunc Alpha() {") ||
		!strings.HasSuffix(got, "\nv3/b.go:1-4  func Beta()  (also in v4/b.go:1-4, v5/b.go:1-4, v6/b.go:1-4 and 2 more)") {
		t.Errorf("got\n%s", got)
	}
}

// So are those of a use: the lines of its own file, and each other file once.
func TestTwinsOfAUseAreNamed(t *testing.T) {
	use := hit("b.conf", "Use", 10, 6, .5)
	use.Chunk.ChunkType, use.Chunk.Metadata.SymbolName = record.Data, ""
	use.Lines()[3].Text, use.Lines()[3].Matches = "overflow: no", 1
	use.Twins = []answer.Twin{{FilePath: "b.conf", StartLine: 9}, {FilePath: "b.conf", StartLine: 44}, {FilePath: "c.conf", StartLine: 3}, {FilePath: "c.conf", StartLine: 8}}
	if got, _ := matchedLine(&use, use.Lines(), nil); got.text != "b.conf:13  overflow: no  (also 9, 44, also in c.conf:3, :8)\n" {
		t.Errorf("got %s", got.text)
	}
	if got := also(use.Twins, "b.conf"); got != "also :9, :44, c.conf:3 and 1 more" {
		t.Errorf("got %s", got)
	}
}

// A result that hardly answers has its place and its signature alone.
func TestDoubtfulResultIsAPlace(t *testing.T) {
	got := Text(response(hit("a.go", "Alpha", 10, 4, 1), hit("b.go", "Beta", 1, 4, .004)), DefaultTokens, Arguments)
	if !strings.HasSuffix(got, "\nb.go:1-4  func Beta()") {
		t.Errorf("got\n%s", got)
	}
}

// A reader who allows more than by default sees three lines of every result at least, whatever its chance, before more of the others.
func TestMoreRoomShowsDoubtfulResults(t *testing.T) {
	var hits []answer.Hit
	for i := range 10 {
		hits = append(hits, hit("dir/file"+string(rune('a'+i))+".go", "Function", 1, 30, .4/float64(1+i*i*i)))
	}
	for budget, shown := range map[int]bool{DefaultTokens: false, 1200: true} {
		if got := Text(response(hits...), budget, Arguments); strings.Contains(got, "filej.go:1-30\nfunc Function() {\n") != shown {
			t.Errorf("%d tokens:\n%s", budget, got)
		}
	}
}

// The best result is shown whole, and the next ones by their telling lines; with more room two are whole, and more lines of the others are shown.
func TestBestResultsAreWhole(t *testing.T) {
	var hits []answer.Hit
	for i := range 10 {
		hits = append(hits, hit("dir/file"+string(rune('a'+i))+".go", "Function", 1, 30, 1-float64(i)/100))
	}
	for budget, whole := range map[int]int{DefaultTokens: 1, 1000: 2} {
		for i, block := range strings.Split(Text(response(hits...), budget, Arguments), "\n\n")[:4] {
			if is := strings.Count(block, "\n") >= 30; is != (i < whole) {
				t.Errorf("result %d of %d tokens:\n%s", i, budget, block)
			}
		}
	}
	got := Text(response(hits...), DefaultTokens, Arguments)
	if more := Text(response(hits...), 2*DefaultTokens, Arguments); len(more) < 3*len(got)/2 {
		t.Errorf("%d bytes with twice the budget, %d without", len(more), len(got))
	}
}

// A budget that is named counts. Without one, lines around the results have more room than the results alone.
func TestBudget(t *testing.T) {
	alone, around := hit("a.go", "Alpha", 10, 4, 1), hit("b.go", "Beta", 10, 4, .5)
	around.Context = &answer.Excerpt{StartLine: 8, EndLine: 20}
	for _, c := range []struct {
		hits        []answer.Hit
		named, want int
	}{
		{nil, 0, DefaultTokens},
		{[]answer.Hit{alone}, 0, DefaultTokens},
		{[]answer.Hit{alone, around}, 0, WideTokens},
		{[]answer.Hit{alone, around}, 700, 700},
		{[]answer.Hit{alone}, 5000, 5000},
	} {
		if got := Budget([]*answer.Response{response(c.hits...)}, c.named); got != c.want {
			t.Errorf("%d hits, %d named: got %d, want %d", len(c.hits), c.named, got, c.want)
		}
	}
	topics := []*answer.Response{response(alone), response(alone), response(), response(alone)}
	if got, want := Budget(topics, 0), 4*topicTokens; got != want {
		t.Errorf("four topics: got %d, want %d", got, want)
	}
}

// Results that the offset skips are not counted as left out.
func TestOffsetIsNotLeftOut(t *testing.T) {
	r := response(hit("a.go", "Alpha", 10, 4, 1), hit("b.go", "Beta", 10, 4, 1))
	r.Metadata.Source = answer.SourceExact
	for offset, want := range map[int]string{0: "3 more:", 2: "1 more:", 3: ""} {
		r.TotalFound, r.Offset = 5, offset
		got := Text(r, DefaultTokens, Arguments)
		if want == "" && strings.Contains(got, " more:") || !strings.Contains(got, want) {
			t.Errorf("offset %d of 5: %s", offset, got)
		}
	}
}

func TestAnswerKeepsToItsBudget(t *testing.T) {
	var hits []answer.Hit
	for i := range 40 {
		hits = append(hits, hit("dir/file"+string(rune('a'+i))+".go", "Function", 1, 60, 1-float64(i)/100))
	}
	for _, budget := range []int{500, 1000, 2000, 5000} {
		got := Text(response(hits...), budget, Arguments)
		if n := Tokens(got); n > budget || n < budget/2 {
			t.Errorf("%d tokens for a budget of %d", n, budget)
		}
	}
	if got := Text(response(hits...), 10, Arguments); !strings.HasPrefix(got, "dir/filea.go:1-60") {
		t.Errorf("without a budget:\n%s", got)
	}
}

// Nothing of a repository can steer a terminal or make a line of its own in the answer.
func TestHostileTextIsCleaned(t *testing.T) {
	h := hit("a\nb.go", "Alpha", 10, 4, 1)
	h.Lines()[1].Text = "\x1b[2J\u202e evil"
	got := Text(response(h), 2000, Arguments)
	if strings.ContainsAny(got, "\x1b\u202e") || !strings.HasPrefix(got, "a") || strings.HasPrefix(got, "a\n") {
		t.Errorf("got %q", got)
	}
}

// An answer that is a guess begins by saying so.
func TestDoubtComesFirst(t *testing.T) {
	r := response(hit("a.go", "Alpha", 10, 4, 1))
	r.Doubt = "no word of the question occurs"
	if got := Text(r, 2000, Arguments); !strings.HasPrefix(got, "no word of the question occurs\na.go:10-13\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestNothingFound(t *testing.T) {
	r := response()
	for message, want := range map[string]string{
		"xyz: no match; near: xya (3)":       "xyz: no match; near: xya (3)",
		"xyz: no match\n\x1b: no match":      "xyz: no match\n\ufffd: no match",
		"a: no match\nb: no match\tin the c": "a: no match\nb: no match\tin the c",
	} {
		r.NoMatch = &answer.NoMatch{Message: message}
		if got := Text(r, 2000, Arguments); got != want {
			t.Errorf("%q: got %q", message, got)
		}
	}
}

// TestTokens compares the estimate with what o200k_base and cl100k_base count in the mean. Whoever changes one of the
// sources has to count again.
func TestTokens(t *testing.T) {
	for file, want := range map[string]int{
		"references.go":      651,
		"references.py":      478,
		"declarations.ts":    514,
		"declarations.rs":    940,
		"Ledger.java":        866,
		"declarations.c":     701,
		"shapes.hpp":         549,
		"Store.php":          765,
		"Ledger.kt":          892,
		"Inventory.cs":       1001,
		"Ledger.scala":       741,
		"shelf.lua":          424,
		"declarations.swift": 793,
		"declarations.js":    631,
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "tokens", file))
		if err != nil {
			t.Fatal(err)
		}
		if got := Tokens(string(data)); got < want*9/10 || got > want*11/10 {
			t.Errorf("%s: %d tokens, want %d within a tenth", file, got, want)
		}
	}
}

// Notices, imports and long literals are replaced by …; the constants that a result uses are shown, one line each.
func TestDullLinesAreLeftOut(t *testing.T) {
	h := hit("a.go", "Alpha", 10, 4, 1)
	h.Lines()[1].Dull = true
	h.Uses = []answer.TellingLine{{Number: 3, Text: "const answerSize = 42"}}
	if got, want := Text(response(h), 2000, Arguments), "a.go:10-13\nfunc Alpha() {\n…12\n\treturn answerAlpha\n}\nline 3: const answerSize = 42"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A constant that is a result itself is shown there, with its comment, and not among the uses of a function.
func TestAConstantIsShownOnce(t *testing.T) {
	function := hit("a.go", "Alpha", 10, 4, 1)
	function.Uses = []answer.TellingLine{{Number: 3, Text: "const answerSize = 42"}}
	data := hit("a.go", "answerSize", 2, 2, .9)
	data.Chunk.ChunkType = record.Data
	data.Lines = func() []answer.TellingLine {
		return []answer.TellingLine{{Number: 2, Text: "// How many answers.", Worth: 1}, {Number: 3, Text: "const answerSize = 42", Worth: 1}}
	}
	if got, want := Text(response(function, data), 2000, Arguments), "a.go:10-13\nfunc Alpha() {\n\tstep of the work that is not asked for\n\treturn answerAlpha\n}\n\n:2-3\n// How many answers.\nconst answerSize = 42"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Where only its place would be named, the line among the uses says more.
	hits := []answer.Hit{function}
	for i := range 12 {
		hits = append(hits, hit(fmt.Sprintf("file%d.go", i), "Function", 1, 20, .8))
	}
	data.Score = .1
	data.Lines = func() []answer.TellingLine { return []answer.TellingLine{{Number: 3, Text: "const answerSize = 42"}} }
	data.Chunk.Metadata.FilePath = "a.go"
	got := Text(response(append(hits, data)...), 600, Arguments)
	if strings.Count(got, "answerSize") != 1 || !strings.Contains(got, "line 3: const answerSize = 42") {
		t.Errorf("got\n%s", got)
	}
}

// The place of a type is all of it, as for a function, even if the hit lacks its methods. Its last brace is not shown by
// itself.
func TestTheWholeTypeIsThePlace(t *testing.T) {
	h := hit("a.cs", "Cache", 10, 90, 1)
	h.Chunk.ChunkType = record.Definitions
	h.Chunk.Metadata.SymbolSignature = "class Cache"
	lines := []answer.TellingLine{{Number: 10, Text: "class Cache", Worth: 1, Declares: true}, {Number: 20, Text: "    int size;", Worth: .5}}
	h.Lines = func() []answer.TellingLine { return lines }
	if got, want := Text(response(h), 2000, Arguments), "a.cs:10-99\nclass Cache\n…20\n    int size;\n…"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	lines = append(lines, answer.TellingLine{Number: 98, Text: "    int dull = 1;", Dull: true}, answer.TellingLine{Number: 99, Text: "}"})
	if got, want := Text(response(h), 2000, Arguments), "a.cs:10-99\nclass Cache\n…20\n    int size;\n…"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A value of a class says which class it is of, unless the file has that name.
func TestAValueNamesItsClass(t *testing.T) {
	h := hit("cache/all.py", "Cache.limits", 10, 2, 1)
	h.Chunk.ChunkType, h.Chunk.Metadata.SymbolType = record.Data, record.Field
	h.Lines = func() []answer.TellingLine {
		return []answer.TellingLine{{Number: 10, Text: "    # Entries kept.", Worth: 1}, {Number: 11, Text: "    limits = 40", Worth: 1}}
	}
	if got, want := Text(response(h), 2000, Arguments), "cache/all.py:10-11  in Cache\n# Entries kept.\nlimits = 40"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	h.Chunk.Metadata.FilePath = "cache/Cache.py"
	if got, want := Text(response(h), 2000, Arguments), "cache/Cache.py:10-11\n# Entries kept.\nlimits = 40"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	h.Lines = func() []answer.TellingLine {
		return []answer.TellingLine{{Number: 11, Text: "    limits = 40", Worth: 1}}
	}
	h.Chunk.Metadata.FilePath = "cache/all.py"
	if got, want := Text(response(h), 2000, Arguments), "cache/all.py:11  limits = 40  (in Cache)"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The place of a type that is named at its end has the name.
func TestATypedefIsNamed(t *testing.T) {
	h := hit("a.h", "token_t", 10, 20, 1)
	h.Chunk.ChunkType, h.Chunk.Metadata.SymbolType, h.Chunk.Metadata.SymbolSignature = record.Definitions, record.Struct, "typedef struct"
	if got, want := Text(response(h), 1, Arguments), "a.h:10-29  typedef struct token_t"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	h.Lines = func() []answer.TellingLine {
		return []answer.TellingLine{{Number: 10, Text: "typedef struct", Worth: 1}, {Number: 12, Text: "  int kind;", Worth: 1}, {Number: 29, Text: "} token_t;", Dull: true}}
	}
	if got, want := Text(response(h), 2000, Arguments), "a.h:10-29  in token_t\ntypedef struct\n\n  int kind;\n…"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The first results get lines before the last ones are named, the further places of a file after the best ones of others.
func TestBudgetGoesToTheFirst(t *testing.T) {
	var hits []answer.Hit
	for i := range 10 {
		hits = append(hits, hit(fmt.Sprintf("dir/file%d.go", i), "Function", 1, 60, 1-float64(i)/100))
		for j := range 3 {
			hits = append(hits, hit(fmt.Sprintf("dir/file%d.go", i), fmt.Sprintf("Further%d", j), 100+100*j, 60, .5))
		}
	}
	got := Text(response(hits...), 500, Arguments)
	if !strings.Contains(got, "dir/file1.go:1-60\nfunc Function() {\n") || strings.Contains(got, "Further") {
		t.Errorf("got\n%s", got)
	}
	if got := Text(response(hits...), 2000, Arguments); !strings.Contains(got, "dir/file9.go:1-60\n") || !strings.Contains(got, "func Further2") {
		t.Errorf("got\n%s", got)
	}
}

// Exact search names everything that matches by its line before it shows anything at length, and the declaration in full before uses.
func TestExactNamesEachUseByItsLine(t *testing.T) {
	declared := hit("a.go", "answer", 1, 30, 1)
	declared.Chunk.ChunkType = record.Implementations
	declared.Lines()[0].Names, declared.Lines()[0].Matches = true, 1
	hits := []answer.Hit{declared, use("b.go", "pkg.T.First", 10, 5), use("c.go", "Second", 20, 4, 7, 8, 9, 11, 12, 13)}
	for i := range 12 {
		hits = append(hits, use(fmt.Sprintf("d%d.go", i), "Further", 30, 6))
	}
	r := response(hits...)
	r.Metadata.Source = answer.SourceExact
	got := Text(r, DefaultTokens, Arguments)
	if !strings.HasPrefix(got, "a.go:1-30\nfunc answer() {\n") || strings.Count(got, "\tstep of the work") < 25 {
		t.Errorf("the declaration is not shown in full:\n%s", got)
	}
	for i := range 12 {
		if line := fmt.Sprintf("\nd%d.go:36  x := answer(6)  (in Further)", i); !strings.Contains(got, line) {
			t.Errorf("no %q in\n%s", line, got)
		}
	}
	if line := "\nc.go:24  x := answer(4)  (in Second, also 27, 28, 29, 31 and 2 more)\n"; !strings.Contains(got, line) {
		t.Errorf("no %q in\n%s", line, got)
	}
	// One that is too long for the budget is shown as far as there is room.
	long := hit("a.go", "answer", 1, 200, 1)
	long.Chunk.ChunkType = record.Implementations
	long.Lines()[0].Names, long.Lines()[0].Matches = true, 1
	if got := Text(&answer.Response{Results: append([]answer.Hit{long}, hits[1:]...), TotalFound: len(hits), Metadata: r.Metadata}, DefaultTokens, Arguments); strings.Count(got, "\tstep of the work") < 12 || Tokens(got) > DefaultTokens {
		t.Errorf("%d tokens:\n%s", Tokens(got), got)
	}
	// Of a use, no more than a few lines.
	if got := Text(&answer.Response{Results: hits[1:2], TotalFound: 1, Metadata: r.Metadata}, DefaultTokens, Arguments); strings.Count(got, "\n") > 12 || !strings.Contains(got, "x := answer(5)") {
		t.Errorf("got\n%s", got)
	}
	// A question has places and signatures.
	r.Metadata.Source = "hybrid"
	if got := Text(r, DefaultTokens, Arguments); strings.Contains(got, "(in Further)") {
		t.Errorf("got\n%s", got)
	}
}

// Parts of a long text overlap, so a line may be in two of them.
func TestEachUseIsNamedOnce(t *testing.T) {
	r := response(use("a.txt", "", 1, 4), use("b.txt", "", 1, 12), use("b.txt", "", 11, 2), use("b.txt", "", 11, 2, 18), use("c.txt", "", 1, 12))
	r.TotalFound = 7
	r.Metadata.Source = answer.SourceExact
	for i := range r.Results {
		r.Results[i].Score = .001
	}
	if got, want := Text(r, DefaultTokens, Arguments), "\nb.txt:13  x := answer(12)\n:29  x := answer(18)\nc.txt:13  x := answer(12)\n2 more: "; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
}

// whole is a hit whose definition, the lines [first, last] of its file, was asked for as a whole.
func whole(path, name string, first, last int, score float64) answer.Hit {
	h := hit(path, name, first, min(last-first+1, 4), score)
	var lines []string
	for n := first; n <= last; n++ {
		lines = append(lines, fmt.Sprintf("line %d of %s", n, path))
	}
	h.Excerpts = []answer.Excerpt{{StartLine: first, EndLine: last, Text: strings.Join(lines, "\n")}}
	h.Lines = nil
	return h
}

// Definitions that are asked for as a whole are shown whole in the order of their scores, each line once. What does not
// fit is named, but the best one is shortened.
func TestWholeDefinitions(t *testing.T) {
	hits := []answer.Hit{
		whole("a.go", "Method", 12, 14, .5), whole("a.go", "Type", 10, 15, .9), whole("b.go", "Long", 1, 400, .7), whole("b.go", "Long", 1, 400, .65),
		whole("c.go", "Short", 7, 8, .6), // the second one of b.go is another part of the same definition
	}
	got := Text(response(hits...), 500, Arguments)
	want := "a.go:10-15\nline 10 of a.go\nline 11 of a.go\nline 12 of a.go\nline 13 of a.go\nline 14 of a.go\nline 15 of a.go\n\n" +
		"b.go:1-400  func Long()\n\nc.go:7-8\nline 7 of c.go\nline 8 of c.go"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Text(response(hits...), 10_000, Arguments); !strings.Contains(got, "line 400 of b.go") || strings.Contains(got, "more") || strings.Count(got, "line 13 of a.go") != 1 {
		t.Errorf("with room for all:\n%s", got)
	}
	// A long type is in several chunks of definitions.
	class := whole("b.go", "Long", 1, 400, .7)
	class.Chunk.ChunkType = record.Definitions
	for _, budget := range []int{200, 1000} {
		if got := Text(response(class), budget, Arguments); !strings.HasPrefix(got, "b.go:1-400\nline 1 of b.go") || !strings.HasSuffix(got, "…") {
			t.Errorf("budget %d: %s", budget, got)
		}
		got := Text(response(hits[2]), budget, Arguments)
		if n := Cost(got); n > budget || n < budget/3 || !strings.HasPrefix(got, "b.go:1-400\nline 1 of b.go") || !strings.HasSuffix(got, "…") {
			t.Errorf("budget %d: %d tokens of\n%s", budget, n, got)
		}
	}
	if n := Budget([]*answer.Response{response(hits...)}, 0); n != wholeTokens {
		t.Errorf("budget %d", n)
	}
}

// If the weakest result is within one that is shown whole, no more results are promised.
func TestMembersOfAWholeTypeAreNoFurtherResults(t *testing.T) {
	for want, weakest := range map[string]answer.Hit{
		"": whole("a.go", "Type.Method", 12, 14, .4),
		"\n3 more: add words or a path, or raise limit": whole("b.go", "Type", 12, 14, .4),
	} {
		r := response(whole("a.go", "Type", 10, 20, 1), weakest)
		r.Metadata.Source, r.TotalFound = answer.SourceExact, 5
		got := Text(r, 2000, Arguments)
		if _, rest, _ := strings.Cut(got, "line 20 of a.go"); !strings.HasSuffix(rest, want) || (want == "") != (rest == "") {
			t.Errorf("got\n%s", got)
		}
	}
}

// Of a chunk with several of the declarations that were asked for, those that are not shown are named.
func TestFurtherDeclarationsAreNamed(t *testing.T) {
	list := func(path string, lines int, score float64) answer.Hit {
		h := hit(path, "Open", 10, 60, score)
		h.Chunk.ChunkType, h.Chunk.Metadata.SymbolName = record.Definitions, ""
		all := []record.SymbolRef{{Name: "Open", Type: record.Interface, Line: 10}, {Name: "pkg.Close", Type: record.Interface, Line: 40}, {Name: "Seek", Type: record.Interface, Line: 60}}
		h.Symbol, h.Chunk.Metadata.Symbols = &all[0], all
		var own []answer.TellingLine
		for n := range lines {
			own = append(own, answer.TellingLine{Number: 10 + n, Text: fmt.Sprint("line ", n), Worth: 1, Matches: 1, Names: true})
		}
		h.Lines = func() []answer.TellingLine { return own }
		return h
	}
	r := response(list("a.go", 3, 1), list("b.go", 40, .9))
	r.Metadata.Source = answer.SourceExact
	got := Text(r, DefaultTokens, Arguments)
	for _, want := range []string{"line 2\nalso Close :40, Seek :60\n", "also Seek :60"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	r.Metadata.Source = "hybrid"
	if got := Text(r, DefaultTokens, Arguments); strings.Contains(got, "also") {
		t.Errorf("a question:\n%s", got)
	}
}

// An outline, which is in no line of its file, is shown with all of its parts.
func TestWholeOutlines(t *testing.T) {
	part := func(text string, score float64) answer.Hit {
		h := hit("a.go", "", 1, 1, score)
		h.Chunk.ChunkType, h.Chunk.Metadata.EndLine, h.Chunk.Metadata.SymbolName, h.Lines = record.Symbols, 90, "", nil
		h.Excerpts = []answer.Excerpt{{Text: text}}
		return h
	}
	got := Text(response(part("a.go: a\n2 functions:\n  Open, lines 3-6", 1), part("a.go, continued\n  Close, lines 8-9", .9)), 500, Arguments)
	if want := "a.go:1-90\na.go: a\n2 functions:\n  Open, lines 3-6\n\n:1-90\na.go, continued\n  Close, lines 8-9"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A reader finds the number of each line of an answer by counting from its place or from the mark before it.
func TestLinesCanBeCounted(t *testing.T) {
	lines := []string{"// Open opens.", "", "func Open() {", "\tfirst()", "", "", "\tsecond()", "\tthird()", "", "}"}
	show := func(telling ...int) string {
		h := hit("a.go", "Open", 10, len(lines), 1)
		own := make([]answer.TellingLine, len(lines))
		for i, text := range lines {
			own[i] = answer.TellingLine{Number: 10 + i, Text: text, Dull: !slices.Contains(telling, i), Worth: 1}
		}
		h.Lines = func() []answer.TellingLine { return own }
		return Text(response(h), 2000, Arguments)
	}
	for _, tt := range []struct {
		telling []int
		want    string
	}{
		{[]int{0, 2, 3, 6, 7, 9}, "// Open opens.\n\nfunc Open() {\n\tfirst()\n\n\n\tsecond()\n\tthird()\n\n}"},
		{[]int{2, 3, 6}, "…12\nfunc Open() {\n\tfirst()\n\n\n\tsecond()\n…"},
		{[]int{3, 7, 9}, "…13\n\tfirst()\n…17\n\tthird()\n\n}"},
	} {
		_, got, _ := strings.Cut(show(tt.telling...), "\n")
		if got != tt.want {
			t.Errorf("%v: got\n%s\nwant\n%s", tt.telling, got, tt.want)
		}
	}
}

// A line that costs no more than the mark of a gap is shown: a brace or quotes between others and at the end.
func TestShortGapsAreClosed(t *testing.T) {
	lines := []string{"def open(path):", `    """`, "    Opens the file.", "    It has much to say.", "    " + strings.Repeat("more ", 9) + ".", `    """`, "    return File(path)", "", "}"}
	h := hit("a.py", "open", 10, len(lines), .02)
	h.Lines = func() []answer.TellingLine {
		own := make([]answer.TellingLine, len(lines))
		for i, text := range lines {
			own[i] = answer.TellingLine{Number: 10 + i, Text: text}
		}
		own[0].Worth, own[2].Worth, own[6].Worth = 3, 2, 1
		return own
	}
	want := "a.py:10-18\ndef open(path):\n    \"\"\"\n    Opens the file.\n    It has much to say.\n…16\n    return File(path)\n\n}"
	if got := Text(response(h), 500, Arguments); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Beside the declarations of a name, what only has words of it is a place.
func TestWeakHitsAreNotShownWhole(t *testing.T) {
	whole := func(name string, start int, score float64) answer.Hit {
		h := hit("a.go", name, start, 2, score)
		h.Lines = nil
		h.Excerpts = []answer.Excerpt{{StartLine: start, EndLine: start + 1, Text: "func " + name + "() {\n\twork" + name + "()"}}
		return h
	}
	r := response(whole("Alpha", 10, 1), whole("Beta", 20, 0.5), whole("Gamma", 30, 0.07))
	r.Metadata.Source = answer.SourceExact
	if got, want := Text(r, 4000, Arguments), "a.go:10-11\nfunc Alpha() {\n\tworkAlpha()\n\n:20-21\nfunc Beta() {\n\tworkBeta()\n\n:30-31  func Gamma()"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// The class is named unless the declaration names it, also if a longer word has its name in it.
func TestSignatureNamesTheClass(t *testing.T) {
	for _, tt := range [][3]string{
		{"def serialize(self) -> SerializedRate", "Rate.serialize", "def Rate.serialize(self) -> SerializedRate"},
		{"def f(x)", "Cls.f", "def Cls.f(x)"},
		{"Rate::Rate(int x)", "ns.Rate.Rate", "Rate::Rate(int x)"},
		{"func (s *Server) Handle()", "Server.Handle", "func (s *Server) Handle()"},
		{"bool operator==(x)", "A.operator==", "bool A.operator==(x)"},
		{"- (void)addBook:(Book *)b atIndex:(int)i", "Shelf.addBook:atIndex:", "- (void)Shelf.addBook:(Book *)b atIndex:(int)i"},
		{"get", "get", "get"}, {"f()", "a\x1b[1m.f", "a\uFFFD[1m.f()"}, {"type of something", "a.b", "type of something"}, {"def é()", "K.é", "def K.é()"},
	} {
		if got := signature(tt[0], tt[1], maxHead); got != tt[2] {
			t.Errorf("%q of %s: got %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

// The place of a method whose lines do not name its class does.
func TestPlacesNameTheClass(t *testing.T) {
	for _, tt := range []struct{ line, symbol, signature, want string }{
		{"    def handle(self):", "jobs.Worker.handle", "def handle(self)", "a.py:5-14  in Worker\n"},
		{"func (w *Worker) handle() {", "Worker.handle", "func (w *Worker) handle()", "a.py:5-14\n"},
		{"    step of the work", "jobs.Worker.handle", "def handle(self)", "a.py:5-14  in def jobs.Worker.handle(self)\n"},
	} {
		h := hit("a.py", "handle", 5, 10, 1)
		m := &h.Chunk.Metadata
		h.Chunk.ChunkType, m.SymbolType, m.SymbolName, m.SymbolSignature = record.Implementations, record.Method, tt.symbol, tt.signature
		h.Lines()[0].Text, h.Lines()[0].Declares = tt.line, !strings.Contains(tt.line, "step")
		if got := Text(response(h), 500, Arguments); !strings.HasPrefix(got, tt.want) {
			t.Errorf("got\n%s\nwant\n%s", got, tt.want)
		}
	}
}

// A result of several parts may declare several methods. The place names the class if any shown line declares one.
func TestPlacesOfPartsNameTheClass(t *testing.T) {
	h := hit("a.py", "handle", 5, 10, 1)
	m := &h.Chunk.Metadata
	h.Chunk.ChunkType, m.SymbolType, m.SymbolName, m.SymbolSignature = record.Implementations, record.Method, "jobs.Worker.handle", "def handle(self)"
	lines := h.Lines()
	lines[0].Worth, lines[0].Dull = 0, true
	lines[6].Text, lines[6].Worth, lines[6].Declares = "    def close(self):", 2, true
	if got, want := Text(response(h), 500, Arguments), "a.py:5-14  in Worker\n"; !strings.HasPrefix(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// Beside the lines that match, those near to them are shown, not the first ones of the result.
func TestLinesNearAMatchExplainIt(t *testing.T) {
	h := hit("a.ts", "config", 10, 30, 1)
	for n := range h.Lines() {
		h.Lines()[n] = answer.TellingLine{Number: 10 + n, Text: fmt.Sprintf("  setting%d: 'the value of it',", n)}
	}
	h.Lines()[20].Matches, h.Lines()[20].Worth = 1, 1
	r := response(h)
	r.Metadata.Source = answer.SourceExact
	want := "a.ts:10-39\n…27\nsetting17: 'the value of it',\nsetting18: 'the value of it',\nsetting19: 'the value of it',\nsetting20: 'the value of it',\n" +
		"setting21: 'the value of it',\nsetting22: 'the value of it',\nsetting23: 'the value of it',\n…"
	if got := Text(r, 700, Arguments); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A declaration of one line stands beside its place, with what it is in.
func TestSingleLinesStandBesideTheirPlaces(t *testing.T) {
	var hits []answer.Hit
	for i := range 3 {
		h := hit(fmt.Sprintf("a%d.ts", i), "", 10, 20, 1)
		h.Chunk.ChunkType, h.Symbol = record.Data, &record.SymbolRef{Name: "Key.MaxRetry", Type: record.Constant, Line: 15}
		for n := range h.Lines() {
			h.Lines()[n] = answer.TellingLine{Number: 10 + n, Text: "  Other = 'other',", Dull: n != 5}
		}
		h.Lines()[5].Text, h.Lines()[5].Matches, h.Lines()[5].Worth, h.Lines()[5].Names = "  MaxRetry = 'MAX_RETRY',", 1, 1, true
		hits = append(hits, h)
	}
	r := response(hits...)
	r.Metadata.Source = answer.SourceExact
	want := "a0.ts:15  MaxRetry = 'MAX_RETRY',  (in Key)\na1.ts:15  MaxRetry = 'MAX_RETRY',  (in Key)\na2.ts:15  MaxRetry = 'MAX_RETRY',  (in Key)"
	if got := Text(r, 700, Arguments); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A line that is too long keeps the part that matches, and cells of tables lose their padding.
func TestLongLinesAreCut(t *testing.T) {
	for _, tt := range []struct {
		text       string
		from, most int
		want       string
	}{
		{"\tshort  line", 3, 40, "short  line"},
		{"\tone two three four", 0, 10, "one two th…"},
		{"\tone two three four", 5, 10, "…two three…"},
		{"| KEY      |    20 | says what |", 0, 24, "| KEY | 20 | says what |"},
		{"| -------- | -------- |", 0, 16, "| --- | --- |"},
	} {
		if got := line(&answer.TellingLine{Text: tt.text, From: tt.from}, strings.Count(tt.text, "\t"), tt.most); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// The last line says what shows more: a higher limit, a higher max_tokens, or both.
func TestWhatShowsMore(t *testing.T) {
	var hits []answer.Hit
	for i := range 40 {
		hits = append(hits, hit(fmt.Sprintf("a%d.go", i), "Open", 10*i+10, 3, 1))
	}
	for _, tt := range []struct {
		hits, total, tokens int
		want                string
	}{{2, 5, 4000, "3 more: add words or a path, or raise limit"}, {40, 40, 150, " more: add words or a path, or raise max_tokens"}, {40, 50, 150, " more: add words or a path, or raise limit and max_tokens"}} {
		r := response(hits[:tt.hits]...)
		r.Metadata.Source, r.TotalFound = answer.SourceExact, tt.total
		if got := Text(r, tt.tokens, Arguments); !strings.HasSuffix(got, tt.want) {
			t.Errorf("%d hits of %d: got\n%s\nwant the end %q", tt.hits, tt.total, got, tt.want)
		}
		want := strings.NewReplacer("limit", "--limit", "max_tokens", "--max-tokens").Replace(tt.want)
		if got := Text(r, tt.tokens, Flags); !strings.HasSuffix(got, want) {
			t.Errorf("%d hits of %d at a terminal: got\n%s\nwant the end %q", tt.hits, tt.total, got, want)
		}
	}
}
