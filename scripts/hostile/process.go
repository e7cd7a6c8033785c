package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"
)

// usage is the processor time of a process, and its greatest resident memory in bytes.
type usage struct {
	cpu    time.Duration
	memory int64
}

const (
	// idle is how long a process that has all its input may use no processor time before it counts as hanging. A busy
	// disk delays it less.
	idle = 30 * time.Second
	// longest bounds the time of processes whose processor time is unknown.
	longest = 10 * time.Minute
	// maxKept bounds the output that is kept, in bytes.
	maxKept = 64 << 20
)

// A process is one command of the case. The caller may set standard input and output; by default the output is kept.
type process struct {
	c   *hostile
	cmd *exec.Cmd
	// lines says that the output is JSON lines; other output is for people.
	lines bool
	// interrupted says that the process was asked to stop.
	interrupted bool
	kept, said  keeper
	status      int
}

func (c *hostile) process(ctx context.Context, words ...string) *process {
	name := words[0]
	if strings.HasPrefix(name, "cortex-") {
		name = filepath.Join(c.bin, name)
	}
	p := &process{c: c, cmd: exec.CommandContext(ctx, name, words[1:]...)}
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = filepath.Join(c.dir, "tree"), &p.kept, &p.said
	isFor := func(names ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(names, w) })
	}
	p.lines = isFor("cortex-parse", "cortex-chunk", "cortex-embed", "cat", "--json", "--format=json") && !isFor("info", "similar")
	nobody := "http://127.0.0.1:9" // the discard port: no call may reach a service
	p.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(c.dir, "home"), "TMPDIR=" + filepath.Join(c.dir, "tmp"),
		"OLLAMA_HOST=" + nobody, "OPENAI_BASE_URL=" + nobody, "GORACE=" + os.Getenv("GORACE")}
	return p
}

func (p *process) String() string {
	var b strings.Builder
	b.WriteString(filepath.Base(p.cmd.Path))
	for _, w := range p.cmd.Args[1:] {
		fmt.Fprintf(&b, " %.300q", w)
	}
	return b.String()
}

func (p *process) run() error {
	if err := p.cmd.Start(); err != nil {
		return err
	}
	return p.wait()
}

// A keeper keeps the beginning of an output.
type keeper struct{ bytes.Buffer }

func (k *keeper) Write(data []byte) (int, error) {
	k.Buffer.Write(data[:min(len(data), maxKept-k.Len())])
	return len(data), nil
}

// wait waits for the process to end and returns an error if it misbehaved.
func (p *process) wait() error {
	ended := make(chan error, 1)
	go func() { ended <- p.cmd.Wait() }()
	fault, err := p.observe(ended)
	p.status = p.cmd.ProcessState.ExitCode()
	used := usage{cpu: p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()}
	if r, ok := p.cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		if used.memory = r.Maxrss; runtime.GOOS == "linux" {
			used.memory <<= 10
		}
	}
	p.c.note(fmt.Sprintf("%s in case %d", filepath.Base(p.cmd.Path), p.c.number), used)
	if fault == "" {
		fault = p.judge(err, used)
	}
	if fault != "" {
		return fmt.Errorf("%s: %s\n%s", p, fault, p.complaints())
	}
	return nil
}

// observe waits for the process to end. If the process hangs or exceeds a limit, observe kills it and returns the
// fault.
func (p *process) observe(ended chan error) (fault string, err error) {
	begin, last, since := time.Now(), time.Duration(-1), time.Now()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-ended:
			return fault, err
		case <-tick.C:
		}
		used, known := usageOf(p.cmd.Process.Pid)
		if used.cpu != last {
			last, since = used.cpu, time.Now()
		}
		switch most := p.c.limits; {
		case fault != "":
			continue
		case known && time.Since(since) > idle:
			fault = fmt.Sprintf("hangs: it does nothing for %v", idle)
		case time.Since(begin) > longest, used.cpu > most.cpu:
			fault = fmt.Sprintf("takes more than %v of processor time, or %v", most.cpu, longest)
		case used.memory > most.memory+most.memory/4:
			fault = fmt.Sprintf("takes more than %d MB", most.memory>>20)
		default:
			continue
		}
		_ = p.cmd.Process.Signal(syscall.SIGQUIT) // Go then prints the stacks of all goroutines
		time.AfterFunc(time.Second, func() { _ = p.cmd.Process.Kill() })
	}
}

// usageOf returns the current usage of a process (proc(5)).
func usageOf(pid int) (now usage, known bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if err != nil || len(fields) < 22 {
		return usage{}, false
	}
	number := func(field int) int64 {
		n, _ := strconv.ParseInt(fields[field-3], 10, 64) // an invalid number becomes 0, which is below all limits
		return n
	}
	const tick = 10 * time.Millisecond // the same on all Linux systems that Go supports
	return usage{time.Duration(number(14)+number(15)) * tick, number(24) * int64(os.Getpagesize())}, true
}

// crash matches the trace of a crash of Go or C code. styles matches SGR sequences (ECMA-48), the only control
// sequences that the commands write.
var (
	crash  = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: |SIG[A-Z]+: |goroutine \d+ \[|WARNING: DATA RACE|.*(double free|core dumped|AddressSanitizer))`)
	styles = regexp.MustCompile(`\x1b\[[0-9;]*m`)
)

// judge returns what is wrong with the end or the output of the process, "" if nothing is.
func (p *process) judge(err error, used usage) string {
	var exit *exec.ExitError
	out, said := p.kept.Bytes(), p.said.Bytes()
	switch {
	case crash.Match(said):
		return "crashes"
	case err != nil && !errors.As(err, &exit):
		return err.Error()
	case p.status > 2 && !p.interrupted || p.status < 0:
		return p.cmd.ProcessState.String()
	case used.cpu > p.c.limits.cpu || used.memory > p.c.limits.memory:
		return fmt.Sprintf("takes %v of processor time and %d MB", used.cpu, used.memory>>20)
	case bytes.Contains(out, []byte(p.c.canary)) || bytes.Contains(said, []byte(p.c.canary)):
		return "shows what is outside of the tree"
	}
	if p.lines {
		for line := range bytes.Lines(out) {
			if !json.Valid(line) && len(out) < maxKept {
				return fmt.Sprintf("writes a line that is not JSON: %.200q", line)
			}
		}
		out = nil
	}
	for _, data := range [][]byte{out, said} {
		data = styles.ReplaceAll(data, nil)
		for at, size := 0, 0; at < len(data); at += size {
			var r rune
			r, size = utf8.DecodeRune(data[at:])
			// Control characters, characters that change the direction of text, and invisible characters that separate
			// or join words or lines.
			if r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r < 0xa0 || r == 0x061c || r == 0x200b || 0x200e <= r && r <= 0x200f ||
				0x2028 <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 || r == utf8.RuneError && size == 1 {
				return fmt.Sprintf("writes %q for people: %.200q", data[at:at+size], data[max(0, at-80):])
			}
		}
	}
	return ""
}

// complaints returns the standard error of the process. Of stack traces it returns only this module's functions.
func (p *process) complaints() string {
	var b strings.Builder
	trace := crash.Match(p.said.Bytes())
	for line := range strings.Lines(p.said.String()) {
		line = strings.TrimSuffix(line, "\n")
		if b.Len() < 4000 && (!trace || crash.MatchString(line) || strings.HasPrefix(line, "cortex")) {
			fmt.Fprintf(&b, "  %.300s\n", strings.Trim(strconv.QuoteToGraphic(line), `"`))
		}
	}
	return b.String()
}
