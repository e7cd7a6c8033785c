package chunk

import (
	"cmp"
	"context"

	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// Run reads file records from r and writes each to w as a header followed by its chunks. Begin and End pass through:
// Begin gets this stage's fingerprint, End the number of skipped lines. The output does not depend on Options.Jobs.
func Run(ctx context.Context, r *jsonl.Reader, w *jsonl.Writer, opts Options) error {
	if err := opts.Check(); err != nil {
		return err
	}
	opts = opts.complete()
	r.WarmUp([]record.Record{&record.File{}}, []record.Record{&record.Chunk{}})
	s := stage{r: r, w: w, opts: opts, fingerprint: opts.Fingerprint()}
	err := parallel.Map(ctx, opts.Jobs, s.next, s.work, s.emit)
	return cmp.Or(err, w.Flush())
}

type stage struct {
	r           *jsonl.Reader
	w           *jsonl.Writer
	opts        Options
	fingerprint string

	// tree is the name of the tree of the current run. Only next uses it.
	tree string
	// lost is the number of lines skipped since the last End. Only emit uses it.
	lost int
}

// An input is a line and the tree of its run. next decodes Begin and End itself, since they affect the lines that
// follow.
type input struct {
	line jsonl.Line
	tree string
	err  error
	rec  record.Record
}

// An output is the result of one line: encoded lines, an error, or an End for emit to complete.
type output struct {
	lines []byte
	err   error
	end   *record.End
}

func (s *stage) next() (input, error) {
	line, err := s.r.Next()
	if err != nil {
		return input{}, err
	}
	in := input{line: line, tree: s.tree}
	t, err := line.Type()
	if err != nil {
		in.err = err
		return in, nil
	}
	switch t {
	case record.TypeBegin, record.TypeEnd:
		s.tree = ""
		rec, err := line.Decode()
		if err != nil {
			in.err = err
			return in, nil
		}
		in.rec = rec
		if begin, ok := rec.(*record.Begin); ok {
			s.tree = begin.Tree
			if begin.Settings == nil {
				begin.Settings = map[string]string{}
			}
			begin.Settings["chunk"] = s.fingerprint
		}
	case record.TypeChunk:
		in.err = line.Errorf("unexpected record type %q", t)
	}
	return in, nil
}

func (s *stage) work(_ context.Context, in input) (output, error) {
	if in.err != nil {
		return output{err: in.err}, nil
	}
	rec := in.rec
	if rec == nil {
		var err error
		if rec, err = in.line.Decode(); err != nil {
			return output{err: err}, nil
		}
	}
	switch rec := rec.(type) {
	case *record.End:
		return output{end: rec}, nil
	case *record.File:
		lines, err := appendFile(make([]byte, 0, 3*len(in.line.Data)), rec, in.tree, s.opts)
		if err != nil {
			return output{err: in.line.Errorf("%w", err)}, nil
		}
		return output{lines: lines}, nil
	default:
		lines, err := jsonl.Append(nil, rec)
		return output{lines: lines}, err
	}
}

// appendFile appends the header of the file and its chunks to dst.
func appendFile(dst []byte, f *record.File, tree string, opts Options) ([]byte, error) {
	header := *f
	header.Text, header.Breaks, header.Symbols = "", nil, nil
	for _, s := range f.Symbols {
		if isCode(s.Kind) {
			s.Doc = ""
			s.StartByte, s.EndByte, s.BodyByte = 0, 0, 0 // the text that they refer to is left out
			header.Symbols = append(header.Symbols, s)
		}
	}
	dst, err := jsonl.Append(dst, &header)
	if err != nil {
		return nil, err
	}
	for _, c := range File(f, tree, opts) {
		if dst, err = jsonl.Append(dst, c); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// isCode reports whether symbols of this kind belong to the graph of code.
func isCode(k record.Kind) bool {
	switch k {
	case record.Block, record.Table, record.Key, record.Heading:
		return false
	}
	return true
}

func (s *stage) emit(out output) error {
	if out.err != nil {
		s.lost++
		if s.opts.Report != nil {
			s.opts.Report(out.err)
		}
	}
	if out.end != nil {
		out.end.Errors += s.lost
		s.lost = 0
		if err := s.w.Write(out.end); err != nil {
			return err
		}
		return s.w.Flush()
	}
	return s.w.WriteLines(out.lines)
}
