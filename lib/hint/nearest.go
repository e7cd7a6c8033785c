package hint

import (
	"math"
	"strings"
)

// Nearest returns the known name that a mistyped one most probably means, "" if none
// is near: one edit away, or a third of its length, or a beginning. Case, dashes
// and underscores do not count. Of equals the first wins.
func Nearest(name string, known []string) string {
	best, least := "", math.MaxInt
	plain := plainName(name)
	for _, candidate := range known {
		other := plainName(candidate)
		distance := editDistance(plain, other)
		if len(plain) >= 3 && (strings.HasPrefix(other, plain) || strings.HasPrefix(plain, other)) {
			distance = min(distance, 1)
		}
		if distance <= max(1, len(other)/3) && distance < least {
			best, least = candidate, distance
		}
	}
	return best
}

// plainName leaves only what distinguishes names in all styles: chunkTypes is chunk_types.
func plainName(name string) string {
	const most = 100 // no known name is nearly as long, and the distance takes quadratic time
	name = name[:min(len(name), most)]
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// editDistance is the Levenshtein distance in bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
