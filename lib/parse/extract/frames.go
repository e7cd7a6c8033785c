package extract

import (
	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

// A frame is a symbol or scope that can contain others. The outermost frame is the file.
type frame struct {
	// index is the index of the symbol, -1 for the file.
	index     int
	around    lexical.Span
	kind      kind
	qualified string
	exported  bool
	test      bool
	// hidden is set if the members that follow are private.
	hidden bool
	// last is the index of the latest symbol directly in the frame, -1 if there is none.
	last int
}

// A nesting has the open frames around the current fact, the outermost first.
type nesting []frame

// close removes the frames that do not enclose s and returns the innermost that does. Equal spans, such as those of a
// and b in "var a, b int", do not enclose each other.
func (n *nesting) close(s lexical.Span) *frame {
	open := *n
	for len(open) > 1 && !open[len(open)-1].encloses(s) {
		open = open[:len(open)-1]
	}
	*n = open
	return &open[len(open)-1]
}

// parent returns the frame of which f is a member; nil if f is nested too deeply, or must be in a type and is in none.
// alias is set if f is a second name of the innermost type.
func (n *nesting) parent(f *fact) (parent *frame, alias bool) {
	if parent = n.alias(f); parent != nil {
		alias = true
	} else {
		parent = n.close(f.around)
	}
	switch {
	case len(*n) > maxNesting:
		return nil, false
	case f.Within == syntax.InNothing:
		parent = &(*n)[0]
	case f.Within == syntax.InMember:
		parent = n.innermostType()
	}
	return parent, alias
}

// alias returns the parent of f if f is a second name of the innermost type, as b in "typedef struct a { ... } b",
// where the members stay with a; otherwise nil.
func (n nesting) alias(f *fact) *frame {
	if top := len(n) - 1; top > 0 && f.kind == record.TypeKind && n[top].around == f.around && n[top].kind.IsType() {
		return &n[top-1]
	}
	return nil
}

// innermostType returns the innermost frame that is a type, or nil.
func (n nesting) innermostType() *frame {
	for i := len(n) - 1; i > 0; i-- {
		if n[i].kind.IsType() {
			return &n[i]
		}
	}
	return nil
}

// encloses reports whether o is inside of f and not equal to it.
func (f *frame) encloses(o lexical.Span) bool { return f.around != o && f.around.Contains(o) }

// A member is the place of a symbol, with the limit of its pattern.
type member struct {
	site
	most int // 0 for no limit
}

// A site is a parent symbol, -1 for the file, and a pattern. Limits count symbols by site.
type site struct{ parent, pattern int }
