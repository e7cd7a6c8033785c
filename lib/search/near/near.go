// Package near finds the chunks whose vectors are nearest to a vector, and compares them in the context of their files.
package near

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/philippgille/chromem-go"

	"cortex/lib/parallel"
	"cortex/lib/search/corpus"
	"cortex/lib/search/cosine"
	"cortex/lib/search/index"
)

// An Index finds the chunks whose embeddings are nearest to a vector. For small stores it keeps the embeddings in a
// collection of chromem-go as well. The collection has filters for equal strings only, and leaves out any of several
// equally similar chunks. So filtered searches, and those whose answer would depend on chance, scan the vectors of the
// segments. All methods may be called concurrently.
type Index struct {
	g          *index.Generation
	collection func() (*chromem.Collection, error) // nil for many vectors
}

// maxCollection is the greatest number of chunks for which a collection is made.
const maxCollection = 1_000

func New(g *index.Generation) *Index {
	x := &Index{g: g}
	if g.Len() <= maxCollection && !g.IsRemote() {
		x.collection = sync.OnceValues(x.collect)
	}
	return x
}

func (x *Index) collect() (c *chromem.Collection, err error) {
	defer index.Guard(&err)()
	refuse := func(context.Context, string) ([]float32, error) {
		return nil, fmt.Errorf("search: chromem-go asked for an embedding")
	}
	if c, err = chromem.NewDB().CreateCollection("chunks", nil, refuse); err != nil {
		return nil, fmt.Errorf("make vector index: %w", err)
	}
	for i := range x.g.Len() {
		vector, err := x.Vector(i)
		if err != nil {
			return nil, err
		}
		if vector != nil {
			if err := c.AddDocument(context.Background(), chromem.Document{ID: strconv.Itoa(i), Embedding: vector}); err != nil {
				return nil, fmt.Errorf("make vector index: %w", err)
			}
		}
	}
	return c, nil
}

// Vector returns the chunk's embedding scaled to length 1, nil if it has none.
func (x *Index) Vector(chunk int) (v []float32, err error) {
	err = x.g.EachVector([]int{chunk}, func(_ int, values []int8, scale float32) { v = scaled(values, scale) })
	return v, err
}

// Nearest returns the k chunks of allowed, or of all if allowed is nil, whose embeddings are nearest to vector, best
// first, ties by identifier. Scores are cosines.
func (x *Index) Nearest(ctx context.Context, vector []float32, k int, allowed corpus.Set) ([]corpus.Scored, error) {
	probe, ok := cosine.NewProbe(vector)
	if !ok || x.g.Embeddings() == 0 || k <= 0 {
		return nil, nil
	}
	if x.g.IsRemote() {
		return x.ask(ctx, vector, k, allowed)
	}
	if allowed == nil && k < x.g.Embeddings() && x.collection != nil {
		list, err := x.query(ctx, vector, probe, k)
		if err != nil || list != nil {
			return list, err
		}
	}
	return x.scan(ctx, probe, k, allowed)
}

// query searches the collection, which picks among equally similar chunks by chance and rounds differently. So query
// asks for more than k chunks and computes the cosines again. It returns nil if the k best remain uncertain.
func (x *Index) query(ctx context.Context, vector []float32, probe cosine.Probe, k int) ([]corpus.Scored, error) {
	collection, err := x.collection()
	if err != nil {
		return nil, err
	}
	unit, _ := cosine.Unit(vector)
	asked := min(k+k/2+8, x.g.Embeddings())
	results, err := collection.QueryEmbedding(ctx, unit, asked, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("query vector index: %w", err)
	}
	// When ctx ends, the collection returns what it has found so far, without an error.
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	list := make([]corpus.Scored, 0, len(results))
	for _, r := range results {
		chunk, err := strconv.Atoi(r.ID)
		if err != nil {
			return nil, fmt.Errorf("query vector index: %w", err)
		}
		list = append(list, corpus.Scored{Chunk: chunk, Score: float64(x.g.Cosine(probe, chunk))})
	}
	slices.SortFunc(list, func(a, b corpus.Scored) int { return corpus.ByScore(x.g, a, b) })
	if len(list) < x.g.Embeddings() {
		const rounding = 1e-4
		least := list[len(list)-1].Score + rounding
		list = slices.DeleteFunc(list, func(s corpus.Scored) bool { return s.Score <= least })
		if len(list) < k {
			return nil, nil
		}
	}
	return list[:min(k, len(list))], nil
}

func (x *Index) ask(ctx context.Context, vector []float32, k int, allowed corpus.Set) ([]corpus.Scored, error) {
	var is func(chunk int) bool
	if allowed != nil {
		is = allowed.Has
	}
	near, err := x.g.NearestOf(ctx, vector, k, is, allowed.Count())
	if err != nil {
		return nil, err
	}
	list := make([]corpus.Scored, 0, len(near))
	for _, n := range near {
		list = append(list, corpus.Scored{Chunk: n.Chunk, Score: float64(n.Cosine)})
	}
	slices.SortFunc(list, func(a, b corpus.Scored) int { return corpus.ByScore(x.g, a, b) })
	return list[:min(k, len(list))], nil
}

// scanShare is the least number of vectors for which another goroutine pays off.
const scanShare = 32_768

// scan compares the vector with all allowed vectors.
func (x *Index) scan(ctx context.Context, probe cosine.Probe, k int, allowed corpus.Set) ([]corpus.Scored, error) {
	workers := min(runtime.GOMAXPROCS(0), x.g.Len()/scanShare+1)
	parts := make([]*corpus.Top, workers)
	group, ctx := parallel.NewGroup(ctx)
	for w := range workers {
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			best := corpus.NewTop(x.g, k)
			parts[w] = best
			return x.g.Nearest(ctx, probe, w, workers, func(chunk int, cosine float32) float32 {
				if allowed == nil || allowed.Has(chunk) {
					best.Offer(corpus.Scored{Chunk: chunk, Score: float64(cosine)})
				}
				return float32(best.Least())
			})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return corpus.Join(parts), nil
}
