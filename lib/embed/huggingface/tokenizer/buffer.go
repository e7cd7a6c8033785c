package tokenizer

// A model cuts a word into tokens and appends their numbers.
type model interface {
	append(ids []int32, word string, b *buffer) []int32
	// tokens returns the vocabulary.
	tokens() map[string]int32
	// unknown returns the token that stands for what is not in the vocabulary, and whether the file names it as a token.
	unknown() (id int32, named bool)
}

// A piece is a part of a text, on its way to a word.
type piece struct {
	text string
	// first says that the piece begins where the text begins.
	first bool
}

// buffer is what one text needs for a while.
type buffer struct {
	a, b    []piece
	best    []step
	symbols []symbol
	heap    []merge
}

// A symbol is a token of a word, linked to its neighbours by index; -1 is none. Its id is -1 once it
// is part of its left neighbour.
type symbol struct{ id, previous, next int32 }

// A merge is a pair that can be joined.
type merge struct{ rank, at, id int32 }

func (a merge) before(b merge) bool {
	return a.rank < b.rank || a.rank == b.rank && a.at < b.at
}

// A step is the best way to cut a text up to a place.
type step struct {
	score float64
	from  int32 // where the last token begins, -1 if no way leads here
	id    int32 // the last token, -1 if it is unknown
}
