// Package derivedtest gives tests their own cache and runtime folders, and temporary files in memory.
package derivedtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"cortex/lib/derived"
)

// Main runs the tests of a package with temporary files in memory, and with their own cache folder and runtime folder,
// which child processes share. TestMain calls Main, which does not return.
func Main(m *testing.M) {
	err := UseMemory()
	dir := ""
	if err == nil {
		dir, err = os.MkdirTemp("", "cortex-cache-")
	}
	if err == nil {
		err = errors.Join(os.Setenv(derived.Variable, dir), os.Setenv("XDG_RUNTIME_DIR", dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

// Path returns the path of a derived file of the store at dir.
func Path(t testing.TB, dir string, names ...string) string {
	t.Helper()
	folder, err := derived.Path(dir)
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(append([]string{folder}, names...)...)
}
