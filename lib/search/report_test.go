package search

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/rank"
	"cortex/lib/search/wording"
)

// report is a fault as people report it, in which most words are beside the point.
const report = `Backoff waits forever after the third failure

We run the service on three machines behind a proxy, and since the last update of the operating system
some of them stop to answer in the middle of the night. Steps to see it: start the server with the
default settings, cut the connection of the database for some minutes, restore it, watch the log. Expected:
it connects again. Seen: nothing at all, no message, memory grows.

Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/shop/net/retry.py", line 17, in wait
    time.sleep(delay)
OverflowError: timestamp too large to convert
`

func TestReports(t *testing.T) {
	if n := wording.WordsOfSubstance(report); n <= 30 {
		t.Errorf("a report has %d words", n)
	}
	if n := wording.WordsOfSubstance("how is the connection to the database made again after it was lost"); n > 10 {
		t.Errorf("a question has %d words", n)
	}
	chunks := []*record.Chunk{
		chunk("shop/net/retry.py", "wait", "def wait(delay):\n    time.sleep(delay * 2)\n"),
		chunk("shop/net/proxy.py", "proxy", "def proxy(server, settings):\n    # the proxy of the service watches the connection and the log\n    return server\n"),
		chunk("shop/machines.py", "machines", "def machines():\n    # all machines of the service with their memory and operating system\n    return []\n"),
	}
	x := newIndex(t, chunks)
	r, err := x.Search(t.Context(), answer.Request{Queries: []string{report}, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Results[0].Chunk.Metadata.FilePath; got != "shop/net/retry.py" {
		t.Errorf("first %s, want the file that the traceback names\n%+v", got, r.Results[0].Reasons)
	}
	for _, reason := range r.Results[0].Reasons {
		if reason.Signal == rank.Name.String() || reason.Signal == rank.Size.String() {
			t.Errorf("a report is ranked by %s", reason.Signal)
		}
	}
	// Repeating it must not make it slow or fail.
	if _, err := x.Search(t.Context(), answer.Request{Queries: []string{strings.Repeat(report, 50)}}); err != nil {
		t.Error(err)
	}
}

// What a question or a report gives as path:line is the first result, and shows that line.
func TestPointedLineComesFirst(t *testing.T) {
	body := func(name string, start int, lines ...string) *record.Chunk {
		c := chunk("shop/net/retry.py", name, strings.Join(lines, "\n")+"\n")
		c.Metadata.StartLine, c.Metadata.EndLine = start, start+len(lines)-1
		c.Metadata.ByteStart, c.Metadata.ByteEnd = 0, len(c.Text)
		return c
	}
	x := newIndex(t, []*record.Chunk{
		body("wait", 10, "def wait(delay):", "    check(delay)", "    log(delay)", "    sleep(delay * 2)"),
		body("again", 20, "def again(timestamp):", "    # the timestamp is too large to convert", "    return timestamp"),
		chunk("shop/large.py", "convert", "def convert(timestamp):\n    # too large a timestamp overflows\n    return int(timestamp)\n"),
	})
	for _, question := range []string{
		"timestamp too large to convert at shop/net/retry.py:12",
		"what does retry.py:12 do",
		"src/shop/net/retry.py(12): error: timestamp too large to convert",
		strings.Replace(report, "line 17, in wait", "line 99, in wait", 1), // the file was changed since
	} {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{question}, Lines: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Results[0].Chunk.Metadata.SymbolName; got != "wait" {
			t.Errorf("%.60q: first %s, want wait", question, got)
			continue
		}
		lines := r.Results[0].Lines()
		best := slices.MaxFunc(lines, func(a, b answer.TellingLine) int { return cmp.Compare(a.Worth, b.Worth) })
		if strings.Contains(question, "12") && best.Number != 12 {
			t.Errorf("%.60q: line %d tells most, want 12: %+v", question, best.Number, lines)
		}
	}
	// A line of a file that a filter leaves out is no result.
	r, err := x.Search(t.Context(), answer.Request{Queries: []string{"timestamp at shop/net/retry.py:12"}, Filter: answer.Filter{Path: "shop/large.py"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range r.Results {
		if h.Chunk.Metadata.FilePath != "shop/large.py" {
			t.Errorf("%s is found in spite of the filter", h.Chunk.ID)
		}
	}
}

func TestReportOnEmptyIndex(t *testing.T) {
	r, err := newIndex(t, []*record.Chunk{}).Search(t.Context(), answer.Request{Queries: []string{report}})
	if err != nil || r.TotalFound != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A report of some lines that is no longer than a question may be.
const shortReport = `Proxy drops the connection

The proxy gives up after a second. Check the timeout, read how others solved it, and add a unit test.
The manual of the proxy says nothing.`

func TestReportIsAboutCode(t *testing.T) {
	section := chunk("docs/proxy.md", "", "The manual of the proxy says that it drops a connection after a second.")
	section.ChunkType, section.Title = record.Documentation, "Proxy"
	test := chunk("shop/net/tests/test_proxy.py", "test_proxy", "def test_proxy_drops():\n    # the proxy drops the connection after a second\n    assert proxy().timeout == 1\n")
	test.Tags = append(test.Tags, "test")
	x := newIndex(t, []*record.Chunk{
		chunk("shop/net/proxy.py", "drop", "def drop(connection):\n    # drops the connection after a timeout of the proxy\n    connection.close()\n"),
		test,
		section,
	})
	for question, want := range map[string]string{
		// What a report tells of tests and manuals by the way is not what it asks for, and documentation does not
		// answer it.
		shortReport: "shop/net/proxy.py",
		"test that the proxy drops the connection after a second":    "shop/net/tests/test_proxy.py",
		"what does the manual say of a proxy that drops connections": "docs/proxy.md",
		"How do I keep a proxy from dropping connections?\n\nThe manual of the proxy says that it drops a connection after a second. I read it twice and found no setting, file or argument.": "docs/proxy.md",
	} {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{question}})
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Results[0].Chunk.Metadata.FilePath; got != want {
			t.Errorf("%q: first %s, want %s", question, got, want)
		}
	}
}

func TestReportHasConceptsOfItsFirstLine(t *testing.T) {
	x := newIndex(t, []*record.Chunk{chunk("a.go", "Ends", "func Ends(s string) bool { return strings.HasSuffix(s, wanted) }")})
	asked := func(question string) []string {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{question}})
		if err != nil {
			t.Fatal(err)
		}
		return r.Metadata.Also
	}
	const question = "throw an error if the text does not end with what is expected"
	if also := asked(question); len(also) == 0 {
		t.Error("a question has no words of concepts")
	}
	if also := asked(question + "\n\n" + report); len(also) == 0 {
		t.Error("a report has no words of its first line's concepts")
	}
	if also := asked(report + "\n\n" + question); len(also) > 0 {
		t.Errorf("a report is asked as %v too", also)
	}
}
