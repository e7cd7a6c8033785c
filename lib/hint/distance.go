package hint

import "unicode/utf8"

// Distance is the number of edits between two words, or most+1 if it is more than most. An edit inserts, deletes or
// replaces a character, or exchanges two neighbours, which is how most mistyped words differ (optimal string alignment).
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

// distance counts edits of elements: bytes or characters.
func distance[E comparable](a, b []E, most int) int {
	if longer := len(a) - len(b); longer > most || -longer > most {
		return most + 1
	}
	// Of the table of distances between beginnings three rows are needed at a time.
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

// Letters is the set of bytes in a name, as far as 64 bits tell them apart. Each edit changes at most two, so names whose sets differ in more than
// twice as many as there may be edits need no Distance.
func Letters(name []byte) (set uint64) {
	for _, c := range name {
		set |= 1 << (c & 63)
	}
	return set
}
