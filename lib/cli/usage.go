package cli

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/hint"
)

// usage adds a hint to an error in how the command was called.
func (env *Env) usage(cmd Command, flags *pflag.FlagSet, err error) error {
	err = inWords(err)
	if hint.Of(err) != "" {
		return err
	}
	advice := cmd.adviseHelp()
	if unknown := (*pflag.NotExistError)(nil); errors.As(err, &unknown) {
		if near := nearestFlag(flags, unknown.GetSpecifiedName()); near != "" {
			advice = fmt.Sprintf("did you mean --%s? %s", near, advice)
		}
		if cmd.Args != "" {
			advice += "; write -- before an argument that begins with -"
		}
	}
	return hint.Wrap(err, advice)
}

func (cmd Command) adviseHelp() string { return cmd.Name + " --help shows how to call it" }

// inWords rewrites an error of package pflag about a value in this module's style, without the names of Go functions.
// The message has the value once.
func inWords(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	flag, cause := invalid.GetFlag(), error(invalid)
	if inner := invalid.Unwrap(); inner != nil {
		cause = inner
	}
	problem := cause.Error()
	var number *strconv.NumError
	var list *csv.ParseError
	switch kind := flag.Value.Type(); {
	case errors.As(cause, &number) && errors.Is(number.Err, strconv.ErrRange):
		problem = "expected a smaller number"
	case errors.As(cause, &number) && kind == "bool":
		problem = "expected true or false"
	case errors.As(cause, &number) && strings.HasPrefix(kind, "float"):
		problem = "expected a number"
	case errors.As(cause, &number):
		problem = "expected a whole number"
	case errors.As(cause, &list):
		problem = "expected items with commas between them"
	}
	named, value := "--"+flag.Name, invalid.GetValue()
	if quoted := strconv.Quote(value); !strings.HasSuffix(problem, ", not "+value) && !strings.Contains(problem, quoted) {
		named += " " + quoted
	}
	return hint.Wrap(Usagef("%s: %s", named, problem), hint.Of(cause))
}

// nearestFlag returns the flag whose name is nearest to a mistyped name, "" if none is near.
func nearestFlag(flags *pflag.FlagSet, name string) string {
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if len(name) < 2 {
		return "" // every one-letter name is near to a single letter
	}
	return hint.Nearest(name, names)
}

// unexpected returns the error for an argument of a command that takes none.
func (cmd Command) unexpected(flags *pflag.FlagSet, arg string) error {
	err := Usagef("unexpected argument %q", arg)
	if info, missing := os.Stat(arg); missing == nil && info.IsDir() && flags.Lookup("root") != nil {
		return hint.Wrap(err, "name a folder with --root")
	}
	if len(cmd.Commands) > 0 {
		return hint.Wrap(err, adviseCommand(cmd, arg, cmd.adviseHelp()))
	}
	return err
}

// adviseCommand returns the hint for an unknown command: the nearest command, or the list of all commands, followed by
// rest.
func adviseCommand(cmd Command, name, rest string) string {
	var names []string
	for _, sub := range cmd.Commands {
		names = append(names, sub.Name)
	}
	if near := hint.Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %s %s? %s", cmd.Name, near, rest)
	}
	return fmt.Sprintf("the commands of %s are %s; %s", cmd.Name, strings.Join(names, ", "), rest)
}
