package notation

import (
	"testing"

	"cortex/lib/language"
)

func TestLinesAreRead(t *testing.T) {
	for _, l := range append(language.All(), language.Language{Name: "unknown"}) {
		for _, want := range [][2]int{{1, 1}, {10, 15}, {999, 1234567}} {
			written := Lines(WithComment(l), want[0], want[1])
			for _, line := range []string{written, "\t  " + written, written + "\r\n"} {
				if first, last, ok := ReadLines(l.Name, line); !ok || first != want[0] || last != want[1] {
					t.Errorf("%s: %q is read as %d-%d, %v", l.Name, line, first, last, ok)
				}
			}
			for _, line := range []string{written + " of the file", "x " + written, written + "0-1", written[1:]} {
				if first, last, ok := ReadLines(l.Name, line); ok {
					t.Errorf("%s: %q is read as %d-%d", l.Name, line, first, last)
				}
			}
		}
	}
	for _, line := range []string{"", "//", "// Lines", "// Lines 3", "// Lines 3-", "// Lines 3-2", "// Lines 0-2", "// Lines +1-2", "// Lines 1-99999999999999999999", "// lines 1-2", `x := "// Lines 1-2"`} {
		if first, last, ok := ReadLines("go", line); ok {
			t.Errorf("%q is read as %d-%d", line, first, last)
		}
	}
}
