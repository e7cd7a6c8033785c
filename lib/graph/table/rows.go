package table

import (
	"math"

	"cortex/lib/graph/edge"
	"cortex/lib/record"
)

// None stands for no node, no file or no site.
const None = math.MaxUint32

// A fileRow is a file. path, tree, language and pkg are numbers of strings.
type fileRow struct {
	path, tree, language, pkg uint32
	// The nodes of the file are those from first to end, end excluded; first is the node of the file itself. site is the
	// first site of the file.
	first, end, site uint32
}

// A nodeRow is a node. file is None for packages and for nodes outside of the tree. qualified, name and signature are
// numbers of strings; the node of a file has no qualified name.
type nodeRow struct {
	file, qualified, name, signature uint32
	start, end                       uint32
	// owner is the node of which this one is a member, such as a type, module or package; None if there is none.
	owner uint32
	kind  uint8
	flags uint8
	// doc is the number of lines from the start of the documentation comment to start.
	doc uint16
}

// A declarationRow is a further declaration of a node, such as an overload, with lines as in nodeRow.
type declarationRow struct{ node, start, end, doc uint32 }

const (
	flagExported = 1 << iota
	flagTest
)

// A site is the place of a reference, which has one edge for each of its targets. The encoded lines of a site are the
// bytes of Graph.lines from the end of the site before to end.
type site struct {
	end        uint32
	confidence uint16 // in thousandths
	relation   uint8  // position in record.Relations
	by         uint8  // position in edge.Ways
}

// An omissionRow is an edge.Omission of a node.
type omissionRow struct {
	node, held, found  uint32
	relation, incoming uint8
}

// omission returns the row as an edge.Omission, without Of.
func (o *omissionRow) omission() edge.Omission {
	return edge.Omission{Relation: record.Relations[o.relation], Incoming: o.incoming != 0, Held: int(o.held), Found: int(o.found)}
}

// A pendingEdge is an edge before the table of edges is made. to is a node, or a number of edge.Outsiders with outsideBit.
type pendingEdge struct{ from, to, site uint32 }
