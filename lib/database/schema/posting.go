package schema

import (
	"encoding/binary"
	"errors"

	"cortex/lib/search/postings"
)

// A Posting says that a chunk has a lexeme, how often and where.
type Posting struct {
	Number int
	Times  int
	// Places are intervals of positions in ascending order of their starts; nil in dictionaries without positions.
	Places []Place
}

// A Place is an interval of positions.
type Place struct{ From, To int }

// ErrPostings says that a row of postings is damaged.
var ErrPostings = errors.New("read postings: they are damaged")

// Block is the greatest number of chunk numbers that one row of postings covers.
const Block = 4096

// RowBytes is the length of data at which the next chunk begins another row. The index contains data, and an entry of
// the index has room for 2,700 bytes.
const RowBytes = 1000

// AppendPostings appends the columns data and places of a row whose first number is first, in the encoding of package
// postings. The postings must be in ascending order of numbers. places is unchanged if no posting has any.
func AppendPostings(data, places []byte, first int, list []Posting) (newData, newPlaces []byte) {
	before := first
	for _, p := range list {
		data = postings.AppendTimes(data, uint64(p.Number-before), p.Times)
		before = p.Number
		from := 0
		for _, at := range p.Places {
			places = postings.AppendPlace(places, uint64(at.From-from), uint64(at.To-at.From))
			from = at.From
		}
	}
	return data, places
}

// EachPosting visits the chunks of a row, in ascending order of numbers.
func EachPosting(first int, data []byte, visit func(number, times int)) error {
	number := first
	for len(data) > 0 {
		x, size := binary.Uvarint(data)
		if size <= 0 || x>>1 > Block {
			return ErrPostings
		}
		data = data[size:]
		number += int(x >> 1)
		times := 1
		if x&1 == 1 {
			n, size := binary.Uvarint(data)
			if size <= 0 || n > maxTimes {
				return ErrPostings
			}
			data, times = data[size:], int(n)+2
		}
		visit(number, times)
	}
	return nil
}

// maxTimes bounds the number of times that a chunk has a term, and positions.
const maxTimes = 1 << 30

// EachPlace visits the chunks of a row with their places, which are valid during the call.
func EachPlace(first int, data, places []byte, visit func(number int, places []Place)) error {
	var list []Place
	var fault error
	err := EachPosting(first, data, func(number, times int) {
		list = list[:0]
		from := 0
		for range times {
			x, size := binary.Uvarint(places)
			if size <= 0 || x>>1 > maxTimes {
				fault, places = ErrPostings, nil
				return
			}
			places = places[size:]
			from += int(x >> 1)
			width := 1
			if x&1 == 1 {
				n, size := binary.Uvarint(places)
				if size <= 0 || n > maxTimes {
					fault, places = ErrPostings, nil
					return
				}
				places, width = places[size:], int(n)
			}
			list = append(list, Place{from, from + width})
		}
		if fault == nil {
			visit(number, list)
		}
	})
	if err == nil && fault == nil && len(places) > 0 {
		fault = ErrPostings
	}
	return errors.Join(err, fault)
}
