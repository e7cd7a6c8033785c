package table

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"cortex/lib/graph/names"
)

// Query answers the request. An ambiguous or missing target is no error: the answer has candidates or similar names.
func (g *Graph) Query(ctx context.Context, req Request) (answer *Answer, err error) {
	defer g.guard(&err)()
	start := time.Now()
	if err := req.check(); err != nil {
		return nil, err
	}
	q := &question{g: g, ctx: ctx, req: req, answer: &Answer{Operation: req.Operation, Query: req.Target, QueryTo: req.To, Results: []Hit{}, graph: g, target: None}}
	q.least = uint16(math.Ceil(req.MinConfidence*ShareUnit - 1e-6))
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

// note sets a.Note and the counts: what is missing in the answer, and how to get it.
func (q *question) note() {
	a := q.answer
	a.TotalReturned = len(a.Results)
	a.NoFile = q.req.Match != nil && a.TotalFound+a.TestsFound == 0 && a.NotFound == "" && !q.g.hasFile(q.req.Match)
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
		advice := ""
		switch {
		case q.req.Operation == Path:
			advice = "; a path to something between the two is found sooner"
		case q.depth > 1:
			advice = "; lower depth"
		}
		parts = append(parts, fmt.Sprintf("only the first %d edges were followed, there is more%s", q.g.MaxSteps, advice))
	}
	if len(parts) > 0 {
		a.Truncated = true
	}
	switch {
	case a.Beyond && q.depth < MaxDepth:
		parts = append(parts, fmt.Sprintf("ends at distance %d, and there is more beyond; raise depth", q.depth))
	case a.Beyond:
		parts = append(parts, fmt.Sprintf("ends at distance %d, the greatest, and there is more beyond", q.depth))
	}
	if a.gap != "" {
		parts = append(parts, a.gap)
	}
	if a.Passed > 0 {
		parts = append(parts, fmt.Sprintf("given away as a value by %d, to be called elsewhere; ask for references", a.Passed))
	}
	if n := q.omitted.LowConfidence; n > 0 {
		parts = append(parts, fmt.Sprintf("%d with less confidence than %g left out", n, q.req.MinConfidence))
	}
	if marks := q.marks(); marks != nil {
		parts = append(parts, fmt.Sprintf("it is marked %s, through which other code may call it", strings.Join(marks, " and ")))
	}
	if text := q.unlisted(); text != "" {
		parts = append(parts, text)
	} else if text := q.notFollowed(); text != "" {
		parts = append(parts, text)
	}
	if a.Target == nil && len(a.Candidates) > 0 {
		parts = append(parts, "the name is ambiguous; ask again with one of the candidates as path:line")
	}
	a.Note = strings.Join(parts, "; ")
}

// notFollowed returns a text on the sorts of uses that the graph does not have, if these may be why the answer is empty.
func (q *question) notFollowed() string {
	a := q.answer
	const values = "calls, types and imports are followed, values are not" + searchInstead
	switch {
	case a.NotFound != "" && q.g.isField(a.NotFound):
		return values
	case a.NotFound != "":
		return q.unfollowed()
	case a.Target == nil || a.TotalFound+a.TestsFound > 0 || a.Passed > 0 || q.omitted != (Omitted{}):
		return ""
	}
	if text := q.unfollowed(); text != "" {
		return text
	}
	switch {
	case a.Target.Kind.IsData():
		return values
	case q.req.Operation != Callers && q.req.Operation != References && q.req.Operation != Impact:
		return ""
	case !a.Target.Kind.IsCallable():
		return ""
	}
	if base := q.outerBase(a.target); base != None {
		return fmt.Sprintf("code outside of the tree may call it through %s, a base of %s", q.g.title(base), q.g.name(q.g.owner(a.target)))
	}
	switch q.g.language(a.target) {
	case "c", "cpp":
		return "uses in macros, and in generated or skipped files such as tables of functions, are not followed" + searchInstead
	}
	return "calls by reflection, and calls in generated or skipped files, are not followed" + searchInstead
}

// searchInstead is the advice for uses that are in the tree but not in the graph.
const searchInstead = "; search for the name"

// outerBase returns a base type outside of the tree of a method's type, whose code may call the method; None without
// one.
func (q *question) outerBase(n uint32) uint32 {
	g, base := q.g, uint32(None)
	if n == None || g.owner(n) == None || !g.isType(g.owner(n)) || g.isConstructor(n) {
		return None
	}
	q.hierarchy(g.owner(n), maxHierarchy, true, func(t uint32, _ step) {
		if base == None && g.kind(t) == ExternalKind {
			base = t
		}
	})
	return base
}

// isField reports whether the query may name a field: whether its parts before the last name a variable or type.
func (g *Graph) isField(query string) bool {
	wanted := names.Parts(query, false)
	if len(wanted) < 2 || strings.Contains(query, "/") {
		return false
	}
	owners := g.byName(strings.Join(wanted[:len(wanted)-1], "."), false, false)
	return slices.ContainsFunc(owners, func(n uint32) bool { return g.kind(n).IsData() || g.kind(n).IsType() })
}

// language returns the language of the file of a node, "" if the node is None or has no file.
func (g *Graph) language(n uint32) string {
	if n == None || g.nodes[n].file == None {
		return ""
	}
	return g.strings.Get(g.files[g.nodes[n].file].language)
}

// hasFile reports whether admits returns true for a file of the graph.
func (g *Graph) hasFile(admits func(path string) bool) bool {
	return slices.ContainsFunc(g.files, func(f fileRow) bool { return admits(g.strings.Get(f.path)) })
}
