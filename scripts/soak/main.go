// Command soak runs all of Cortex under load: a tree is edited continuously under cortex-parse --watch, the stages and
// the store follow, and cortex-serve answers questions and loads every generation. It compares memory and file
// descriptors at rest after the warm-up and at the end, and fails if they have grown by more than a tenth, or if a
// question fails. It also fails if the least size of the cache in the last third of the time exceeds the least size in
// the first third by more than a tenth. The least size is used because the cache grows with changes since its base, and
// has two bases while a new one is made.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/pflag"

	"cortex/lib/derived"
	"cortex/scripts/assistant"
)

func main() {
	lasts := pflag.Duration("for", 10*time.Minute, "how long, after a warm-up of a fifth of that")
	files := pflag.Int("files", 1000, "number of files of the tree")
	pause := pflag.Duration("pause", 250*time.Millisecond, "time between edits")
	bin := pflag.String("bin", "", "folder of the commands (default: they are built)")
	pflag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *bin, *lasts, *files, *pause); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, bin string, lasts time.Duration, files int, pause time.Duration) error {
	dir, err := os.MkdirTemp("", "cortex-soak-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	root := filepath.Join(dir, "tree")
	if bin == "" {
		bin = filepath.Join(dir, "bin")
		if err := build(ctx, bin); err != nil {
			return err
		}
	} else if bin, err = filepath.Abs(bin); err != nil {
		return err
	}
	t := &tree{root: root, r: rand.New(rand.NewPCG(1, 2))}
	for i := range files {
		if err := t.write(i); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	p, err := start(ctx, bin, root)
	if err != nil {
		cancel()
		return err
	}
	defer p.wait()
	defer cancel()
	s, err := p.serve(ctx, bin, root)
	if err != nil {
		return err
	}
	failed := make(chan error, 2)
	go func() { failed <- s.ask(ctx) }()
	go func() { failed <- t.edit(ctx, pause) }()

	begin := time.Now()
	// rest pauses the edits until everything is loaded, and returns the usage of memory and descriptors then.
	rest := func() ([]sample, error) {
		t.pause.Lock()
		defer t.pause.Unlock()
		var all []sample
		for idle := 0; len(all) < 15; {
			one, err := p.watch(ctx, root, failed)
			if err != nil {
				return nil, err
			}
			if idle++; s.behind.Load() {
				idle, all = 0, nil
			}
			if idle > 10 {
				all = append(all, one)
			}
		}
		return all, nil
	}
	fmt.Printf("%-8s %8s %8s %8s  %s\n", "seconds", "edits", "runs", "queries", "of each process: resident MB (own MB), descriptors; cache MB")
	work := func(until time.Time) (all []sample, err error) {
		for i := 0; time.Now().Before(until); i++ {
			one, err := p.watch(ctx, root, failed)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
			if i%15 == 0 {
				fmt.Printf("%-8.0f %8d %8d %8d  %s\n", time.Since(begin).Seconds(), t.edits.Load(), p.runs.Load(), s.answered.Load(), one)
			}
		}
		return all, nil
	}
	if _, err := work(begin.Add(lasts / 5)); err != nil {
		return err
	}
	first, err := rest()
	if err != nil {
		return err
	}
	worked, err := work(time.Now().Add(lasts))
	if err != nil {
		return err
	}
	last, err := rest()
	if err != nil {
		return err
	}
	fmt.Printf("%d edits, %d runs, %d reloads, %d queries, the slowest %v\n", t.edits.Load(), p.runs.Load(), s.reloads.Load(), s.answered.Load(), time.Duration(s.slowest.Load()).Round(time.Millisecond))
	return compare(p.names, first, last, worked)
}

// build builds the commands in the folder.
func build(ctx context.Context, folder string) error {
	out, err := exec.CommandContext(ctx, "go", "build", "-o", folder+"/", "./cmd/...").CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the commands: %w\n%s", err, out)
	}
	return nil
}

// watch waits a second and returns a sample, or the first error of the goroutines.
func (p *processes) watch(ctx context.Context, root string, failed chan error) (sample, error) {
	select {
	case <-ctx.Done():
		return sample{}, ctx.Err()
	case err := <-failed:
		return sample{}, err
	case <-time.After(time.Second):
	}
	return p.sample(root)
}

// A tree is the tree that is edited.
type tree struct {
	root  string
	r     *rand.Rand
	edits atomic.Int64
	// pause is held while there must be no edits.
	pause sync.Mutex
}

func (t *tree) path(i int) string {
	return filepath.Join(t.root, fmt.Sprintf("pkg%d", i%29), fmt.Sprintf("file%d.go", i))
}

// write writes file i with new text of about the same size.
func (t *tree) write(i int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "package pkg%d\n", i%29)
	for f := range 6 {
		fmt.Fprintf(&b, "\n// Read%dOf%d reads the record %d of the session with a retry.\nfunc Read%dOf%d(buffer []byte) int {\n", f, i, t.r.IntN(1000), f, i)
		for range 8 {
			fmt.Fprintf(&b, "\tif len(buffer) > %d { return handler%d(%d) }\n", t.r.IntN(1e4), t.r.IntN(100), t.r.IntN(1e6))
		}
		b.WriteString("\treturn 0\n}\n")
	}
	path := t.path(i)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(b.String()), 0o666)
}

