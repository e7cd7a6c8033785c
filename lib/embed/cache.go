package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolt "go.etcd.io/bbolt/errors"

	"cortex/lib/derived"
	"cortex/lib/embed/provider"
)

// The cache keeps vectors of passages from one run to the next, for embedders whose vectors cost time or money. It is
// one bbolt file among the user's derived files, for all repositories; its keys are hashes of model, endpoint and text.
//
// bbolt allows one writing process or many readers. The file is open only while a batch is looked up or stored, and the
// wait for other processes is bounded: vectors that cannot be read in time are computed again, vectors that cannot be
// written in time wait for the next write.
const (
	cacheName    = "embeddings.db"
	cacheVersion = "1"

	// cacheBytes is the greatest size of the vectors in the file. They are in two generations. When the young one
	// exceeds half of cacheBytes, the old one is dropped and a new one begins. A vector that is found in the old one is
	// written to the young one.
	cacheBytes = 1 << 30

	readPatience  = 250 * time.Millisecond
	writePatience = 500 * time.Millisecond
	closePatience = 2 * time.Second
	// impatient is the number of successive timeouts after which the cache no longer waits for the file.
	impatient = 3
	// pendingBytes bounds the vectors that wait in memory to be written.
	pendingBytes = 64 << 20
)

// A cacheKey identifies a model and a text.
type cacheKey [20]byte

type cache struct {
	dir   *os.Root
	bytes int // upper bound of the file's vectors, cacheBytes

	mu      sync.Mutex
	pending map[cacheKey][]float32
	waiting int // bytes in pending
	models  map[string]string
	broken  bool
	missed  int // timeouts in a row while waiting for the file
	warn    func(format string, args ...any)
}

// openCache opens the user's cache. It fails if there is no folder for it.
func openCache(warn func(string, ...any)) (*cache, error) {
	home, err := derived.Home()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	dir, err := os.OpenRoot(home)
	if err != nil {
		return nil, err
	}
	return &cache{dir: dir, bytes: cacheBytes, warn: warn,
		pending: map[cacheKey][]float32{}, models: map[string]string{}}, nil
}

// Names in the file.
var (
	metaBucket    = []byte("meta")
	versionName   = []byte("version")
	generationKey = []byte("generation")
	bytesKey      = []byte("bytes")
	modelsBucket  = []byte("models")
)

func generationBucket(n uint64) []byte { return fmt.Appendf(nil, "vectors %d", n) }

// open opens the file. The caller closes it as soon as possible.
func (c *cache) open(readOnly bool, patience time.Duration) (*bbolt.DB, error) {
	if c.missed >= impatient {
		patience = 1
	}
	db, err := bbolt.Open(cacheName, 0o600, &bbolt.Options{ReadOnly: readOnly, Timeout: patience, OpenFile: c.dir.OpenFile,
		FreelistType: bbolt.FreelistMapType})
	if errors.Is(err, bolt.ErrTimeout) {
		c.missed++
	} else {
		c.missed = 0
	}
	return db, err
}

// guard runs f, which uses the file. A damaged file makes bbolt panic or the mapped memory fault; then guard removes
// the file, so that the cache begins anew.
func (c *cache) guard(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
			c.restart(err)
		}
	}()
	err = f()
	switch {
	case errors.Is(err, bolt.ErrInvalid), errors.Is(err, bolt.ErrChecksum), errors.Is(err, bolt.ErrVersionMismatch), errors.Is(err, errCacheVersion):
		c.restart(err)
	}
	return err
}

var errCacheVersion = errors.New("another version")

// restart removes the file.
func (c *cache) restart(why error) {
	c.warn("the embedding cache is damaged and begins anew: %v", why)
	if err := c.dir.Remove(cacheName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.broken = true
	}
}

// lookup returns the vectors that are in the cache. Those of the old generation will be written to the young one.
func (c *cache) lookup(keys []cacheKey, dims int) map[cacheKey][]float32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := map[cacheKey][]float32{}
	for _, key := range keys {
		if v, ok := c.pending[key]; ok && len(v) == dims {
			found[key] = v
		}
	}
	c.view(func(tx *bbolt.Tx, generation uint64) {
		young, old := tx.Bucket(generationBucket(generation)), tx.Bucket(generationBucket(generation-1))
		for _, key := range keys {
			if found[key] != nil {
				continue
			}
			if young != nil {
				if v := decodeVector(young.Get(key[:]), dims); v != nil {
					found[key] = v
					continue
				}
			}
			if old != nil {
				if v := decodeVector(old.Get(key[:]), dims); v != nil {
					found[key] = v
					c.put(key, v)
				}
			}
		}
	})
	return found
}

