package record

import (
	"math"
	"testing"
)

func repeated(x float32, n int) Embedding {
	e := make(Embedding, n)
	for i := range e {
		e[i] = x
	}
	return e
}

func TestLengthOfEmbeddings(t *testing.T) {
	const least = 0x1p-126 // the least normal float32
	for _, test := range []struct {
		name   string
		vector Embedding
		ok     bool
	}{
		{"unit", Embedding{0.6, -0.8}, true},
		{"one", Embedding{1}, true},
		{"short", repeated(1e-30, 4), true},
		{"least", Embedding{0, least}, true},
		{"subnormal components of a normal length", repeated(least/2, 5), true},
		{"greatest", repeated(math.MaxFloat32, 300), true},
		{"below normal", repeated(1e-40, 256), false},
		{"least subnormal", Embedding{math.SmallestNonzeroFloat32, 0}, false},
		{"zero", make(Embedding, 7), false},
		{"empty", Embedding{}, false},
		{"none", nil, false},
		{"not a number", Embedding{1, float32(math.NaN()), 0, 0, 0}, false},
		{"infinite", Embedding{1, 0, 0, 0, float32(math.Inf(-1))}, false},
	} {
		length, ok := test.vector.Length()
		sum := 0.0
		for _, x := range test.vector {
			sum += float64(x) * float64(x)
		}
		if ok != test.ok || ok && math.Abs(length/math.Sqrt(sum)-1) > 1e-12 {
			t.Errorf("%s: length %g, %v", test.name, length, ok)
		}
	}
}
