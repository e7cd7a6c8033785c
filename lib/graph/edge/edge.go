// Package edge defines an edge of the graph: how its target was found, how sure that is, where it leads, and what is reported where edges are left out.
// Package resolve makes edges, a Writer writes them (writer.go), package table keeps them.
package edge

import (
	"cortex/lib/record"
)

// By is the way in which the target of an edge was found, from near to far.
type By string

// The ways.
const (
	// ByScope: declared around the reference in the same file.
	ByScope By = "scope"
	// ByReceiver: the syntax tells the type or module before the name.
	ByReceiver By = "receiver"
	// ByImport: through an import of the file.
	ByImport By = "import"
	// ByPackage: declared in the same package, module or namespace.
	ByPackage By = "package"
	// ByInherited: a member of a base class, embedded type or trait.
	ByInherited By = "inherited"
	// ByMethods: a type has what an interface demands, without saying so.
	ByMethods By = "methods"
	// ByUnique: the only thing of that name and sort in the tree.
	ByUnique By = "unique"
	// ByCandidates: one of several of that name.
	ByCandidates By = "candidates"
	// ByExternal: outside of the tree.
	ByExternal By = "external"
	// ByNameAlone: a call of a member of that name, of which there are some, on a receiver of unknown type. It leads to no target, and answers only count it.
	ByNameAlone By = "name"
)

// Ways lists every By.
var Ways = []By{ByScope, ByReceiver, ByImport, ByPackage, ByInherited, ByMethods, ByUnique, ByCandidates, ByExternal, ByNameAlone}

// Confidences are those of an edge by its way; that of ByCandidates is shared among them.
var Confidences = map[By]float64{
	ByScope: 1, ByReceiver: 0.95, ByImport: 0.95, ByPackage: 0.9, ByInherited: 0.9, ByMethods: 0.95, ByUnique: 0.6, ByCandidates: 0.5, ByExternal: 0.9,
}

// MaxCandidates is how many targets an edge keeps.
const MaxCandidates = 8

// An Omission tells that of the edges of a relation from a node, or to it, not all are kept, since there would be too many.
type Omission struct {
	// Of is the identifier of the node.
	Of       string
	Relation record.Relation
	// Incoming tells that the edges lead to the node.
	Incoming bool
	// Held edges are kept, of Found. If Found is 0, nobody knows how many there are.
	Held, Found int
}

// Edges is how many edges are left out, at least. One that is left out at both of its ends counts where it leads to.
func (o *Omission) Edges() int {
	if !o.Incoming {
		return 0
	}
	return max(o.Found-o.Held, 1)
}

// A Place is a node: a symbol of a file, both by number; the file itself if symbol is negative; or the package in a folder, by its identifier.
type Place struct {
	File, Symbol int32
	Folder       string
}
