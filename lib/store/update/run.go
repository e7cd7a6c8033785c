// Package update writes stores: it is the last stage of the pipeline.
//
// Run takes the stream that cortex-embed writes, and applies every framed run as one change, which rewrites only the shards of the files that it
// changes. change.go gathers a run in a spool, plan.go decides what becomes of each file, merge.go makes the lines of the shards that differ, and commit.go puts
// them in their places. Package store says what readers see meanwhile.
package update

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/terminal"
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
	in := &input{ahead: ahead{r: r}, opts: opts.withDefaults()}
	return in.run(ctx)
}

// run reads the stream to its end.
func (in *input) run(ctx context.Context) error {
	in.r.WarmUp([]record.Record{&record.File{}, &record.Chunk{}}, nil)
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

// input is the stream.
type input struct {
	ahead
	opts Options
	// later tells that a run was read before.
	later bool
	// target is where runs go; nil for the folder in opts.
	target Target
}

// change reads one run, or the chunks up to the next run, applies it, and has what is derived from the store brought up to date.
func (in *input) change(ctx context.Context, first record.Line) error {
	apply := in.apply
	if in.target != nil {
		apply = in.applyTo
	}
	applied, err := apply(ctx, first)
	if err != nil || !applied || in.opts.Built == nil {
		return err
	}
	return in.fail(ctx, in.opts.Built(ctx, in.opts.Progress))
}

// apply reads one run, or the chunks up to the next run, and applies it. It reports whether there was one to apply.
func (in *input) apply(ctx context.Context, first record.Line) (applied bool, err error) {
	start := time.Now()
	lock, err := in.acquire(ctx)
	if err != nil && !in.later || ctx.Err() != nil {
		return false, err
	}
	c := newChange(in.opts)
	defer c.spool.close()
	if lock != nil {
		defer lock.release()
		c.spool.root = lock.root
	} else {
		in.opts.Report(err)
		c.refused = true
	}
	dir := in.opts.Dir
	if lock != nil {
		dir = lock.root.Name()
	}
	if ready, err := in.gather(ctx, c, first, dir); err != nil || !ready {
		return false, err
	}
	w := &writer{lock: lock, opts: in.opts, change: c}
	result, err := w.apply(ctx)
	if err != nil {
		return false, in.fail(ctx, err)
	}
	lock.made = false
	result.Elapsed = time.Since(start)
	in.opts.Committed(result)
	return true, nil
}

// gather reads one run, or the chunks up to the next run. It reports whether there is something to apply; dir is where lines that the memory does not hold stand.
func (in *input) gather(ctx context.Context, c *change, first record.Line, dir string) (ready bool, err error) {
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

// fail reports why a later run is not applied, after which the next is read. The first one ends the stream.
func (in *input) fail(ctx context.Context, err error) error {
	if err != nil && in.later && ctx.Err() == nil {
		in.opts.Report(err)
		return nil
	}
	return err
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
