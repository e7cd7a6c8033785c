package table

import (
	"cortex/lib/graph/edge"
	"cortex/lib/record"
)

// An Answer is what came of a Request.
type Answer struct {
	Operation Operation `json:"operation"`
	// Query and QueryTo are the targets as they were given.
	Query   string `json:"query"`
	QueryTo string `json:"query_to,omitempty"`
	// Target is what the query named. A file stands for all that is in it, a type for its members as well where it is asked what they do.
	Target *Symbol `json:"target,omitempty"`
	To     *Symbol `json:"to,omitempty"`
	// Ambiguous is the query that names several things, and Candidates what it could mean, the most used first; there is no target then.
	Ambiguous  string   `json:"ambiguous,omitempty"`
	Candidates []Symbol `json:"candidates,omitempty"`
	// NotFound is the query that names nothing, and Near what is named like it.
	NotFound string   `json:"not_found,omitempty"`
	Near     []Symbol `json:"near,omitempty"`
	// Also is what else has the name of Target or To, the most used first, and AlsoFound how many there are.
	Also      []Symbol `json:"also,omitempty"`
	AlsoFound int      `json:"also_found,omitempty"`
	Results   []Hit    `json:"results"`
	// Tests are those of an Impact.
	Tests []Hit `json:"tests,omitempty"`
	// TotalFound counts results, TestsFound tests, those over the limit as well.
	TotalFound    int `json:"total_found"`
	TestsFound    int `json:"tests_found,omitempty"`
	TotalReturned int `json:"total_returned"`
	// Reversed tells that the path leads the other way.
	Reversed bool `json:"reversed,omitempty"`
	// Passed is how many places pass the target as a value, where no callers are found: whoever receives it may call it.
	Passed int `json:"passed,omitempty"`
	// Omitted counts what was found and left out, as the request asks.
	Omitted *Omitted `json:"omitted,omitempty"`
	// Truncated tells that more was found than is here; Note says what is missing.
	Truncated bool `json:"truncated,omitempty"`
	// Beyond tells that longer chains than the depth lead to more.
	Beyond   bool     `json:"beyond,omitempty"`
	Note     string   `json:"note,omitempty"`
	Metadata Metadata `json:"metadata"`

	// NoFile tells that there is nothing since the request admits no file of the graph.
	NoFile bool `json:"-"`

	graph *Graph
	// target is the node of Target, none if it has none; forward tells that edges lead from it to the results.
	target  uint32
	forward bool
	// notHeld says which edges of the target the graph does not hold, "" if it holds all.
	notHeld string
	// gap says of a Path that was not found where it may be broken, "" if nobody knows.
	gap string
}

// Metadata tells how an answer came to be.
type Metadata struct {
	TookMS float64 `json:"took_ms"`
}

// Omitted counts results that were left out: with too little confidence, in tests or outside of them, in files that Match does not admit.
type Omitted struct {
	LowConfidence int `json:"low_confidence,omitempty"`
	Tests         int `json:"tests,omitempty"`
	Code          int `json:"code,omitempty"`
	Path          int `json:"path,omitempty"`
}

// A Hit is one result: a node and the edge that leads to it.
type Hit struct {
	Symbol
	// Relation is that of the edge, By how its target was found and Confidence how sure that is. A chain is as sure as its weakest edge:
	// EdgeConfidence is how sure the edge alone is, where one before it is less so.
	Relation       record.Relation `json:"relation,omitempty"`
	By             edge.By         `json:"by,omitempty"`
	Confidence     float64         `json:"confidence,omitempty"`
	EdgeConfidence float64         `json:"edge_confidence,omitempty"`
	// Lines are where the edge stands, at most maxLines of them: in the symbol's own code, or if the edge leads to it, in the file LinesIn. More
	// counts further ones.
	Lines   []int  `json:"lines,omitempty"`
	LinesIn string `json:"lines_in,omitempty"`
	More    int    `json:"more_lines,omitempty"`
	// Distance is the number of edges to the target.
	Distance int `json:"distance,omitempty"`
	// Via is the other end of the edge where that is not the target itself.
	Via string `json:"via,omitempty"`
	// Through is the method of a base type or interface that stands in the edge in place of the target, or of Via, which implements it: what runs is
	// chosen as the program runs.
	Through string `json:"through,omitempty"`
	// Up tells of Implementations that the target implements, extends or embeds the symbol.
	Up bool `json:"up,omitempty"`
	// References counts the edges behind a result that stands for a file, package or module.
	References int `json:"references,omitempty"`
	// Quote is the first of Lines as it stands in the file, if it was asked for.
	Quote   string    `json:"quote,omitempty"`
	Context []Excerpt `json:"context,omitempty"`
	// Detail is DetailShort where something is missing so that the answer keeps to its size.
	Detail string `json:"detail,omitempty"`

	via, node uint32
}

// DetailShort is the detail of a hit without context, and with one line.
const DetailShort = "short"

// An Excerpt is a piece of a file as it was when it was indexed.
type Excerpt struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
	// Text are the lines with a line feed after each but the last.
	Text string `json:"text"`
}

// maxLines is how many lines a Hit names.
const maxLines = 20

// maxExcerpts is how many of them it shows.
const maxExcerpts = 3

// maxAlso is how many others of its name an answer lists beside what it tells of.
const maxAlso = 5

// maxNamed is how many candidates or near names an answer lists.
const maxNamed = 20
