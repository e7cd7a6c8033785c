package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	graph "cortex/lib/graph/old"
	"cortex/lib/hint"
	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// Run reads a stream and applies its runs to the store, one by one, each as a whole at
// its end.
//
// Within a run the chunks of a file follow its record. Chunks outside begin and end are added, or replace those of the same identifier,
// when the stream ends or a run begins; file records there say nothing about which chunks a file
// has, and are not used. A run that does not end is not applied. The store is locked from the first
// record of a run to its commit.
//
// If the first run of the stream cannot be applied, or another process holds the lock, Run fails at once. Later runs
// are those of a watch, which goes on: Run waits for the lock, and reports what cannot be
// applied.
func Run(ctx context.Context, r *record.Reader, opts Options) error {
	in := &input{r: r, opts: opts.withDefaults()}
	record.Warm([]record.Record{&record.Begin{}, &record.File{}}, nil)
	for ; ; in.later = true {
		line, err := in.peek()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := in.change(ctx, line); err != nil {
			return err
		}
	}
}

// input is the stream with one line to look ahead.
type input struct {
	r    *record.Reader
	opts Options
	line *record.Line
	// later tells that a run was read before.
	later bool
}

func (in *input) peek() (record.Line, error) {
	if in.line == nil {
		line, err := in.r.Next()
		if err != nil {
			return record.Line{}, err
		}
		in.line = &line
	}
	return *in.line, nil
}

// change reads one run, or the chunks up to the next run, and applies it.
func (in *input) change(ctx context.Context, first record.Line) error {
	start := time.Now()
	lock, err := in.acquire(ctx)
	if err != nil && !in.later || ctx.Err() != nil {
		return err
	}
	c := newChange(in.opts)
	if lock != nil {
		defer lock.release()
		// Nobody else writes it now, and it is there when the run has come.
		c.stored = readAhead(lock.root)
	} else {
		in.opts.Report(err)
		c.refused = true
	}
	if t, err := first.Type(); err == nil && t == record.TypeBegin {
		in.line = nil
		if !c.open(first) {
			// Without it nothing can be said about the run: read it away.
			defer in.opts.Report(hint.Wrap(fmt.Errorf("%s:%d: the run is not applied: the index is unchanged", first.Name, first.Number),
				"use the same version of all stages"))
		}
	}
	if err := c.read(ctx, in); err != nil {
		return err
	}
	if c.refused {
		return nil
	}
	if c.begin != nil && c.end == nil {
		in.opts.Report(hint.Wrap(fmt.Errorf("%s: run did not end: the index is unchanged", first.Name),
			"a command before this one stopped; what it printed says why"))
		return nil
	}
	if c.begin == nil && c.count == 0 {
		return nil
	}
	if c.undirected > 0 {
		in.opts.Warn("left out the embedding of %s, the first of %q: a vector of zeros, or one that is not finite, has no direction; found by words alone", count(c.undirected, "chunk"), c.firstUndirected)
	}
	c.checkWhole(first.Name)
	w := &writer{lock: lock, opts: in.opts, change: c}
	result, err := w.apply(ctx)
	if err != nil {
		if in.later && ctx.Err() == nil {
			in.opts.Report(err)
			return nil
		}
		return err
	}
	lock.made = false
	result.Elapsed = time.Since(start)
	in.opts.Committed(result)
	if in.opts.Built == nil {
		return nil
	}
	lock.release()
	g, err := Open(ctx, in.opts.Dir)
	if err != nil {
		return err
	}
	return errors.Join(in.opts.Built(ctx, g, in.opts.Progress), g.Close())
}

// readAhead begins to read the manifest, which the function that it returns gives.
func readAhead(root *safeopen.Root) func() (*Manifest, error) {
	return parallel.Begin(func() (*Manifest, error) {
		m, _, err := readManifest(root)
		return m, err
	})
}

// lockInterval is how often a lock that another process holds is tried.
const lockInterval = 50 * time.Millisecond

