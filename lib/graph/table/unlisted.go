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
	"cortex/lib/terminal"
)

// Calls of a name on receivers of unknown type lead to a node that stands for the name in a family of languages, such as
// "?java,kotlin.get". linksOf does not return such an edge among the edges from a node, since its target is unknown.

var byNameAlone, byCandidates = uint8(slices.Index(edge.Ways, edge.ByNameAlone)), uint8(slices.Index(edge.Ways, edge.ByCandidates))

// maxUnlisted is the most places of unlisted calls that a note names.
const maxUnlisted = 3

// unlisted returns a text with the number of calls of the target's name on receivers of unknown type, and the places of the
// first; "" if there are none or the question is not about callers.
func (q *question) unlisted() string {
	g, n := q.g, q.answer.target
	if n == None || g.owner(n) == None || !slices.Contains([]Operation{Callers, References, Impact}, q.req.Operation) {
		return ""
	}
	places := q.unlistedCalls(n, func(caller uint32) bool {
		test := g.nodes[caller].flags&flagTest != 0
		return !(test && q.req.Tests == TestsNo || !test && q.req.Tests == TestsOnly) && (q.req.Match == nil || q.req.Match(g.path(caller)))
	})
	if len(places) == 0 {
		return ""
	}
	return fmt.Sprintf("and %s of .%s on receivers of unknown type: %s", terminal.Count(len(places), "call", "calls"), g.name(n), first(places))
}

// An unlistedCall is the place of a call on a receiver of unknown type.
type unlistedCall struct {
	test bool
	// near is the number of leading folders that path shares with the file of the callable.
	near int
	path string
	line uint32
}

// first returns the places of the first maxUnlisted calls as a text.
func first(calls []unlistedCall) string {
	var named []string
	for _, c := range calls[:min(len(calls), maxUnlisted)] {
		named = append(named, fmt.Sprintf("%s:%d", c.path, c.line))
	}
	if len(calls) > maxUnlisted {
		named = append(named, "…")
	}
	return strings.Join(named, ", ")
}

// unlistedCalls returns calls of a callable's name on unknown receivers, and calls that mean the callable with too little
// confidence, in nodes that admits accepts: code before tests, then those that share more folders with the callable.
func (q *question) unlistedCalls(n uint32, admits func(caller uint32) bool) []unlistedCall {
	g := q.g
	if g.nodes[n].file == None || !g.kind(n).IsCallable() {
		return nil
	}
	own := g.path(n)
	var calls []unlistedCall
	note := func(l links.Link) {
		if path := g.path(l.Node); path != "" && admits(l.Node) {
			for _, line := range g.linesOf(l.Site) {
				calls = append(calls, unlistedCall{g.nodes[l.Node].flags&flagTest != 0, facts.SharedFolders(own, path), path, line})
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
	// Calls with several candidates, of which n is one, that q.least excludes.
	for _, l := range g.linksOf(n, false) {
		if s := &g.sites[l.Site]; s.by == byCandidates && s.confidence < q.least && record.Relations[s.relation] == record.Calls {
			note(l)
		}
	}
	slices.SortFunc(calls, func(a, b unlistedCall) int {
		return cmp.Or(order(a.test)-order(b.test), b.near-a.near, strings.Compare(a.path, b.path), cmp.Compare(a.line, b.line))
	})
	return calls
}
