package cosine

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"cortex/lib/record"
)

// TestProducts compares the processor's instructions with plain Go, also for vectors of extreme components.
func TestProducts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, dimensions := range []int{1, 3, 31, 32, 33, 256, 384, 1000, 4096} {
		for _, kind := range []struct{ extreme, small bool }{{false, false}, {true, false}, {false, true}, {true, true}} {
			const count = 7
			extreme, most := kind.extreme, 127
			if kind.small {
				most = record.MostSmall
			}
			width := Stride(dimensions)
			vectors := make([]int8, count*width)
			unit := make([]float32, dimensions)
			for i := range unit {
				unit[i] = float32(random.NormFloat64())
				if extreme {
					unit[i] = 1
				}
			}
			for i := range vectors {
				if vectors[i] = int8(random.IntN(2*most+1) - most); extreme {
					vectors[i] = int8(-most)
				}
				if i%width >= dimensions {
					vectors[i] = 0
				}
			}
			p, ok := NewProbe(unit)
			if !ok {
				t.Fatal("no probe")
			}
			fast, plain := make([]int32, count), make([]int32, count)
			products(fast, p.values, vectors)
			plainProducts(plain, p.values, vectors)
			if !slices.Equal(fast, plain) {
				t.Errorf("%d dimensions: %v, want %v", dimensions, fast, plain)
			}
			packed, ok := Pack(vectors)
			if ok != kind.small && dimensions > 1 {
				t.Errorf("%d dimensions: packed %v", dimensions, ok)
			}
			if ok {
				unpacked := make([]int8, width)
				if Unpack(unpacked, packed[width/2:]); !slices.Equal(unpacked, vectors[width:2*width]) {
					t.Errorf("%d dimensions: unpacked %v, want %v", dimensions, unpacked, vectors[width:2*width])
				}
				for _, of := range []func([]int32, []int16, []int8){smallProducts, plainSmallProducts} {
					of(fast, p.values, packed)
					for i := range fast {
						fast[i] -= p.eight
					}
					if !slices.Equal(fast, plain) {
						t.Errorf("%d dimensions of 4 bits: %v, want %v", dimensions, fast, plain)
					}
				}
			}
			for i, sum := range plain {
				v := vectors[i*width:][:dimensions]
				exact, length := 0.0, 0.0
				direction, _ := Unit(unit)
				for j, x := range v {
					exact += float64(x) * float64(direction[j])
					length += float64(x) * float64(x)
				}
				exact /= math.Sqrt(length)
				if got := float64(float32(sum) * p.scale * InverseLength(v)); math.Abs(got-exact) > 1e-4 {
					t.Errorf("%d dimensions: cosine %v, want %v", dimensions, got, exact)
				}
			}
		}
	}
}

func BenchmarkProducts(b *testing.B) {
	const dimensions, count = 256, 400_000
	vectors := make([]int8, count*dimensions)
	for i := range vectors {
		vectors[i] = int8(i * i)
	}
	p, _ := NewProbe(make([]float32, dimensions-1))
	p.values = make([]int16, dimensions)
	sums := make([]int32, 512)
	for _, way := range []struct {
		name string
		of   func([]int32, []int16, []int8)
	}{{"products", products}, {"plain", plainProducts}, {"small", smallProducts}} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(int64(len(vectors)))
			for b.Loop() {
				for i := 0; i+512 <= count; i += 512 {
					size := dimensions
					if way.name == "small" {
						size /= 2
					}
					way.of(sums, p.values, vectors[i*size:(i+512)*size])
				}
			}
		})
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(len(vectors)))
		read := unsafe.Slice((*uint64)(unsafe.Pointer(&vectors[0])), len(vectors)/8)
		total := uint64(0)
		for b.Loop() {
			var a, c, d, e uint64
			for i := 0; i+4 <= len(read); i += 4 {
				a += read[i]
				c += read[i+1]
				d += read[i+2]
				e += read[i+3]
			}
			total += a + c + d + e
		}
		sums[0] = int32(total)
	})
}