// acquire takes the lock. For a later run it waits for it.
func (in *input) acquire(ctx context.Context) (*lock, error) {
	deadline := time.Now().Add(in.opts.lockPatience)
	for said := false; ; said = true {
		l, err := acquire(in.opts.Dir)
		if err == nil || !in.later || !errors.Is(err, errLocked) || time.Now().After(deadline) {
			return l, err
		}
		if !said {
			in.opts.Warn("%v: waiting for it", err)
		}
		select {
		case <-time.After(lockInterval):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// A change is what one run brings.
type change struct {
	opts Options
	// stored gives the manifest that is to be replaced, once.
	stored func() (*Manifest, error)
	begin  *record.Begin // nil for chunks outside a run
	end    *record.End   // nil until it came
	// refused is set if the run is not applied, whatever it brings.
	refused bool
	// files are the file records by tree path.
	files map[string]*record.File
	// graph has the facts of the indexed files.
	graph *graph.Builder
	// seen is the number of file records.
	seen     int
	byStatus map[record.Status]int
	// chunks are those of each type, sorted after reading; byID finds them.
	chunks [kinds][]*chunk
	byID   map[string]*chunk
	count  int
	// first is the first chunk with an embedding; the others must agree on the model.
	first *chunk
	// undirected is the number of chunks whose embedding counts as none, firstUndirected the identifier of the first.
	undirected      int
	firstUndirected string
	// errors is the number of records that this stage lost.
	errors int
	// whole tells that all announced records came, so that what is not mentioned is gone.
	whole bool
}

func newChange(opts Options) *change {
	return &change{opts: opts, files: map[string]*record.File{}, graph: graph.NewBuilder(), byStatus: map[record.Status]int{}, byID: map[string]*chunk{}}
}

// open takes the begin record.
func (c *change) open(line record.Line) bool {
	rec, err := line.Decode()
	if err == nil {
		c.begin = rec.(*record.Begin)
		return true
	}
	c.opts.Report(err)
	c.refused = true
	c.begin = &record.Begin{}
	return false
}

// tree is the tree of the run, "" outside of one.
func (c *change) tree() string {
	if c.begin == nil {
		return ""
	}
	return c.begin.Tree
}

// An event is one line of the run, decoded as far as needed.
type event struct {
	chunk  *chunk
	record record.Record
	facts  *graph.File // of a file record
	err    error
	line   record.Line
}

// batchBytes is about how much of the stream one worker gets at a time.
const batchBytes = 128 << 10

// read reads to the end of the run: to its end record, to the next begin, or to the end of the
// stream.
func (c *change) read(ctx context.Context, in *input) error {
	ended := false
	next := func() ([]record.Line, error) {
		var batch []record.Line
		for size := 0; size < batchBytes && !ended; {
			line, err := in.peek()
			if err == io.EOF {
				ended = true
				break
			}
			if err != nil {
				return nil, err
			}
			t, err := line.Type()
			if err == nil && t == record.TypeBegin {
				ended = true
				break
			}
			in.line = nil
			batch = append(batch, line)
			size += len(line.Data)
			ended = err == nil && t == record.TypeEnd && c.begin != nil
		}
		if len(batch) == 0 {
			return nil, io.EOF
		}
		return batch, nil
	}
	if err := parallel.Map(ctx, c.opts.Jobs, next, c.decodeBatch, c.takeAll); err != nil {
		return err
	}
	for kind, list := range c.chunks {
		list = slices.DeleteFunc(list, func(ch *chunk) bool { return ch.superseded })
		slices.SortFunc(list, func(a, b *chunk) int { return strings.Compare(a.id, b.id) })
		c.chunks[kind] = list
	}
	return nil
}

func (c *change) decodeBatch(_ context.Context, lines []record.Line) ([]event, error) {
	var s scanner
	events := make([]event, len(lines))
	for i, line := range lines {
		events[i] = s.event(line)
		if f, ok := events[i].record.(*record.File); ok && events[i].err == nil && c.begin != nil {
			events[i].facts = c.graph.Facts(f)
			f.Symbols, f.References, f.Typings, f.Mappings = nil, nil, nil, nil
		}
	}
	return events, nil
}

func (s *scanner) event(line record.Line) event {
	t, err := line.Type()
	switch {
	case err != nil:
		return event{err: err}
	case t == record.TypeChunk:
		c, err := s.chunkOf(line)
		return event{chunk: c, err: err, line: record.Line{Name: line.Name, Number: line.Number}}
	}
	rec, err := line.Decode()
	return event{record: rec, err: err, line: record.Line{Name: line.Name, Number: line.Number}}
}

func (c *change) takeAll(events []event) error {
	if c.refused {
		return nil
	}
	for _, e := range events {
		err := e.err
		if err == nil {
			switch rec := e.record.(type) {
			case nil:
				err = c.takeChunk(e.chunk, e.line)
			case *record.File:
				err = c.takeFile(rec, e.facts, e.line)
			case *record.End:
				err = c.takeEnd(rec, e.line)
			}
		}
		var stop *streamError
		if errors.As(err, &stop) {
			return err
		}
		if err != nil {
			c.errors++
			c.opts.Report(err)
		}
	}
	return nil
}

func (c *change) takeEnd(end *record.End, line record.Line) error {
	if c.begin == nil {
		return hint.Wrap(line.Errorf("end of a run without its begin: chunks are added, none removed"),
			"pass the stream on from its first line")
	}
	c.end = end
	return nil
}

func (c *change) takeFile(f *record.File, facts *graph.File, line record.Line) error {
	// Taken as a header it would say that the file has no chunks any more.
	if f.Text != "" {
		return &streamError{hint.Wrap(line.Errorf("file %q still has its text and no chunks: the index is unchanged", f.FilePath),
			"cut files into chunks before they are stored: "+indexAll)}
	}
	if c.begin == nil {
		return nil
	}
	c.seen++
	c.opts.Progress(c.seen, c.begin.Files, f.FilePath)
	path := record.TreePath(c.begin.Tree, f.FilePath)
	if c.files[path] != nil {
		return line.Errorf("file %q comes a second time", f.FilePath)
	}
	f.Breaks = nil
	c.files[path] = f
	c.graph.Put(c.begin.Tree, f.FilePath, facts)
	c.byStatus[f.Status]++
	return nil
}

// leaveOut takes a file and its chunks out of the run, which has been read.
func (c *change) leaveOut(path string) {
	c.graph.Put(c.begin.Tree, c.files[path].FilePath, nil)
	delete(c.files, path)
	for kind, list := range c.chunks {
		c.chunks[kind] = slices.DeleteFunc(list, func(ch *chunk) bool {
			if ch.path != path {
				return false
			}
			delete(c.byID, ch.id)
			c.count--
			return true
		})
	}
}

// streamError stops a run: the whole stream is not what a store can hold.
type streamError struct{ error }

func (e *streamError) Unwrap() error { return e.error }

func (c *change) takeChunk(ch *chunk, line record.Line) error {
	if c.begin != nil && ch.tree != c.begin.Tree {
		return line.Errorf("chunk %q is of tree %q, the run of tree %q", ch.id, ch.tree, c.begin.Tree)
	}
	if c.begin != nil && c.files[ch.path] == nil {
		// Nobody would know of it when the file is gone.
		return line.Errorf("chunk %q: the record of its file %q has not come before", ch.id, ch.path)
	}
	if ch.undirected {
		if c.undirected++; c.undirected == 1 {
			c.firstUndirected = ch.id
		}
	}
	if c.first == nil && ch.dimensions > 0 {
		c.first = ch
	}
	// One without an embedding is found by its words until it gets one.
	if ch.dimensions > 0 && (ch.model != c.first.model || ch.dimensions != c.first.dimensions) {
		return &streamError{hint.Wrap(line.Errorf("chunk %q has %s, the chunk on line %d has %s: the index is unchanged",
			ch.id, describeModel(ch.model, ch.dimensions), c.first.number, describeModel(c.first.model, c.first.dimensions)),
			"embed all chunks with one model: "+indexAll)}
	}
	if before := c.byID[ch.id]; before != nil {
		if c.begin != nil {
			return line.Errorf("chunk %q comes a second time, first on line %d: kept that", ch.id, before.number)
		}
		// Chunks picked from several streams: the later one is the newer.
		before.superseded = true
		c.count--
	}
	c.byID[ch.id] = ch
	c.chunks[ch.kind] = append(c.chunks[ch.kind], ch)
	c.count++
	return nil
}

func describeModel(model string, dimensions int) string {
	if dimensions == 0 {
		return "no embedding"
	}
	return fmt.Sprintf("an embedding of model %q with %d dimensions", model, dimensions)
}

// checkWhole decides whether the run may remove anything, and reports why not.
func (c *change) checkWhole(name string) {
	if c.begin == nil {
		return
	}
	lost := c.errors + c.end.Errors
	announced := max(c.begin.Files, c.end.Files)
	switch {
	case lost > 0:
		c.opts.Report(hint.Wrap(fmt.Errorf("%s: the run lost %s: chunks are added and replaced, none removed", name, count(lost, "record")),
			"mend what is reported above and run it again"))
	case c.seen < announced:
		c.opts.Report(hint.Wrap(fmt.Errorf("%s: the run brought %d of %s: chunks are added and replaced, none removed", name, c.seen, count(announced, "file")),
			"pass all file records on from stage to stage"))
	default:
		c.whole = true
	}
}

func count(n int, noun string) string {
	return number(n) + " " + plural(n, noun)
}

// paths are the tree paths of the file records, sorted.
func (c *change) paths() []string { return slices.Sorted(maps.Keys(c.files)) }
