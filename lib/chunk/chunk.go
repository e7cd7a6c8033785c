// Package chunk cuts file records into chunk records, the units of search. It is the second stage of the pipeline: the
// symbols and breaks from cortex-parse say where to cut, and cortex-embed embeds the chunks.
//
// Code is cut into tiers, with one file of this package each: an outline of the file (symbols.go), its types and
// signatures (definitions.go), its values (data.go), and the bodies of its functions together with all lines that no
// other tier shows (implementations.go). A file without structure is cut at blank lines (plain.go). A document becomes
// a tree of sections (package document). Begin with run.go and cutter.go.
//
// If the implementations tier is selected, every line of a file that is not blank is in the text of at least one chunk.
package chunk

import (
	"strings"

	"cortex/lib/chunk/document"
	"cortex/lib/language"
	"cortex/lib/record"
)

// File cuts one file into chunks, in the order in which they are written. A file whose status is not Indexed has none.
// Spans of symbols that contradict each other or the text are corrected. The chunks share memory with f.Text; f is not
// changed.
func File(f *record.File, tree string, opts Options) []*record.Chunk {
	if !f.Status.Indexed() || strings.TrimSpace(f.Text) == "" {
		return nil
	}
	opts = opts.complete()
	lang, _ := language.ByName(f.Language)
	if lang.Class == language.Document || hasSections(f) {
		return document.Chunks(f, tree, opts.DocSize)
	}
	c := newCutter(f, tree, lang, opts)
	if c.plain() {
		if opts.has(Implementations) {
			c.lines()
		}
		return c.chunks
	}
	// Each tier marks the lines that it shows; implementations shows all others.
	if opts.has(Symbols) {
		c.outline()
	}
	if opts.has(Data) {
		c.data()
	}
	if opts.has(Definitions) {
		c.definitions()
	}
	if opts.has(Implementations) {
		c.implementations()
	}
	c.markRepeats()
	return c.chunks
}

// hasSections reports whether headings of the file have text below them, as those of a document in HTML.
func hasSections(f *record.File) bool {
	for i := range f.Symbols {
		if f.Symbols[i].Kind == record.Heading && f.Symbols[i].BodyByte > 0 {
			return true
		}
	}
	return false
}
