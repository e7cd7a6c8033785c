package notation

import (
	"strconv"
	"strings"

	"cortex/lib/language"
)

// Lines returns the line, without its line break and indentation, that stands above a piece of a file and names its
// first and last line, counted from 1: "// Lines 10-15".
func Lines(l language.Language, first, last int) string {
	return Comment(l, "Lines "+strconv.Itoa(first)+"-"+strconv.Itoa(last))
}

// ReadLines returns the numbers in a line of a chunk's text that Lines wrote. It ignores the indentation and the line
// break. languageName is that of the chunk.
func ReadLines(languageName, line string) (first, last int, ok bool) {
	line = strings.Trim(line, " \t\r\n")
	// Most lines are not such a comment, which costs no look at the language.
	_, rest, ok := strings.Cut(line, " Lines ")
	if !ok {
		return 0, 0, false
	}
	a, rest, ok := strings.Cut(rest, "-")
	if !ok {
		return 0, 0, false
	}
	b, _, _ := strings.Cut(rest, " ")
	first, err := strconv.Atoi(a)
	if err != nil {
		return 0, 0, false
	}
	last, err = strconv.Atoi(b)
	if err != nil || first < 1 || last < first || line != Lines(languageOf(languageName), first, last) {
		return 0, 0, false
	}
	return first, last, true
}
