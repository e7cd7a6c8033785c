package request

import (
	"strings"
	"testing"

	"cortex/lib/graph/table"
)

// TestPlaceBeyondTheEndOfTheFile has targets as users type them and as answers print places.
func TestPlaceBeyondTheEndOfTheFile(t *testing.T) {
	for query, refused := range map[string]bool{"a.go:7": false, "a.go:11": true, "a.go:7-9": false, "a.go:11-12": true, "a.go:11,15-16": true, "a.go": false} {
		a := &table.Answer{Query: query, Target: &table.Symbol{FilePath: "a.go", Kind: table.FileKind}}
		err := CheckPlaces(a, func(string) (int, error) { return 10, nil })
		if (err != nil) != refused || refused && !strings.Contains(err.Error(), "the file has 10 lines") {
			t.Errorf("%s: %v", query, err)
		}
	}
}
