package search

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/philippgille/chromem-go"
	"golang.org/x/sync/errgroup"

	"cortex/lib/record"
	"cortex/lib/search/index"
)

// A vectorIndex holds the embeddings of the chunks. All methods may be called at once.
type vectorIndex interface {
	// nearest returns the k chunks of allowed, or of all if that is nil, whose embeddings
	// are most like the vector, best first, ties by number, with the cosine as score.
	nearest(ctx context.Context, vector []float32, k int, allowed bitset) ([]scored, error)
	// count is the number of chunks with an embedding.
	count() int
	dimensions() int
	// vector is the chunk's embedding with length 1, nil if it has none.
	vector(chunk int) []float32
}

// chromemIndex is a vectorIndex in a collection of chromem-go, which shares the
// vectors with the source. Its own filters know only equality of strings, so filtered searches, and
// those whose answer it leaves to chance, go over the same vectors here. So do all searches of more than
// maxCollection vectors, which take it three times as long.
type chromemIndex struct {
	collection *chromem.Collection // nil for many vectors
	source     vectorSource
	size       int
}

// maxCollection is the number of vectors up to which they are in a collection.
const maxCollection = 5_000

// A vectorSource has a vector of length 1 and of so many dimensions, or nil, for each of len chunks.
type vectorSource struct {
	len, dimensions int
	of              func(chunk int) []float32
}

// chunkVectors are those embeddings that were made by the model and have the most
// frequent length; an empty model takes any.
func chunkVectors(chunks []*record.Chunk, model string) vectorSource {
	s := vectorSource{len: len(chunks), dimensions: commonLength(chunks)}
	vectors := make([][]float32, len(chunks))
	for i, c := range chunks {
		if len(c.Embedding) == 0 || len(c.Embedding) != s.dimensions || model != "" && c.EmbeddingModel != "" && c.EmbeddingModel != model {
			continue
		}
		vectors[i], _ = index.Unit(c.Embedding)
	}
	s.of = func(chunk int) []float32 { return vectors[chunk] }
	return s
}

func newChromemIndex(ctx context.Context, source vectorSource) (*chromemIndex, error) {
	x := &chromemIndex{source: source}
	if source.len > maxCollection {
		for i := range source.len {
			if source.of(i) != nil {
				x.size++
			}
		}
		return x, ctx.Err()
	}
	refuse := func(context.Context, string) ([]float32, error) {
		return nil, fmt.Errorf("search: chromem-go asked for an embedding")
	}
	collection, err := chromem.NewDB().CreateCollection("chunks", nil, refuse)
	if err != nil {
		return nil, fmt.Errorf("make vector index: %w", err)
	}
	x.collection = collection
	group, ctx := errgroup.WithContext(ctx)
	share := max((source.len+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0), 1024)
	var size atomic.Int64
	for first := 0; first < source.len; first += share {
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			n, err := x.add(ctx, first, min(first+share, source.len))
			size.Add(int64(n))
			return err
		})
	}
	err = group.Wait()
	x.size = int(size.Load())
	return x, err
}

// add adds the embeddings of some successive chunks to the collection and returns how many there are.
func (x *chromemIndex) add(ctx context.Context, first, end int) (n int, err error) {
	for i := first; i < end; i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return n, ctx.Err()
		}
		vector := x.source.of(i)
		if vector == nil {
			continue
		}
		n++
		if err := x.collection.AddDocument(ctx, chromem.Document{ID: strconv.Itoa(i), Embedding: vector}); err != nil {
			return n, fmt.Errorf("build vector index: %w", err)
		}
	}
	return n, nil
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

func (x *chromemIndex) count() int      { return x.size }
func (x *chromemIndex) dimensions() int { return x.source.dimensions }

func (x *chromemIndex) vector(chunk int) []float32 { return x.source.of(chunk) }

func (x *chromemIndex) nearest(ctx context.Context, vector []float32, k int, allowed bitset) ([]scored, error) {
	vector, ok := index.Unit(vector)
	if !ok || x.size == 0 || k <= 0 {
		return nil, nil
	}
	if allowed == nil && k < x.size && x.collection != nil {
		list, err := x.query(ctx, vector, k)
		if err != nil || list != nil {
			return list, err
		}
	}
	return x.scan(ctx, vector, k, allowed)
}

// query asks the collection. Which of several chunks with equal likeness it leaves
// out is chance, and it adds up in another order than dot, so it is asked for more than k; nil is returned where
// that does not settle it.
func (x *chromemIndex) query(ctx context.Context, vector []float32, k int) ([]scored, error) {
	asked := min(k+k/2+8, x.size)
	results, err := x.collection.QueryEmbedding(ctx, vector, asked, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("query vector index: %w", err)
	}
	list := make([]scored, 0, len(results))
	for _, r := range results {
		chunk, err := strconv.Atoi(r.ID)
		if err != nil {
			return nil, fmt.Errorf("query vector index: %w", err)
		}
		list = append(list, scored{chunk, float64(dot(vector, x.source.of(chunk)))})
	}
	slices.SortFunc(list, byScore)
	if len(list) < x.size {
		const rounding = 1e-5
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
func (x *chromemIndex) scan(ctx context.Context, vector []float32, k int, allowed bitset) ([]scored, error) {
	workers := min(runtime.GOMAXPROCS(0), x.source.len/scanShare+1)
	share := (x.source.len + workers - 1) / workers
	parts := make([]*top, workers)
	group, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			best := newTop(k)
			parts[w] = best
			for i := w * share; i < min((w+1)*share, x.source.len); i++ {
				if i%scanShare == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				if allowed != nil && !allowed.has(i) {
					continue
				}
				if v := x.source.of(i); v != nil {
					best.offer(scored{i, float64(dot(vector, v))})
				}
			}
			return nil
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

// dot has several sums, since each addition waits for the one before it.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	for len(a) >= 8 && len(b) >= 8 {
		x, y := (*[8]float32)(a), (*[8]float32)(b)
		s0 += x[0]*y[0] + x[4]*y[4]
		s1 += x[1]*y[1] + x[5]*y[5]
		s2 += x[2]*y[2] + x[6]*y[6]
		s3 += x[3]*y[3] + x[7]*y[7]
		a, b = a[8:], b[8:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// top keeps the k best of what it is offered, in a heap with the worst of them on top.
type top struct {
	k    int
	heap []scored
}

func newTop(k int) *top { return &top{k: k} }

func (t *top) offer(s scored) {
	if len(t.heap) < t.k {
		t.heap = append(t.heap, s)
		for i := len(t.heap) - 1; i > 0; {
			parent := (i - 1) / 2
			if byScore(t.heap[parent], t.heap[i]) > 0 {
				break
			}
			t.heap[parent], t.heap[i] = t.heap[i], t.heap[parent]
			i = parent
		}
		return
	}
	if byScore(s, t.heap[0]) > 0 {
		return
	}
	t.heap[0] = s
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(t.heap); child++ {
			if byScore(t.heap[child], t.heap[worst]) > 0 {
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

func (t *top) sorted() []scored {
	slices.SortFunc(t.heap, byScore)
	return t.heap
}
