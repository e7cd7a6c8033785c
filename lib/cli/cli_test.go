package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"cortex/lib/hint"
)

// call runs the command in-process and returns its status and both streams.
func call(t *testing.T, cmd Command, stdin string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := &Env{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Args: args}
	status = Run(t.Context(), cmd, env)
	return status, out.String(), errs.String()
}

func command(run func(context.Context, *Env) error) Command {
	return Command{Name: "cortex-x", Summary: "try things", Args: "[FILE...]", Examples: "cortex-x a\n", Run: run}
}

func TestStatusAndMessage(t *testing.T) {
	tests := []struct {
		name   string
		err    error
		status int
		stderr string
	}{
		{"success", nil, 0, ""},
		{"nothing found", ErrNothingFound, 1, ""},
		{"error", errors.New("open store: gone"), 2, "cortex-x: open store: gone\n"},
		{"hint", fmt.Errorf("open: %w", hint.Wrap(errors.New("gone"), "make one")), 2, "cortex-x: open: gone\ncortex-x: hint: make one\n"},
		{"closed pipe", &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.EPIPE}, 0, ""},
		{"usage", Usagef("bad %q", "x"), 2, "cortex-x: bad \"x\"\ncortex-x: hint: cortex-x --help shows how to call it\n"},
		{"name with a line break", errors.New("open a\ncortex-x: all is well: gone"), 2, "cortex-x: open a\n  cortex-x: all is well: gone\n"},
		{"lines", errors.New("2 files:\n  a\n\tb\n\nc"), 2, "cortex-x: 2 files:\n  a\n\tb\n\n  c\n"},
		{"terminal codes", errors.New("file \x1b[2J\u009b"), 2, "cortex-x: file \uFFFD[2J\uFFFD\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			status, _, stderr := call(t, command(func(context.Context, *Env) error { return test.err }), "")
			if status != test.status || stderr != test.stderr {
				t.Errorf("status %d, stderr %q", status, stderr)
			}
		})
	}
}

func TestSoftErrorsMakeTheStatusTwo(t *testing.T) {
	for _, last := range []error{nil, ErrNothingFound, syscall.EPIPE} {
		status, stdout, stderr := call(t, command(func(_ context.Context, env *Env) error {
			env.Report(errors.New("in:1: bad line"))
			fmt.Fprintln(env.Stdout, "more")
			return last
		}), "")
		if status != 2 || stdout != "more\n" || stderr != "cortex-x: in:1: bad line\n" {
			t.Errorf("%v: status %d, stdout %q, stderr %q", last, status, stdout, stderr)
		}
	}
}

func TestErrorsThatDifferInNumbersAloneAreCounted(t *testing.T) {
	status, _, stderr := call(t, command(func(_ context.Context, env *Env) error {
		for i := range 1000 {
			env.Report(fmt.Errorf("in:%d: bad line", i))
		}
		env.Report(errors.New("lost 1000 records"))
		for i := range 11 {
			env.Report(fmt.Errorf("in:%d: bad line", i))
		}
		return nil
	}), "")
	if status != 2 {
		t.Errorf("status %d", status)
	}
	first := ""
	for i := range 10 {
		first += fmt.Sprintf("cortex-x: in:%d: bad line\n", i)
	}
	want := first + "cortex-x: and 990 more like these\ncortex-x: lost 1000 records\n" +
		first + "cortex-x: and 1 more like these\n"
	if stderr != want {
		t.Errorf("got\n%s", stderr)
	}
}

// A message that quotes a long text of the input is shortened, and keeps both ends, which say what is wrong.
func TestLongMessagesAreShortened(t *testing.T) {
	id := strings.Repeat("é", 2<<20)
	lines := strings.Repeat("x\n", 1<<20)
	status, _, stderr := call(t, command(func(_ context.Context, env *Env) error {
		env.Report(fmt.Errorf("in:7: chunk %q: no metadata.file_path", id))
		env.Warn("%s: its old chunks stay", id)
		env.Report(fmt.Errorf("name %s ends", lines))
		return hint.Wrap(fmt.Errorf("in:8: chunk %q comes a second time", id), "do not use "+id)
	}), "")
	if status != 2 || len(stderr) > 50_000 || !utf8.ValidString(stderr) {
		t.Errorf("status %d, %d bytes", status, len(stderr))
	}
	for _, want := range []string{"cortex-x: in:7: chunk \"éé", "éé\": no metadata.file_path\n", "éé: its old chunks stay\n", "cortex-x: name x\n", "x\n ends\n", "cortex-x: in:8: chunk \"éé", "éé\" comes a second time\n", "cortex-x: hint: do not use éé"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("no %q in it", want)
		}
	}
	for line := range strings.Lines(stderr) {
		if len(line) > 1100 {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
}

func TestCancelledIsNoMessage(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var errs bytes.Buffer
	env := &Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &errs}
	status := Run(ctx, command(func(ctx context.Context, _ *Env) error {
		cancel()
		return fmt.Errorf("embed: %w", ctx.Err())
	}), env)
	if status != 2 || errs.Len() > 0 {
		t.Errorf("status %d, stderr %q", status, errs.String())
	}
}

