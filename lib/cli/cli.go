// Package cli is the main function of every command: it parses flags, connects the standard streams, prints errors and
// hints, and chooses the exit status. Begin with command.go, which says what a command is.
//
// Records and results go to standard output, everything else to standard error. If the reader of the output closes its
// pipe, the command ends quietly with status 0. After an interrupt the status is 128 plus the signal's number, as
// shells expect; a service ends with the status of its Run function.
package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"cortex/lib/hint"
	"cortex/lib/terminal"
)

// ErrNothingFound makes the exit status 1 and prints no message.
var ErrNothingFound = errors.New("nothing found")

// A finding is an error that makes the exit status 1: the command has done its work and found something that the user
// asked to fail on.
type finding interface{ Finding() bool }

// Getenv returns the value of an environment variable, "" if it is not set.
func (env *Env) Getenv(name string) string {
	for _, line := range env.Environ {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	return ""
}

// Main runs the command on the process's own streams and arguments and exits.
func Main(cmd Command) {
	// Writes to a closed pipe or beyond a file-size limit then return an error instead of ending the process.
	signal.Ignore(ignored()...)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, stopping()...)
	ctx, cancel := context.WithCancel(context.Background())
	env := &Env{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Args: os.Args[1:], Environ: os.Environ()}
	done := make(chan int, 1)
	go func() { done <- Run(ctx, cmd, env) }()
	var unread chan struct{}
	if cmd.Filter && !slices.ContainsFunc(cmd.Commands, func(sub Command) bool { return len(os.Args) > 1 && sub.Name == os.Args[1] }) {
		unread = make(chan struct{})
		go func() { waitUntilUnread(); close(unread) }()
	}
	select {
	case status := <-done:
		os.Exit(status)
	case <-unread:
		cancel()
		select {
		case <-done:
		case <-time.After(100 * time.Millisecond):
		}
		os.Exit(env.status())
	case s := <-signals:
		cancel()
		// A read from a silent pipe does not notice the cancelled context, so Main does not wait for it any longer.
		select {
		case status := <-done:
			if env.service.Load() {
				os.Exit(status)
			}
		case <-time.After(2 * time.Second):
		}
		status := 128
		if number, ok := s.(syscall.Signal); ok {
			status += int(number)
		}
		os.Exit(status)
	}
}

// Run runs the command and returns its exit status.
func Run(ctx context.Context, cmd Command, env *Env) int {
	env.name, env.stopped = cmd.Name, ctx.Done()
	if cmd.asksForHelp(env.Args) {
		env.Args = append(slices.Clone(env.Args[1:]), "--help")
	}
	err := env.dispatch(ctx, cmd)
	if closer, ok := env.Stdout.(*os.File); ok && err == nil {
		// Some filesystems report a failed write only here.
		err = closer.Close()
	}
	return env.finish(ctx, err)
}

func (env *Env) finish(ctx context.Context, err error) int {
	var found finding
	switch {
	case err == nil || errors.Is(err, syscall.EPIPE):
	case errors.Is(err, ErrNothingFound):
		if !env.reported {
			return StatusNothing
		}
	case errors.As(err, &found) && found.Finding():
		before := env.reported
		env.Report(err)
		if env.sayMore(); !before {
			return StatusNothing
		}
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return StatusError
	default:
		env.Report(err)
	}
	env.sayMore()
	return env.status()
}

// status returns the exit status of a command that has finished its work.
func (env *Env) status() int {
	env.mu.Lock()
	defer env.mu.Unlock()
	if env.reported {
		return StatusError
	}
	return StatusDone
}

// maxJobs bounds --jobs. It exceeds the number of cores of any machine.
const maxJobs = 4096

