package read

import (
	"encoding/binary"
	"errors"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// errRow says that a column has another form than the schema gives it.
var errRow = errors.New("read index: a row is not as it was written")

// inBinary are the arguments for an answer in binary form. That needs to be known of a statement what its columns are, which the connection remembers; no statement is
// prepared under a name, so that poolers can stand between.
func inBinary(args []any) []any {
	return append([]any{pgx.QueryExecModeCacheDescribe, pgx.QueryResultFormats{pgx.BinaryFormatCode}}, args...)
}

// appendInts appends the components of a halfvec in binary form: their number, a number that is 0, and each in 16 bits. The writer gives it whole numbers from -127 to 127.
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

// vectorText is a vector as PostgreSQL reads it.
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
