package near

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/cosine"
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
		chunks = append(chunks, &record.Chunk{ID: fmt.Sprintf("%06d", i), Embedding: v, Metadata: record.Metadata{FilePath: fmt.Sprint(i)}})
	}
	return chunks
}

// generationOf is a generation in memory of so many segments, with as many dimensions as the embedding of the first chunk.
func generationOf(t *testing.T, chunks []*record.Chunk, segments int) *index.Generation {
	t.Helper()
	stemmer, err := corpus.NewStemmer("")
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	g, err := index.New(chunks, "", len(chunks[0].Embedding), segments, corpus.Analysis(stemmer))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

func vectorsOf(t *testing.T, chunks []*record.Chunk, shards int) *Index {
	t.Helper()
	return New(generationOf(t, chunks, shards))
}

// TestNearestEqualsSorting compares the collection and the scan, of one segment and of several, with sorting all.
func TestNearestEqualsSorting(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{300, maxCollection + scanShare} {
		chunks := randomChunks(n, 16, g)
		chunks[5].Embedding = nil
		chunks[6].Embedding = make(record.Embedding, 16)
		chunks[7].Embedding = chunks[7].Embedding[:3]
		one, several := vectorsOf(t, chunks, 1), vectorsOf(t, chunks, 5)
		if one.g.Embeddings() != n-3 || several.g.Embeddings() != n-3 || one.g.Dimensions() != 16 || (one.collection == nil) != (n > maxCollection) {
			t.Fatalf("%d vectors of %d dimensions", one.g.Embeddings(), one.g.Dimensions())
		}
		everything := func(string) bool { return true }
		odd := func(id string) bool { return id[len(id)-1]%2 == 1 }
		nothing := func(string) bool { return false }
		for number, allowed := range []func(id string) bool{everything, odd, nothing} {
			for _, k := range []int{1, 2, 10, 100, 297, 1000} {
				if testing.Short() && n > maxCollection && k != 10 {
					continue // sorting takes most of the time
				}
				q := randomChunks(1, 16, g)[0].Embedding
				probe, _ := cosine.NewProbe(q)
				direction, _ := cosine.Unit(q)
				type near struct {
					id     string
					cosine float64
				}
				var want []near
				for i := range chunks {
					if v, err := one.Vector(i); err == nil && v != nil && allowed(one.g.ID(i)) {
						score := float64(one.g.Cosine(probe, i))
						if exact := cosine.Dot(direction, v); math.Abs(score-exact) > 1e-4 {
							t.Fatalf("chunk %d: cosine %v, want %v", i, score, exact)
						}
						want = append(want, near{one.g.ID(i), score})
					}
				}
				slices.SortFunc(want, func(a, b near) int { return cmp.Or(cmp.Compare(b.cosine, a.cosine), strings.Compare(a.id, b.id)) })
				want = want[:min(k, len(want))]
				for _, x := range []*Index{one, several} {
					var set corpus.Set
					if number > 0 {
						set = corpus.NewSet(n)
						for i := range n {
							if allowed(x.g.ID(i)) {
								set.Add(i)
							}
						}
					}
					list, err := x.Nearest(t.Context(), q, k, set)
					if err != nil {
						t.Fatal(err)
					}
					var got []near
					for _, s := range list {
						got = append(got, near{x.g.ID(s.Chunk), s.Score})
					}
					if !slices.Equal(got, want) {
						t.Errorf("%d chunks, k %d, filtered %v: got %v, want %v", n, k, set != nil, got, want)
					}
				}
			}
		}
	}
}

// TestNearestOfACancelledQuestion: a question that its client gives up ends with that error.
func TestNearestOfACancelledQuestion(t *testing.T) {
	chunks := randomChunks(100, 8, rand.New(rand.NewPCG(1, 2)))
	x := vectorsOf(t, chunks, 3)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if list, err := x.Nearest(ctx, chunks[0].Embedding, 5, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v", list, err)
	}
}

func TestUnit(t *testing.T) {
	if _, ok := cosine.Unit([]float32{0, 0}); ok {
		t.Error("a zero vector has a direction")
	}
	v, ok := cosine.Unit([]float32{3, 4})
	if !ok || math.Abs(float64(v[0])-0.6) > 1e-6 || math.Abs(float64(v[1])-0.8) > 1e-6 {
		t.Errorf("got %v", v)
	}
	same := []float32{0, 1}
	if v, _ := cosine.Unit(same); &v[0] != &same[0] {
		t.Error("a vector of length 1 was copied")
	}
}

// Vectors without direction have no part in any search: neither in the collection nor in the scan of many, and as a question they find nothing.
func TestVectorsWithoutDirection(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	lost := []record.Embedding{{0, 0, 0}, {1e-40, 0, 0}, {1e-40, 1e-40, -1e-40}, {0, math.SmallestNonzeroFloat32, 0}, {nan, 1, 0}, {inf, 0, 0}, {inf, -inf, nan}}
	for _, n := range []int{100, maxCollection + 100} {
		chunks := randomChunks(n, 3, rand.New(rand.NewPCG(5, 6)))
		chunks[n-1].Embedding = repeat(math.MaxFloat32, 3)
		chunks[n-2].Embedding = repeat(0x1p-126, 3)
		bad := map[string]bool{}
		for i, v := range lost {
			chunks[10*i].Embedding, bad[chunks[10*i].ID] = v, true
		}
		x := vectorsOf(t, chunks, 3)
		if x.g.Embeddings() != n-len(lost) || (x.collection == nil) != (n > maxCollection) {
			t.Fatalf("%d vectors of %d", x.g.Embeddings(), n)
		}
		some := corpus.NewSet(n)
		for i := range n / 2 {
			some.Add(i)
		}
		for _, allowed := range []corpus.Set{nil, some} {
			for _, q := range append(randomChunks(3, 3, rand.New(rand.NewPCG(7, 8))), &record.Chunk{Embedding: repeat(math.MaxFloat32, 3)}) {
				for _, k := range []int{1, 10, n} {
					list, err := x.Nearest(t.Context(), q.Embedding, k, allowed)
					if err != nil || len(list) == 0 {
						t.Fatal(list, err)
					}
					for _, s := range list {
						if bad[x.g.ID(s.Chunk)] || !(math.Abs(s.Score) < 1.00001) {
							t.Errorf("chunk %d: %v", s.Chunk, s.Score)
						}
					}
				}
			}
			for _, q := range lost {
				if list, err := x.Nearest(t.Context(), q, 10, allowed); len(list) > 0 || err != nil {
					t.Errorf("%v: %v, %v", q, list, err)
				}
			}
		}
	}
}

func repeat(x float32, n int) record.Embedding {
	v := make(record.Embedding, n)
	for i := range v {
		v[i] = x
	}
	return v
}