// An interrupt ends the stages of a pipeline in any order. Truncated input from a stage that ended first is not
// reported.
func TestNoComplaintsAboutInterruptedInput(t *testing.T) {
	truncated := errors.New("stdin:7: decode record: unexpected end")
	for _, test := range []struct {
		name        string
		interrupted bool
		want        string
	}{
		{"interrupted", true, ""},
		{"ended by itself", false, "tool: stdin:7: decode record: unexpected end\ntool: stdin: no records\ntool: hint: "},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		cmd := Command{Name: "tool", Run: func(_ context.Context, env *Env) error {
			return env.EachInput(func(string, io.Reader) error {
				if test.interrupted {
					time.AfterFunc(interruptTime/20, cancel) // the input is read before the signal is seen
				}
				env.Report(truncated)
				return nil
			})
		}}
		var stderr strings.Builder
		env := &Env{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr}
		if status := Run(ctx, cmd, env); status != StatusError {
			t.Errorf("%s: status %d", test.name, status)
		}
		if got := stderr.String(); !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
		cancel()
	}
}

func TestFlags(t *testing.T) {
	var size int
	cmd := command(func(_ context.Context, env *Env) error {
		fmt.Fprintf(env.Stdout, "size %d quiet %v args %q", size, env.Quiet, env.Args)
		if env.Jobs < 1 {
			return errors.New("no workers")
		}
		env.Warn("a warning")
		return nil
	})
	cmd.Flags = func(fs *pflag.FlagSet) {
		fs.IntVar(&size, "size", 7, "the `BYTES` of a thing")
		fs.Float64("share", 0, "")
		fs.StringSlice("list", nil, "")
	}
	tests := []struct {
		args           []string
		status         int
		stdout, stderr string
	}{
		{nil, 0, `size 7 quiet false args []`, "a warning"},
		{[]string{"a", "--size=3", "-q", "--", "-b"}, 0, `size 3 quiet true args ["a" "-b"]`, ""},
		{[]string{"--author flag", "--size", "3", "a"}, 0, `size 3 quiet false args ["a" "--author flag"]`, "a warning"},
		{[]string{"-race in tests", "--", "-b"}, 0, `args ["-race in tests" "-b"]`, "a warning"},
		{[]string{"--list", "-a b", "-q", "c"}, 0, `quiet true args ["c"]`, ""},
		{[]string{"--nope"}, 2, "", "unknown flag: --nope\ncortex-x: hint: cortex-x --help"},
		{[]string{"--sise", "3"}, 2, "", "unknown flag: --sise\ncortex-x: hint: did you mean --size? cortex-x --help"},
		{[]string{"--size", "many"}, 2, "", "cortex-x: --size \"many\": expected a whole number\ncortex-x: hint: cortex-x --help"},
		{[]string{"-j", "9e99999999999999999999"}, 2, "", `--jobs "9e99999999999999999999": expected a whole number`},
		{[]string{"-j99999999999999999999"}, 2, "", `--jobs "99999999999999999999": expected a smaller number`},
		{[]string{"--quiet=perhaps"}, 2, "", `--quiet "perhaps": expected true or false`},
		{[]string{"--share", "half"}, 2, "", `--share "half": expected a number`},
		{[]string{"--list", `a"b`}, 2, "", `--list "a\"b": expected items with commas between them`},
		{[]string{"--size"}, 2, "", "flag needs an argument: --size"},
		{[]string{"--jobs=-1"}, 2, "", "--jobs -1: expected a number from 1 to 4096"},
		{[]string{"--jobs=9223372036854775807"}, 2, "", "--jobs 9223372036854775807: expected a number from 1 to 4096"},
		{[]string{"--help"}, 0, "usage: cortex-x [FLAGS] [FILE...]", ""},
		{[]string{"--version"}, 0, "cortex-x " + Version, ""},
	}
	for _, test := range tests {
		size = 0
		status, stdout, stderr := call(t, cmd, "", test.args...)
		if status != test.status || !strings.Contains(stdout, test.stdout) || !strings.Contains(stderr, test.stderr) || test.stderr == "" && stderr != "" {
			t.Errorf("%q: status %d\nstdout %s\nstderr %s", test.args, status, stdout, stderr)
		}
	}
}

func TestHelpEndsWithExamples(t *testing.T) {
	_, stdout, _ := call(t, command(nil), "", "--help")
	if !strings.HasSuffix(stdout, "\nexamples:\n  cortex-x a\n") {
		t.Errorf("got %s", stdout)
	}
}

