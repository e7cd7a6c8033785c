// Package cosine computes the cosines between one vector, the Probe, and many vectors of 8-bit or 4-bit integers. It
// uses AVX2 where the processor has it. products.go describes how the vectors are stored.
package cosine

import "math"

// A Probe is a vector to compare with others, as integers so small that scalar products with 8-bit integers are exact
// in 32 bits.
type Probe struct {
	values []int16
	scale  float32
	// eight is eight times the sum of the values: packed components are stored with 8 added.
	eight int32
}

// NewProbe makes a Probe of the vector; ok is false if the vector has no direction.
func NewProbe(vector []float32) (p Probe, ok bool) {
	unit, ok := Unit(vector)
	if !ok {
		return Probe{}, false
	}
	largest := 0.0
	for _, x := range unit {
		largest = max(largest, math.Abs(float64(x)))
	}
	// By the Cauchy-Schwarz inequality, no scalar product exceeds 127 times the root of the dimensions times this
	// factor.
	factor := min(math.MaxInt16/largest, (math.MaxInt32-1)/(127*math.Sqrt(float64(len(unit))))/2)
	p.values = make([]int16, Stride(len(unit)))
	for i, x := range unit {
		p.values[i] = int16(math.Round(float64(x) * factor))
		p.eight += 8 * int32(p.values[i])
	}
	p.scale = float32(1 / factor)
	return p, true
}

// Stride returns the number of components with which a vector is stored: its dimensions, padded with zeros to a
// multiple of 32. Each takes a byte, or half a byte if it is packed.
func Stride(dimensions int) int { return (dimensions + 31) &^ 31 }

// Stride returns the stride of the vectors that the probe can be compared with.
func (p Probe) Stride() int { return len(p.values) }

// Products sets each sum to the scalar product of the probe and one of the vectors, which are stored one after the
// other, all packed or all not.
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

// Cosine returns the cosine between the probe and a vector, given their scalar product and the vector's InverseLength.
func (p Probe) Cosine(product int32, inverseLength float32) float32 {
	return float32(product) * p.scale * inverseLength
}
