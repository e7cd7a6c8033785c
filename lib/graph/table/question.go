package table

import (
	"context"

	"cortex/lib/graph/edge"
	"cortex/lib/record"
)

// A question has the state of a query: the request with its defaults resolved, and the answer so far.
type question struct {
	g            *Graph
	ctx          context.Context
	req          Request
	answer       *Answer
	least        uint16
	depth, limit int
	omitted      Omitted
	// steps counts the edges followed so far. cut is set once they exceed Graph.MaxSteps, or once the context ends.
	steps int
	cut   bool
	// heirsOf caches the results of heirs.
	heirsOf map[uint32][]step
}

// follow counts one edge and reports whether to go on.
func (q *question) follow() bool {
	q.steps++
	if q.steps > q.g.MaxSteps || q.steps&0xfff == 0 && q.ctx.Err() != nil {
		q.cut = true
	}
	return !q.cut
}

// relations returns the relations that an operation follows.
func relations(op Operation) edge.RelationSet {
	switch op {
	case Callers, Callees:
		return edge.Relations(record.Calls, record.Instantiates)
	case TypeUsages:
		return edge.Relations(record.Uses, record.Instantiates, record.Extends, record.Implements, record.Embeds)
	case Implementations:
		return inheritance
	}
	return edge.Relations(record.Relations...)
}

var inheritance = edge.Relations(record.Extends, record.Implements, record.Embeds)

// admits reports whether the request admits node n as a result. If not, it counts n in q.omitted.
func (q *question) admits(n uint32) bool {
	switch isTest := q.g.isTestCode(n); {
	case isTest && q.req.Tests == TestsNo:
		q.omitted.Tests++
		return false
	case !isTest && q.req.Tests == TestsOnly:
		q.omitted.Code++
		return false
	}
	if q.req.Match != nil && !q.req.Match(q.g.place(n)) {
		q.omitted.Path++
		return false
	}
	return true
}

// A step is an edge on a walk. It leads from via, which is nearer to the target, to node.
type step struct {
	node, via uint32
	// site is the site of the edge with the greatest confidence.
	site uint32
	// through is the base method at the end of the edge that via implements, None if via itself is there.
	through uint32
	// confidence is that of the weakest edge of the chain, own that of this edge, 0 outside of chains; in thousandths.
	confidence, own uint16
	distance        uint8
	relation        uint8
}
