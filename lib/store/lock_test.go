package store

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestLockIsGivenBack releases a lock whose file a process has open that is just being started, as a duplicate here.
func TestLockIsGivenBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), Dir)
	first, err := acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	other, err := unix.Dup(int(first.file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(other)
	first.made = false
	first.release()
	second, err := acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	second.release()
}
