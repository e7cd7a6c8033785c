// Package update writes stores: it is the last stage of the pipeline.
//
// Run takes the stream that cortex-embed writes, and applies every run as one change, which rewrites only the shards of
// changed files. Read the files in this order: run.go reads the stream, change.go gathers a run in a spool, plan.go
// decides what happens to each file, and merge.go makes the lines of a file. For a folder, apply.go calls them:
// heads.go reads the file records of the old shards, shards.go makes the new shards, and commit.go commits them. For a
// Target, tree.go does. Package store says what readers see meanwhile.
package update

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/safeopen"
)

// Run reads a stream and applies its runs to the store, one after the other, each as a whole when it ends.
//
// Within a run the chunks of a file follow its record. Chunks outside a run are added, or replace chunks with the same
// identifier, when the stream ends or a run begins; file records outside a run are ignored. A run without an end record
// is not applied. The store is locked from the first record of a run to its commit.
//
// If the first run of the stream cannot be applied, or another process holds the lock, Run fails at once. Later runs
// come from a watch, which continues: for these Run waits for the lock, and reports a run that cannot be applied,
// unless Options.FailFast is set.
func Run(ctx context.Context, r *jsonl.Reader, opts Options) error {
	in := &input{ahead: ahead{r: r}, opts: opts.withDefaults()}
	return in.run(ctx)
}

// RunInto is Run into a target.
func RunInto(ctx context.Context, r *jsonl.Reader, target Target, opts Options) error {
	in := &input{ahead: ahead{r: r}, opts: opts.withDefaults(), target: target}
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

// change reads one run, or the chunks up to the next run, applies it, and calls Options.Built.
func (in *input) change(ctx context.Context, first jsonl.Line) error {
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

// apply reads one run, or the chunks up to the next run, and applies it. It reports whether it applied anything.
func (in *input) apply(ctx context.Context, first jsonl.Line) (applied bool, err error) {
	start := time.Now()
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	lock, err := in.acquire(ctx)
	if err != nil && (!in.later || in.opts.FailFast || ctx.Err() != nil) {
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
	result, err := applyRun(ctx, lock, in.opts, c)
	if err != nil {
		return false, in.fail(ctx, err)
	}
	lock.made = false
	result.Elapsed = time.Since(start)
	in.opts.Committed(result)
	return true, nil
}

// applyTo is apply for a target.
func (in *input) applyTo(ctx context.Context, first jsonl.Line) (applied bool, err error) {
	start := time.Now()
	dir, err := os.MkdirTemp("", "cortex-store-")
	if err != nil {
		return false, fmt.Errorf("hold the run: %w", err)
	}
	defer os.RemoveAll(dir)
	root, err := safeopen.OpenFolder(dir)
	if err != nil {
		return false, fmt.Errorf("hold the run: %w", err)
	}
	defer root.Close()
	c := newChange(in.opts)
	c.spool.root, c.spool.again = root, true
	defer c.spool.close()
	if ready, err := in.gather(ctx, c, first, dir); err != nil || !ready {
		return false, err
	}
	for _, tree := range c.trees() {
		result, err := updateTree(ctx, in.target, in.opts, c, tree)
		if err != nil {
			return applied, in.fail(ctx, err)
		}
		result.Elapsed = time.Since(start)
		in.opts.Committed(result)
		applied = true
	}
	return applied, nil
}

// lockInterval is the time between two attempts to take a lock that another process holds.
const lockInterval = 50 * time.Millisecond

// acquire takes the lock. If this is a later run, it waits for it, up to Options.lockPatience.
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
