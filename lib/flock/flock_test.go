package flock

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func open(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	first, err := Try(open(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	second := open(t, dir)
	if _, err := Try(second); !errors.Is(err, ErrHeld) {
		t.Fatalf("a lock that is held: %v", err)
	}
	// A child process that is being started has the lock's file open; a duplicate descriptor simulates it.
	other, err := unix.Dup(int(first.file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(other)
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	held, err := Try(second)
	if err != nil {
		t.Fatalf("a lock that was given back: %v", err)
	}
	if err := held.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := Try(second); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("a closed file: %v", err)
	}
}
