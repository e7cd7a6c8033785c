package update

import (
	"os"
	"runtime"
	"testing"

	"cortex/lib/flock"
)

func TestHolder(t *testing.T) {
	open := func(dir string) *os.File {
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	dir := t.TempDir()
	if pid, program := holder(open(dir)); pid != 0 || program != "" {
		t.Errorf("nobody holds the lock: %d, %q", pid, program)
	}
	held, err := flock.Try(open(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	want := os.Getpid()
	if runtime.GOOS != "linux" {
		want = 0
	}
	if pid, program := holder(open(dir)); pid != want || (program == "") != (want == 0) {
		t.Errorf("got %d, %q, want %d", pid, program, want)
	}
	if pid, _ := holder(open(t.TempDir())); pid != 0 {
		t.Errorf("the lock on another folder: %d", pid)
	}
}
