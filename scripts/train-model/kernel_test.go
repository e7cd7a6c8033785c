package main

import (
	"math"
	"math/rand/v2"
	"testing"
)

func numbers(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func near(t *testing.T, what string, got, want []float32) {
	t.Helper()
	for i := range want {
		if math.Abs(float64(got[i]-want[i])) > 1e-4 {
			t.Fatalf("%s: component %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestKernels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{32, 64, 256, 1024} {
		x, y := numbers(r, n), numbers(r, n)
		near(t, "dot", []float32{dot(x, y)}, []float32{dotGeneric(x, y)})
		y2 := append([]float32(nil), y...)
		axpy(0.3, x, y)
		axpyGeneric(0.3, x, y2)
		near(t, "axpy", y, y2)
		p, m, v, g := numbers(r, n), numbers(r, n), numbers(r, n), numbers(r, n)
		for i := range v {
			v[i] *= v[i]
		}
		p2, m2, v2 := append([]float32(nil), p...), append([]float32(nil), m...), append([]float32(nil), v...)
		c := &adamConstants{0.9, 0.1, 0.999, 0.001, 0.005, 1e-8}
		adam(p, m, v, g, c)
		adamGeneric(p2, m2, v2, g, c)
		near(t, "parameters", p, p2)
		near(t, "first moment", m, m2)
		near(t, "second moment", v, v2)
	}
}
