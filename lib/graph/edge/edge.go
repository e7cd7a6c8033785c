// Package edge defines the edges of the graph: the rule by which a target was found (By), its confidence, the target
// (Place), the report of edges that are left out (Omission), and sets of relations (RelationSet). Package resolve makes
// edges, a Writer encodes them (writer.go), package table keeps them. Open edge.go first.
package edge

import (
	"slices"

	"cortex/lib/record"
)

// By is the rule by which the target of an edge was found.
type By string

// The rules, from near to far.
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
	// ByMethods: a type has the methods of an interface, without naming the interface.
	ByMethods By = "methods"
	// ByUnique: the only symbol of that name and sort in the tree.
	ByUnique By = "unique"
	// ByCandidates: one of several of that name.
	ByCandidates By = "candidates"
	// ByExternal: outside of the tree.
	ByExternal By = "external"
	// ByNameAlone: a call on a receiver of unknown type, where the tree has members of that name. It has no target;
	// answers only count such calls.
	ByNameAlone By = "name"
)

// Ways lists all rules; encoded edges have the position in this list.
var Ways = []By{ByScope, ByReceiver, ByImport, ByPackage, ByInherited, ByMethods, ByUnique, ByCandidates, ByExternal, ByNameAlone}

// Confidences has the confidence of an edge by its rule. The candidates of ByCandidates share theirs.
var Confidences = map[By]float64{
	ByScope: 1, ByReceiver: 0.95, ByImport: 0.95, ByPackage: 0.9, ByInherited: 0.9, ByMethods: 0.95, ByUnique: 0.6, ByCandidates: 0.5, ByExternal: 0.9,
}

// MaxCandidates is the most targets that an edge keeps.
const MaxCandidates = 8

// An Omission says that a node has too many edges of one relation and direction, so not all of them are kept.
type Omission struct {
	// Of is the identifier of the node.
	Of       string
	Relation record.Relation
	// Incoming is set if the edges lead to the node, not from it.
	Incoming bool
	// Held is the number of edges kept, Found the number that exist, 0 if that is unknown.
	Held, Found int
}

// Edges returns a lower bound for the number of edges left out. To count each edge once, only incoming ones count.
func (o *Omission) Edges() int {
	if !o.Incoming {
		return 0
	}
	return max(o.Found-o.Held, 1)
}

// A Place is the target of an edge: a symbol of a file, both by number; the file itself if Symbol is negative; or, if
// Folder is set, the package in the folder with that identifier.
type Place struct {
	File, Symbol int32
	Folder       string
}

// A RelationSet has one bit for each relation, by position in record.Relations.
type RelationSet uint32

// Relations returns the set of the relations.
func Relations(list ...record.Relation) (set RelationSet) {
	for _, r := range list {
		set |= 1 << slices.Index(record.Relations, r)
	}
	return set
}

// Has reports whether the relation at the position in record.Relations is in the set.
func (s RelationSet) Has(relation uint8) bool { return s>>relation&1 != 0 }
