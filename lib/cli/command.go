package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/pflag"
)

// A Command is a program or one of its subcommands. Its help text is made from these fields and fits one screen.
type Command struct {
	// Name is what the user types.
	Name string
	// Summary says in one line, without a period, what the command does.
	Summary string
	// Args shows the arguments, such as "[FILE...]". A command without it takes none.
	Args string
	// Words are the possible first arguments, for completion in a shell; nil if any text is allowed.
	Words []string
	// Examples are lines for the end of the help text.
	Examples string
	// Flags defines the command's own flags; the common flags are defined already.
	Flags func(*pflag.FlagSet)
	// Run does the work. It may be nil in a command with subcommands; then a subcommand must be named.
	Run func(ctx context.Context, env *Env) error
	// Commands are the subcommands.
	Commands []Command
	// Service marks a command that runs until it is told to stop. After an interrupt it ends with the status of its Run
	// function.
	Service bool
	// Filter marks a command whose only effect is its output. It ends when nobody reads the output any more, even while
	// it waits for input. The mark does not apply to its subcommands.
	Filter bool
}

// flags returns all flags of the command: its own in the order of their definition, then the common ones.
func (cmd Command) flags() (*pflag.FlagSet, *commonFlags) {
	flags := pflag.NewFlagSet(cmd.Name, pflag.ContinueOnError)
	flags.SortFlags = false
	flags.Usage = func() {}
	flags.SetOutput(io.Discard)
	// Flags after the name of a subcommand belong to the subcommand.
	flags.SetInterspersed(len(cmd.Commands) == 0)
	if cmd.Flags != nil {
		cmd.Flags(flags)
	}
	common := new(commonFlags)
	flags.IntVarP(&common.jobs, "jobs", "j", 0, "run `N` workers (default: one per core)")
	flags.BoolVarP(&common.quiet, "quiet", "q", false, "print nothing but errors on standard error")
	flags.BoolVarP(&common.help, "help", "h", false, "show this help")
	flags.BoolVar(&common.version, "version", false, "print version and revision")
	flags.StringVar(&common.generate, "generate", "", "write the man page, or the completions of a shell (scripts/install)")
	_ = flags.MarkHidden("generate")
	return flags, common
}

// Version is the version of all commands.
const Version = "0.1.0"

// Exit statuses.
const (
	StatusDone    = 0
	StatusNothing = 1 // or the command found something that the user asked to fail on
	StatusError   = 2
)

// Usagef returns an error in how the command was called.
func Usagef(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

// commonFlags are the flags of every command.
type commonFlags struct {
	jobs                 int
	quiet, help, version bool
	generate             string
}

// ErrUsage is the cause of errors in how a command was called.
var ErrUsage = errors.New("usage")

type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func (e *usageError) Is(target error) bool { return target == ErrUsage }
