package near

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/cosine"
)

// inFiles is random chunks, so many in each file; a seventh of them have no embedding.
func inFiles(perFile []int, dims int, g *rand.Rand) []*record.Chunk {
	var chunks []*record.Chunk
	for file, n := range perFile {
		for i := range n {
			c := randomChunks(1, dims, g)[0]
			c.ID, c.Metadata.FilePath = fmt.Sprintf("%03d#%04d", file, i), fmt.Sprintf("%03d", file)
			if i%7 == 6 {
				c.Embedding = nil
			}
			chunks = append(chunks, c)
		}
	}
	return chunks
}

// TestInContext compares scores in context with those computed from the definition, for files of all sizes.
func TestInContext(t *testing.T) {
	const dims, share = 16, 0.8
	g := rand.New(rand.NewPCG(3, 4))
	chunks := inFiles([]int{1, 2, 7, maxSiblings, maxSiblings + 1, 3 * maxSiblings}, dims, g)
	for _, segments := range []int{1, 4} {
		x := vectorsOf(t, chunks, segments)
		question := randomChunks(1, dims, g)[0].Embedding
		unit, _ := cosine.Unit(question)
		list, err := x.Nearest(t.Context(), question, len(chunks), nil)
		if err != nil {
			t.Fatal(err)
		}
		before := slices.Clone(list)
		if err := x.InContext(question, share, list); err != nil {
			t.Fatal(err)
		}
		if len(list) != x.g.Embeddings() {
			t.Fatalf("%d chunks, want %d", len(list), x.g.Embeddings())
		}
		for i, s := range list {
			if i > 0 && corpus.ByScore(x.g, list[i-1], s) > 0 {
				t.Errorf("chunk %d stands before a better one", i-1)
			}
			v, err := x.Vector(s.Chunk)
			if err != nil {
				t.Fatal(err)
			}
			mean, length := make([]float64, dims), 0.0
			for _, sibling := range x.siblings(x.g.File(s.Chunk)) {
				err := x.g.EachVector([]int{sibling}, func(_ int, values []int8, scale float32) {
					for k, value := range values {
						mean[k] += float64(value)
					}
					length += 1 / float64(scale)
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			sum, square := 0.0, 0.0
			for k := range mean {
				c := float64(v[k]) + share*mean[k]/length
				sum, square = sum+c*float64(unit[k]), square+c*c
			}
			if want := sum / math.Sqrt(square); math.Abs(s.Score-want) > 0.005 {
				t.Errorf("chunk %q: score %v, want %v", x.g.ID(s.Chunk), s.Score, want)
			}
		}
		if slices.Equal(before, list) {
			t.Error("the files made no difference")
		}
	}
}

// Sections of documentation keep their scores.
func TestSectionsHaveNoContext(t *testing.T) {
	chunks := inFiles([]int{5, 5}, 8, rand.New(rand.NewPCG(7, 8)))
	for _, c := range chunks[:5] {
		c.ChunkType = record.Documentation
	}
	x := vectorsOf(t, chunks, 1)
	question := randomChunks(1, 8, rand.New(rand.NewPCG(9, 9)))[0].Embedding
	list, err := x.Nearest(t.Context(), question, 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := map[int]float64{}
	for _, s := range list {
		before[s.Chunk] = s.Score
	}
	if err := x.InContext(question, 0.8, list); err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if same := s.Score == before[s.Chunk]; same != (x.g.File(s.Chunk) == 0) {
			t.Errorf("chunk %q: score %v, before %v", x.g.ID(s.Chunk), s.Score, before[s.Chunk])
		}
	}
}

// The only chunk of a file is its own context, a question without direction changes nothing, and of a long file
// siblings are taken from everywhere.
func TestContextOfOddFiles(t *testing.T) {
	g := rand.New(rand.NewPCG(5, 6))
	x := vectorsOf(t, inFiles([]int{1, 1, 500}, 8, g), 1)
	question := randomChunks(1, 8, g)[0].Embedding
	list, err := x.Nearest(t.Context(), question, 600, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := map[int]float64{}
	for _, s := range list {
		before[s.Chunk] = s.Score
	}
	if err := x.InContext(make([]float32, 8), 1, list); err != nil || list[0].Score != before[list[0].Chunk] {
		t.Fatal(list[0], err)
	}
	if err := x.InContext(question, 1, list); err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		if x.g.File(s.Chunk) < 2 && math.Abs(s.Score-before[s.Chunk]) > 0.005 {
			t.Errorf("the only chunk of a file: %v, want %v", s.Score, before[s.Chunk])
		}
	}
	for i := maxInContext; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if a.Score < b.Score || i > maxInContext && before[a.Chunk] < before[b.Chunk] {
			t.Errorf("place %d of those compared without context: %v before %v", i, a, b)
		}
	}
	of := x.siblings(2)
	if len(of) != maxSiblings || of[0] != 2 || of[maxSiblings-1] < 480 || !slices.IsSorted(of) {
		t.Errorf("siblings of a file of 500 chunks: %v", of)
	}
	if err := x.InContext(question, 1, nil); err != nil {
		t.Error(err)
	}
}
