package language

import (
	"slices"
	"strings"
)

// wordSet is the set of the words of a text.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// among reports whether the name is in the list of names, or for a member in that of members. Both are sorted.
func among(name string, member bool, names, members []string) bool {
	if member {
		names = members
	}
	_, found := slices.BinarySearch(names, name)
	return found
}
