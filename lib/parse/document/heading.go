package document

import ()

// A heading is one heading of a document as its scanner finds it.
type heading struct {
	level      int
	start, end int    // bytes of its lines, with the end of the last one
	line       int    // of start, from 1
	name       string // plain text
	signature  string
}

// A document is what a scanner finds in a text.
type document struct {
	title    string
	tags     []string
	headings []heading
}

// Limits on documents. They cost real documents nothing and bound what a hostile one
// can make of its headings, whose names are repeated in all their subsections.
const (
	maxHeadings    = 20_000
	maxHeadingName = 120 // characters
	maxLevel       = 16
)
