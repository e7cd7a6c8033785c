package table

import (
	"math"

	"cortex/lib/graph/edge"
	"cortex/lib/record"
)

// None is no node, file or site.
const None = math.MaxUint32

// A fileRow is a file of the tree, or a package.
type fileRow struct {
	path, tree, language, pkg uint32
	// first and end are its nodes; the first is that of the file. site is the first of its sites.
	first, end, site uint32
}

// A nodeRow is a node. File is none for what lies outside of the tree and for packages.
type nodeRow struct {
	file, qualified, name, signature uint32
	start, end                       uint32
	// owner is the type, module or package that the node is a member of.
	owner uint32
	kind  uint8
	flags uint8
	// doc is how many lines before start its documentation comment begins.
	doc uint16
}

// A declarationRow is a further declaration of a node, such as an overload.
type declarationRow struct{ node, start, end, doc uint32 }

const (
	flagExported = 1 << iota
	flagTest
)

// A site is where an edge stands. Its lines end at lines[end] and begin where those of the site before it end.
type site struct {
	end        uint32
	confidence uint16 // in thousandths
	relation   uint8  // in record.Relations
	by         uint8  // in Ways
}

// An omissionRow is an Omission. If found is 0, nobody knows how many there are.
type omissionRow struct {
	node, held, found  uint32
	relation, incoming uint8
}

// omission is the row without its node.
func (o *omissionRow) omission() edge.Omission {
	return edge.Omission{Relation: record.Relations[o.relation], Incoming: o.incoming != 0, Held: int(o.held), Found: int(o.found)}
}

// A pendingEdge is an edge to a node, or to an outsider.
type pendingEdge struct{ from, to, site uint32 }
