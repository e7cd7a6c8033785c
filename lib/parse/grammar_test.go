package parse

import "testing"

func TestQueriesCompile(t *testing.T) {
	for name, g := range grammars() {
		if _, err := g.compile(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
