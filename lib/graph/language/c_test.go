package language

import (
	"slices"
	"testing"
)

// TestNamesOfCAreSorted since they are looked for by halves.
func TestNamesOfCAreSorted(t *testing.T) {
	for name, list := range map[string][]string{"standardHeaders": standardHeaders, "builtinC": builtinC, "builtinMembersC": builtinMembersC, "standardC": standardC} {
		if !slices.IsSorted(list) {
			t.Errorf("%s is not sorted", name)
		}
		if n := len(slices.Compact(slices.Clone(list))); n != len(list) {
			t.Errorf("%s has names twice", name)
		}
	}
}
