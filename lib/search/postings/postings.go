// Package postings writes postings: which documents have a term, how often and where. Segments of the search index and rows of a database hold them, in two lists of
// uvarints, one for the documents and one for the places in them.
//
// Documents are in ascending order. For each there is its distance from the one before, doubled, and 1 more if it has the term several times; then follows how often,
// less two. Places, which are intervals of positions, are in ascending order of their starts within a document. For each there is the distance of its start from the one before,
// doubled, and 1 more if it is not one position wide; then follows its width.
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
