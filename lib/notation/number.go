package notation

import (
	"strconv"
	"strings"
)

// NumberMark stands before the number of a part in the identifier of a chunk. Paths in identifiers do not contain it
// (record.IDPath).
const NumberMark = "~"

const partMark = ", part "

// Number returns the mark of the n-th part, or of the n-th declaration of a name, in an identifier: "~2".
func Number(n int) string { return NumberMark + strconv.Itoa(n) }

// PartID returns the identifier of the n-th part, counted from 1, of what id names. The first part has id itself.
func PartID(id string, n int) string {
	if n <= 1 {
		return id
	}
	return id + Number(n)
}

// WithoutPart returns the identifier without the Number at its end, if it has one. Further parts of the first of
// several declarations of a name have the number 1 before their own, as in f~1~2; the first part, f, has none.
func WithoutPart(id string) string {
	if i := strings.LastIndex(id, NumberMark); i >= 0 && isNumber(id[i+len(NumberMark):]) {
		return strings.TrimSuffix(id[:i], Number(1))
	}
	return id
}

// WithoutParts returns the identifier without all numbers at its end: the third declaration of a name may have parts
// itself, such as ~3~2.
func WithoutParts(id string) string {
	for without := WithoutPart(id); without != id; without = WithoutPart(id) {
		id = without
	}
	return id
}

// PartTitle returns the title of the n-th part, counted from 1, of what title names: "a.go: f (function), part 2". The
// first part has title itself.
func PartTitle(title string, n int) string {
	if n <= 1 {
		return title
	}
	return title + partMark + strconv.Itoa(n)
}

// WholeTitle returns the title of which PartTitle made this one.
func WholeTitle(title string) string {
	if i := strings.LastIndex(title, partMark); i >= 0 && isNumber(title[i+len(partMark):]) {
		return title[:i]
	}
	return title
}

// isNumber reports whether s is a number from 1 as strconv.Itoa writes it.
func isNumber(s string) bool { return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == "" }
