package hint

import (
	"strings"
	"unicode/utf8"
)

// Distance returns the number of edits between two words, or most+1 if there are more than most. An edit inserts,
// deletes or replaces a character, or exchanges two neighbours (optimal string alignment distance).
func Distance[A, B string | []byte](a A, b B, most int) int {
	if isASCII(a) && isASCII(b) {
		return distance([]byte(a), []byte(b), most)
	}
	return distance([]rune(string(a)), []rune(string(b)), most)
}

func isASCII[S string | []byte](s S) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// distance is Distance for slices of bytes or characters.
func distance[E comparable](a, b []E, most int) int {
	if longer := len(a) - len(b); longer > most || -longer > most {
		return most + 1
	}
	// Only three rows of the table of distances between prefixes are needed at a time.
	width := len(b) + 1
	var short [3 * 32]int
	rows := short[:]
	if 3*width > len(rows) {
		rows = make([]int, 3*width)
	}
	before, last, row := rows[:width], rows[width:2*width], rows[2*width:3*width]
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		least := row[0]
		for j := range len(b) {
			edits := min(last[j+1], row[j]) + 1
			if a[i] == b[j] {
				edits = min(edits, last[j])
			} else {
				edits = min(edits, last[j]+1)
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				edits = min(edits, before[j-1]+1)
			}
			row[j+1] = edits
			least = min(least, edits)
		}
		if least > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], most+1)
}

// Letters returns the set of bytes in a name, as a bit set modulo 64. An edit changes at most two bits, so names whose
// sets differ in more than twice the allowed edits need no Distance.
func Letters(name []byte) (set uint64) {
	for _, c := range name {
		set |= 1 << (c & 63)
	}
	return set
}

// MostEdits returns by how many edits a word may differ from the one that was meant: 2 for words of at least 5
// characters, 1 for at least 3, else 0, since nearly every word is near to so short a word.
func MostEdits(word string) int {
	switch letters := utf8.RuneCountInString(word); {
	case letters < 3:
		return 0
	case letters < 5:
		return 1
	}
	return 2
}

// IsTypo reports whether two words that differ by so many edits may be the same word, mistyped. Two edits leave little
// of a short word, so the words must have three characters in succession in common: rider and reader, but not fixme and
// file.
func IsTypo(a, b string, edits int) bool {
	if edits < 2 {
		return true
	}
	letters := []rune(a)
	for i := range max(len(letters)-2, 0) {
		if strings.Contains(b, string(letters[i:i+3])) {
			return true
		}
	}
	return false
}
