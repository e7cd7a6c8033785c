package table

import (
	"cmp"
	"slices"

	"cortex/lib/graph/links"
	"cortex/lib/record"
)

// A tie is the sum of all edges between a unit (a file, package or module) and the target.
type tie struct {
	step
	// imports is set if one of the edges is an import. step has the site of the surest import, or else of the surest edge.
	imports bool
	count   int
	lines   []int
	// in is the node of the file that has the lines.
	in uint32
}

// unit returns the node of the file of n; if n has none, its outermost owner: a package, or a module outside of the tree.
func (g *Graph) unit(n uint32) uint32 {
	if f := g.nodes[n].file; f != None {
		return g.files[f].first
	}
	const deepest = 100 // owners in damaged tables may form a cycle
	for range deepest {
		owner := g.nodes[n].owner
		if owner == None {
			break
		}
		n = owner
	}
	return n
}

// files answers Dependencies and Dependents of a file or folder with files, packages and modules.
func (q *question) files(t target) error {
	g := q.g
	forward := q.req.Operation == Dependencies
	w := unitWalker{question: q, forward: forward, seen: links.NewSet(len(g.nodes)), low: links.NewSet(len(g.nodes)), sureness: map[uint32]uint16{}}
	level := make([]uint32, 0, len(t.files)+1)
	for _, f := range t.files {
		level = append(level, g.files[f].first)
	}
	if t.node != None && g.kind(t.node) == PackageKind {
		level = append(level, t.node)
	}
	many := len(level) > 1
	all := w.run(level)
	if err := q.ctx.Err(); err != nil {
		return err
	}
	q.omitted.LowConfidence += w.low.CountWithout(w.seen)
	all = slices.DeleteFunc(all, func(t *tie) bool { return !q.admits(t.node) })
	q.answer.TotalFound = len(all)
	for _, tied := range all[:min(len(all), q.limit)] {
		hit := g.hit(tied.step)
		hit.References = tied.count
		if many || tied.distance > 1 {
			hit.Via = g.title(tied.via)
		}
		if err := q.show(&hit, g.path(tied.in), tied.lines, forward); err != nil {
			return err
		}
		q.answer.Results = append(q.answer.Results, hit)
	}
	return nil
}

// A unitWalker follows edges between units level by level.
type unitWalker struct {
	*question
	forward bool
	seen    links.Set
	// low has the units whose edges are all below the least confidence.
	low links.Set
	// sureness has the confidence of the chain to each unit that was reached, in thousandths.
	sureness map[uint32]uint16
}

// run returns the ties of a breadth-first walk from the units in level: those with an import before others at each distance.
func (w *unitWalker) run(level []uint32) []*tie {
	g := w.g
	for _, n := range level {
		w.seen.Add(n)
	}
	var all []*tie
	for distance := 1; distance <= w.depth && len(level) > 0 && !w.cut; distance++ {
		ties := map[uint32]*tie{}
		for _, u := range level {
			first, end := u, u+1
			if f := g.nodes[u].file; f != None {
				end = g.files[f].end
			}
			chain, reached := w.sureness[u]
			if !reached {
				chain = ShareUnit
			}
			for n := first; n < end; n++ {
				w.tie(ties, step{node: n, via: u, confidence: chain, distance: uint8(distance)})
			}
		}
		fresh := make([]*tie, 0, len(ties))
		for _, tied := range ties {
			fresh = append(fresh, tied)
			w.seen.Add(tied.node)
			w.sureness[tied.node] = tied.confidence
		}
		slices.SortFunc(fresh, func(a, b *tie) int {
			return cmp.Or(order(b.imports)-order(a.imports), g.compareSteps(a.step, b.step))
		})
		all = append(all, fresh...)
		level = level[:0:0]
		for _, tied := range fresh {
			if g.kind(tied.node) != ExternalKind {
				level = append(level, tied.node)
			}
		}
		if w.forward && distance < w.depth {
			level = w.withFiles(level)
		}
	}
	return all
}

// withFiles adds to a level the files of its packages that were not seen: a package depends on whatever its files depend on.
func (w *unitWalker) withFiles(level []uint32) []uint32 {
	g := w.g
	for _, n := range level {
		if g.kind(n) != PackageKind {
			continue
		}
		for _, f := range g.packageFiles(n) {
			if file := g.files[f].first; !w.seen.Has(file) {
				w.seen.Add(file)
				w.sureness[file] = w.sureness[n]
				level = append(level, file)
			}
		}
	}
	return level
}

// packageFiles returns the files of the package n.
func (g *Graph) packageFiles(n uint32) []uint32 {
	var files []uint32
	for _, m := range g.membersOf(n) {
		if f := g.nodes[m].file; f != None && g.files[f].first == m {
			files = append(files, f)
		}
	}
	return files
}

// tie adds the edges of the node from.node to ties, by the unit at their other end. from.via is the unit of from.node, and
// from.confidence that of the chain to it.
func (w *unitWalker) tie(ties map[uint32]*tie, from step) {
	g, u := w.g, from.via
	for _, l := range g.linksOf(from.node, w.forward) {
		if !w.follow() {
			return
		}
		other := g.unit(l.Node)
		if w.seen.Has(other) {
			continue
		}
		s := &g.sites[l.Site]
		if s.confidence < w.least {
			w.low.Add(other)
			continue
		}
		imports := record.Relations[s.relation] == record.Imports
		tied := ties[other]
		if tied == nil {
			tied = &tie{}
			ties[other] = tied
		}
		tied.count++
		best := tied.count == 1 || imports && !tied.imports || imports == tied.imports && cmp.Or(cmp.Compare(tied.confidence, min(s.confidence, from.confidence)), cmp.Compare(tied.own, s.confidence)) < 0
		if best {
			// If there are imports, show their lines only.
			if imports && !tied.imports {
				tied.lines = nil
			}
			in := u
			if !w.forward {
				in = other
			}
			if tied.in != in {
				tied.lines = nil
			}
			tied.step = step{node: other, via: u, site: l.Site, through: None, confidence: min(s.confidence, from.confidence), own: s.confidence, distance: from.distance, relation: s.relation}
			tied.imports, tied.in = imports, in
		}
		if imports == tied.imports && tied.via == u && len(tied.lines) < 4*maxLines {
			for _, line := range g.linesOf(l.Site) {
				tied.lines = append(tied.lines, int(line))
			}
		}
	}
}
