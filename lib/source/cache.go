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
	"strings"
	"sync"
	"time"

	"cortex/lib/derived"
	"cortex/lib/record"
)

// A Seen is the result of reading a file.
type Seen struct {
	// Digest is the hex SHA-256 of the file's bytes; "" if the file was skipped.
	Digest string
	// Skip is the reason why the file was skipped, "" if it was not.
	Skip string
}

// A Cache remembers the results of reading files, so that files with an unchanged Stat need not be read again. It is
// safe for concurrent use.
//
// A file that is written twice within the resolution of the file system's clock can keep its Stat. Like git's index
// (Documentation/technical/racy-git in git), a Cache therefore does not remember files that changed shortly before they
// were read.
type Cache struct {
	dir, name, key string
	started        time.Time

	mu sync.Mutex
	// old are the entries as of the last OpenCache or Save, sorted by path.
	old []cached
	// next is the index in old after the last hit. Files are looked up in the order of their paths, so the next hit is
	// usually there.
	next int
	// now are the files read since the last OpenCache or Save.
	now   map[string]cached
	dirty bool
}

// grain is the coarsest resolution of a file system's clock: that of FAT is two seconds.
const grain = 2 * time.Second

type cached struct {
	path string
	stat Stat
	seen Seen
	// used says that the file was looked up and its Stat was unchanged.
	used bool
}

// CacheName returns the name of the cache for a tree.
func CacheName(tree string) string {
	if tree == "" {
		return "files"
	}
	sum := sha256.Sum256([]byte(tree))
	return "files-" + hex.EncodeToString(sum[:8])
}

// OpenCache reads a cache from the derived files of the store in dir. key stands for everything except the file that
// determines the result of reading it. The cache is empty if the file on disk is missing, damaged, or has another key.
// With an empty dir, the cache is never saved.
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

// cacheFolder is the folder of this package in the derived files of a store.
const cacheFolder = "source"

// maxCache bounds the file of a cache, in bytes. It has room for several million files.
const maxCache = 1 << 30

// Start begins a run at the time at. Put ignores files that changed less than grain before the start, or later.
func (c *Cache) Start(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = at
}

// Get returns the result of reading the entry if its Stat is unchanged.
func (c *Cache) Get(e Entry) (Seen, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, ok := c.now[e.Path]; ok {
		return known.seen, e.Skip == "" && known.stat == e.Stat
	}
	known := c.find(e.Path)
	if known == nil || e.Skip != "" || known.stat != e.Stat {
		return Seen{}, false
	}
	known.used = true
	return known.seen, true
}

// find returns the entry of old for path, or nil.
func (c *Cache) find(path string) *cached {
	at, ok := c.next, c.next < len(c.old) && c.old[c.next].path == path
	if !ok {
		if at, ok = slices.BinarySearchFunc(c.old, path, func(known cached, path string) int { return strings.Compare(known.path, path) }); !ok {
			return nil
		}
	}
	c.next = at + 1
	return &c.old[at]
}

