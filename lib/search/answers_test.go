package search

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"cortex/lib/embed"
	"cortex/lib/embed/provider"
	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// A zero vector, as the embedding of a chunk, of the place in Request.Like or of the question, must not make an answer
// fail or contain a number that JSON cannot encode.
func TestAnswersWithVectorsWithoutDirection(t *testing.T) {
	nan := float32(math.NaN())
	for name, bad := range map[string]float32{"zero": 0, "below normal": 1e-40, "not a number": nan} {
		chunks := storeOf()
		e := builtin()
		snap := snapshot(t, chunks, e)
		for _, c := range chunks[:len(chunks)/2] {
			c.Embedding = repeated32(bad, e.Dimensions())
		}
		x, err := newInMemory(snap, e, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []answer.Mode{answer.Auto, answer.Semantic, answer.Keyword, answer.Hybrid, answer.Fusion} {
			requests := []answer.Request{{Queries: []string{"how do we handle the login of a mutex"}, Mode: mode, Explain: true}, {Like: chunks[len(chunks)-1].ID, Mode: mode}}
			if mode != answer.Semantic && mode != answer.Hybrid && mode != answer.Fusion {
				requests = append(requests, answer.Request{Like: chunks[0].ID, Mode: mode})
			}
			for _, req := range requests {
				r, err := x.Search(t.Context(), req)
				if err == nil {
					_, err = json.Marshal(r)
				}
				if err != nil {
					t.Errorf("%s, %s: %v", name, mode, err)
				}
			}
		}
		if _, err := x.Search(t.Context(), answer.Request{Like: chunks[0].ID, Mode: answer.Semantic}); err == nil || !strings.Contains(err.Error(), "no embedding of "+chunks[0].ID) {
			t.Errorf("%s: like a place without direction: %v", name, err)
		}
		lost, err := newInMemory(snap, undirected{e, repeated32(bad, e.Dimensions())}, Settings{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := lost.Search(t.Context(), answer.Request{Queries: []string{"how do we handle a login"}})
		if err != nil || r.Metadata.Source != "keyword" || !strings.Contains(r.Metadata.Warning, "searching by words only: embed question: the vector has no direction") {
			t.Errorf("%s: a question without direction: %v %+v", name, err, r)
		}
		if _, err := lost.Search(t.Context(), answer.Request{Queries: []string{"how do we handle a login"}, Mode: answer.Semantic}); !errors.Is(err, provider.ErrNoDirection) {
			t.Errorf("%s: a question without direction: %v", name, err)
		}
	}
}

// undirected embeds every question as the same vector.
type undirected struct {
	embed.Embedder
	vector []float32
}

func (u undirected) Embed(_ context.Context, _ embed.Mode, texts []string) ([][]float32, error) {
	return slices.Repeat([][]float32{u.vector}, len(texts)), nil
}

func repeated32(x float32, n int) record.Embedding {
	return slices.Repeat(record.Embedding{x}, n)
}
