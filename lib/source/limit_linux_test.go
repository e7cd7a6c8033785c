package source

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/safeopen/safeopentest"
)

// A walk that may open too few files fails with that error, instead of going on without an ignore file or without git's
// index.
func TestFewOpenFiles(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{".git/info/exclude": "*.secret\n", "go.mod": "", "build/tracked": "x", "x.secret": ""}
	for i := range 20 {
		dir := fmt.Sprintf("d%d/", i)
		files[dir+".gitignore"], files[dir+"x.log"], files[dir+"a/b"], files[dir+"x.secret"] = "*.log\n", "", "x", ""
		files[dir+"in/.gitignore"], files[dir+"in/x.own"], files[dir+"in/build/x"], files[dir+"in/go.mod"] = "*.own\n", "", "x", ""
	}
	write(t, root, files)
	git(t, root, "init", "-q")
	git(t, root, "add", "-A")
	for i := range 20 {
		in := fmt.Sprintf("%s/d%d/in", root, i)
		git(t, in, "init", "-q")
		write(t, in, map[string]string{".git/info/exclude": "go.mod\n"})
		git(t, in, "add", "-A")
	}
	want := walk(t, Options{Root: root})
	all := paths(want)
	listed, err := List(t.Context(), Options{Root: root}, all)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(all, "d1/in/build/x") || slices.Contains(all, "d1/in/go.mod") || !slices.Contains(all, "build/tracked") {
		t.Fatal(all)
	}
	failed := 0
	for more := range 25 {
		opts := Options{Root: root, Report: func(err error) { t.Errorf("%d more files: reported: %v", more, err) }}
		var entries, again []Entry
		var walkErr, listErr error
		safeopentest.WithOpenFiles(t, more, func() {
			entries, walkErr = Walk(t.Context(), opts)
			again, listErr = List(t.Context(), opts, all)
		})
		for _, test := range []struct {
			got, want []Entry
			err       error
		}{{entries, want, walkErr}, {again, withoutStats(listed), listErr}} {
			if errors.Is(test.err, syscall.EMFILE) {
				failed++
			} else if test.err != nil {
				t.Errorf("%d more files: %v", more, test.err)
			} else if diff := cmp.Diff(test.want, withoutStats(test.got)); diff != "" {
				t.Errorf("%d more files: %s", more, diff)
			}
		}
	}
	if failed == 0 || failed == 50 {
		t.Errorf("%d of 50 failed", failed)
	}
}
