package rank

// An occurrence is a chunk that has a word, and what the word counts there by how often and in which fields it is.
type occurrence struct {
	chunk  int32
	weight float32
}
