package read

import (
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// errRow says that a column does not have the format of the schema.
var errRow = errors.New("read index: a row is not as it was written")

// inBinary returns the arguments with the options for results in binary format. That requires the types of a
// statement's columns, which the connection caches; no statement is prepared under a name, so that poolers work.
func inBinary(args []any) []any {
	return append([]any{pgx.QueryExecModeCacheDescribe, pgx.QueryResultFormats{pgx.BinaryFormatCode}}, args...)
}

// appendInts appends the components of a halfvec in binary format: 16 bits with their number, 16 bits of zeros, and
// each component in 16 bits. The writer stores only integers from -127 to 127.
func appendInts(to []int8, data []byte) ([]int8, error) {
	if len(data) < 4 || len(data) != 4+2*int(binary.BigEndian.Uint16(data)) {
		return to, errRow
	}
	for data = data[4:]; len(data) > 0; data = data[2:] {
		half := binary.BigEndian.Uint16(data)
		exponent, mantissa := int(half>>10&31), int(half&1023)
		n := 0
		if exponent >= 15 && exponent <= 21 { // 1 to 127
			n = (1024 + mantissa) >> (25 - exponent)
		}
		if half>>15 == 1 {
			n = -n
		}
		to = append(to, int8(n))
	}
	return to, nil
}

// vectorText returns a vector in PostgreSQL's text format.
func vectorText(v []float32) string {
	b := []byte{'['}
	for i, x := range v {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendFloat(b, float64(x), 'g', 8, 32)
	}
	return string(append(b, ']'))
}
