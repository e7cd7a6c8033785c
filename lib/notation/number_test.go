package notation

import "testing"

func TestNumbersAreRead(t *testing.T) {
	for _, name := range []string{"", "code-impl-a.go#f", "code-impl-a.go#f~", "code-impl-a.go#f~x", "code-impl-a.go#f~01", "code-impl-a.go#f~+1", "a.go: f(x, part y) (function)", "x, part ", "x, part one"} {
		for _, n := range []int{1, 2, 10, 205} {
			if got := WithoutPart(PartID(name, n)); got != name {
				t.Errorf("part %d of %q is read as one of %q", n, name, got)
			}
			if got := WithoutPart(name + Number(n)); got != name {
				t.Errorf("number %d of %q is read as one of %q", n, name, got)
			}
			if got := WithoutParts(PartID(name+Number(n), n+1)); got != name {
				t.Errorf("part %d of number %d of %q is read as one of %q", n+1, n, name, got)
			}
			if got := WholeTitle(PartTitle(name, n)); got != name {
				t.Errorf("title of part %d of %q is read as one of %q", n, name, got)
			}
		}
	}
}
