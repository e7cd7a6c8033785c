package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"
	"time"
)

// TestHostile runs for about half a minute, with fixed seeds, so that a failure can be repeated. The command uses
// random seeds.
func TestHostile(t *testing.T) {
	// The go command caches a test's success by the files that the test reads. Files that the compiler reads are not
	// among them, so read them here.
	for _, tree := range []string{"cmd", "lib"} {
		err := filepath.WalkDir(filepath.Join("..", "..", tree), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && entry.Type().IsRegular() {
				_, err = os.ReadFile(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	most, bin := usage{time.Minute, 1 << 30}, t.TempDir()
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		most.cpu, most.memory = 10*most.cpu, 10*most.memory // the detector takes as many times as much
	}
	for _, seed := range []uint64{1, 2} {
		h := hunt{out: t.Output(), bin: bin, seed: seed, trees: 60, calls: 180, only: -1, lasts: 15 * time.Second, jobs: 2, limits: most}
		if err := h.run(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestEditsOfPipesEnd: an edit of a name that has become a pipe does not wait for a reader.
func TestEditsOfPipesEnd(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	c := &hostile{root: root}
	c.write("file", []byte("x"))
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("pipe", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(filepath.Join(dir, "pipe"), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	for _, read := range []bool{true, false} {
		if !read {
			reader.Close()
		}
		var edited []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			for _, name := range []string{"pipe", "link", "none", "file"} {
				c.edit(name, func(*os.File) { edited = append(edited, name) })
			}
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Fatal("an edit waits for a reader of a pipe")
		}
		if !slices.Equal(edited, []string{"file"}) {
			t.Errorf("with a reader %t: edited %q, want the plain file alone", read, edited)
		}
	}
}
