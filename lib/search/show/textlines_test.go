package show

import (
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
)

// The line that closes a type has the number that it has in the file, though the bodies of the functions before it are
// left out.
func TestPiecesAreNumbered(t *testing.T) {
	const end = 60 // of the chunk
	for _, tt := range []struct {
		text string
		want []int
	}{
		{"// Lines 15-44\nclass A {\n    int a;\n\n    // Lines 23-25\n    int f()\n\n    // Lines 33-43\n    @Override\n    int g()\n}\n", []int{0, 15, 16, 17, 0, 23, 24, 0, 33, 34, 44}},
		{"// Lines 1-30\nclass A {\n  // Lines 4-20\n  class B {\n    // Lines 6-10\n    f()\n  }\n}\n// Lines 40-41\nclass C {\n}\n", []int{0, 1, 0, 4, 0, 6, 20, 30, 0, 40, 41}},
		{"// Lines 3-9\nclass A\n  // Lines 5-8\n  def f\nend\n", []int{0, 3, 0, 5, 9}},
		{"// Lines 1-30\nclass A {\n  // Lines 4-8\n  int a;\npublic:\n  // Lines 10-11\n  int b;\n", []int{0, 1, 0, 4, 5, 0, 10}},
		{"class A, continued\n    // Lines 10-20\n    int f()\n}\n", []int{0, 0, 10, end}},
		{"class A.B, continued\n    // Lines 10-20\n    int f()\n  }\n}\n// Lines 30-30\nclass C;\n", []int{0, 0, 10, 0, 0, 0, 30}},
		{"// Lines 3-5\n// Lines 7-8 say why.\nx := `// Lines 9-9`\n", []int{0, 3, 4}},
	} {
		c := &record.Chunk{ChunkType: record.Definitions, Text: tt.text, Metadata: record.Metadata{Language: "go", EndLine: end}}
		if got := newTextLines(c).number; !slices.Equal(got, tt.want) {
			t.Errorf("%s\ngot %v, want %v", strings.TrimSpace(tt.text), got, tt.want)
		}
	}
}
