// Package extract makes the symbols, references and breaks of a file record from what the query of a grammar captured. Begin with extractor.go; symbols.go makes
// symbols, references.go references, bindings.go and locals.go follow names of locals to what they hold.
package extract

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"cortex/lib/parse/grammar"
	"cortex/lib/parse/lexical"
)

const (
	// maxNesting bounds how deep symbols stand in each other; deeper ones are left out.
	maxNesting = 64
	// The symbols of a file may together hold symbolFactor times its size and symbolBase
	// more; only text made to swell does.
	SymbolFactor = 8
	SymbolBase   = 1 << 20
)

// A Segment is a part of a file in another language.
type Segment struct {
	lexical.Span
	Language string
	pattern  int
	// readable, unless "", is what the grammar reads in its place; it is as long.
	Readable string
}

// buffers are the slices that an extraction fills and a worker keeps for the next one.
type buffers struct {
	lines []int
	facts []fact
	// out is the merged facts.
	out     []fact
	frames  nesting
	members []member
	mentions
}

// An extraction is the work on one file or on a segment of it.
type extraction struct {
	*grammar.Program
	buffers
	text string
	path string
	// masked is text as the grammar has read it; names are taken from it.
	masked   string
	scopes   []fact
	sections []section
	comments []lexical.Span
	// docs are those of the comments that are strings: each a @doc.before.
	docs []lexical.Span
	// docsAfter are those that document what ends before them.
	docsAfter  []lexical.Span
	attributes []lexical.Span
	// testing and exporting are those of the attributes that mark test code and what is visible.
	testing, exporting []lexical.Span
	local, open        []lexical.Span
	values             []value
	embedded           []Segment
	exportedNames      map[string]bool
	privateNames       []lexical.Span
	// heads are the lines between the first attribute of a definition and its signature.
	heads   []lexical.Span
	imports []string
	pkg     string
	// runs are, for each comment, the first of its run; they are found when one is asked for.
	runs []int
	// cleaned are the texts of many comments, by where these begin and end.
	cleaned map[lexical.Span]string
}

// holds reports whether sorted has s.
func holds(sorted []lexical.Span, s lexical.Span) bool {
	_, found := slices.BinarySearchFunc(sorted, s, lexical.ByStart)
	return found
}

// inLocal reports whether pos stands in a local scope.
func (x *extraction) inLocal(pos int) bool {
	n, _ := slices.BinarySearchFunc(x.local, pos, func(s lexical.Span, at int) int { return cmp.Compare(s.Start, at) })
	return n > 0 && x.local[n-1].End > pos
}

// maxSkip bounds how many comments stand between an attribute and its definition.
const maxSkip = 20

// skip is where the next token begins: after blanks, of which there are at most maxBlanks in a row, and comments.
func (x *extraction) skip(pos int) int {
	for range maxSkip {
		for limit := min(pos+maxBlanks, len(x.text)); pos < limit && lexical.IsSpace(x.text[pos]); {
			pos++
		}
		i, found := x.commentAt(pos)
		if !found {
			return pos
		}
		pos = x.comments[i].End
	}
	return pos
}

// commentAt is the index of the first comment that begins at pos or later, and whether it
// begins at pos.
func (x *extraction) commentAt(pos int) (int, bool) {
	return slices.BinarySearchFunc(x.comments, pos, func(c lexical.Span, at int) int { return cmp.Compare(c.Start, at) })
}

// line is the number, from 1, of the line on which byte pos stands.
func (x *extraction) line(pos int) int {
	return sort.Search(len(x.lines), func(i int) bool { return x.lines[i] > pos })
}

// startsLine reports whether only blanks stand before pos on its line.
func (x *extraction) startsLine(pos int) bool {
	start := x.lines[x.line(pos)-1]
	return pos-start <= maxBlanks && strings.Trim(x.text[start:pos], " \t\f\r") == ""
}

// maxBlanks is how many blanks in a row are looked at: what so many part does not belong together, and what stands
// behind so many does not begin a line. All of a line may stand behind the same ones.
const maxBlanks = 1000

// inAttribute reports whether pos stands in the arguments of an attribute.
func (x *extraction) inAttribute(pos int) bool {
	n, _ := slices.BinarySearchFunc(x.attributes, pos, func(a lexical.Span, at int) int { return cmp.Compare(a.Start, at) })
	return n > 0 && x.attributes[n-1].End > pos
}

// column is the number of bytes before pos on its line.
func (x *extraction) column(pos int) int { return pos - x.lines[x.line(pos)-1] }

// maxAttributes bounds how many attributes one definition has.
const maxAttributes = 100
