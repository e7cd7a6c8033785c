package search

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/philippgille/chromem-go"
	"golang.org/x/sync/errgroup"

	"cortex/lib/record"
	"cortex/lib/search/index"
)

// A vectorIndex holds the embeddings of the chunks. Those of small stores are in a collection of chromem-go as well. Its own filters know only equality of strings, so
// filtered searches, and those whose answer it leaves to chance, go over the vectors of the segments. All methods may be called at once.
type vectorIndex struct {
	g          *index.Generation
	collection func() (*chromem.Collection, error) // nil for many vectors
}

// maxCollection is the number of vectors up to which they are in a collection.
const maxCollection = 1_000

func newVectorIndex(g *index.Generation) *vectorIndex {
	x := &vectorIndex{g: g}
	if g.Len() <= maxCollection {
		x.collection = sync.OnceValues(x.collect)
	}
	return x
}

// collect makes the collection.
func (x *vectorIndex) collect() (c *chromem.Collection, err error) {
	defer index.Guard(&err)()
	refuse := func(context.Context, string) ([]float32, error) {
		return nil, fmt.Errorf("search: chromem-go asked for an embedding")
	}
	if c, err = chromem.NewDB().CreateCollection("chunks", nil, refuse); err != nil {
		return nil, fmt.Errorf("make vector index: %w", err)
	}
	for i := range x.g.Len() {
		if vector := x.g.Vector(i); vector != nil {
			if err := c.AddDocument(context.Background(), chromem.Document{ID: strconv.Itoa(i), Embedding: vector}); err != nil {
				return nil, fmt.Errorf("make vector index: %w", err)
			}
		}
	}
	return c, nil
}

// commonLength is the most frequent length of an embedding, the greater one of two.
func commonLength(chunks []*record.Chunk) int {
	counts := map[int]int{}
	for _, c := range chunks {
		if n := len(c.Embedding); n > 0 {
			counts[n]++
		}
	}
	best := 0
	for n, count := range counts {
		if count > counts[best] || count == counts[best] && n > best {
			best = n
		}
	}
	return best
}

// nearest returns the k chunks of allowed, or of all if that is nil, whose embeddings
// are most like the vector, best first, ties by number, with the cosine as score.
func (x *vectorIndex) nearest(ctx context.Context, vector []float32, k int, allowed bitset) ([]scored, error) {
	probe, ok := index.NewProbe(vector)
	if !ok || x.g.Embeddings() == 0 || k <= 0 {
		return nil, nil
	}
	if allowed == nil && k < x.g.Embeddings() && x.collection != nil {
		list, err := x.query(ctx, vector, probe, k)
		if err != nil || list != nil {
			return list, err
		}
	}
	return x.scan(ctx, probe, k, allowed)
}

// query asks the collection. Which of several chunks with equal likeness it leaves
// out is chance, and it adds up in another order, so it is asked for more than k; nil is returned where
// that does not settle it.
func (x *vectorIndex) query(ctx context.Context, vector []float32, probe index.Probe, k int) ([]scored, error) {
	collection, err := x.collection()
	if err != nil {
		return nil, err
	}
	unit, _ := index.Unit(vector)
	asked := min(k+k/2+8, x.g.Embeddings())
	results, err := collection.QueryEmbedding(ctx, unit, asked, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("query vector index: %w", err)
	}
	list := make([]scored, 0, len(results))
	for _, r := range results {
		chunk, err := strconv.Atoi(r.ID)
		if err != nil {
			return nil, fmt.Errorf("query vector index: %w", err)
		}
		list = append(list, scored{chunk, float64(x.g.Cosine(probe, chunk))})
	}
	slices.SortFunc(list, func(a, b scored) int { return byScore(x.g, a, b) })
	if len(list) < x.g.Embeddings() {
		const rounding = 1e-4
		least := list[len(list)-1].score + rounding
		list = slices.DeleteFunc(list, func(s scored) bool { return s.score <= least })
		if len(list) < k {
			return nil, nil
		}
	}
	return list[:min(k, len(list))], nil
}

// scanShare is the least number of vectors for which another goroutine pays.
const scanShare = 4096

// scan compares the vector with all that are allowed.
func (x *vectorIndex) scan(ctx context.Context, probe index.Probe, k int, allowed bitset) ([]scored, error) {
	workers := min(runtime.GOMAXPROCS(0), x.g.Len()/scanShare+1)
	parts := make([]*top, workers)
	group, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			best := newTop(x.g, k)
			parts[w] = best
			return x.g.Nearest(ctx, probe, w, workers, func(chunk int, cosine float32) float32 {
				if allowed == nil || allowed.has(chunk) {
					best.offer(scored{chunk, float64(cosine)})
				}
				return best.least()
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, part := range parts[1:] {
		for _, s := range part.heap {
			parts[0].offer(s)
		}
	}
	return parts[0].sorted(), nil
}

// dot is the scalar product.
func dot(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// top keeps the k best of what it is offered, in a heap with the worst of them on top.
type top struct {
	cat  catalogue
	k    int
	heap []scored
}

func newTop(cat catalogue, k int) *top { return &top{cat: cat, k: k} }

func (t *top) offer(s scored) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, s)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if byScore(t.cat, t.heap[parent], t.heap[i]) > 0 {
				break
			}
			t.heap[parent], t.heap[i] = t.heap[i], t.heap[parent]
			i = parent
		}
		return
	}
	if byScore(t.cat, s, t.heap[0]) > 0 {
		return
	}
	t.heap[0] = s
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if byScore(t.cat, t.heap[child], t.heap[worst]) > 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// least is the score below which nothing is kept.
func (t *top) least() float32 {
	if len(t.heap) < t.k {
		return float32(math.Inf(-1))
	}
	return float32(t.heap[0].score)
}

func (t *top) sorted() []scored {
	slices.SortFunc(t.heap, func(a, b scored) int { return byScore(t.cat, a, b) })
	return t.heap
}
