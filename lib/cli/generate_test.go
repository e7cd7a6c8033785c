package cli

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// A form is the value of a flag that may be one of a few words.
type form string

func (f *form) Set(text string) error { *f = form(text); return nil }
func (f *form) String() string        { return string(*f) }
func (f *form) Type() string          { return "string" }
func (f *form) Choices() []string     { return []string{"json", "text"} }

func documented() Command {
	return Command{
		Name: "cortex-x", Summary: "try what's new", Args: "[FILE...]", Examples: ".hidden 'a' | b\n",
		Flags: func(fs *pflag.FlagSet) {
			fs.StringP("store", "s", "", "write to `DIR` (default: [$HOME]: \\x)")
			fs.Int("limit", 15, "at most `N`")
			fs.String("secret", "", "not told")
			_ = fs.MarkHidden("secret")
		},
		Run: func(context.Context, *Env) error { return nil },
		Commands: []Command{{
			Name: "graph", Summary: `draw "it": all`, Args: "WORD", Words: []string{"callers", "callees"},
			Flags: func(fs *pflag.FlagSet) {
				fs.Bool("deep", false, "go deep")
				fs.VarP(new(form), "format", "f", "write this `FORM`")
			},
		}},
	}
}

func TestGenerate(t *testing.T) {
	for form, wanted := range map[string]string{
		"man":  `\fB\-s\fR, \fB\-\-store\fR \fIDIR\fR` + "\nWrite to DIR (default: [$HOME]: \\ex).\n",
		"bash": `flags="--store --limit --jobs --quiet --help --version"`,
		"zsh":  `'(-s --store)'{-s+,--store=}'[write to DIR (default\: \[$HOME\]\: \\x)]:DIR:_files -/'`,
		"fish": `-s s -l store -x -a '(__fish_complete_directories)' -d 'write to DIR (default: [$HOME]: \\x)'`,
	} {
		status, stdout, stderr := call(t, documented(), "", "--generate", form)
		if status != StatusDone || stderr != "" || !strings.Contains(stdout, wanted) {
			t.Errorf("%s: status %d, %s%s\nwant %s", form, status, stderr, stdout, wanted)
		}
		for _, word := range []string{"graph", "deep", "limit", "jobs", "version"} {
			if !strings.Contains(stdout, word) {
				t.Errorf("%s says nothing of %s", form, word)
			}
		}
		for _, word := range []string{"secret", "generate"} {
			if strings.Contains(stdout, word) {
				t.Errorf("%s tells of %s", form, word)
			}
		}
		if form != "man" && !strings.Contains(stdout, "callers") {
			t.Errorf("%s does not complete words", form)
		}
		// Check the syntax with each shell that is installed.
		if shell, err := exec.LookPath(form); err == nil && form != "man" {
			cmd := exec.Command(shell, "-n", "/dev/stdin")
			cmd.Stdin = strings.NewReader(stdout)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", form, err, out)
			}
		}
	}
	if status, stdout, _ := call(t, documented(), "", "--generate", "man"); status != 0 || !strings.Contains(stdout, "\n\\&.hidden \\(aqa\\(aq | b\n") {
		t.Errorf("a line that begins with a period: %s", stdout)
	}
	if status, stdout, stderr := call(t, documented(), "", "--generate", "tcsh"); status != StatusError || stdout != "" || stderr != "cortex-x: --generate \"tcsh\": expected man, bash, zsh or fish\n" {
		t.Errorf("an unknown form: %d %q %q", status, stdout, stderr)
	}
}

func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	_, script, _ := call(t, documented(), "", "--generate", "bash")
	for line, want := range map[string]string{
		"cortex-x ":                   "graph",
		"cortex-x --st":               "--store",
		"cortex-x graph call":         "callers callees",
		"cortex-x graph --d":          "--deep",
		"cortex-x graph callers x":    "",
		"cortex-x graph --format ":    "json text",
		"cortex-x graph -f j":         "json",
		"cortex-x graph --format =":   "json text",
		"cortex-x graph --format = t": "text",
		"cortex-x --store ":           "",
		"cortex-x --store = x gr":     "graph",
		"cortex-x -s a --limit 3 ":    "graph",
		"cortex-x graph -j ":          "",
		"cortex-x graph -j 2 --deep ": "callers callees",
		"cortex-x -q graph callers -": "--deep --format --jobs --quiet --help --version",
	} {
		words := strings.Split(line, " ")
		cmd := exec.Command(bash, append([]string{"--norc", "-c", script + `COMP_WORDS=("$0" "$@"); COMP_CWORD=$#; _cortex_x; echo "${COMPREPLY[*]}"`}, words...)...)
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSuffix(string(out), "\n"); err != nil || got != want {
			t.Errorf("%q: %q, want %q, %v", line, got, want, err)
		}
	}
}
