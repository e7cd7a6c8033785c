package corpus

import (
	"strings"
	"testing"

	"cortex/lib/hint"
)

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
		// Alternatives are folders, too.
		{"{app/main,ui}", "app/main/a.kt", true},
		{"{app/main,ui}", "ui/src/a.ts", true},
		{"{app/main,ui}", "app/test/a.kt", false},
		{"app/{main,{test,it}}", "app/it/a.kt", true},
		{"app/{main,test}/", "app/main/a.kt", true},
		{"app/{main,test}", "app/mainly.kt", true},
		{"{app,*.ts}", "ui/src/a.ts", true},
		{`{app\,ui}`, "app/a.kt", false},
		{"lib/{,x/}a.go", "lib/x/a.go", true},
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

func TestPathMatcherRefusesNegation(t *testing.T) {
	for _, pattern := range []string{"!*.kt", "src/**,!src/test/**"} {
		if _, err := PathMatcher(pattern); err == nil || !strings.Contains(hint.Of(err), "NOT path:") {
			t.Errorf("%q: %v", pattern, err)
		}
	}
}

func TestAlternatives(t *testing.T) {
	for pattern, want := range map[string]string{
		"a,b":                        "a b",
		"{a/b,c}/{d,e}.go":           "a/b/d.go a/b/e.go c/d.go c/e.go",
		"{a,{b,c}}":                  "a b c",
		"{a}/{b,c":                   "{a}/{b,c",
		`\{a,b}`:                     `\{a,b}`,
		strings.Repeat("{a,b}", 200): strings.Repeat("{a,b}", 200),
	} {
		if got := strings.Join(alternatives(pattern), " "); got != want {
			t.Errorf("%.40s: %s", pattern, got)
		}
	}
}
