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

// Encoding is the form in which embeddings are written.
type Encoding string

const (
	// Base64 is compact, and five times faster to read than Float.
	Base64 Encoding = "base64"
	// Float is an array of numbers, for jq and the like.
	Float Encoding = "float"
)

// Valid reports whether there is such an encoding.
func (e Encoding) Valid() bool { return e == Base64 || e == Float }

// Options configures Run.
type Options struct {
	// Encoding is Base64 if empty.
	Encoding Encoding
	// Force says that chunks are embedded even if they have an embedding.
	Force bool
	// BatchSize is the number of chunks in one call of the embedder; 0 leaves the choice to the embedder.
	BatchSize int
	// Jobs is the number of batches in work at once, unless the embedder's Card has a Concurrency.
	Jobs int
	// Skip says that chunks that cannot be embedded are written without an embedding. Otherwise the first one ends Run.
	Skip bool
	// Report is called with the errors of skipped lines, Warn once if chunks have no embedding, and Progress after
	// every batch. They are called by one goroutine at a time, and may be nil.
	Report   func(error)
	Warn     func(format string, args ...any)
	Progress func(Progress)
}

// Progress says how far a run has come.
type Progress struct {
	// Chunks is the number of chunks written, Files the number of files begun, FilesTotal the number of all files, 0 if
	// it is not known.
	Chunks, Files, FilesTotal int
}

// DefaultBatchSize is the number of chunks in one call of an embedder whose Card has no BatchSize.
const DefaultBatchSize = 64

// batchBytes is the size of lines at which a batch ends early, so that long lines do not fill the memory.
const batchBytes = 1 << 20

// passBytes is the size at which a batch without chunks ends, so that the next stage need not wait for them.
const passBytes = 64 << 10

// textVersion must change whenever Text returns something else for the same chunk.
const textVersion = "1"

// stage is the name of this stage in the settings of a run.
const stage = "embed"

// Fingerprint returns a digest of everything that determines the embeddings of a run.
func Fingerprint(e provider.Embedder) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d\n%s", e.Model(), e.Dimensions(), textVersion))
	return hex.EncodeToString(sum[:6])
}

// Run copies records from r to w and adds embeddings to chunks.
//
// A chunk that has an embedding of e's model and length is copied byte for byte unless Force is set; stages that change
// the text of a chunk must remove its embedding. Lines that are not valid records are reported, omitted, and counted in
// the End of their run. An error of e ends Run or, with Skip, leaves chunks without embedding, even if they had one of
// another model. A text whose vector has no direction never ends Run.
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

// A batcher splits the stream into batches. A batch ends after an End record, so that a complete run is written even if
// the next one is slow to come.
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
	// The lines before the error are complete.
	return lines, nil
}

// A result is the output of a batch.
type result struct {
	data []byte
	// bad has the errors of the skipped lines.
	bad []error
	// end is the End record of the batch, to be written after data.
	end *record.End
	// done counts the chunks and files of the batch.
	done Progress
	// without is the number of chunks without an embedding, why the error of the first one.
	without int
	why     error
}

// An emitter writes results in order and counts errors.
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

// embedLines embeds the chunks of one batch and encodes its records.
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
	// file says that it is a file record, which is copied as it is.
	file bool
	// chunk is rec if it gets a new embedding.
	chunk *record.Chunk
}

// embedTexts returns a vector for each text, or nil where failed has an error. err ends the run, even with Skip.
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

// stopped returns the error that ends a run because chunk c could not be embedded.
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

// add appends the encoded record to the result.
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
