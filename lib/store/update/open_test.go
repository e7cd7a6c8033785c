package update

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/store"
	"cortex/lib/store/layout"
)

// soon returns the error of f, which must not wait for anything.
func soon(t *testing.T, what string, f func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute):
		t.Fatalf("%s waits", what)
		return nil
	}
}

// Whatever is in a store in place of a file or a folder, readers and writers do not wait for it, and do not read more
// than the greatest size.
func TestObstaclesInAStore(t *testing.T) {
	pipe := func(path string) error { return syscall.Mkfifo(path, 0o666) }
	folder := func(path string) error { return os.Mkdir(path, 0o777) }
	sparse := func(size int64) func(string) error {
		return func(path string) error {
			if err := os.WriteFile(path, []byte(`{"version":2,`), 0o666); err != nil {
				return err
			}
			return os.Truncate(path, size)
		}
	}
	for _, test := range []struct {
		name, path string
		put        func(path string) error
		// want is the error of readers.
		want string
		// mended says that a full run replaces it.
		mended bool
	}{
		{"manifest is a pipe", layout.ManifestName, pipe, "generator-output.json: not a regular file", false},
		{"manifest is a folder", layout.ManifestName, folder, "generator-output.json: not a regular file", false},
		{"manifest of 3 GB", layout.ManifestName, sparse(3 << 30), "generator-output.json: it has 3221225472 bytes, more than the 4194304 that are read", false},
		{"shard is a pipe", layout.ShardPath("00.jsonl"), pipe, "00.jsonl: damaged: it is not a regular file", true},
		{"shard is a folder", layout.ShardPath("00.jsonl"), folder, "00.jsonl: damaged: it is not a regular file", true},
		{"shards is a pipe", layout.ShardsDir, pipe, "not a directory", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := stored(t)
			path := filepath.Join(dir, test.path)
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			if err := test.put(path); err != nil {
				t.Fatal(err)
			}
			for name, read := range readers {
				err := soon(t, name, func() error { return read(dir) })
				switch {
				case err == nil:
					t.Errorf("%s reads it", name)
				case name != "verify" && !strings.Contains(err.Error(), test.want):
					t.Errorf("%s: %v", name, err)
				case hint.Of(err) == "" && name != "indexed":
					t.Errorf("%s: no hint with: %v", name, err)
				}
			}
			_ = soon(t, "a run without a frame", func() error { return apply(t, dir, stream(t, code("z", "z.go", "zet"))).err })
			err := soon(t, "a full run", func() error {
				return apply(t, dir, stream(t, begin(record.Full, 1), file("b.go", "ok"), code("b1", "b.go", "bee"), end(1))).err
			})
			if (err == nil) != test.mended {
				t.Errorf("a full run: %v", err)
			}
			if test.mended {
				checkVerified(t, dir)
			}
		})
	}
}

// A file under a temporary name is replaced, not written to.
func TestObstaclesUnderTemporaryNames(t *testing.T) {
	for _, name := range []string{manifestTemp, spoolName, "new shard"} {
		dir := stored(t)
		if name == "new shard" {
			twin := stored(t)
			mustApply(t, twin, stream(t, begin(record.Full, 1), file("b.go", "ok"), code("b1", "b.go", "bee"), end(1)))
			name = layout.NewPath(&mustLoad(t, twin).Manifest.Shards[0])
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o666); err != nil {
			t.Fatal(err)
		}
		err := soon(t, "a run beside "+name, func() error {
			return apply(t, dir, stream(t, begin(record.Full, 1), file("b.go", "ok"), code("b1", "b.go", "bee"), end(1)), func(o *Options) { o.spoolMost = 1 }).err
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		checkVerified(t, dir)
	}
}

// Readers and writers refuse a store that is a link or a pipe.
func TestStoreThatIsNoFolder(t *testing.T) {
	link, pipe := newDir(t), newDir(t)
	if err := os.Symlink(stored(t), link); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, read := range readers {
		err := soon(t, name, func() error { return read(link) })
		if want := fmt.Sprintf("store %s: it is a symbolic link", link); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s of a link: %v", name, err)
		}
		checkHint(t, err, "--store")
		if err := soon(t, name, func() error { return read(pipe) }); err == nil {
			t.Errorf("%s reads a pipe", name)
		}
	}
	if err := soon(t, "a run", func() error { return apply(t, pipe, stream(t, code("z", "z.go", "zet"))).err }); err == nil {
		t.Error("wrote to a pipe")
	}
}

// A line of a shard without an end is not kept in memory.
func TestLinesAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large file")
	}
	dir := stored(t)
	const size = 1 << 29
	if err := os.Truncate(filepath.Join(dir, layout.ShardPath("00.jsonl")), size); err != nil {
		t.Fatal(err)
	}
	m, err := store.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	m.Shards[0].Size = size
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, layout.ManifestName), data, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, read := range readers {
		before := allocated()
		err := read(dir)
		if grown := allocated() - before; grown > size*3/4 {
			t.Errorf("%s: %d MB allocated", name, grown>>20)
		}
		if err == nil && name != "status" { // which reads what is derived from it
			t.Errorf("%s reads it", name)
		}
	}
}

func allocated() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.TotalAlloc)
}

// The hints if the store cannot be written.
func TestWriteErrorHelps(t *testing.T) {
	for err, want := range map[syscall.Errno]string{
		syscall.EROFS:  "name a store on another file system with --store DIR",
		syscall.EACCES: "change its permissions",
		syscall.ENOSPC: "make room",
	} {
		checkHint(t, writeError(".cortex", &os.PathError{Op: "mkdir", Path: ".cortex", Err: err}), want)
	}
}
