package index

// A Share is one of Of shares of the segments, Number counts from 0. The zero Share is all of them.
type Share struct{ Number, Of int }

// of returns the bounds of the share in n segments, [first, end).
func (s Share) of(n int) (first, end int) {
	if s.Of == 0 {
		return 0, n
	}
	return n * s.Number / s.Of, n * (s.Number + 1) / s.Of
}
