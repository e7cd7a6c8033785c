package extract

import (
	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

type kind = record.Kind

// A fact is what one match, or all matches of one name, say about a definition.
type fact struct {
	name    lexical.Span
	pattern int // the one that gives the kind
	kind    kind
	around  lexical.Span // definition or @span
	// signature is where the signature begins: after the attributes.
	signature int
	body      int
	value     lexical.Span
	syntax.Setting
	prefix    lexical.Span
	receivers []lexical.Span
	doc       lexical.Span
	scope     bool // no symbol: a @scope
	exported  bool
	private   bool
	test      bool
}

// A value is a function or class that has no name of its own.
type value struct {
	at   lexical.Span
	kind kind
	body int
}

// A section is where in the body of a type the visibility of its members changes.
type section struct {
	start   int
	private bool
}
