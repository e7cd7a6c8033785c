package corpus

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
)

func TestTop(t *testing.T) {
	g := rand.New(rand.NewPCG(3, 4))
	var chunks []*record.Chunk
	for i := range 30 {
		chunks = append(chunks, &record.Chunk{ID: fmt.Sprintf("%06d", i)})
	}
	gen := ofChunks(t, chunks...).Generation
	for range 200 {
		var all []Scored
		best := NewTop(gen, 1+g.IntN(8))
		for i := range g.IntN(30) {
			s := Scored{i, float64(g.IntN(5))}
			all = append(all, s)
			best.Offer(s)
		}
		slices.SortFunc(all, func(a, b Scored) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(gen.ID(a.Chunk), gen.ID(b.Chunk)))
		})
		if want := all[:min(best.k, len(all))]; !slices.Equal(best.sorted(), want) {
			t.Fatalf("got %v, want %v", best.sorted(), want)
		}
	}
}
