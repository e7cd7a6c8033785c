package cortex_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"cortex/lib/store"
)

// However often cortex-store is killed in the middle, readers get one whole generation or the other, and the next
// writer goes on from there.
func TestStoreKilledAtRandomTimes(t *testing.T) {
	dir := tree(t, nil)
	// versions are streams of which each makes a whole index, with as many files as its number tells.
	var versions [3][]byte
	for v := range versions {
		source := t.TempDir()
		for i := range 40 + v {
			writeFile(t, filepath.Join(source, fmt.Sprintf("f%d.go", i)), fmt.Sprintf("package p\n\n// F%d is of version %d.\nfunc F%d() {}\n\nconst C%d = %d\n", i, v, i, i, v))
			writeFile(t, filepath.Join(source, fmt.Sprintf("d%d.md", i)), fmt.Sprintf("# D%d\n\nversion %d\n", i, v))
		}
		versions[v] = stages(t, source)
	}
	index := filepath.Join(dir, store.Dir)
	// load returns which version the store has, and checks that it is whole.
	load := func() int {
		t.Helper()
		snap, err := store.Load(context.Background(), index)
		if err != nil {
			t.Fatal(err)
		}
		v := len(snap.Manifest.Files)/2 - 40
		if v < 0 || v >= len(versions) {
			t.Fatalf("%d files", len(snap.Manifest.Files))
		}
		said := fmt.Sprintf("version %d", v)
		found := 0
		for _, c := range snap.Chunks {
			if bytes.Contains([]byte(c.Text), []byte("version ")) {
				if found++; !bytes.Contains([]byte(c.Text), []byte(said)) {
					t.Fatalf("chunk %s of %s: %s", c.ID, said, c.Text)
				}
			}
		}
		if found < 2*len(snap.Manifest.Files)/2 || len(snap.Chunks) != snap.Manifest.Stats.Chunks {
			t.Fatalf("%d of %d chunks", len(snap.Chunks), snap.Manifest.Stats.Chunks)
		}
		return v
	}
	run(t, dir, versions[0], "cortex-store", "--quiet")
	r := rand.New(rand.NewPCG(1, 7))
	killed, leftovers := 0, 0
	for i := range sequences(t, 20) {
		before := load()
		next := (before + 1 + int(i%2)) % len(versions)
		writer := command(dir, "cortex-store", "--quiet")
		writer.Stdin = bytes.NewReader(versions[next])
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- writer.Wait() }()
		// Reading is what takes the time until the kill.
		var status error
		alive := true
		for range r.IntN(40) {
			if v := load(); v != before && v != next {
				t.Fatalf("between versions %d and %d: version %d", before, next, v)
			}
			select {
			case status = <-ended:
				alive = false
			default:
			}
			if !alive {
				break
			}
		}
		if alive {
			_ = writer.Process.Kill()
			status = <-ended
		}
		if status != nil {
			if exitStatus(status) != "killed" {
				t.Fatal(status)
			}
			killed++
			if names, _ := filepath.Glob(filepath.Join(index, "chunks", ".*")); len(names) > 0 {
				leftovers++
			}
		} else if load() != next {
			t.Fatalf("version %d is not stored", next)
		}
		if err := store.Verify(t.Context(), index, func(err error) { t.Error(err) }); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d killed, %d of them while they wrote", killed, leftovers)
	run(t, dir, versions[1], "cortex-store", "--quiet")
	if load() != 1 {
		t.Error("the last version is not stored")
	}
	names, err := filepath.Glob(filepath.Join(index, "chunks", ".*"))
	if err != nil || len(names) > 0 {
		t.Errorf("left over: %q, %v", names, err)
	}
}
