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
	for pattern, want := range map[string]string{
		".": "a/b/**", "./": "a/b/**", "./x.go": "a/b/x.go/**", "./*.go": "a/b/*.go/**", "..": "a/**", "../..": "", "../../*": "*/**", "../c/{d,e}": "a/c/{d,e}/**",
		"": "", "b": "b", "*.go": "*.go", ".git": ".git", "...": "...", "b/./c": "b/./c", "/x": "/x",
	} {
		if got, err := patternFromRoot(root, pattern); got != want || err != nil {
			t.Errorf("%q: got %q, want %q, %v", pattern, got, want, err)
		}
	}
	for _, pattern := range []string{"../../..", "../../../x"} {
		if got, err := patternFromRoot(root, pattern); err == nil {
			t.Errorf("%q: got %q", pattern, got)
		}
	}
	if got, err := patternFromRoot(t.TempDir(), "."); err == nil {
		t.Errorf("got %q", got)
	}
	if got := escapePattern(`a*b?[c]{d,e}\`); got != `a\*b\?\[c]\{d,e}\\` {
		t.Errorf("got %q", got)
	}
}

func TestFromRoot(t *testing.T) {
	root := folders(t)
	for typed, want := range map[string]string{"x.go": "a/b/x.go", ".": "a/b", "..": "a", "absent.go": "absent.go", "a/b/x.go": "a/b/x.go", "../../..": "../../.."} {
		if got := fromRoot(root, typed); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
}
