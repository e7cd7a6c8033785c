package embed

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
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
	// BatchSize is the number of chunks that the embedder gets at once; 0 is the embedder's choice.
	BatchSize int
	// Jobs is the number of batches worked on at once, unless the embedder knows better.
	Jobs int
	// Skip lets chunks that can't be embedded pass without an embedding. Otherwise the first ends Run.
	Skip bool
	// Report hears of lines that are skipped, Warn once of chunks without embedding, Progress of
	// chunks that are done and of the files that they belong to. They are called by one
	// goroutine at a time, and may be nil.
	Report   func(error)
	Warn     func(format string, args ...any)
	Progress func(Progress)
}

// Progress is how far a run has come.
type Progress struct {
	// Chunks have been written, Files begun, of FilesTotal, which is 0 where it is not known.
	Chunks, Files, FilesTotal int
}

// DefaultBatchSize is the number of chunks that an embedder gets at once that does not say.
const DefaultBatchSize = 64

// batchBytes closes a batch early, so that long lines do not pile up in memory.
const batchBytes = 1 << 20

// passBytes closes a batch of headers alone, which the next stage need not wait for.
const passBytes = 64 << 10

// textVersion must change whenever Text says something else.
const textVersion = "1"

// stage is the name of this stage in the settings of a run.
const stage = "embed"

// Fingerprint tells all that shapes the embeddings of a run.
func Fingerprint(e provider.Embedder) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%s", e.Model(), e.Dimensions(), textVersion))
	return hex.EncodeToString(sum[:6])
}

