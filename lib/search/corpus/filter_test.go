package corpus

import "testing"

func TestPathMatcher(t *testing.T) {
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"lib", "lib/a.go", true},
		{"lib", "src/lib/a.go", true},
		{"lib", "library/a.go", false},
		{"src/lib", "src/library/a.go", true},
		{"lib/", "src/lib/a.go", true},
		{"src/lib/", "src/library/a.go", false},
		{"*.go", "lib/a.go", true},
		{"lib/*.go", "src/lib/a.go", false},
		{"[ab].go", "lib/a.go", true},
		// Names of folders and files that look like patterns.
		{"app/[id]/page.tsx", "app/[id]/page.tsx", true},
		{"app/[id]", "app/[id]/page.tsx", true},
		{"[id]/", "app/[ID]/page.tsx", true},
		{"[id]", "app/[id]/page.tsx", true},
		{"[id]", "app/d/page.tsx", false},
		{"{shared}", "lib/{shared}/a.go", true},
		{"app/[id]/page.tsx", "app/i/page.tsx", true},
		{"lib", "tree:lib/a.go", true},
		// Several patterns.
		{"*.go,docs", "lib/a.go", true},
		{"*.go, docs/", "docs/a.md", true},
		{"*.go,docs", "lib/a.md", false},
		{"lib/*.{go,md},*.c", "docs/a.md", false},
		{"lib/*.{go,md},*.c", "lib/a.md", true},
		{"docs/a,b.md", "docs/a,b.md", true},
		{"*.go,", "lib/a.md", false},
	} {
		match, err := PathMatcher(test.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := match(test.path); got != test.want {
			t.Errorf("%q, %q: got %v", test.pattern, test.path, got)
		}
	}
}
