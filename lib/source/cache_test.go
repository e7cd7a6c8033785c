package source

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/derived"
	"cortex/lib/derived/derivedtest"
)

// newStore creates an empty folder for a store.
func newStore(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".cortex")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

func entry(t *testing.T, root, path string) Entry {
	t.Helper()
	entries, err := List(t.Context(), Options{Root: root}, []string{path})
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	return entries[0]
}

var digest = strings.Repeat("5a", 32)

func TestCacheIsKept(t *testing.T) {
	root, dir := t.TempDir(), newStore(t)
	write(t, root, tree("a.go b.png c.go"))
	later := time.Now().Add(time.Hour)
	seen := map[string]Seen{"a.go": {Digest: digest}, "b.png": {Skip: "binary"}, "c.go": {Digest: digest}}
	c := OpenCache(dir, "stat", "key")
	c.Start(later)
	for path, s := range seen {
		e := entry(t, root, path)
		if _, ok := c.Get(e); ok {
			t.Errorf("%s is in an empty cache", path)
		}
		c.Put(path, e.Stat, s)
	}
	if err := c.Save(true); err != nil {
		t.Fatal(err)
	}
	c = OpenCache(dir, "stat", "key")
	for path, want := range seen {
		got, ok := c.Get(entry(t, root, path))
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s: %v %s", path, ok, diff)
		}
	}
	if _, ok := OpenCache(dir, "stat", "other").Get(entry(t, root, "a.go")); ok {
		t.Error("a cache of other settings counts")
	}
	// A complete run removes entries that it did not look up, a partial run keeps them.
	c = OpenCache(dir, "stat", "key")
	c.Get(entry(t, root, "a.go"))
	if err := c.Save(false); err != nil {
		t.Fatal(err)
	}
	if got := len(OpenCache(dir, "stat", "key").old); got != 3 {
		t.Errorf("after a partial run: %d files", got)
	}
	c.Get(entry(t, root, "a.go"))
	if err := c.Save(true); err != nil {
		t.Fatal(err)
	}
	if got := len(OpenCache(dir, "stat", "key").old); got != 1 {
		t.Errorf("after a whole run: %d files", got)
	}
}

func TestCacheNoticesEveryWrite(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "a.go")
	old := time.Now().Add(-time.Hour)
	reset := func() Entry {
		if err := os.WriteFile(path, []byte("12345"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		return entry(t, root, "a.go")
	}
	replace := func() error {
		if err := os.WriteFile(path+".new", []byte("54321"), 0o666); err != nil {
			return err
		}
		if err := os.Chtimes(path+".new", old, old); err != nil {
			return err
		}
		return os.Rename(path+".new", path)
	}
	for name, change := range map[string]func() error{
		"another size":  func() error { return os.WriteFile(path, []byte("1234"), 0o666) },
		"the same size": func() error { return os.WriteFile(path, []byte("54321"), 0o666) },
		"a time set":    func() error { return os.Chtimes(path, old, old.Add(time.Second)) },
		"another file":  replace,
		"a time put back": func() error {
			if err := os.WriteFile(path, []byte("54321"), 0o666); err != nil {
				return err
			}
			return os.Chtimes(path, old, old)
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := reset()
			c := OpenCache("", "", "")
			c.Start(time.Now().Add(time.Hour))
			c.Put("a.go", e.Stat, Seen{Digest: digest})
			if _, ok := c.Get(e); !ok {
				t.Fatal("not in the cache")
			}
			if err := change(); err != nil {
				t.Fatal(err)
			}
			now := entry(t, root, "a.go")
			if now.Stat.Changed == e.Stat.Changed && name == "a time put back" {
				t.Skip("the change came within the grain of the clock, which the next test is about")
			}
			if _, ok := c.Get(now); ok {
				t.Error("the change is not noticed")
			}
		})
	}
}

// A file that changed within the clock's resolution before it was read may change again without a different Stat.
func TestCacheLeavesOutWhatIsRacy(t *testing.T) {
	now := time.Unix(1700000000, 0)
	for _, test := range []struct {
		age  time.Duration
		kept bool
	}{{time.Hour, true}, {grain + 1, true}, {grain, false}, {0, false}, {-time.Hour, false}} {
		at := now.Add(-test.age).UnixNano()
		for _, stat := range []Stat{{Size: 1, Modified: at}, {Size: 1, Changed: at}} {
			c := OpenCache("", "", "")
			c.Start(now)
			c.Put("a", stat, Seen{Digest: digest})
			if _, ok := c.Get(Entry{Path: "a", Stat: stat}); ok != test.kept {
				t.Errorf("changed %v before: in the cache: %v", test.age, ok)
			}
		}
	}
}

func TestCacheLeavesOutWhatWasNotRead(t *testing.T) {
	c := OpenCache("", "", "")
	c.Start(time.Unix(1700000000, 0))
	c.Put("a", Stat{}, Seen{Digest: digest})
	c.Put("b", Stat{Size: 1}, Seen{Skip: Unreadable + ": input/output error"})
	if len(c.now) > 0 {
		t.Error(c.now)
	}
}

