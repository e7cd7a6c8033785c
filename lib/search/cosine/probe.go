// Package cosine compares vectors: a Probe of any components with many of whole numbers of 8 or 4 bits, by AVX2 where the processor has that. products.go has the form
// in which these follow each other.
package cosine

import "math"

// A Probe is a vector that others are compared with: whole numbers so small that sums of products with 8-bit integers are exact in 32 bits.
type Probe struct {
	values []int16
	scale  float32
	// eight is eight times the sum of the values.
	eight int32
}

// NewProbe is not ok for a vector without direction.
func NewProbe(vector []float32) (p Probe, ok bool) {
	unit, ok := Unit(vector)
	if !ok {
		return Probe{}, false
	}
	largest := 0.0
	for _, x := range unit {
		largest = max(largest, math.Abs(float64(x)))
	}
	// By Cauchy and Schwarz no sum of products exceeds the product of the lengths, 127 times the root of the dimensions and this factor.
	factor := min(math.MaxInt16/largest, (math.MaxInt32-1)/(127*math.Sqrt(float64(len(unit))))/2)
	p.values = make([]int16, Stride(len(unit)))
	for i, x := range unit {
		p.values[i] = int16(math.Round(float64(x) * factor))
		p.eight += 8 * int32(p.values[i])
	}
	p.scale = float32(1 / factor)
	return p, true
}

// Stride is the number of components of a vector: its dimensions and zeros up to a multiple of 32. Each takes a byte, or half of one if it was packed.
func Stride(dimensions int) int { return (dimensions + 31) &^ 31 }

// Stride is that of the vectors with which the probe can be compared.
func (p Probe) Stride() int { return len(p.values) }

// Products sets each sum to the scalar product of the probe and one of the vectors, packed or not, which follow each other.
func (p Probe) Products(sums []int32, vectors []int8) {
	if len(vectors) == len(sums)*len(p.values) {
		products(sums, p.values, vectors)
		return
	}
	smallProducts(sums, p.values, vectors)
	for i := range sums {
		sums[i] -= p.eight
	}
}

// Cosine is that of the probe and a vector with this scalar product, and this factor to bring it to length 1.
func (p Probe) Cosine(product int32, inverseLength float32) float32 {
	return float32(product) * p.scale * inverseLength
}
