package near

import (
	"math"
	"slices"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/cosine"
)

// Vectors in context.
//
// What a short function is for is often said only elsewhere in its file. The vector of a chunk in context is the
// chunk's own vector plus a share of the mean of its file's vectors, all of which have length 1. Sections of
// documentation have no context: their headings say what they are about.

const (
	// maxSiblings is the number of chunks of a file, evenly spread, of which the mean is taken.
	maxSiblings = 32
	// maxInContext is the number of nearest chunks that are compared in context.
	maxInContext = 200
)

// A fileMean is the mean of the vectors of a file.
type fileMean struct {
	sum    []int32 // of the vectors as they are stored, which have different lengths
	length float64 // of the vectors together, rounded so that it does not depend on their order
	// context is the mean times the share; toQuestion and square are its products with the question and with itself.
	context            []float32
	toQuestion, square float64
}

func (m *fileMean) add(values []int8, scale float32) {
	for i, v := range values {
		m.sum[i] += int32(v)
	}
	m.length += math.Round(1 / float64(scale))
}

func (m *fileMean) finish(question []float32, share float64) {
	m.context = scaled(m.sum, float32(share/max(m.length, 1)))
	m.toQuestion, m.square = cosine.Dot(question, m.context), cosine.Dot(m.context, m.context)
}

// InContext replaces the scores of the first maxInContext chunks of the list, their cosines with the question's vector,
// by the cosines between that vector and the chunks' vectors in context, and orders them by these. The other chunks
// keep their order behind them; their scores are lowered in proportion.
func (x *Index) InContext(question []float32, share float64, list []corpus.Scored) error {
	question, ok := cosine.Unit(question)
	if !ok {
		return nil
	}
	first := list[:min(len(list), maxInContext)]
	if len(first) == 0 {
		return nil
	}
	before := first[len(first)-1].Score
	if err := x.inContext(question, share, first); err != nil {
		return err
	}
	after := first[len(first)-1].Score
	if after >= before || before <= 0 {
		return nil
	}
	for i := len(first); i < len(list); i++ {
		list[i].Score = min(list[i].Score*max(after, 0)/before, after)
	}
	return nil
}

// inContext does what InContext does for a whole list, given a vector of length 1.
func (x *Index) inContext(question []float32, share float64, list []corpus.Scored) error {
	at := make(map[int]int, len(list)) // the position of each chunk in the list
	means := map[uint32]*fileMean{}
	var chunks, siblings []int
	for i, s := range list {
		if x.g.ChunkType(s.Chunk) == record.Documentation {
			continue
		}
		at[s.Chunk] = i
		chunks = append(chunks, s.Chunk)
		if file := x.g.File(s.Chunk); means[file] == nil {
			means[file] = &fileMean{sum: make([]int32, len(question))}
			siblings = append(siblings, x.siblings(file)...)
		}
	}
	err := x.g.EachVector(siblings, func(chunk int, values []int8, scale float32) {
		if len(values) == len(question) {
			means[x.g.File(chunk)].add(values, scale)
		}
	})
	if err != nil {
		return err
	}
	for _, m := range means {
		m.finish(question, share)
	}
	err = x.g.EachVector(chunks, func(chunk int, values []int8, scale float32) {
		if len(values) == len(question) {
			m, s := means[x.g.File(chunk)], &list[at[chunk]]
			length := math.Sqrt(1 + 2*float64(scale)*cosine.Dot(values, m.context) + m.square)
			s.Score = (s.Score + m.toQuestion) / length
		}
	})
	slices.SortFunc(list, func(a, b corpus.Scored) int { return corpus.ByScore(x.g, a, b) })
	return err
}

// siblings returns at most maxSiblings chunks of the file.
func (x *Index) siblings(file uint32) []int {
	first := x.g.First(file)
	_, end := x.g.FileAt(first)
	n := min(end-first, maxSiblings)
	list := make([]int, n)
	for i := range list {
		list[i] = first + i*(end-first)/n
	}
	return list
}

func scaled[T int8 | int32](values []T, scale float32) []float32 {
	v := make([]float32, len(values))
	for i, x := range values {
		v[i] = float32(x) * scale
	}
	return v
}
