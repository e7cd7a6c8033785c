package facts

import (
	"encoding/binary"
	"errors"
	"math"
	"unsafe"
)

// A Reader decodes facts. After a fault it returns only zeros.
type Reader struct {
	Data  []byte
	Fault bool
}

// Int reads a number that is not negative.
func (r *Reader) Int() int {
	// Most numbers are small.
	if len(r.Data) > 0 && r.Data[0] < 0x80 {
		n := int(r.Data[0])
		r.Data = r.Data[1:]
		return n
	}
	n, size := binary.Uvarint(r.Data)
	if size <= 0 || n > math.MaxInt32 {
		r.Fault, r.Data = true, nil
		return 0
	}
	r.Data = r.Data[size:]
	return int(n)
}

// Delta reads a number that may be negative.
func (r *Reader) Delta() int {
	n, size := binary.Varint(r.Data)
	if size <= 0 {
		r.Fault, r.Data = true, nil
		return 0
	}
	r.Data = r.Data[size:]
	return int(n)
}

func (r *Reader) Byte() uint8 {
	if len(r.Data) == 0 {
		r.Fault = true
		return 0
	}
	b := r.Data[0]
	r.Data = r.Data[1:]
	return b
}

func (r *Reader) bytes(n int) []byte {
	if n < 0 || n > len(r.Data) {
		r.Fault, r.Data = true, nil
		return nil
	}
	b := r.Data[:n:n]
	r.Data = r.Data[n:]
	return b
}

// Text reads a text, which shares the memory of the facts.
func (r *Reader) Text() string {
	b := r.bytes(r.Int())
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// Count reads the number of items of a list. As an item takes at least one byte, a larger number is a fault.
func (r *Reader) Count() int {
	n := r.Int()
	if n > len(r.Data) {
		r.Fault, r.Data = true, nil
		return 0
	}
	return n
}

var ErrFacts = errors.New("read facts of the graph: they are damaged")

// Declarations calls visit for each further declaration of a symbol, with its first line, its last line, and the number
// of lines from the start of its documentation comment to its first line.
func (r *Reader) Declarations(visit func(start, end, doc int)) {
	for range r.Count() {
		start := r.Int()
		visit(start, start+r.Int(), r.Int())
	}
}
