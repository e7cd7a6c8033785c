package table

import (
	"cmp"
	"fmt"

	"cortex/lib/graph/links"
)

// maxChain is the most steps of a path if the request has no depth.
const maxChain = 20

// path answers with the shortest chain from one target to the other or, if there is none, with the shortest chain in the
// other direction. Of several shortest chains, it takes the one whose last edge is surest, then the edge before, and so on.
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
	chain, reached := q.chain(from, to, longest)
	if chain == nil && !q.cut {
		if chain, _ = q.chain(to, from, longest); chain != nil {
			q.answer.Reversed, q.answer.target = true, to.node
		} else if !q.cut {
			q.answer.gap = q.gap(from, to, longest, reached)
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

// gap returns a text on where a path that was not found may be broken, "" if there is no clue: an edge with too little
// confidence that would complete a chain, or calls on receivers of unknown type in nodes that were reached.
func (q *question) gap(from, to target, longest int, reached links.Set) string {
	g, least := q.g, q.least
	// The answer is not truncated if this search is.
	defer func() { q.cut = false }()
	q.least = 0
	guessed, _ := q.chain(from, to, longest)
	q.least = least
	for _, s := range guessed {
		if s.confidence < least {
			return fmt.Sprintf("there is one by a guess, that %s leads to %s; min_confidence 0 shows it", g.title(s.via), g.title(s.node))
		}
	}
	seen, level := links.NewSet(len(g.nodes)), g.seeds(to)
	for distance := 0; distance < longest && len(level) > 0; distance++ {
		for _, n := range level {
			seen.Add(n)
			if calls := q.unlistedCalls(n, reached.Has); len(calls) > 0 {
				return fmt.Sprintf("on the way may be .%s on a receiver of unknown type: %s", g.name(n), first(calls))
			}
		}
		var next []uint32
		for _, n := range level {
			for _, l := range g.linksOf(n, false) {
				if !q.follow() {
					return ""
				}
				if g.sites[l.Site].confidence >= least && !seen.Has(l.Node) {
					seen.Add(l.Node)
					next = append(next, l.Node)
				}
			}
		}
		level = next
	}
	return ""
}

// chain returns the steps from one target to the other, nil if there is no chain, and the set of nodes that were reached.
// Besides edges, it follows methods to the methods that implement or override them.
func (q *question) chain(from, to target, longest int) ([]step, links.Set) {
	g := q.g
	goal, seen := links.NewSet(len(g.nodes)), links.NewSet(len(g.nodes))
	for _, n := range g.seeds(to) {
		goal.Add(n)
	}
	level := g.seeds(from)
	for _, n := range level {
		if goal.Has(n) {
			return nil, seen
		}
		seen.Add(n)
	}
	// reached has the step to each node that was reached; at has its position by node.
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
					return nil, seen
				}
				if s := &g.sites[l.Site]; s.confidence >= q.least && !seen.Has(l.Node) {
					add(step{node: l.Node, via: u, site: l.Site, through: None, confidence: s.confidence, distance: uint8(distance), relation: s.relation})
				}
			}
			if owner := g.owner(u); owner != None && g.kind(u).IsCallable() && g.isType(owner) {
				for _, s := range q.heirs(owner) {
					if m := g.member(s.node, g.nodes[u].name); m != None && m != u && !seen.Has(m) {
						add(step{node: m, via: u, site: s.site, through: None, confidence: s.confidence, distance: uint8(distance), relation: s.relation})
					}
				}
			}
		}
		var end *step
		level = level[:0:0]
		for i := range reached[begin:] {
			s := &reached[begin+i]
			seen.Add(s.node)
			if goal.Has(s.node) && (end == nil || cmp.Or(cmp.Compare(s.confidence, end.confidence), cmp.Compare(end.node, s.node)) > 0) {
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
					return chain, seen
				}
			}
		}
	}
	return nil, seen
}
