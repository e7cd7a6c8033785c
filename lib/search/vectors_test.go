package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/index"
)

func randomChunks(n, dims int, g *rand.Rand) []*record.Chunk {
	var chunks []*record.Chunk
	for i := range n {
		v := make(record.Embedding, dims)
		for j := range v {
			v[j] = float32(g.NormFloat64())
		}
		if i%7 == 3 {
			v = chunks[i-1].Embedding // ties
		}
		chunks = append(chunks, &record.Chunk{ID: fmt.Sprint(i), Embedding: v})
	}
	return chunks
}

// TestNearestEqualsSorting compares the collection and the scan with sorting all.
func TestNearestEqualsSorting(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	chunks := randomChunks(300, 16, g)
	chunks[5].Embedding = nil
	chunks[6].Embedding = make(record.Embedding, 16)
	chunks[7].Embedding = chunks[7].Embedding[:3]
	x, err := newChromemIndex(t.Context(), chunkVectors(chunks, ""))
	if err != nil {
		t.Fatal(err)
	}
	if x.count() != 297 || x.dimensions() != 16 {
		t.Fatalf("%d vectors of %d dimensions", x.count(), x.dimensions())
	}
	odd := newBitset(len(chunks))
	for i := 1; i < len(chunks); i += 2 {
		odd.add(i)
	}
	for _, allowed := range []bitset{nil, odd, newBitset(len(chunks))} {
		for _, k := range []int{1, 2, 10, 100, 297, 1000} {
			q := randomChunks(1, 16, g)[0].Embedding
			direction, _ := index.Unit(q)
			var want []scored
			for i := range chunks {
				v := x.source.of(i)
				if v != nil && (allowed == nil || allowed.has(i)) {
					want = append(want, scored{i, float64(dot(direction, v))})
				}
			}
			slices.SortFunc(want, byScore)
			want = want[:min(k, len(want))]
			got, err := x.nearest(t.Context(), q, k, allowed)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("k %d, filtered %v: got %v, want %v", k, allowed != nil, got, want)
			}
		}
	}
}

func TestUnit(t *testing.T) {
	if _, ok := index.Unit([]float32{0, 0}); ok {
		t.Error("a zero vector has a direction")
	}
	v, ok := index.Unit([]float32{3, 4})
	if !ok || math.Abs(float64(v[0])-0.6) > 1e-6 || math.Abs(float64(v[1])-0.8) > 1e-6 {
		t.Errorf("got %v", v)
	}
	same := []float32{0, 1}
	if v, _ := index.Unit(same); &v[0] != &same[0] {
		t.Error("a vector of length 1 was copied")
	}
}

func TestTop(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		var all []scored
		best := newTop(1 + g.IntN(8))
		for i := range g.IntN(30) {
			s := scored{i, float64(g.IntN(5))}
			all = append(all, s)
			best.offer(s)
		}
		slices.SortFunc(all, byScore)
		if want := all[:min(best.k, len(all))]; !slices.Equal(best.sorted(), want) {
			t.Fatalf("got %v, want %v", best.sorted(), want)
		}
	}
}
