package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/record"
)

const declarations = `package a

type (
	Reader struct{ n int }
	// Writer writes.
	Writer interface{ Write() }
)

func Open() *Reader {
	return nil
}

func (r *Reader) Read() {
}

const (
	First = iota
	Second
)

var left, right int
`

// declared lists what the chunks of a tier declare: kind, name and line, with a bar between chunks.
func declared(chunks []*record.Chunk, tier record.ChunkType) string {
	var out []string
	for _, c := range chunks {
		if c.ChunkType != tier {
			continue
		}
		var list []string
		for _, s := range c.Metadata.Symbols {
			list = append(list, fmt.Sprintf("%s %s %d", s.Type, s.Name, s.Line))
		}
		if len(list) == 0 {
			list = append(list, fmt.Sprintf("alone %s", c.Metadata.SymbolName))
		}
		out = append(out, strings.Join(list, ", "))
	}
	return strings.Join(out, " | ")
}

func TestSymbols(t *testing.T) {
	const types, data = "struct Reader 4 | interface Writer 6", "constant First 17, constant Second 18 | variable left 21, variable right 21"
	without := []string{chunk.Definitions, chunk.Data}
	long := "package a\n\ntype Options struct {\n" + strings.Repeat("\t// Name is a name of some kind.\n\tName string\n", 100) + "}\n\ntype Last int\n"
	tests := []struct {
		name, text        string
		tiers             []string
		definitions, data string
	}{
		{"functions have their own chunks", declarations, nil, types + " | alone ", data},
		{"functions have none", declarations, without, types + " | function Open 9, method Reader.Read 13", data},
		{"one type", "package a\n\ntype A int\n", nil, "alone A", ""},
		{"one value", "package a\n\nvar a = 1\n", nil, "", "alone a"},
		{"signatures alone", "package a\n\nfunc A() {\n}\n\nfunc B() {\n}\n", nil, "alone ", ""},
		{"a type in several chunks", long, nil, "alone Options | alone Options | alone Options | alone Last", ""},
	}
	for _, tt := range tests {
		opts := chunk.DefaultOptions()
		opts.Tiers = tt.tiers
		chunks := chunk.File(parsed("a.go", []byte(tt.text)), "", opts)
		if got := declared(chunks, record.Definitions); got != tt.definitions {
			t.Errorf("%s: definitions declare %q, want %q", tt.name, got, tt.definitions)
		}
		if got := declared(chunks, record.Data); got != tt.data {
			t.Errorf("%s: data declares %q, want %q", tt.name, got, tt.data)
		}
	}
}

// TestLinesOfDeclarations counts lines from the comment with the line numbers, as snippets do.
func TestLinesOfDeclarations(t *testing.T) {
	long := strings.Repeat("// It does a great many things.\n", 60)
	for path, text := range map[string]string{
		"a.go": "package a\n\n" + long + "func Long() {\n}\n\n// Short.\nfunc Short() {\n}\n",
		"a.py": "class A:\n    def f(self):\n        \"\"\"Give a thing.\"\"\"\n        return 1\n\n@decorated\ndef g():\n    \"\"\"Give more.\"\"\"\n    return 2\n",
	} {
		lines := strings.Split(text, "\n")
		found := 0
		for _, c := range chunk.File(parsed(path, []byte(text)), "", chunk.DefaultOptions()) {
			if c.ChunkType != record.Definitions {
				continue
			}
			at := 0
			for line := range strings.SplitSeq(c.Text, "\n") {
				var last int
				if _, err := fmt.Sscanf(strings.TrimLeft(line, " /#"), "Lines %d-%d", &at, &last); err == nil {
					continue
				}
				if strings.Contains(line, "func ") || strings.Contains(line, "def ") {
					found++
					if want := strings.TrimRight(strings.TrimSpace(lines[at-1]), " {:"); strings.TrimRight(strings.TrimSpace(line), " {:") != want {
						t.Errorf("%s: %q seems to be line %d, which is %q", path, line, at, want)
					}
				}
				at++
			}
		}
		if found != 2 {
			t.Errorf("%s: %d declarations, want 2", path, found)
		}
	}
}
