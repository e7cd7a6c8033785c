package request

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cortex/lib/terminal"
)

// folders makes a folder with the file a/b/x.go, changes into a/b, and returns the folder with links resolved.
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

func TestView(t *testing.T) {
	root := folders(t)
	inner := filepath.Join(root, "a", "b")
	if err := os.Symlink(root, filepath.Join(inner, "link")); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]string{".": inner, inner: inner, root: root, "..": filepath.Join(root, "a"), "link": root} {
		if got := (Standpoint{Dir: ".", Root: to}).View(); got != (terminal.View{Dir: inner, Root: want}) {
			t.Errorf("%s: got %+v, want %q", to, got, want)
		}
	}
	if got := (Standpoint{Dir: ".", Root: "absent"}).View(); got != (terminal.View{}) {
		t.Errorf("got %+v", got)
	}
}

func TestPattern(t *testing.T) {
	root := folders(t)
	outside := t.TempDir()
	for _, dir := range []string{"a/[id]", "a/b/p,q", "etc"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(root, filepath.Join(outside, "link")); err != nil {
		t.Fatal(err)
	}
	shell := Standpoint{Dir: ".", Root: root}
	for pattern, want := range map[string]string{
		".": "a/b/**", "./": "a/b/**", "./x.go": "a/b/x.go/**", "./*.go": "a/b/*.go/**", "..": "a/**", "../..": "", "../../*": "*/**", "../c/{d,e}": "a/c/{d,e}/**",
		"": "", "b": "b", "*.go": "*.go", ".git": ".git", "...": "...", "b/./c": "b/./c",
		// Each pattern of a list starts from its own folder; a name that exists is no list.
		"./...": "a/b/**", "../c/...": "a/c/**", "lib/...": "lib", "./x.go,*.c": "a/b/x.go/**,*.c", "..,./": "a/**,a/b/**", "*.go, ../..": "", "./p,q": "a/b/p,q/**",
		// A name that exists is not a pattern.
		"../[id]/*.go": `a/\[id]/*.go/**`, "../[ab]/x": "a/[ab]/x/**",
		// Absolute paths, also through a link, and patterns that begin with / at the root of the tree.
		root: "", root + "/": "", root + "/a": "a/**", root + "/a/b/x.go": "a/b/x.go/**", root + "/a/gone/*.go": "a/gone/*.go/**", root + "/a/../a/[id]": `a/\[id]/**`,
		outside + "/link/a": "a/**", "/": "/", "/etc": "/etc", "/a/b": "/a/b", "/no such folder/x": "/no such folder/x",
	} {
		if got, err := shell.Pattern(pattern); got != want || err != nil {
			t.Errorf("%q: got %q, want %q, %v", pattern, got, want, err)
		}
	}
	for _, pattern := range []string{"../../..", "../../../x", outside, outside + "/*.go", root + "x", filepath.Dir(root)} {
		if got, err := shell.Pattern(pattern); err == nil {
			t.Errorf("%q: got %q", pattern, got)
		}
	}
	if got, err := (Standpoint{Dir: ".", Root: t.TempDir()}).Pattern("."); err == nil {
		t.Errorf("got %q", got)
	}
	// The trees of a database may be on another machine.
	if got, err := (Standpoint{Dir: ".", Root: ".", Elsewhere: true}).Pattern(outside); got != outside || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if got := escapePattern(`a*b?[c]{d,e}\`); got != `a\*b\?\[c]\{d,e}\\` {
		t.Errorf("got %q", got)
	}
}

func TestPath(t *testing.T) {
	root := folders(t)
	outside := t.TempDir()
	shell, assistant := Standpoint{Dir: ".", Root: root}, Standpoint{Dir: root, Root: root}
	for _, test := range []struct {
		from        Standpoint
		typed, want string
	}{
		{shell, "x.go", "a/b/x.go"}, {shell, ".", "a/b"}, {shell, "..", "a"}, {shell, "absent.go", "absent.go"}, {shell, "a/b/x.go", "a/b/x.go"}, {shell, "../../..", "../../.."},
		{shell, root + "/a/b/x.go", "a/b/x.go"}, {shell, root + "/a/b/absent.go", "a/b/absent.go"}, {shell, root, "."},
		{assistant, "x.go", "x.go"}, {assistant, "./a/b/x.go", "a/b/x.go"}, {assistant, "a/b", "a/b"}, {assistant, root + "/a/b/x.go", "a/b/x.go"},
		{assistant, "/a/b/x.go", "/a/b/x.go"}, {assistant, "/no such folder/x", "/no such folder/x"},
		{Standpoint{Dir: ".", Root: root, Elsewhere: true}, outside + "/x.go", outside + "/x.go"},
	} {
		if got, err := test.from.Path(test.typed); got != test.want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", test.typed, got, err, test.want)
		}
		if got, err := test.from.Place(test.typed + ":7"); got != test.want+":7" || err != nil {
			t.Errorf("%q: got %q, %v", test.typed+":7", got, err)
		}
	}
	for _, test := range []struct {
		from        Standpoint
		typed, want string
	}{
		// A folder keeps its slash, so that it is not mistaken for a symbol.
		{shell, ".", "a/b/"}, {shell, "..", "a/"}, {assistant, "a/", "a/"}, {assistant, "./a", "a/"}, {assistant, root + "/a", "a/"}, {assistant, "gone/", "gone/"}, {assistant, ".", "."},
		{assistant, "a", "a"}, {assistant, "./a/b/x.go", "a/b/x.go"}, {shell, "./x.go", "a/b/x.go"}, {shell, "x.go", "a/b/x.go"}, {shell, "A.b", "A.b"},
		{shell, "./x.go:7", "a/b/x.go:7"}, {shell, "./x.go:Name", "a/b/x.go:Name"},
	} {
		if got, err := test.from.Target(test.typed); got != test.want || err != nil {
			t.Errorf("target %q: got %q, %v, want %q", test.typed, got, err, test.want)
		}
	}
	for _, typed := range []string{outside, outside + "/x.go", root + "x"} {
		got, err := assistant.Place(typed + ":7")
		if err == nil || err.Error() != fmt.Sprintf("%q is outside of the indexed folder %s", typed, root) {
			t.Errorf("%q: got %q, %v", typed, got, err)
		}
	}
}
