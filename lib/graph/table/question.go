package table

import (
	"context"
	"slices"

	"cortex/lib/record"
)

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

// follow counts an edge, and tells whether to go on.
func (q *question) follow() bool {
	q.steps++
	if q.steps > q.g.MaxSteps || q.steps&0xfff == 0 && q.ctx.Err() != nil {
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

// admits tells whether a result at the node is wanted, and counts it if not.
func (q *question) admits(n uint32) bool {
	switch isTest := q.g.nodes[n].flags&flagTest != 0; {
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

// A step is an edge on a walk, from the target to a node.
type step struct {
	node, via uint32
	// site is one of the edge, that of the greatest confidence.
	site uint32
	// through is the base method that stands in the edge in place of via, none if via does itself.
	through uint32
	// confidence is that of the chain, which is as sure as its weakest edge; own is that of the edge alone, 0 where there is no chain.
	confidence, own uint16
	distance        uint8
	relation        uint8
}

// A nodeSet is a set of nodes.
type nodeSet []uint64

func newNodeSet(n int) nodeSet { return make(nodeSet, (n+63)/64) }

func (s nodeSet) has(n uint32) bool { return s[n/64]>>(n%64)&1 != 0 }

func (s nodeSet) add(n uint32) { s[n/64] |= 1 << (n % 64) }
