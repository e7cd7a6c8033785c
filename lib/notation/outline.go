package notation

import (
	"strconv"
	"strings"
)

// OutlineLines returns the end of a line of an outline, which names the first and last line of a declaration, counted
// from 1: "lines 10-15", or "line 10".
func OutlineLines(first, last int) string {
	if first == last {
		return "line " + strconv.Itoa(first)
	}
	return "lines " + strconv.Itoa(first) + "-" + strconv.Itoa(last)
}

// ReadOutlineLines returns the qualified name of a declaration and its lines from a line of an outline, such as
// "  Store.Get, method, lines 10-15". Names may contain ", ", which ends what is returned of them.
func ReadOutlineLines(line string) (name string, first, last int, ok bool) {
	line, indented := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "  ")
	i := strings.LastIndex(line, ", line")
	if !indented || i < 0 {
		return "", 0, 0, false
	}
	end := line[i+len(", "):]
	numbers, _ := strings.CutPrefix(strings.TrimPrefix(end, "line"), "s")
	a, b, several := strings.Cut(strings.TrimPrefix(numbers, " "), "-")
	if !several {
		b = a
	}
	first, _ = strconv.Atoi(a)
	last, _ = strconv.Atoi(b)
	if first < 1 || last < first || OutlineLines(first, last) != end {
		return "", 0, 0, false
	}
	name, _, _ = strings.Cut(line, ", ")
	return name, first, last, true
}
