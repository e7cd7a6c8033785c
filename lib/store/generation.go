package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"os"
	"time"

	"cortex/lib/record"
	"cortex/lib/safeopen"
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
	manifest Manifest
	dir      string
	files    []*os.File
}

// ErrChanged says that a shard does not have what an earlier look at it found.
var ErrChanged = errors.New("the file has changed")

// errCommitted says that a writer has committed a generation meanwhile.
var errCommitted = errors.New("a newer generation has been committed")

// Open opens the generation that the manifest names, with all shards, so that commits cannot take them away. A store that does not exist is
// fs.ErrNotExist; that and damage carry a hint. That the content of a shard is right, Records finds out.
func Open(ctx context.Context, dir string) (*Generation, error) {
	var g *Generation
	err := consistently(ctx, dir, func(root *safeopen.Root, m *Manifest, data []byte) error {
		g = &Generation{manifest: *m, dir: root.Name(), files: make([]*os.File, 0, len(m.Shards))}
		for i := range m.Shards {
			f, err := openShard(root, &m.Shards[i])
			if err != nil {
				return errors.Join(err, g.Close())
			}
			g.files = append(g.files, f)
		}
		// A writer may have put shards of the next generation in their places since the manifest was read.
		if now, err := root.Read(ManifestName, maxManifest); err != nil || !bytes.Equal(now, data) {
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
func consistently(ctx context.Context, dir string, read func(*safeopen.Root, *Manifest, []byte) error) error {
	root, err := openStore(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var seen []byte
	for same := 0; ; {
		m, data, err := readManifest(root)
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
			return withCure(root.Name(), err)
		}
		seen = data
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// openShard opens the file that has the content of the shard. After a commit that is the one with its digest in the name, until that gets the
// name of the shard.
func openShard(root *safeopen.Root, s *Shard) (*os.File, error) {
	f, info, err := root.File(newPath(s))
	path := newPath(s)
	if err != nil {
		path = shardPath(s.Name)
		f, info, err = root.File(path)
	}
	name := root.Name() + "/" + path
	if err != nil {
		return nil, openError(name, err)
	}
	if info.Size() != s.Size {
		f.Close()
		return nil, &damage{file: name, what: fmt.Sprintf("it has %d bytes, the manifest says %d", info.Size(), s.Size)}
	}
	return f, nil
}

// openError explains why a file that the manifest names is not opened.
func openError(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &damage{file: name, what: "it is missing"}
	case errors.Is(err, safeopen.ErrNotRegular):
		return &damage{file: name, what: "it is not a regular file"}
	}
	return fmt.Errorf("read %s: %w", name, cause(err))
}

// Manifest is the manifest of the generation.
func (g *Generation) Manifest() *Manifest { return &g.manifest }

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
				return &damage{what: err.Error()}
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
	err := scanLines(ctx, io.NewSectionReader(f, 0, want.Size+1), want, each)
	var d *damage
	switch {
	case errors.As(err, &d):
		d.file = f.Name()
		return withCure(g.dir, d)
	case err == nil || ctx.Err() != nil || err == errStop:
		return err
	}
	var path *fs.PathError
	if !errors.As(err, &path) {
		return err // what is done with the lines failed
	}
	return withCure(g.dir, fmt.Errorf("read %s: %w", f.Name(), cause(err)))
}

// scanLines reads the content of a shard.
func scanLines(ctx context.Context, r io.Reader, want *Shard, each func(line []byte, offset int64) error) error {
	l := &lineReader{r: r, digest: sha256.New(), buf: make([]byte, 0, 256<<10)}
	for number := 1; ; number++ {
		if number%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		line, offset, err := l.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = each(line, offset)
		}
		var d *damage
		if errors.As(err, &d) {
			// What is read wrong is most likely not what was written.
			d.line = number
		}
		if err != nil {
			return err
		}
	}
	if l.size != want.Size {
		return &damage{what: fmt.Sprintf("it has %d bytes, the manifest says %d", l.size, want.Size)}
	}
	if hex.EncodeToString(l.digest.Sum(nil)) != want.Digest {
		return &damage{what: "its content differs from its digest"}
	}
	return nil
}

// A lineReader cuts what it reads into lines, and sums it up.
type lineReader struct {
	r      io.Reader
	digest hash.Hash
	size   int64
	buf    []byte
	at     int
	ended  bool
}

// next returns a line without its end, which is valid until the next, and where it begins; io.EOF after the last.
func (l *lineReader) next() ([]byte, int64, error) {
	for searched := l.at; ; {
		if end := bytes.IndexByte(l.buf[searched:], '\n'); end >= 0 {
			line, offset := l.buf[l.at:searched+end], l.size-int64(len(l.buf)-l.at)
			l.at = searched + end + 1
			return line, offset, nil
		}
		rest := len(l.buf) - l.at
		switch {
		case l.ended && rest == 0:
			return nil, 0, io.EOF
		case l.ended:
			return nil, 0, &damage{what: "the line is cut off"}
		case rest > shard.MaxLine:
			return nil, 0, &damage{what: errLongLine.Error()}
		}
		if l.at > 0 {
			l.buf = append(l.buf[:0], l.buf[l.at:]...)
			l.at = 0
		}
		if len(l.buf) == cap(l.buf) {
			l.buf = append(l.buf, make([]byte, len(l.buf))...)[:len(l.buf)]
		}
		searched = len(l.buf)
		n, err := l.r.Read(l.buf[len(l.buf):cap(l.buf)])
		l.buf = l.buf[:len(l.buf)+n]
		l.digest.Write(l.buf[searched:])
		l.size += int64(n)
		if err == io.EOF {
			l.ended = true
		} else if err != nil {
			return nil, 0, err
		}
	}
}

var errLongLine = fmt.Errorf("the line has more than %d bytes", shard.MaxLine)

// ReadChunk reads one chunk in full: the record of size bytes at offset, and that of its file of fileSize bytes at fileOffset, as Records
// told them. What is not there is an error that ErrChanged is in.
func (g *Generation) ReadChunk(number int, fileOffset, fileSize, offset, size int64) (*record.Chunk, error) {
	if number < 0 || number >= len(g.files) {
		return nil, fmt.Errorf("read chunk in shard %d: %w", number, ErrChanged)
	}
	head, err := g.readRange(number, fileOffset, min(fileSize, usualHead))
	if err == nil && fileSize > usualHead && !shard.HasHead(head) {
		head, err = g.readRange(number, fileOffset, fileSize)
	}
	if err != nil {
		return nil, err
	}
	line, err := g.readLines(number, offset, size)
	if err != nil {
		return nil, err
	}
	c, err := shard.ReadChunk(head, line, g.manifest.Model)
	if err == nil {
		err = g.checkLength(c)
	}
	if err != nil {
		return nil, fmt.Errorf("read chunk in %s: %w", g.files[number].Name(), ErrChanged)
	}
	return c, nil
}

// usualHead is the size within which the line of a file comes to its facts, which can be long.
const usualHead = 4 << 10

// readLines reads whole lines.
func (g *Generation) readLines(number int, offset, size int64) ([]byte, error) {
	data, err := g.readRange(number, offset, size)
	if err == nil && data[size-1] != '\n' {
		err = fmt.Errorf("read %s: %w", g.files[number].Name(), ErrChanged)
	}
	return data, err
}

func (g *Generation) readRange(number int, offset, size int64) ([]byte, error) {
	f, whole := g.files[number], g.manifest.Shards[number].Size
	if offset < 0 || size < 1 || size > whole || offset > whole-size {
		return nil, fmt.Errorf("read %d bytes at %d of %s: %w", size, offset, f.Name(), ErrChanged)
	}
	data := make([]byte, size)
	if _, err := f.ReadAt(data, offset); err != nil && err != io.EOF {
		return nil, fmt.Errorf("read %s: %w", f.Name(), cause(err))
	}
	return data, nil
}
