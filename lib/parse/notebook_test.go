package parse

import (
	"strings"
	"testing"

	"cortex/lib/language"
	"cortex/lib/record"
)

// TestNotebooks reads notebooks that are not written as Jupyter writes them.
func TestNotebooks(t *testing.T) {
	jupyter, _ := language.ByName("jupyter")
	code := func(source string) string {
		return `{"cells":[{"cell_type":"code","source":` + source + `,"outputs":[]}],"metadata":{}}`
	}
	for _, c := range []struct {
		name, data, text string // no text: an error
	}{
		{"one line", code(`["x = 1\n","y = 2"]`), "```python\nx = 1\ny = 2\n```\n"},
		{"one string", code(`"x = 1\ny = 2"`), "```python\nx = 1\ny = 2\n```\n"},
		{"empty source", code(`[]`), ""},
		{"no cells", `{"metadata":{}}`, ""},
		{"nothing", ``, ""},
		{"an array", `[]`, ""},
		{"cells no array", `{"cells":{}}`, ""},
		{"a cell no object", `{"cells":[1]}`, ""},
		{"source a number", code(`1`), ""},
		{"source an object", code(`{}`), ""},
		{"source of numbers", code(`[1]`), ""},
		{"kind an object", `{"cells":[{"cell_type":{},"source":"x"}]}`, ""},
		{"cut off", `{"cells":[{"cell_type":"code","source":["x`, ""},
		{"deep", `{"x":` + strings.Repeat("[", 100_000), ""},
		{"invalid UTF-8", code("\"x = '\xff'\""), "```python\nx = 'ÿ'\n```\n"},
		{"huge", code(`"` + strings.Repeat("x", 1<<20) + `"`), "```python\n" + strings.Repeat("x", 1<<20) + "\n```\n"},
		{"strange metadata", `{"metadata":[1],"cells":[{"cell_type":"markdown","source":"Hi."}]}`, "Hi.\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := parseFile("a.ipynb", jupyter, []byte(c.data))
			checkFile(t, f)
			switch failed := f.Status == record.StatusError; {
			case c.text != "" && f.Text != c.text:
				t.Errorf("text %.200q, want %.200q", f.Text, c.text)
			case failed != (c.text == "" && c.name != "empty source"):
				t.Errorf("status %s: %s", f.Status, f.Reason)
			}
		})
	}
}
