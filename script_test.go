package cortex_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"cortex/lib/derived"
	"cortex/lib/derived/derivedtest"
)

// bin is where TestMain puts the commands.
var bin string

func TestMain(m *testing.M) {
	// Each command with a race detector would wait a second before it ends.
	os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE"))
	// Half of the time of what runs at once is waiting: for files to come to rest, for services, for the disk.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	status, err := buildAndRun(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}

func buildAndRun(m *testing.M) (int, error) {
	dir, err := os.MkdirTemp("", "cortex-bin-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	bin = dir
	// Tests that run the commands by themselves share a folder for derived files.
	if err := errors.Join(os.Setenv(derived.Variable, filepath.Join(dir, "cache")), os.Setenv("XDG_RUNTIME_DIR", dir)); err != nil {
		return 0, err
	}
	// The go command caches a pass by the files that the test reads, and what the
	// compiler reads does not count.
	for _, tree := range []string{"cmd", "lib"} {
		if err := readAll(tree); err != nil {
			return 0, err
		}
	}
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", dir, "./cmd/...")
	if out, err := build.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("build the commands: %w\n%s", err, out)
	}
	if err := derivedtest.UseMemory(); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

func readAll(tree string) error {
	return filepath.WalkDir(tree, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(io.Discard, f)
		return err
	})
}

// TestScripts runs the cases in testdata/script: every command on the command line, as a
// user would call it. UPDATE_GOLDEN=1 rewrites the outputs in them.
func TestScripts(t *testing.T) {
	embedders := &servers{running: map[*testscript.TestScript]*exec.Cmd{}}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE_GOLDEN") != "",
		RequireExplicitExec: true,
		Setup:               scriptEnvironment,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":      wantStatus,
			"sh":          shell,
			"session":     session,
			"embedserver": embedders.start,
			"stopserver":  embedders.stop,
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "root":
				return os.Geteuid() == 0, nil
			case "namespaces":
				return hasNamespaces(), nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
	})
}

// scriptEnvironment is what every script has: the commands, and a home and a cache of its own.
func scriptEnvironment(env *testscript.Env) error {
	env.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	env.Setenv("GORACE", os.Getenv("GORACE"))
	env.Setenv("SOURCE_DATE_EPOCH", "1767225600")
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("XDG_RUNTIME_DIR", bin)
	docs, err := filepath.Abs("docs")
	if err != nil {
		return err
	}
	env.Setenv("DOCS", docs)
	env.Setenv(derived.Variable, filepath.Join(env.WorkDir, "home", "cache"))
	return nil
}

// wantStatus is `status N COMMAND [ARG...]`: it runs the command and demands the exit status N.
func wantStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	if got := exitStatus(err); got != args[0] {
		ts.Fatalf("%s: exit status %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}

// shell is `sh N SCRIPT`: it runs the script with bash and pipefail and demands the
// exit status N.
func shell(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sh N 'SCRIPT'")
	}
	err := ts.Exec("bash", "-o", "pipefail", "-c", args[1])
	if got := exitStatus(err); got != args[0] {
		ts.Fatalf("%s: exit status %s, want %s", args[1], got, args[0])
	}
}

// session is `session N FILE COMMAND [ARG...]`: it gives the messages of the file to a server and ends its input after
// N lines of output, however long these take.
func session(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: session N FILE COMMAND [ARG...]")
	}
	const script = `n=$1 in=$2 out=$WORK/.answers; shift 2; : >"$out"
{ cat "$in"; for i in $(seq 1200); do [ "$(wc -l <"$out")" -ge "$n" ] && break; sleep 0.05; done; } | "$@" >>"$out" || exit
cat "$out"`
	if err := ts.Exec("bash", append([]string{"-c", script, "session"}, args...)...); err != nil {
		ts.Fatalf("%s: %v", strings.Join(args[2:], " "), err)
	}
}

func exitStatus(err error) string {
	if err == nil {
		return "0"
	}
	if exit, ok := err.(*exec.ExitError); ok {
		if wait, ok := exit.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
			return wait.Signal().String()
		}
		return fmt.Sprint(exit.ExitCode())
	}
	return err.Error()
}

// commands lists the commands in the order of the pipeline.
var commands = []string{"cortex-parse", "cortex-chunk", "cortex-embed", "cortex-store", "cortex-serve", "cortex-query"}

func TestEveryCommandHasHelpOfOneScreen(t *testing.T) {
	for _, name := range commands {
		out, err := exec.Command(filepath.Join(bin, name), "--help").Output()
		if err != nil {
			t.Errorf("%s --help: %v", name, err)
			continue
		}
		text := string(out)
		if lines := strings.Count(text, "\n"); lines > 48 {
			t.Errorf("%s --help: %d lines do not fit a screen", name, lines)
		}
		for _, want := range []string{name + ": ", "usage: " + name, "--jobs", "--quiet", "--version", "\nexamples:\n  "} {
			if !strings.Contains(text, want) {
				t.Errorf("%s --help: no %q in it", name, want)
			}
		}
		for line := range strings.Lines(text) {
			if len([]rune(line)) > 121 {
				t.Errorf("%s --help: a line of %d characters: %s", name, len(line), line)
			}
		}
		version, err := exec.Command(filepath.Join(bin, name), "--version").Output()
		if err != nil || !strings.HasPrefix(string(version), name+" 0.") {
			t.Errorf("%s --version: %q, %v", name, version, err)
		}
	}
}

func TestMainsHoldNoLogic(t *testing.T) {
	for _, name := range commands {
		file := filepath.Join("cmd", name, "main.go")
		data, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
			continue
		}
		if lines := strings.Count(string(data), "\n"); lines > 60 {
			t.Errorf("%s: %d lines, want at most 60", file, lines)
		}
	}
}
