package graph

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cortex/lib/hint"
	"cortex/lib/record"
)

// An Operation is what is asked of a graph.
type Operation string

// The operations.
const (
	// Callers: what calls the target, or makes an instance of it.
	Callers Operation = "callers"
	// Callees: what the target calls or makes instances of.
	Callees Operation = "callees"
	// Implementations: types that implement, extend or embed the target and those that it does, or the same of methods.
	Implementations Operation = "implementations"
	// Dependencies: what the target needs; of a file or folder, the files, packages and external modules.
	Dependencies Operation = "dependencies"
	// Dependents: what needs the target.
	Dependents Operation = "dependents"
	// TypeUsages: where the target is used as a type.
	TypeUsages Operation = "type_usages"
	// References: all that names the target.
	References Operation = "references"
	// Impact: all that a change of the target could reach, and apart from that the tests.
	Impact Operation = "impact"
	// Path: the shortest chain from the target to another.
	Path Operation = "path"
)

// An OperationInfo tells of an operation what users are told.
type OperationInfo struct {
	Operation Operation
	Summary   string
	// Noun is what the results are called, many of them.
	Noun string
}

// Operations lists every operation.
var Operations = []OperationInfo{
	{Callers, "what calls it, or makes an instance of it", "callers"},
	{Callees, "what it calls", "callees"},
	{Implementations, "types that implement or extend it and those that it does; of a method, the methods", "implementations"},
	{Dependencies, "what it needs; of a file or folder: files, packages and external modules", "dependencies"},
	{Dependents, "what needs it", "dependents"},
	{TypeUsages, "where it is used as a type", "usages"},
	{References, "all that names it", "references"},
	{Impact, "what a change of it could reach, and the tests that reach it", "results"},
	{Path, "the shortest chain from one to another", "steps"},
}

// Info finds an operation by its name. The error of an unknown one names what was meant.
func Info(name string) (OperationInfo, error) {
	var names []string
	plain := strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name), "-", "_"))
	for _, info := range Operations {
		if string(info.Operation) == plain {
			return info, nil
		}
		names = append(names, string(info.Operation))
	}
	advice := "operations are " + strings.Join(names, ", ")
	if near := hint.Nearest(name, names); near != "" {
		advice = fmt.Sprintf("did you mean %q? %s", near, advice)
	}
	return OperationInfo{}, hint.Wrap(fmt.Errorf("unknown operation %q", name), advice)
}

// Bounds and defaults of a Request.
const (
	MaxDepth             = 6
	DefaultDepth         = 1
	DefaultImpactDepth   = 3
	MaxLimit             = 1000
	DefaultLimit         = 50
	DefaultMinConfidence = 0.5
	MaxContext           = 5
)

// A Request is one question.
type Request struct {
	Operation Operation
	// Target is the qualified name, bare name, place (path:line), file, folder or identifier of a node. To is the other end of a Path.
	Target, To string
	// Depth is how many edges a chain may have, 0 for the default.
	Depth int
	// Limit is how many results are given, and as many tests, 0 for the default.
	Limit int
	// Context is how many lines before and after each place are given, which Lines reads: the lines from first to last of a file by its tree path.
	Context int
	Lines   func(path string, first, last int) ([]string, error)
	// Match admits files of results by their tree path; nil admits all.
	Match func(path string) bool
	// NoTests leaves results in test code out.
	NoTests bool
	// MinConfidence leaves out the edges that are less sure, and what is reached through them.
	MinConfidence float64
}

func (r *Request) check() error {
	switch {
	case !slices.ContainsFunc(Operations, func(i OperationInfo) bool { return i.Operation == r.Operation }):
		_, err := Info(string(r.Operation))
		return err
	case strings.TrimSpace(r.Target) == "":
		return hint.Wrap(fmt.Errorf("%s of nothing", r.Operation), "name a symbol, a file, a folder or a place such as lib/server.go:42")
	case r.Operation == Path && strings.TrimSpace(r.To) == "":
		return hint.Wrap(fmt.Errorf("a path to nothing"), "name two: where the path begins and where it ends")
	case r.Operation != Path && r.To != "":
		return hint.Wrap(fmt.Errorf("%s of two", r.Operation), "only path has a second target")
	case r.Depth < 0 || r.Depth > MaxDepth:
		return hint.Wrap(fmt.Errorf("depth %d", r.Depth), fmt.Sprintf("give a number from 1 to %d", MaxDepth))
	case r.Limit < 0 || r.Limit > MaxLimit:
		return hint.Wrap(fmt.Errorf("limit %d", r.Limit), fmt.Sprintf("give a number from 1 to %d", MaxLimit))
	case r.Context < 0 || r.Context > MaxContext:
		return hint.Wrap(fmt.Errorf("context %d", r.Context), fmt.Sprintf("give a number of lines from 0 to %d", MaxContext))
	case math.IsNaN(r.MinConfidence) || r.MinConfidence < 0 || r.MinConfidence > 1:
		return hint.Wrap(fmt.Errorf("confidence %g", r.MinConfidence), "give a number from 0 to 1")
	}
	return nil
}

