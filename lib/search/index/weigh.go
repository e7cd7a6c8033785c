package index

import "fmt"

func Weigh(g *Generation, a *Analysis) map[string]int {
	m := map[string]int{}
	for _, s := range g.segments {
		m["words"] += len(s.words) + 4*len(s.wordEnds)
		for i, c := range s.columns {
			m[fmt.Sprint("col", i)] += len(c.data)
		}
		for _, c := range s.runs {
			m["runs"] += len(c.data)
		}
		for _, c := range s.symbols {
			m["symbols"] += len(c.data)
		}
		m["ids"] += len(s.ids) + 4*len(s.idEnds)
		m["names"] += len(s.names)
		m["offsets"] += 8 * len(s.offsets)
		m["tags"] += 4*len(s.tags) + 4*len(s.tagEnds)
		m["vectors"] += len(s.vectors) + 4*len(s.scales)
		m["postings"] += len(s.postings)
		for i, c := range s.lengths {
			m["lengths "+a.Dicts[i].Name] += len(c.data)
		}
		for i := range s.dicts {
			d := &s.dicts[i]
			m["terms "+a.Dicts[i].Name] += len(d.terms) + 4*len(d.blocks)
			for b := range d.count() {
				r := reader{d.terms, int(d.blocks[2*b])}
				at := int(d.blocks[2*b+1])
				for r.at < d.end(b) {
					r.uvarint()
					r.bytes(int(r.uvarint()))
					n := int(r.uvarint())
					size := int(r.uvarint())
					docs := s.readPostings(at, n, func(posting) {}) - at
					m["post docs "+a.Dicts[i].Name] += docs
					m["post places "+a.Dicts[i].Name] += size - docs
					at += size
				}
			}
		}
		m["total"] += int(order.Uint64(s.raw[16:]))
	}
	return m
}
