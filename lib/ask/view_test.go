package ask

import (
	"os"
	"path/filepath"
	"testing"

	"cortex/lib/terminal"
)

// folders makes a/b with a file in a folder, enters a/b, and returns the folder with its links resolved.
func folders(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inner, "x.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(inner)
	return root
}

func TestViewOf(t *testing.T) {
	root := folders(t)
	inner := filepath.Join(root, "a", "b")
	if err := os.Symlink(root, filepath.Join(inner, "link")); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]string{".": inner, inner: inner, root: root, "..": filepath.Join(root, "a"), "link": root} {
		if got := viewOf(to); got != (terminal.View{Dir: inner, Root: want}) {
			t.Errorf("%s: got %+v, want %q", to, got, want)
		}
	}
	if got := viewOf("absent"); got != (terminal.View{}) {
		t.Errorf("got %+v", got)
	}
}

func TestPatternFromRoot(t *testing.T) {
	root := folders(t)
	outside := t.TempDir()
	for _, dir := range []string{"a/[id]", "etc"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(root, filepath.Join(outside, "link")); err != nil {
		t.Fatal(err)
	}
	asker := &Asker{Root: root}
	for pattern, want := range map[string]string{
		".": "a/b/**", "./": "a/b/**", "./x.go": "a/b/x.go/**", "./*.go": "a/b/*.go/**", "..": "a/**", "../..": "", "../../*": "*/**", "../c/{d,e}": "a/c/{d,e}/**",
		"": "", "b": "b", "*.go": "*.go", ".git": ".git", "...": "...", "b/./c": "b/./c",
		// What exists is no pattern.
		"../[id]/*.go": `a/\[id]/*.go/**`, "../[ab]/x": "a/[ab]/x/**",
		// Absolute paths, also through a link, and what begins with / in the tree alone.
		root: "", root + "/": "", root + "/a": "a/**", root + "/a/b/x.go": "a/b/x.go/**", root + "/a/gone/*.go": "a/gone/*.go/**", root + "/a/../a/[id]": `a/\[id]/**`,
		outside + "/link/a": "a/**", "/": "/", "/etc": "/etc", "/a/b": "/a/b", "/no such folder/x": "/no such folder/x",
	} {
		if got, err := asker.patternFromRoot(pattern); got != want || err != nil {
			t.Errorf("%q: got %q, want %q, %v", pattern, got, want, err)
		}
	}
	for _, pattern := range []string{"../../..", "../../../x", outside, outside + "/*.go", root + "x", filepath.Dir(root)} {
		if got, err := asker.patternFromRoot(pattern); err == nil {
			t.Errorf("%q: got %q", pattern, got)
		}
	}
	if got, err := (&Asker{Root: t.TempDir()}).patternFromRoot("."); err == nil {
		t.Errorf("got %q", got)
	}
	// The trees of a database may be of another machine.
	if got, err := (&Asker{Root: ".", Database: "postgres:"}).patternFromRoot(outside); got != outside || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got := escapePattern(`a*b?[c]{d,e}\`); got != `a\*b\?\[c]\{d,e}\\` {
		t.Errorf("got %q", got)
	}
}

func TestFromRoot(t *testing.T) {
	root := folders(t)
	for typed, want := range map[string]string{"x.go": "a/b/x.go", ".": "a/b", "..": "a", "absent.go": "absent.go", "a/b/x.go": "a/b/x.go", "../../..": "../../..",
		filepath.Join(root, "a/b/x.go"): "a/b/x.go", filepath.Join(root, "a/b/absent.go"): filepath.Join(root, "a/b/absent.go")} {
		if got := fromRoot(root, typed); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}
