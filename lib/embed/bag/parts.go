package bag

// Side says whether a text is asked or found.
type Side int

// The sides.
const (
	Query Side = iota
	Passage
	Sides = iota
)

// Part is where in a text a word stands. A word has a weight for each.
type Part uint8

// The parts: all of a question; of a passage the path and the name in its first line, and what follows.
const (
	Question Part = iota
	Path
	Name
	Body
	PartCount = iota
)
