package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// A Head is what a manifest says about the chunk files.
type Head struct {
	// Version is the version of the files on disk.
	Version    int   `json:"version"`
	Generation int64 `json:"generation"`
	// GeneratedAt is the time of the last commit, RFC 3339 in UTC.
	GeneratedAt string `json:"generated_at"`
	Model       string `json:"model"`
	Dimensions  int    `json:"dimensions"`
	// ChunkFiles are the files in chunks/ by name.
	ChunkFiles map[string]ChunkFile `json:"chunk_files"`
	// Graph is the graph file; nil if there is none.
	Graph *GraphFile `json:"graph"`
}

// Chunks is the number of chunks in the store.
func (h *Head) Chunks() int {
	total := 0
	for _, f := range h.ChunkFiles {
		total += f.Chunks
	}
	return total
}

// Lines is the number of chunks in one chunk type's file, an index in record.ChunkTypes.
func (h *Head) Lines(file int) int { return h.ChunkFiles[fileNames[file]].Chunks }

// ChunksByType are the numbers of chunks in the store.
func (h *Head) ChunksByType() map[record.ChunkType]int {
	byType := map[record.ChunkType]int{}
	for kind, name := range fileNames {
		if n := h.ChunkFiles[name].Chunks; n > 0 {
			byType[record.ChunkTypes[kind]] = n
		}
	}
	return byType
}

// ReadHead is ReadManifest for who needs no more than the head: the time that it takes does not grow with the
// number of files in the store.
func ReadHead(dir string) (Head, error) {
	root, err := openStore(dir)
	if err != nil {
		return Head{}, err
	}
	defer root.Close()
	return readHead(root)
}

// headEnd is what follows the head in a manifest as encode writes it. In a string the quotes would be escaped.
const headEnd = ",\n  \"skipped\": {"

func readHead(root *safeopen.Root) (Head, error) {
	if head, ok := quickHead(root); ok {
		return head, nil
	}
	m, _, err := readManifest(root)
	if err != nil {
		return Head{}, err
	}
	return Head{m.Version, m.Generation, m.GeneratedAt, m.Model, m.Dimensions, m.ChunkFiles, m.Graph}, nil
}

// quickHead reads no further than the head; ok is false if there is anything uncommon about the manifest.
func quickHead(root *safeopen.Root) (head Head, ok bool) {
	f, _, err := root.File(ManifestName)
	if err != nil {
		return Head{}, false
	}
	defer f.Close()
	var data []byte
	for {
		old := len(data)
		data = slices.Grow(data, max(16<<10, old))
		n, err := io.ReadFull(f, data[old:cap(data)])
		data = data[:old+n]
		if end := bytes.Index(data[max(0, old-len(headEnd)):], []byte(headEnd)); end >= 0 {
			data = append(data[:max(0, old-len(headEnd))+end], '}')
			break
		}
		if err != nil || len(data) > 1<<20 {
			return Head{}, false
		}
	}
	if codec.Unmarshal(data, &head) != nil || head.Version > Version {
		return Head{}, false
	}
	m := Manifest{Version: head.Version, Generation: head.Generation, Dimensions: head.Dimensions, ChunkFiles: head.ChunkFiles, Graph: head.Graph}
	err = m.check()
	head.Graph = readable(head.Graph)
	return head, err == nil
}

// Lines are the chunk files of one generation, held open: writers replace files and do not change them, so the
// lines stay as they are however often the store is written. The methods may be called at once, except Close.
type Lines struct {
	Head  Head
	dir   string
	files [kinds]*os.File
}

// A Line is the place of one chunk in the store.
type Line struct {
	ID string
	// File is the index in record.ChunkTypes of the file's chunk type.
	File int
	// Offset and Length are those of the line in bytes, without its end.
	Offset int64
	Length int
	CRC32C uint32
}

