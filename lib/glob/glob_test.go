package glob

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

func match(t *testing.T, pattern, path string) bool {
	t.Helper()
	p, err := Parse(pattern)
	if err != nil {
		t.Fatalf("%q: %v", pattern, err)
	}
	set, err := NewSet(p)
	if err != nil {
		t.Fatalf("%q: %v", pattern, err)
	}
	return set.Match(path)
}

func TestMatch(t *testing.T) {
	for _, test := range []struct {
		pattern  string
		yes, not string
	}{
		{"*.go", "a.go .go", "a/b.go a.gox"},
		{"**/*.go", "a.go x/a.go x/y/a.go", "a.go/b"},
		{"lib/**", "lib lib/a lib/a/b", "libx a/lib"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "ab a/xb"},
		{"**", "a a/b", ""},
		{"a**b", "ab axb", "a/b ax/b"},
		{"?/é?", "é/éa x/éé a/é日", "/éa ab/éa x/é"},
		{"[a-c]x[!a-c]", "axd bx_ cxé", "dxd axa ax/"},
		{`[\]a]\*[a-]`, "]*a a*-", "b*a axa"},
		{"x{a,b{c,d}}y", "xay xbcy xbdy", "xby xy xabcy"},
		{"{a/**,b}/c", "a/c a/x/c b/c", "c a/x"},
		{"{,x}y", "y xy", "xxy"},
		{"[{]{[,]}", "{,", "{ ,"},
		{"*{,x}*", "a axb", "a/b ax/b"},
		{"{a/*,b}*", "a/b b bc", "a/b/c a"},
		{"*a*/**", "a ba/c", "b/a"},
	} {
		for _, path := range strings.Fields(test.yes) {
			if !match(t, test.pattern, path) {
				t.Errorf("%q does not match %q", test.pattern, path)
			}
		}
		for _, path := range strings.Fields(test.not) {
			if match(t, test.pattern, path) {
				t.Errorf("%q matches %q", test.pattern, path)
			}
		}
	}
}

func TestSetNamesTheLastPatternThatCounts(t *testing.T) {
	var patterns []Pattern
	for _, text := range []string{"*.go", "x/**", "{a,b}.go", strings.Repeat("q", 200), "*"} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, p)
	}
	set, err := NewSet(patterns...)
	if err != nil {
		t.Fatal(err)
	}
	all := func(int) bool { return true }
	for path, want := range map[string]int{"b.go": 4, "x": 4, "x/y": 1, "x/y.go": 1, "y/z": -1, strings.Repeat("q", 200): 4} {
		if got := set.Last(path, all); got != want {
			t.Errorf("%q: %d, want %d", path, got, want)
		}
	}
	if got := set.Last("b.go", func(i int) bool { return i < 2 }); got != 0 {
		t.Errorf("the last of the first two is %d", got)
	}
	if none, err := NewSet(); none.Match("a") || err != nil {
		t.Errorf("no pattern matches, or %v", err)
	}
}