// A Symbol is a node as answers show it.
type Symbol struct {
	// Symbol is the qualified name, of a file or package its path, of what is outside of the tree its name.
	Symbol string      `json:"symbol"`
	Kind   record.Kind `json:"kind"`
	// FilePath is the tree path, which begins with Tree if the tree has a name.
	FilePath  string `json:"file_path,omitempty"`
	Tree      string `json:"tree,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	Signature string `json:"signature,omitempty"`
	Test      bool   `json:"test,omitempty"`
}

// Place is where a symbol is: path:line.
func (s *Symbol) Place() string {
	if s.FilePath == "" {
		return s.Symbol
	}
	return fmt.Sprintf("%s:%d", s.FilePath, max(s.StartLine, 1))
}

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
	Results  []Hit    `json:"results"`
	// Tests are those of an Impact.
	Tests []Hit `json:"tests,omitempty"`
	// TotalFound counts results, TestsFound tests, those over the limit as well.
	TotalFound    int `json:"total_found"`
	TestsFound    int `json:"tests_found,omitempty"`
	TotalReturned int `json:"total_returned"`
	// Reversed tells that the path leads the other way.
	Reversed bool `json:"reversed,omitempty"`
	// Omitted counts what was found and left out, as the request asks.
	Omitted *Omitted `json:"omitted,omitempty"`
	// Truncated tells that more was found than is here; Note says what is missing.
	Truncated bool     `json:"truncated,omitempty"`
	Note      string   `json:"note,omitempty"`
	Metadata  Metadata `json:"metadata"`

	graph *Graph
	// target is the node of Target, none if it has none; forward tells that edges lead from it to the results.
	target  uint32
	forward bool
	// notHeld says which edges of the target the graph does not hold, "" if it holds all.
	notHeld string
}

// Metadata tells how an answer came to be.
type Metadata struct {
	TookMS float64 `json:"took_ms"`
}

// Omitted counts results that were left out: with too little confidence, in tests, in files that Match does not admit.
type Omitted struct {
	LowConfidence int `json:"low_confidence,omitempty"`
	Tests         int `json:"tests,omitempty"`
	Path          int `json:"path,omitempty"`
}

// A Hit is one result: a node and the edge that leads to it.
type Hit struct {
	Symbol
	// Relation is that of the edge, By how its target was found and Confidence how sure that is.
	Relation   record.Relation `json:"relation,omitempty"`
	By         By              `json:"by,omitempty"`
	Confidence float64         `json:"confidence,omitempty"`
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
	References int       `json:"references,omitempty"`
	Context    []Excerpt `json:"context,omitempty"`
	// Detail is DetailShort where something is missing so that the answer keeps to its size.
	Detail string `json:"detail,omitempty"`

	via, node uint32
}

// An Excerpt is a piece of a file as it was when it was indexed.
type Excerpt struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
	// Text are the lines with a line feed after each but the last.
	Text string `json:"text"`
}

const (
	// maxLines is how many lines a Hit names.
	maxLines = 20
	// maxExcerpts is how many of them it shows.
	maxExcerpts = 3
	// maxSteps bounds how many edges a question follows.
	maxSteps = 200_000
	// maxNamed is how many candidates or near names an answer lists.
	maxNamed = 20
)

// Query answers the request. A target that is ambiguous or not there is an answer as well.
func (g *Graph) Query(ctx context.Context, req Request) (answer *Answer, err error) {
	defer g.guard(&err)()
	start := time.Now()
	if err := req.check(); err != nil {
		return nil, err
	}
	q := &question{g: g, ctx: ctx, req: req, answer: &Answer{Operation: req.Operation, Query: req.Target, QueryTo: req.To, Results: []Hit{}, graph: g, target: none}}
	q.least = uint16(math.Ceil(req.MinConfidence*shareUnit - 1e-6))
	if q.depth = req.Depth; q.depth == 0 {
		q.depth = DefaultDepth
		if req.Operation == Impact {
			q.depth = DefaultImpactDepth
		}
	}
	if q.limit = req.Limit; q.limit == 0 {
		q.limit = DefaultLimit
	}
	if target, ok := q.resolve(req.Target, &q.answer.Target); ok {
		if err := q.run(target); err != nil {
			return nil, err
		}
	}
	q.note()
	q.answer.Metadata.TookMS = math.Round(float64(time.Since(start).Microseconds())/10) / 100
	return q.answer, nil
}

// A question is a request on its way to an answer.
type question struct {
	g            *Graph
	ctx          context.Context
	req          Request
	answer       *Answer
	least        uint16
	depth, limit int
	omitted      Omitted
	// steps counts edges that were followed; cut tells that there were too many.
	steps int
	cut   bool
	// heirsOf are what heirs found.
	heirsOf map[uint32][]step
}

func (q *question) run(target target) error {
	q.answer.target, q.answer.notHeld = target.node, q.notHeld(target)
	op := q.req.Operation
	switch {
	case op == Path:
		q.answer.forward = true
		return q.path(target)
	case op == Implementations:
		return q.implementations(target)
	case (op == Dependencies || op == Dependents) && target.isPath():
		q.answer.forward = op == Dependencies
		return q.files(target)
	}
	q.answer.forward = op == Callees || op == Dependencies
	return q.walk(target)
}

// follow counts an edge, and tells whether to go on.
func (q *question) follow() bool {
	q.steps++
	if q.steps > q.g.maxSteps || q.steps&0xfff == 0 && q.ctx.Err() != nil {
		q.cut = true
	}
	return !q.cut
}

// relations are those that an operation follows, as bits by their place in record.Relations.
func relations(op Operation) relationSet {
	switch op {
	case Callers, Callees:
		return setOf(record.Calls, record.Instantiates)
	case TypeUsages:
		return setOf(record.Uses, record.Instantiates, record.Extends, record.Implements, record.Embeds)
	case Implementations:
		return inheritance
	}
	return setOf(record.Relations...)
}

type relationSet uint32

var inheritance = setOf(record.Extends, record.Implements, record.Embeds)

func setOf(list ...record.Relation) (set relationSet) {
	for _, r := range list {
		set |= 1 << slices.Index(record.Relations, r)
	}
	return set
}

func (s relationSet) has(relation uint8) bool { return s>>relation&1 != 0 }

// symbol is the node as answers show it.
func (g *Graph) symbol(n uint32) Symbol {
	row := &g.nodes[n]
	s := Symbol{Symbol: g.strings.get(row.qualified), Kind: g.kind(n), StartLine: int(row.start), EndLine: int(row.end), Test: row.flags&flagTest != 0}
	if row.file != none {
		s.FilePath, s.Tree = g.path(n), g.strings.get(g.files[row.file].tree)
		if s.Signature = g.strings.get(row.signature); row.qualified == 0 {
			s.Symbol = s.FilePath
		}
	}
	return s
}

// path is the tree path of the node's file, "" if it has none.
func (g *Graph) path(n uint32) string {
	if f := g.nodes[n].file; f != none {
		return g.strings.get(g.files[f].path)
	}
	return ""
}

// linesOf are the lines of a site.
func (g *Graph) linesOf(s uint32) []uint32 { return g.lines[g.linesFrom(s):g.sites[s].end] }

// linesFrom is where the lines of a site begin.
func (g *Graph) linesFrom(s uint32) uint32 {
	if s == 0 {
		return 0
	}
	return g.sites[s-1].end
}

// admits tells whether a result at the node is wanted, and counts it if not.
func (q *question) admits(n uint32) bool {
	if q.req.NoTests && q.g.nodes[n].flags&flagTest != 0 {
		q.omitted.Tests++
		return false
	}
	if q.req.Match != nil && !q.req.Match(q.g.place(n)) {
		q.omitted.Path++
		return false
	}
	return true
}

// place is the path that a glob is compared with.
func (g *Graph) place(n uint32) string {
	if path := g.path(n); path != "" {
		return path
	}
	return g.strings.get(g.nodes[n].qualified)
}

// note says what is missing.
func (q *question) note() {
	a := q.answer
	a.TotalReturned = len(a.Results)
	if q.omitted != (Omitted{}) {
		o := q.omitted
		a.Omitted = &o
	}
	var parts []string
	switch {
	case a.Ambiguous != "":
		if len(a.Candidates) < a.TotalFound {
			parts = append(parts, fmt.Sprintf("%d of %d candidates shown", len(a.Candidates), a.TotalFound))
		}
	case len(a.Results) < a.TotalFound:
		parts = append(parts, fmt.Sprintf("%d of %d results shown; raise limit, or narrow with path", len(a.Results), a.TotalFound))
	}
	if n := a.TestsFound - len(a.Tests); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d tests shown", len(a.Tests), a.TestsFound))
	}
	if a.notHeld != "" {
		parts = append(parts, a.notHeld)
	}
	if q.cut {
		parts = append(parts, fmt.Sprintf("only the first %d edges were followed, there is more; lower depth", q.g.maxSteps))
	}
	if len(parts) > 0 {
		a.Truncated = true
	}
	if n := q.omitted.LowConfidence; n > 0 {
		parts = append(parts, fmt.Sprintf("%d with less confidence than %g left out", n, q.req.MinConfidence))
	}
	if a.Target != nil && a.Target.Kind.IsData() && a.TotalFound+a.TestsFound == 0 {
		parts = append(parts, "calls, types and imports are followed, values are not; search for the name")
	}
	if a.Target == nil && len(a.Candidates) > 0 {
		parts = append(parts, "the name is ambiguous; ask again with one of the candidates as path:line")
	}
	a.Note = strings.Join(parts, "; ")
}
