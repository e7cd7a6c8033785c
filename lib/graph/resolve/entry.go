package resolve

import (
	"slices"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// An entry is all declarations of one qualified name in one space. A space is a package, or a file that shares its names with no other.
type entry struct {
	space     int32
	parent    facts.Name
	qualified facts.Name
	// sorts tell what is declared under the name.
	sorts sorts
	// family is the number of the rules.
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

// noEntry is what is not declared.
const noEntry = -1

// A meaning is what an expression stands for.
type meaning struct {
	sort meaningSort
	// lists tells how many times it is a list of that.
	lists uint8
	// weak tells that it was found by nothing but its name.
	weak bool
	// entry is that of a thing, value or base.
	entry int32
	// space, prefix and file say where a module is: what is declared under the prefix in the space, and if file is not negative, in that file.
	space, file int32
	prefix      facts.Name
	// arguments are what values of the type arguments of a value's type are, or the parts of a tuple; of a thing that is a member, those of the value that
	// has it. They are not to be changed.
	arguments []meaning
	// only is one more than the number of the file whose declaration of a thing is meant, 0 if it is any.
	only int32
	// external names it if it is outside of the tree, "" if its name is unknown too.
	external string
}

type meaningSort uint8

const (
	unknown meaningSort = iota
	// thing is what is declared itself.
	thing
	// instance is a value of a type that is declared.
	instance
	// base is the object or type itself as what it inherits from.
	base
	module
	outside
	// tuple is a value with parts.
	tuple
	// parameter is a value of the type argument number entry of the value that has what is looked at.
	parameter
)

// with is the meaning in which parameters are the arguments.
func (m meaning) with(arguments []meaning) meaning {
	if m.sort == parameter {
		if m.entry < 0 || int(m.entry) >= len(arguments) {
			return meaning{}
		}
		of := arguments[m.entry]
		of.lists += m.lists
		return of
	}
	if slices.ContainsFunc(m.arguments, meaning.hasParameter) {
		list := make([]meaning, len(m.arguments))
		for i, of := range m.arguments {
			list[i] = of.with(arguments)
		}
		m.arguments = list
	}
	return m
}

func (m meaning) hasParameter() bool {
	return m.sort == parameter || slices.ContainsFunc(m.arguments, meaning.hasParameter)
}

func placeOf(d facts.Decl) edge.Place { return edge.Place{File: d.File, Symbol: d.Symbol} }
