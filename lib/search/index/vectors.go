package index

import (
	"context"
	"math"

	"cortex/lib/search/cosine"
)

// compared is the number of vectors in one batch of scalar products.
const compared = 512

// Nearest visits the chunks of one of several equal parts with the cosine between their vectors and the probe. visit
// returns the least cosine that is still of interest; chunks below it are skipped.
func (g *Generation) Nearest(ctx context.Context, p cosine.Probe, part, parts int, visit func(chunk int, cosine float32) (least float32)) error {
	least := float32(math.Inf(-1))
	var sums [compared]int32
	total := g.firsts[len(g.segments)]
	from, to := total*part/parts, total*(part+1)/parts
	for i, s := range g.segments {
		first := g.firsts[i]
		start, end := max(from-first, 0), min(to-first, s.rows)
		if s.dimensions == 0 || p.Stride() != cosine.Stride(s.dimensions) {
			continue
		}
		for ; start < end; start += compared {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(compared, end-start)
			p.Products(sums[:n], s.vectors[start*s.vectorSize:(start+n)*s.vectorSize])
			scales := s.scales[start : start+n]
			for j, sum := range sums[:n] {
				if near := p.Cosine(sum, scales[j]); near >= least && scales[j] != 0 {
					least = visit(first+start+j, near)
				}
			}
		}
	}
	return nil
}

// Cosine returns the cosine between the probe and the chunk's vector; 0 if the chunk has no vector.
func (g *Generation) Cosine(p cosine.Probe, chunk int) float32 {
	s, row := g.row(chunk)
	if s.dimensions == 0 || p.Stride() != cosine.Stride(s.dimensions) {
		return 0
	}
	var sum [1]int32
	p.Products(sum[:], s.vectors[row*s.vectorSize:][:s.vectorSize])
	return p.Cosine(sum[0], s.scales[row])
}
