package index

import (
	"cmp"
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

// EachVector visits those of the chunks that have an embedding, in any order. values times scale is the embedding
// scaled to length 1; values are valid during the call.
func (g *Generation) EachVector(chunks []int, visit func(chunk int, values []int8, scale float32)) error {
	if g.source == nil {
		var unpacked []int8
		for _, chunk := range chunks {
			if s, row := g.row(chunk); s.dimensions > 0 && s.scales[row] != 0 {
				unpacked = s.vector(unpacked, row)
				visit(chunk, unpacked[:s.dimensions], s.scales[row])
			}
		}
		return nil
	}
	refs := make([]Ref, len(chunks))
	for i, chunk := range chunks {
		refs[i] = g.ref(chunk)
	}
	return g.source.Vectors(refs, func(r Ref, values []int8) {
		if row, ok := g.segments[r.Tree].rowOf(r.Number); ok {
			visit(g.firsts[r.Tree]+row, values, cosine.InverseLength(values))
		}
	})
}

// A Near is a chunk with the cosine between its vector and another one.
type Near struct {
	Chunk  int
	Cosine float32
}

// IsRemote reports whether the vectors of the generation are read from a Source.
func (g *Generation) IsRemote() bool { return g.source != nil }

// maxListed is the number of allowed chunks up to which NearestOf names them to the Source; above, it filters itself.
const maxListed = 4096

// NearestOf lists the chunks nearest to the vector among the count allowed ones; allowed is nil for all. It is for
// remote generations. The Source may round differently, so the list has more than k where possible, in any order.
func (g *Generation) NearestOf(ctx context.Context, vector []float32, k int, allowed func(chunk int) bool, count int) (list []Near, err error) {
	p, ok := cosine.NewProbe(vector)
	if !ok {
		return nil, nil
	}
	k += k/8 + 16
	padded := make([]int8, p.Stride())
	var only []Ref
	if allowed != nil && count <= maxListed {
		only = make([]Ref, 0, count)
		for chunk := range g.Len() {
			if allowed(chunk) {
				only = append(only, g.ref(chunk))
			}
		}
		if len(only) == 0 {
			return nil, nil
		}
		allowed = nil
	}
	err = g.source.Nearest(vector, k, only, func(r Ref, values []int8) bool {
		if row, ok := g.segments[r.Tree].rowOf(r.Number); ok && cosine.Stride(len(values)) == len(padded) {
			if chunk := g.firsts[r.Tree] + row; allowed == nil || allowed(chunk) {
				clear(padded[copy(padded, values):])
				var sum [1]int32
				p.Products(sum[:], padded)
				list = append(list, Near{chunk, p.Cosine(sum[0], cosine.InverseLength(values))})
			}
		}
		return len(list) < k && ctx.Err() == nil
	})
	return list, cmp.Or(err, ctx.Err())
}
