package record

import (
	"encoding/binary"
	"math"
)

// A Quantized is a vector whose components are Scale times a whole number from -127 to 127.
type Quantized struct {
	Scale  float32
	Values []int8
}

// Quantize rounds a vector that has a direction (Embedding.Length) to the nearest Quantized, into dst if that is long enough. It leaves as it
// is what Quantized.Embedding gives, so that a vector is rounded once however often it is stored.
func Quantize(dst []int8, e Embedding) Quantized {
	var largest float32
	for _, x := range e {
		largest = max(largest, x, -x)
	}
	q := Quantized{Scale: scaleFor(largest), Values: dst[:0]}
	if q.Scale == 0 {
		return Quantized{Values: append(q.Values, make([]int8, len(e))...)}
	}
	inverse := 1 / float64(q.Scale)
	for _, x := range e {
		q.Values = append(q.Values, int8(math.RoundToEven(float64(x)*inverse)))
	}
	return q
}

// scaleFor is the scale with which the component of largest magnitude becomes 127. It has 16 significant bits, so that products with whole
// numbers of 8 bits are exact.
func scaleFor(largest float32) float32 {
	scale := float32(float64(largest) / 127)
	bits := math.Float32bits(scale)
	if bits&0xff != 0 {
		bits = bits&^0xff + 0x100
	}
	return math.Float32frombits(bits)
}

// Embedding is the vector as floating point numbers.
func (q Quantized) Embedding() Embedding {
	e := make(Embedding, len(q.Values))
	for i, v := range q.Values {
		e[i] = q.Scale * float32(v)
	}
	return e
}

// Exactly reports whether the vector is q and not only near it.
func (q Quantized) Exactly(e Embedding) bool {
	if len(e) != len(q.Values) {
		return false
	}
	for i, v := range q.Values {
		if e[i] != q.Scale*float32(v) {
			return false
		}
	}
	return true
}

// Append appends the scale as little-endian float32 and a byte for each component.
func (q Quantized) Append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(q.Scale))
	for _, v := range q.Values {
		dst = append(dst, byte(v))
	}
	return dst
}

// ReadQuantized reads what Append wrote, with the components in dst if that is long enough. It is not ok if data is none, or the vector has no direction.
func ReadQuantized(dst []int8, data []byte) (q Quantized, ok bool) {
	if len(data) < 5 {
		return q, false
	}
	q.Scale = math.Float32frombits(binary.LittleEndian.Uint32(data))
	q.Values = dst[:0]
	any := false
	for _, b := range data[4:] {
		q.Values = append(q.Values, int8(b))
		any = any || b != 0
	}
	return q, any && q.Scale >= leastScale && q.Scale <= math.MaxFloat32/128
}

// leastScale is the least normal float32, below which products are not exact.
const leastScale = 0x1p-126
