package cosine

import (
	"slices"

	"cortex/lib/record"
)

// plainProducts sets each sum to the scalar product of the probe and one of the vectors, which are stored one after the
// other.
func plainProducts(sums []int32, probe []int16, vectors []int8) {
	for i := range sums {
		v := vectors[i*len(probe) : (i+1)*len(probe)]
		var a, b, c, d int32
		for j := 0; j+4 <= len(v) && j+4 <= len(probe); j += 4 {
			x, y := v[j:j+4:j+4], probe[j:j+4:j+4]
			a += int32(x[0]) * int32(y[0])
			b += int32(x[1]) * int32(y[1])
			c += int32(x[2]) * int32(y[2])
			d += int32(x[3]) * int32(y[3])
		}
		sums[i] = a + b + c + d
	}
}

// plainSmallProducts is plainProducts for components of 4 bits that Pack wrote, each as 8 more than its value.
func plainSmallProducts(sums []int32, probe []int16, vectors []int8) {
	for i := range sums {
		v := vectors[i*len(probe)/2 : (i+1)*len(probe)/2]
		var low, high int32
		for j := 0; j < len(probe); j += 32 {
			x, p := v[j/2:][:16], probe[j:][:32]
			for k := range 16 {
				low += int32(x[k]&15) * int32(p[k])
				high += int32(uint8(x[k])>>4) * int32(p[k+16])
			}
		}
		sums[i] = low + high
	}
}

// Pack packs components, whose number is a multiple of 32, into 4 bits each: 16 components into the lower halves of 16
// bytes, the next 16 into their upper halves, each as 8 more than its value. ok is false if a component does not fit.
func Pack(vectors []int8) (packed []int8, ok bool) {
	if slices.ContainsFunc(vectors, func(x int8) bool { return x < -record.MostSmall || x > record.MostSmall }) {
		return nil, false
	}
	packed = make([]int8, len(vectors)/2)
	for i := range packed {
		at := i/16*32 + i%16
		packed[i] = vectors[at] + 8 | (vectors[at+16]+8)<<4
	}
	return packed, true
}

// Unpack undoes Pack.
func Unpack(v []int8, packed []int8) {
	for i := 0; i+32 <= len(v); i += 32 {
		low, high, from := v[i:][:16], v[i+16:][:16], packed[i/2:][:16]
		for k, x := range from {
			low[k], high[k] = x&15-8, int8(uint8(x)>>4)-8
		}
	}
}
