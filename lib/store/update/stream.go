package update

import (
	"context"
	"fmt"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/terminal"
)

// input is the stream.
type input struct {
	ahead
	opts Options
	// later tells that a run was read before.
	later bool
	// target is where runs go; nil for the folder in opts.
	target Target
}

// gather reads one run, or the chunks up to the next run. It reports whether there is something to apply; dir is where lines that the memory does not hold stand.
func (in *input) gather(ctx context.Context, c *change, first jsonl.Line, dir string) (ready bool, err error) {
	if t, err := first.Type(); err == nil && t == record.TypeBegin {
		in.line = nil
		if !c.open(first) {
			// Without it nothing can be said about the run: read it away.
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

// fail reports why a later run is not applied, after which the next is read. The first one ends the stream, and with FailFast any.
func (in *input) fail(ctx context.Context, err error) error {
	if err != nil && in.later && !in.opts.FailFast && ctx.Err() == nil {
		in.opts.Report(err)
		return nil
	}
	return err
}