func TestSubcommands(t *testing.T) {
	say := func(what string) func(context.Context, *Env) error {
		return func(_ context.Context, env *Env) error {
			_, err := fmt.Fprintf(env.Stdout, "%s %q", what, env.Args)
			return err
		}
	}
	cmd := Command{Name: "cortex-x", Summary: "s", Args: "[FILE...]", Commands: []Command{{Name: "one", Summary: "first", Args: "WORD...", Run: say("one")}}}
	tests := []struct {
		run    func(context.Context, *Env) error
		args   []string
		status int
		stdout string
		stderr string
	}{
		{nil, []string{"one", "a", "b"}, 0, `one ["a" "b"]`, ""},
		{nil, []string{"one", "--nope"}, 2, "", "cortex-x: unknown flag: --nope\ncortex-x: hint: cortex-x one --help"},
		{nil, []string{"two"}, 2, "", "cortex-x: unknown command \"two\"\ncortex-x: hint: the commands of cortex-x are one; cortex-x --help shows how to call it\n"},
		{nil, []string{"oen"}, 2, "", "cortex-x: unknown command \"oen\"\ncortex-x: hint: did you mean cortex-x one? cortex-x --help shows how to call it\n"},
		{nil, nil, 2, "", "no command given"},
		{say("main"), []string{"two"}, 0, `main ["two"]`, ""},
	}
	for _, test := range tests {
		cmd.Run = test.run
		status, stdout, stderr := call(t, cmd, "", test.args...)
		if status != test.status || stdout != test.stdout || !strings.Contains(stderr, test.stderr) {
			t.Errorf("%q: status %d, stdout %q, stderr %q", test.args, status, stdout, stderr)
		}
	}
}

// A flag of the command before the name of a subcommand is an error, since it would have no effect.
func TestFlagsBeforeASubcommand(t *testing.T) {
	var size int
	sub := Command{Name: "sub", Run: func(context.Context, *Env) error { return nil }}
	cmd := Command{Name: "cortex-x", Args: "[FILE...]", Commands: []Command{sub}, Flags: func(fs *pflag.FlagSet) { fs.IntVar(&size, "size", 7, "") }, Run: func(context.Context, *Env) error { return nil }}
	for _, flag := range []string{"--size=3", "--quiet"} {
		name, _, _ := strings.Cut(flag, "=")
		status, _, stderr := call(t, cmd, "", flag, "sub")
		if want := "cortex-x: " + name + " stands before sub\ncortex-x: hint: write it behind: cortex-x sub " + name + "\n"; status != StatusError || stderr != want {
			t.Errorf("%s: status %d, %q", flag, status, stderr)
		}
		if status, stdout, stderr := call(t, cmd, "", flag, "sub", "--help"); status != StatusError {
			t.Errorf("%s: status %d, %q, %q", flag, status, stdout, stderr)
		}
	}
	if status, _, stderr := call(t, cmd, "", "--size=3", "file"); status != StatusDone {
		t.Errorf("status %d, %q", status, stderr)
	}
}

func TestHelpIsACommandToo(t *testing.T) {
	run := func(_ context.Context, env *Env) error { return env.write(fmt.Sprintf("%q", env.Args)) }
	parent := Command{Name: "cortex-x", Summary: "s", Commands: []Command{{Name: "one", Summary: "first", Args: "WORD...", Run: run}}}
	filter := command(run)
	t.Chdir(t.TempDir())
	tests := []struct {
		cmd    Command
		args   []string
		stdout string
	}{
		{parent, []string{"help"}, "cortex-x: s\n"},
		{parent, []string{"help", "one"}, "cortex-x one: first\n"},
		{parent, []string{"one", "help"}, `["help"]`},
		{filter, []string{"help"}, "cortex-x: try things\n"},
	}
	for _, test := range tests {
		if status, stdout, stderr := call(t, test.cmd, "", test.args...); status != 0 || !strings.HasPrefix(stdout, test.stdout) {
			t.Errorf("%q: status %d, stdout %q, stderr %q", test.args, status, stdout, stderr)
		}
	}
	if err := os.Mkdir("help", 0o777); err != nil {
		t.Fatal(err)
	}
	if _, stdout, _ := call(t, filter, "", "help"); stdout != `["help"]` {
		t.Errorf("a folder with the name help: %q", stdout)
	}
	if _, stdout, _ := call(t, parent, "", "help"); !strings.HasPrefix(stdout, "cortex-x: s\n") {
		t.Errorf("beside a folder with the name help: %q", stdout)
	}
}

