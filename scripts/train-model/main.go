// Command train-model makes the embedding model that is built into the commands.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"

	"github.com/spf13/pflag"

	"cortex/lib/embed/bag"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "train-model:", err)
		os.Exit(2)
	}
}

func run() error {
	debug.SetGCPercent(50)
	r := standard()
	list := pflag.String("list", "scripts/train-model/repos.txt", "repositories: name, commit, licence, use")
	repos := pflag.String("repos", "repos", "folder of the checkouts, OWNER+NAME each")
	bin := pflag.String("bin", "bin", "folder of cortex-parse and cortex-chunk")
	cache := pflag.String("cache", "pairs", "folder that keeps the pairs of each repository")
	out := pflag.String("out", "model.bin", "file of the model")
	name := pflag.String("name", "cortex-code-1", "name of the model")
	uses := pflag.StringSlice("evaluate", []string{"dev"}, "uses of the repositories that are asked")
	load := pflag.String("load", "", "evaluate this model, train nothing")
	pflag.IntVar(&r.Dimensions, "dimensions", r.Dimensions, "of vectors")
	pflag.IntVar(&r.Words, "words", r.Words, "size of the vocabulary")
	pflag.IntVar(&r.Title, "title", r.Title, "how often words of the first line count")
	pflag.IntVar(&r.Epochs, "epochs", r.Epochs, "")
	pflag.IntVar(&r.PerEpoch, "per-epoch", r.PerEpoch, "pairs of one repository in an epoch")
	pflag.IntVar(&r.Batch, "batch", r.Batch, "")
	pflag.IntVar(&r.Group, "group", r.Group, "")
	pflag.IntVar(&r.Jobs, "jobs", r.Jobs, "")
	pflag.Float64Var(&r.Temperature, "temperature", r.Temperature, "")
	pflag.Float64Var(&r.Rate, "rate", r.Rate, "")
	pflag.Float64Var(&r.WeightRate, "weight-rate", r.WeightRate, "")
	pflag.Float64Var(&r.Dropout, "dropout", r.Dropout, "")
	pflag.Uint64Var(&r.Seed, "seed", r.Seed, "")
	profile := pflag.String("cpuprofile", "", "")
	shares := pflag.Float64Slice("kinds", r.Kinds[:], "shares of the kinds of pairs")
	pflag.Parse()
	copy(r.Kinds[:], *shares)
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	repositories, err := readList(*list)
	if err != nil {
		return err
	}
	byUse := map[use][]*data{}
	for _, repo := range repositories {
		if repo.Use == useTrain && *load != "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(*cache, repo.folder()+".gob")); err != nil && os.Getenv("PARTIAL") != "" {
			continue
		}
		d, err := collect(repo, *repos, *bin, *cache)
		if err != nil {
			return err
		}
		byUse[repo.Use] = append(byUse[repo.Use], d)
	}
	var encoded []byte
	if *load != "" {
		if encoded, err = os.ReadFile(*load); err != nil {
			return err
		}
	} else {
		train := byUse[useTrain]
		total := 0
		for _, d := range train {
			total += len(d.Pairs)
		}
		words := chooseWords(train, r.Words)
		fmt.Fprintf(os.Stderr, "%d repositories, %d pairs, %d words\n", len(train), total, len(words))
		t := newTrainer(r, words)
		examples := t.examples(train)
		for _, d := range train {
			d.Pairs = nil
		}
		t.train(examples, os.Stderr)
		if encoded, err = t.quantise(*name).Encode(); err != nil {
			return err
		}
		if err := os.WriteFile(*out, encoded, 0o644); err != nil {
			return err
		}
	}
	m, err := bag.Read(encoded)
	if err != nil {
		return err
	}
	var asked []*data
	for _, u := range *uses {
		asked = append(asked, byUse[use(u)]...)
	}
	evaluate(m, asked).write(os.Stdout)
	return nil
}
