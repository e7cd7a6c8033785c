package hint

import (
	"fmt"
	"math"
	"strings"
)

// leastShared is the number of characters that a beginning must have to say what is meant.
const leastShared = 3

// Nearest returns the known name that a mistyped one most probably means, "" if none is near. Near is what one edit
// makes of it, or as many as a third of its length; a name that it begins; and one with which it begins, if that is at least half
// of it. Names that share no character are never near, however short they are. Case, dashes and underscores do not
// count. Of equals the first wins.
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

// OrNearest is the advice for a name that is not known, behind the question whether the nearest of those that are was meant.
func OrNearest(name string, known []string, advice string) string {
	if near := Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q? %s", near, advice)
	}
	return advice
}

// plainName leaves only what distinguishes names in all styles: chunkTypes is chunk_types.
func plainName(name string) string {
	const most = 100 // no known name is nearly as long, and the distance takes quadratic time
	name = name[:min(len(name), most)]
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}
