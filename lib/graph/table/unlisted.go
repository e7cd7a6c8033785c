package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/links"
	"cortex/lib/record"
)

// Calls of a name on receivers of unknown type lead to a node that stands for the name in a family of languages: "?java,kotlin.get". Such an edge is no relation
// to anything, so it is not among the edges of the node from which it comes.

var byNameAlone, byCandidates = uint8(slices.Index(edge.Ways, edge.ByNameAlone)), uint8(slices.Index(edge.Ways, edge.ByCandidates))

// maxUnlisted is how many places of unlisted calls are named.
const maxUnlisted = 3

// unlisted says how many calls of the name of a member there are on receivers of unknown type, and where the first are; "" if there are none. Code comes
// before tests, and then what shares more folders with the member, as the same package does.
func (q *question) unlisted() string {
	g, n := q.g, q.answer.target
	if n == None || g.nodes[n].file == None || !g.kind(n).IsCallable() || g.owner(n) == None || !slices.Contains([]Operation{Callers, References, Impact}, q.req.Operation) {
		return ""
	}
	type place struct {
		test bool
		// near is how many folders it shares with the member.
		near int
		path string
		line uint32
	}
	own := g.path(n)
	var places []place
	note := func(l links.Link) {
		test := g.nodes[l.Node].flags&flagTest != 0
		if path := g.path(l.Node); path != "" && !(test && q.req.Tests == TestsNo || !test && q.req.Tests == TestsOnly) && (q.req.Match == nil || q.req.Match(path)) {
			for _, line := range g.linesOf(l.Site) {
				places = append(places, place{test, facts.SharedFolders(own, path), path, line})
			}
		}
	}
	name := g.nodes[n].name
	for _, row := range g.named[g.nameRow[name]:g.nameRow[name+1]] {
		languages, ok := strings.CutPrefix(g.strings.Get(g.nodes[row].qualified), edge.UnlistedMark)
		languages, _, _ = strings.Cut(languages, ".")
		if !ok || g.nodes[row].file != None || !slices.Contains(strings.Split(languages, ","), g.language(n)) {
			continue
		}
		for _, l := range g.linksOf(row, false) {
			note(l)
		}
	}
	// Calls that may mean this one of several members and are left out as too unsure.
	for _, l := range g.linksOf(n, false) {
		if s := &g.sites[l.Site]; s.by == byCandidates && s.confidence < q.least && record.Relations[s.relation] == record.Calls {
			note(l)
		}
	}
	if len(places) == 0 {
		return ""
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(order(a.test)-order(b.test), b.near-a.near, strings.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
	})
	var named []string
	for _, p := range places[:min(len(places), maxUnlisted)] {
		named = append(named, fmt.Sprintf("%s:%d", p.path, p.line))
	}
	if len(places) > maxUnlisted {
		named = append(named, "…")
	}
	calls := "calls"
	if len(places) == 1 {
		calls = "call"
	}
	return fmt.Sprintf("and %d %s of .%s on receivers of unknown type: %s", len(places), calls, g.name(n), strings.Join(named, ", "))
}
