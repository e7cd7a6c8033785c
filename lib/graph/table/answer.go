package table

import (
	"cortex/lib/graph/edge"
	"cortex/lib/graph/excerpt"
	"cortex/lib/record"
)

// An Answer is the result of a Request.
type Answer struct {
	Operation Operation `json:"operation"`
	// Query and QueryTo are the targets as the request gives them.
	Query   string `json:"query"`
	QueryTo string `json:"query_to,omitempty"`
	// Target is the node that Query names. A file stands for all its symbols; a type also stands for its members, except in
	// TypeUsages and References.
	Target *Symbol `json:"target,omitempty"`
	To     *Symbol `json:"to,omitempty"`
	// Ambiguous is set to Query or QueryTo if that names several nodes: Candidates has them, the most used first, and there
	// is no target.
	Ambiguous  string   `json:"ambiguous,omitempty"`
	Candidates []Symbol `json:"candidates,omitempty"`
	// NotFound is set to Query or QueryTo if that names no node; Near has nodes with similar names.
	NotFound string   `json:"not_found,omitempty"`
	Near     []Symbol `json:"near,omitempty"`
	// Document is set if NotFound is the path of a file in a language without relations, as Note says. Near is empty then.
	Document bool `json:"-"`
	// Also has other nodes with the name of Target or To, the most used first, at most maxAlso for each. AlsoFound is the
	// number of all of them.
	Also      []Symbol `json:"also,omitempty"`
	AlsoFound int      `json:"also_found,omitempty"`
	Results   []Hit    `json:"results"`
	// Tests are the tests that an Impact reaches; Results has the rest.
	Tests []Hit `json:"tests,omitempty"`
	// TotalFound and TestsFound count results and tests, including those over the limit.
	TotalFound    int `json:"total_found"`
	TestsFound    int `json:"tests_found,omitempty"`
	TotalReturned int `json:"total_returned"`
	// Reversed is set if the path leads from To to Target.
	Reversed bool `json:"reversed,omitempty"`
	// Passed is set if no callers are found: the number of edges that pass the target as a value, to code that may call it.
	Passed int `json:"passed,omitempty"`
	// Omitted counts results that the options of the request exclude; nil if there are none.
	Omitted *Omitted `json:"omitted,omitempty"`
	// Truncated is set if the answer lacks results for want of room or edges; Note says which.
	Truncated bool `json:"truncated,omitempty"`
	// Beyond is set if chains longer than the depth lead to further nodes.
	Beyond   bool     `json:"beyond,omitempty"`
	Note     string   `json:"note,omitempty"`
	Metadata Metadata `json:"metadata"`

	// Namespace is the namespace of the target with the separator after it, "" if its qualified name has none.
	Namespace string `json:"-"`
	// NoFile is set if there are no results because Request.Match admits no file of the graph.
	NoFile bool `json:"-"`

	graph *Graph
	// target is the node of Target, None if it has none. forward is set if edges lead from target to the results.
	target  uint32
	forward bool
	// notHeld is a text about edges of the target that the graph leaves out, "" if it holds all.
	notHeld string
	// gap is a text on where a Path that was not found may be broken, "" if there is no clue.
	gap string
}

// Metadata has the duration of the query in milliseconds.
type Metadata struct {
	TookMS float64 `json:"took_ms"`
}

// Omitted counts results that the request excludes: by MinConfidence, by Tests (in tests or in code), by Match.
type Omitted struct {
	LowConfidence int `json:"low_confidence,omitempty"`
	Tests         int `json:"tests,omitempty"`
	Code          int `json:"code,omitempty"`
	Path          int `json:"path,omitempty"`
}

// A Hit is one result: a node and the edge that leads to it.
type Hit struct {
	Symbol
	// Relation and By are those of the edge. Confidence is the confidence of the chain up to this hit, which is that of its
	// weakest edge; EdgeConfidence is set if that of the edge alone is greater.
	Relation       record.Relation `json:"relation,omitempty"`
	By             edge.By         `json:"by,omitempty"`
	Confidence     float64         `json:"confidence,omitempty"`
	EdgeConfidence float64         `json:"edge_confidence,omitempty"`
	// Lines has the lines of the edge, at most maxLines; MoreLines has the rest, and More their number. If LinesIn is
	// empty, they are in the file of the symbol, otherwise in the file LinesIn.
	Lines   []int  `json:"lines,omitempty"`
	LinesIn string `json:"lines_in,omitempty"`
	More    int    `json:"more_lines,omitempty"`
	// MoreLines is not in JSON.
	MoreLines []int `json:"-"`
	// Distance is the number of edges between the hit and the target.
	Distance int `json:"distance,omitempty"`
	// Via is the other end of the edge, unless that is the target itself.
	Via string `json:"via,omitempty"`
	// Through is set for a call of a method of a base type or interface that the target, or Via, implements: the edge leads
	// to Through, and which implementation is called is decided at run time.
	Through string `json:"through,omitempty"`
	// Up is set in Implementations if the target implements, extends or embeds the symbol, not the other way round.
	Up bool `json:"up,omitempty"`
	// References counts the edges to or from a file, package or module, in answers about files.
	References int `json:"references,omitempty"`
	// Quote is the text of the first of Lines, if the request asks for quotes.
	Quote   string            `json:"quote,omitempty"`
	Context []excerpt.Excerpt `json:"context,omitempty"`
	// Detail is DetailShort if parts of the hit were removed to keep the answer to its size.
	Detail string `json:"detail,omitempty"`

	via, node uint32
}

// DetailShort is the Detail of a hit with one line and no context.
const DetailShort = "short"

// maxLines is the most lines in Hit.Lines.
const maxLines = 20

// maxExcerpts is the most excerpts in Hit.Context.
const maxExcerpts = 3

// maxAlso is the most nodes that Answer.Also lists for one target.
const maxAlso = 5

// maxNamed is the most candidates that an answer lists.
const maxNamed = 20
