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

// Env is everything a command can see of its process: streams, arguments, environment.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	// Args are the arguments. While Run is called, the flags are left out.
	Args []string
	// Environ is the environment in the form of os.Environ.
	Environ []string

	// Jobs is the number of workers, at least 1.
	Jobs int
	// Quiet suppresses everything but errors on Stderr.
	Quiet bool

	name string
	// service is set while a command with Command.Service runs.
	service atomic.Bool
	// stopped is closed when the command is told to end. piped is set once the command reads standard input.
	stopped  <-chan struct{}
	piped    atomic.Bool
	patience sync.Once
	mu       sync.Mutex
	reported bool
	// shape is the last reported error without its digits; alike counts the errors in a row of that shape.
	shape    string
	alike    int
	progress *Progress
}

// A Progress is one line on a terminal that shows the progress of long work. If Stderr is no terminal, or with --quiet,
// StartProgress returns nil, and a nil *Progress does nothing.
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

// interruptTime is how long a stage waits, before its first message, for an interrupt that may have ended the stage
// before it.
const interruptTime = 100 * time.Millisecond

// isInterrupted reports whether the whole pipeline was interrupted, which explains any fault of the input. The signal
// reaches all stages at the same time but in no fixed order, so the input may end before this process handles the
// signal.
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

// IsTerminal reports whether stream, a stream of an Env, is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Screen returns the size of the terminal stream, in characters, or zeros if stream is no terminal or the size is
// unknown.
func Screen(stream any) (columns, rows int) {
	if f, ok := stream.(*os.File); ok {
		if columns, rows, err := term.GetSize(int(f.Fd())); err == nil {
			return columns, rows
		}
	}
	return 0, 0
}

// Bounds, in bytes, on a message and on each of its lines, which may quote any input.
const (
	maxMessage     = 16 << 10
	maxMessageLine = 1000
)

// indented makes every line but the first begin with a blank, so that a line break in a name cannot forge a message.
func indented(lines []string) string {
	for i, line := range lines[1:] {
		if line != "" && line[0] != ' ' && line[0] != '\t' {
			lines[i+1] = "  " + line
		}
	}
	return strings.Join(lines, "\n")
}
