package jsonl

import (
	"strings"
	"testing"
)

// The error about a bad line never quotes the line, which may be of any length.
func TestErrorsAreBrief(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, line := range []string{
		`{"type":"chunk","id":"` + long + `"`,
		`{"type":"chunk","id":"` + long + `"}}`,
		`{"type":"chunk","id":"` + long + "\x01" + `"}`,
		`{"type":"chunk","text":"` + long + `","metadata":{"start_line":1.5}}`,
		`{"` + long,
		long,
	} {
		_, err := Line{Name: "stdin", Number: 7, Data: []byte(line)}.Decode()
		if err == nil || len(err.Error()) > 200 || strings.Contains(err.Error(), `\n`) {
			t.Errorf("%.40s: %.300v", line, err)
		} else {
			t.Log(err)
		}
	}
}
