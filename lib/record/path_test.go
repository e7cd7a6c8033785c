package record

import (
	"slices"
	"strings"
	"testing"
)

func TestCheckPath(t *testing.T) {
	longest := strings.Repeat("a/", MaxPath/2) + "a"
	for _, path := range []string{
		"a", "a/b.go", "a b/ü/..c", ".github/x", "a:b", "...", ".gitignore", "x.git/y", "~/x", `a\b`, "a\nb", "-x", "C:/x", longest,
	} {
		if err := CheckPath(path); err != nil {
			t.Errorf("%.40q: %v", path, err)
		}
	}
	for path, want := range map[string]string{
		"":                  "it is empty",
		".":                 "it is not relative to the root of the tree",
		"/":                 "it is not relative to the root of the tree",
		"/etc/passwd":       "it is not relative to the root of the tree",
		"..":                "it is not relative to the root of the tree",
		"../x":              "it is not relative to the root of the tree",
		"a/../b":            "it is not relative to the root of the tree",
		"a//b":              "it is not relative to the root of the tree",
		"a/":                "it is not relative to the root of the tree",
		"./a":               "it is not relative to the root of the tree",
		"a/./b":             "it is not relative to the root of the tree",
		"a\x00b":            "it holds a NUL byte",
		"a\xffb":            "it is not UTF-8",
		".git":              `it leads into ".git"`,
		".git/config":       `it leads into ".git"`,
		"sub/.git/HEAD":     `it leads into ".git"`,
		".cortex/x":         `it leads into ".cortex"`,
		"a/.cortex":         `it leads into ".cortex"`,
		longest + "a":       "it is longer than 4095 bytes",
		longest + "\xff/..": "it is longer than 4095 bytes",
	} {
		if err := CheckPath(path); err == nil || err.Error() != want {
			t.Errorf("%.40q: got %v, want %s", path, err, want)
		}
	}
}

func TestCheckTree(t *testing.T) {
	for _, name := range []string{"", "web", "org/repo", "größer", "a b"} {
		if err := CheckTree(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"a:b", "a\nb", "a\x00", "\x7f", "\u009b", "/x", "../x", "a/../b", ".", "x/", "\xff", ".git", strings.Repeat("a", MaxPath+1)} {
		if err := CheckTree(name); err == nil {
			t.Errorf("%.40q: got %.400v", name, err)
		}
	}
}

// Folders terminates for any text.
func TestFolders(t *testing.T) {
	for path, want := range map[string][]string{
		"a":      {"."},
		"a/b/c":  {"a/b", "a", "."},
		"/a/b":   {"/a", "", "."},
		"/":      {"", "."},
		"//":     {"/", "", "."},
		"..":     {"."},
		"../../": {"../..", "..", "."},
		"":       {"."},
	} {
		if got := slices.Collect(Folders(path)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
	for range Folders("a/b/c") {
		break
	}
}

func TestIsInside(t *testing.T) {
	folders := map[string]bool{"d": true}
	for path, want := range map[string]bool{
		"d/a": true, "d/e/a": true,
		"d": false, "de/a": false, "e/d": false, "/a": false, "/": false, "..": false, "../../a": false, "a//b": false, "": false,
	} {
		if got := IsInside(path, folders); got != want {
			t.Errorf("%q: got %t", path, got)
		}
	}
	if !IsInside("a", map[string]bool{".": true}) {
		t.Error("the root contains every path")
	}
}
