package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
	"time"
)

// TestHostile draws for about half a minute: with a seed that is always the same, and with one that is new each time.
func TestHostile(t *testing.T) {
	// The go command caches a pass by the files that the test reads, and what the compiler reads does not count.
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
	for _, seed := range []uint64{1, rand.Uint64()} {
		h := hunt{out: t.Output(), bin: bin, seed: seed, trees: 60, calls: 180, only: -1, lasts: 15 * time.Second, jobs: 2, limits: most}
		if err := h.run(t.Context()); err != nil {
			t.Error(err)
		}
	}
}
