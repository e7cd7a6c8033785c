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

// TestDeclarationsOwnTheirLines: lines between declarations that are shown in chunks of their own take no line of these,
// or exact search, which looks at each line once, would not find the names in them.
func TestDeclarationsOwnTheirLines(t *testing.T) {
	for name, text := range map[string]string{
		"a.c":  "#include <a.h>\n/* Limit. */\n#define LIMIT 10\n#ifdef X\n#define MODE 1\n#else\n#define MODE 2\n#endif\nstruct node;\nstruct node {\n  int v;\n};\ntypedef int id;\nextern int other;\n",
		"a.py": "\"\"\"About.\"\"\"\nLIMIT = 3\nif True:\n    MODE = 1\nprint(LIMIT)\nOTHER = 2\nprint(OTHER)\n",
	} {
		for _, c := range chunk.File(parsed(name, []byte(text)), "", chunk.DefaultOptions()) {
			if c.ChunkType != record.Definitions && c.ChunkType != record.Data {
				continue
			}
			for _, r := range c.Metadata.Repeats {
				if lines := strings.Split(c.Text, "\n")[r[0]-1 : r[1]]; len(lines) > 1 || !strings.Contains(lines[0], " Lines ") {
					t.Errorf("%s repeats %q", c.ID, lines)
				}
			}
		}
	}
}

// TestMembersAreDeclaredOnce: an enumeration is a type and a value, its members are values.
func TestMembersAreDeclaredOnce(t *testing.T) {
	for name, text := range map[string]string{
		"A.java": "class A {\n  enum One { ITEM }\n  enum Two {\n    OTHER,\n    LAST\n  }\n  void f() {\n    g();\n  }\n}\n",
		"a.rs":   "pub enum One {\n    ITEM,\n    OTHER(u8),\n}\n",
	} {
		times := map[string]int{}
		for _, c := range chunk.File(parsed(name, []byte(text)), "", chunk.DefaultOptions()) {
			for _, s := range c.Metadata.Symbols {
				times[s.Name]++
				if want := record.Data; s.Type == record.Constant && c.ChunkType != want {
					t.Errorf("%s declares %s", c.ID, s.Name)
				}
			}
		}
		if len(times) < 3 {
			t.Errorf("%s: %v", name, times)
		}
	}
}
