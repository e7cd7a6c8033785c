package main

import "slices"

// Words share parameters: the row of a word is the sum of its own vector and a vector shared by all words of its stem. So
// a question also trains words with the same stems as its own. The finished model has a single row for each word.

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

// shared are the vectors of stems, initially 0.
type shared struct {
	stemOf []int32    // the stem of each word
	stems  parameters // stems by Dimensions
}

// share sets up the vectors of stems if the recipe has a learning rate for them.
func (t *trainer) share(stem func(word string) string) {
	if t.StemRate == 0 {
		return
	}
	words := t.vocabulary.Words()
	s := &shared{stemOf: make([]int32, len(words))}
	stems := map[string]int32{}
	for row, w := range words {
		root := stem(w)
		id, ok := stems[root]
		if !ok {
			id = int32(len(stems))
			stems[root] = id
		}
		s.stemOf[row] = id
	}
	s.stems = newParameters(len(stems) * t.Dimensions)
	t.shared = s
	t.rows = slices.Clone(t.table)
}

// again returns a copy with the vectors reset to 0.
func (s *shared) again() *shared {
	return &shared{stemOf: s.stemOf, stems: newParameters(len(s.stems.values))}
}

// assemble computes a row as the sum of the word's own vector and that of its stem.
func (t *trainer) assemble(row int) {
	d, s := t.Dimensions, t.shared
	to := t.rows[row*d : (row+1)*d]
	copy(to, t.table[row*d:(row+1)*d])
	stem := int(s.stemOf[row]) * d
	axpy(1, s.stems.values[stem:stem+d], to)
}

// updateShared makes a step of Adam for the stems of the touched rows, given the gradients of the rows.
func (b *batchState) updateShared(c *adamConstants) {
	d, s := b.Dimensions, b.shared
	touched := map[int32]bool{}
	for _, row := range b.touched {
		stem := s.stemOf[row]
		touched[stem] = true
		axpy(1, b.tableG[int(row)*d:int(row+1)*d], s.stems.grads[int(stem)*d:int(stem+1)*d])
	}
	for stem := range touched {
		s.stems.step(int(stem)*d, int(stem+1)*d, c)
	}
}

// fold adds the vectors of stems to the words' own, and ends the sharing.
func (t *trainer) fold() {
	if t.shared != nil {
		t.each(t.vocabulary.Len(), t.assemble)
		t.table, t.shared = t.rows, nil
	}
}
