package greek

import (
	"slices"
	"strings"
)

// A rule takes the longest of its endings off a word.
type rule struct {
	endings []string
	// put takes the ending's place.
	put string
	// whole is set where the ending must be all of the word.
	whole bool
	// keepsEnding is set where an ordinary ending may still be taken off, which onlyUncut rules do of words that have lost nothing else.
	keepsEnding, onlyUncut bool
	// then has what is put behind certain words that are left. The first that fits counts.
	then []exception
}

// An exception is for what is left of a word if it is one of words, or ends with one of ends; without both, for all.
type exception struct {
	words, ends []string
	// cut is taken off, and add put at the end.
	cut, add string
}

// apply returns the word without the ending; ok is false if it has none.
func (r *rule) apply(word string) (rest string, ok bool) {
	longest := ""
	for _, ending := range r.endings {
		if len(ending) > len(longest) && strings.HasSuffix(word, ending) {
			longest = ending
		}
	}
	if longest == "" || r.whole && longest != word {
		return word, false
	}
	rest = word[:len(word)-len(longest)] + r.put
	for _, e := range r.then {
		if e.fits(rest) {
			return strings.TrimSuffix(rest, e.cut) + e.add, true
		}
	}
	return rest, true
}

func (e *exception) fits(rest string) bool {
	if e.words == nil && e.ends == nil || slices.Contains(e.words, rest) {
		return true
	}
	return slices.ContainsFunc(e.ends, func(end string) bool { return strings.HasSuffix(rest, end) })
}
