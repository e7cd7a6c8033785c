package extract

import (
	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

// A mention is one place that names something.
type mention struct {
	lexical.Span
	relation record.Relation
	pattern  int
}

// An importation is one imported thing.
type importation struct {
	name, alias lexical.Span
	// modules are the parts of the module's name, before which prefix stands.
	modules []lexical.Span
	prefix  string
}

// pos is where it stands.
func (i *importation) pos() int {
	if len(i.modules) == 0 {
		return i.name.Start
	}
	return i.modules[0].Join(i.name).Start
}

// A memberMethod is a method of a type that is no symbol.
type memberMethod struct{ name, signature, result lexical.Span }

// A returned is what a function says about its result: a type, or an expression that it returns.
type returned struct {
	lexical.Span
	value bool
}

// A holder is a symbol or a @scope, to which what is named in it belongs.
type holder struct {
	around    lexical.Span
	kind      kind
	name      string
	qualified string
}

// mentions are what an extraction has read for references; a worker keeps its buffers for the next file.
type mentions struct {
	named         []mention
	importations  []importation
	bindings      []binding
	results       []returned
	memberMethods []memberMethod
	blocks        []lexical.Span
	loose         []lexical.Span
	// parts are lists of the types of fields without names.
	parts []lexical.Span
	// parameters are sorted by where they are known.
	parameters []parameters
	holders    []holder
	// defined are the names of functions and types that are symbols.
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

// parameters are the names of type parameters and where they are known.
type parameters struct{ names, around lexical.Span }

// A binding is a name that gets a type or value.
type binding struct {
	name, typ, value, element lexical.Span
	// scope, if there is one, is where the name is known: all of it.
	scope lexical.Span
	// property, if there is one, is the name of the member of the value that is meant.
	property lexical.Span
	// part, of a name in a tuple, is which part of the value it is, as a member: ".1".
	part   string
	member bool
	// list: it is a list of typ.
	list    bool
	pattern int
	within  syntax.Within
}

// from is where the name is known from.
func (b *binding) from() int {
	if b.scope.End > 0 {
		return b.scope.Start
	}
	return max(b.name.End, b.typ.End, b.value.End, b.element.End) - 1
}

// maxMentions bounds what a file has of each sort before equal ones are joined, and maxReferences its references
// and its typings.
const maxMentions = 200_000

// A stop is where in the text something is to be done for references. Of those at one byte scopes come first
// and bindings last.
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