// dispatch parses the flags and runs the command or the subcommand named first.
func (env *Env) dispatch(ctx context.Context, cmd Command) error {
	flags, common := cmd.flags()
	if len(cmd.Commands) == 0 {
		env.Args = textsLast(flags, env.Args)
	}
	if err := flags.Parse(env.Args); err != nil {
		return env.usage(cmd, flags, err)
	}
	switch {
	case common.help:
		return env.write(cmd.help(flags))
	case common.generate != "":
		text, err := cmd.generate(common.generate)
		return errors.Join(err, env.write(text))
	case common.version:
		return env.write(fmt.Sprintf("%s %s %s\n", strings.Fields(cmd.Name)[0], Version, revision()))
	case common.jobs < 0 || common.jobs > maxJobs:
		return env.usage(cmd, flags, Usagef("--jobs %d: expected a number from 1 to %d", common.jobs, maxJobs))
	}
	env.Args = flags.Args()
	if len(env.Args) > 0 {
		for _, sub := range cmd.Commands {
			if sub.Name == env.Args[0] {
				if err := misplaced(flags, sub.Name); err != nil {
					return env.usage(cmd, flags, err)
				}
				sub.Name = cmd.Name + " " + sub.Name
				env.Args = env.Args[1:]
				return env.dispatch(ctx, sub)
			}
		}
	}
	if cmd.Run == nil {
		if len(env.Args) == 0 {
			return env.usage(cmd, flags, Usagef("no command given"))
		}
		return hint.Wrap(Usagef("unknown command %q", env.Args[0]), adviseCommand(cmd, env.Args[0], cmd.adviseHelp()))
	}
	if cmd.Args == "" && len(env.Args) > 0 {
		return env.usage(cmd, flags, cmd.unexpected(flags, env.Args[0]))
	}
	env.Jobs, env.Quiet = cmp.Or(common.jobs, runtime.GOMAXPROCS(0)), common.quiet
	env.service.Store(cmd.Service)
	err := cmd.Run(ctx, env)
	var missing *noInput
	switch {
	case errors.Is(err, ErrUsage):
		return env.usage(cmd, flags, err)
	case errors.As(err, &missing) && len(cmd.Commands) > 0:
		return hint.Wrap(err, adviseCommand(cmd, missing.name, "anything else is a file of records"))
	}
	return err
}

// textsLast moves arguments such as "--author flag", whose blank says that they are texts and not flags, behind "--".
func textsLast(flags *pflag.FlagSet, args []string) []string {
	var own, texts []string
	i := 0
	for ; i < len(args) && args[i] != "--"; i++ {
		arg := args[i]
		name, _, hasValue := strings.Cut(arg, "=")
		switch {
		case !strings.HasPrefix(arg, "-") || len(arg) == 1:
		case strings.ContainsAny(name, " \t\n"):
			texts = append(texts, arg)
			continue
		case !hasValue && takesValue(flags, arg) && i+1 < len(args):
			own = append(own, arg)
			i++
		}
		own = append(own, args[i])
	}
	if texts == nil {
		return args
	}
	if i < len(args) {
		texts = append(texts, args[i+1:]...)
	}
	return append(append(own, "--"), texts...)
}

// takesValue reports whether the flag has its value in the next argument.
func takesValue(flags *pflag.FlagSet, arg string) bool {
	flag := flags.Lookup(strings.TrimPrefix(arg, "--"))
	if !strings.HasPrefix(arg, "--") {
		flag = flags.ShorthandLookup(arg[len(arg)-1:])
	}
	return flag != nil && flag.NoOptDefVal == ""
}

// misplaced returns an error if a flag stands before the name of the subcommand, where it would have no effect.
func misplaced(flags *pflag.FlagSet, sub string) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if err == nil {
			err = hint.Wrap(Usagef("--%s stands before %s", f.Name, sub), fmt.Sprintf("write it behind: %s %s --%s", flags.Name(), sub, f.Name))
		}
	})
	return err
}

// asksForHelp reports whether the arguments are "help" or "help COMMAND". If the command takes files and a file "help"
// exists, the argument names the file.
func (cmd Command) asksForHelp(args []string) bool {
	if len(args) == 0 || args[0] != "help" {
		return false
	}
	_, err := os.Stat(args[0])
	return cmd.Args == "" || err != nil
}

// write prints text on standard output.
func (env *Env) write(text string) error {
	_, err := io.WriteString(env.Stdout, text)
	return err
}

// synopsis returns what follows the name of the command in a call.
func (cmd Command) synopsis() string {
	if cmd.Run == nil {
		return "COMMAND [FLAGS]"
	}
	return strings.TrimRight("[FLAGS] "+cmd.Args, " ")
}

