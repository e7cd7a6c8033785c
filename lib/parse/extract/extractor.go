package extract

import (
	"cmp"
	"slices"

	"cortex/lib/parse/grammar"
	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

// maxSegments bounds the segments of one file that are parsed.
const maxSegments = 2000

// maxInside bounds the nesting of segments in the file's own language.
const maxInside = 4

// An Extractor extracts from one file at a time. One goroutine at a time may use it.
type Extractor struct {
	*syntax.Parser
	// buffers has the buffers of the last file, for reuse.
	buffers buffers
}

// New returns an extractor. Call Close after use.
func New() *Extractor { return &Extractor{Parser: syntax.NewParser()} }

// Extract parses readable, which is the text of f or a text of the same length, and sets the status, symbols,
// references, typings, breaks and imports of f. It returns the segments in other languages.
func (e *Extractor) Extract(f *record.File, g *grammar.Grammar, readable string) []Segment {
	p, err := g.Compile()
	if err != nil {
		f.Status, f.Reason = record.StatusError, err.Error()
		return nil
	}
	masked := g.Prepare(readable)
	var t syntax.Tree
	if !g.HasAgain() {
		t, err = e.Run(p.Query, masked)
	} else {
		masked, t, err = e.better(p.Query, g, masked)
	}
	f.ErrorCount = t.Errors
	if err != nil {
		f.Status, f.Reason = record.StatusError, err.Error()
		return nil
	}
	f.Status = record.StatusOK
	if t.Errors > 0 {
		f.Status, f.Reason = record.StatusPartial, "syntax errors"
	} else if t.Dropped {
		f.Status, f.Reason = record.StatusPartial, "too many names in one declaration"
	}
	return e.Fill(f, p, masked, t)
}

// Fill sets the fields of f from the captures in t, the tree of masked. It returns the segments in other languages.
func (e *Extractor) Fill(f *record.File, p *grammar.Program, masked string, t syntax.Tree) []Segment {
	x := extraction{Program: p, path: f.FilePath, text: f.Text, masked: masked, buffers: e.buffers}
	x.lines, x.facts = lexical.AppendLineStarts(x.lines[:0], f.Text), x.facts[:0]
	x.mentions.reset()
	defer e.keep(&x)
	x.read(t.Captures, 0)
	x.arrange()
	breaks := x.breaks(t.Breaks)
	e.readInside(&x)
	f.Package, f.Imports = x.pkg, x.imports
	if p.Grammar.ModulePath {
		f.Package = modulePath(f.FilePath)
	}
	symbols, ok := x.symbols()
	if !ok {
		f.Status, f.Reason = record.StatusError, "declarations nested or repeated beyond reason"
		return nil
	}
	f.Symbols = symbols
	f.References, f.Typings = x.refer()
	f.Breaks = x.withoutHeads(breaks)
	return x.embedded
}

// better parses text with a grammar that has masks for texts with errors. If there are errors, it parses the masked
// text too. It returns the tree with fewer errors and its text.
func (e *Extractor) better(q *syntax.Query, g *grammar.Grammar, text string) (string, syntax.Tree, error) {
	first, err := e.Hold(q, text)
	defer e.Drop()
	if err != nil || !first.Held {
		return text, first, err
	}
	if masked := g.Again(text); masked != text {
		first, err = e.Count(q, text)
		if err != nil {
			return text, first, err
		}
		second, err := e.Run(q, masked)
		if err == nil && second.Errors < first.Errors {
			return masked, second, nil
		}
	}
	first, err = e.Resume(q, text)
	return text, first, err
}

// keepFacts and keepLines are the capacities of the largest buffers that are reused for another file.
const (
	keepFacts = 1 << 12
	keepLines = 1 << 15
)

// keep stores the buffers of an extraction for reuse.
func (e *Extractor) keep(x *extraction) {
	e.buffers = x.buffers
	if cap(e.buffers.lines) > keepLines {
		e.buffers.lines = nil
	}
	if max(cap(e.buffers.facts), cap(e.buffers.out), cap(e.buffers.members)) > keepFacts {
		e.buffers.facts, e.buffers.out, e.buffers.members = nil, nil, nil
	}
	if cap(e.buffers.stops) > keepFacts {
		e.buffers.mentions = mentions{}
	}
}

// readInside parses the segments in the file's own language, such as items in the arguments of a macro, and adds their
// captures to the extraction of the file, so that names, scopes and comments work across the border. A segment whose
// text between the brackets has syntax errors is left out.
func (e *Extractor) readInside(x *extraction) {
	count := 0
	for range maxInside {
		own := slices.Clone(x.embedded)
		// Select the segments before reading any: inLocal needs sorted scopes, and read appends to them.
		own = slices.DeleteFunc(own, func(s Segment) bool {
			return s.Language != x.Grammar.Name || s.End-s.Start <= 2 || x.inLocal(s.Start)
		})
		x.embedded = slices.DeleteFunc(x.embedded, func(s Segment) bool { return s.Language == x.Grammar.Name })
		if len(own) == 0 {
			return
		}
		for _, s := range own {
			if count++; count > maxSegments {
				break
			}
			inner := lexical.Span{Start: s.Start + 1, End: s.End - 1}
			t, err := e.Run(x.Query, x.masked[inner.Start:inner.End])
			if err == nil && t.Errors == 0 {
				x.read(t.Captures, inner.Start)
			}
		}
		x.arrange()
	}
}

// Distinct returns the segments to parse, sorted, at most maxSegments. Of several with the same span, the one from the
// first pattern of the query counts.
func Distinct(segments []Segment) []Segment {
	slices.SortStableFunc(segments, func(a, b Segment) int {
		return cmp.Or(lexical.ByStart(a.Span, b.Span), cmp.Compare(a.pattern, b.pattern))
	})
	segments = slices.CompactFunc(segments, func(a, b Segment) bool { return a.Span == b.Span })
	return segments[:min(len(segments), maxSegments)]
}