// Run copies records from r to w and adds embeddings to chunks.
//
// A chunk that has an embedding by e's model, of its length, is copied byte for byte
// unless Force is set: the embedding stands next to the text that it was made from,
// and a stage that changes a text must drop it. Lines that are no records are reported,
// left out, and counted in the End of their run. An error of e ends Run, or with Skip leaves
// chunks without the embedding that they may have had by another model. A text whose vector has no direction never ends Run.
func Run(ctx context.Context, r *jsonl.Reader, w *jsonl.Writer, e provider.Embedder, opts Options) error {
	if opts.Encoding == "" {
		opts.Encoding = Base64
	}
	if !opts.Encoding.Valid() {
		return fmt.Errorf("unknown encoding %q, expected %s or %s", opts.Encoding, Base64, Float)
	}
	r.WarmUp([]record.Record{&record.Chunk{}}, nil)
	card := e.Card()
	if opts.BatchSize <= 0 {
		opts.BatchSize = cmp.Or(card.BatchSize, DefaultBatchSize)
	}
	opts.Jobs = cmp.Or(card.Concurrency, opts.Jobs)
	if opts.Report == nil {
		opts.Report = func(error) {}
	}
	if opts.Progress == nil {
		opts.Progress = func(Progress) {}
	}
	in := &batcher{reader: r, size: opts.BatchSize}
	out := &emitter{writer: w, opts: opts}
	work := func(ctx context.Context, lines []jsonl.Line) (*result, error) {
		return embedLines(ctx, lines, e, opts)
	}
	if err := parallel.Map(ctx, opts.Jobs, in.next, work, out.emit); err != nil {
		return err
	}
	if out.without > 0 && opts.Warn != nil {
		opts.Warn("%s without embedding, found by text only until a later run embeds them: %v", count(out.without, "chunk"), out.why)
	}
	return w.Flush()
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// A batcher cuts the stream into batches. A batch ends after an End, so that
// a run is written out when it is complete even if the next is long in coming.
type batcher struct {
	reader *jsonl.Reader
	size   int
	err    error
}

func (b *batcher) next() ([]jsonl.Line, error) {
	if b.err != nil {
		return nil, b.err
	}
	var lines []jsonl.Line
	chunks, bytes := 0, 0
	for chunks < b.size && bytes < batchBytes && (chunks > 0 || bytes < passBytes) {
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
	// done is what of the run the batch holds.
	done Progress
	// without is the number of chunks that got no embedding, why the reason of the first.
	without int
	why     error
}

// An emitter writes results in order and counts faults.
type emitter struct {
	writer *jsonl.Writer
	opts   Options
	errors int // in the current run
	done   Progress

	without int
	why     error
}

func (m *emitter) emit(res *result) error {
	for _, err := range res.bad {
		m.opts.Report(err)
	}
	m.errors += len(res.bad)
	if m.without == 0 {
		m.why = res.why
	}
	m.without += res.without
	if res.done.FilesTotal > 0 {
		m.done.Files, m.done.FilesTotal = 0, res.done.FilesTotal
	}
	m.done.Chunks += res.done.Chunks
	m.done.Files += res.done.Files
	if err := m.writer.WriteLines(res.data); err != nil {
		return err
	}
	m.opts.Progress(m.done)
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
func embedLines(ctx context.Context, lines []jsonl.Line, e provider.Embedder, opts Options) (*result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res := &result{}
	items := make([]item, 0, len(lines))
	texts := make([]string, 0, len(lines))
	size := 0
	for _, line := range lines {
		if t, _ := line.Type(); t == record.TypeFile {
			if err := line.Check(); err != nil {
				res.bad = append(res.bad, err)
				continue
			}
			size += len(line.Data) + 1
			items = append(items, item{line: line, file: true})
			continue
		}
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
	vectors, failed, err := embedTexts(ctx, e, texts)
	if err != nil {
		return nil, err
	}
	res.data = make([]byte, 0, size)
	next := 0
	for _, it := range items {
		if it.chunk != nil {
			err := failed[next]
			switch {
			case err == nil:
				it.chunk.Embedding, it.chunk.EmbeddingModel = vectors[next], e.Model()
			case opts.Skip, errors.Is(err, provider.ErrNoDirection):
				it.chunk.Embedding, it.chunk.EmbeddingModel = nil, ""
				if res.without == 0 {
					res.why = err
				}
				res.without++
			default:
				return nil, stopped(it.chunk, e, err)
			}
			next++
		}
		if err := res.add(it, e, opts); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// An item is a record of a batch.
type item struct {
	line jsonl.Line
	rec  record.Record
	// file: it is a file record, which passes as it is.
	file bool
	// chunk is rec if it gets a new embedding.
	chunk *record.Chunk
}

// embedTexts returns a vector for each text, or nil where failed says why. An error ends the run in any case.
func embedTexts(ctx context.Context, e provider.Embedder, texts []string) (vectors [][]float32, failed map[int]error, err error) {
	if len(texts) == 0 {
		return nil, nil, nil
	}
	vectors, err = e.Embed(ctx, provider.Passage, texts)
	var partial *provider.PartialError
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err == nil:
		failed = map[int]error{}
	case errors.As(err, &partial):
		failed = partial.Failed
	default:
		failed = map[int]error{}
		for i := range texts {
			failed[i] = err
		}
		return make([][]float32, len(texts)), failed, nil
	}
	if len(vectors) != len(texts) {
		return nil, nil, fmt.Errorf("embed chunks with %s: %d vectors for %d texts", e.Model(), len(vectors), len(texts))
	}
	for i, v := range vectors {
		if _, ok := record.Embedding(v).Length(); !ok && failed[i] == nil {
			failed[i] = provider.ErrNoDirection
		}
	}
	return vectors, failed, nil
}

// stopped is the error that ends a run which must embed c.
func stopped(c *record.Chunk, e provider.Embedder, err error) error {
	advice := []string{}
	if text := hint.Of(err); text != "" {
		advice = append(advice, text)
	}
	var refused *refusal
	if errors.As(err, &refused) && refused.aboutTexts() {
		err = fmt.Errorf("embed chunk %s: %w", c.ID, err)
		advice = append(advice, "--on-error=skip leaves such chunks without embedding")
	} else {
		err = fmt.Errorf("embed chunks with %s: %w", e.Model(), err)
		if e.Card().Costly {
			advice = append(advice, "what was embedded is kept, so the next run goes on from there; with --on-error=skip the rest is found by text only")
		}
	}
	if len(advice) == 0 {
		return err
	}
	return hint.Wrap(err, strings.Join(advice, "; "))
}

// add encodes a record at the end of the result.
func (res *result) add(it item, e provider.Embedder, opts Options) (err error) {
	if it.file {
		res.done.Files++
		res.data = appendLine(res.data, it.line)
		return nil
	}
	switch rec := it.rec.(type) {
	case *record.Begin:
		res.done.FilesTotal = rec.Files
		if rec.Settings == nil {
			rec.Settings = map[string]string{}
		}
		rec.Settings[stage] = Fingerprint(e)
		res.data, err = jsonl.Append(res.data, rec)
	case *record.End:
		res.end = rec
	case *record.Chunk:
		res.done.Chunks++
		switch {
		case it.chunk == nil:
			res.data = appendLine(res.data, it.line)
		case opts.Encoding == Float:
			res.data, err = jsonl.AppendFloats(res.data, rec)
		default:
			res.data, err = jsonl.Append(res.data, rec)
		}
	default:
		res.data = appendLine(res.data, it.line)
	}
	return err
}

func needsEmbedding(c *record.Chunk, e provider.Embedder, opts Options) bool {
	if e.Model() == "" {
		return opts.Force || len(c.Embedding) == 0
	}
	return opts.Force || c.EmbeddingModel != e.Model() || len(c.Embedding) != e.Dimensions()
}

func appendLine(dst []byte, line jsonl.Line) []byte {
	return append(append(dst, line.Data...), '\n')
}
