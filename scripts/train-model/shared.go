package main

import "slices"

// What words share. A word's row is the sum of what the word has alone, of what all words of its stem have, and of what a linear map makes of
// general knowledge of the word. So what a question teaches serves words that it does not have: those of its words' stems, and those that are near to its
// words in other text than code. In the model they are one row again.

// parameters are numbers that Adam trains, with their moments and gradients.
type parameters struct{ values, first, second, grads []float32 }

func newParameters(n int) parameters {
	return parameters{make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)}
}

// step makes a step of Adam for the numbers from from to to, and clears their gradients.
func (p *parameters) step(from, to int, c *adamConstants) {
	adam(p.values[from:to], p.first[from:to], p.second[from:to], p.grads[from:to], c)
	clear(p.grads[from:to])
}

// shared is what words have together. All of it starts at nothing.
type shared struct {
	stemOf  []int32     // of each word
	stems   parameters  // stems by Dimensions
	general [][]float32 // of each word; nil where nothing is known of it
	project parameters  // the map: components of general knowledge by Dimensions
}

// share lets words share what the recipe has a rate for. g may be nil.
func (t *trainer) share(stem func(word string) string, g *general) {
	if g == nil {
		t.MapRate = 0
	}
	if t.StemRate == 0 && t.MapRate == 0 {
		return
	}
	words := t.vocabulary.Words()
	s := &shared{stemOf: make([]int32, len(words)), general: make([][]float32, len(words))}
	stems := map[string]int32{}
	for row, w := range words {
		root := stem(w)
		id, ok := stems[root]
		if !ok {
			id = int32(len(stems))
			stems[root] = id
		}
		s.stemOf[row] = id
		if t.MapRate > 0 {
			if at, ok := g.at[w]; ok {
				s.general[row] = g.vectors[at]
			}
		}
	}
	s.stems = newParameters(len(stems) * t.Dimensions)
	if t.MapRate > 0 {
		s.project = newParameters(len(g.vectors[0]) * t.Dimensions)
	}
	t.shared = s
	t.rows = slices.Clone(t.table)
}

// again returns the same with nothing learned.
func (s *shared) again() *shared {
	return &shared{stemOf: s.stemOf, stems: newParameters(len(s.stems.values)), general: s.general, project: newParameters(len(s.project.values))}
}

// assemble sums a row up of what its word has alone and what it shares.
func (t *trainer) assemble(row int) {
	d, s := t.Dimensions, t.shared
	to := t.rows[row*d : (row+1)*d]
	copy(to, t.table[row*d:(row+1)*d])
	stem := int(s.stemOf[row]) * d
	axpy(1, s.stems.values[stem:stem+d], to)
	for i, x := range s.general[row] {
		axpy(x, s.project.values[i*d:(i+1)*d], to)
	}
}

// updateShared makes a step of Adam for what the touched rows share, by the gradients of the rows.
func (b *batchState) updateShared(ofStems, ofMap *adamConstants) {
	d, s := b.Dimensions, b.shared
	touched := map[int32]bool{}
	for _, row := range b.touched {
		stem := s.stemOf[row]
		touched[stem] = true
		axpy(1, b.tableG[int(row)*d:int(row+1)*d], s.stems.grads[int(stem)*d:int(stem+1)*d])
	}
	if b.StemRate > 0 {
		for stem := range touched {
			s.stems.step(int(stem)*d, int(stem+1)*d, ofStems)
		}
	}
	if b.MapRate > 0 {
		b.each(len(s.project.values)/d, func(i int) {
			for _, row := range b.touched {
				if known := s.general[row]; known != nil {
					axpy(known[i], b.tableG[int(row)*d:int(row+1)*d], s.project.grads[i*d:(i+1)*d])
				}
			}
			s.project.step(i*d, (i+1)*d, ofMap)
		})
	}
}

// fold makes what words share a part of what each has alone.
func (t *trainer) fold() {
	if t.shared != nil {
		t.each(t.vocabulary.Len(), t.assemble)
		t.table, t.shared = t.rows, nil
	}
}
