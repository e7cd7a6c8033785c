package search

import (
	"strings"
	"testing"

	"cortex/lib/record"
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

func TestLongTexts(t *testing.T) {
	if n := wordsOfSubstance(report); n <= longWords {
		t.Errorf("a report has %d words", n)
	}
	if n := wordsOfSubstance("how is the connection to the database made again after it was lost"); n > briefWords {
		t.Errorf("a question has %d words", n)
	}
	chunks := []*record.Chunk{
		chunk("shop/net/retry.py", "wait", "def wait(delay):\n    time.sleep(delay * 2)\n"),
		chunk("shop/net/proxy.py", "proxy", "def proxy(server, settings):\n    # the proxy of the service watches the connection and the log\n    return server\n"),
		chunk("shop/machines.py", "machines", "def machines():\n    # all machines of the service with their memory and operating system\n    return []\n"),
	}
	x := newIndex(t, chunks)
	r, err := x.Search(t.Context(), Request{Queries: []string{report}, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Results[0].Chunk.Metadata.FilePath; got != "shop/net/retry.py" {
		t.Errorf("first %s, want the file that the traceback names\n%+v", got, r.Results[0].Reasons)
	}
	for _, reason := range r.Results[0].Reasons {
		if reason.Signal == Name.String() || reason.Signal == Size.String() {
			t.Errorf("a long text is ranked by %s", reason.Signal)
		}
	}
	// Repeating it must not make it slow or fail.
	if _, err := x.Search(t.Context(), Request{Queries: []string{strings.Repeat(report, 50)}}); err != nil {
		t.Error(err)
	}
}

func TestLongTextOnEmptyIndex(t *testing.T) {
	r, err := newIndex(t, []*record.Chunk{}).Search(t.Context(), Request{Queries: []string{report}})
	if err != nil || r.TotalFound != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestPlaces(t *testing.T) {
	var chunks []*record.Chunk
	for _, file := range []string{"src/core/io.c", "src/win/io.c", "src/app.py", "src/app/models/user.py", "README.md"} {
		chunks = append(chunks, chunk(file, "f", "text"))
	}
	x := newIndex(t, chunks)
	tests := []struct {
		text string
		want map[string]float32
	}{
		{"at win/io.c:12", map[string]float32{"src/win/io.c": 1}},
		{"in io.c there", map[string]float32{"src/core/io.c": 0.5, "src/win/io.c": 0.5}},
		{`File "C:/x/src/app/models/user.py"`, map[string]float32{"src/app/models/user.py": 1}},
		{"app.models.user.User.save failed", map[string]float32{"src/app/models/user.py": 1}},
		{"models of user", nil},
		{"see ../../etc/passwd", nil},
	}
	for _, tt := range tests {
		got := map[string]float32{}
		for file, value := range x.places().find(tt.text) {
			got[x.cat.Path(file)] = value
		}
		if len(got) != len(tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
		for file, value := range tt.want {
			if got[file] != value {
				t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
			}
		}
	}
}
