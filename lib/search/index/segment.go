package index

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	scorch "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/store"
)

// A segment is a set of chunks that does not change: a catalog, postings whose document numbers are the catalog's
// rows, and vectors, a row of dimensions components for each row. On disk it is a folder of files.
type segment struct {
	catalog  *catalog
	vectors  []float32
	postings []postings
	// sums are the numbers of terms in all rows, by dictionary.
	sums   []uint64
	mapped []*mapping

	// key names a segment that is shared, and users counts those who have it open; both belong to the lock of shared.
	key   string
	users int
}

// shared are the segments on disk that are open. Generations that have one in common have it in memory once, with what was derived from it.
var shared struct {
	sync.Mutex
	segments map[string]*segment
}

// The files of a segment.
const (
	catalogName = "catalog"
	vectorsName = "vectors"
	// textName are the postings of a base.
	textName = "text.zap"
)

// invertedName is one of the files with postings of a delta.
func invertedName(number int) string { return fmt.Sprintf("inverted-%d", number) }

// close closes a segment for one of its users.
func (s *segment) close() error {
	if s == nil {
		return nil
	}
	shared.Lock()
	s.users--
	last := s.users <= 0
	if last && shared.segments[s.key] == s {
		delete(shared.segments, s.key)
	}
	shared.Unlock()
	if !last {
		return nil
	}
	var all []error
	for _, p := range s.postings {
		all = append(all, p.close())
	}
	for _, m := range s.mapped {
		all = append(all, m.close())
	}
	return errors.Join(all...)
}

// A folder names a segment on disk.
type folder struct {
	Name             string
	Catalog, Vectors seal
	// Text is the file of a base; Inverted are as many in a delta as it took to write it at once.
	Text     *seal
	Inverted []seal
	// Sums are the numbers of terms in all rows, by dictionary.
	Sums []uint64
}

// files are the names of the files with their seals.
func (f *folder) files() map[string]*seal {
	files := map[string]*seal{catalogName: &f.Catalog, vectorsName: &f.Vectors}
	if f.Text != nil {
		files[textName] = f.Text
	}
	for i := range f.Inverted {
		files[invertedName(i)] = &f.Inverted[i]
	}
	return files
}

