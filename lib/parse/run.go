package parse

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"cortex/lib/parallel"
	"cortex/lib/parse/grammar"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
)

// Options configure what Run reads.
type Options struct {
	Source source.Options
	// Paths and Dirs limit the run to these files and folders, if one of them is not nil. Paths are as source.List
	// takes them; Dirs are relative to the root, with slashes.
	Paths, Dirs []string
	// Tree names the tree in a store of several.
	Tree string
	// RelativeRoot is the Root of the begin record.
	RelativeRoot string
	// Mode tells the store whether files without a record are gone; "" means record.Full for the whole tree and
	// record.Incremental otherwise.
	Mode record.Mode
	// Settings has the fingerprints of other stages' settings, for the begin record.
	Settings map[string]string
	// FailOn is "", record.StatusPartial or record.StatusError: if a file is in this state or a worse one, Run returns
	// an *UncleanError after all records are written.
	FailOn record.Status
	// Jobs is the number of workers.
	Jobs int
	// Report is called with errors that concern a single file, from several goroutines.
	Report func(error)
}

// Run writes a run over a tree to w: a begin record, one record for each file sorted by path, an end record. Skipped
// and deleted files have a record too.
func Run(ctx context.Context, w *jsonl.Writer, opts Options) error {
	if err := opts.complete(); err != nil {
		return err
	}
	entries, err := find(ctx, &opts)
	if err != nil {
		return err
	}
	tree, err := source.OpenFolder(opts.Source.Root)
	if err != nil {
		return err
	}
	defer tree.Close()
	r := run{opts: &opts, tree: tree, mode: opts.Mode, entries: entries}
	return r.write(ctx, w)
}

// complete checks the options and sets the defaults of Source.
func (o *Options) complete() error {
	o.Source.Report = o.Report
	if o.Source.MaxSize == 0 {
		o.Source.MaxSize = source.DefaultMaxSize
	}
	return record.CheckTree(o.Tree)
}

// settings returns the fingerprints for the begin record.
func (o *Options) settings() map[string]string {
	settings := map[string]string{"parse": fingerprint(o.Source)}
	maps.Copy(settings, o.Settings)
	return settings
}

// fingerprint returns a digest of everything besides the files that shapes the records: version, options, grammars.
func fingerprint(opts source.Options) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %q %q %q %d %t\n", Version, opts.Code, opts.Docs, opts.Ignore, opts.MaxSize, opts.Secrets)
	grammar.Describe(h)
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// find lists the entries of a run, sorted by path, and sets opts.Mode.
func find(ctx context.Context, opts *Options) ([]source.Entry, error) {
	partial := opts.Paths != nil || opts.Dirs != nil
	if opts.Mode == "" {
		opts.Mode = record.Full
		if partial {
			opts.Mode = record.Incremental
		}
	}
	if !partial {
		return source.Walk(ctx, opts.Source)
	}
	entries, err := source.List(ctx, opts.Source, opts.Paths)
	if err != nil || len(opts.Dirs) == 0 {
		return entries, err
	}
	all, err := source.Walk(ctx, opts.Source)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		if slices.ContainsFunc(opts.Dirs, func(dir string) bool { return isBelow(e.Path, dir) }) {
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b source.Entry) int { return cmp.Compare(a.Path, b.Path) })
	return slices.CompactFunc(entries, func(a, b source.Entry) bool { return a.Path == b.Path }), nil
}

func isBelow(path, dir string) bool {
	return dir == "." || strings.HasPrefix(path, dir) && strings.HasPrefix(path[len(dir):], "/")
}

// A run is one run over a tree, full or incremental.
type run struct {
	opts *Options
	tree *source.Folder
	mode record.Mode
	// entries are the files to write, sorted by path; unchanged is the number of files that the store has already.
	entries   []source.Entry
	unchanged int
	// kept are the records of the unchanged files, for FailOn.
	kept []*record.File
	// cache, if not nil, receives the state of each file that is read.
	cache *source.Cache
	// written, if not nil, is called with the result of each entry in order. The result is used again afterwards.
	written func(*result)
}

// write writes the begin record, the file records and the end record.
func (r *run) write(ctx context.Context, w *jsonl.Writer) error {
	begin := &record.Begin{
		Schema:    record.Schema,
		Tree:      r.opts.Tree,
		Root:      r.opts.RelativeRoot,
		Mode:      r.mode,
		Files:     len(r.entries),
		Unchanged: r.unchanged,
		Settings:  r.opts.settings(),
	}
	if err := w.Write(begin); err != nil {
		return err
	}
	unclean := &UncleanError{failOn: r.opts.FailOn}
	for _, f := range r.kept {
		unclean.add(&result{path: f.FilePath, status: f.Status, errors: f.ErrorCount, reason: f.Reason})
	}
	if err := r.writeFiles(ctx, w, unclean); err != nil {
		return err
	}
	if err := w.Write(&record.End{Files: len(r.entries)}); err != nil {
		return err
	}
	if err := w.Flush(); err != nil || len(unclean.files) == 0 {
		return err
	}
	return unclean
}

// writeFiles reads, parses and encodes the entries in parallel, and writes their records in order.
func (r *run) writeFiles(ctx context.Context, w *jsonl.Writer, unclean *UncleanError) error {
	workers := pool{free: make(chan *worker, max(r.opts.Jobs, 1))}
	defer workers.Close()
	results := sync.Pool{New: func() any { return new(result) }}
	rest := r.entries
	next := func() (source.Entry, error) {
		if len(rest) == 0 {
			return source.Entry{}, io.EOF
		}
		e := rest[0]
		rest = rest[1:]
		return e, nil
	}
	work := func(_ context.Context, e source.Entry) (*result, error) {
		p := workers.get()
		defer workers.put(p)
		f, err := p.entry(r.tree, e, r.opts.Source.MaxSize, r.cache)
		if err != nil {
			return nil, err
		}
		out := results.Get().(*result)
		line, f, err := encode(out.line[:0], f)
		*out = result{line: line, path: f.FilePath, status: f.Status, errors: f.ErrorCount, reason: f.Reason, sha256: f.SHA256}
		return out, err
	}
	emit := func(out *result) error {
		unclean.add(out)
		if r.written != nil {
			r.written(out)
		}
		err := w.WriteLines(out.line)
		if cap(out.line) <= keepBuffer {
			results.Put(out)
		}
		return err
	}
	return parallel.Map(ctx, r.opts.Jobs, next, work, emit)
}

// A result is the encoded record of a file, with the fields that UncleanError and Update need.
type result struct {
	line   []byte
	path   string
	status record.Status
	errors int
	reason string
	sha256 string
}

// encode appends the record of a file to dst. If the record is too long, it appends one with StatusSkipped instead. It
// returns the record that it appended.
func encode(dst []byte, f *record.File) ([]byte, *record.File, error) {
	line, err := jsonl.Append(dst, f)
	if errors.Is(err, jsonl.ErrTooLong) {
		f = &record.File{FilePath: f.FilePath, Language: f.Language, Size: f.Size, Status: record.StatusSkipped,
			Reason: fmt.Sprintf("%s: %v", source.TooLarge, jsonl.ErrTooLong)}
		line, err = jsonl.Append(dst, f)
	}
	return line, f, err
}

// keepBuffer is the largest buffer, in bytes, that is reused for another file.
const keepBuffer = 1 << 20
