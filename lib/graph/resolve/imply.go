package resolve

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
)

// Imply fills r.Implied with the edges and omissions that Rules.Implied returns.
func (r *Resolution) Imply() {
	find := func(d *facts.Declaration) (facts.Decl, bool) {
		i, ok := slices.BinarySearchFunc(d.File.Symbols, d.Qualified, func(s facts.Symbol, q string) int { return strings.Compare(r.Names.Of(s.Qualified), q) })
		return facts.Decl{File: d.File.Number, Symbol: int32(i)}, ok
	}
	rules := &r.rules[OwnFamily]
	if rules.Implied == nil {
		return
	}
	var files []*facts.File
	for _, f := range r.Files {
		if f.Family == OwnFamily {
			files = append(files, f)
		}
	}
	edges, omitted := rules.Implied(r.Tree, files)
	for _, edge := range edges {
		from, ok := find(edge.From)
		to, known := find(edge.To)
		if ok && known {
			lines := r.ImpliedAt(from)
			lines.Edges = append(lines.Edges, ImpliedEdge{edge.Relation, placeOf(to)})
		}
	}
	for _, o := range omitted {
		if at, ok := find(o.Declaration); ok {
			lines := r.ImpliedAt(at)
			lines.Omissions = append(lines.Omissions, edge.Omission{Relation: o.Relation, Incoming: o.Incoming, Held: o.Held, Found: o.Found})
		}
	}
	for _, lines := range r.Implied {
		slices.SortFunc(lines.Edges, func(a, b ImpliedEdge) int {
			return cmp.Or(strings.Compare(string(a.Relation), string(b.Relation)), cmp.Compare(a.To.File, b.To.File), cmp.Compare(a.To.Symbol, b.To.Symbol))
		})
	}
}
