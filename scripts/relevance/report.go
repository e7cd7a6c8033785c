package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"cortex/lib/search"
	"cortex/lib/search/rank"
)

// An outcome is the result of one query.
type outcome struct {
	set   *set
	query *labelled
	hits  []search.Hit
	score score
	// doubt says that the answer declares itself a guess, far that nothing in it is near in meaning.
	doubt, far bool
}

func report(ctx context.Context, w io.Writer, sets []*set, o options) error {
	fmt.Fprintf(w, "%-20s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n", "mean", "chunk", "file", "MRR", "file1", "file5", "file10", "place1", "place5", "place50", "pMRR")
	var last []outcome
	for _, mode := range o.modes {
		outcomes, err := ask(ctx, sets, search.Mode(mode))
		if err != nil {
			return err
		}
		row(w, mode, mean(outcomes, func(o outcome) string { return o.set.Repo }))
		last = outcomes
	}
	groups(w, "category", last, func(o outcome) string { return o.query.Category })
	groups(w, "language", last, func(o outcome) string { return o.set.Language })
	groups(w, "repository", last, func(o outcome) string { return o.set.Repo })
	mode := search.Mode(o.modes[len(o.modes)-1])
	if o.nonsense != "" {
		if err := doubts(ctx, w, sets, last, mode, o.nonsense); err != nil {
			return err
		}
	}
	if o.losers > 0 {
		losers(w, last, o)
	}
	if o.ablate || o.fit {
		if err := weigh(ctx, w, sets, mode, o); err != nil {
			return err
		}
	}
	if o.golden != "" {
		return os.WriteFile(o.golden, golden(last), 0o644)
	}
	return nil
}

// doubts prints how many answers say that they are guesses, and how many that nothing is near in meaning: those to
// queries, where that is wrong, to the queries of another repository, of which most have no answer here, and to nonsense.
func doubts(ctx context.Context, w io.Writer, sets []*set, answered []outcome, mode search.Mode, file string) error {
	lines, err := readNonsense(file)
	if err != nil {
		return err
	}
	var nonsense, foreign []*set
	for i, s := range sets {
		own, other := *s, *s
		own.queries, other.queries = nil, sets[(i+1)%len(sets)].queries
		for _, line := range lines {
			own.queries = append(own.queries, labelled{Query: line})
		}
		nonsense, foreign = append(nonsense, &own), append(foreign, &other)
	}
	fmt.Fprintf(w, "\ndoubt\n")
	counted(w, "queries", answered, func(o outcome) bool { return o.doubt || o.far })
	if len(sets) > 1 {
		outcomes, err := ask(ctx, foreign, mode)
		if err != nil {
			return err
		}
		counted(w, "queries of another repository", outcomes, func(outcome) bool { return false })
	}
	outcomes, err := ask(ctx, nonsense, mode)
	if err != nil {
		return err
	}
	counted(w, "nonsense", outcomes, func(o outcome) bool { return !o.doubt })
	return nil
}

// counted prints how many of the answers are doubtful, after those that are wrong.
func counted(w io.Writer, what string, list []outcome, wrong func(outcome) bool) {
	guesses, far := 0, 0
	for _, o := range list {
		if o.doubt {
			guesses++
		}
		if o.far {
			far++
		}
		if wrong(o) {
			fmt.Fprintf(w, "  %s: %s: %s\n", what, o.set.Repo, o.query.Query)
		}
	}
	fmt.Fprintf(w, "%s: %d of %d are guesses, %d far in meaning\n", what, guesses, len(list), far)
}

// ask asks every query of every repository, in two repositories at the same time.
func ask(ctx context.Context, sets []*set, mode search.Mode) ([]outcome, error) {
	parts := make([][]outcome, len(sets))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(2)
	for n, s := range sets {
		group.Go(func() error {
			for i := range s.queries {
				q := &s.queries[i]
				r, err := s.index.Search(ctx, search.Request{Queries: []string{q.Query}, Limit: search.MaxLimit, Mode: mode, Explain: true})
				if err != nil {
					return fmt.Errorf("%s: %q: %w", s.Repo, q.Query, err)
				}
				var places []rank.Location
				for _, h := range r.Results {
					places = append(places, locationOf(&h))
					for _, twin := range h.Twins {
						// A twin is shown only together with its hit, so it counts only if it is relevant.
						if at := (rank.Location{ID: twin.ID, Path: twin.FilePath, StartLine: twin.StartLine, EndLine: twin.EndLine}); slices.ContainsFunc(q.Relevant, func(t target) bool { return s.isIn(at, t) }) {
							places = append(places, at)
						}
					}
				}
				parts[n] = append(parts[n], outcome{s, q, r.Results, s.score(q, places), r.Doubt != "" || r.NoMatch != nil, r.Metadata.Far})
			}
			return nil
		})
	}
	err := group.Wait()
	return slices.Concat(parts...), err
}

