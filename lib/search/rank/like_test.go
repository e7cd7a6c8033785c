package rank

import "testing"

func TestIsAround(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"code-impl-a.go#Open", "code-impl-a.go#Open", true},
		{"code-impl-a.go#Open", "code-impl-a.go#Open.retry", true},
		{"code-impl-a.go#Open.retry", "code-impl-a.go#Open", true},
		{"code-impl-a.go#Open", "code-impl-a.go#OpenAll", false},
		{"code-impl-a.go#Open.retry", "code-impl-a.go#Open.read", false},
		{"doc-a.md#install", "doc-a.md#install/linux", true},
		{"doc-a.md#install/linux", "doc-a.md#install", true},
		{"doc-a.md#install", "doc-a.md#installed/linux", false},
		{"code-impl-a.go", "code-impl-a.go#Open", false},
		{"code-impl-a.go", "code-impl-a.go", true},
	} {
		if got := isAround(tt.a, tt.b); got != tt.want {
			t.Errorf("isAround(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}
