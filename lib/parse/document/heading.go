package document

// A heading is one heading of a document.
type heading struct {
	level      int
	start, end int    // byte offsets of its lines, including the last line end
	line       int    // line number of start, from 1
	name       string // plain text
	signature  string
	// above is the byte offset of anchors above the heading, aboveLine its line; start and line if there are none.
	above, aboveLine int
}

// A document is the result of a scanner.
type document struct {
	title    string
	tags     []string
	headings []heading
}

// Limits of documents. Real documents stay far below; in hostile ones, the name of a heading is repeated in the
// qualified names of all its subsections.
const (
	maxHeadings    = 20_000
	maxHeadingName = 120 // characters
	maxLevel       = 16
)
