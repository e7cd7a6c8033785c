package resolve

import (
	"slices"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// An entry has all declarations of one qualified name in one space. A space is a package, or a file that belongs to none.
type entry struct {
	space     int32
	parent    facts.Name
	qualified facts.Name
	// sorts has a bit for each sort of declaration of the name.
	sorts sorts
	// family is ForeignFamily or OwnFamily, the position of its rules.
	family int16
	decls  []facts.Decl
}

type sorts uint8

const (
	typeSorts sorts = 1 << iota
	callableSorts
	dataSorts
	moduleSorts
)

func sortsOf(kind record.Kind) sorts {
	switch {
	case kind.IsType():
		return typeSorts
	case kind.IsCallable():
		return callableSorts
	case kind == record.Module:
		return moduleSorts
	}
	return dataSorts
}

type entryKey struct {
	space        int32
	parent, name facts.Name
}

type qualifiedKey struct {
	space     int32
	qualified facts.Name
}

// noEntry is the number of no entry.
const noEntry = -1

// A meaning is the result of resolving a name or an expression.
type meaning struct {
	sort meaningSort
	// lists is the number of list types around it: 2 for a list of lists.
	lists uint8
	// weak is set if it was found only by its name, or by another guess.
	weak bool
	// entry is the entry of a thing; the type of an instance or base; the number of a parameter.
	entry int32
	// space, prefix and file define a module: the declarations with the parent prefix in the space and, if file is not
	// negative, in that file.
	space, file int32
	prefix      facts.Name
	// arguments are values of the type arguments of an instance's type, or the parts of a tuple; a member has those of the
	// value of which it is a member. The slice is shared and must not be changed.
	arguments []meaning
	// others are values of the other result types of an overloaded function.
	others []meaning
	// only is 1 plus the number of the file whose declaration of a thing is meant, 0 if it may be in any file.
	only int32
	// external is the name of an outside meaning, "" if the name is unknown too.
	external string
	// loose is set for a value outside of the tree of unknown type: the result of a function, an element, an attribute of a
	// value, or a part of one of these.
	loose bool
}

type meaningSort uint8

const (
	unknown meaningSort = iota
	// thing is a declared symbol itself.
	thing
	// instance is a value of a declared type.
	instance
	// base is the current object seen as its base type, as by "super".
	base
	// module is a file, a package or a part of it.
	module
	// outside is a symbol or value outside of the tree.
	outside
	// tuple is a value whose arguments are its parts.
	tuple
	// parameter is a value of a type parameter: the one at position entry of the type whose member is looked at.
	parameter
)

// with returns m with its parameters replaced by the arguments.
func (m meaning) with(arguments []meaning) meaning {
	if m.sort == parameter {
		if m.entry < 0 || int(m.entry) >= len(arguments) {
			return meaning{}
		}
		of := arguments[m.entry]
		of.lists += m.lists
		if len(m.others) > 0 {
			of.others = withAll(m.others, arguments)
		}
		return of
	}
	m.arguments, m.others = withAll(m.arguments, arguments), withAll(m.others, arguments)
	return m
}

// withAll returns a list with the parameters in it replaced by the arguments.
func withAll(list, arguments []meaning) []meaning {
	if !slices.ContainsFunc(list, meaning.hasParameter) {
		return list
	}
	out := make([]meaning, len(list))
	for i, of := range list {
		out[i] = of.with(arguments)
	}
	return out
}

func (m meaning) hasParameter() bool {
	return m.sort == parameter || slices.ContainsFunc(m.arguments, meaning.hasParameter) || slices.ContainsFunc(m.others, meaning.hasParameter)
}

func placeOf(d facts.Decl) edge.Place { return edge.Place{File: d.File, Symbol: d.Symbol} }
