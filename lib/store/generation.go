package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/safeopen"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// An Entry is one record of a shard.
type Entry struct {
	// File is the file that the record belongs to, without its text.
	File *record.File
	// Chunk is nil for the record of the file itself.
	Chunk *record.Chunk
	// Tree is the name of the tree that the file is of.
	Tree string
	// Offset and Size are those of the line in the shard, with its end.
	Offset, Size int64
}

// A Generation is one committed state of a store, held open: commits replace files and do not change them. The methods may be called
// at once, except Close.
type Generation struct {
	manifest layout.Manifest
	dir      string
	files    []*os.File
	warm     atomic.Bool
	// buffers has what lines of files and of chunks are read into.
	buffers sync.Pool
}

// ErrChanged says that a shard does not have what an earlier look at it found.
var ErrChanged = errors.New("the file has changed")

// errCommitted says that a writer has committed a generation meanwhile.
var errCommitted = errors.New("a newer generation has been committed")

// Open opens the generation that the manifest names, with all shards, so that commits cannot take them away. A store that does not exist is
// fs.ErrNotExist; that and damage carry a hint. That the content of a shard is right, Records finds out.
func Open(ctx context.Context, dir string) (*Generation, error) {
	var g *Generation
	err := consistently(ctx, dir, func(root *safeopen.Root, m *layout.Manifest, data []byte) error {
		g = &Generation{manifest: *m, dir: root.Name(), files: make([]*os.File, 0, len(m.Shards))}
		for i := range m.Shards {
			f, err := layout.OpenShard(root, &m.Shards[i])
			if err != nil {
				return errors.Join(err, g.Close())
			}
			g.files = append(g.files, f)
		}
		// A writer may have put shards of the next generation in their places since the manifest was read.
		now, err := root.Read(layout.ManifestName, layout.MaxManifest)
		if err != nil {
			return errors.Join(fmt.Errorf("read %s/%s: %w", root.Name(), layout.ManifestName, layout.Cause(err)), g.Close())
		}
		if !bytes.Equal(now, data) {
			return errors.Join(errCommitted, g.Close())
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return g, nil
}

// consistently calls read with the current manifest, and again with a newer one if a
// writer has replaced files under it.
func consistently(ctx context.Context, dir string, read func(*safeopen.Root, *layout.Manifest, []byte) error) error {
	root, err := openStore(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var seen []byte
	for same := 0; ; {
		m, data, err := layout.ReadManifest(root)
		if err != nil {
			return err
		}
		if err = read(root, m, data); err == nil || ctx.Err() != nil {
			return err
		}
		if bytes.Equal(data, seen) {
			same++
		}
		// A writer moves files under one manifest only once after its commit; what fails thrice is damaged.
		if same == 2 {
			return layout.WithCure(root.Name(), err)
		}
		seen = data
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Warm makes ready what reads chunks faster, for who reads many.
func (g *Generation) Warm() {
	shard.Warm()
	g.warm.Store(true)
}

// Manifest is the manifest of the generation.
func (g *Generation) Manifest() *layout.Manifest { return &g.manifest }

// Close closes the files.
func (g *Generation) Close() error {
	var all []error
	for _, f := range g.files {
		all = append(all, f.Close())
	}
	g.files = nil
	return errors.Join(all...)
}

// Records gives the records of a shard, an index in Manifest.Shards, in order and in full: each file's own, then its chunks by identifier;
// files by tree path. The shard is compared with its digest: what was taken is right only if no error comes. An entry is valid until the next.
func (g *Generation) Records(ctx context.Context, shard int) iter.Seq2[Entry, error] {
	return g.entries(ctx, shard, true)
}

// Files is Records without chunks, which are not decoded.
func (g *Generation) Files(ctx context.Context, shard int) iter.Seq2[Entry, error] {
	return g.entries(ctx, shard, false)
}

var errStop = errors.New("stop")

func (g *Generation) entries(ctx context.Context, number int, chunks bool) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		var f *shard.File
		err := g.scan(ctx, number, func(line []byte, offset int64) (err error) {
			e := Entry{Offset: offset, Size: int64(len(line)) + 1}
			if shard.IsFile(line) {
				f, err = shard.DecodeFile(line)
			} else if f == nil {
				err = errors.New("a chunk without its file")
			} else if chunks {
				e.Chunk, err = g.decodeChunk(line, f)
			} else {
				return nil
			}
			if err != nil {
				return &layout.Damage{What: err.Error()}
			}
			e.File, e.Tree = &f.Record, f.Tree
			if !yield(e, nil) {
				return errStop
			}
			return nil
		})
		if err != nil && err != errStop {
			yield(Entry{}, err)
		}
	}
}

func (g *Generation) decodeChunk(line []byte, f *shard.File) (*record.Chunk, error) {
	c, err := shard.DecodeChunk(line, f, g.manifest.Model)
	if err != nil {
		return nil, err
	}
	return c, g.checkLength(c)
}

func (g *Generation) checkLength(c *record.Chunk) error {
	if n := len(c.Embedding); n != g.manifest.Dimensions && n != 0 {
		return fmt.Errorf("the embedding has %d dimensions, the manifest says %d", n, g.manifest.Dimensions)
	}
	return nil
}

// scan calls each with the lines of a shard, without their ends, and compares the content with its digest. Damage names the file and the line.
func (g *Generation) scan(ctx context.Context, number int, each func(line []byte, offset int64) error) error {
	f, want := g.files[number], &g.manifest.Shards[number]
	err := layout.ScanLines(ctx, io.NewSectionReader(f, 0, want.Size+1), want, each)
	var d *layout.Damage
	switch {
	case errors.As(err, &d):
		d.File = f.Name()
		return layout.WithCure(g.dir, d)
	case err == nil || ctx.Err() != nil || err == errStop:
		return err
	}
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err // what is done with the lines failed
	}
	return layout.WithCure(g.dir, fmt.Errorf("read %s: %w", f.Name(), layout.Cause(err)))
}

// A Place is where a record is, as Records tells: Size bytes at Offset of a shard.
type Place struct {
	Shard        int
	Offset, Size int64
}

// Heads keeps the files that were read for the chunks of one request, so that the line of a file is read and decoded once. Several goroutines may use it.
type Heads struct {
	mu    sync.Mutex
	known map[Place]*shard.File
}

// ReadChunk reads one chunk without its embedding. The line of its file, in the same shard, is read too unless heads, which may be nil, has the file. A record that is
// not where its place says is an error that ErrChanged is in.
func (g *Generation) ReadChunk(heads *Heads, file, chunk Place) (*record.Chunk, error) {
	if number := chunk.Shard; number != file.Shard || number < 0 || number >= len(g.files) {
		return nil, fmt.Errorf("read chunk in shard %d: %w", number, ErrChanged)
	}
	buffers, _ := g.buffers.Get().(*[2][]byte)
	if buffers == nil {
		buffers = &[2][]byte{}
	}
	defer g.buffers.Put(buffers)
	f, err := heads.of(file, func() (*shard.File, error) { return g.readHead(&buffers[0], file) })
	if err != nil {
		return nil, err
	}
	if buffers[1], err = g.readLines(buffers[1], chunk); err != nil {
		return nil, err
	}
	c, err := shard.ReadChunk(buffers[1], f, g.warm.Load())
	if err != nil {
		return nil, fmt.Errorf("read chunk in %s: %w", g.files[chunk.Shard].Name(), ErrChanged)
	}
	return c, nil
}

// of is the file at the place, which read reads if it is not known.
func (h *Heads) of(place Place, read func() (*shard.File, error)) (*shard.File, error) {
	if h == nil {
		return read()
	}
	h.mu.Lock()
	f := h.known[place]
	h.mu.Unlock()
	if f != nil {
		return f, nil
	}
	// Two who need it at once may both read it, so that none waits for the head of another file.
	f, err := read()
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.known == nil {
		h.known = map[Place]*shard.File{}
	}
	h.known[place] = f
	return f, nil
}

// readHead reads the file at the place without its facts, through the buffer.
func (g *Generation) readHead(buffer *[]byte, at Place) (*shard.File, error) {
	begin := at
	begin.Size = min(at.Size, usualHead)
	data, err := g.readRange(*buffer, begin)
	if err == nil && at.Size > usualHead && !shard.HasHead(data) {
		data, err = g.readRange(data, at)
	}
	if err != nil {
		return nil, err
	}
	*buffer = data
	f, err := shard.ReadHead(data, g.warm.Load())
	if err != nil {
		return nil, fmt.Errorf("read chunk in %s: %w", g.files[at.Shard].Name(), ErrChanged)
	}
	return f, nil
}

// usualHead is the size within which the line of a file comes to its facts, which can be long.
const usualHead = 4 << 10

// readLines reads whole lines, into buffer if it has room.
func (g *Generation) readLines(buffer []byte, at Place) ([]byte, error) {
	data, err := g.readRange(buffer, at)
	if err == nil && data[at.Size-1] != '\n' {
		err = fmt.Errorf("read %s: %w", g.files[at.Shard].Name(), ErrChanged)
	}
	return data, err
}

func (g *Generation) readRange(buffer []byte, at Place) ([]byte, error) {
	f, whole := g.files[at.Shard], g.manifest.Shards[at.Shard].Size
	if at.Offset < 0 || at.Size < 1 || at.Size > whole || at.Offset > whole-at.Size {
		return nil, fmt.Errorf("read %d bytes at %d of %s: %w", at.Size, at.Offset, f.Name(), ErrChanged)
	}
	data := slices.Grow(buffer[:0], int(at.Size))[:at.Size]
	if _, err := f.ReadAt(data, at.Offset); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read %s: %w", f.Name(), layout.Cause(err))
	}
	return data, nil
}

// ReadManifest reads the manifest of the store in dir. The error of a store that does
// not exist is fs.ErrNotExist.
func ReadManifest(dir string) (layout.Manifest, error) {
	root, err := openStore(dir)
	if err != nil {
		return layout.Manifest{}, err
	}
	defer root.Close()
	m, _, err := layout.ReadManifest(root)
	if err != nil {
		return layout.Manifest{}, err
	}
	return *m, nil
}

// openStore opens the folder of a store for reading.
func openStore(dir string) (*safeopen.Root, error) {
	root, err := safeopen.OpenFolder(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, layout.NoIndex(dir)
	case errors.Is(err, safeopen.ErrLink):
		return nil, hint.Wrap(fmt.Errorf("open store %s: %w", dir, safeopen.ErrLink), layout.CureOfLink)
	}
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", dir, layout.Cause(err))
	}
	return root, nil
}
