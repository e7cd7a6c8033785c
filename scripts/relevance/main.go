// Relevance measures the ranking of search: it indexes repositories, asks questions whose answers are known, and prints
// NDCG@10, MRR, and how often a right file or place is among the first hits.
//
// usage: go run ./scripts/relevance --checkouts DIR [flags] REPOS.jsonl QUERIES.jsonl
// or: go run ./scripts/relevance --from-commits DIR GITDIR...
//
// A line of REPOS is {"repo","revision","root","language"}. DIR/REPO holds the repository at its revision, and its
// folder root is indexed. A line of QUERIES is
// {"repo","query","category","relevant":[{"path","start_line","end_line"}]}.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"github.com/spf13/pflag"
)

const usage = `usage: go run ./scripts/relevance --checkouts DIR [flags] REPOS.jsonl QUERIES.jsonl
       go run ./scripts/relevance --calibrate --checkouts DIR [flags] REPOS.jsonl QUERIES.jsonl [REPOS.jsonl QUERIES.jsonl]...
       go run ./scripts/relevance --from-commits DIR GITDIR...

Indexes each repository and asks every query. Prints NDCG@10 over hits as returned (chunk) and with
repeated files left out (file), MRR of the first right file, for how many questions one is among the first 1, 5 and 10
(file1 ...), the same for the right definitions (place1 ...), and their MRR, by category, language and repository.

`

// options are the flags.
type options struct {
	checkouts, bin, index string
	modes                 []string
	only                  []string
	losers                int
	explain, ablate, fit  bool
	calibrate             bool
	golden                string
	half                  int
	nonsense              string
	fromCommits           string
}

func main() {
	var o options
	fs := pflag.NewFlagSet("relevance", pflag.ContinueOnError)
	fs.StringVar(&o.checkouts, "checkouts", "", "where the repositories are, one `DIR` each by the name in REPOS")
	fs.StringVar(&o.bin, "bin", "bin", "where the commands are that index")
	fs.StringVar(&o.index, "index", "", "keep the indexes in `DIR` and use those that are there (default: make them anew)")
	fs.StringSliceVar(&o.modes, "mode", []string{"auto"}, "how to search: auto, keyword, semantic, hybrid, fusion; several are compared")
	fs.StringSliceVar(&o.only, "repo", nil, "only these repositories")
	fs.IntVar(&o.half, "half", 0, "only the queries of that `HALF`, 1 or 2 (default: all)")
	fs.IntVar(&o.losers, "losers", 0, "list the `N` queries that do worst")
	fs.BoolVar(&o.explain, "explain", false, "with --losers: the signals of the first hits and of the best relevant one")
	fs.BoolVar(&o.ablate, "ablate", false, "measure with each signal left out in turn")
	fs.BoolVar(&o.fit, "leave-one-out", false, "fit the weights on all repositories but one, and measure on that one, in turn")
	fs.BoolVar(&o.calibrate, "calibrate", false, "fit the chances of hits to all queries but those of half 2 and to --nonsense, and tell how far they hold for half 2")
	fs.StringVar(&o.golden, "golden", "", "write ranks to `FILE`, by which a change of ranking shows")
	fs.StringVar(&o.nonsense, "nonsense", "", "also ask every repository each line of `FILE`, and count the answers that begin with doubt: to these, to the queries, and to those of another repository")
	fs.StringVar(&o.fromCommits, "from-commits", "", "write REPOS and QUERIES of fixes in the history of the git folders to `DIR`")
	fs.Usage = func() { fmt.Fprint(os.Stderr, usage, fs.FlagUsages()) }
	switch err := fs.Parse(os.Args[1:]); {
	case errors.Is(err, pflag.ErrHelp):
		return
	case err == nil && o.fromCommits != "":
		if err := commits(o.fromCommits, fs.Args(), 1500, 40); err != nil {
			fmt.Fprintln(os.Stderr, "relevance:", err)
			os.Exit(2)
		}
		return
	case err != nil || fs.NArg() != 2 && !(o.calibrate && fs.NArg()%2 == 0 && fs.NArg() > 0) || o.checkouts == "":
		if err != nil {
			fmt.Fprintln(os.Stderr, "relevance:", err)
		}
		fs.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, fs.Args(), o); err != nil {
		fmt.Fprintln(os.Stderr, "relevance:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, files []string, o options) error {
	var err error
	if o.bin, err = filepath.Abs(o.bin); err != nil {
		return err
	}
	if o.index == "" {
		if o.index, err = os.MkdirTemp("", "cortex-relevance-"); err != nil {
			return err
		}
		defer os.RemoveAll(o.index)
	}
	if o.calibrate {
		return calibrate(ctx, os.Stdout, files, o)
	}
	sets, err := openSets(ctx, files[0], files[1], o)
	if err != nil {
		return err
	}
	defer closeSets(sets)
	return report(ctx, os.Stdout, sets, o)
}
