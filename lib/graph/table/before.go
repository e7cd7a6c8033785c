package table

import (
	"cmp"
	"slices"

	"cortex/lib/graph/edge"
	"cortex/lib/record"
)

// FileCount returns the number of files. This and the following methods are for builders that update the graph.
func (g *Graph) FileCount() int { return len(g.files) }

// PathOf returns the tree path of a file. Files are sorted by tree path.
func (g *Graph) PathOf(file int) string { return g.strings.Get(g.files[file].path) }

// Referring calls visit for each reference from another file to a symbol of the file, with the number of the other file and
// the relation, until visit returns false. It reports whether visit returned true for all.
func (g *Graph) Referring(file uint32, qualified string, visit func(other uint32, relation record.Relation) bool) bool {
	n := g.nodeIn(file, qualified)
	if n == None {
		return true
	}
	for _, l := range g.linksOf(n, false) {
		other := g.nodes[l.Node].file
		if other == file || other == None || !g.hasLines(l.Site) {
			continue
		}
		if !visit(other, record.Relations[g.sites[l.Site].relation]) {
			return false
		}
	}
	return true
}

// Implied calls edge for each edge without a reference, and omission for each omission, of the symbols of a file.
func (g *Graph) Implied(file uint32, edge func(from string, relation record.Relation, file uint32, to string), omission func(of string, o edge.Omission)) {
	old := &g.files[file]
	at, _ := slices.BinarySearchFunc(g.omissions, old.first, func(o omissionRow, n uint32) int { return cmp.Compare(o.node, n) })
	for n := old.first; n < old.end; n++ {
		from := g.strings.Get(g.nodes[n].qualified)
		for _, l := range g.linksOf(n, true) {
			if to := &g.nodes[l.Node]; !g.hasLines(l.Site) {
				edge(from, record.Relations[g.sites[l.Site].relation], to.file, g.strings.Get(to.qualified))
			}
		}
		for ; at < len(g.omissions) && g.omissions[at].node == n; at++ {
			omission(from, g.omissions[at].omission())
		}
	}
}