// openSegment opens a segment, or one more time, if its files have their seals.
func openSegment(root *os.Root, f *folder, dicts []string, dimensions int) (*segment, error) {
	name, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	key := root.Name() + "\n" + string(name)
	shared.Lock()
	s := shared.segments[key]
	if s != nil {
		s.users++
	}
	shared.Unlock()
	if s != nil {
		for name, want := range f.files() {
			if err := hasSeal(root, f.Name+"/"+name, *want); err != nil {
				s.close()
				return nil, err
			}
		}
		return s, nil
	}
	if s, err = mapSegment(root, f, dicts, dimensions); err != nil {
		return nil, err
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.segments == nil {
		shared.segments = map[string]*segment{}
	}
	// Who opens the same now has one of its own.
	if s.users = 1; shared.segments[key] == nil {
		s.key, shared.segments[key] = key, s
	}
	return s, nil
}

// mapSegment maps the files of a segment, which must have their seals.
func mapSegment(root *os.Root, f *folder, dicts []string, dimensions int) (s *segment, err error) {
	s = &segment{sums: f.Sums}
	defer func() {
		if err != nil {
			s.close()
			s = nil
		}
	}()
	open := func(name string, want seal, thorough bool) ([]byte, error) {
		m, err := openSealed(root, f.Name+"/"+name, want, thorough)
		if err != nil {
			return nil, err
		}
		s.mapped = append(s.mapped, m)
		return m.data, nil
	}
	data, err := open(catalogName, f.Catalog, true)
	if err != nil {
		return s, err
	}
	if s.catalog, err = decodeCatalog(data, len(dicts)); err != nil {
		return s, fmt.Errorf("open %s/%s: %w", f.Name, catalogName, err)
	}
	if len(f.Sums) != len(dicts) {
		return s, fmt.Errorf("open %s: %w: sums", f.Name, ErrDamaged)
	}
	if data, err = open(vectorsName, f.Vectors, false); err != nil {
		return s, err
	}
	if len(data) != 4*dimensions*s.catalog.rows() {
		return s, fmt.Errorf("open %s/%s: %w: %d bytes", f.Name, vectorsName, ErrDamaged, len(data))
	}
	s.vectors = numbers[float32](data)
	documents := 0
	if f.Text != nil {
		if data, err = open(textName, *f.Text, false); err != nil {
			return s, err
		}
		text, err := openPostings(data)
		if err != nil {
			return s, fmt.Errorf("open %s/%s: %w", f.Name, textName, err)
		}
		s.postings = append(s.postings, newZapPostings(text, dicts))
		documents = int(text.Count())
	}
	for i, want := range f.Inverted {
		name := invertedName(i)
		if data, err = open(name, want, false); err != nil {
			return s, err
		}
		part, err := decodeInverted(data, len(dicts))
		if err == nil && part.size > s.catalog.rows()-documents {
			err = ErrDamaged
		}
		if err != nil {
			return s, fmt.Errorf("open %s/%s: %w", f.Name, name, err)
		}
		part.lengths = s.catalog.lengthsOf(documents, part.size)
		s.postings = append(s.postings, part)
		documents += part.size
	}
	if documents != s.catalog.rows() {
		return s, fmt.Errorf("open %s: %w: %d documents", f.Name, ErrDamaged, documents)
	}
	return s, nil
}

// openPostings opens postings in memory as zap writes them to a file. What it finds at the end of them it trusts.
func openPostings(data []byte) (postings scorch.Segment, err error) {
	defer func() {
		if p := recover(); p != nil {
			fault, ok := p.(runtime.Error)
			if !ok {
				panic(p)
			}
			err = fmt.Errorf("%w: %v", ErrDamaged, fault)
		}
	}()
	// The footer of version 17, see zap.md there: identifier, its length, documents, offsets of the stored fields and of the
	// sections, chunk mode, version, checksum.
	const footer = zap.FooterSize
	if len(data) < footer {
		return nil, fmt.Errorf("%w: no footer", ErrDamaged)
	}
	end := data[len(data)-footer:]
	if v := bigEndian.Uint32(end[footer-8:]); v != zap.Version {
		return nil, fmt.Errorf("%w: version %d", ErrDamaged, v)
	}
	if n := bigEndian.Uint32(end); n != 0 {
		return nil, fmt.Errorf("%w: written by another", ErrDamaged)
	}
	return zap.InitSegmentBase(data[:len(data)-footer], bigEndian.Uint32(end[footer-4:]), bigEndian.Uint32(end[footer-12:]),
		bigEndian.Uint64(end[4:]), bigEndian.Uint64(end[12:]), bigEndian.Uint64(end[20:]), nil, new(scorch.Stats))
}

// A maker makes segments of the chunks of one generation.
type maker struct {
	lines    *store.Lines
	analysis *Analysis
	jobs     int
	progress func(done, total int)
	// few tells that the chunks are few, and it is better to make their postings quickly than to read them quickly.
	few bool
}

// smallBatch is the number of chunks that are not worth a second worker.
const smallBatch = 25

// maxInverted is the number of inverted files of one delta, each of which every question looks into.
const maxInverted = 4

// A batch is some successive rows of a segment, with postings of one kind.
type batch struct {
	rows     []store.Line
	chunks   []*record.Chunk
	postings *zap.SegmentBase
	inverted *inverted
	lengths  [][]uint32
}

// each reads and analyses the chunks, batch by batch, and emits the batches in order.
func (m *maker) each(ctx context.Context, rows []store.Line, emit func(*batch) error) error {
	done, total := 0, len(rows)
	m.progress(0, total)
	// Few chunks are shared out, so that no worker has all of them.
	jobs := m.jobs
	if m.few {
		jobs = min(jobs, maxInverted)
	}
	size := max((len(rows)+jobs-1)/jobs, smallBatch)
	if !m.few {
		size = min(size, batchSize)
	}
	next := func() (*batch, error) {
		if len(rows) == 0 {
			return nil, io.EOF
		}
		b := &batch{rows: rows[:min(size, len(rows))]}
		rows = rows[len(b.rows):]
		return b, nil
	}
	return parallel.Map(ctx, jobs, next, m.analyse, func(b *batch) error {
		done += len(b.rows)
		m.progress(done, total)
		return emit(b)
	})
}

func (m *maker) analyse(ctx context.Context, b *batch) (*batch, error) {
	decoder := store.NewLineDecoder()
	inverter := newInverter(len(m.analysis.Dicts))
	var buf []byte
	var err error
	for _, line := range b.rows {
		if buf, err = m.lines.Read(line, buf); err != nil {
			return nil, err
		}
		c, err := decoder.Decode(buf)
		if err != nil {
			return nil, fmt.Errorf("read chunk %q: %w", line.ID, err)
		}
		// A chunk without embedding is found by its text.
		if n := len(c.Embedding); c.ID != line.ID || n != 0 && n != m.lines.Head.Dimensions {
			return nil, fmt.Errorf("read chunk %q: %w", line.ID, store.ErrChanged)
		}
		b.chunks = append(b.chunks, c)
		if m.few {
			m.analysis.Terms(c, inverter.next())
		}
		parallel.Yield(ctx)
	}
	if m.few {
		b.inverted, b.lengths = inverter.finish(ctx), inverter.lengths
		return b, nil
	}
	b.postings, b.lengths, err = newPostings(b.chunks, m.analysis)
	return b, err
}

// vector is the unit vector of the chunk's embedding, nil if it has none of the store's model.
func (m *maker) vector(c *record.Chunk) []float32 {
	model := m.lines.Head.Model
	if len(c.Embedding) == 0 || model != "" && c.EmbeddingModel != "" && c.EmbeddingModel != model {
		return nil
	}
	v, ok := Unit(c.Embedding)
	if !ok {
		return nil
	}
	return v
}

// addRows adds the batch to the catalog and gives its vectors to emit, zeros for those without.
func (m *maker) addRows(ctx context.Context, to *catalogWriter, b *batch, zeros []float32, emit func([]float32) error) error {
	for i, c := range b.chunks {
		parallel.Yield(ctx)
		v := m.vector(c)
		if err := to.add(c, m.analysis, b.rows[i], v != nil, b.lengths[i]); err != nil {
			return err
		}
		if v == nil {
			v = zeros
		}
		if err := emit(v); err != nil {
			return err
		}
	}
	return nil
}

// memory makes a segment of few chunks.
func (m *maker) memory(ctx context.Context, rows []store.Line) (*segment, error) {
	s := &segment{}
	w := newCatalogWriter(len(m.analysis.Dicts))
	zeros := make([]float32, m.lines.Head.Dimensions)
	s.vectors = make([]float32, 0, len(rows)*len(zeros))
	err := m.each(ctx, rows, func(b *batch) error {
		s.postings = append(s.postings, b.inverted)
		return m.addRows(ctx, w, b, zeros, func(v []float32) error {
			s.vectors = append(s.vectors, v...)
			return nil
		})
	})
	s.catalog = w.finish()
	s.sums = s.catalog.sums()
	return s, err
}

// write writes a segment that is in memory into an empty folder.
func (s *segment) write(ctx context.Context, root *os.Root, dir string) (*folder, error) {
	f := &folder{Name: dir, Inverted: make([]seal, len(s.postings)), Sums: s.sums}
	for i, p := range s.postings {
		if err := writeFile(ctx, root, dir+"/"+invertedName(i), p.(*inverted).encode(), false); err != nil {
			return nil, err
		}
	}
	if err := writeFile(ctx, root, dir+"/"+vectorsName, bytes.NewReader(bytesOf(s.vectors)), false); err != nil {
		return nil, err
	}
	return f, writeFile(ctx, root, dir+"/"+catalogName, s.catalog.encode(), false)
}

// write writes a segment of any number of chunks into an empty folder. It is on the disk when write returns.
func (m *maker) write(ctx context.Context, root *os.Root, dir string, rows []store.Line) (*folder, error) {
	w := newCatalogWriter(len(m.analysis.Dicts))
	vectors, err := create(root, dir+"/"+vectorsName)
	if err != nil {
		return nil, err
	}
	defer vectors.Close()
	buffered := bufio.NewWriterSize(vectors, 256<<10)
	zeros := make([]float32, m.lines.Head.Dimensions)
	var parts []string
	err = m.each(ctx, rows, func(b *batch) error {
		name := fmt.Sprintf("%s/part-%d", dir, len(parts))
		parts = append(parts, name)
		if err := writeFile(ctx, root, name, b.postings, false); err != nil {
			return err
		}
		return m.addRows(ctx, w, b, zeros, func(v []float32) error {
			_, err := buffered.Write(bytesOf(v))
			return err
		})
	})
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil {
		err = vectors.Sync()
	}
	if err == nil {
		err = merge(ctx, root, dir, parts)
	}
	if err != nil {
		return nil, err
	}
	c := w.finish()
	return &folder{Name: dir, Text: &seal{}, Sums: c.sums()}, writeFile(ctx, root, dir+"/"+catalogName, c.encode(), true)
}

// A yieldingWriter writes in pieces.
type yieldingWriter struct {
	ctx context.Context
	w   io.Writer
}

func (y *yieldingWriter) Write(p []byte) (written int, err error) {
	for written < len(p) && err == nil {
		parallel.Yield(y.ctx)
		var n int
		n, err = y.w.Write(p[written:min(written+writtenAtOnce, len(p))])
		written += n
	}
	return written, err
}

const writtenAtOnce = 256 << 10

func create(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

func writeFile(ctx context.Context, root *os.Root, name string, content io.WriterTo, durable bool) error {
	f, err := create(root, name)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(&yieldingWriter{ctx, f}, 32<<10)
	_, err = content.WriteTo(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil && durable {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// merge joins the parts into one file, for which each term is looked up once, and removes them.
func merge(ctx context.Context, root *os.Root, dir string, names []string) (err error) {
	var parts []scorch.Segment
	var mapped []*mapping
	defer func() {
		for _, m := range mapped {
			err = errors.Join(err, m.close())
		}
	}()
	for _, name := range names {
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil {
			var m *mapping
			if m, err = mapFile(f, info.Size()); err == nil {
				mapped = append(mapped, m)
				var p scorch.Segment
				if p, err = openPostings(m.data); err == nil {
					parts = append(parts, p)
				}
			}
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	stop := make(chan struct{})
	release := context.AfterFunc(ctx, func() { close(stop) })
	defer release()
	if err := mergePostings(parts, filepath.Join(root.Name(), dir, textName), stop); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return err
	}
	for _, name := range names {
		if err := root.Remove(name); err != nil {
			return err
		}
	}
	return nil
}

// Unit returns the vector with length 1, itself if it has that. It is not ok if the vector has no direction (record.Embedding.Length).
func Unit(v []float32) (unit []float32, ok bool) {
	length, ok := record.Embedding(v).Length()
	if !ok {
		return nil, false
	}
	if math.Abs(length-1) < 5e-7 {
		return v, true
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / length)
	}
	return out, true
}
