package store

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"sync"

	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// blockSize is how much of a chunk file one worker gets at a time.
const blockSize = 256 << 10

// maxLine bounds the line of a chunk, with its end. The text of a chunk has some 100 KB at most, which JSON can make six times as long, and an
// embedding takes as much as that in a model of 20,000 dimensions.
const maxLine = 16 << 20

var errLongLine = fmt.Errorf("the line has more than %d bytes", maxLine)

// A block is a run of whole lines of a chunk file, with their ends.
type block struct {
	data   []byte
	number int // of its first line, from 1
	buffer []byte
	from   *blockReader
}

// lines calls each on every line of the block, without its end.
func (b block) lines(each func(number int, line []byte) error) error {
	number := b.number
	for data := b.data; len(data) > 0; number++ {
		end := bytes.IndexByte(data, '\n')
		if err := each(number, data[:end]); err != nil {
			return err
		}
		data = data[end+1:]
	}
	return nil
}

// A blockReader cuts a chunk file into blocks and sums it up on the way.
type blockReader struct {
	r io.Reader
	// rest begins the next block.
	rest []byte
	// free are the buffers of blocks that nobody uses any more.
	free   sync.Pool
	number int
	size   int64
	crc    uint32
	whole  hash.Hash // nil if the CRC is enough
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func newBlockReader(r io.Reader, thorough bool) *blockReader {
	b := &blockReader{r: r, number: 1}
	if thorough {
		b.whole = sha256.New()
	}
	return b
}

// next returns the next block, and io.EOF after the last.
func (r *blockReader) next() (block, error) {
	var data []byte
	if used, ok := r.free.Get().(*[]byte); ok && cap(*used) > len(r.rest) {
		data = (*used)[:0]
	} else {
		data = make([]byte, 0, len(r.rest)+blockSize)
	}
	data = append(data, r.rest...)
	for {
		old := len(data)
		if cap(data) == old {
			// A line longer than a block.
			data = append(data, make([]byte, old)...)[:old]
		}
		n, err := io.ReadFull(r.r, data[old:cap(data)])
		data = data[:old+n]
		r.sum(data[old:])
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return block{}, err
		}
		atEnd := err != nil
		end := bytes.LastIndexByte(data[old:], '\n')
		switch {
		case end >= 0:
			return r.cut(data, old+end+1), nil
		case atEnd && len(data) == 0:
			return block{}, io.EOF
		case atEnd:
			return block{}, &damage{line: r.number, what: "the line is cut off"}
		case len(data) > maxLine+blockSize:
			return block{}, &damage{line: r.number, what: errLongLine.Error()}
		}
	}
}

func (r *blockReader) cut(data []byte, end int) block {
	b := block{data: data[:end:end], number: r.number, buffer: data, from: r}
	r.rest = append(r.rest[:0], data[end:]...)
	r.number += bytes.Count(b.data, []byte("\n"))
	return b
}

// release gives a block back, to which nothing may refer.
func (r *blockReader) release(b block) { r.free.Put(&b.buffer) }

func (r *blockReader) sum(data []byte) {
	r.size += int64(len(data))
	r.crc = crc32.Update(r.crc, castagnoli, data)
	if r.whole != nil {
		r.whole.Write(data)
	}
}

// check compares what was read with what the manifest says.
func (r *blockReader) check(want ChunkFile) error {
	if r.size != want.Size {
		return &damage{what: fmt.Sprintf("it has %d bytes, the manifest says %d", r.size, want.Size)}
	}
	if formatCRC(r.crc) != want.CRC32C {
		return &damage{what: "its content differs from its digest"}
	}
	if r.whole != nil && hex.EncodeToString(r.whole.Sum(nil)) != want.SHA256 {
		return &damage{what: "its content differs from its digest"}
	}
	return nil
}

func formatCRC(crc uint32) string { return fmt.Sprintf("%08x", crc) }

// damage is a fault in the content of a chunk file.
type damage struct {
	file string
	line int // 0 if it cannot be told
	what string
}

