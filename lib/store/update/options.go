package update

import (
	"context"
	"fmt"
	"time"

	"cortex/lib/record"
	"cortex/lib/store/layout"
	"cortex/lib/terminal"
)

// Options configures Run. The zero value writes to .cortex in the current folder.
type Options struct {
	// Dir is the store's folder; empty means layout.Dir. It is created if it is missing.
	Dir string
	// Tree is the name given to a tree that has none; "" leaves it without a name.
	Tree string
	// Accept, if not nil, is called with the begin record of each run; a run for which it returns an error is not
	// applied.
	Accept func(*record.Begin) error
	// OutsideTree says that the store does not lie in the folder that is indexed, so only its files tell which folder
	// it indexes. A run that would replace nearly all of them by others is refused, since it is probably of another
	// folder.
	OutsideTree bool
	// Jobs is the number of workers, at least 1.
	Jobs int
	// Report is called with errors that do not stop the work.
	Report func(error)
	// Warn is called with messages for the user that are not errors.
	Warn func(format string, args ...any)
	// Progress is called with the number of files of the run that were read; total is 0 if it is unknown.
	Progress func(done, total int, item string)
	// Committed is called after every run that was applied.
	Committed func(Result)
	// Built updates what is derived from the store after every run that was applied; it may be nil. It runs without the
	// lock. progress is Options.Progress.
	Built func(ctx context.Context, progress func(done, total int, item string)) error
	// FailFast says that Run fails if any run of the stream cannot be applied, not only if the first one cannot.
	FailFast bool
	// Now is the clock for times in the store; nil means time.Now.
	Now func() time.Time

	// step is called with the name of each step of a commit before the step.
	step func(name string)
	// spoolMost is the number of bytes of a run that are held in memory.
	spoolMost int
	// perShard is the intended number of chunks in a shard.
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

// A Result describes what one run did to the store.
type Result struct {
	Tree string
	Mode record.Mode // empty for a stream without begin
	// Files counts the file records of the run by status.
	Files map[record.Status]int
	// Added, Changed and Removed count chunks relative to the generation before.
	Added, Changed, Removed int
	// Chunks is the number of chunks in the store after the run.
	Chunks int
	// Generation is the store's generation after the run. It is the old one if nothing changed.
	Generation int64
	// Written says whether anything changed.
	Written bool
	// Elapsed is the time from the first record of the run to its commit.
	Elapsed time.Duration
}

// String describes the result in one line.
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
