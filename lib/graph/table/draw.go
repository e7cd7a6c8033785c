package table

import (
	"cmp"

	"cortex/lib/graph/edge"
	"cortex/lib/record"
)

// A Drawing is an answer as a graph of nodes and arrows.
type Drawing struct {
	Nodes  []Drawn
	Arrows []Arrow
	// Missing is the number of results that are not drawn.
	Missing int
}

// A Drawn is one node. Target is set for the target of the question and its members.
type Drawn struct {
	Symbol
	Target bool
}

// An Arrow is an edge between two nodes, by position in Drawing.Nodes. Confidence is that of the edge, not of the chain.
type Arrow struct {
	From, To   int
	Relation   record.Relation
	Confidence float64
	Through    string
}

// Draw makes a drawing of at most most nodes. If there are more, the first results are drawn.
func (a *Answer) Draw(most int) Drawing {
	var d Drawing
	if a.Target == nil {
		return d
	}
	places := map[uint32]int{}
	whole := func() int {
		d.Nodes = append(d.Nodes, Drawn{Symbol: *a.Target, Target: true})
		return len(d.Nodes) - 1
	}
	place := func(n uint32, target bool) int {
		at, ok := places[n]
		if !ok {
			at = len(d.Nodes)
			places[n] = at
			d.Nodes = append(d.Nodes, Drawn{Symbol: a.graph.symbol(n), Target: target})
		}
		return at
	}
	if a.target != None {
		place(a.target, true)
	}
	folder := -1
	for _, list := range [][]Hit{a.Results, a.Tests} {
		for i := range list {
			h := &list[i]
			room := most - len(d.Nodes)
			_, drawn := places[h.node]
			_, tied := places[h.via]
			if room < order(!drawn)+order(!tied) {
				d.Missing++
				continue
			}
			via := 0
			switch {
			case h.Distance == 1 && a.target == None && a.Operation != Path:
				// The target is a folder, which is drawn as one node.
				if folder < 0 {
					folder = whole()
				}
				via = folder
			default:
				via = place(h.via, h.Distance == 1)
			}
			arrow := Arrow{From: place(h.node, false), To: via, Relation: h.Relation, Confidence: cmp.Or(h.EdgeConfidence, h.Confidence), Through: h.Through}
			if a.forward || h.Up {
				arrow.From, arrow.To = arrow.To, arrow.From
			}
			if a.Operation == Path && h.Kind.IsCallable() && inheritance&edge.Relations(h.Relation) != 0 {
				// The step leads from a method to one that implements it; the arrow points the other way.
				arrow.From, arrow.To = arrow.To, arrow.From
			}
			d.Arrows = append(d.Arrows, arrow)
		}
	}
	return d
}
