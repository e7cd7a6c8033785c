package graph

import (
	"slices"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/resolve"
)

// link writes the edges of a file into s.Edges. Numbers are varints; a file is its position in builder.files. A site is
//
//	SiteTag, symbol + 1, relation, way, confidence in thousandths, number of lines, then each line minus the line before,
//	number of targets, then each: NodeTag, file, symbol + 1 or OutsideTag, number, module + 1
//
// and an omission is OmissionTag, symbol + 1, relation, incoming, held, found.
func (b *builder) link(l *resolve.Linker, s *treeFile) error {
	references, err := l.File.All()
	if err != nil {
		return err
	}
	w := edge.Writer{Outside: b.outside, Files: b.treeOf(s).files}
	visit := func(symbol int) func(*facts.Reference, *resolve.Answer) {
		return func(ref *facts.Reference, a *resolve.Answer) {
			if a.By != "" {
				w.Site(symbol, a.Relation, a.By, a.Confidence, ref.Lines, a.To, a.External, l.Names.Of(ref.Module))
			} else if a.Unlisted {
				w.Unlisted(symbol, ref.Lines, l.Languages(), l.Names.Of(ref.Name))
			}
		}
	}
	references = l.Each(0, references, visit(-1))
	for i := range l.File.Symbols {
		references = l.Each(l.File.Symbols[i].Qualified, references, visit(i))
		implied := l.Implied[facts.Decl{File: l.File.Number, Symbol: int32(i)}]
		if implied == nil {
			continue
		}
		for _, e := range implied.Edges {
			w.Site(i, e.Relation, edge.ByMethods, edge.Confidences[edge.ByMethods], nil, []edge.Place{e.To}, "", "")
		}
		for _, o := range implied.Omissions {
			w.Omission(i, &o)
		}
	}
	s.Edges, s.Fresh = slices.Clip(w.Dst), true
	return nil
}
