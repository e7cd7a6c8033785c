package language

import (
	"slices"
	"strings"
)

// wordSet returns the set of the words of a text.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// among reports whether the name is in names, or for a member in members. Both lists must be sorted.
func among(name string, member bool, names, members []string) bool {
	if member {
		names = members
	}
	_, found := slices.BinarySearch(names, name)
	return found
}
