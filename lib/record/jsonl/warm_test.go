package jsonl

import (
	"strings"
	"testing"

	"cortex/lib/record"
)

// Records that are read and written while Warm runs are correct.
func TestWarm(t *testing.T) {
	f := &record.File{FilePath: "a.go", Status: record.StatusOK}
	want, err := Append(nil, f)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		Warm([]record.Record{&record.Begin{}, &record.File{}, &record.Chunk{}, &record.End{}}, []record.Record{&record.File{}, &record.Chunk{}})
		got, err := Append(nil, f)
		if err != nil || string(got) != string(want) {
			t.Fatalf("%s, %v", got, err)
		}
		if _, err := (Line{Data: got}).Decode(); err != nil {
			t.Fatal(err)
		}
	}
}

// The codec of file records is compiled only when a run has files.
func TestWarmUp(t *testing.T) {
	for _, test := range []struct {
		lines string
		want  int
	}{
		{"", 0},
		{`{"type":"begin","files":0} {"type":"end"} {"type":"begin","files":0}`, 0},
		{`{"type":"begin","files":0} {"type":"end"} {"type":"begin","files":2} {"type":"begin","files":2}`, 1},
		{`{"type":"chunk"} {"type":"begin","files":2}`, 0},
		{`{"type":"begin","files":"many"} {"type":"nothing"} {"type":"begin","files":2}`, 1},
	} {
		r := NewReader(strings.NewReader(strings.ReplaceAll(test.lines, " ", "\n")), "-")
		warmed := 0
		r.warm = func() { warmed++ }
		for {
			if _, err := r.Next(); err != nil {
				break
			}
		}
		if warmed != test.want {
			t.Errorf("%s: warmed up %d times, want %d", test.lines, warmed, test.want)
		}
	}
}
