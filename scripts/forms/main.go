// Forms compares the sizes of the two formats of the tools' answers: it asks each question for text and for JSON, and
// prints the number of tokens of both.
//
// usage: go run ./scripts/forms --bin DIR --checkouts DIR --index DIR QUESTIONS.jsonl
//
// A line of QUESTIONS is {"repo","tool","arguments"}. CHECKOUTS/REPO holds the repository and INDEX/REPO its store.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"

	"cortex/lib/search/render/brief"
	"cortex/scripts/assistant"
)

type question struct {
	Repo      string         `json:"repo"`
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

func main() {
	fs := pflag.NewFlagSet("forms", pflag.ExitOnError)
	bin := fs.String("bin", "bin", "where cortex-serve is")
	checkouts := fs.String("checkouts", "", "where the repositories are, one `DIR` each")
	index := fs.String("index", "", "where their stores are, one `DIR` each")
	list := fs.Bool("list", false, "print each question")
	_ = fs.Parse(os.Args[1:]) // which exits
	if fs.NArg() != 1 || *checkouts == "" || *index == "" {
		fs.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, fs.Arg(0), *bin, *checkouts, *index, *list); err != nil {
		fmt.Fprintln(os.Stderr, "forms:", err)
		os.Exit(1)
	}
}

// A sum adds up the tokens of several answers in both formats.
type sum struct{ questions, text, json int }

func run(w io.Writer, file, bin, checkouts, index string, list bool) error {
	data, err := os.Open(file)
	if err != nil {
		return err
	}
	defer data.Close()
	ctx, servers, sums := context.Background(), map[string]*assistant.Session{}, map[string]*sum{}
	for dec := json.NewDecoder(data); ; {
		var q question
		if err := dec.Decode(&q); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		s := servers[q.Repo]
		if s == nil {
			s, err = assistant.Start(ctx, exec.Command(filepath.Join(bin, "cortex-serve"), "--quiet", "--no-watch", "--root", filepath.Join(checkouts, q.Repo), "--store", filepath.Join(index, q.Repo)))
			if err != nil {
				return err
			}
			servers[q.Repo] = s
			defer s.Close()
		}
		var tokens [2]int
		for i, format := range []string{"text", "json"} {
			arguments := maps.Clone(q.Arguments)
			arguments["format"] = format
			answer, err := s.Call(ctx, q.Tool, arguments)
			if err != nil {
				return fmt.Errorf("%s %v: %w", q.Repo, q.Arguments, err)
			}
			tokens[i] = brief.Tokens(answer)
		}
		if list {
			fmt.Fprintf(w, "%6d %6d  %s %s %v\n", tokens[0], tokens[1], q.Repo, q.Tool, q.Arguments)
		}
		for _, key := range []string{q.Tool, q.Tool + " of " + q.Repo} {
			if sums[key] == nil {
				sums[key] = &sum{}
			}
			sums[key].questions++
			sums[key].text += tokens[0]
			sums[key].json += tokens[1]
		}
	}
	fmt.Fprintf(w, "%-24s %9s %12s %12s %6s\n", "", "questions", "tokens: text", "tokens: json", "share")
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		s := sums[key]
		fmt.Fprintf(w, "%-24s %9d %12d %12d %6.2f\n", key, s.questions, s.text/s.questions, s.json/s.questions, float64(s.text)/float64(s.json))
	}
	return nil
}
