// Package postings encodes postings: which documents have a term, how often and where. Segments of the search index and
// rows of the database hold them as two lists of uvarints, one for the documents and one for the places in them.
//
// Documents are in ascending order. Each is encoded as its distance from the one before, doubled, plus 1 if it has the
// term several times; then the number of times, less two, follows. Places are intervals of positions, in ascending
// order of their starts within a document. Each is encoded as the distance of its start from the start before, doubled,
// plus 1 if it is not one position wide; then its width follows.
package postings

import "encoding/binary"

// AppendTimes appends a document that has the term so many times, at least once.
func AppendTimes(to []byte, distance uint64, times int) []byte {
	if times <= 1 {
		return binary.AppendUvarint(to, distance<<1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(to, distance<<1|1), uint64(times-2))
}

// AppendPlace appends an interval of positions.
func AppendPlace(to []byte, distance, width uint64) []byte {
	if width == 1 {
		return binary.AppendUvarint(to, distance<<1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(to, distance<<1|1), width)
}
