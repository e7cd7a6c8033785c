package chunk

import (
	"cmp"
	"context"

	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// Run reads file records from r and writes to w each as a header, followed by its
// chunks; Begin and End pass through, with this stage's fingerprint and the lines that
// had to be skipped added. The output does not depend on Options.Jobs.
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

	// tree belongs to next: the name of the tree of the run being read.
	tree string
	// lost belongs to emit: lines skipped since the last end.
	lost int
}

// An input is a line and the tree that its run is about. Frames are decoded where
// they are read, since they change how later lines are understood.
type input struct {
	line jsonl.Line
	tree string
	err  error
	rec  record.Record
}

// An output is what became of one line: encoded lines, or a fault, or an end that
// emit has yet to complete.
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

// appendFile appends the header of the file and its chunks.
func appendFile(dst []byte, f *record.File, tree string, opts Options) ([]byte, error) {
	header := *f
	header.Text, header.Breaks, header.Symbols = "", nil, nil
	for _, s := range f.Symbols {
		if isCode(s.Kind) {
			s.Doc = ""
			s.StartByte, s.EndByte, s.BodyByte = 0, 0, 0 // there is no text
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

// isCode reports whether symbols of this kind stand in a graph of code.
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
