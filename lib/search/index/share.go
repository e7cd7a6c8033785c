package index

// A Share is share Number, counted from 0, of the segments divided into Of shares. The zero Share is all segments.
type Share struct{ Number, Of int }

// of returns the bounds of the share in n segments, [first, end).
func (s Share) of(n int) (first, end int) {
	if s.Of == 0 {
		return 0, n
	}
	return n * s.Number / s.Of, n * (s.Number + 1) / s.Of
}
