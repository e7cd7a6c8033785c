package update

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"maps"
	"slices"

	"cortex/lib/hint"
	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
	"cortex/lib/terminal"
)

// files returns the records of the files that the run brought, grouped by part of the store.
func (c *change) files() iter.Seq[*shard.File] {
	return func(yield func(*shard.File) bool) {
		for _, list := range c.heads {
			for _, f := range list {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// An ahead is a stream of lines with a lookahead of one line.
type ahead struct {
	r    *jsonl.Reader
	line *jsonl.Line
}

func (in *ahead) peek() (jsonl.Line, error) {
	if in.line == nil {
		line, err := in.r.Next()
		if err != nil {
			return jsonl.Line{}, err
		}
		in.line = &line
	}
	return *in.line, nil
}

// A change is the content of one run.
type change struct {
	opts  Options
	begin *record.Begin // nil for chunks outside a run
	end   *record.End   // nil until it is read
	// refused says that the run is not applied; the rest of it is skipped.
	refused bool
	// naming says that the tree of the run has no name, and gets that of Options.Tree.
	naming bool
	// failed is the error for which the run is refused, such as a full disk.
	failed error
	// spool has the lines of the run; heads has its file records by part, without facts.
	spool spool
	heads [shard.Most][]*shard.File
	// seen is the number of file records; known has the hashes of their paths.
	seen     int
	byStatus map[record.Status]int
	known    map[uint64]struct{}
	seed     maphash.Seed
	// current is the file of the chunks being read; ids has their identifiers with their line numbers.
	current *shard.File
	ids     map[string]int
	// odd has the line numbers of identifiers that do not follow from their file, by the identifier's hash.
	odd   map[uint64]int
	count int
	// first is the first chunk with an embedding; the others must have the same model.
	first *item
	// undirected is the number of chunks whose embedding is ignored since it has no direction, firstUndirected the
	// identifier of the first.
	undirected      int
	firstUndirected string
	// errors is the number of records that this stage rejected.
	errors int
	// whole says that all announced records were read, so that files which a full run does not mention are removed.
	whole bool
}

func newChange(opts Options) *change {
	return &change{opts: opts, spool: spool{most: opts.spoolMost}, byStatus: map[record.Status]int{}, known: map[uint64]struct{}{}, seed: maphash.MakeSeed(),
		ids: map[string]int{}, odd: map[uint64]int{}}
}

// open reads the begin record; it reports false if the record is not valid.
func (c *change) open(line jsonl.Line) bool {
	rec, err := line.Decode()
	if err == nil {
		c.begin = rec.(*record.Begin)
		if want := c.opts.Tree; want != "" && c.begin.Tree == "" {
			c.begin.Tree, c.naming = want, true
		} else if want != "" && c.begin.Tree != want {
			c.failed = hint.Wrap(line.Errorf("the run is of tree %q, and not of %q: the index is unchanged", c.begin.Tree, want), "name the same tree in cortex-parse --tree and cortex-store --tree")
		}
		if c.failed == nil && c.opts.Accept != nil {
			c.failed = c.opts.Accept(c.begin)
		}
		if c.begin.Unchanged > 0 {
			c.byStatus[record.StatusUnchanged] = c.begin.Unchanged
		}
		return true
	}
	c.opts.Report(err)
	c.refused = true
	c.begin = &record.Begin{}
	return false
}

// tree returns the name of the run's tree, "" for chunks outside a run.
func (c *change) tree() string {
	if c.begin == nil {
		return ""
	}
	return c.begin.Tree
}

// trees returns the names of the trees that the change affects: the run's own, or those of the chunks outside a run.
func (c *change) trees() []string {
	if c.begin != nil {
		return []string{c.begin.Tree}
	}
	names := map[string]bool{}
	for f := range c.files() {
		names[f.Tree] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// replacesTree reports whether the run replaces all files of the tree.
func (c *change) replacesTree() bool {
	return c.begin != nil && c.whole && c.begin.Mode == record.Full && c.byStatus[record.StatusUnchanged] == 0
}

// An event is one line of the run, decoded and encoded as it will be stored.
type event struct {
	// file is set for a file record, with its line as it will be stored.
	file *shard.File
	item *item
	end  *record.End
	err  error
	data []byte
	line jsonl.Line // has no data
	text bool       // the file record still has the text of the file
}

// An item is a chunk.
type item struct {
	id, path, tree string
	model          string
	dimensions     int
	number         int
	kind           int
	// undirected says that the chunk had an embedding without direction, which is ignored; odd says that its identifier
	// does not follow from its file.
	undirected, odd bool
	// file is the file of a chunk outside a run, as far as the chunk describes it.
	file *shard.File
}

// batchBytes is the approximate number of bytes that one worker gets at a time.
const batchBytes = 256 << 10

// A batch is a piece of the run. head is the file record for the chunks before the first file record of the piece.
type batch struct {
	head  jsonl.Line
	lines []jsonl.Line
}

// read reads to the end of the run: to its end record, the next begin record, or the end of the stream.
func (c *change) read(ctx context.Context, in *ahead) error {
	ended := false
	var head jsonl.Line
	next := func() (batch, error) {
		b := batch{head: head}
		for size := 0; !ended; {
			line, err := in.peek()
			if err == io.EOF {
				ended = true
				break
			}
			if err != nil {
				return batch{}, err
			}
			t, err := line.Type()
			if err == nil && t == record.TypeBegin {
				ended = true
				break
			}
			if err == nil && t == record.TypeFile {
				if size > batchBytes {
					break
				}
				head = line
			}
			in.line = nil
			b.lines = append(b.lines, line)
			size += len(line.Data)
			ended = err == nil && t == record.TypeEnd && c.begin != nil
			// Bound the batch: chunks outside a run may come slowly, as from a watch, and one file may have many
			// chunks.
			if size > 8*batchBytes || size > batchBytes && c.begin == nil {
				break
			}
		}
		if len(b.lines) == 0 {
			return batch{}, io.EOF
		}
		return b, nil
	}
	return parallel.Map(ctx, c.opts.Jobs, next, c.decode, c.take)
}

func (c *change) decode(_ context.Context, b batch) ([]event, error) {
	var current *shard.File
	if c.begin != nil && len(b.head.Data) > 0 {
		current = c.decodeFile(b.head, nil).file
	}
	events := make([]event, len(b.lines))
	size := 0
	for _, line := range b.lines {
		size += len(line.Data)
	}
	// A stored line has about half the bytes of the line that is read.
	buf := make([]byte, 0, size*5/8+4<<10)
	for i, line := range b.lines {
		e := &events[i]
		t, err := line.Type()
		switch {
		case err != nil:
			e.err = err
		case t == record.TypeFile:
			*e = c.decodeFile(line, buf)
			current = e.file
		case t == record.TypeChunk:
			e.item, e.data, e.err = c.decodeChunk(line, current, buf)
		default:
			rec, err := line.Decode()
			e.err = err
			e.end, _ = rec.(*record.End)
		}
		e.line = jsonl.Line{Name: line.Name, Number: line.Number}
		if len(e.data) > 0 {
			buf, e.data = e.data, e.data[len(buf):len(e.data):len(e.data)]
		}
	}
	return events, nil
}

// decodeFile decodes a file record. It appends the line to be stored to buf; the result is the data of the event.
func (c *change) decodeFile(line jsonl.Line, buf []byte) event {
	rec, err := line.Decode()
	if err != nil {
		return event{err: err}
	}
	r := rec.(*record.File)
	if r.Text != "" || c.begin == nil {
		return event{file: &shard.File{Record: *r}, text: r.Text != ""}
	}
	facts, err := shard.Facts(r)
	if err != nil {
		return event{err: line.Errorf("file %q: %w", r.FilePath, err)}
	}
	f := &shard.File{Tree: c.begin.Tree, Record: record.File{Type: record.TypeFile, FilePath: r.FilePath, Language: r.Language, SHA256: r.SHA256, Size: r.Size,
		Status: r.Status, ErrorCount: r.ErrorCount, Reason: r.Reason, Package: r.Package, Title: r.Title, Tags: r.Tags}}
	if !layout.ValidDigest(f.Record.SHA256) {
		f.Record.SHA256 = ""
	}
	if r.Status == record.StatusUnchanged {
		return event{file: f} // the stored record stays
	}
	data, err := f.Append(buf, facts)
	if n := len(data) - len(buf); err == nil && n > shard.MaxLine {
		err = fmt.Errorf("its record has %d bytes, at most %d are stored", n, shard.MaxLine)
	}
	if err != nil {
		return event{err: line.Errorf("file %q: %w", r.FilePath, err)}
	}
	return event{file: f, data: data}
}

// decodeChunk decodes a chunk of the file, and appends the line to be stored to buf. f is nil outside a run and before
// the first file.
func (c *change) decodeChunk(line jsonl.Line, f *shard.File, buf []byte) (*item, []byte, error) {
	rec, err := line.Decode()
	if err != nil {
		return nil, nil, err
	}
	r, ok := rec.(*record.Chunk)
	if !ok {
		return nil, nil, line.Errorf("unexpected record type %q", rec.RecordType())
	}
	if c.opts.Tree != "" && r.Metadata.Tree == "" && (c.naming || c.begin == nil) {
		if r, err = named(r, c.opts.Tree); err != nil {
			return nil, nil, line.Errorf("chunk %.200q: %w", r.ID, err)
		}
	}
	if !layout.ValidTime(r.CreatedAt) || !layout.ValidTime(r.UpdatedAt) {
		r.CreatedAt, r.UpdatedAt = "", ""
	}
	it := &item{id: r.ID, kind: shard.TypeNumber(r.ChunkType), path: r.Metadata.FilePath, tree: r.Metadata.Tree, model: r.EmbeddingModel, dimensions: len(r.Embedding), number: line.Number}
	switch {
	case it.dimensions > 0 && it.model == "":
		return nil, nil, line.Errorf("chunk %q: an embedding without embedding_model", r.ID)
	case it.dimensions == 0:
		it.undirected = it.model != "" && bytes.Contains(line.Data, []byte(`"embedding"`))
		it.model = ""
	}
	if c.begin == nil {
		f = &shard.File{Tree: it.tree, Record: record.File{FilePath: record.SplitTreePath(it.tree, it.path)}}
		it.file = f
	}
	if f == nil || f.Path() != it.path || f.Tree != it.tree {
		return it, nil, nil // takeChunk rejects it
	}
	data, err := shard.AppendChunk(buf, f, r)
	if n := len(data) - len(buf); err == nil && n > shard.MaxLine {
		err = fmt.Errorf("it has %d bytes, at most %d are stored", n, shard.MaxLine)
	}
	if err != nil {
		return nil, nil, line.Errorf("chunk %.200q: %w", r.ID, err)
	}
	it.odd = bytes.Contains(data[len(buf):], []byte(`,"chunk_type":"`))
	return it, data, nil
}

func (c *change) take(events []event) error {
	for _, e := range events {
		if c.refused {
			return nil
		}
		err := e.err
		switch {
		case err != nil:
		case e.file != nil:
			err = c.takeFile(e)
		case e.item != nil:
			err = c.takeChunk(e)
		case e.end != nil:
			err = c.takeEnd(e.end, e.line)
		}
		var line *jsonl.LineError
		var stop *streamError
		switch {
		case err == nil:
		case errors.As(err, &stop):
			return err
		case errors.As(err, &line):
			c.errors++
			c.opts.Report(err)
		default:
			c.failed, c.refused = err, true
		}
	}
	return nil
}

func (c *change) takeEnd(end *record.End, line jsonl.Line) error {
	if c.begin == nil {
		return hint.Wrap(line.Errorf("end of a run without its begin: chunks are added, none removed"),
			"pass the stream on from its first line")
	}
	c.end = end
	return nil
}

// hash returns the hash of a text by which known and odd identify it.
func (c *change) hash(text string) uint64 { return maphash.String(c.seed, text) }

func (c *change) takeFile(e event) error {
	f := e.file
	// If it were accepted, the file would have no chunks any more.
	if e.text {
		return &streamError{hint.Wrap(e.line.Errorf("file %q still has its text and no chunks: the index is unchanged", f.Record.FilePath),
			"cut files into chunks before they are stored: "+layout.InFolder(c.opts.Dir, layout.IndexAll))}
	}
	if c.begin == nil {
		return nil
	}
	c.seen++
	c.opts.Progress(c.seen, c.begin.Files, f.Record.FilePath)
	path := f.Path()
	if _, twice := c.known[c.hash(path)]; twice {
		c.current = nil
		return e.line.Errorf("file %q comes a second time", f.Record.FilePath)
	}
	c.known[c.hash(path)] = struct{}{}
	c.byStatus[f.Record.Status]++
	c.current = f
	clear(c.ids)
	part := shard.Of(path, shard.Most)
	c.heads[part] = append(c.heads[part], f)
	if e.data == nil {
		return nil
	}
	return c.spool.add(part, e.data)
}

// streamError stops the whole stream, since its records are not in a form that a store can hold.
type streamError struct{ error }

func (e *streamError) Unwrap() error { return e.error }

func (c *change) takeChunk(e event) error {
	it, line := e.item, e.line
	if c.begin != nil && it.tree != c.begin.Tree {
		return line.Errorf("chunk %q is of tree %q, the run of tree %q", it.id, it.tree, c.begin.Tree)
	}
	if c.begin != nil && (c.current == nil || c.current.Path() != it.path || e.data == nil) {
		// Without a file record, no later run would remove the chunk.
		return line.Errorf("chunk %q: the record of its file %q has not come before", it.id, it.path)
	}
	if it.undirected {
		if c.undirected++; c.undirected == 1 {
			c.firstUndirected = it.id
		}
	}
	if c.first == nil && it.dimensions > 0 {
		c.first = it
	}
	// A chunk without an embedding is found by its words until it gets one.
	if it.dimensions > 0 && (it.model != c.first.model || it.dimensions != c.first.dimensions) {
		return &streamError{hint.Wrap(line.Errorf("chunk %q has %s, the chunk on line %d has %s: the index is unchanged",
			it.id, layout.DescribeModel(it.model, it.dimensions), c.first.number, layout.DescribeModel(c.first.model, c.first.dimensions)),
			"embed all chunks with one model: "+layout.InFolder(c.opts.Dir, layout.IndexAll))}
	}
	if c.begin == nil {
		return c.takePicked(e)
	}
	before, twice := c.ids[it.id]
	if it.odd && !twice {
		before, twice = c.odd[c.hash(it.id)]
		c.odd[c.hash(it.id)] = it.number
	}
	if twice {
		return line.Errorf("chunk %q comes a second time, first on line %d: kept that", it.id, before)
	}
	c.ids[it.id] = it.number
	c.count++
	c.current.Chunks[it.kind]++
	if c.current.Record.Status == record.StatusUnchanged {
		return nil // the stored chunks stay
	}
	return c.spool.add(shard.Of(it.path, shard.Most), e.data)
}

// takePicked takes a chunk outside a run. Of several chunks with one identifier, the last one counts.
func (c *change) takePicked(e event) error {
	f := e.item.file
	c.count++
	part := shard.Of(e.item.path, shard.Most)
	if c.current == nil || c.current.Path() != f.Path() || c.current.Tree != f.Tree {
		c.current = f
		head, err := f.Append(nil, nil)
		if err != nil {
			return err
		}
		c.heads[part] = append(c.heads[part], f)
		if err := c.spool.add(part, head); err != nil {
			return err
		}
	}
	return c.spool.add(part, e.data)
}

// checkWhole decides whether the run may remove files and chunks, and reports why it may not.
func (c *change) checkWhole(name string) {
	if c.begin == nil {
		return
	}
	lost := c.errors + c.end.Errors
	announced := max(c.begin.Files, c.end.Files)
	switch {
	case lost > 0:
		c.opts.Report(hint.Wrap(fmt.Errorf("%s: the run lost %s: chunks are added and replaced, none removed", name, terminal.Count(lost, "record", "records")),
			"mend what is reported above and run it again"))
	case c.seen < announced:
		c.opts.Report(hint.Wrap(fmt.Errorf("%s: the run brought %d of %s: chunks are added and replaced, none removed", name, c.seen, terminal.Count(announced, "file", "files")),
			"pass all file records on from stage to stage"))
	default:
		c.whole = true
	}
}

// named returns a chunk of a tree without a name as a chunk of the tree with this name: the path, the identifier and
// all values that derive from them change.
func named(r *record.Chunk, tree string) (*record.Chunk, error) {
	f := &shard.File{Record: record.File{FilePath: r.Metadata.FilePath, Language: r.Metadata.Language, Package: r.Metadata.Package}}
	line, err := shard.AppendChunk(nil, f, r)
	if err != nil {
		return nil, err
	}
	f.Tree = tree
	c, err := shard.DecodeChunk(bytes.TrimSuffix(line, []byte("\n")), f, r.EmbeddingModel)
	if err == nil {
		c.Title = r.Title // the title has the path within the tree
	}
	return c, err
}

// newResult returns the result of a change that is not yet applied.
func newResult(tree string, c *change) Result {
	r := Result{Tree: tree, Files: c.byStatus}
	if c.begin != nil {
		r.Mode = c.begin.Mode
	}
	return r
}