func (d *damage) Error() string {
	if d.line > 0 {
		return fmt.Sprintf("%s:%d: damaged: %s", d.file, d.line, d.what)
	}
	return fmt.Sprintf("%s: damaged: %s", d.file, d.what)
}

// readChunkFile reads the content that the manifest names for a chunk type: it cuts it into
// blocks, works on them in up to jobs goroutines, and emits the results in order. What was emitted is
// valid only if the error is nil; begin is called before each attempt. An error
// about the content is a *damage.
func readChunkFile[Out any](ctx context.Context, root *safeopen.Root, m *Manifest, kind, jobs int, thorough bool,
	begin func(), work func(block) (Out, error), emit func(Out) error) error {
	want := m.ChunkFiles[fileNames[kind]]
	var first error
	for _, path := range []string{chunkPath(kind), backupPath(kind, want.SHA256)} {
		begin()
		err := readContent(ctx, root, path, want, jobs, thorough, work, emit)
		if err == nil || ctx.Err() != nil {
			return err
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func readContent[Out any](ctx context.Context, root *safeopen.Root, path string, want ChunkFile, jobs int, thorough bool,
	work func(block) (Out, error), emit func(Out) error) error {
	return withContent(ctx, root, path, want, func(f *os.File) error {
		blocks := newBlockReader(f, thorough)
		err := parallel.Map(ctx, jobs, blocks.next,
			func(_ context.Context, b block) (Out, error) { return work(b) }, emit)
		if err == nil {
			err = blocks.check(want)
		}
		return err
	})
}

// withContent opens a chunk file that has the size that the manifest names, and names the
// file in what goes wrong while it is read.
func withContent(ctx context.Context, root *safeopen.Root, path string, want ChunkFile, read func(*os.File) error) error {
	name := root.Name() + "/" + path
	f, info, err := root.File(path)
	if err != nil {
		return openError(name, err)
	}
	defer f.Close()
	if info.Size() != want.Size {
		// Cheaper than reading it, and the usual case while a writer commits.
		err = (&blockReader{size: info.Size()}).check(want)
	} else {
		err = read(f)
	}
	var d *damage
	if errors.As(err, &d) {
		d.file = name
		return d
	}
	if err == nil || ctx.Err() != nil || !isReadFault(err) {
		return err // what is written of it meanwhile may have failed, too
	}
	return fmt.Errorf("read %s: %w", name, cause(err))
}

// isReadFault reports whether it is reading that failed, as far as package os knows.
func isReadFault(err error) bool {
	var path *fs.PathError
	return !errors.As(err, &path) || path.Op == "read"
}

// readPieces reads the content that the manifest names, in pieces that are valid until the next. What was taken is right
// only if the error is nil.
func readPieces(ctx context.Context, root *safeopen.Root, path string, want ChunkFile, take func([]byte) error) error {
	return withContent(ctx, root, path, want, func(f *os.File) error {
		sums := newBlockReader(nil, false)
		buf := make([]byte, blockSize)
		for {
			n, err := f.Read(buf)
			sums.sum(buf[:n])
			if n > 0 {
				if err := take(buf[:n]); err != nil {
					return err
				}
			}
			if err == io.EOF {
				return sums.check(want)
			}
			if err != nil {
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	})
}

// readLines is readPieces by lines, without their ends.
func readLines(ctx context.Context, root *safeopen.Root, path string, want ChunkFile, take func([]byte) error) error {
	var begun []byte
	number := 1
	err := readPieces(ctx, root, path, want, func(data []byte) error {
		for len(data) > 0 {
			end := bytes.IndexByte(data, '\n')
			if end < 0 {
				begun = append(begun, data...)
				if len(begun) > maxLine+blockSize {
					return &damage{line: number, what: errLongLine.Error()}
				}
				return nil
			}
			line := data[:end]
			if len(begun) > 0 {
				begun = append(begun, line...)
				line = begun
			}
			if err := take(line); err != nil {
				return err
			}
			begun, data = begun[:0], data[end+1:]
			number++
		}
		return nil
	})
	if err == nil && len(begun) > 0 {
		err = &damage{file: root.Name() + "/" + path, line: number, what: "the line is cut off"}
	}
	return err
}

// A chunkWriter writes one chunk file of the next generation under its temporary name.
type chunkWriter struct {
	f      *os.File
	w      *bufio.Writer
	digest digest
	sum    ChunkFile
	crc    uint32
	buf    []byte
}

func newChunkWriter(root *safeopen.Root, path string) (*chunkWriter, error) {
	f, err := root.Create(path)
	if err != nil {
		return nil, err
	}
	c := &chunkWriter{f: f, digest: digest{hash: sha256.New()}}
	c.w = bufio.NewWriterSize(c, 256<<10)
	return c, nil
}

// Write sums up what goes to the file.
func (c *chunkWriter) Write(data []byte) (int, error) {
	c.digest.write(data)
	c.crc = crc32.Update(c.crc, castagnoli, data)
	n, err := c.f.Write(data)
	c.sum.Size += int64(n)
	return n, err
}

func (c *chunkWriter) header(model string, dimensions, kind int) error {
	line, err := metadataLine(model, dimensions, kind)
	if err != nil {
		return err
	}
	_, err = c.w.Write(line)
	return err
}

func (c *chunkWriter) chunk(ch *chunk) error {
	c.buf = ch.appendLine(c.buf[:0])
	return c.line(c.buf)
}

func (c *chunkWriter) chunks(ctx context.Context, list []*chunk) error {
	for _, ch := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.chunk(ch); err != nil {
			return err
		}
	}
	return nil
}

// copied writes stored bytes, whose lines are counted by the caller.
func (c *chunkWriter) copied(data []byte) error {
	if len(data) < directly {
		_, err := c.w.Write(data)
		return err
	}
	// The buffer would be one more copy of the whole file.
	if err := c.w.Flush(); err != nil {
		return err
	}
	_, err := c.Write(data)
	return err
}

// directly is from how many bytes on stored bytes are written past the buffer.
const directly = 32 << 10

// line writes a line with its end.
func (c *chunkWriter) line(line []byte) error {
	c.sum.Chunks++
	_, err := c.w.Write(line)
	return err
}

// close makes the file durable and returns what identifies it.
func (c *chunkWriter) close() (ChunkFile, error) {
	err := c.w.Flush()
	if err == nil {
		err = c.f.Sync()
	}
	if closeErr := c.f.Close(); err == nil {
		err = closeErr
	}
	c.sum.SHA256 = hex.EncodeToString(c.digest.hash.Sum(nil))
	c.sum.CRC32C = formatCRC(c.crc)
	return c.sum, err
}

// fileMetadata is the first line of a chunk file.
type fileMetadata struct {
	Metadata struct {
		Model      string           `json:"model"`
		Dimensions int              `json:"dimensions"`
		ChunkType  record.ChunkType `json:"chunk_type"`
		Version    int              `json:"version"`
	} `json:"_metadata"`
}

func metadataLine(model string, dimensions, kind int) ([]byte, error) {
	var first fileMetadata
	first.Metadata.Model = model
	first.Metadata.Dimensions = dimensions
	first.Metadata.ChunkType = record.ChunkTypes[kind]
	first.Metadata.Version = Version
	line, err := codec.Marshal(first)
	return append(line, '\n'), err
}

// checkMetadataLine checks the first line of a chunk file against the manifest.
func checkMetadataLine(m *Manifest, kind int, line []byte) error {
	want, err := metadataLine(m.Model, m.Dimensions, kind)
	if err != nil {
		return err
	}
	if string(line) != string(want[:len(want)-1]) {
		return &damage{line: 1, what: "its first line differs from the manifest"}
	}
	return nil
}

// idOf is the identifier in a stored line.
func idOf(line []byte) (string, error) {
	s := scanner{data: line}
	if !s.literal(`{"type":"chunk","id":`) {
		return "", errors.New("it does not begin as a chunk")
	}
	v, ok := s.string()
	if !ok {
		return "", errors.New("its identifier does not end")
	}
	s.values[slotID] = v
	return s.text(slotID, ""), nil
}
