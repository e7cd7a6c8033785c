// Measure times the whole pipeline and parsing alone, alternately. It prints the wall time of both with their ratio,
// and the CPU time and peak memory of each stage.
//
// usage: go run ./scripts/measure [--runs N] [--bin DIR] DIR
//
// With --incremental it times incremental runs in a copy of the tree, without a change and after a change of one file.
// If --bin names several builds, they run alternately. The file is --file, or one in the middle. The change puts blank
// lines before the file's text and --append after it, in which %d is the number of the run.
//
// usage: go run ./scripts/measure --incremental [--runs N] [--bin DIR,DIR...] [--file PATH] [--append TEXT] DIR
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/pflag"
)

var stages = []string{"cortex-parse", "cortex-chunk", "cortex-embed", "cortex-store"}

// A usage is the CPU time and peak memory of one process.
type usage struct {
	cpu time.Duration
	rss int64 // KiB
}

func main() {
	runs := pflag.Int("runs", 5, "how often each of the two is run")
	bin := pflag.StringSlice("bin", []string{"bin"}, "where the commands are")
	incremental := pflag.Bool("incremental", false, "time what follows a change of one file")
	var e edit
	pflag.StringVar(&e.path, "file", "", "the file that changes")
	pflag.StringVar(&e.text, "append", "", "text that it gets at its end")
	pflag.Parse()
	if pflag.NArg() != 1 || len(*bin) == 0 || len(*bin) > 1 && !*incremental {
		fmt.Fprintln(os.Stderr, "usage: go run ./scripts/measure [--incremental] [--runs N] [--bin DIR] [--file PATH] [--append TEXT] DIR")
		os.Exit(2)
	}
	var err error
	if *incremental {
		err = measureIncremental(pflag.Arg(0), *bin, *runs, e)
	} else {
		err = measure(pflag.Arg(0), (*bin)[0], *runs)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(2)
	}
}

func measure(dir, bin string, runs int) error {
	bin, err := filepath.Abs(bin)
	if err != nil {
		return err
	}
	var alone, whole, ratios []float64
	perStage := make([][]usage, len(stages))
	// The first round warms the file cache and does not count.
	for round := range runs + 1 {
		parseWall, _, err := pipeline(dir, bin, stages[:1], "")
		if err != nil {
			return err
		}
		store, err := os.MkdirTemp("", "cortex-measure-")
		if err != nil {
			return err
		}
		wholeWall, used, err := pipeline(dir, bin, stages, filepath.Join(store, ".cortex"))
		if err := errors.Join(err, os.RemoveAll(store)); err != nil {
			return err
		}
		if round == 0 {
			continue
		}
		alone = append(alone, parseWall.Seconds())
		whole = append(whole, wholeWall.Seconds())
		ratios = append(ratios, wholeWall.Seconds()/parseWall.Seconds())
		for i, u := range used {
			perStage[i] = append(perStage[i], u)
		}
	}
	fmt.Printf("%d runs each, %d cores, medians (least to most)\n", runs, runtime.NumCPU())
	fmt.Printf("%-14s %s s wall\n", "parse alone", spread(alone))
	fmt.Printf("%-14s %s s wall\n", "pipeline", spread(whole))
	fmt.Printf("%-14s %s\n", "ratio", spread(ratios))
	for i, name := range stages {
		var cpu, rss []float64
		for _, u := range perStage[i] {
			cpu = append(cpu, u.cpu.Seconds())
			rss = append(rss, float64(u.rss)/1024)
		}
		fmt.Printf("%-14s %s s CPU, %s MiB peak\n", name, spread(cpu), spread(rss))
	}
	return nil
}

// spread formats the median with the least and the greatest value.
func spread(values []float64) string {
	slices.Sort(values)
	return fmt.Sprintf("%.2f (%.2f-%.2f)", values[len(values)/2], values[0], values[len(values)-1])
}

// pipeline runs the stages over dir, connected by pipes. The output of the last is discarded, or goes to the store.
// flags are for the first stage.
func pipeline(dir, bin string, names []string, store string, flags ...string) (time.Duration, []usage, error) {
	var cmds []*exec.Cmd
	var ends []io.Closer
	var input *os.File
	for i, name := range names {
		cmd := exec.Command(filepath.Join(bin, name), "--quiet")
		cmd.Dir, cmd.Stderr = dir, os.Stderr
		if input != nil {
			cmd.Stdin = input
		}
		if i == 0 {
			cmd.Args = append(cmd.Args, flags...)
		}
		if name == "cortex-store" {
			cmd.Args = append(cmd.Args, "--store", store)
		}
		if i < len(names)-1 {
			r, w, err := os.Pipe()
			if err != nil {
				return 0, nil, err
			}
			cmd.Stdout, input = w, r
			ends = append(ends, r, w)
		}
		cmds = append(cmds, cmd)
	}
	start := time.Now()
	for _, cmd := range cmds {
		if err := cmd.Start(); err != nil {
			return 0, nil, err
		}
	}
	for _, end := range ends {
		end.Close()
	}
	used := make([]usage, len(cmds))
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			return 0, nil, fmt.Errorf("%s: %w", names[i], err)
		}
		state := cmd.ProcessState
		used[i].cpu = state.UserTime() + state.SystemTime()
		if ru, ok := state.SysUsage().(*syscall.Rusage); ok {
			used[i].rss = ru.Maxrss
			if runtime.GOOS == "darwin" {
				used[i].rss /= 1024
			}
		}
	}
	return time.Since(start), used, nil
}
