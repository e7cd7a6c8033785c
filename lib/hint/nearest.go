package hint

import (
	"fmt"
	"math"
	"strings"
)

// leastShared is the least length of a prefix, in characters, that can identify a name.
const leastShared = 3

// Nearest returns the known name that a mistyped one most probably means, "" if none is near. A known name is near if
// it differs by one edit or by up to a third of its length in edits, if name is a prefix of it, or if it is a prefix of
// name and at least half as long. Names without a common character are never near. Case, dashes and underscores are
// ignored. Of equally near names the first wins.
func Nearest(name string, known []string) string {
	best, least := "", math.MaxInt
	plain := plainName(name)
	for _, candidate := range known {
		other := plainName(candidate)
		shorter, longer := min(len(plain), len(other)), max(len(plain), len(other))
		distance := Distance(plain, other, longer)
		begins := shorter >= leastShared && (strings.HasPrefix(other, plain) || strings.HasPrefix(plain, other) && 2*len(other) >= len(plain))
		if (begins || distance <= max(1, len(other)/3) && distance < shorter) && distance < least {
			best, least = candidate, distance
		}
	}
	return best
}

// OrNearest returns advice for an unknown name: the question whether the nearest known name was meant, if there is one,
// followed by advice.
func OrNearest(name string, known []string, advice string) string {
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q? %s", near, advice)
	}
	return advice
}

// plainName removes differences of style, so that chunkTypes equals chunk_types.
func plainName(name string) string {
	const most = 100 // no known name is nearly as long, and the time of Distance is quadratic
	name = name[:min(len(name), most)]
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}