func TestWhatIsNoFileOfRecords(t *testing.T) {
	dir := t.TempDir()
	cmd := command(func(_ context.Context, env *Env) error {
		return env.EachInput(func(string, io.Reader) error { return errors.New("was read") })
	})
	status, _, stderr := call(t, cmd, "", dir)
	if status != 2 || !strings.HasPrefix(stderr, "cortex-x: "+dir+" is a folder, not a file of records\ncortex-x: hint: cortex-parse ") {
		t.Errorf("a folder: status %d, %s", status, stderr)
	}
	cmd.Commands = []Command{{Name: "status"}, {Name: "verify"}}
	_, _, stderr = call(t, cmd, "", "stats")
	if stderr != "cortex-x: open stats: no such file or directory\ncortex-x: hint: did you mean cortex-x status? anything else is a file of records\n" {
		t.Errorf("a mistyped command: %s", stderr)
	}
	_, _, stderr = call(t, cmd, "", "records")
	if stderr != "cortex-x: open records: no such file or directory\ncortex-x: hint: the commands of cortex-x are status, verify; anything else is a file of records\n" {
		t.Errorf("an unknown command: %s", stderr)
	}
}

func TestEachInput(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte("from file"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(func(_ context.Context, env *Env) error {
		return env.EachInput(func(name string, r io.Reader) error {
			data, err := io.ReadAll(r)
			fmt.Fprintf(env.Stdout, "%s: %s\n", filepath.Base(name), data)
			return err
		})
	})
	if _, stdout, _ := call(t, cmd, "from stdin"); stdout != "stdin: from stdin\n" {
		t.Errorf("no arguments: %q", stdout)
	}
	if _, stdout, _ := call(t, cmd, "from stdin", file, "-"); stdout != "a: from file\nstdin: from stdin\n" {
		t.Errorf("a file and -: %q", stdout)
	}
	status, _, stderr := call(t, cmd, "", filepath.Join(dir, "missing"))
	if status != 2 || !strings.Contains(stderr, "no such file or directory") {
		t.Errorf("a missing file: status %d, stderr %q", status, stderr)
	}
}

// An input without any record is an error, since the command that should have written it has failed.
func TestInputWithoutRecords(t *testing.T) {
	dir := t.TempDir()
	blank := filepath.Join(dir, "blank")
	if err := os.WriteFile(blank, []byte("\n  \r\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := command(func(_ context.Context, env *Env) error {
		return env.EachInput(func(_ string, r io.Reader) error {
			_, err := io.Copy(io.Discard, r)
			return err
		})
	})
	for _, test := range []struct {
		stdin string
		args  []string
		want  string
	}{
		{"", nil, "cortex-x: stdin: no records\ncortex-x: hint: "},
		{" \n\t\r\n", []string{"-"}, "cortex-x: stdin: no records\ncortex-x: hint: "},
		{"{}", []string{"-", blank}, "cortex-x: " + blank + ": no records\ncortex-x: hint: "},
		{"\n\n{}\n", nil, ""},
	} {
		status, _, stderr := call(t, cmd, test.stdin, test.args...)
		if test.want == "" && (status != 0 || stderr != "") || test.want != "" && (status != 2 || !strings.HasPrefix(stderr, test.want)) {
			t.Errorf("%q %q: status %d, %s", test.stdin, test.args, status, stderr)
		}
	}
	// If read fails, only its error is reported.
	cmd.Run = func(_ context.Context, env *Env) error {
		return env.EachInput(func(string, io.Reader) error { return errors.New("gone") })
	}
	if status, _, stderr := call(t, cmd, ""); status != 2 || stderr != "cortex-x: gone\n" {
		t.Errorf("status %d, %s", status, stderr)
	}
}

func TestUnexpectedArgument(t *testing.T) {
	run := func(context.Context, *Env) error { return nil }
	cmd := Command{Name: "cortex-x", Run: run, Commands: []Command{
		{Name: "doctor", Run: run, Flags: func(fs *pflag.FlagSet) { fs.String("root", "", "") }},
		{Name: "show", Run: run},
	}}
	for arg, want := range map[string]string{
		"docter":                 "unexpected argument \"docter\"\ncortex-x: hint: did you mean cortex-x doctor? cortex-x --help shows how to call it\n",
		"lib":                    "unexpected argument \"lib\"\ncortex-x: hint: the commands of cortex-x are doctor, show; cortex-x --help shows how to call it\n",
		"doctor " + os.TempDir(): "unexpected argument \"" + os.TempDir() + "\"\ncortex-x: hint: name a folder with --root\n",
		"show " + os.TempDir():   "unexpected argument \"" + os.TempDir() + "\"\ncortex-x: hint: cortex-x show --help shows how to call it\n",
	} {
		if status, _, stderr := call(t, cmd, "", strings.Fields(arg)...); status != StatusError || stderr != "cortex-x: "+want {
			t.Errorf("%s: %d %s", arg, status, stderr)
		}
	}
}
