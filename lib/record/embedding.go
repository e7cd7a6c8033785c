package record

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// An Embedding is a vector. In JSON it is the base64 of its components as little-endian float32. UnmarshalJSON also
// reads an array of numbers, which jq can write. The embedding of a decoded chunk is either nil or has a direction (see
// Length).
type Embedding []float32

// Base64 returns the components as base64 of little-endian float32.
func (e Embedding) Base64() string {
	return base64.StdEncoding.EncodeToString(e.bytes())
}

func (e Embedding) bytes() []byte {
	raw := make([]byte, 4*len(e))
	for i, x := range e {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(x))
	}
	return raw
}

// MarshalJSON implements json.Marshaler.
func (e Embedding) MarshalJSON() ([]byte, error) {
	if e == nil {
		return []byte("null"), nil
	}
	raw := e.bytes()
	out := make([]byte, 0, base64.StdEncoding.EncodedLen(len(raw))+2)
	out = append(out, '"')
	out = base64.StdEncoding.AppendEncode(out, raw)
	return append(out, '"'), nil
}

// UnmarshalJSON implements json.Unmarshaler. It accepts any components, even NaN and infinities; see Length.
func (e *Embedding) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		var values []float32
		if err := json.Unmarshal(data, &values); err != nil {
			return fmt.Errorf("embedding: %w", err)
		}
		*e = values
		return nil
	}
	if string(data) == "null" {
		*e = nil
		return nil
	}
	if len(data) < 2 || data[0] != '"' {
		return fmt.Errorf("embedding: expected base64 or an array of numbers")
	}
	// The slash is the only character of base64 that JSON may escape, and escaping it is optional.
	body := data[1 : len(data)-1]
	for _, c := range body {
		if c == '\\' {
			var s string
			if err := json.Unmarshal(data, &s); err != nil {
				return fmt.Errorf("embedding: %w", err)
			}
			body = []byte(s)
			break
		}
	}
	raw := make([]byte, base64.StdEncoding.DecodedLen(len(body)))
	n, err := base64.StdEncoding.Decode(raw, body)
	if err != nil {
		return fmt.Errorf("embedding: %w", err)
	}
	if n%4 != 0 {
		return fmt.Errorf("embedding: %d bytes are not a whole number of float32", n)
	}
	values := make([]float32, n/4)
	for i := range values {
		values[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	*e = values
	return nil
}

// leastSquare is the square of the least normal float32. The components of a shorter vector have only a few significant
// bits, and the factor that would scale the vector to length 1 overflows float32.
const leastSquare = 0x1p-252

// Length returns the Euclidean length of the vector. ok is false if the vector has no direction: it is empty, it is
// shorter than the least normal float32, or a component is infinite or NaN. All readers treat such a vector as no
// embedding.
func (e Embedding) Length() (length float64, ok bool) {
	// Four sums run in parallel, since each addition waits for the previous one of its sum. The square of a float32
	// always fits float64. The conversions prevent fused multiply-add, so that all machines give the same result.
	var s0, s1, s2, s3 float64
	rest := e
	for len(rest) >= 4 {
		a, b, c, d := float64(rest[0]), float64(rest[1]), float64(rest[2]), float64(rest[3])
		s0 += float64(a * a)
		s1 += float64(b * b)
		s2 += float64(c * c)
		s3 += float64(d * d)
		rest = rest[4:]
	}
	for _, x := range rest {
		s0 += float64(float64(x) * float64(x))
	}
	sum := (s0 + s1) + (s2 + s3)
	return math.Sqrt(sum), sum >= leastSquare && !math.IsInf(sum, 1)
}
