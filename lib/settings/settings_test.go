package settings

import (
	"slices"
	"testing"

	"cortex/lib/config"
	"cortex/lib/search/corpus"
)

// A file may choose every stemmer of search, and no other.
func TestStemmers(t *testing.T) {
	accepted, existing := config.Stemmers(), corpus.Stemmers()
	slices.Sort(accepted)
	slices.Sort(existing)
	if !slices.Equal(accepted, existing) {
		t.Errorf("lib/config accepts %q, lib/search has %q", accepted, existing)
	}
}
