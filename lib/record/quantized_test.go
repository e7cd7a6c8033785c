package record

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestQuantizeLeavesWhatIsQuantized(t *testing.T) {
	if testing.Short() {
		t.Skip("tries many vectors")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		e := make(Embedding, 1+r.IntN(300))
		for i := range e {
			e[i] = float32(r.NormFloat64() * math.Pow(10, float64(r.IntN(30)-15)))
		}
		q := Quantize(nil, e)
		again := Quantize(nil, q.Embedding())
		if !slices.Equal(q.Embedding(), again.Embedding()) {
			t.Fatalf("quantized once: %v, twice: %v", q, again)
		}
		for i, x := range e {
			if d := math.Abs(float64(x) - float64(q.Embedding()[i])); d > 0.5001*float64(q.Scale) {
				t.Fatalf("component %d of %v is off by %v, scale %v", i, e, d, q.Scale)
			}
		}
		if small := QuantizeSmall(nil, e); !small.IsSmall() || !Quantize(nil, small.Embedding()).Exactly(small.Embedding()) {
			t.Fatalf("%v rounded to %v, that to %v", e, small, Quantize(nil, small.Embedding()))
		} else if length, ok := small.Embedding().Length(); !ok || math.Abs(length-1) > 1e-4 {
			t.Fatalf("%v rounded to the length %v", e, length)
		} else if read, ok := ReadSmall(nil, small.AppendSmall(nil)); !ok || read.Scale != small.Scale || !slices.Equal(read.Values, small.Values) {
			t.Fatalf("read %v %v, wrote %v", read, ok, small)
		}
		read, ok := ReadQuantized(nil, q.Append(nil))
		if !ok || read.Scale != q.Scale || !slices.Equal(read.Values, q.Values) {
			t.Fatalf("read %v %v, wrote %v", read, ok, q)
		}
	}
}
