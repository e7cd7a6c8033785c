package record

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
)

// An Embedding is a vector. In JSON it is the standard base64 of its components as
// little-endian float32; an array of numbers is read too, since jq can write one. That of a chunk that was read has a direction, or is nil.
type Embedding []float32

// Base64 is the form in which an embedding is written.
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

// UnmarshalJSON implements json.Unmarshaler. It takes any components; see Length.
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
	// Base64 holds nothing that JSON escapes but the slash, and that optionally.
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

// leastSquare is the square of the least normal float32. Below its root the components of a vector are but a few bits, and a float32 does not
// hold the factor that would bring it to length 1.
const leastSquare = 0x1p-252

// Length is the length of the vector. It is not ok if the vector has no direction: it is empty, shorter than the least normal float32, or a
// component is infinite or not a number. Such a vector counts as none, wherever it comes from.
func (e Embedding) Length() (length float64, ok bool) {
	// Several sums, since each addition waits for the one before it. The square of no float32 is beyond float64. The conversions keep
	// multiplication and addition apart, so that all machines give the same.
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
