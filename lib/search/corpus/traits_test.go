package corpus

import (
	"testing"

	"cortex/lib/record"
)

// TestSourceDoesNotContinue: a line of the file is no head of the chunker, whatever it says.
func TestSourceDoesNotContinue(t *testing.T) {
	const body = "func f() {}"
	for _, test := range []struct {
		tier               record.ChunkType
		head, source, path string
		want               bool
	}{
		{record.Implementations, "", "// f does x, continued below.\n" + body, "a.go", false},
		{record.Implementations, "", "// f, continued\n" + body, "a.go", false},
		{record.Implementations, "// f, continued\n", body, "a.go", true},
		{record.Implementations, "// p.f\n", "// f, continued\n" + body, "a.go", false},
		{record.Implementations, "// g, continued\n", body, "a.go", false},
		{record.Documentation, "> Notes › The plan, continued\n\n", "Text.", "a.md", false},
		{record.Symbols, "a, continued.go: a continued go\n1 lines of go", "", "a, continued.go", false},
		{record.Symbols, "a.go, continued\nvalues: x", "", "a.go", true},
		{record.Definitions, "// Lines 1-1\n", "x = f(a, continued)", "a.go", false},
		{record.Definitions, "// type T struct, continued\n// Lines 1-1\n", "x int", "a.go", true},
	} {
		c := &record.Chunk{ChunkType: test.tier, Text: test.head + test.source}
		c.Metadata = record.Metadata{FilePath: test.path, Language: "go", SymbolName: "f", StartLine: 1, EndLine: 1, ByteEnd: len(test.source)}
		if got := traits(c)&TraitContinued != 0; got != test.want {
			t.Errorf("%q: continued is %v", c.Text, got)
		}
	}
}