// edit changes one or many files, or removes a file and restores it, until ctx is done.
func (t *tree) edit(ctx context.Context, pause time.Duration) error {
	count := 0
	for i := 0; ; i++ {
		if _, err := os.Stat(t.path(i)); err != nil {
			count = i
			break
		}
	}
	gone := -1
	for {
		number := t.r.IntN(count)
		var err error
		t.pause.Lock()
		switch {
		case gone >= 0:
			err = t.write(gone)
			gone = -1
		case t.r.IntN(10) == 0:
			gone = number
			err = os.Remove(t.path(number))
		case t.r.IntN(40) == 0:
			for i := 0; i < count && err == nil; i += 20 { // like a checkout
				err = t.write(i)
			}
		default:
			err = t.write(number)
		}
		t.pause.Unlock()
		if err != nil {
			return fmt.Errorf("edit: %w", err)
		}
		t.edits.Add(1)
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}

// processes are the stages and the server.
type processes struct {
	names    []string
	commands []*exec.Cmd
	runs     atomic.Int64
}

// start starts the stages, connected by pipes.
func start(ctx context.Context, bin, root string) (*processes, error) {
	p := &processes{}
	var before *os.File
	for i, words := range [][]string{{"cortex-parse", "--watch", "."}, {"cortex-chunk"}, {"cortex-embed"}, {"cortex-store"}} {
		cmd := p.command(ctx, bin, root, words)
		if before != nil {
			cmd.Stdin = before
		}
		var after, out *os.File
		if i == 3 {
			cmd.Stderr = nil
			said, err := cmd.StderrPipe()
			if err != nil {
				return nil, err
			}
			go func() {
				for lines := bufio.NewScanner(said); lines.Scan(); {
					if strings.Contains(lines.Text(), "in the index: ") {
						p.runs.Add(1)
					} else {
						fmt.Fprintln(os.Stderr, lines.Text())
					}
				}
			}()
		} else {
			var err error
			if after, out, err = os.Pipe(); err != nil {
				return nil, err
			}
			cmd.Stdout = out
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		before.Close()
		out.Close()
		before = after
	}
	for p.runs.Load() == 0 {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		time.Sleep(10 * time.Millisecond)
	}
	return p, nil
}

func (p *processes) command(ctx context.Context, bin, root string, words []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(bin, words[0]), words[1:]...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	p.names = append(p.names, words[0])
	p.commands = append(p.commands, cmd)
	return cmd
}

func (p *processes) wait() {
	for _, cmd := range p.commands {
		_ = cmd.Wait() // they were killed
	}
}

// A client is the session that asks the server, with its counts.
type client struct {
	session  *assistant.Session
	answered atomic.Int64
	slowest  atomic.Int64
	reloads  atomic.Int64
	// behind says that the server has not yet loaded the latest generation.
	behind atomic.Bool
}

var reloads = regexp.MustCompile(`reloads":(\d+)`)

func (p *processes) serve(ctx context.Context, bin, root string) (*client, error) {
	session, err := assistant.Start(ctx, p.command(ctx, bin, root, []string{"cortex-serve", "--no-watch"}))
	return &client{session: session}, err
}

// ask asks one question after another until ctx is done.
func (c *client) ask(ctx context.Context) error {
	for i := 0; ctx.Err() == nil; i++ {
		tool, query := "cortex_exact", fmt.Sprintf("handler%d OR Read1Of%d", i%100, i%500)
		if i%3 == 0 {
			tool, query = "cortex_search", fmt.Sprintf("where is record %d of the session read with a retry", i%1000)
		}
		start := time.Now()
		answer, err := c.session.Call(ctx, tool, map[string]any{"query": query, "include_stats": i%50 == 0})
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("ask %s: %w", query, err)
		}
		c.slowest.Store(max(c.slowest.Load(), int64(time.Since(start))))
		c.answered.Add(1)
		if found := reloads.FindStringSubmatch(answer); found != nil {
			n, _ := strconv.Atoi(found[1])
			c.reloads.Store(int64(n))
			c.behind.Store(strings.Contains(answer, `newer_generation"`) || strings.Contains(answer, `loading":true`))
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

// A sample is the usage of the processes: resident and own memory in bytes and number of descriptors of each, and the
// size of the cache in bytes.
type sample struct {
	resident, own, descriptors []float64
	cache                      float64
}

func (p *processes) sample(root string) (sample, error) {
	var s sample
	for i, cmd := range p.commands {
		proc := fmt.Sprintf("/proc/%d/", cmd.Process.Pid)
		status, err := os.ReadFile(proc + "status")
		if err != nil {
			return s, fmt.Errorf("%s has ended: %w", p.names[i], err)
		}
		open, err := os.ReadDir(proc + "fd")
		if err != nil {
			return s, fmt.Errorf("%s has ended: %w", p.names[i], err)
		}
		s.resident = append(s.resident, field(status, "VmRSS:"))
		s.own = append(s.own, field(status, "RssAnon:"))
		s.descriptors = append(s.descriptors, float64(len(open)))
	}
	cache, err := derived.Path(filepath.Join(root, ".cortex"))
	if err != nil {
		return s, err
	}
	err = filepath.WalkDir(cache, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // the file may have been removed meanwhile
		}
		if info, err := d.Info(); err == nil {
			s.cache += float64(info.Size())
		}
		return nil
	})
	return s, err
}

// field returns a field of /proc/PID/status, converted from kilobytes to bytes.
func field(status []byte, name string) float64 {
	_, rest, _ := strings.Cut(string(status), name)
	words := strings.Fields(rest)
	if len(words) == 0 {
		return 0
	}
	n, _ := strconv.ParseFloat(words[0], 64)
	return n * 1024
}

func (s sample) String() string {
	var b strings.Builder
	for i := range s.resident {
		fmt.Fprintf(&b, "%.0f (%.0f), %.0f; ", s.resident[i]/1e6, s.own[i]/1e6, s.descriptors[i])
	}
	fmt.Fprintf(&b, "%.1f", s.cache/1e6)
	return b.String()
}

// allowed is the factor by which usage may grow. A heap grows by 4 MiB between two garbage collections however small it
// is (package runtime, GOGC), so a single process may also grow by heap, but all together may not.
const (
	allowed = 1.1
	heap    = 4 << 20
)

// compare compares the usage at rest at the beginning and at the end, and the size of the cache in between.
func compare(names []string, first, last, worked []sample) error {
	var grown []string
	compared := func(what string, slack, before, after float64) {
		fmt.Printf("%-26s %12.0f %12.0f %+6.1f %%\n", what, before, after, 100*(after/max(before, 1)-1))
		if after > max(before*allowed, before+slack) {
			grown = append(grown, what)
		}
	}
	check := func(what string, slack float64, of func(sample) float64) {
		compared(what, slack, median(first, of), median(last, of))
	}
	for i, name := range names {
		check(name+" resident", heap, func(s sample) float64 { return s.resident[i] })
		check(name+" own", heap, func(s sample) float64 { return s.own[i] })
		check(name+" descriptors", 0, func(s sample) float64 { return s.descriptors[i] })
	}
	check("all resident", 0, func(s sample) float64 { return sum(s.resident) })
	check("all own", 0, func(s sample) float64 { return sum(s.own) })
	third := len(worked) / 3
	compared("cache, least", 0, leastCache(worked[:third]), leastCache(worked[len(worked)-third:]))
	if len(grown) > 0 {
		return fmt.Errorf("grown by more than a tenth: %s", strings.Join(grown, ", "))
	}
	return nil
}

func leastCache(samples []sample) float64 {
	least := math.Inf(1)
	for _, s := range samples {
		least = min(least, s.cache)
	}
	return least
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

func median(samples []sample, of func(sample) float64) float64 {
	var values []float64
	for _, s := range samples {
		values = append(values, of(s))
	}
	slices.Sort(values)
	if len(values) == 0 {
		return 0
	}
	return values[len(values)/2]
}
