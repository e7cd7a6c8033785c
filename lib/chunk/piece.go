package chunk

import (
	"strings"

	"cortex/lib/chunk/lines"
	"cortex/lib/record"
)

// A piece is what the definitions or data tier shows of one or more declarations.
type piece struct {
	// node is the declaration, 0 if there are several.
	node int
	// within is the type that encloses the piece, or the declaration that the piece continues; 0 for none. If the piece
	// begins a chunk, a comment names it.
	within int
	// names are the names that the piece declares.
	names []string
	// shown are the lines [shown[0], shown[1]) whose declarations the piece shows.
	shown [2]int
	// at are the lines that the piece stands for. The comment above the piece names them.
	at lines.Span
	// text is the text to show; "" means the lines at.
	text string
	// closing says that the piece follows the previous one without a blank line or heading.
	closing bool
	// signature says that text is a function without its body.
	signature bool
	test      bool
}

// A showing maps the lines of a chunk of the definitions or data tier to lines of the file. Lines of the chunk's text
// count from 0.
type showing struct {
	chunk *record.Chunk
	// made are the lines that are not in the file: headings, and blank lines above them.
	made   []int
	pieces []shownLines
}

// shownLines are the lines [first, last) of a chunk's text. They show lines of the file from line of on.
type shownLines struct {
	first, last, of int
	// signature says that a function is shown without its body.
	signature bool
}

// note records that a piece was written from line first on, after made lines from line at on.
func (s *showing) note(at, first int, q piece) {
	for i := at; i < first; i++ {
		s.made = append(s.made, i)
	}
	last := first + strings.Count(strings.TrimSuffix(q.text, "\n"), "\n") + 1
	s.pieces = append(s.pieces, shownLines{first, last, q.at.First, q.signature})
}

// A region is a range of lines that is cut into chunks by itself: a function (node > 0), or lines that belong to no
// declaration.
type region struct {
	node        int
	first, last int
}
