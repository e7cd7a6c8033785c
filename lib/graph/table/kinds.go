package table

import (
	"cortex/lib/record"
)

// FileKind is the kind of the node that stands for a file. Its edges are those of the code outside of all symbols.
const FileKind record.Kind = "file"

// Kinds of nodes that no symbol has.
const (
	// PackageKind is a folder whose files are one package.
	PackageKind record.Kind = "package"
	// ExternalKind is what lies outside of the tree.
	ExternalKind record.Kind = "external"
)

// nodeKinds are the kinds of nodes, by their numbers.
var nodeKinds = append([]record.Kind{FileKind, ExternalKind, PackageKind}, record.Kinds...)

// The numbers of the kinds that no symbol has. symbolKind is that of the first in record.Kinds.
const (
	fileKind = iota
	externalKind
	packageKind
	symbolKind
)
