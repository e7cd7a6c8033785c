package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"

	"cortex/lib/embed"
	"cortex/lib/embed/bag"
	"cortex/lib/record"
)

// A labelled query is a line of QUERIES, in the format of scripts/relevance.
type labelled struct {
	Repo     string `json:"repo"`
	Query    string `json:"query"`
	Relevant []struct {
		Path  string `json:"path"`
		Start int    `json:"start_line"`
		End   int    `json:"end_line"`
	} `json:"relevant"`
}

// labelledSetting is the setting for ranking chunks.
var labelledSetting = setting{"labelled question to chunk", 0.5, 0.5, 100}

// labelledFigures asks labelled queries and writes the NDCG@10 of the chunks found, as the mean over repositories. Each
// relevant target counts once. The ranking uses only the scores.
func labelledFigures(w io.Writer, m *bag.Model, bin, checkouts, reposFile, queriesFile string) error {
	type source struct {
		Repo, Root string
	}
	repos, err := readLines[source](reposFile)
	if err != nil {
		return err
	}
	queries, err := readLines[labelled](queriesFile)
	if err != nil {
		return err
	}
	sums := make([]float64, len(methods))
	for _, r := range repos {
		chunks, err := chunksOf(bin, filepath.Join(checkouts, r.Repo, r.Root))
		if err != nil {
			return fmt.Errorf("chunks of %s: %w", r.Repo, err)
		}
		var passages []string
		for _, c := range chunks {
			passages = append(passages, embed.Text(c))
		}
		scorers := newScorers(m, passages, nil, labelledSetting, false)
		means, asked := make([]float64, len(methods)), 0.0
		for _, q := range queries {
			if q.Repo != r.Repo {
				continue
			}
			asked++
			for i, scores := range allScores(scorers, q.Query, nil, labelledSetting) {
				means[i] += ndcg(top(scores, 10), chunks, r.Root, q)
			}
		}
		for i := range sums {
			sums[i] += 100 * means[i] / max(1, asked) / float64(len(repos))
		}
	}
	fmt.Fprintf(w, "### labelled questions\n\n%d questions with labels about %d repositories, NDCG@10 of chunks by the scores alone, mean over repositories:", len(queries), len(repos))
	for i, name := range methods {
		fmt.Fprintf(w, " %s %.1f", name, sums[i])
	}
	fmt.Fprintln(w, ".")
	return nil
}

// ndcg returns the normalised discounted cumulative gain of a ranking of chunks. root is the indexed folder of the
// repository.
func ndcg(ranking []int32, chunks []*record.Chunk, root string, q labelled) float64 {
	found := make([]bool, len(q.Relevant))
	gain, best := 0.0, 0.0
	for rank, i := range ranking {
		m := &chunks[i].Metadata
		for k, t := range q.Relevant {
			if !found[k] && path.Join(root, m.FilePath) == t.Path && (t.Start == 0 || m.StartLine <= t.End && t.Start <= m.EndLine) {
				found[k] = true
				gain += 1 / math.Log2(float64(rank+2))
			}
		}
	}
	for rank := range min(10, len(q.Relevant)) {
		best += 1 / math.Log2(float64(rank+2))
	}
	return gain / best
}

func readLines[T any](file string) ([]T, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []T
	for d := json.NewDecoder(bytes.NewReader(data)); d.More(); {
		var one T
		if err := d.Decode(&one); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		all = append(all, one)
	}
	return all, nil
}
