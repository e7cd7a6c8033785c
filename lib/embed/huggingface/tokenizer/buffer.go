package tokenizer

// A model splits a word into tokens and appends their numbers.
type model interface {
	append(ids []int32, word string, b *buffer) []int32
	// tokens returns the vocabulary.
	tokens() map[string]int32
	// unknown returns the token for text that is not in the vocabulary, and whether the file gives it by name.
	unknown() (id int32, named bool)
}

// A piece is a part of a text that is to be split into words.
type piece struct {
	text string
	// first says that the piece is at the beginning of the text.
	first bool
}

// buffer has reusable memory for tokenizing one text.
type buffer struct {
	a, b    []piece
	best    []step
	symbols []symbol
	heap    []merge
}

// A symbol is a token of a word, linked to its neighbours by index; -1 stands for none. Its id is -1 after it was
// joined to its left neighbour.
type symbol struct{ id, previous, next int32 }

// A merge is a pair of symbols that can be joined.
type merge struct{ rank, at, id int32 }

func (a merge) before(b merge) bool {
	return a.rank < b.rank || a.rank == b.rank && a.at < b.at
}

// A step is the best tokenization of a text up to an offset.
type step struct {
	score float64
	from  int32 // start of the last token, -1 if no tokenization ends here
	id    int32 // the last token, -1 if it is unknown
}