// OpenLines opens the generation that is current. The sizes of its files are right; that their content is, Scan finds out.
func OpenLines(ctx context.Context, dir string) (*Lines, error) {
	root, err := openStore(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	for attempt := 1; ; attempt++ {
		lines, err := openLines(root)
		if err == nil || lines == nil {
			return lines, err
		}
		lines.Close()
		// A writer may have replaced files since the manifest was read.
		if errors.Is(err, errCommitted) {
			attempt = 0
		}
		if attempt == 3 {
			return nil, withCure(root.Name(), err)
		}
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// openLines returns no lines at all if the manifest can't be had.
func openLines(root *safeopen.Root) (*Lines, error) {
	head, err := readHead(root)
	if err != nil {
		return nil, err
	}
	l := &Lines{Head: head, dir: root.Name()}
	for kind, name := range fileNames {
		want := head.ChunkFiles[name]
		f, err := openSized(root, chunkPath(kind), want.Size)
		// That may be the next generation's, which a writer is about to commit: then what it replaces has another name.
		if kept, keptErr := openSized(root, backupPath(kind, want.SHA256), want.Size); keptErr == nil {
			if err == nil {
				f.Close()
			}
			f, err = kept, nil
		}
		if err != nil {
			return l, err
		}
		l.files[kind] = f
	}
	// Or which it has just committed.
	now, err := readHead(root)
	if err == nil && !maps.Equal(now.ChunkFiles, head.ChunkFiles) {
		err = errCommitted
	}
	return l, err
}

// errCommitted says that a writer has committed a generation meanwhile.
var errCommitted = errors.New("a newer generation has been committed")

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

// maxForeseen bounds the chunks for which memory is taken before they are seen, since a manifest may name any number.
const maxForeseen = 1 << 16

// openSized opens a regular file of the size.
func openSized(root *safeopen.Root, path string, size int64) (*os.File, error) {
	name := root.Name() + "/" + path
	f, info, err := root.File(path)
	if err != nil {
		return nil, openError(name, err)
	}
	if info.Size() != size {
		f.Close()
		return nil, &damage{file: name, what: fmt.Sprintf("it has %d bytes, the manifest says %d", info.Size(), size)}
	}
	return f, nil
}

// Close closes the files.
func (l *Lines) Close() error {
	var all []error
	for _, f := range l.files {
		if f != nil {
			all = append(all, f.Close())
		}
	}
	return errors.Join(all...)
}

// Scan finds the lines of one chunk type's file, an index in record.ChunkTypes, in their order, which is that of
// identifiers, with up to jobs goroutines, and makes sure of the file's content.
func (l *Lines) Scan(ctx context.Context, file, jobs int) ([]Line, error) {
	want := l.Head.ChunkFiles[fileNames[file]]
	m := &Manifest{Model: l.Head.Model, Dimensions: l.Head.Dimensions}
	lines := make([]Line, 0, min(want.Chunks, maxForeseen))
	offset := int64(0)
	r := io.NewSectionReader(l.files[file], 0, want.Size)
	blocks := newBlockReader(r, false)
	err := parallel.Map(ctx, jobs, blocks.next, func(_ context.Context, b block) ([]Line, error) {
		defer blocks.release(b)
		return linesOf(m, file, b)
	}, func(found []Line) error {
		start := offset
		for _, line := range found {
			line.Offset += start
			if n := len(lines); n > 0 && line.ID <= lines[n-1].ID {
				return &damage{what: fmt.Sprintf("chunk %q is out of order", line.ID)}
			}
			if line.ID != "" {
				lines = append(lines, line)
			}
			offset = line.Offset + int64(line.Length) + 1
		}
		return nil
	})
	if err == nil {
		err = blocks.check(want)
	}
	name := l.files[file].Name()
	var d *damage
	if errors.As(err, &d) {
		d.file = name
		return nil, d
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("read %s: %w", name, cause(err))
	}
	return lines, err
}

// linesOf gives offsets from the beginning of the block. The file's first line has no identifier.
func linesOf(m *Manifest, kind int, b block) ([]Line, error) {
	lines := make([]Line, 0, len(b.data)/1024+1)
	// One string for all identifiers is one allocation.
	var ids strings.Builder
	ends := make([]int, 0, cap(lines))
	offset := int64(0)
	err := b.lines(func(number int, data []byte) error {
		id := ""
		if number == 1 {
			if err := checkMetadataLine(m, kind, data); err != nil {
				return err
			}
		} else {
			var err error
			if id, err = idOf(data); err == nil && id == "" {
				err = errors.New("its identifier is empty")
			}
			if err != nil {
				return &damage{line: number, what: err.Error()}
			}
		}
		ids.WriteString(id)
		ends = append(ends, ids.Len())
		lines = append(lines, Line{File: kind, Offset: offset, Length: len(data), CRC32C: crc32.Checksum(data, castagnoli)})
		offset += int64(len(data)) + 1
		return nil
	})
	all, start := ids.String(), 0
	for i, end := range ends {
		lines[i].ID = all[start:end]
		start = end
	}
	return lines, err
}

// Read reads one line into buf, which is grown if it is too small, and returns it. A line that is not what it was
// when it was found is an error that ErrChanged is in.
func (l *Lines) Read(line Line, buf []byte) ([]byte, error) {
	if line.File < 0 || line.File >= kinds || line.Length < 0 || line.Offset < 0 {
		return nil, fmt.Errorf("read chunk %q: %w", line.ID, ErrChanged)
	}
	buf = slices.Grow(buf[:0], line.Length)[:line.Length]
	f := l.files[line.File]
	_, err := f.ReadAt(buf, line.Offset)
	if err == nil || err == io.EOF {
		if err == nil && crc32.Checksum(buf, castagnoli) == line.CRC32C {
			return buf, nil
		}
		return nil, fmt.Errorf("read chunk %q in %s: %w", line.ID, f.Name(), ErrChanged)
	}
	return nil, fmt.Errorf("read %s: %w", f.Name(), cause(err))
}

// ErrChanged says that a file is not what an earlier look at it found.
var ErrChanged = errors.New("the file has changed")

// A LineDecoder decodes lines of chunk files; values that repeat from line to line it shares. It is for one
// goroutine.
type LineDecoder struct{ decoder decoder }

// NewLineDecoder returns a decoder that is ready.
func NewLineDecoder() *LineDecoder { return &LineDecoder{decoder{tags: map[string]string{}}} }

// Decode decodes one line as Read returns it, which may be overwritten afterwards.
func (d *LineDecoder) Decode(line []byte) (*record.Chunk, error) {
	rec, err := d.decoder.decode(line)
	if err != nil {
		return nil, err
	}
	chunk, ok := rec.(*record.Chunk)
	if !ok {
		return nil, fmt.Errorf("it is a %s record", rec.RecordType())
	}
	return chunk, nil
}
