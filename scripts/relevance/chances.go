package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"cortex/lib/search"
	"cortex/lib/search/rank"
)

// nonsenseWeight is the weight of a nonsense question relative to a query.
const nonsenseWeight = 0.4

// An observation is the result for one query, and which of the first hits are right.
type observation struct {
	finding rank.Finding
	scores  []float64
	right   []bool
	weight  float64
	half    int
}

// calibrate fits the chances of hits to all queries except those of half 2, and prints how well the chances hold for
// half 2. The arguments are pairs of REPOS and QUERIES, each with its own indexes.
func calibrate(ctx context.Context, w io.Writer, files []string, o options) error {
	nonsense, err := readNonsense(o.nonsense)
	if err != nil {
		return err
	}
	for _, mode := range o.modes {
		var all []observation
		for i := 0; i+1 < len(files); i += 2 {
			own := o
			own.index = filepath.Join(o.index, fmt.Sprint(i/2+1))
			asked := nonsense
			if i > 0 {
				asked = nil // only the first repositories are asked nonsense
			}
			list, err := observe(ctx, files[i], files[i+1], asked, search.Mode(mode), own)
			if err != nil {
				return err
			}
			all = append(all, list...)
		}
		if err := fitChances(w, mode, all); err != nil {
			return err
		}
	}
	return nil
}

// observe asks the queries, and the nonsense in each repository.
func observe(ctx context.Context, reposFile, queriesFile string, nonsense []string, mode search.Mode, o options) ([]observation, error) {
	sets, err := openSets(ctx, reposFile, queriesFile, o)
	if err != nil {
		return nil, err
	}
	defer closeSets(sets)
	var list []observation
	for _, s := range sets {
		for i, text := range nonsense {
			s.queries = append(s.queries, labelled{Query: text, Half: 1 + i%2})
		}
		for _, q := range s.queries {
			c, err := s.index.Candidates(ctx, q.Query, mode)
			if err != nil {
				return nil, err
			}
			places, scores := c.First()
			if len(places) == 0 || mode == search.Auto && !c.Finding.ByMeaning {
				continue
			}
			seen := observation{finding: c.Finding, scores: scores, weight: 1, half: q.Half}
			if len(q.Relevant) == 0 {
				seen.weight = nonsenseWeight
			}
			// If a whole file is the answer, its first place counts.
			seen.right = q.firsts(places, func(h rank.Location, t target) bool { return t.Start == 0 && s.isIn(h, t) || s.isPlace(h, t) })
			list = append(list, seen)
		}
	}
	return list, ctx.Err()
}

// fitChances prints the constants fitted to all observations except those of half 2, and how well they hold for half 2.
func fitChances(w io.Writer, mode string, all []observation) error {
	var fitted, checked []observation
	for _, o := range all {
		if o.half == 2 {
			checked = append(checked, o)
		} else {
			fitted = append(fitted, o)
		}
	}
	var c rank.Calibration
	var err error
	if c.Odds, err = logistic(fitted); err != nil {
		return err
	}
	c.Steepness = steepness(fitted)
	fmt.Fprintf(w, "%s: odds %.2f, steepness %g, fitted to %d questions\n", mode, c.Odds, c.Steepness, len(fitted))
	const bins = 10
	var counts [bins]int
	var said, was [bins]float64
	for _, o := range checked {
		for i, chance := range c.Of(o.finding, o.scores) {
			bin := min(int(chance*bins), bins-1)
			counts[bin]++
			said[bin] += chance
			if o.right[i] {
				was[bin]++
			}
		}
	}
	fmt.Fprintf(w, "chance     hits  said   was   (%d questions of half 2)\n", len(checked))
	for i, n := range counts {
		if n > 0 {
			fmt.Fprintf(w, "%.1f-%.1f %7d  %.3f  %.3f\n", float64(i)/bins, float64(i+1)/bins, n, said[i]/float64(n), was[i]/float64(n))
		}
	}
	return nil
}

// logistic fits the odds that one of the first hits is right, by Newton's method with slight regularization.
func logistic(list []observation) (odds [6]float64, err error) {
	const rounds, shrink = 50, 0.01
	for range rounds {
		var gradient [6]float64
		var curve [6][6]float64
		for i := range curve {
			gradient[i], curve[i][i] = -shrink*odds[i], shrink
		}
		for _, o := range list {
			x := o.finding.Values(o.scores)
			sum := 0.0
			for i := range x {
				sum += odds[i] * x[i]
			}
			p, y := 1/(1+math.Exp(-sum)), 0.0
			if slices.Contains(o.right, true) {
				y = 1
			}
			for i := range x {
				gradient[i] += o.weight * (y - p) * x[i]
				for j := range x {
					curve[i][j] += o.weight * p * (1 - p) * x[i] * x[j]
				}
			}
		}
		step, ok := solve(curve, gradient)
		if !ok {
			return odds, errors.New("fit chances: too few questions")
		}
		for i := range odds {
			odds[i] += step[i]
		}
	}
	return odds, nil
}

// solve solves a system of linear equations by Gaussian elimination.
func solve(a [6][6]float64, b [6]float64) (x [6]float64, ok bool) {
	for i := range a {
		pivot := i
		for k := i + 1; k < len(a); k++ {
			if math.Abs(a[k][i]) > math.Abs(a[pivot][i]) {
				pivot = k
			}
		}
		a[i], a[pivot], b[i], b[pivot] = a[pivot], a[i], b[pivot], b[i]
		if math.Abs(a[i][i]) < 1e-12 {
			return x, false
		}
		for k := i + 1; k < len(a); k++ {
			f := a[k][i] / a[i][i]
			for j := i; j < len(a); j++ {
				a[k][j] -= f * a[i][j]
			}
			b[k] -= f * b[i]
		}
	}
	for i := len(a) - 1; i >= 0; i-- {
		x[i] = b[i]
		for j := i + 1; j < len(a); j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x, true
}

// steepness fits how the chance is distributed over the first hits, using the questions for which exactly one of them
// is right.
func steepness(list []observation) float64 {
	best, most := 0.0, math.Inf(-1)
	for s := 1.0; s <= 60; s++ {
		sum := 0.0
		for _, o := range list {
			at := slices.Index(o.right, true)
			if at < 0 || slices.Contains(o.right[at+1:], true) {
				continue
			}
			all := 0.0
			for _, score := range o.scores {
				all += math.Exp(s * (score - o.scores[0]))
			}
			sum += s*(o.scores[at]-o.scores[0]) - math.Log(all)
		}
		if sum > most {
			best, most = s, sum
		}
	}
	return best
}
