package cosine

import (
	"math"

	"cortex/lib/record"
)

// Unit returns the vector scaled to length 1, or v itself if it has that length. ok is false if the vector has no
// direction (record.Embedding.Length).
func Unit(v []float32) (unit []float32, ok bool) {
	length, ok := record.Embedding(v).Length()
	if !ok {
		return nil, false
	}
	if math.Abs(length-1) < 5e-7 {
		return v, true
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) / length)
	}
	return out, true
}

// Dot returns the scalar product. The products are exact, so it is the same on all processors.
func Dot[T int8 | float32](a []T, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// InverseLength returns 1 divided by the length of the vector, 0 for a vector of zeros.
func InverseLength(v []int8) float32 {
	sum := 0
	for _, x := range v {
		sum += int(x) * int(x)
	}
	if sum == 0 {
		return 0
	}
	return float32(1 / math.Sqrt(float64(sum)))
}