// Put stores the result of reading the file at path. stat is that of Folder.ReadStat.
func (c *Cache) Put(path string, stat Stat, seen Seen) {
	if stat == (Stat{}) || record.ReasonOf(seen.Skip) == Unreadable {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := max(stat.Modified, stat.Changed); last >= c.started.Add(-grain).UnixNano() {
		return
	}
	c.now[path] = cached{path: path, stat: stat, seen: seen}
	c.dirty = true
}

// Save writes the cache if it has changed. whole says that the run had all files of the tree, so files that were not
// looked up are removed.
func (c *Cache) Save(whole bool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := slices.DeleteFunc(c.old, func(known cached) bool {
		_, newer := c.now[known.path]
		return newer || whole && !known.used
	})
	c.dirty = c.dirty || len(kept) < len(c.old)
	c.old = slices.AppendSeq(kept, maps.Values(c.now))
	if len(c.now) > 0 {
		slices.SortFunc(c.old, func(a, b cached) int { return strings.Compare(a.path, b.path) })
	}
	for i := range c.old {
		c.old[i].used = false
	}
	c.now, c.next = map[string]cached{}, 0
	if !c.dirty || c.dir == "" {
		return nil
	}
	if err := c.write(encodeCache(c.old, c.key)); err != nil {
		return fmt.Errorf("write the cache of file states: %w", err)
	}
	c.dirty = false
	return nil
}

// write replaces the file. A checksum detects a damaged file.
func (c *Cache) write(data []byte) error {
	root, err := derived.Create(c.dir, cacheFolder)
	if err != nil {
		return err
	}
	defer root.Close()
	return derived.Write(root, c.name, data)
}

// cacheFormat begins a cache file. The key, the entries sorted by path, and the CRC-32C of everything before follow.
const cacheFormat = "cortex stat cache 2\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// The kinds of results, in the byte after an entry's path and stat.
const (
	cachedDigest = iota // 32 bytes
	cachedSkip          // a text
)

func encodeCache(entries []cached, key string) []byte {
	b := []byte(cacheFormat)
	b = appendText(b, key)
	b = binary.AppendUvarint(b, uint64(len(entries)))
	for _, e := range entries {
		b = appendText(b, e.path)
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

// decodeCache returns nil unless data is a valid cache with the key. The strings of all entries share two allocations.
func decodeCache(data []byte, key string) []cached {
	rest, ok := bytes.CutPrefix(data, []byte(cacheFormat))
	if !ok || len(rest) < 4 {
		return nil
	}
	body := data[:len(data)-4]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(data[len(body):]) {
		return nil
	}
	rest = rest[:len(rest)-4]
	d := cacheReader{rest: rest, all: string(rest)}
	if d.text() != key {
		return nil
	}
	count := min(d.uvarint(), uint64(len(rest)/leastEntry)+1)
	entries := make([]cached, 0, count)
	var digests strings.Builder
	digests.Grow(int(count) * 2 * sha256.Size)
	for len(d.rest) > 0 {
		e := cached{path: d.text()}
		e.stat.Size, e.stat.Modified, e.stat.Changed = d.varint(), d.varint(), d.varint()
		e.stat.Inode = d.uvarint()
		kind := d.bytes(1)
		if d.failed {
			return nil
		}
		if kind[0] == cachedDigest {
			var text [2 * sha256.Size]byte
			hex.Encode(text[:], d.bytes(sha256.Size))
			digests.Write(text[:])
			e.seen.Digest = digests.String()[digests.Len()-len(text):]
		} else {
			e.seen.Skip = d.text()
		}
		entries = append(entries, e)
	}
	if d.failed || uint64(len(entries)) != count {
		return nil
	}
	return entries
}

// leastEntry is the size, in bytes, of the smallest entry: with an empty path and an empty skip reason.
const leastEntry = 7

// A cacheReader decodes values of a cache. After a truncated value, all further values are empty.
type cacheReader struct {
	rest   []byte
	all    string // rest is the end of all
	failed bool
}

func (d *cacheReader) fail() { d.failed, d.rest = true, nil }

func (d *cacheReader) bytes(n uint64) []byte {
	if n > uint64(len(d.rest)) {
		d.fail()
		return nil
	}
	taken := d.rest[:n]
	d.rest = d.rest[n:]
	return taken
}

func (d *cacheReader) text() string {
	n := len(d.bytes(d.uvarint()))
	end := len(d.all) - len(d.rest)
	return d.all[end-n : end]
}

func (d *cacheReader) uvarint() uint64 { return number(d, binary.Uvarint) }
func (d *cacheReader) varint() int64   { return number(d, binary.Varint) }

// number decodes a number from the next bytes; 0 if they are invalid.
func number[T uint64 | int64](d *cacheReader, decode func([]byte) (T, int)) T {
	v, n := decode(d.rest)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.rest = d.rest[n:]
	return v
}
