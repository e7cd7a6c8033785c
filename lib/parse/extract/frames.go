package extract

import (
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
)

// A frame is a symbol or scope in which others stand. The outermost one is the file.
type frame struct {
	// index is that of the symbol, -1 for the file.
	index     int
	around    lexical.Span
	kind      kind
	qualified string
	exported  bool
	test      bool
	// hidden: what follows in it is private.
	hidden bool
	// last is the index of the latest symbol directly in it, or -1.
	last int
}

// A nesting is the frames around the place where the reading of the facts is.
type nesting []frame

// close leaves the frames that do not enclose s. Of equal spans, such as those of
// "var a, b int", none encloses the other.
func (n *nesting) close(s lexical.Span) *frame {
	open := *n
	for len(open) > 1 && !open[len(open)-1].encloses(s) {
		open = open[:len(open)-1]
	}
	*n = open
	return &open[len(open)-1]
}

// alias is what encloses f if that is another name for the innermost definition, which keeps
// its members: "typedef struct a { ... } b", or nil.
func (n nesting) alias(f *fact) *frame {
	if top := len(n) - 1; top > 0 && f.kind == record.TypeKind && n[top].around == f.around && n[top].kind.IsType() {
		return &n[top-1]
	}
	return nil
}

// innermostType is the innermost frame that is a type, or nil.
func (n nesting) innermostType() *frame {
	for i := len(n) - 1; i > 0; i-- {
		if n[i].kind.IsType() {
			return &n[i]
		}
	}
	return nil
}

// encloses reports whether o lies inside f and is not all of it.
func (f *frame) encloses(o lexical.Span) bool { return f.around != o && f.around.Contains(o) }

// A member is a symbol, with the limit of its pattern.
type member struct {
	site
	most int // 0 for one that does not count
}

// A site is where the symbols of a pattern are counted; the parent is -1 for the file.
type site struct{ parent, pattern int }
