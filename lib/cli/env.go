package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"

	"cortex/lib/terminal"
)

// Env is what a command sees of the world.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// Args are the arguments; while Run is called, those without flags.
	Args []string
	// Environ is the environment as os.Environ gives it.
	Environ []string

	// Jobs is the number of workers, at least 1.
	Jobs int
	// Quiet is set when only errors are wanted on Stderr.
	Quiet bool

	name string
	// service is set while a command runs that is one.
	service atomic.Bool
	// stopped is closed when the command is told to end. piped is set once it reads what another command writes.
	stopped  <-chan struct{}
	piped    atomic.Bool
	patience sync.Once
	mu       sync.Mutex
	reported bool
	// shape is that of the last error reported, alike how many in a row have it.
	shape    string
	alike    int
	progress *Progress
}

// A Progress is one line on a terminal that tells how far long work has come. Where
// Stderr is no terminal, or with --quiet, it shows nothing. A nil *Progress is valid.
type Progress struct {
	env   *Env
	label string
	shown time.Time
	drawn bool
}

// clear is called with the Env's lock held.
func (p *Progress) clear() {
	if p != nil && p.drawn {
		fmt.Fprint(p.env.Stderr, "\r\x1b[K")
		p.drawn = false
	}
}

func (env *Env) say(text string) {
	env.mu.Lock()
	defer env.mu.Unlock()
	name, _, _ := strings.Cut(env.name, " ")
	env.progress.clear()
	lines := strings.Split(terminal.CleanLines(terminal.Short(text, maxMessage)), "\n")
	for i, line := range lines {
		lines[i] = terminal.Short(line, maxMessageLine)
	}
	fmt.Fprintf(env.Stderr, "%s: %s\n", name, indented(lines))
}

// interruptTime is how long a stage waits, before its first complaint, for the interrupt that may have ended the one before it.
const interruptTime = 100 * time.Millisecond

// isInterrupted tells that whatever is wrong with the input comes from the interrupt of the whole pipeline. All stages are told of it at the same time, but in no
// order, so that the input may end before this one hears of it.
func (env *Env) isInterrupted() bool {
	if !env.piped.Load() || env.service.Load() {
		return false
	}
	env.patience.Do(func() {
		select {
		case <-env.stopped:
		case <-time.After(interruptTime):
		}
	})
	select {
	case <-env.stopped:
		return true
	default:
		return false
	}
}

// IsTerminal reports whether stream, one of Env's, is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Screen is the size of the terminal that stream is, one of Env's, in characters; zeros where it is none or nobody knows.
func Screen(stream any) (columns, rows int) {
	if f, ok := stream.(*os.File); ok {
		if columns, rows, err := term.GetSize(int(f.Fd())); err == nil {
			return columns, rows
		}
	}
	return 0, 0
}

// Bounds in bytes of a message and of each of its lines, which may quote any input.
const (
	maxMessage     = 16 << 10
	maxMessageLine = 1000
)

// indented has every line but the first begin with a blank, so that a line break in a name makes no line that looks like a message.
func indented(lines []string) string {
	for i, line := range lines[1:] {
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			lines[i+1] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}
