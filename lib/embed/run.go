package embed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"cortex/lib/parallel"
	"cortex/lib/record"
)

// Encoding is how embeddings are written.
type Encoding string

const (
	// Base64 is compact and five times faster to read.
	Base64 Encoding = "base64"
	// Float is an array of numbers, for jq and the like.
	Float Encoding = "float"
)

// Valid reports whether there is such an encoding.
func (e Encoding) Valid() bool { return e == Base64 || e == Float }

// Options says how Run works.
type Options struct {
	// Encoding is Base64 if empty.
	Encoding Encoding
	// Force embeds chunks that have an embedding already.
	Force bool
	// BatchSize is the number of chunks that the embedder gets at once; 0 is DefaultBatchSize.
	BatchSize int
	// Jobs is the number of batches worked on at once.
	Jobs int
	// Report hears of lines that are skipped. It is called by one goroutine at a time.
	Report func(error)
}

// DefaultBatchSize is the number of chunks that the embedder gets at once.
const DefaultBatchSize = 64

// batchBytes closes a batch early, so that long lines do not pile up in memory.
const batchBytes = 1 << 20

// textVersion must change whenever Text says something else.
const textVersion = "1"

// stage is the name of this stage in the settings of a run.
const stage = "embed"

// Fingerprint tells all that shapes the embeddings of a run.
func Fingerprint(e Embedder) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%s", e.Model(), e.Dimensions(), textVersion))
	return hex.EncodeToString(sum[:6])
}

// Run copies records from r to w and adds embeddings to chunks.
//
// A chunk that has an embedding by e's model, of its length, is copied byte for byte
// unless Force is set: the embedding stands next to the text that it was made from,
// and a stage that changes a text must drop it. Lines that are no records are reported,
// left out, and counted in the End of their run. An error of e ends Run.
func Run(ctx context.Context, r *record.Reader, w *record.Writer, e Embedder, opts Options) error {
	if opts.Encoding == "" {
		opts.Encoding = Base64
	}
	if !opts.Encoding.Valid() {
		return fmt.Errorf("unknown encoding %q, expected %s or %s", opts.Encoding, Base64, Float)
	}
	if opts.BatchSize <= 0 {
		opts.BatchSize = DefaultBatchSize
	}
	if opts.Report == nil {
		opts.Report = func(error) {}
	}
	in := &batcher{reader: r, size: opts.BatchSize}
	out := &emitter{writer: w, report: opts.Report}
	work := func(ctx context.Context, lines []record.Line) (*result, error) {
		return embedLines(ctx, lines, e, opts)
	}
	if err := parallel.Map(ctx, opts.Jobs, in.next, work, out.emit); err != nil {
		return err
	}
	return w.Flush()
}

// A batcher cuts the stream into batches. A batch ends after an End, so that
// a run is written out when it is complete even if the next is long in coming.
type batcher struct {
	reader *record.Reader
	size   int
	err    error
}

func (b *batcher) next() ([]record.Line, error) {
	if b.err != nil {
		return nil, b.err
	}
	var lines []record.Line
	chunks, bytes := 0, 0
	for chunks < b.size && bytes < batchBytes {
		line, err := b.reader.Next()
		if err != nil {
			b.err = err
			break
		}
		lines = append(lines, line)
		bytes += len(line.Data)
		kind, err := line.Type()
		if err == nil && kind == record.TypeEnd {
			break
		}
		if err == nil && kind == record.TypeChunk {
			chunks++
		}
	}
	if len(lines) == 0 {
		return nil, b.err
	}
	// What was read before the stream broke off is still good.
	return lines, nil
}

// A result is what became of a batch.
type result struct {
	data []byte
	// bad are the faults of the lines that were skipped.
	bad []error
	// end closes the batch, and stands after data.
	end *record.End
}

// An emitter writes results in order and counts faults.
type emitter struct {
	writer *record.Writer
	report func(error)
	errors int // in the current run
}

func (m *emitter) emit(res *result) error {
	for _, err := range res.bad {
		m.report(err)
	}
	m.errors += len(res.bad)
	if err := m.writer.WriteLines(res.data); err != nil {
		return err
	}
	if res.end == nil {
		return nil
	}
	res.end.Errors += m.errors
	m.errors = 0
	if err := m.writer.Write(res.end); err != nil {
		return err
	}
	return m.writer.Flush()
}

// embedLines works on one batch.
func embedLines(ctx context.Context, lines []record.Line, e Embedder, opts Options) (*result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res := &result{}
	items := make([]item, 0, len(lines))
	texts := make([]string, 0, len(lines))
	size := 0
	for _, line := range lines {
		rec, err := line.Decode()
		if err != nil {
			res.bad = append(res.bad, err)
			continue
		}
		it := item{line: line, rec: rec}
		size += len(line.Data) + 1
		if c, ok := rec.(*record.Chunk); ok && needsEmbedding(c, e, opts) {
			it.chunk = c
			texts = append(texts, Text(c))
			size += 6*e.Dimensions() + 64
		}
		items = append(items, it)
	}
	vectors, err := embedTexts(ctx, e, texts)
	if err != nil {
		return nil, err
	}
	res.data = make([]byte, 0, size)
	for _, it := range items {
		if it.chunk != nil {
			it.chunk.Embedding, it.chunk.EmbeddingModel = vectors[0], e.Model()
			vectors = vectors[1:]
		}
		if err := res.add(it, e, opts); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// An item is a record of a batch.
type item struct {
	line record.Line
	rec  record.Record
	// chunk is rec if it gets a new embedding.
	chunk *record.Chunk
}

func embedTexts(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	vectors, err := e.Embed(ctx, Passage, texts)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("%d vectors for %d texts", len(vectors), len(texts))
	}
	if err != nil {
		return nil, fmt.Errorf("embed chunks with %s: %w", e.Model(), err)
	}
	return vectors, nil
}

// add encodes a record at the end of the result.
func (res *result) add(it item, e Embedder, opts Options) (err error) {
	switch rec := it.rec.(type) {
	case *record.Begin:
		if rec.Settings == nil {
			rec.Settings = map[string]string{}
		}
		rec.Settings[stage] = Fingerprint(e)
		res.data, err = record.Append(res.data, rec)
	case *record.End:
		res.end = rec
	case *record.Chunk:
		switch {
		case it.chunk == nil:
			res.data = appendLine(res.data, it.line)
		case opts.Encoding == Float:
			res.data, err = record.AppendFloats(res.data, rec)
		default:
			res.data, err = record.Append(res.data, rec)
		}
	default:
		res.data = appendLine(res.data, it.line)
	}
	return err
}

func needsEmbedding(c *record.Chunk, e Embedder, opts Options) bool {
	return opts.Force || c.EmbeddingModel != e.Model() || len(c.Embedding) != e.Dimensions()
}

func appendLine(dst []byte, line record.Line) []byte {
	return append(append(dst, line.Data...), '\n')
}
