package store

import (
	"encoding/base64"
	"math"

	"cortex/lib/record"
)

// components is the number of float32 in the standard base64 of an embedding; 0 if it can be none by its length.
func components(encoded []byte) int {
	n := len(encoded)
	if n == 0 || n%4 != 0 {
		return 0
	}
	size := n / 4 * 3
	for i := 1; i <= 2 && encoded[n-i] == '='; i++ {
		size--
	}
	if size%4 != 0 {
		return 0
	}
	return size / 4
}

// decodeComponents decodes the base64 of as many little-endian float32 as dst holds. It reports whether it is as the
// encoder writes it, and the vector has a direction.
func decodeComponents(dst []float32, encoded []byte) bool {
	// Four characters are three bytes, so that sixteen are three components.
	var bad uint32
	vector := record.Embedding(dst)
	for len(dst) >= 3 && len(encoded) >= 16 {
		e, d := encoded[:16:16], dst[:3:3]
		a := sextets[0][e[0]] | sextets[1][e[1]] | sextets[2][e[2]] | sextets[3][e[3]]
		b := sextets[0][e[4]] | sextets[1][e[5]] | sextets[2][e[6]] | sextets[3][e[7]]
		c := sextets[0][e[8]] | sextets[1][e[9]] | sextets[2][e[10]] | sextets[3][e[11]]
		g := sextets[0][e[12]] | sextets[1][e[13]] | sextets[2][e[14]] | sextets[3][e[15]]
		x, y, z := a|b<<24, b>>8|c<<16, c>>16|g<<8
		bad |= a | b | c | g
		d[0], d[1], d[2] = math.Float32frombits(x), math.Float32frombits(y), math.Float32frombits(z)
		dst, encoded = dst[3:], encoded[16:]
	}
	if bad&noSextet != 0 || len(encoded) > 12 {
		return false
	}
	var rest [9]byte
	// Strict, since the unused bits must be as the encoder leaves them.
	n, err := strictBase64.Decode(rest[:], encoded)
	if err != nil || n != 4*len(dst) {
		return false
	}
	for i := range dst {
		x := uint32(rest[4*i]) | uint32(rest[4*i+1])<<8 | uint32(rest[4*i+2])<<16 | uint32(rest[4*i+3])<<24
		dst[i] = math.Float32frombits(x)
	}
	_, ok := vector.Length()
	return ok
}

// noSextet marks what is no character of base64.
const noSextet = 1 << 31

// sextets are the bits of each character where they belong in three little-endian bytes, by its place among four.
var sextets = func() (tables [4][256]uint32) {
	for place := range tables {
		for c := range tables[place] {
			tables[place][c] = noSextet
		}
		for value, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
			big := uint32(value) << (18 - 6*place)
			tables[place][c] = big>>16&0xff | big&0xff00 | big<<16&0xff0000
		}
	}
	return tables
}()

var strictBase64 = base64.StdEncoding.Strict()
