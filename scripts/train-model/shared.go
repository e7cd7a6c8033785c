package main

import "slices"

// Words share parameters: the row of a word is the sum of its own vector, a vector shared by all words of its stem, and
// a linear map of its general vector. So a question also trains words that it does not have: words with the same stems,
// and words that are similar in other text than code. The finished model has a single row for each word.

// parameters are numbers trained by Adam, with their moments and gradients.
type parameters struct{ values, first, second, grads []float32 }

func newParameters(n int) parameters {
	return parameters{make([]float32, n), make([]float32, n), make([]float32, n), make([]float32, n)}
}

// step makes a step of Adam for the numbers [from, to), and clears their gradients.
func (p *parameters) step(from, to int, c *adamConstants) {
	adam(p.values[from:to], p.first[from:to], p.second[from:to], p.grads[from:to], c)
	clear(p.grads[from:to])
}

// shared are the shared parameters, all initially 0.
type shared struct {
	stemOf  []int32     // the stem of each word
	stems   parameters  // stems by Dimensions
	general [][]float32 // the general vector of each word; nil if there is none
	project parameters  // the linear map: components of general vectors by Dimensions
}

// share sets up shared parameters if the recipe has a learning rate for them. g may be nil.
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

// again returns a copy with the shared parameters reset to 0.
func (s *shared) again() *shared {
	return &shared{stemOf: s.stemOf, stems: newParameters(len(s.stems.values)), general: s.general, project: newParameters(len(s.project.values))}
}

// assemble computes a row as the sum of the word's own vector and its shared parts.
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

// updateShared makes a step of Adam for the shared parameters of the touched rows, given the gradients of the rows.
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

// fold adds the shared parts to the words' own vectors, and ends the sharing.
func (t *trainer) fold() {
	if t.shared != nil {
		t.each(t.vocabulary.Len(), t.assemble)
		t.table, t.shared = t.rows, nil
	}
}
