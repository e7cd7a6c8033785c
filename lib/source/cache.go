package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"sync"
	"time"

	"cortex/lib/derived"
)

// A Seen is what reading a file told.
type Seen struct {
	// Digest is the hex SHA-256 of its bytes; "" if it was skipped.
	Digest string
	// Skip is why it was skipped.
	Skip string
}

// A Cache remembers what files were when they were last read, so that those whose Stat is still
// the same need not be read again. It may be used by several goroutines.
//
// A file can be written to twice within the grain of the file system's clock and keep its Stat. As in git's index
// (its Documentation/technical/racy-git), what changed shortly before it was read is
// therefore not remembered.
type Cache struct {
	dir, name, key string
	started        time.Time

	mu  sync.Mutex
	old map[string]cached
	// now are the files that were looked up or read since the cache was opened or saved.
	now   map[string]cached
	dirty bool
}

// grain is the coarsest clock of a file system: FAT counts in steps of two seconds.
const grain = 2 * time.Second

type cached struct {
	stat Stat
	seen Seen
}

// CacheName is the name of the cache of a tree with that name.
func CacheName(tree string) string {
	if tree == "" {
		return "files"
	}
	sum := sha256.Sum256([]byte(tree))
	return "files-" + hex.EncodeToString(sum[:8])
}

// OpenCache reads the cache of that name among the derived files of the store in dir. Key stands for all but the file that
// decides what reading tells; a cache with another one, a damaged or a missing one is empty. An empty
// dir makes a cache that is not kept.
func OpenCache(dir, name, key string) *Cache {
	c := &Cache{dir: dir, name: name, key: key, now: map[string]cached{}}
	if dir == "" {
		return c
	}
	root, err := derived.Open(dir, cacheFolder)
	if err != nil {
		return c
	}
	defer root.Close()
	if data, err := derived.Read(root, c.name, maxCache); err == nil {
		c.old = decodeCache(data, key)
	}
	return c
}

// cacheFolder is the folder of this package among the derived files of a store.
const cacheFolder = "source"

// maxCache is the size up to which a cache is read: several million files.
const maxCache = 1 << 30

// Start begins a run: what is read from now on was last changed before at.
func (c *Cache) Start(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = at
}

// Get returns what is known of the entry if it is as it was.
func (c *Cache) Get(e Entry) (Seen, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.now[e.Path]
	if !ok {
		known, ok = c.old[e.Path]
	}
	if !ok || e.Skip != "" || known.stat != e.Stat {
		return Seen{}, false
	}
	c.now[e.Path] = known
	return known.seen, true
}

// Put remembers what reading the file at path told. Stat is that of Tree.ReadStat.
func (c *Cache) Put(path string, stat Stat, seen Seen) {
	if stat == (Stat{}) || Reason(seen.Skip) == Unreadable {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := max(stat.Modified, stat.Changed); last >= c.started.Add(-grain).UnixNano() {
		return
	}
	c.now[path] = cached{stat, seen}
	c.dirty = true
}

// Save writes the cache if it is other than it was. Whole tells that the run had all files, so
// that what was not looked up is forgotten.
func (c *Cache) Save(whole bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if whole {
		c.dirty = c.dirty || len(c.now) != len(c.old)
		c.old = c.now
	} else {
		if c.old == nil {
			c.old = map[string]cached{}
		}
		maps.Copy(c.old, c.now)
	}
	c.now = make(map[string]cached, len(c.old))
	if !c.dirty || c.dir == "" {
		return nil
	}
	if err := c.write(encodeCache(c.old, c.key)); err != nil {
		return fmt.Errorf("write the cache of file states: %w", err)
	}
	c.dirty = false
	return nil
}

// write replaces the file. A damaged one is found by its sum.
func (c *Cache) write(data []byte) error {
	root, err := derived.Create(c.dir, cacheFolder)
	if err != nil {
		return err
	}
	defer root.Close()
	return derived.Write(root, c.name, data)
}

// cacheFormat begins a cache; the key follows, then the entries sorted by path, then the CRC-32C of it all.
const cacheFormat = "cortex stat cache 2\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// What an entry tells, after its path and stat.
const (
	cachedDigest = iota // 32 bytes
	cachedSkip          // a text
)

func encodeCache(entries map[string]cached, key string) []byte {
	b := []byte(cacheFormat)
	b = appendText(b, key)
	b = binary.AppendUvarint(b, uint64(len(entries)))
	for _, path := range slices.Sorted(maps.Keys(entries)) {
		e := entries[path]
		b = appendText(b, path)
		b = binary.AppendVarint(b, e.stat.Size)
		b = binary.AppendVarint(b, e.stat.Modified)
		b = binary.AppendVarint(b, e.stat.Changed)
		b = binary.AppendUvarint(b, e.stat.Inode)
		if digest, err := hex.DecodeString(e.seen.Digest); err == nil && len(digest) == 32 {
			b = append(append(b, cachedDigest), digest...)
		} else {
			b = appendText(append(b, cachedSkip), e.seen.Skip)
		}
	}
	return sealCache(b)
}

func sealCache(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// decodeCache returns nil for what is no cache with that key.
func decodeCache(data []byte, key string) map[string]cached {
	rest, ok := bytes.CutPrefix(data, []byte(cacheFormat))
	if !ok || len(rest) < 4 {
		return nil
	}
	body := data[:len(data)-4]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(data[len(body):]) {
		return nil
	}
	d := cacheReader{rest: rest[:len(rest)-4], shared: map[string]string{}}
	if d.text() != key {
		return nil
	}
	count := d.uvarint()
	entries := make(map[string]cached, min(count, uint64(len(data)/40)))
	for range count {
		var e cached
		path := d.text()
		e.stat.Size, e.stat.Modified, e.stat.Changed = d.varint(), d.varint(), d.varint()
		e.stat.Inode = d.uvarint()
		if d.bytes(1); d.failed {
			break
		}
		if d.last[0] == cachedDigest {
			e.seen.Digest = hex.EncodeToString(d.bytes(32))
		} else {
			e.seen.Skip = d.share(d.bytes(d.uvarint()))
		}
		entries[path] = e
	}
	if d.failed || len(d.rest) > 0 {
		return nil
	}
	return entries
}

// A cacheReader takes values off a cache. After one that is cut off all are empty.
type cacheReader struct {
	rest, last []byte
	failed     bool
	shared     map[string]string
}

func (d *cacheReader) fail() { d.failed, d.rest = true, nil }

func (d *cacheReader) bytes(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.fail()
		return nil
	}
	d.last, d.rest = d.rest[:n], d.rest[n:]
	return d.last
}

func (d *cacheReader) text() string { return string(d.bytes(d.uvarint())) }

// share returns equal texts as one.
func (d *cacheReader) share(text []byte) string {
	if s, ok := d.shared[string(text)]; ok {
		return s
	}
	s := string(text)
	d.shared[s] = s
	return s
}

func (d *cacheReader) uvarint() uint64 { return number(d, binary.Uvarint) }
func (d *cacheReader) varint() int64   { return number(d, binary.Varint) }

// number takes what decode makes of the next bytes, 0 if that is nothing.
func number[T uint64 | int64](d *cacheReader, decode func([]byte) (T, int)) T {
	v, n := decode(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}
