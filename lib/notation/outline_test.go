package notation

import "testing"

func TestOutlineLineIsRead(t *testing.T) {
	for _, want := range [][2]int{{1, 1}, {10, 15}, {999, 1234567}} {
		for _, about := range [][]string{nil, {"class"}, {"other and 2 more", "constant"}} {
			line := OutlineLine("a.Store", about, want[0], want[1])
			if name, first, last, ok := ReadOutlineLine(line + "\n"); !ok || name != "a.Store" || first != want[0] || last != want[1] {
				t.Errorf("%q is read as %s %d-%d, %v", line, name, first, last, ok)
			}
		}
	}
	for _, line := range []string{
		"", "10 lines of go", "Store, struct, lines 8-10", "  Store, line", "  Store, lines 3", "  Store, lines 3-", "  Store, lines 3-2",
		"  Store, line 0", "  Store, line +1", "  Store, line 1-1", "  Store, lines 1-99999999999999999999", "  Store, lines 1-2 x", "  one, lines, two",
	} {
		if name, first, last, ok := ReadOutlineLine(line); ok {
			t.Errorf("%q is read as %s %d-%d", line, name, first, last)
		}
	}
}
