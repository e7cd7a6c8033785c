// Package extract parses the text of a file with a grammar and turns the captures of the grammar's query into the
// symbols, references, typings and breaks of the file record. Begin with extractor.go, then read.go, which sorts the
// captures. symbols.go and merge.go make symbols, doc.go their documentation, references.go references; bindings.go and
// locals.go replace names of locals in expressions with their values.
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
	// maxNesting bounds the nesting of symbols; deeper ones are left out.
	maxNesting = 64
	// The texts of a file's symbols may have at most SymbolFactor times its size plus SymbolBase bytes. Only hostile
	// files exceed that.
	SymbolFactor = 8
	SymbolBase   = 1 << 20
)

// A Segment is a part of a file in another language.
type Segment struct {
	lexical.Span
	Language string
	pattern  int
	// Readable, unless "", is the text that the grammar reads in place of the segment; it has the same length.
	Readable string
}

// buffers has the slices that an extraction fills and that are reused for the next file.
type buffers struct {
	lines []int
	facts []fact
	// out has the merged facts.
	out     []fact
	frames  nesting
	members []member
	mentions
}

// An extraction has the state of reading one file or segment.
type extraction struct {
	*grammar.Program
	buffers
	text string
	path string
	// masked is the text as the grammar reads it, as long as text; names are taken from it.
	masked   string
	scopes   []fact
	sections []section
	comments []lexical.Span
	// docs has the comments that are strings: captures @doc.before.
	docs []lexical.Span
	// docsAfter has the comments that document the definition before them.
	docsAfter  []lexical.Span
	attributes []lexical.Span
	// testing and exporting have the attributes that mark test code and exported definitions.
	testing, exporting []lexical.Span
	local, open        []lexical.Span
	values             []value
	embedded           []Segment
	exportedNames      map[string]bool
	privateNames       []lexical.Span
	// heads has, for definitions with attributes, the lines of the first attribute and of the signature.
	heads   []lexical.Span
	imports []string
	pkg     string
	// runs has for each comment the index of the first in its run; nil until run is called.
	runs []int
	// cleaned caches results of cleanComments.
	cleaned map[lexical.Span]string
}

// holds reports whether sorted has s.
func holds(sorted []lexical.Span, s lexical.Span) bool {
	_, found := slices.BinarySearchFunc(sorted, s, lexical.ByStart)
	return found
}

// inLocal reports whether pos is in a local scope.
func (x *extraction) inLocal(pos int) bool {
	n, _ := slices.BinarySearchFunc(x.local, pos, func(s lexical.Span, at int) int { return cmp.Compare(s.Start, at) })
	return n > 0 && x.local[n-1].End > pos
}

// maxSkip is the most comments between an attribute and its definition.
const maxSkip = 20

// skip returns the offset of the next token: behind blanks, at most maxBlanks in a row, and comments.
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

// commentAt returns the index of the first comment that begins at pos or later, and whether it begins at pos.
func (x *extraction) commentAt(pos int) (int, bool) {
	return slices.BinarySearchFunc(x.comments, pos, func(c lexical.Span, at int) int { return cmp.Compare(c.Start, at) })
}

// line returns the line number, from 1, of byte offset pos.
func (x *extraction) line(pos int) int {
	return sort.Search(len(x.lines), func(i int) bool { return x.lines[i] > pos })
}

// startsLine reports whether only blanks, at most maxBlanks, precede pos on its line.
func (x *extraction) startsLine(pos int) bool {
	start := x.lines[x.line(pos)-1]
	return pos-start <= maxBlanks && strings.Trim(x.text[start:pos], " \t\f\r") == ""
}

// maxBlanks is the most blanks in a row that are skipped. It bounds the work where many tokens of a line follow the
// same blanks.
const maxBlanks = 1000

// inAttribute reports whether pos is in an attribute.
func (x *extraction) inAttribute(pos int) bool {
	n, _ := slices.BinarySearchFunc(x.attributes, pos, func(a lexical.Span, at int) int { return cmp.Compare(a.Start, at) })
	return n > 0 && x.attributes[n-1].End > pos
}

// column returns the number of bytes before pos on its line.
func (x *extraction) column(pos int) int { return pos - x.lines[x.line(pos)-1] }

// maxAttributes is the most attributes of a definition.
const maxAttributes = 100
