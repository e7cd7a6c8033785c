package share

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cortex/lib/flock"
)

// home returns a folder for sockets whose path is short enough.
func home(t *testing.T) (dir string, getenv func(string) string) {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "share")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir, func(name string) string {
		if name == "XDG_RUNTIME_DIR" {
			return dir
		}
		return ""
	}
}

func TestLeadAndJoin(t *testing.T) {
	dir, getenv := home(t)
	place, err := At(getenv, "a store")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := place.Join(); !errors.Is(err, ErrNone) {
		t.Errorf("joined nobody: %v", err)
	}
	lead, err := place.Lead()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := place.Lead(); !errors.Is(err, flock.ErrHeld) {
		t.Errorf("a second leads: %v", err)
	}
	other, err := At(getenv, "another store")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Join(); !errors.Is(err, ErrNone) {
		t.Errorf("joined one of another key: %v", err)
	}
	go func() {
		conn, err := lead.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		io.Copy(conn, conn)
	}()
	conn, err := place.Join()
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(conn, "hello\n")
	if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || line != "hello\n" {
		t.Errorf("%q, %v", line, err)
	}
	conn.Close()
	sockets, err := filepath.Glob(filepath.Join(dir, "cortex", "*", socketName))
	if err != nil || len(sockets) != 1 {
		t.Fatal(sockets, err)
	}
	for path, want := range map[string]os.FileMode{sockets[0]: 0o600, filepath.Dir(sockets[0]): 0o700, filepath.Join(dir, "cortex"): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := lead.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "cortex")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if _, err := place.Join(); !errors.Is(err, ErrNone) {
		t.Errorf("joined nobody: %v", err)
	}
	// A leader that was killed leaves its folder and socket behind.
	if err := os.Mkdir(filepath.Dir(sockets[0]), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(sockets[0], nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if lead, err = place.Lead(); err != nil {
		t.Fatal(err)
	}
	lead.Close()
}

// TestOneLeads: there is never more than one leader, although the folder is removed and created again.
func TestOneLeads(t *testing.T) {
	dir, getenv := home(t)
	var leads atomic.Int32
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			place, err := At(getenv, "a store")
			if err != nil {
				t.Error(err)
				return
			}
			for done := 0; done < 50; {
				lead, err := place.Lead()
				if errors.Is(err, flock.ErrHeld) {
					runtime.Gosched()
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := leads.Add(1); n != 1 {
					t.Errorf("%d lead", n)
				}
				if _, err := os.Lstat(filepath.Join(place.dir, socketName)); err != nil {
					t.Error(err)
				}
				leads.Add(-1)
				if err := lead.Close(); err != nil {
					t.Error(err)
				}
				done++
			}
		})
	}
	group.Wait()
	if left, err := os.ReadDir(filepath.Join(dir, "cortex")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestFoldersOfOthers are not used.
func TestFoldersOfOthers(t *testing.T) {
	for name, prepare := range map[string]func(dir string) error{
		"open to others": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o755)) },
		"no folder":      func(dir string) error { return os.Symlink(t.TempDir(), dir) },
	} {
		dir, getenv := home(t)
		if err := prepare(filepath.Join(dir, "cortex")); err != nil {
			t.Fatal(err)
		}
		if _, err := At(getenv, "key"); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir, _ := home(t)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(dir); err != nil || check(dir, info) == nil {
		t.Error("a folder that is open to others is taken")
	}
}
