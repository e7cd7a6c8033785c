package rank

import (
	"math"

	"cortex/lib/search/index"
)

// A sizeTable holds each file's size from -1 to 1: the log of its lines in units of 4 deviations from the mean.
type sizeTable []float32

func newSizeTable(gen *index.Generation) sizeTable {
	t := make(sizeTable, gen.Files())
	var sum, squares float64
	gen.EachFile(func(file uint32, _ string, last int) {
		l := math.Log(float64(max(last, 1)))
		t[file] = float32(l)
		sum += l
		squares += l * l
	})
	count := float64(max(len(t), 1))
	mean := sum / count
	deviation := math.Sqrt(max(squares/count-mean*mean, 0))
	if deviation < 1e-6 {
		clear(t)
		return t
	}
	for i, l := range t {
		z := (float64(l) - mean) / deviation
		t[i] = float32(min(max(z/4, -1), 1))
	}
	return t
}
