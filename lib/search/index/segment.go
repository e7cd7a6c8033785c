package index

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"

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
	postings []scorch.Segment
	mapped   []*mapping
}

// The files of a segment.
const (
	catalogName = "catalog"
	vectorsName = "vectors"
)

// textName is the file of so many postings after the first.
func textName(number int) string {
	if number == 0 {
		return "text.zap"
	}
	return fmt.Sprintf("text-%d.zap", number)
}

func (s *segment) close() error {
	if s == nil {
		return nil
	}
	var all []error
	for _, p := range s.postings {
		all = append(all, p.Close())
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
	// Texts are one file in a base, and as many in a delta as it took to write it at once.
	Texts []seal
}

// openSegment maps the files of a segment, which must have their seals.
func openSegment(root *os.Root, f *folder, dicts, dimensions int) (s *segment, err error) {
	s = &segment{}
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
	if s.catalog, err = decodeCatalog(data, dicts); err != nil {
		return s, fmt.Errorf("open %s/%s: %w", f.Name, catalogName, err)
	}
	if data, err = open(vectorsName, f.Vectors, false); err != nil {
		return s, err
	}
	if len(data) != 4*dimensions*s.catalog.rows() {
		return s, fmt.Errorf("open %s/%s: %w: %d bytes", f.Name, vectorsName, ErrDamaged, len(data))
	}
	s.vectors = numbers[float32](data)
	documents := uint64(0)
	for i, want := range f.Texts {
		if data, err = open(textName(i), want, false); err != nil {
			return s, err
		}
		postings, err := openPostings(data)
		if err != nil {
			return s, fmt.Errorf("open %s/%s: %w", f.Name, textName(i), err)
		}
		s.postings = append(s.postings, postings)
		documents += postings.Count()
	}
	if documents != uint64(s.catalog.rows()) {
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
}

// smallBatch is the number of chunks that are not worth a second worker.
const smallBatch = 25

// A batch is some successive rows of a segment.
type batch struct {
	rows     []store.Line
	chunks   []*record.Chunk
	postings *zap.SegmentBase
	lengths  [][]uint32
}

// each reads and analyses the chunks, batch by batch, and emits the batches in order.
func (m *maker) each(ctx context.Context, rows []store.Line, emit func(*batch) error) error {
	done, total := 0, len(rows)
	m.progress(0, total)
	// Few chunks are shared out, so that no worker has all of them.
	size := min(max((len(rows)+m.jobs-1)/m.jobs, smallBatch), batchSize)
	next := func() (*batch, error) {
		if len(rows) == 0 {
			return nil, io.EOF
		}
		b := &batch{rows: rows[:min(size, len(rows))]}
		rows = rows[len(b.rows):]
		return b, nil
	}
	return parallel.Map(ctx, m.jobs, next, m.analyse, func(b *batch) error {
		done += len(b.rows)
		m.progress(done, total)
		return emit(b)
	})
}

func (m *maker) analyse(_ context.Context, b *batch) (*batch, error) {
	decoder := store.NewLineDecoder()
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
func (m *maker) addRows(to *catalogWriter, b *batch, zeros []float32, emit func([]float32) error) error {
	for i, c := range b.chunks {
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

// memory makes a segment that stays in memory.
func (m *maker) memory(ctx context.Context, rows []store.Line) (*segment, error) {
	s := &segment{}
	w := newCatalogWriter(len(m.analysis.Dicts))
	zeros := make([]float32, m.lines.Head.Dimensions)
	s.vectors = make([]float32, 0, len(rows)*len(zeros))
	err := m.each(ctx, rows, func(b *batch) error {
		s.postings = append(s.postings, b.postings)
		return m.addRows(w, b, zeros, func(v []float32) error {
			s.vectors = append(s.vectors, v...)
			return nil
		})
	})
	s.catalog = w.finish()
	return s, err
}

// write writes a segment into an empty folder. A lasting one is on the disk when write returns, with its postings in one file.
func (m *maker) write(ctx context.Context, root *os.Root, dir string, rows []store.Line, lasting bool) (*folder, error) {
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
		name := textName(len(parts))
		if lasting {
			name = fmt.Sprintf("part-%d", len(parts))
		}
		parts = append(parts, dir+"/"+name)
		if err := writePostings(root, dir+"/"+name, b.postings); err != nil {
			return err
		}
		return m.addRows(w, b, zeros, func(v []float32) error {
			_, err := buffered.Write(bytesOf(v))
			return err
		})
	})
	if err == nil {
		err = buffered.Flush()
	}
	if err == nil && lasting {
		err = vectors.Sync()
	}
	if err != nil {
		return nil, err
	}
	f := &folder{Name: dir, Texts: make([]seal, len(parts))}
	if lasting {
		if err := merge(ctx, root, dir, parts); err != nil {
			return nil, err
		}
		f.Texts = f.Texts[:1]
	}
	return f, writeFile(root, dir+"/"+catalogName, w.finish().encode(), lasting)
}

func create(root *os.Root, name string) (*os.File, error) {
	return root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

func writeFile(root *os.Root, name string, data []byte, durable bool) error {
	f, err := create(root, name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && durable {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

func writePostings(root *os.Root, name string, postings *zap.SegmentBase) error {
	f, err := create(root, name)
	if err != nil {
		return err
	}
	_, err = postings.WriteTo(f)
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
	if err := mergePostings(parts, filepath.Join(root.Name(), dir, textName(0)), stop); err != nil {
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

// Unit returns the vector with length 1, itself if it has that. A zero vector has no direction.
func Unit(v []float32) ([]float32, bool) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, false
	}
	if math.Abs(sum-1) < 1e-6 {
		return v, true
	}
	scale := float32(1 / math.Sqrt(sum))
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = x * scale
	}
	return out, true
}