func (cmd Command) help(flags *pflag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nusage: %s %s\n", cmd.Name, cmd.Summary, cmd.Name, cmd.synopsis())
	for _, sub := range cmd.Commands {
		fmt.Fprintf(&b, "       %s %s", cmd.Name, sub.Name)
		if sub.Args != "" {
			fmt.Fprintf(&b, " %s", sub.Args)
		}
		fmt.Fprintf(&b, "\n           %s\n", sub.Summary)
	}
	fmt.Fprintf(&b, "\n%s", flags.FlagUsages())
	if cmd.Examples != "" {
		b.WriteString("\nexamples:\n")
		for line := range strings.Lines(strings.Trim(cmd.Examples, "\n")) {
			if line != "\n" {
				b.WriteString("  ")
			}
			b.WriteString(strings.TrimLeft(line, "\t"))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// revision returns the commit that the program was built from, if the build recorded it.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown revision)"
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = "+changes"
			}
		}
	}
	if revision == "" {
		return "(unknown revision)"
	}
	return revision[:min(12, len(revision))] + modified
}

// maxAlike is the number of errors in a row that are printed if they differ only in numbers. A stage that gets the
// wrong kind of input reports such an error for each line.
const maxAlike = 10

// Report prints an error and its hint, and makes the exit status 2. The command goes on. Of errors in a row that differ
// only in numbers, Report prints the first maxAlike and counts the rest. After an interrupt, a stage of a pipeline
// prints nothing. Report is safe for concurrent use.
func (env *Env) Report(err error) {
	if env.isInterrupted() {
		env.mu.Lock()
		env.reported = true
		env.mu.Unlock()
		return
	}
	text := terminal.Short(err.Error(), maxMessage)
	if !env.isNews(text) {
		return
	}
	env.say(text)
	if text := hint.Of(err); text != "" {
		env.say("hint: " + text)
	}
}

// isNews records that an error was reported, and returns whether to print it.
func (env *Env) isNews(text string) bool {
	shape := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
	env.mu.Lock()
	same := shape == env.shape
	env.reported = true
	env.mu.Unlock()
	if !same {
		env.sayMore()
	}
	env.mu.Lock()
	defer env.mu.Unlock()
	env.shape = shape
	env.alike++
	return env.alike <= maxAlike
}

// sayMore prints how many similar errors were suppressed, and resets the count.
func (env *Env) sayMore() {
	env.mu.Lock()
	more := env.alike - maxAlike
	env.shape, env.alike = "", 0
	env.mu.Unlock()
	if more > 0 {
		env.say(fmt.Sprintf("and %d more like these", more))
	}
}

// Warn prints a line that does not change the exit status, unless --quiet was given.
func (env *Env) Warn(format string, args ...any) {
	if !env.Quiet {
		env.say(fmt.Sprintf(format, args...))
	}
}

// EachInput calls read on every file that the arguments name, and on standard input for "-" or without arguments. It
// stops at a file that cannot be opened, and at an input without any record: even a run without files has a Begin and
// an End, so the command that should have written the input has failed.
func (env *Env) EachInput(read func(name string, r io.Reader) error) error {
	names := env.Args
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		if err := env.input(name, read); err != nil {
			return err
		}
	}
	return nil
}

// noInput reports an argument that names no existing file.
type noInput struct {
	error
	name string
}

func (e *noInput) Unwrap() error { return e.error }

func (env *Env) input(name string, read func(string, io.Reader) error) error {
	if name == "-" {
		if IsTerminal(env.Stdin) {
			env.Warn("reading records from the terminal, end with Ctrl-D (--help shows examples)")
		}
		env.piped.Store(true)
		return readRecords("stdin", env.Stdin, "the command before it wrote nothing; with set -o pipefail the shell reports the status of that", read)
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return &noInput{err, name}
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return hint.Wrap(fmt.Errorf("%s is a folder, not a file of records", name), "cortex-parse makes records of a folder")
	}
	return readRecords(name, f, "whatever should have written it has failed", read)
}

// readRecords calls read on an input, and returns an error if the input is blank.
func readRecords(name string, in io.Reader, advice string, read func(string, io.Reader) error) error {
	watched := &watchedReader{in: in}
	err := read(name, watched)
	if err == nil && !watched.seen {
		err = hint.Wrap(fmt.Errorf("%s: no records", name), advice)
	}
	return err
}

// A watchedReader records whether anything but blanks was read.
type watchedReader struct {
	in   io.Reader
	seen bool
}

func (r *watchedReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.seen = r.seen || len(bytes.TrimSpace(p[:n])) > 0
	return n, err
}
