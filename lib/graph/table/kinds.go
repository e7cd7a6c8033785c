package table

import (
	"cortex/lib/record"
)

// FileKind is the kind of the node of a file. Its edges are those of code outside of all symbols.
const FileKind record.Kind = "file"

// Kinds of nodes that are neither symbols nor files.
const (
	// PackageKind is the kind of a folder whose files form one package.
	PackageKind record.Kind = "package"
	// ExternalKind is the kind of modules and symbols outside of the tree.
	ExternalKind record.Kind = "external"
)

// nodeKinds has the kinds of nodes by the numbers in nodeRow.kind.
var nodeKinds = append([]record.Kind{FileKind, ExternalKind, PackageKind}, record.Kinds...)

// Positions in nodeKinds. symbolKind is the position of the first of record.Kinds.
const (
	fileKind = iota
	externalKind
	packageKind
	symbolKind
)
