package record

import (
	"encoding/binary"
	"math"
	"slices"
)

// A Quantized is a vector of int8. Component i is Scale times Values[i], and Values are from -127 to 127.
type Quantized struct {
	Scale  float32
	Values []int8
}

// MostSmall is the greatest magnitude of a 4-bit value.
const MostSmall = 7

// Quantize rounds a vector that has a direction (Embedding.Length) to the nearest Quantized. It uses dst for the values
// if dst is large enough. Quantizing the result of Quantized.Embedding gives the same Quantized again, so storing a
// vector several times rounds it once.
func Quantize(dst []int8, e Embedding) Quantized {
	if q := quantize(dst, e, MostSmall); q.Exactly(e) {
		return q
	}
	return quantize(dst, e, math.MaxInt8)
}

// QuantizeSmall rounds a vector that has a direction to 4-bit values, and scales it to length 1.
func QuantizeSmall(dst []int8, e Embedding) Quantized {
	q := quantize(dst, e, MostSmall)
	sum := 0
	for _, v := range q.Values {
		sum += int(v) * int(v)
	}
	if sum > 0 {
		q.Scale = roundScale(1 / math.Sqrt(float64(sum)))
	}
	return q
}

// IsSmall reports whether all values fit in 4 bits.
func (q Quantized) IsSmall() bool {
	return !slices.ContainsFunc(q.Values, func(v int8) bool { return v < -MostSmall || v > MostSmall })
}

// quantize chooses the scale so that the largest magnitude becomes most, and rounds the components.
func quantize(dst []int8, e Embedding, most int) Quantized {
	var largest float32
	for _, x := range e {
		largest = max(largest, x, -x)
	}
	q := Quantized{Scale: roundScale(float64(largest) / float64(most)), Values: dst[:0]}
	if q.Scale == 0 {
		return Quantized{Values: append(q.Values, make([]int8, len(e))...)}
	}
	inverse := 1 / float64(q.Scale)
	for _, x := range e {
		q.Values = append(q.Values, int8(math.RoundToEven(float64(x)*inverse)))
	}
	return q
}

// roundScale rounds a scale up to 16 significant bits, so that its products with 8-bit integers are exact in float32.
func roundScale(scale float64) float32 {
	bits := math.Float32bits(float32(scale))
	if bits&0xff != 0 {
		bits = bits&^0xff + 0x100
	}
	return math.Float32frombits(bits)
}

// Embedding returns the vector as float32.
func (q Quantized) Embedding() Embedding {
	e := make(Embedding, len(q.Values))
	for i, v := range q.Values {
		e[i] = q.Scale * float32(v)
	}
	return e
}

// Exactly reports whether e equals q.Embedding().
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

// AppendSmall appends the scale as little-endian float32 and two 4-bit values per byte, the first in the lower half.
func (q Quantized) AppendSmall(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(q.Scale))
	for i := 0; i < len(q.Values); i += 2 {
		b := byte(q.Values[i]) & 15
		if i+1 < len(q.Values) {
			b |= byte(q.Values[i+1]) << 4
		} else {
			b |= nothing
		}
		dst = append(dst, b)
	}
	return dst
}

// nothing fills the upper half of the last byte if the number of values is odd. It stands for -8, which is no valid
// value.
const nothing = 8 << 4

// ReadSmall reads what AppendSmall wrote. dst and ok are as for ReadQuantized.
func ReadSmall(dst []int8, data []byte) (q Quantized, ok bool) {
	if len(data) < 5 {
		return q, false
	}
	q = Quantized{Scale: math.Float32frombits(binary.LittleEndian.Uint32(data)), Values: dst[:0]}
	for _, b := range data[4:] {
		q.Values = append(q.Values, int8(b<<4)>>4, int8(b)>>4)
	}
	if data[len(data)-1]&0xf0 == nothing {
		q.Values = q.Values[:len(q.Values)-1]
	}
	return q, q.hasDirection()
}

// Append appends the scale as little-endian float32 and a byte for each component.
func (q Quantized) Append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(q.Scale))
	for _, v := range q.Values {
		dst = append(dst, byte(v))
	}
	return dst
}

// ReadQuantized reads what Append wrote. It uses dst for the values if dst is large enough. ok is false if data is too
// short or the vector has no direction.
func ReadQuantized(dst []int8, data []byte) (q Quantized, ok bool) {
	if len(data) < 5 {
		return q, false
	}
	q = Quantized{Scale: math.Float32frombits(binary.LittleEndian.Uint32(data)), Values: dst[:0]}
	for _, b := range data[4:] {
		q.Values = append(q.Values, int8(b))
	}
	return q, q.hasDirection()
}

func (q Quantized) hasDirection() bool {
	return slices.ContainsFunc(q.Values, func(v int8) bool { return v != 0 }) && q.Scale >= leastScale && q.Scale <= math.MaxFloat32/128
}

// leastScale is the least normal float32. Products with a smaller scale are not exact.
const leastScale = 0x1p-126