// view calls read with the file, if it exists and can be opened in time.
func (c *cache) view(read func(tx *bbolt.Tx, generation uint64)) {
	if c.broken {
		return
	}
	c.guard(func() error {
		if info, err := c.dir.Stat(cacheName); err != nil || info.Size() == 0 {
			return err
		}
		db, err := c.open(true, readPatience)
		if err != nil {
			return err
		}
		defer db.Close()
		return db.View(func(tx *bbolt.Tx) error {
			meta := tx.Bucket(metaBucket)
			if meta == nil {
				return nil
			}
			if string(meta.Get(versionName)) != cacheVersion {
				return errCacheVersion
			}
			read(tx, readNumber(meta.Get(generationKey)))
			return nil
		})
	})
}

// put adds a vector to those that the next flush writes.
func (c *cache) put(key cacheKey, v []float32) {
	if _, ok := c.pending[key]; ok || c.waiting > pendingBytes {
		return
	}
	c.pending[key] = v
	c.waiting += storedSize(v)
}

func (c *cache) store(vectors map[cacheKey][]float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, v := range vectors {
		c.put(key, v)
	}
	c.flush(writePatience)
}

// flush writes the pending vectors. Those that cannot be written in time stay pending.
func (c *cache) flush(patience time.Duration) {
	if len(c.pending) == 0 && len(c.models) == 0 || c.broken {
		return
	}
	err := c.guard(func() error {
		db, err := c.open(false, patience)
		if err != nil {
			return err
		}
		return errors.Join(db.Update(c.write), db.Close())
	})
	if err == nil {
		clear(c.pending)
		clear(c.models)
		c.waiting = 0
		return
	}
	if !errors.Is(err, bolt.ErrTimeout) && !c.broken {
		c.warn("write the embedding cache: %v", err)
		c.broken = true
	}
}

func (c *cache) write(tx *bbolt.Tx) error {
	meta, err := tx.CreateBucketIfNotExists(metaBucket)
	if err != nil {
		return err
	}
	version := meta.Get(versionName)
	if version == nil {
		version = []byte(cacheVersion)
		if err := meta.Put(versionName, version); err != nil {
			return err
		}
	}
	if string(version) != cacheVersion {
		return errCacheVersion
	}
	models, err := tx.CreateBucketIfNotExists(modelsBucket)
	if err != nil {
		return err
	}
	for id, model := range c.models {
		if err := models.Put([]byte(id), []byte(model)); err != nil {
			return err
		}
	}
	generation, size := readNumber(meta.Get(generationKey)), readNumber(meta.Get(bytesKey))
	if generation == 0 || size > uint64(c.bytes/2) {
		if err := tx.DeleteBucket(generationBucket(generation - 1)); err != nil && !errors.Is(err, bolt.ErrBucketNotFound) {
			return err
		}
		generation, size = generation+1, 0
	}
	young, err := tx.CreateBucketIfNotExists(generationBucket(generation))
	if err != nil {
		return err
	}
	for key, v := range c.pending {
		if err := young.Put(key[:], encodeVector(v)); err != nil {
			return err
		}
		size += uint64(storedSize(v))
	}
	return errors.Join(meta.Put(generationKey, numberBytes(generation)), meta.Put(bytesKey, numberBytes(size)))
}

// remember stores which model an embedder has, for a run in which the service does not answer.
func (c *cache) remember(id string, e provider.Embedder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	model := fmt.Sprintf("%d %d %s", e.Dimensions(), e.Card().MaxTokens, e.Model())
	known := false
	c.view(func(tx *bbolt.Tx, _ uint64) {
		if models := tx.Bucket(modelsBucket); models != nil {
			known = string(models.Get([]byte(id))) == model
		}
	})
	if !known {
		c.models[id] = model
	}
}

// recall fills in what remember stored, if anything.
func (c *cache) recall(id string, a *absent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.view(func(tx *bbolt.Tx, _ uint64) {
		models := tx.Bucket(modelsBucket)
		if models == nil {
			return
		}
		fields := strings.SplitN(string(models.Get([]byte(id))), " ", 3)
		if len(fields) < 3 {
			return
		}
		dims, err := strconv.Atoi(fields[0])
		tokens, err2 := strconv.Atoi(fields[1])
		if err == nil && err2 == nil && dims > 0 && dims <= maxDimensions {
			a.model, a.dims, a.maxTokens = fields[2], dims, tokens
		}
	})
}

func (c *cache) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flush(closePatience)
	return c.dir.Close()
}

func readNumber(data []byte) uint64 {
	if len(data) != 8 {
		return 0
	}
	return binary.LittleEndian.Uint64(data)
}

func numberBytes(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

func storedSize(v []float32) int { return len(cacheKey{}) + 4*len(v) + 4 }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encodeVector encodes the vector as little-endian float32, followed by their CRC-32C.
func encodeVector(v []float32) []byte {
	data := make([]byte, 0, 4*len(v)+4)
	for _, x := range v {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli))
}

// decodeVector decodes a vector of dims components; nil if the data is not valid.
func decodeVector(data []byte, dims int) []float32 {
	if len(data) != 4*dims+4 {
		return nil
	}
	end := len(data) - 4
	if binary.LittleEndian.Uint32(data[end:]) != crc32.Checksum(data[:end], castagnoli) {
		return nil
	}
	v := make([]float32, dims)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return v
}
