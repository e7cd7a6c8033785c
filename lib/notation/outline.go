package notation

import (
	"strconv"
	"strings"
)

// OutlineLine returns the line, without its line break, that names a declaration in the outline of a file: its
// qualified name, what is said about it, such as its kind, and its first and last line in the file, counted from 1:
// "  Store.Get, method, lines 10-15".
func OutlineLine(name string, about []string, first, last int) string {
	return "  " + strings.Join(append([]string{name}, about...), ", ") + ", " + outlineEnd(first, last)
}

// ReadOutlineLine returns the name of a declaration and its lines from a line of a chunk's text that OutlineLine wrote.
// It ignores the line break. Names may contain ", ", which ends what is returned of them.
func ReadOutlineLine(line string) (name string, first, last int, ok bool) {
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
	if first < 1 || last < first || outlineEnd(first, last) != end {
		return "", 0, 0, false
	}
	name, _, _ = strings.Cut(line, ", ")
	return name, first, last, true
}

// outlineEnd returns the end of a line of an outline: "lines 10-15", or "line 10".
func outlineEnd(first, last int) string {
	if first == last {
		return "line " + strconv.Itoa(first)
	}
	return "lines " + strconv.Itoa(first) + "-" + strconv.Itoa(last)
}