// mean returns the mean of the groups' means, so that each group has the same weight.
func mean(list []outcome, by func(outcome) string) score {
	names, sums, counts := sum(list, by)
	var all score
	for _, name := range names {
		all.add(sums[name].over(counts[name]))
	}
	return all.over(len(names))
}

func sum(list []outcome, by func(outcome) string) (names []string, sums map[string]score, counts map[string]int) {
	sums, counts = map[string]score{}, map[string]int{}
	for _, o := range list {
		name := by(o)
		if counts[name] == 0 {
			names = append(names, name)
		}
		s := sums[name]
		s.add(o.score)
		sums[name] = s
		counts[name]++
	}
	slices.Sort(names)
	return names, sums, counts
}

func groups(w io.Writer, title string, list []outcome, by func(outcome) string) {
	fmt.Fprintf(w, "\nby %s\n", title)
	names, sums, counts := sum(list, by)
	for _, name := range names {
		row(w, name, sums[name].over(counts[name]))
	}
}

func row(w io.Writer, name string, r score) {
	fmt.Fprintf(w, "%-20s %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f %7.3f\n", name, r.chunk, r.file, r.mrr, r.file1, r.file5, r.file10,
		r.place1, r.place5, r.place50, r.placeMRR)
}

// losers lists the worst answers, with their signals if requested.
func losers(w io.Writer, list []outcome, o options) {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b outcome) int {
		switch {
		case a.score.chunk < b.score.chunk:
			return -1
		case a.score.chunk > b.score.chunk:
			return 1
		}
		return 0
	})
	for _, l := range list[:min(o.losers, len(list))] {
		fmt.Fprintf(w, "\n%.2f %s, %s: %s\n", l.score.chunk, l.set.Repo, l.query.Category, l.query.Query)
		for _, t := range l.query.Relevant {
			fmt.Fprintf(w, "   wanted %s\n", l.set.inRoot(t.Path))
		}
		shown := 0
		for i, h := range l.hits {
			relevant := slices.ContainsFunc(l.query.Relevant, func(t target) bool {
				return l.set.isIn(locationOf(&h), t)
			})
			if i >= 3 && !(relevant && shown == 0) {
				continue
			}
			mark := " "
			if relevant {
				mark = "*"
				shown++
			}
			fmt.Fprintf(w, " %s%3d %.2f %s\n", mark, i+1, h.Score, h.Chunk.ID)
			if o.explain {
				var parts []string
				for _, r := range h.Reasons {
					parts = append(parts, fmt.Sprintf("%s %.2f (%+.2f)", r.Signal, r.Value, r.Gain))
				}
				fmt.Fprintf(w, "        %s\n", strings.Join(parts, ", "))
			}
		}
	}
}

func locationOf(h *search.Hit) rank.Location {
	m := &h.Chunk.Metadata
	if h.Symbol != nil && h.Symbol.Line > 0 {
		return rank.Location{ID: h.Chunk.ID, Path: m.FilePath, StartLine: h.Symbol.Line, EndLine: h.Symbol.Line}
	}
	return rank.Location{ID: h.Chunk.ID, Path: m.FilePath, StartLine: m.StartLine, EndLine: m.EndLine}
}

// golden returns the first hits of each query as text, so that changes of the ranking can be read in a diff.
func golden(list []outcome) []byte {
	var b strings.Builder
	for _, o := range list {
		fmt.Fprintf(&b, "%s: %s\n", o.set.Repo, o.query.Query)
		for i, h := range o.hits[:min(5, len(o.hits))] {
			fmt.Fprintf(&b, "  %d %s\n", i+1, h.Chunk.ID)
		}
		fmt.Fprintf(&b, "  NDCG@10 %.2f\n", o.score.chunk)
	}
	return []byte(b.String())
}
