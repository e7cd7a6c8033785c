//go:build unix

package config

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/pflag"

	"cortex/lib/hint"
)

// A linked .cortex is an error, both for settings and for the index.
func TestFolderThatIsALink(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	write(t, filepath.Join(other, "config.yml"), "chunking: {overlap: 7}")
	if err := os.Symlink(other, filepath.Join(root, Dir)); err != nil {
		t.Skip(err)
	}
	_, err := Flags(pflag.NewFlagSet("", pflag.ContinueOnError)).Load(root, nil, nil)
	if err == nil || err.Error() != "open "+filepath.Join(root, Dir)+": it is a symbolic link" || hint.Of(err) == "" {
		t.Errorf("%v", err)
	}
	below := filepath.Join(root, "a/b")
	if err := os.MkdirAll(below, 0o777); err != nil {
		t.Fatal(err)
	}
	if got := FindRoot(below); got != root {
		t.Errorf("the root of %s is %s", below, got)
	}
}

// Services often run with a home that is no folder.
func TestHomeThatIsNoFolder(t *testing.T) {
	if _, err := Flags(pflag.NewFlagSet("", pflag.ContinueOnError)).Load(t.TempDir(), []string{"HOME=/dev/null"}, nil); err != nil {
		t.Error(err)
	}
}

func TestLinksAndPipes(t *testing.T) {
	load := func(root string) error {
		_, err := Flags(pflag.NewFlagSet("", pflag.ContinueOnError)).Load(root, nil, nil)
		return err
	}
	outside := filepath.Join(t.TempDir(), "secret.yml")
	write(t, outside, "chunking: {overlap: 7}")

	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, Dir), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(root, Dir, "config.yml")
	if err := os.Symlink(outside, path); err != nil {
		t.Skip(err)
	}
	if err := load(root); err == nil || !strings.HasPrefix(err.Error(), "open "+path+": ") {
		t.Errorf("link out of the root: %v", err)
	}

	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Skip(err)
	}
	if err := load(root); err == nil || err.Error() != "open "+path+": not a regular file" {
		t.Errorf("named pipe: %v", err)
	}
}
