package update

import (
	"context"
	"fmt"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/terminal"
)

// input is the stream that Run reads.
type input struct {
	ahead
	opts Options
	// later says that a run was read before.
	later bool
	// target receives the runs; nil for the folder in opts.
	target Target
}

// gather reads one run, or the chunks up to the next run. ready says that there is something to apply; dir is the
// folder of the spool's file.
func (in *input) gather(ctx context.Context, c *change, first jsonl.Line, dir string) (ready bool, err error) {
	if t, err := first.Type(); err == nil && t == record.TypeBegin {
		in.line = nil
		if !c.open(first) {
			// Without a begin record the run cannot be applied; it is read to its end.
			defer in.opts.Report(hint.Wrap(fmt.Errorf("%s:%d: the run is not applied: the index is unchanged", first.Name, first.Number),
				"use the same version of all stages"))
		}
		if c.failed != nil {
			return false, c.failed
		}
	}
	if err := c.read(ctx, &in.ahead); err != nil {
		return false, err
	}
	if c.failed != nil {
		return false, in.fail(ctx, writeError(dir, c.failed))
	}
	if c.refused {
		return false, nil
	}
	if c.begin != nil && c.end == nil {
		in.opts.Report(hint.Wrap(fmt.Errorf("%s: run did not end: the index is unchanged", first.Name),
			"a command before this one stopped; what it printed says why"))
		return false, nil
	}
	if c.begin == nil && c.count == 0 {
		return false, nil
	}
	if c.undirected > 0 {
		in.opts.Warn("left out the embedding of %s, the first of %q: a vector of zeros, or one that is not finite, has no direction; found by words alone", terminal.Count(c.undirected, "chunk", "chunks"), c.firstUndirected)
	}
	c.checkWhole(first.Name)
	return true, nil
}

// fail reports the error of a later run and returns nil, so that the next run is read. It returns the error of the
// first run and, with FailFast, of any run.
func (in *input) fail(ctx context.Context, err error) error {
	if err != nil && in.later && !in.opts.FailFast && ctx.Err() == nil {
		in.opts.Report(err)
		return nil
	}
	return err
}
