package table

import (
	"cmp"
)

// maxChain is the length of a path where no depth was asked for.
const maxChain = 20

// path answers with the steps of the shortest chain from one target to the other, or, if there is none, from the other to the one. Of chains of one
// length it is the one whose edges are surest, compared from the end.
func (q *question) path(from target) error {
	to, ok := q.resolve(q.req.To, &q.answer.To)
	if !ok {
		q.answer.Target = nil
		return nil
	}
	longest := q.req.Depth
	if longest == 0 {
		longest = maxChain
	}
	chain := q.chain(from, to, longest)
	if chain == nil && !q.cut {
		if chain = q.chain(to, from, longest); chain != nil {
			q.answer.Reversed, q.answer.target = true, to.node
		}
	}
	if err := q.ctx.Err(); err != nil {
		return err
	}
	a := q.answer
	a.TotalFound = len(chain)
	q.limit = len(chain)
	var err error
	a.Results, err = q.hits(chain, &walker{question: q, forward: true})
	return err
}

// chain is the steps from one target to the other, nil if there are none. A method that others implement leads to those.
func (q *question) chain(from, to target, longest int) []step {
	g := q.g
	goal, seen := newNodeSet(len(g.nodes)), newNodeSet(len(g.nodes))
	for _, n := range g.seeds(to) {
		goal.add(n)
	}
	level := g.seeds(from)
	for _, n := range level {
		if goal.has(n) {
			return nil
		}
		seen.add(n)
	}
	// reached are the steps to all nodes that were reached, of which at has the numbers.
	var reached []step
	at := make([]uint32, len(g.nodes))
	for distance := 1; distance <= longest && len(level) > 0; distance++ {
		begin := len(reached)
		add := func(s step) {
			i := int(at[s.node])
			if i < begin || i >= len(reached) || reached[i].node != s.node {
				at[s.node] = uint32(len(reached))
				reached = append(reached, s)
			} else if before := &reached[i]; cmp.Or(cmp.Compare(s.confidence, before.confidence), cmp.Compare(before.via, s.via)) > 0 {
				*before = s
			}
		}
		for _, u := range level {
			for _, l := range g.linksOf(u, true) {
				if !q.follow() {
					return nil
				}
				if s := &g.sites[l.Site]; s.confidence >= q.least && !seen.has(l.Node) {
					add(step{node: l.Node, via: u, site: l.Site, through: None, confidence: s.confidence, distance: uint8(distance), relation: s.relation})
				}
			}
			if owner := g.owner(u); owner != None && g.kind(u).IsCallable() && g.isType(owner) {
				for _, s := range q.heirs(owner) {
					if m := g.member(s.node, g.nodes[u].name); m != None && m != u && !seen.has(m) {
						add(step{node: m, via: u, site: s.site, through: None, confidence: s.confidence, distance: uint8(distance), relation: s.relation})
					}
				}
			}
		}
		var end *step
		level = level[:0:0]
		for i := range reached[begin:] {
			s := &reached[begin+i]
			seen.add(s.node)
			if goal.has(s.node) && (end == nil || cmp.Or(cmp.Compare(s.confidence, end.confidence), cmp.Compare(end.node, s.node)) > 0) {
				end = s
			}
			if g.kind(s.node) != ExternalKind {
				level = append(level, s.node)
			}
		}
		if end != nil {
			chain := make([]step, distance)
			for s, i := *end, distance-1; ; s, i = reached[at[s.via]], i-1 {
				chain[i] = s
				if i == 0 {
					return chain
				}
			}
		}
	}
	return nil
}
