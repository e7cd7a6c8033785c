package chunk

import (
	"strings"

	"cortex/lib/record"
)

// A piece is what the definitions and data tiers show of one or more declarations.
type piece struct {
	// node is the declaration, 0 where there are several.
	node int
	// within is the type that encloses the piece, or the declaration that it continues; 0 for none. It is named where the
	// piece begins a chunk.
	within int
	// names are what the piece declares.
	names []string
	// shown are the lines [shown[0], shown[1]) whose declarations can be read in the piece.
	shown [2]int
	// at are the lines that the piece stands for; they are named above it.
	at span
	// text is what is shown; where it is "", the lines at themselves.
	text string
	// closing pieces follow the one before without a blank line or a heading.
	closing bool
	// signature tells that text is a function without its body.
	signature bool
	test      bool
}

// A showing is what a chunk of the definitions or data tier shows. Lines of its text count from 0.
type showing struct {
	chunk *record.Chunk
	// made are the lines that are none of the file: headings, and blank lines above them.
	made   []int
	pieces []shownLines
}

// shownLines are the lines [first, last) of a text, which show lines of the file from line of on.
type shownLines struct {
	first, last, of int
	// signature is set where a function is shown without its body.
	signature bool
}

// note remembers that a piece was written from line first on, below made lines from line at on.
func (s *showing) note(at, first int, q piece) {
	for i := at; i < first; i++ {
		s.made = append(s.made, i)
	}
	last := first + strings.Count(strings.TrimSuffix(q.text, "\n"), "\n") + 1
	s.pieces = append(s.pieces, shownLines{first, last, q.at.first, q.signature})
}

// A region is a range of lines that is cut into chunks by itself: a function (node
// over 0), or lines that belong to no declaration.
type region struct {
	node        int
	first, last int
}