func TestWrongPatterns(t *testing.T) {
	for pattern, want := range map[string]error{
		"[a": errNotValid, "[]": errNotValid, "[!]": errNotValid, "a}": errNotValid, "{a": errNotValid, "{a,{b}": errNotValid, `a\`: errNotValid,
		`[a\`: errNotValid, "[äö]": errNotASCII, "[!ä]": errNotASCII, "[a-ö]": errNotASCII, "a\xff": errNotUTF8,
		strings.Repeat("a", MaxLength+1): errTooLong,
		strings.Repeat("{,}", 40) + "a":  errTooMany,
		strings.Repeat("{a,b,c}*", 7):    errTooMany,
		strings.Repeat("{", 500) + "a":   errNotValid,
	} {
		if _, err := Parse(pattern); err != want {
			t.Errorf("%.50q: %v, want %v", pattern, err, want)
		}
	}
	long, err := Parse(strings.Repeat("*a", MaxLength/2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewSet(make([]Pattern, 3)...); err != nil {
		t.Error(err)
	}
	many := make([]Pattern, 100)
	for i := range many {
		many[i] = long
	}
	if _, err := NewSet(many...); err != errTogether {
		t.Errorf("patterns of 100 KiB together: %v", err)
	}
}

// A match takes a step for each byte and each word of states, whatever the pattern. Other matchers take minutes for
// these patterns.
func TestPatternsAreNotSlow(t *testing.T) {
	if testing.Short() {
		t.Skip("matches long patterns")
	}
	long := strings.Repeat(strings.Repeat("a", 200)+"/", 15) + strings.Repeat("a", 250)
	short := strings.Repeat("a/", 2000) + "a"
	for _, pattern := range []string{
		strings.Repeat("{a*,a?}", 6) + "b",
		strings.Repeat("*a", 500) + "b",
		"*" + strings.Repeat("a?", 500) + "b",
		"**/*" + strings.Repeat("a?", 50) + "b",
		strings.Repeat("**/a*/", 160) + "b",
		"**/" + strings.Repeat("*/", 500) + "b",
		"**/" + strings.Repeat("*a/", 300) + "b",
	} {
		for range 200 {
			if match(t, pattern, long) || match(t, pattern, short) {
				t.Errorf("%q matches", pattern)
			}
		}
	}
}

// The patterns and paths of this small alphabet match often.
var alphabet = []string{"a", "b", "é", "/", "/", "*", "**", "**/", "/**", "?", "[ab]", "[!a]", "[^b-c]", "{", "}", ",", "{a,b}", "{a/,}", `\`, `\*`, "]", "-", "."}

func draw(r *rand.Rand, from []string, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		b.WriteString(from[r.IntN(len(from))])
	}
	return b.String()
}

func TestRandomPatternsSameAsDoublestar(t *testing.T) {
	draws := 60_000
	if testing.Short() {
		draws = 10_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	for range draws {
		pattern, path := draw(r, alphabet, 8), strings.Trim(draw(r, []string{"a", "b", "é", "/", ".", "c"}, 7), "/")
		compared += sameAsDoublestar(t, pattern, path)
	}
	if compared < draws/4 {
		t.Errorf("%d patterns are valid", compared)
	}
}

// sameAsDoublestar compares a match with that of module doublestar, whose pattern language differs in a few points. It
// returns 1 if the two can be compared.
func sameAsDoublestar(t *testing.T, pattern, path string) int {
	t.Helper()
	p, err := Parse(pattern)
	if err == errTooMany || err == errTooLong || err == errNotASCII || err == errNotUTF8 {
		return 0
	}
	if valid := doublestar.ValidatePattern(pattern); valid != (err == nil) {
		// doublestar pairs the brackets of some braces differently.
		if !strings.Contains(pattern, "[") {
			t.Errorf("%q: %v, doublestar: %v", pattern, err, valid)
		}
		return 0
	}
	// With more braces doublestar does not finish in reasonable time.
	if err != nil || path == "" || !utf8.ValidString(path) || strings.Contains(path, "//") || len(p.forms) > 16 || len(path) > 30 {
		return 0
	}
	set, err := NewSet(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range p.forms {
		// In doublestar, brackets match a slash, and stars that meet at a brace match across folders. a/** matches a
		// only if neither stars nor another ** precede it.
		if strings.Contains(form, "[") && strings.Contains(path, "/") || strings.Contains(form, "**/**") || strings.HasSuffix(form, "/") ||
			strings.Contains(form, "***") || strings.HasSuffix(form, "*/**") {
			return 0
		}
	}
	if got, want := set.Match(path), doublestar.MatchUnvalidated(pattern, path); got != want {
		t.Errorf("%q matches %q: %v, doublestar: %v", pattern, path, got, want)
	}
	return 1
}

func FuzzPattern(f *testing.F) {
	f.Add("a/**/b*[!c-e]{x,y{z,}}", "a/b/c")
	f.Add("{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}{,}", "a")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		sameAsDoublestar(t, pattern, path)
		IgnoreSet(strings.Split(pattern, "\n")).Match(path)
	})
}

func BenchmarkMatch(b *testing.B) {
	for name, pattern := range map[string]string{"suffix": "**/*.go", "folder": "lib/**", "braces": "**/*.{go,ts,tsx,js,py}"} {
		p, _ := Parse(pattern)
		set, _ := NewSet(p)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				set.Match("lib/search/index/generation_test.txt")
			}
		})
		b.Run(name+"/doublestar", func(b *testing.B) {
			for b.Loop() {
				doublestar.MatchUnvalidated(pattern, "lib/search/index/generation_test.txt")
			}
		})
	}
}