// A damaged cache counts as empty.
func TestDamagedCache(t *testing.T) {
	dir := newStore(t)
	c := OpenCache(dir, "stat", "key")
	c.Start(time.Now())
	c.Put("a.go", Stat{Size: 1, Modified: 5}, Seen{Digest: digest})
	c.Put("b.png", Stat{Size: 2, Modified: 5}, Seen{Skip: "binary"})
	if err := c.Save(true); err != nil {
		t.Fatal(err)
	}
	path := derivedtest.Path(t, dir, cacheFolder, "stat")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(decodeCache(data, "key")) != 2 {
		t.Fatal("the cache is not whole")
	}
	for i := range data {
		if got := decodeCache(data[:i], "key"); got != nil {
			t.Errorf("cut off after %d bytes: %v", i, got)
		}
		flipped := append([]byte(nil), data...)
		flipped[i] ^= 0x10
		if got := decodeCache(flipped, "key"); got != nil {
			t.Errorf("byte %d flipped: %v", i, got)
		}
	}
	if err := os.WriteFile(path, data[:len(data)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	c = OpenCache(dir, "stat", "key")
	if len(c.old) > 0 {
		t.Error(c.old)
	}
	c.Start(time.Now())
	c.Put("a.go", Stat{Size: 1, Modified: 5}, Seen{Digest: digest})
	if err := c.Save(true); err != nil {
		t.Fatal(err)
	}
	if got := len(OpenCache(dir, "stat", "key").old); got != 1 {
		t.Errorf("%d files in the cache that was written anew", got)
	}
}

// The cache never creates a store or writes into one.
func TestCacheStaysOutOfTheStore(t *testing.T) {
	put := func(dir string) {
		t.Helper()
		c := OpenCache(dir, "stat", "key")
		c.Start(time.Now())
		c.Put("a.go", Stat{Size: 1, Modified: 5}, Seen{Digest: digest})
		if err := c.Save(true); err != nil {
			t.Error(err)
		}
	}
	none := filepath.Join(t.TempDir(), ".cortex")
	put(none)
	if _, err := os.Stat(none); err == nil {
		t.Error("a store was made")
	}
	outside, link := t.TempDir(), filepath.Join(t.TempDir(), ".cortex")
	if err := os.Symlink(outside, link); err != nil {
		t.Skip(err)
	}
	put(link)
	if names, _ := os.ReadDir(outside); len(names) > 0 {
		t.Error("wrote to where the link leads")
	}
}

// If the cache folder cannot be written, the error names the cache.
func TestCacheWithoutAPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(derived.Variable, file)
	c := OpenCache(filepath.Join(t.TempDir(), ".cortex"), "stat", "key")
	c.Start(time.Now())
	c.Put("a.go", Stat{Size: 1, Modified: 5}, Seen{Digest: digest})
	if err := c.Save(true); err == nil || !strings.HasPrefix(err.Error(), "write the cache of file states: ") {
		t.Errorf("error %v", err)
	}
}

// In any order of lookups, reads and saves, the cache has the last result for each file.
func TestCacheInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	dir := newStore(t)
	c := OpenCache(dir, "stat", "key")
	c.Start(time.Now())
	want, used := map[string]Stat{}, map[string]Stat{}
	for range 2000 {
		path, stat := fmt.Sprint(random.IntN(30)), Stat{Size: int64(random.IntN(2) + 1), Modified: 5}
		switch random.IntN(20) {
		case 0:
			whole := random.IntN(2) == 0
			if err := c.Save(whole); err != nil {
				t.Fatal(err)
			}
			if whole {
				want = maps.Clone(used)
			}
			clear(used)
			if random.IntN(2) == 0 {
				c = OpenCache(dir, "stat", "key")
				c.Start(time.Now())
			}
		case 1, 2, 3:
			c.Put(path, stat, Seen{Digest: digest})
			want[path], used[path] = stat, stat
		default:
			known, ok := want[path]
			if _, got := c.Get(Entry{Path: path, Stat: stat}); got != (ok && known == stat) {
				t.Fatalf("%s: in the cache: %v", path, got)
			} else if got {
				used[path] = stat
			}
		}
	}
}

func FuzzCache(f *testing.F) {
	c := []cached{{path: "a", stat: Stat{1, 2, 3, 4}, seen: Seen{Digest: digest}}, {path: "b", seen: Seen{Skip: "binary"}}}
	f.Add(encodeCache(c, "key"))
	f.Fuzz(func(t *testing.T, data []byte) {
		// The checksum is valid, so that decoding goes on.
		if len(data) >= 4 {
			data = sealCache(data[:len(data)-4])
		}
		if entries := decodeCache(data, "key"); entries != nil {
			if diff := cmp.Diff(entries, decodeCache(encodeCache(entries, "key"), "key"), cmp.AllowUnexported(cached{})); diff != "" {
				t.Error(diff)
			}
		}
	})
}
