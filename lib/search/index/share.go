package index

// A Share is a part of the segments, that of a number of so many; all of them if it is empty.
type Share struct{ Number, Of int }

// of are the first of n segments and the one after the last.
func (s Share) of(n int) (first, end int) {
	if s.Of == 0 {
		return 0, n
	}
	return n * s.Number / s.Of, n * (s.Number + 1) / s.Of
}
