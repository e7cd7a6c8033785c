package index

import (
	"context"
	"math"
)

// A Probe is a vector that others are compared with: whole numbers so small that sums of products with 8-bit integers are exact in 32 bits.
type Probe struct {
	values []int16
	scale  float32
	// eight is eight times the sum of the values.
	eight int32
}

// NewProbe is not ok for a vector without direction.
func NewProbe(vector []float32) (p Probe, ok bool) {
	unit, ok := Unit(vector)
	if !ok {
		return Probe{}, false
	}
	largest := 0.0
	for _, x := range unit {
		largest = max(largest, math.Abs(float64(x)))
	}
	// By Cauchy and Schwarz no sum of products exceeds the product of the lengths, 127 times the root of the dimensions and this factor.
	factor := min(math.MaxInt16/largest, (math.MaxInt32-1)/(127*math.Sqrt(float64(len(unit))))/2)
	p.values = make([]int16, stride(len(unit)))
	for i, x := range unit {
		p.values[i] = int16(math.Round(float64(x) * factor))
		p.eight += 8 * int32(p.values[i])
	}
	p.scale = float32(1 / factor)
	return p, true
}

// compared is the number of vectors that are compared at a time.
const compared = 512

// Nearest visits chunks with the cosine of their vectors and the probe, none below what visit returned last. It goes over the given share of the
// segments, so that several goroutines can have a part each.
func (g *Generation) Nearest(ctx context.Context, p Probe, part, parts int, visit func(chunk int, cosine float32) (least float32)) error {
	least := float32(math.Inf(-1))
	var sums [compared]int32
	total := g.firsts[len(g.segments)]
	from, to := total*part/parts, total*(part+1)/parts
	for i, s := range g.segments {
		first := g.firsts[i]
		start, end := max(from-first, 0), min(to-first, s.rows)
		if s.dimensions == 0 || len(p.values) != stride(s.dimensions) {
			continue
		}
		for ; start < end; start += compared {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(compared, end-start)
			s.compare(sums[:n], p, start)
			scales := s.scales[start : start+n]
			for j, sum := range sums[:n] {
				if cosine := float32(sum) * p.scale * scales[j]; cosine >= least && scales[j] != 0 {
					least = visit(first+start+j, cosine)
				}
			}
		}
	}
	return nil
}

// compare sets each sum to the scalar product of the probe and one of the vectors, from that of a row on.
func (s *segment) compare(sums []int32, p Probe, row int) {
	vectors := s.vectors[row*s.vectorSize : (row+len(sums))*s.vectorSize]
	if s.vectorSize == len(p.values) {
		products(sums, p.values, vectors)
		return
	}
	smallProducts(sums, p.values, vectors)
	for i := range sums {
		sums[i] -= p.eight
	}
}

// Cosine is that of the probe and the chunk's vector, as Nearest gives it; 0 if it has none.
func (g *Generation) Cosine(p Probe, chunk int) float32 {
	s, row := g.row(chunk)
	if s.dimensions == 0 || len(p.values) != stride(s.dimensions) {
		return 0
	}
	var sum [1]int32
	s.compare(sum[:], p, row)
	return float32(sum[0]) * p.scale * s.scales[row]
}
