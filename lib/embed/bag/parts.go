package bag

// Side says whether a text is a question or a passage.
type Side int

// The sides.
const (
	Query Side = iota
	Passage
	Sides = iota
)

// Part is the part of a text that a word is in. A word has a weight for each part.
type Part uint8

// The parts: a question is one part; a passage has the path and the name in its first line, and the body after it.
const (
	Question Part = iota
	Path
	Name
	Body
	PartCount = iota
)
