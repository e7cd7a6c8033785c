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
	// Tree is the name of the file's tree.
	Tree string
	// Offset and Size are the place of the line in the shard, with its line end.
	Offset, Size int64
}

// A Generation is one committed state of a store. Its files are held open; commits replace files and never change them.
// All methods except Close are safe for concurrent use.
type Generation struct {
	manifest layout.Manifest
	dir      string
	files    []*os.File
	warm     atomic.Bool
	// buffers has the buffers that lines are read into, each a *[]byte.
	buffers sync.Pool
}

// ErrChanged says that a record is not at the place where an earlier reader found it.
var ErrChanged = errors.New("the file has changed")

// errCommitted says that a writer has committed a newer generation meanwhile.
var errCommitted = errors.New("a newer generation has been committed")

// Open opens the generation that the manifest names, with all shards, so that later commits do not affect it. The error
// wraps fs.ErrNotExist if there is no store; this error and that of damage carry a hint. Open checks the sizes of the
// shards; Records checks their content.
func Open(ctx context.Context, dir string) (*Generation, error) {
	var g *Generation
	err := consistently(ctx, dir, func(root *safeopen.Root, m *layout.Manifest, data []byte) error {
		g = &Generation{manifest: *m, dir: root.Name(), files: make([]*os.File, 0, len(m.Shards)), buffers: sync.Pool{New: func() any { return new([]byte) }}}
		for i := range m.Shards {
			f, err := layout.OpenShard(root, &m.Shards[i])
			if err != nil {
				return errors.Join(err, g.Close())
			}
			g.files = append(g.files, f)
		}
		// A writer may have renamed shards of the next generation since the manifest was read.
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

// consistently calls read with the current manifest. If read fails, it tries again, since a writer may have replaced
// files meanwhile.
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
		// A writer renames files only once after it commits a manifest, so a third failure with the same manifest is
		// damage.
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

// Warm prepares a faster decoder, which pays for callers that read many chunks.
func (g *Generation) Warm() {
	shard.Warm()
	g.warm.Store(true)
}

// Manifest returns the manifest of the generation.
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

// Records returns the complete records of a shard, an index in Manifest.Shards: for each file, by tree path, its own
// record, then its chunks by identifier. The shard is compared with its digest at the end, so the records are valid
// only if no error follows. An entry is valid until the next one.
func (g *Generation) Records(ctx context.Context, shard int) iter.Seq2[Entry, error] {
	return g.entries(ctx, shard, true)
}

// Files returns the file records of a shard. It is Records without chunks, which are not decoded.
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

// scan calls each with the lines of a shard, without their ends, and compares the content with its digest. An error
// about damage names the file and the line.
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
		return err // the callback failed
	}
	return layout.WithCure(g.dir, fmt.Errorf("read %s: %w", f.Name(), layout.Cause(err)))
}

// A Place is the place of a record, as in an Entry: Size bytes at Offset of a shard.
type Place struct {
	Shard        int
	Offset, Size int64
}

// ReadHead reads the record of one file without its facts. The error wraps ErrChanged if the record is not at the
// place.
func (g *Generation) ReadHead(at Place) (*shard.File, error) {
	buffer := g.buffers.Get().(*[]byte)
	defer g.buffers.Put(buffer)
	begin := at
	begin.Size = min(at.Size, usualHead)
	err := g.read(buffer, begin)
	if err == nil && at.Size > usualHead && !shard.HasHead(*buffer) {
		err = g.read(buffer, at)
	}
	if err != nil {
		return nil, err
	}
	f, err := shard.ReadHead(*buffer, g.warm.Load())
	if err != nil {
		return nil, fmt.Errorf("read file in %s: %w", g.files[at.Shard].Name(), ErrChanged)
	}
	return f, nil
}

// ReadChunk reads one chunk of the file without its embedding and its times. The error wraps ErrChanged if the record
// is not at the place.
func (g *Generation) ReadChunk(f *shard.File, at Place) (*record.Chunk, error) {
	buffer := g.buffers.Get().(*[]byte)
	defer g.buffers.Put(buffer)
	if err := g.readLines(buffer, at); err != nil {
		return nil, err
	}
	c, err := shard.ReadChunk(*buffer, f, g.warm.Load())
	if err != nil {
		return nil, fmt.Errorf("read chunk in %s: %w", g.files[at.Shard].Name(), ErrChanged)
	}
	return c, nil
}

// usualHead is a number of bytes in which most lines of files have all that precedes their facts, which can be long.
const usualHead = 4 << 10

// readLines reads the bytes at the place into the buffer, and checks that they end with a line.
func (g *Generation) readLines(buffer *[]byte, at Place) error {
	err := g.read(buffer, at)
	if err == nil && (*buffer)[at.Size-1] != '\n' {
		err = fmt.Errorf("read %s: %w", g.files[at.Shard].Name(), ErrChanged)
	}
	return err
}

// read reads the bytes at the place into the buffer.
func (g *Generation) read(buffer *[]byte, at Place) error {
	if at.Shard < 0 || at.Shard >= len(g.files) {
		return fmt.Errorf("read shard %d: %w", at.Shard, ErrChanged)
	}
	f, whole := g.files[at.Shard], g.manifest.Shards[at.Shard].Size
	if at.Offset < 0 || at.Size < 1 || at.Size > whole || at.Offset > whole-at.Size {
		return fmt.Errorf("read %d bytes at %d of %s: %w", at.Size, at.Offset, f.Name(), ErrChanged)
	}
	*buffer = slices.Grow((*buffer)[:0], int(at.Size))[:at.Size]
	if _, err := f.ReadAt(*buffer, at.Offset); err != nil && err != io.EOF {
		return fmt.Errorf("read %s: %w", f.Name(), layout.Cause(err))
	}
	return nil
}

// ReadManifest reads the manifest of the store in dir. The error wraps fs.ErrNotExist if there is no store.
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
		return nil, layout.WithCure(dir, fmt.Errorf("open store %s: %w", dir, layout.Cause(err)))
	}
	return root, nil
}
