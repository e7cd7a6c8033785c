package update

import (
	"context"
	"fmt"
	"time"

	"cortex/lib/record"
	"cortex/lib/store/layout"
	"cortex/lib/terminal"
)

// Options says how Run works. The zero value writes to .cortex in the current folder.
type Options struct {
	// Dir is the store's folder; empty means Dir. It is made if it is missing.
	Dir string
	// Tree is the name that a tree without one gets in a target; "" leaves it as it is.
	Tree string
	// Accept, if not nil, refuses a run whose begin it gives an error for.
	Accept func(*record.Begin) error
	// Jobs is the number of workers, at least 1.
	Jobs int
	// Report takes soft errors, after which the work goes on.
	Report func(error)
	// Warn takes what the user should know and what is no error.
	Warn func(format string, args ...any)
	// Progress is told how many files of the run have come; total is 0 if that is unknown.
	Progress func(done, total int, item string)
	// Committed is told of every run that was applied.
	Committed func(Result)
	// Built brings up to date what is derived from the store, after every run that was applied; nil means that nothing is. It runs without
	// the lock. Progress is told as that of Run.
	Built func(ctx context.Context, progress func(done, total int, item string)) error
	// FailFast ends a stream of several runs at the first that cannot be applied, as at its first run.
	FailFast bool
	// Now is the clock for times in the store; nil means time.Now.
	Now func() time.Time

	// step is told the name of each step of a commit before it is taken.
	step func(name string)
	// spoolMost is how many bytes of a run are held in memory.
	spoolMost int
	// perShard is how many chunks stand in a shard.
	perShard int
	// lockPatience is how long a later run of a stream waits for the lock.
	lockPatience time.Duration
}

func (o Options) withDefaults() Options {
	if o.Dir == "" {
		o.Dir = layout.Dir
	}
	o.Jobs = max(o.Jobs, 1)
	if o.Report == nil {
		o.Report = func(error) {}
	}
	if o.Warn == nil {
		o.Warn = func(string, ...any) {}
	}
	if o.Progress == nil {
		o.Progress = func(int, int, string) {}
	}
	if o.Committed == nil {
		o.Committed = func(Result) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.lockPatience == 0 {
		o.lockPatience = time.Minute
	}
	if o.spoolMost == 0 {
		o.spoolMost = 32 << 20
	}
	if o.perShard == 0 {
		o.perShard = 1000
	}
	if o.step == nil {
		o.step = func(string) {}
	}
	return o
}

// A Result tells what one run did to the store.
type Result struct {
	Tree string
	Mode record.Mode // empty for a stream without begin
	// Files counts the file records of the run by status.
	Files map[record.Status]int
	// Added, Changed and Removed count chunks against the generation before.
	Added, Changed, Removed int
	// Chunks is the number of chunks in the store now.
	Chunks int
	// Generation is that of the store now. It is the old one if nothing changed.
	Generation int64
	// Written tells whether anything changed.
	Written bool
	// Elapsed is the time from the first record of the run to its commit.
	Elapsed time.Duration
}

// String is the result in one line.
func (r Result) String() string {
	changes := "nothing changed"
	if r.Written {
		changes = fmt.Sprintf("%s added, %s changed, %s removed", terminal.Number(r.Added), terminal.Number(r.Changed), terminal.Number(r.Removed))
	}
	files := 0
	for _, n := range r.Files {
		files += n
	}
	read := ""
	if files > 0 {
		read = terminal.Count(files, "file", "files") + " read" + layout.StatusCounts(r.Files) + "; "
	}
	if r.Tree != "" {
		read = "tree " + r.Tree + ": " + read
	}
	return fmt.Sprintf("%s%s in the index: %s; generation %d, %.1f s",
		read, terminal.Count(r.Chunks, "chunk", "chunks"), changes, r.Generation, r.Elapsed.Seconds())
}
