package extract

import (
	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

type kind = record.Kind

// A fact has the captures of one match about a definition, or the merged captures of all matches with the same name
// node.
type fact struct {
	name    lexical.Span
	pattern int // index of the pattern that gives the kind
	kind    kind
	around  lexical.Span // definition or @span
	// signature is the byte offset of the signature, behind the attributes.
	signature int
	body      int
	value     lexical.Span
	syntax.Setting
	prefix    lexical.Span
	receivers []lexical.Span
	doc       lexical.Span
	scope     bool // a @scope, which is no symbol
	exported  bool
	private   bool
	test      bool
}

// A value is an expression that is a function or class without a name of its own.
type value struct {
	at   lexical.Span
	kind kind
	body int
}

// A section begins at the byte offset in the body of a type at which the visibility of members changes.
type section struct {
	start   int
	private bool
}
