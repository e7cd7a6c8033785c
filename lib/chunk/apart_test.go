package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/record"
)

// TestManyDeclarations: the number of chunks of a file is bounded, whatever stands between its types and values.
func TestManyDeclarations(t *testing.T) {
	const count, most = 4000, 200
	for name, format := range map[string]string{
		"lines.go":   "const Name%d = 1\n",
		"apart.go":   "const Name%d = 1\n\n",
		"types.go":   "type Name%d int\n\n",
		"guarded.h":  "#ifndef NAME%[1]d\n#define NAME%[1]d 1\n#endif\n\n",
		"classes.py": "class Name%d:\n    x = 1\n\n",
	} {
		var text strings.Builder
		for i := range count {
			fmt.Fprintf(&text, format, i)
		}
		tiers := map[record.ChunkType]int{}
		f := parsed(name, []byte(text.String()))
		chunks := chunk.File(f, "", chunk.DefaultOptions())
		checkChunks(t, f, chunks, chunk.DefaultOptions())
		for _, c := range chunks {
			tiers[c.ChunkType]++
		}
		if n := max(tiers[record.Definitions], tiers[record.Data]); n > most {
			t.Errorf("%s: %d chunks of types and %d of values, want at most %d", name, tiers[record.Definitions], tiers[record.Data], most)
		}
	}
}

// TestLargeFieldKeepsItsName: all parts of a large value belong to it, not to the class around it.
func TestLargeFieldKeepsItsName(t *testing.T) {
	text := "class A:\n    names = [\n" + strings.Repeat("        'a name that fills the chunk',\n", 200) + "    ]\n"
	parts := 0
	for _, c := range chunk.File(parsed("a.py", []byte(text)), "", chunk.DefaultOptions()) {
		if c.ChunkType != record.Data {
			continue
		}
		parts++
		if c.Metadata.SymbolName != "A.names" {
			t.Errorf("%s: symbol %q", c.ID, c.Metadata.SymbolName)
		}
	}
	if parts < 2 {
		t.Errorf("%d parts", parts)
	}
}

// TestValueMacros: a macro that stands for a value is shown by the data tier alone, or by definitions without that tier.
func TestValueMacros(t *testing.T) {
	f := parsed("a.h", []byte("#define LIMIT 10\n#define TWICE(x) (2 * (x))\n"))
	opts := chunk.DefaultOptions()
	for _, want := range []bool{false, true} {
		for _, c := range chunk.File(f, "", opts) {
			if got := strings.Contains(c.Text, "LIMIT 10"); c.ChunkType == record.Definitions && got != want {
				t.Errorf("tiers %v: %s\n%s", opts.Tiers, c.ID, c.Text)
			}
		}
		opts.Tiers = []string{chunk.Definitions}
	}
}
