package rank

// An occurrence is a chunk that has a word. weight is the word's frequency in the chunk, weighted by field and length.
type occurrence struct {
	chunk  int32
	weight float32
}
