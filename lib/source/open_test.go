//go:build unix

package source

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What openBelow opens is what os.Root would have opened: nothing outside of the tree, nothing by way of a
// link, no pipe that it would wait for.
func TestOpenStaysBelow(t *testing.T) {
	top := t.TempDir()
	write(t, top, map[string]string{"secret": "outside", "tree/a/b/c": "inside"})
	root := filepath.Join(top, "tree")
	for link, target := range map[string]string{"out": "../secret", "absolute": filepath.Join(top, "secret"), "up": "..", "within": "a/b/c", "folder": "a"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := OpenTree(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for path, below := range map[string]bool{
		"a/b/c": true, "a/../a/b/c": true,
		"out": false, "absolute": false, "up/secret": false, "within": false, "folder/b/c": false, "../secret": false, "a/../../secret": false,
		filepath.Join(top, "secret"): false, "a/b/none": false, "a/b/c/d": false, "": false,
	} {
		if f := openBelow(tree.dir, path); f != nil {
			f.Close()
			if !below {
				t.Errorf("%q is opened", path)
			}
		}
		fast, _, skip, fastErr := tree.Read(Entry{Path: path}, 0)
		slow, _, err := openRegular(tree.root, path)
		if err == nil {
			slow.Close()
		}
		if (err == nil) != (fastErr == nil && skip == "") {
			t.Errorf("%q: %q, %q, %v; os.Root: %v", path, fast, skip, fastErr, err)
		}
		if err == nil && string(fast) != "inside" {
			t.Errorf("%q: %q", path, fast)
		}
	}
	if _, _, skip, err := tree.Read(Entry{Path: "pipe"}, 0); skip != NotRegular || err != nil {
		t.Errorf("pipe: %q, %v", skip, err)
	}
	if _, _, skip, err := tree.Read(Entry{Path: "a"}, 0); skip != NotRegular || err != nil {
		t.Errorf("folder: %q, %v", skip, err)
	}
}
