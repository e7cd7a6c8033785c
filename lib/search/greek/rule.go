package greek

import (
	"slices"
	"strings"
)

// A rule removes the longest of its endings that the word has.
type rule struct {
	endings []string
	// put replaces the ending.
	put string
	// whole says that the ending must be the whole word.
	whole bool
	// keepsEnding says that onlyUncut rules may still apply after this rule; they apply only to words that no other
	// rule has shortened.
	keepsEnding, onlyUncut bool
	// then has the exceptions; the first one that fits the remaining word applies.
	then []exception
}

// An exception applies if the remaining word is one of words or ends with one of ends; without both, always.
type exception struct {
	words, ends []string
	// The suffix cut is removed, then add is appended.
	cut, add string
}

// apply returns the word without the ending; ok is false if it has none of the endings.
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
