package main

import (
	"fmt"
	"math"

	"cortex/lib/embed/bag"
)

// start copies the rows and weights of a model with the same words.
func (t *trainer) start(p *bag.Parts) error {
	if p.Dimensions != t.Dimensions {
		return fmt.Errorf("the model to start from has %d dimensions, not %d", p.Dimensions, t.Dimensions)
	}
	d, n := t.Dimensions, len(p.Words)
	for row := range n {
		vector := t.table[row*d : (row+1)*d]
		for k, x := range p.Rows[row*d : (row+1)*d] {
			vector[k] = float32(int8(x))
		}
		length := normalise(vector)
		for s := range t.logs {
			t.logs[s][row] = logOf(p.Weights[s][row] * length)
		}
	}
	for c := range bag.Classes {
		for s := range t.logs {
			t.logs[s][n+c] = logOf(p.Weights[s][n+c] / t.signScale())
		}
	}
	return nil
}

// logOf returns the logarithm of a weight, or of 1e-6 if that is more.
func logOf(weight float32) float32 { return float32(math.Log(max(1e-6, float64(weight)))) }

// blend averages a model and the model that was trained from it, so that what the model could do before is kept along
// with most of what it has learned (Wortsman et al., Robust fine-tuning of zero-shot models, 2022). Rows are scaled to
// length 1 and averaged, the trained one with weight share. Weights are averaged geometrically. Both models have the
// same words. A row that was 0 before is taken from the trained model.
func blend(before, after *bag.Parts, share float64) *bag.Parts {
	d, n := after.Dimensions, len(after.Words)
	unit := func(p *bag.Parts, row int) ([]float64, float64) {
		vector, squares := make([]float64, d), 0.0
		for k := range vector {
			vector[k] = float64(int8(p.Rows[row*d+k]))
			squares += vector[k] * vector[k]
		}
		length := math.Sqrt(squares)
		for k := range vector {
			vector[k] /= max(length, 1e-9)
		}
		return vector, length
	}
	mean := func(share, a, b float64) float64 {
		return math.Exp((1-share)*math.Log(max(1e-9, a)) + share*math.Log(max(1e-9, b)))
	}
	out := &bag.Parts{Name: after.Name, Dimensions: d, Words: after.Words, Rows: make([]byte, n*d)}
	for p := range out.Weights {
		out.Weights[p] = make([]float32, len(after.Weights[p]))
	}
	for row := range n {
		from, long := unit(before, row)
		to, longer := unit(after, row)
		share := share
		if long == 0 {
			share = 1
		}
		squares := 0.0
		for k := range to {
			to[k] = (1-share)*from[k] + share*to[k]
			squares += to[k] * to[k]
		}
		length, top := max(math.Sqrt(squares), 1e-9), 1e-9
		for k := range to {
			to[k] /= length
			top = max(top, math.Abs(to[k]))
		}
		for k, x := range to {
			out.Rows[row*d+k] = byte(int8(math.Round(x / top * 127)))
		}
		for p := range out.Weights {
			out.Weights[p][row] = float32(mean(share, float64(before.Weights[p][row])*long, float64(after.Weights[p][row])*longer) * top / 127)
		}
	}
	for p := range out.Weights {
		for row := n; row < len(out.Weights[p]); row++ {
			out.Weights[p][row] = float32(mean(share, float64(before.Weights[p][row]), float64(after.Weights[p][row])))
		}
	}
	return out
}
