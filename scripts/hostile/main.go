// Command hostile generates source trees and calls that try to do harm, and runs the commands on them.
//
//	go run ./scripts/hostile --for 10m --trees 1000 --calls 3000
//
// A case is a tree, a run of the pipeline over it, and a few calls of the commands and of cortex-serve in it. The seed
// and the number of the case determine the case completely, except for the moments at which files change while they are
// read. --seed 7 --case 123 repeats a case, and --keep keeps its folder.
//
// A case fails in any of these events: a command hangs, crashes, ends with a status other than 0, 1 or 2, or takes too
// much time or memory; a stage writes a line that is no record; the server leaves a request unanswered; a text for
// people has control characters; anything outside of the tree is shown or changed; cortex-store verify finds a fault in
// an index that nobody tampered with.
//
// text.go generates texts, tree.go source trees, index.go the content of .cortex, call.go calls of commands, and
// message.go messages to cortex-serve. case.go puts them together; process.go runs commands and checks their results.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"
)

func main() {
	h := hunt{out: os.Stdout, limits: usage{time.Minute, 1 << 30}}
	pflag.DurationVar(&h.lasts, "for", 10*time.Minute, "begin no case after this time")
	pflag.Uint64Var(&h.seed, "seed", rand.Uint64(), "what the drawing begins with (default: a random number)")
	pflag.IntVar(&h.trees, "trees", 1000, "number of trees, each a case")
	pflag.IntVar(&h.calls, "calls", 3000, "number of calls, spread over the cases")
	pflag.IntVar(&h.only, "case", -1, "draw this case alone")
	pflag.IntVar(&h.jobs, "jobs", 2, "number of cases at once")
	pflag.BoolVar(&h.keep, "keep", false, "keep the folders of cases that fail")
	pflag.StringVar(&h.bin, "bin", "", "folder of the commands, which are built if it lacks them")
	pflag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := h.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "hostile:", err)
		os.Exit(1)
	}
}

// A hunt is a number of cases with the same seed.
type hunt struct {
	seed                     uint64
	trees, calls, only, jobs int
	lasts                    time.Duration
	keep                     bool
	bin, dir                 string
	limits                   usage
	out                      io.Writer
	// sources are the files from which trees are made. index is the index from which others are forged.
	sources []source
	index   string

	mu                    sync.Mutex
	drawn, called, failed int
	most                  usage
	slowest, largest      string
}

// run runs the cases and returns an error if any failed.
func (h *hunt) run(ctx context.Context) (err error) {
	fmt.Fprintf(h.out, "seed %d\n", h.seed)
	if h.dir, err = os.MkdirTemp("", "cortex-hostile-"); err != nil {
		return err
	}
	defer func() {
		if !h.keep || h.failed == 0 {
			err = errors.Join(err, os.RemoveAll(h.dir))
		}
	}()
	if err := h.prepare(ctx); err != nil {
		return err
	}
	begin := time.Now()
	var cases errgroup.Group
	cases.SetLimit(h.jobs)
	for n := 0; n < h.trees && ctx.Err() == nil && time.Since(begin) < h.lasts; n++ {
		if h.only < 0 || h.only == n {
			cases.Go(func() error { h.try(ctx, n); return nil })
		}
	}
	cases.Wait()
	fmt.Fprintf(h.out, "%d trees, %d calls and messages, %d cases failed; most processor time: %.1f s (%s), most memory: %d MB (%s)\n",
		h.drawn, h.called, h.failed, h.most.cpu.Seconds(), h.slowest, h.most.memory>>20, h.largest)
	if h.failed > 0 {
		return fmt.Errorf("%d cases failed", h.failed)
	}
	return ctx.Err()
}

// prepare builds the commands and the index from which others are forged.
func (h *hunt) prepare(ctx context.Context) error {
	top, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "cortex").Output()
	if err != nil {
		return fmt.Errorf("find the sources: %w", err)
	}
	if h.bin == "" {
		h.bin = filepath.Join(h.dir, "bin")
	}
	if h.bin, err = filepath.Abs(h.bin); err != nil {
		return err
	}
	repository := strings.TrimSpace(string(top))
	if _, err := os.Stat(filepath.Join(h.bin, "cortex-parse")); err != nil {
		build := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", h.bin+"/", "./cmd/...")
		build.Dir = repository
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build the commands: %w\n%s", err, out)
		}
	}
	if h.sources, err = readSources(filepath.Join(repository, "lib", "parse", "testdata")); err != nil {
		return err
	}
	return h.makeIndex(ctx)
}

// try runs one case and prints why it failed.
func (h *hunt) try(ctx context.Context, number int) {
	c, err := h.newCase(number)
	if err == nil {
		err = c.play(ctx)
	}
	if ctx.Err() != nil {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drawn++
	if err != nil {
		h.failed++
		fmt.Fprintf(h.out, "case %d fails: %v\nagain: go run ./scripts/hostile --seed %d --trees %d --calls %d --case %d --keep\n", number, err, h.seed, h.trees, h.calls, number)
	}
	if err != nil && h.keep {
		fmt.Fprintf(h.out, "kept in %s\n", c.dir)
	} else if err := os.RemoveAll(c.dir); err != nil {
		fmt.Fprintln(h.out, err)
	}
}

// note records the greatest usage of all processes, for the last line.
func (h *hunt) note(what string, used usage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if used.cpu > h.most.cpu {
		h.most.cpu, h.slowest = used.cpu, what
	}
	if used.memory > h.most.memory {
		h.most.memory, h.largest = used.memory, what
	}
}
