package graph

import (
	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/table"
)

// What is asked and answered, and of what a graph is made: the types of the packages below.
type (
	Graph     = table.Graph
	Operation = table.Operation
	Request   = table.Request
	Answer    = table.Answer
	Symbol    = table.Symbol
	Hit       = table.Hit
	Drawing   = table.Drawing
	Facts     = facts.Facts
	By        = edge.By
)

// The kinds of nodes that no symbol has.
const (
	FileKind     = table.FileKind
	PackageKind  = table.PackageKind
	ExternalKind = table.ExternalKind
)

// The operations.
const (
	Callers         = table.Callers
	Callees         = table.Callees
	Implementations = table.Implementations
	Dependencies    = table.Dependencies
	Dependents      = table.Dependents
	TypeUsages      = table.TypeUsages
	References      = table.References
	Impact          = table.Impact
	Path            = table.Path
)

// Bounds and defaults of a Request, and what counts as sure in its answer.
const (
	MaxDepth             = table.MaxDepth
	DefaultImpactDepth   = table.DefaultImpactDepth
	MaxLimit             = table.MaxLimit
	DefaultMinConfidence = table.DefaultMinConfidence
	Sure                 = table.Sure
)
