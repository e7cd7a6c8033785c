package update

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/store/layout"
)

// A store that does not lie in the folder that is indexed, as one in CORTEX_CHUNKS_DIR, is not replaced by the run of
// another folder.
func TestRunOfAnotherFolder(t *testing.T) {
	run := func(mode record.Mode, from, to int, more ...any) string {
		items := []any{begin(mode, to-from+len(more))}
		for i := from; i < to; i++ {
			path := fmt.Sprintf("f%d.go", i)
			items = append(items, file(path, "ok"), code("i"+path, path, "text"))
		}
		items = append(items, more...)
		return stream(t, append(items, end(to-from+len(more)))...)
	}
	var images, deleted []any
	for i := range 20 {
		images = append(images, file(fmt.Sprintf("%d.png", i), record.StatusSkipped))
	}
	for i := range 20 {
		deleted = append(deleted, file(fmt.Sprintf("f%d.go", i), record.StatusDeleted))
	}
	outside := func(o *Options) { o.OutsideTree = true }
	for _, test := range []struct {
		name, run string
		change    func(*Options)
		refused   bool
	}{
		{"another folder", run(record.Full, 20, 40), outside, true},
		{"a folder with a file of the same name", run(record.Full, 19, 40), outside, true},
		{"another folder, incremental", run(record.Incremental, 20, 25, deleted...), outside, true},
		{"a store in its tree", run(record.Full, 20, 40), func(*Options) {}, false},
		{"many files renamed", run(record.Full, 15, 40), outside, false},
		{"nearly all files removed", run(record.Full, 19, 20), outside, false},
		{"another tree", stream(t, &record.Begin{Schema: record.Schema, Mode: record.Full, Tree: "web", Files: 1}, file("x.go", "ok"), code("x", "x.go", "x"), end(1)), outside, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := newDir(t)
			mustApply(t, dir, run(record.Full, 0, 20, images...), outside)
			o := apply(t, dir, test.run, test.change)
			if refused := o.err != nil; refused != test.refused {
				t.Fatalf("error %v", o.err)
			}
			if test.refused {
				checkHint(t, o.err, "rm -r "+layout.ShellWord(dir))
				mustApply(t, dir, run(record.Full, 0, 20), outside)
			}
		})
	}
	// The files of other trees do not count.
	shared := newDir(t)
	mustApply(t, shared, run(record.Full, 0, 20), outside)
	others := []any{&record.Begin{Schema: record.Schema, Mode: record.Full, Tree: "web", Files: 60}}
	for i := range 60 {
		path := fmt.Sprintf("f%d.go", i)
		others = append(others, file(path, "ok"), inTree("web", code("web"+path, path, "text")))
	}
	mustApply(t, shared, stream(t, append(others, end(60))...), outside)
	if o := apply(t, shared, run(record.Full, 20, 40), outside); o.err == nil {
		t.Error("a run of another folder replaces a tree beside another one")
	}
	few := newDir(t)
	mustApply(t, few, run(record.Full, 0, 9), outside)
	mustApply(t, few, run(record.Full, 9, 18), outside)
}

// An incremental run that was compared with another store leaves out files that this one lacks.
func TestRunComparedWithAnotherStore(t *testing.T) {
	for name, dir := range map[string]string{"empty": newDir(t), "smaller": stored(t)} {
		first := begin(record.Incremental, 4)
		first.Unchanged = 4
		o := apply(t, dir, stream(t, first, end(4)))
		if o.err == nil || !strings.Contains(o.err.Error(), "left out 4 files as unchanged") {
			t.Errorf("%s: %v", name, o.err)
		}
		if _, err := os.Stat(dir); (err == nil) != (name == "smaller") {
			t.Errorf("%s: store: %v", name, err)
		}
	}
}
