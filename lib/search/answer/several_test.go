package answer

import (
	"fmt"
	"strings"
	"testing"
)

// TestMergeSaysWhyNothingWasFound groups repositories by what they say, in their order.
func TestMergeSaysWhyNothingWasFound(t *testing.T) {
	message := func(messages ...string) string {
		var names []string
		var answers []*Response
		for i, text := range messages {
			names, answers = append(names, fmt.Sprintf("r%d", i)), append(answers, &Response{NoMatch: &NoMatch{Message: text}})
		}
		return Merge(Request{}, names, answers).NoMatch.Message
	}
	for _, tt := range []struct {
		messages string
		want     string
	}{
		{"same same", "same"},
		{"b a b", "r0, r2: b\nr1: a"},
		{"a b c d e f", "r0: a\nr1: b\nr2: c\nr3: d\nr4: e\nand nothing in others"},
	} {
		if got := message(strings.Fields(tt.messages)...); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.messages, got, tt.want)
		}
	}
}

// TestMergeLeavesOutIndexesWithoutIdentifiers has one answer for each text "ABSENT:WARNING"; each letter of ABSENT is an
// identifier that its index lacks.
func TestMergeLeavesOutIndexesWithoutIdentifiers(t *testing.T) {
	for _, tt := range []struct{ answers, repositories, warning string }{
		{"x:no x| :|y:no y", "r1", ""},
		{"x:no x|x:no x", "r0 r1", "no x"},
		{"x:no x|y:no y", "r0 r1", "r0: no x; r1: no y"},
		{"xy:no x, y|y:no y|x:no x", "r1 r2", "r1: no y; r2: no x"},
		{" :|  :far", "r0 r1", "r1: far"},
	} {
		var names []string
		var answers []*Response
		for i, text := range strings.Split(tt.answers, "|") {
			absent, warning, _ := strings.Cut(text, ":")
			r := &Response{Results: []Hit{{}}}
			r.Metadata.Absent, r.Metadata.Warning = strings.Split(strings.TrimSpace(absent), ""), warning
			names, answers = append(names, fmt.Sprintf("r%d", i)), append(answers, r)
		}
		merged := Merge(Request{Limit: 10}, names, answers)
		var from []string
		for _, h := range merged.Results {
			from = append(from, h.Repository)
		}
		if got := strings.Join(from, " "); got != tt.repositories || merged.Metadata.Warning != tt.warning {
			t.Errorf("%s: results of %s, warning %q", tt.answers, got, merged.Metadata.Warning)
		}
	}
	for _, tt := range []struct {
		far  []bool
		want string
	}{{[]bool{true, true}, "far"}, {[]bool{true, false}, ""}} {
		var answers []*Response
		for _, far := range tt.far {
			r := &Response{Results: []Hit{{}}}
			if r.Metadata.Far = far; far {
				r.Metadata.Warning = "far"
			}
			answers = append(answers, r)
		}
		if got := Merge(Request{Limit: 10}, []string{"r0", "r1"}, answers).Metadata.Warning; got != tt.want {
			t.Errorf("far %v: warning %q, want %q", tt.far, got, tt.want)
		}
	}
	empty := &Response{}
	lacking := &Response{Results: []Hit{{}}, Metadata: ResponseMetadata{Absent: []string{"x"}}}
	if got := Merge(Request{Limit: 10}, []string{"a", "b"}, []*Response{empty, lacking}); len(got.Results) != 1 {
		t.Error("an index without results excludes another")
	}
}
