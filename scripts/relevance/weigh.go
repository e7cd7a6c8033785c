package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"cortex/lib/search"
	"cortex/lib/search/rank"
)

// A trial is a query with all its candidates, which can be ranked again with other weights.
type trial struct {
	set        *set
	query      *labelled
	candidates *rank.Candidates
}

// weigh measures the effect of each signal, and how weights fitted to other repositories perform.
func weigh(ctx context.Context, w io.Writer, sets []*set, mode search.Mode, o options) error {
	var trials []trial
	for _, s := range sets {
		for i := range s.queries {
			q := &s.queries[i]
			candidates, err := s.index.Candidates(ctx, q.Query, mode)
			if err != nil {
				return err
			}
			trials = append(trials, trial{s, q, candidates})
		}
	}
	weights := rank.DefaultRanking().Hybrid
	if mode == search.Keyword {
		weights = rank.DefaultRanking().Lexical
	}
	if o.ablate {
		ablate(w, trials, &weights)
	}
	if !o.fit {
		return ctx.Err()
	}
	fmt.Fprintf(w, "\nleft out     fitted  default\n")
	var fitted, plain float64
	for _, left := range sets {
		var others, own []trial
		for _, t := range trials {
			if t.set == left {
				own = append(own, t)
			} else {
				others = append(others, t)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		best := fit(others, weights)
		a, b := judge(own, &best), judge(own, &weights)
		fitted += a / float64(len(sets))
		plain += b / float64(len(sets))
		fmt.Fprintf(w, "%-20s %.3f %.3f\n", left.Repo, a, b)
	}
	fmt.Fprintf(w, "%-20s %.3f %.3f\n", "mean", fitted, plain)
	return nil
}

// ablate prints the score of the words' BM25 with the decay of repeated files, the gain of each signal added to these,
// and the loss if only that signal is left out.
func ablate(w io.Writer, trials []trial, weights *rank.Weights) {
	var words rank.Weights
	words[rank.Words] = weights[rank.Words]
	all, alone := judge(trials, weights), judge(trials, &words)
	fmt.Fprintf(w, "\nNDCG@10 (chunk) %.4f with all signals, %.4f with words alone\nsignal          weight  alone   without\n", all, alone)
	for _, s := range rank.AllSignals() {
		if weights[s] == 0 {
			continue
		}
		more, less := words, *weights
		more[s], less[s] = weights[s], 0
		fmt.Fprintf(w, "%-14s %+7.2f %+.4f %+.4f\n", s, weights[s], judge(trials, &more)-alone, judge(trials, &less)-all)
	}
}

// judge returns the NDCG@10, averaged over each repository and then over the repositories.
func judge(trials []trial, weights *rank.Weights) float64 {
	scores := make([]float64, len(trials))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, t := range trials {
		group.Go(func() error {
			scores[i] = t.set.ndcg(t.query, t.candidates.Best(weights, depth))
			return nil
		})
	}
	group.Wait()
	sums, counts := map[*set]float64{}, map[*set]int{}
	for i, t := range trials {
		sums[t.set] += scores[i]
		counts[t.set]++
	}
	total := 0.0
	for _, s := range sortedSets(sums) {
		total += sums[s] / float64(counts[s])
	}
	return total / float64(max(len(sums), 1))
}

// sortedSets returns the sets in a fixed order, so that sums of floats do not depend on map order.
func sortedSets(sums map[*set]float64) []*set {
	var list []*set
	for s := range sums {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *set) int {
		if a.Repo < b.Repo {
			return -1
		}
		return 1
	})
	return list
}

// leastGain is the least gain of a step that counts: roughly the effect of one query of four hundred whose answer moves
// from second to first place.
const leastGain = 1e-3

// fit improves the weights by hill climbing: it halves and doubles one weight at a time.
func fit(trials []trial, weights rank.Weights) rank.Weights {
	best := judge(trials, &weights)
	for better := true; better; {
		better = false
		for s := range weights {
			for _, factor := range []float64{0.5, 2} {
				next := weights
				next[s] *= factor
				if got := judge(trials, &next); got > best+leastGain {
					best, weights, better = got, next, true
				}
			}
		}
	}
	return weights
}
