package extract

import (
	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

// A mention is one capture of a name, with its relation.
type mention struct {
	lexical.Span
	relation record.Relation
	pattern  int
}

// An importation is one imported name or module.
type importation struct {
	name, alias lexical.Span
	// modules has the parts of the module's name, which prefix precedes.
	modules []lexical.Span
	prefix  string
}

// pos returns the byte offset of the import.
func (i *importation) pos() int {
	if len(i.modules) == 0 {
		return i.name.Start
	}
	return i.modules[0].Join(i.name).Start
}

// A memberMethod is a method that a type declares and that is no symbol, as in an interface.
type memberMethod struct{ name, signature, result lexical.Span }

// A returned is the declared type of a function's result or, if value is set, an expression that the function returns. If
// extended is set, it is the type as whose member the function can be called.
type returned struct {
	lexical.Span
	value, extended bool
}

// A holder is a symbol or @scope, to which the references in it belong.
type holder struct {
	around    lexical.Span
	kind      kind
	name      string
	qualified string
}

// mentions has the captures for references and typings. Its buffers are reused for the next file.
type mentions struct {
	named         []mention
	importations  []importation
	bindings      []binding
	results       []returned
	memberMethods []memberMethod
	blocks        []lexical.Span
	loose         []lexical.Span
	// parts has lists of the types of unnamed fields.
	parts []lexical.Span
	// parameters has lists of type parameters, sorted by their scopes.
	parameters []parameters
	holders    []holder
	// defined has the names of functions and types that are symbols.
	defined []lexical.Span
	stops   []stop
}

func (m *mentions) reset() {
	m.named, m.importations, m.bindings, m.results = m.named[:0], m.importations[:0], m.bindings[:0], m.results[:0]
	m.memberMethods, m.blocks, m.holders, m.defined = m.memberMethods[:0], m.blocks[:0], m.holders[:0], m.defined[:0]
	m.loose, m.parts, m.parameters = m.loose[:0], m.parts[:0], m.parameters[:0]
}

func (m *mentions) none() bool {
	return len(m.named)+len(m.importations)+len(m.bindings)+len(m.memberMethods)+len(m.results)+len(m.loose)+len(m.parts) == 0
}

// parameters is a list of type parameters and its scope.
type parameters struct{ names, around lexical.Span }

// A binding is a name with its type, its value, or a value of which it is an element.
type binding struct {
	name, typ, value, element lexical.Span
	// scope, if set, is the span in which the name is visible.
	scope lexical.Span
	// property, if set, is the member of the value that is bound.
	property lexical.Span
	// part is set for a name in a tuple: the part of the value, as a member such as ".1".
	part   string
	member bool
	// entered is set if a with statement of Python binds the name.
	entered bool
	// list is set if the name is a list of typ.
	list    bool
	pattern int
	within  syntax.Within
}

// from returns the byte offset from which the name is visible.
func (b *binding) from() int {
	if b.scope.End > 0 {
		return b.scope.Start
	}
	return max(b.name.End, b.typ.End, b.value.End, b.element.End) - 1
}

// maxMentions bounds each of the slices in mentions for one file.
const maxMentions = 200_000

// A stop is a byte offset with a capture to process: index is its position in the slice that what tells. Stops are
// processed in order; at one offset, scopes come first and bindings last.
type stop struct {
	pos   int32
	what  int32
	index int32
}

const (
	stopScope = iota
	stopLocal
	stopMention
	stopMember
	stopResult
	stopImport
	stopBinding
	stopParts
)
