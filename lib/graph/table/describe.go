package table

import (
	"encoding/json"
	"fmt"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/record"
)

// Describe lists all rows, so that tests can compare graphs. It has strings in place of their numbers, which may differ.
func (g *Graph) Describe() []string {
	all := []string{fmt.Sprint(g.in, g.members, g.memberRow, g.origins, g.omissions, g.declarations)}
	for i := range g.files {
		f := &g.files[i]
		all = append(all, fmt.Sprintf("%q %q %q %q %d-%d %d", g.strings.Get(f.path), g.strings.Get(f.tree), g.strings.Get(f.language), g.strings.Get(f.pkg), f.first, f.end, f.site))
	}
	for _, s := range g.lookedUp() {
		all = append(all, fmt.Sprintf("%q names %d", g.strings.Get(s), g.named[g.nameRow[s]:g.nameRow[s+1]]))
		if g.strings.Find(g.strings.Get(s)) != s {
			all = append(all, "and is not found")
		}
	}
	for n := range g.nodes {
		row := &g.nodes[n]
		all = append(all, fmt.Sprintf("%s %q %q %s %q %d-%d %d %d %d", g.path(uint32(n)), g.strings.Get(row.qualified), g.strings.Get(row.name), g.kind(uint32(n)), g.strings.Get(row.signature), row.start, row.end, row.doc, row.owner, row.flags))
		for _, l := range g.out.Of(uint32(n), g.firstSite) {
			s := &g.sites[l.Site]
			all = append(all, strings.Join([]string{"\t", string(record.Relations[s.relation]), string(edge.Ways[s.by]), g.place(l.Node), g.title(l.Node), fmt.Sprint(g.linesOf(l.Site))}, " "))
		}
		for i := range g.omissions {
			if g.omissions[i].node == uint32(n) {
				text, _ := json.Marshal(g.omissions[i].omission())
				all = append(all, "\tomission "+string(text))
			}
		}
	}
	return all
}
