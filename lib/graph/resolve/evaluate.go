package resolve

import (
	"context"
	"io"
	"slices"

	"cortex/lib/graph/facts"
	"cortex/lib/parallel"
	"cortex/lib/record"
)

// indexTypings numbers the typings that have a value and fills r.typings.
func (r *Resolution) indexTypings() {
	total := 0
	for _, f := range r.Files {
		total += len(f.Typings)
	}
	r.typed = make([]typed, 0, total)
	r.typings = make(map[entryKey][]int32, total)
	numbers := make([]int32, total)
	for _, f := range r.Files {
		for i := range f.Typings {
			t := &f.Typings[i]
			if t.Value == 0 {
				continue
			}
			key := entryKey{f.Space, t.Symbol, t.Name}
			list, ok := r.typings[key]
			if !ok {
				list, numbers = numbers[:0:1], numbers[1:]
			}
			r.typings[key] = append(list, int32(len(r.typed)))
			r.typed = append(r.typed, typed{file: f.Number, index: int32(i)})
		}
	}
	r.values = make([]meaning, len(r.typed))
}

// maxRounds is the most rounds of evaluate: the longest chain of typings, each with a value that depends on the next.
const maxRounds = 6

// evaluate resolves the values of typings into r.values. Each round uses only the values of the round before, so the result
// does not depend on the order of the typings. If top is set, it resolves only typings outside of symbols.
func (r *Resolution) evaluate(ctx context.Context, rounds int, top bool) error {
	var open []int32
	for i := range r.typed {
		t := &r.typed[i]
		if !top || r.Files[t.file].Typings[t.index].Symbol == 0 {
			open = append(open, int32(i))
		}
	}
	for range rounds {
		if len(open) == 0 {
			return nil
		}
		found, settled := make([]meaning, len(open)), make([]bool, len(open))
		const atOnce = 256
		next := 0
		err := parallel.Map(ctx, r.Jobs, func() (int, error) {
			if next >= len(open) {
				return 0, io.EOF
			}
			next += atOnce
			return next - atOnce, nil
		}, func(_ context.Context, start int) (struct{}, error) {
			var q nameResolver
			for i := start; i < min(start+atOnce, len(open)); i++ {
				t := &r.typed[open[i]]
				f := r.Files[t.file]
				typing := &f.Typings[t.index]
				if q.File != f {
					q = nameResolver{Resolution: r, File: f, tops: map[facts.Name]topMeaning{}}
				}
				q.open = false
				found[i] = q.value(typing.Symbol, r.Names.Of(typing.Value))
				settled[i] = !q.open
			}
			return struct{}{}, nil
		}, func(struct{}) error { return nil })
		if err != nil {
			return err
		}
		changed := false
		rest := open[:0]
		for i, number := range open {
			if found[i].sort != unknown {
				changed = true
				r.values[number] = found[i]
				r.typed[number].settled = true
			} else if r.typed[number].settled = settled[i]; !settled[i] {
				rest = append(rest, number)
			}
		}
		if open = rest; !changed {
			return nil
		}
	}
	return nil
}

// inherit fills r.bases, r.foreign, r.demands, r.partial and r.library: the base types of each type.
func (r *Resolution) inherit(ctx context.Context) error {
	r.bases = make([][]int32, len(r.entries))
	r.foreign = make([]string, len(r.entries))
	r.demands = make([][]int32, len(r.entries))
	r.partial, r.library = make([]bool, len(r.entries)), make([]bool, len(r.entries))
	type found struct {
		of   int32
		rank int
		base meaning
		// usual is set for an unknown base of the standard library.
		usual bool
	}
	byFile := make([][]found, len(r.Files))
	ranks := map[record.Relation]int{record.Extends: 1, record.Embeds: 2, record.Implements: 3}
	var rank [16]int
	for i, relation := range record.Relations {
		rank[i] = ranks[relation]
	}
	err := r.each(ctx, func(f *facts.File) {
		q := nameResolver{Resolution: r, File: f, tops: map[facts.Name]topMeaning{}}
		for i := range f.References {
			ref := &f.References[i]
			if rank[ref.Relation] == 0 || ref.Symbol == 0 {
				continue
			}
			of := r.entryOf(f.Space, ref.Symbol)
			if of == noEntry {
				continue
			}
			m, _ := q.named(ref.Symbol, r.Names.Of(ref.Receiver), ref.Name)
			// A base of the standard library has no members of the tree, except extension functions, which Java lacks.
			rules := &r.rules[f.Family]
			usual := ref.Receiver == 0 && rules.IsBuiltin(r.Names.Of(ref.Name), false) && (!rules.Extensions || f.Language == "java")
			if m.sort == unknown && usual {
				m, _ = q.absolute(r.Names.Of(ref.Name))
			}
			switch {
			case m.sort == thing && m.entry != of, m.sort == outside, m.sort == unknown && rank[ref.Relation] < len(ranks):
				byFile[f.Number] = append(byFile[f.Number], found{of, rank[ref.Relation], m, usual})
			}
		}
	})
	if err != nil {
		return err
	}
	for level := 1; level <= len(ranks); level++ {
		for _, list := range byFile {
			for _, b := range list {
				switch {
				case b.rank != level:
				case b.base.sort == unknown && b.usual:
					r.library[b.of] = true
				case b.base.sort == unknown:
					r.partial[b.of] = true
				case b.base.sort == thing:
					list := &r.bases[b.of]
					if level == len(ranks) {
						list = &r.demands[b.of]
					}
					if !slices.Contains(*list, b.base.entry) && len(*list) < maxBases {
						*list = append(*list, b.base.entry)
					}
				// Bases by Implements do not count here: a type declares the methods of an interface itself, so members that
				// it does not declare do not come from the interface.
				case b.rank < len(ranks) && r.foreign[b.of] == "" && !r.rules[r.entries[b.of].family].IsMarker(b.base.external):
					r.foreign[b.of] = b.base.external
				}
			}
		}
	}
	return nil
}
