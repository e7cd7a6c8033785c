// Command hostile draws source trees and calls that mean harm, and gives them to the commands.
//
//	go run ./scripts/hostile --for 10m --trees 1000 --calls 3000
//
// A case is a tree, a run of the pipeline over it, and a few calls of the commands and of cortex-serve there. It follows from the
// seed and the number of the case alone, but for the moment at which files change while they are read: --seed 7 --case 123 repeats
// one, and --keep leaves its folder.
//
// A case fails if a command hangs, crashes, ends with a status other than 0, 1 or 2, or takes too much time or memory; if a stage
// writes a line that is no record, the server leaves a request without its answer, or a text for people holds what steers a terminal;
// if anything outside of the tree is shown or changed; or if cortex-store verify finds a fault in an index that nobody tampered with.
//
// text.go draws texts, tree.go source trees, index.go what lies in .cortex, call.go calls of commands, and message.go messages to
// cortex-serve. case.go puts them together; process.go runs commands and judges them.
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

// A hunt is a number of cases with one seed.
type hunt struct {
	seed                     uint64
	trees, calls, only, jobs int
	lasts                    time.Duration
	keep                     bool
	bin, dir                 string
	limits                   usage
	out                      io.Writer
	// Trees are made of sources, and forged indexes of the one in index.
	sources []source
	index   string

	mu                    sync.Mutex
	drawn, called, failed int
	most                  usage
	slowest, largest      string
}

// run draws the cases and returns an error if any failed.
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

// prepare builds the commands and the index of which others are forged.
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

// try draws one case and tells how it failed.
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

// note keeps what a process has used, for the last line.
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
