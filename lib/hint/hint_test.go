package hint

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestOf(t *testing.T) {
	cause := errors.New("gone")
	inner := Wrap(cause, "make one")
	tests := []struct {
		err  error
		want string
	}{
		{nil, ""},
		{cause, ""},
		{inner, "make one"},
		{fmt.Errorf("open: %w", inner), "make one"},
		{Wrap(fmt.Errorf("open: %w", inner), "nearer"), "nearer"},
		// The file could not be opened at all, so advice about its content would be wrong.
		{Wrap(&fs.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}, "make it readable"), "let the process open more files, as with ulimit -n 1024"},
		{fmt.Errorf("open x: %w", syscall.ENFILE), "the system has no more files to open: end other programs"},
	}
	for _, test := range tests {
		if got := Of(test.err); got != test.want {
			t.Errorf("%v: got %q, want %q", test.err, got, test.want)
		}
	}
	if Wrap(nil, "advice") != nil {
		t.Error("advice makes an error of nil")
	}
	if inner.Error() != "gone" || !errors.Is(inner, cause) {
		t.Errorf("the error has changed: %v", inner)
	}
	if got, bare := Text(inner), Text(cause); got != "gone (make one)" || bare != "gone" {
		t.Errorf("as text: %q, %q", got, bare)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"query", "limit", "chunk_types", "symbol_name", "symbol_type"}
	tests := map[string]string{
		"querry":                  "query",
		"chunkTypes":              "chunk_types",
		"symbol":                  "symbol_name",
		"Limits":                  "limit",
		"path":                    "",
		"":                        "",
		strings.Repeat("q", 1e6):  "",
		"symbol_typ":              "symbol_type",
		"\xff\xfe":                "",
		"something else entirely": "",
	}
	for name, want := range tests {
		if got := Nearest(name, known); got != want {
			t.Errorf("%.20q: got %q, want %q", name, got, want)
		}
	}
	languages := []string{"c", "go", "r", "java", "javascript", "python", "csharp"}
	for name, want := range map[string]string{
		"cobol2": "", "x": "", "c1": "", "rust": "", "gp": "go", "og": "go", "javascript2": "javascript", "python3": "python",
		"javscript": "javascript", "pyhton": "python", "javabeans": "",
	} {
		if got := Nearest(name, languages); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
	if got := Nearest("serach", []string{"exact", "search"}); got != "search" {
		t.Errorf("serach: %q", got)
	}
	if got := Nearest("query", nil); got != "" {
		t.Errorf("of no names: %q", got)
	}
}

func TestOrNearest(t *testing.T) {
	for name, want := range map[string]string{"pyhton": `did you mean "python"? give one of them`, "cobol": "give one of them"} {
		if got := OrNearest(name, []string{"go", "python"}, "give one of them"); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestCurrentFolderIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if err := os.Remove(dir); err != nil {
		t.Skip(err)
	}
	missing := Wrap(fs.ErrNotExist, "make one")
	if got := Of(missing); !strings.HasPrefix(got, "the current folder was removed") {
		t.Errorf("got %q", got)
	}
	if got := Of(Wrap(fs.ErrPermission, "make it readable")); got != "make it readable" {
		t.Errorf("got %q", got)
	}
}
