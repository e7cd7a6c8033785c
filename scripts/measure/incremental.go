package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// An edit is a change of a file: text is appended to it.
type edit struct{ path, text string }

// A timing collects the durations of the runs of one kind with one build.
type timing struct {
	wall []float64
	cpu  [][]float64 // by stage
}

func (t *timing) add(wall time.Duration, used []usage) {
	t.wall = append(t.wall, wall.Seconds())
	if t.cpu == nil {
		t.cpu = make([][]float64, len(used))
	}
	for i, u := range used {
		t.cpu[i] = append(t.cpu[i], u.cpu.Seconds())
	}
}

func (t *timing) print(name string) {
	fmt.Printf("%-16s %s s wall; s CPU:", name, spread(t.wall))
	for i, cpu := range t.cpu {
		fmt.Printf(" %s %s", strings.TrimPrefix(stages[i], "cortex-"), spread(cpu))
	}
	fmt.Println()
}

func measureIncremental(dir string, bins []string, runs int, e edit) (err error) {
	work, err := os.MkdirTemp("", "cortex-measure-")
	if err != nil {
		return err
	}
	defer func() {
		if gone := os.RemoveAll(work); err == nil {
			err = gone
		}
	}()
	paths, err := copyTree(work, dir)
	if err != nil {
		return err
	}
	if e.path == "" {
		e.path = middle(paths)
	}
	text, err := os.ReadFile(filepath.Join(work, e.path))
	if err != nil {
		return err
	}
	for i := range bins {
		if bins[i], err = filepath.Abs(bins[i]); err != nil {
			return err
		}
	}
	stores, err := os.MkdirTemp("", "cortex-measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stores)
	// Each build has its own store, which it finds as it left it.
	run := func(i int, incremental bool) (time.Duration, []usage, error) {
		store := filepath.Join(stores, fmt.Sprint(i))
		syscall.Sync() // flush writes of earlier runs, so that they do not slow this one
		if !incremental {
			return pipeline(work, bins[i], stages, store)
		}
		return pipeline(work, bins[i], stages, store, "--incremental", "--store", store)
	}
	full := make([]timing, len(bins))
	nothing, changed := make([]timing, len(bins)), make([]timing, len(bins))
	for i := range bins {
		wall, used, err := run(i, false)
		if err != nil {
			return err
		}
		full[i].add(wall, used)
	}
	// The stat cache does not remember files that have just changed.
	time.Sleep(3 * time.Second)
	number := 0
	for round := range runs + 1 {
		for i := range bins {
			number++
			now := fmt.Sprintf("%s%s%s\n", strings.Repeat("\n", 1+number%9), text, strings.ReplaceAll(e.text, "%d", fmt.Sprint(number)))
			if err := os.WriteFile(filepath.Join(work, e.path), []byte(now), 0o644); err != nil {
				return err
			}
			for _, kind := range []*timing{&changed[i], &nothing[i]} {
				wall, used, err := run(i, true)
				if err != nil {
					return err
				}
				if round > 0 { // the first round warms caches
					kind.add(wall, used)
				}
			}
		}
	}
	fmt.Printf("%d files, %s changes, %d runs each, medians (least to most)\n", len(paths), e.path, runs)
	for i, bin := range bins {
		fmt.Println(bin)
		full[i].print("full")
		changed[i].print("one file changed")
		nothing[i].print("nothing changed")
	}
	return nil
}

// copyTree copies the regular files, except those of git and of an index, and returns their paths in order.
func copyTree(to, from string) (paths []string, err error) {
	err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && (d.Name() == ".git" || d.Name() == ".cortex"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		paths = append(paths, rel)
		return os.WriteFile(filepath.Join(to, rel), data, 0o644)
	})
	return paths, err
}

// middle returns the path in the middle of those with the most frequent file ending.
func middle(paths []string) string {
	byEnding := map[string][]string{}
	most := ""
	for _, path := range paths {
		ending := filepath.Ext(path)
		byEnding[ending] = append(byEnding[ending], path)
		if n, m := len(byEnding[ending]), len(byEnding[most]); n > m || n == m && ending < most {
			most = ending
		}
	}
	list := byEnding[most]
	slices.Sort(list)
	return list[len(list)/2]
}
