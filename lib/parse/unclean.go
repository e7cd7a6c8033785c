package parse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/terminal"
)

// An UncleanError reports the files whose state is as bad as Options.FailOn, or worse. Their records are written all
// the same.
type UncleanError struct {
	failOn record.Status
	files  []result // without their lines
}

// Finding marks the error for package cli as a finding: the command itself has done its work.
func (e *UncleanError) Finding() bool { return true }

// maxNamed is the most files that the error names.
const maxNamed = 10

// Error names the worst files, each on a line of its own.
func (e *UncleanError) Error() string {
	slices.SortStableFunc(e.files, func(a, b result) int {
		return cmp.Or(cmp.Compare(b.badness(), a.badness()), cmp.Compare(b.errors, a.errors), cmp.Compare(a.path, b.path))
	})
	var b strings.Builder
	if len(e.files) == 1 {
		b.WriteString("1 file is not parsed in full")
	} else {
		fmt.Fprintf(&b, "%d files are not parsed in full", len(e.files))
	}
	for _, f := range e.files[:min(len(e.files), maxNamed)] {
		fmt.Fprintf(&b, "\n%s: %s: %s", terminal.Clean(f.path), f.status, f.reason)
		if f.errors > 0 {
			fmt.Fprintf(&b, " (%d)", f.errors)
		}
	}
	if more := len(e.files) - maxNamed; more > 0 {
		fmt.Fprintf(&b, "\nand %d more", more)
	}
	return b.String()
}

// add adds a file to e if its state is as bad as e.failOn, or worse.
func (e *UncleanError) add(r *result) {
	limit := result{status: e.failOn}
	if limit.badness() > 0 && r.badness() >= limit.badness() {
		e.files = append(e.files, result{path: r.path, status: r.status, errors: r.errors, reason: r.reason})
	}
}

// badness ranks the state of a file: 0 is clean, 2 the worst.
func (r *result) badness() int {
	switch r.status {
	case record.StatusPartial:
		return 1
	case record.StatusError:
		return 2
	}
	return 0
}
