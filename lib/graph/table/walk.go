package table

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/excerpt"
	"cortex/lib/graph/links"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// compareSteps compares by distance, then tests after code, imports and overriding methods after the rest, confidence, and
// node number.
func (g *Graph) compareSteps(a, b step) int {
	return cmp.Or(
		cmp.Compare(a.distance, b.distance),
		cmp.Compare(g.nodes[a.node].flags&flagTest, g.nodes[b.node].flags&flagTest),
		order(record.Relations[a.relation] == record.Imports)-order(record.Relations[b.relation] == record.Imports),
		order(inheritance.Has(a.relation) && g.kind(a.node).IsCallable())-order(inheritance.Has(b.relation) && g.kind(b.node).IsCallable()),
		cmp.Compare(b.confidence, a.confidence),
		cmp.Compare(a.node, b.node), cmp.Compare(a.via, b.via), cmp.Compare(a.relation, b.relation), cmp.Compare(a.through, b.through))
}

// seeds returns the nodes of which a target consists: all nodes of its files, or a type with its members.
func (g *Graph) seeds(t target) []uint32 {
	var seeds []uint32
	for _, f := range t.files {
		for n := g.files[f].first; n < g.files[f].end; n++ {
			seeds = append(seeds, n)
		}
	}
	if t.files != nil {
		if t.node != None && g.kind(t.node) == PackageKind {
			seeds = append(seeds, t.node)
		}
		return seeds
	}
	seeds = append(seeds, t.node)
	if g.isType(t.node) || g.kind(t.node) == ExternalKind {
		// Members of members are included.
		for i := 0; i < len(seeds) && len(seeds) < stepLimit; i++ {
			seeds = append(seeds, g.membersOf(seeds[i])...)
		}
	}
	return seeds
}

// walk answers the operations that follow edges from node to node.
func (q *question) walk(t target) error {
	g, op := q.g, q.req.Operation
	w := &walker{question: q, follows: relations(op), forward: q.answer.forward, seen: links.NewSet(len(g.nodes)), sureness: make([]uint16, len(g.nodes))}
	seeds := []uint32{t.node}
	if t.files != nil || op != TypeUsages && op != References {
		seeds = g.seeds(t)
	}
	w.dispatch = !w.forward && op != TypeUsages
	w.oneSeed = len(seeds) == 1
	w.itself = w.oneSeed && (op == Callers || op == Callees || op == TypeUsages || op == References)
	for _, n := range seeds {
		w.seen.Add(n)
		w.sureness[n] = ShareUnit
	}
	steps := w.run(seeds)
	if err := q.ctx.Err(); err != nil {
		return err
	}
	var tests []step
	kept := steps[:0]
	for _, s := range steps {
		switch {
		case !q.admits(s.node):
		case op == Impact && q.isTest(s.node):
			tests = append(tests, s)
		default:
			kept = append(kept, s)
		}
	}
	var err error
	a := q.answer
	a.TotalFound, a.TestsFound = len(kept), len(tests)
	if op == Callers && !slices.ContainsFunc(steps, func(s step) bool { return s.node != t.node }) {
		passing := &walker{question: q, follows: edge.Relations(record.Passes), seen: links.NewSet(len(g.nodes)), sureness: w.sureness}
		for _, n := range seeds {
			a.Passed += len(passing.expand(nil, n, n, None, ShareUnit, 1, passing.seen))
		}
	}
	if a.Results, err = q.hits(kept, w); err == nil && len(tests) > 0 {
		a.Tests, err = q.hits(tests, w)
	}
	return err
}

// isTest reports whether a node is a test, not a helper of tests. In Go and Python the name decides. In other languages a
// test is test code without incoming edges that overrides no method and is no setup or teardown.
func (q *question) isTest(n uint32) bool {
	g := q.g
	row := &g.nodes[n]
	if row.flags&flagTest == 0 || row.file == None {
		return false
	}
	name := strings.ToLower(g.name(n))
	switch g.strings.Get(g.files[row.file].language) {
	case "go":
		return g.kind(n).IsCallable() && slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"}, func(begin string) bool { return strings.HasPrefix(g.name(n), begin) })
	case "python":
		return g.kind(n).IsCallable() && strings.HasPrefix(name, "test") && !g.isNested(n)
	}
	if strings.HasPrefix(name, "setup") || strings.HasPrefix(name, "teardown") {
		return false
	}
	for _, l := range g.linksOf(n, false) {
		if s := &g.sites[l.Site]; l.Node != n && g.owner(l.Node) != n && s.confidence >= q.least {
			return false
		}
	}
	return !g.kind(n).IsCallable() || len(q.bases(n)) == 0
}

// isNested reports whether a function is declared in another function.
func (g *Graph) isNested(n uint32) bool {
	around := g.nodeIn(g.nodes[n].file, record.Owner(g.title(n)))
	return around != None && g.kind(around).IsCallable()
}

// A walker follows edges level by level.
type walker struct {
	*question
	follows edge.RelationSet
	forward bool
	// dispatch also follows calls of the base methods that a method implements or overrides.
	dispatch bool
	oneSeed  bool
	// itself also shows edges from the seed to itself: a recursive call, or a call of one overload by another.
	itself bool
	seen   links.Set
	// sureness has, for each node in seen, the greatest confidence among the shortest chains to it, in thousandths.
	sureness []uint16
}

// run returns the steps of a breadth-first walk from the seeds, sorted by compareSteps. At the first level, unless the
// operation is Impact, it returns each edge; elsewhere only the best edge to each node that was not reached before.
func (w *walker) run(seeds []uint32) []step {
	g := w.g
	var all []step
	level := seeds
	// low has the nodes left out for low confidence: each counts once.
	low := links.NewSet(len(g.nodes))
	for distance := 1; distance <= w.depth && len(level) > 0 && !w.cut; distance++ {
		begin := len(all)
		for _, u := range level {
			if w.cut {
				break
			}
			all = w.expand(all, u, u, None, ShareUnit, distance, low)
			if !w.dispatch || !g.kind(u).IsCallable() {
				continue
			}
			for _, b := range w.bases(u) {
				all = w.expand(all, u, b.node, b.node, b.confidence, distance, low)
			}
		}
		if distance == 1 && w.req.Operation == Impact && w.oneSeed {
			all = append(all, w.overriding(seeds[0])...)
		}
		if distance > 1 || w.req.Operation == Impact {
			// Keep the best edge to each node.
			fresh := all[begin:]
			slices.SortFunc(fresh, func(a, b step) int { return cmp.Or(cmp.Compare(a.node, b.node), g.compareSteps(a, b)) })
			all = all[:begin+len(slices.CompactFunc(fresh, func(a, b step) bool { return a.node == b.node }))]
		}
		level = level[:0:0]
		for _, s := range all[begin:] {
			if !w.seen.Has(s.node) && w.goesOn(s) {
				level = append(level, s.node)
			}
			w.seen.Add(s.node)
			w.sureness[s.node] = max(w.sureness[s.node], s.confidence)
		}
	}
	w.answer.Beyond = (w.depth > 1 || w.req.Operation == Impact) && w.goesBeyond(level)
	w.omitted.LowConfidence += low.CountWithout(w.seen)
	slices.SortFunc(all, g.compareSteps)
	return all
}

// goesBeyond reports whether edges lead from the last level to nodes that were not seen.
func (w *walker) goesBeyond(last []uint32) bool {
	if w.cut {
		return false
	}
	low := links.NewSet(len(w.g.nodes))
	for _, u := range last {
		found := w.expand(nil, u, u, None, ShareUnit, 0, low)
		if w.dispatch && w.g.kind(u).IsCallable() {
			for _, b := range w.bases(u) {
				found = w.expand(found, u, b.node, b.node, b.confidence, 0, low)
			}
		}
		if len(found) > 0 {
			return true
		}
	}
	return false
}

// goesOn reports whether the walk continues from a step. An Impact stops at imports: to import a thing is not to use it.
func (w *walker) goesOn(s step) bool {
	return w.g.kind(s.node) != ExternalKind && (w.req.Operation != Impact || record.Relations[s.relation] != record.Imports)
}

// expand appends the edges at node u to all: one step for each relation and node at the other end, with the surest site.
// The steps come from via, which is u itself, or a method that implements u; then through is u, and only calls count.
// share, in thousandths, is multiplied with the confidence of each edge. Nodes with too little confidence go into low.
func (w *walker) expand(all []step, via, u, through uint32, share uint16, distance int, low links.Set) []step {
	g := w.g
	links := g.linksOf(u, w.forward)
	for i := 0; i < len(links); {
		// Edges to the same node are adjacent.
		v, from := links[i].Node, len(all)
		seen := w.seen.Has(v) && (v != via || distance != 1 || !w.itself)
		for ; i < len(links) && links[i].Node == v; i++ {
			if !w.follow() {
				return all
			}
			s := &g.sites[links[i].Site]
			if seen || !w.follows.Has(s.relation) || through != None && record.Relations[s.relation] != record.Calls {
				continue
			}
			own := uint16(uint32(s.confidence) * uint32(share) / ShareUnit)
			if own < w.least {
				low.Add(v)
				continue
			}
			at := from
			for at < len(all) && all[at].relation != s.relation {
				at++
			}
			if at == len(all) {
				all = append(all, step{node: v, via: via, site: links[i].Site, through: through, confidence: min(own, w.sureness[via]), own: own, distance: uint8(distance), relation: s.relation})
			} else if all[at].own < own {
				all[at].confidence, all[at].own, all[at].site = min(own, w.sureness[via]), own, links[i].Site
			}
		}
	}
	return all
}

// An overridden method is a base method that another method implements or overrides, with the confidence of that.
type overridden struct {
	node       uint32
	confidence uint16
}

// bases returns the methods that m implements or overrides, in the base types of its type; none for a constructor.
func (q *question) bases(m uint32) []overridden {
	g := q.g
	owner := g.owner(m)
	if owner == None || !g.isType(owner) || g.isConstructor(m) {
		return nil
	}
	var found []overridden
	q.hierarchy(owner, maxHierarchy, true, func(t uint32, s step) {
		if n := g.member(t, g.nodes[m].name); n != None && n != m {
			found = append(found, overridden{n, s.confidence})
		}
	})
	return found
}

// overriding returns the methods that implement or override m, which change with its signature, as steps from m.
func (q *question) overriding(m uint32) []step {
	var steps []step
	if of := q.g.owner(m); of != None && q.g.isType(of) && q.g.kind(m).IsCallable() && !q.g.isConstructor(m) {
		q.hierarchy(of, maxHierarchy, false, q.methods(&steps, of, m))
	}
	for i := range steps {
		steps[i].via, steps[i].distance = m, 1
	}
	return steps
}

// methods returns a function that appends the steps from m, a method of the type of, to types with a method of its name, as
// steps to these methods. They come from those that they implement or override: types between may not have the method.
func (q *question) methods(into *[]step, of, m uint32) func(uint32, step) {
	methods := map[uint32]uint32{of: m}
	return func(n uint32, s step) {
		s.via = methods[s.via]
		own := q.g.member(n, q.g.nodes[m].name)
		if own == None || own == m {
			methods[n] = s.via
			return
		}
		methods[n], s.node = own, own
		*into = append(*into, s)
	}
}

// heirs returns the types derived from a type. It caches the result, since a type may have many methods.
func (q *question) heirs(t uint32) []step {
	if list, ok := q.heirsOf[t]; ok {
		return list
	}
	var list []step
	q.hierarchy(t, maxHierarchy, false, func(_ uint32, s step) { list = append(list, s) })
	if q.heirsOf == nil {
		q.heirsOf = map[uint32][]step{}
	}
	q.heirsOf[t] = list
	return list
}

// hierarchy visits the base types of a type if up is set, otherwise its derived types, level by level to the depth.
func (q *question) hierarchy(t uint32, depth int, up bool, visit func(uint32, step)) {
	g := q.g
	seen := map[uint32]bool{t: true}
	level := []step{{node: t, confidence: ShareUnit}}
	for distance := 1; distance <= depth && len(level) > 0; distance++ {
		var next []step
		for _, from := range level {
			for _, l := range g.linksOf(from.node, up) {
				if !q.follow() || len(seen) > maxHierarchy {
					return
				}
				s := &g.sites[l.Site]
				if !inheritance.Has(s.relation) || seen[l.Node] {
					continue
				}
				confidence := uint16(uint32(s.confidence) * uint32(from.confidence) / ShareUnit)
				if confidence < q.least {
					continue
				}
				derived, base := l.Node, from.node
				if up {
					derived, base = base, l.Node
				}
				if !g.isBase(base, derived, s.relation) {
					continue
				}
				seen[l.Node] = true
				found := step{node: l.Node, via: from.node, site: l.Site, through: None, confidence: confidence, distance: uint8(min(distance, math.MaxUint8)), relation: s.relation}
				visit(l.Node, found)
				next = append(next, found)
			}
		}
		level = next
	}
}

// isBase reports whether methods of derived may be called in place of those of base: not if base is an embedded Go struct.
func (g *Graph) isBase(base, derived uint32, relation uint8) bool {
	if record.Relations[relation] != record.Embeds {
		return true
	}
	f := g.nodes[derived].file
	return f == None || g.strings.Get(g.files[f].language) != "go" || g.kind(base) == record.Interface
}

// member returns the first callable member of the owner with that name, None if there is none.
func (g *Graph) member(owner, name uint32) uint32 {
	for _, n := range g.membersOf(owner) {
		if g.nodes[n].name == name && g.kind(n).IsCallable() {
			return n
		}
	}
	return None
}

// isConstructor reports whether m is a constructor, by its name. Constructors are never called in place of those of a base.
func (g *Graph) isConstructor(m uint32) bool {
	switch name := g.name(m); name {
	case "__init__", "__new__", "constructor", "__construct", "initialize", "init", "new":
		return true
	default:
		return name == g.name(g.owner(m))
	}
}

// implementations answers with the derived types of a type, then its base types; for a method, with their methods.
func (q *question) implementations(t target) error {
	g := q.g
	var down, up []step
	// add returns a function that appends the steps from the type of or, if m is not None, from m, a method of it.
	add := func(into *[]step, of, m uint32) func(uint32, step) {
		if m != None {
			return q.methods(into, of, m)
		}
		return func(_ uint32, s step) { *into = append(*into, s) }
	}
	for _, n := range q.typesAndMethods(t) {
		of, m := n, uint32(None)
		if !g.isType(n) && g.kind(n) != ExternalKind {
			if m, of = n, g.owner(n); of == None || g.isConstructor(m) {
				continue
			}
		}
		depth := q.depth
		if m != None {
			depth = max(depth, MaxDepth)
		}
		q.hierarchy(of, depth, false, add(&down, of, m))
		q.hierarchy(of, depth, true, add(&up, of, m))
	}
	if err := q.ctx.Err(); err != nil {
		return err
	}
	for _, list := range []struct {
		steps []step
		up    bool
	}{{down, false}, {up, true}} {
		steps := slices.DeleteFunc(list.steps, func(s step) bool { return !q.admits(s.node) })
		slices.SortFunc(steps, g.compareSteps)
		q.answer.TotalFound += len(steps)
		steps = steps[:min(len(steps), q.limit-len(q.answer.Results))]
		w := &walker{question: q, forward: list.up, follows: inheritance, oneSeed: t.files == nil}
		hits, err := q.hits(steps, w)
		if err != nil {
			return err
		}
		for i := range hits {
			hits[i].Up = list.up
		}
		q.answer.Results = append(q.answer.Results, hits...)
	}
	return nil
}

// typesAndMethods returns the types in the files of a target, or its node if it is no file.
func (q *question) typesAndMethods(t target) []uint32 {
	if t.files == nil {
		return []uint32{t.node}
	}
	return slices.DeleteFunc(q.g.seeds(t), func(n uint32) bool { return !q.g.kind(n).IsType() })
}

// hits returns the first q.limit steps as results.
func (q *question) hits(steps []step, w *walker) ([]Hit, error) {
	g := q.g
	hits := make([]Hit, 0, min(len(steps), q.limit))
	for _, s := range steps[:min(len(steps), q.limit)] {
		hit := g.hit(s)
		if s.distance > 1 || !w.oneSeed {
			hit.Via = g.title(s.via)
		}
		other := s.via
		if s.through != None {
			hit.Through, other = g.title(s.through), s.through
		}
		from, to := s.node, other
		if w.forward {
			from, to = to, from
		}
		if err := q.locate(&hit, from, to, s); err != nil {
			return nil, err
		}
		hits = append(hits, hit)
	}
	return hits, nil
}

// hit returns a step as a result, without Via, Through and Lines.
func (g *Graph) hit(s step) Hit {
	hit := Hit{Symbol: g.symbol(s.node), Relation: record.Relations[s.relation], By: edge.Ways[g.sites[s.site].by],
		Confidence: float64(s.confidence) / ShareUnit, Distance: int(s.distance), node: s.node, via: s.via}
	if s.own > s.confidence {
		hit.EdgeConfidence = float64(s.own) / ShareUnit
	}
	hit.Signature, hit.Overloads = "", nil
	return hit
}

// locate adds the lines of all edges between two nodes that have the relation of the step.
func (q *question) locate(hit *Hit, from, to uint32, s step) error {
	g := q.g
	ends := g.linksOf(from, true)
	at, _ := slices.BinarySearchFunc(ends, to, func(l links.Link, to uint32) int { return cmp.Compare(l.Node, to) })
	var lines []int
	for ; at < len(ends) && ends[at].Node == to; at++ {
		if own := &g.sites[ends[at].Site]; own.relation == s.relation && own.confidence >= q.least {
			for _, line := range g.linesOf(ends[at].Site) {
				lines = append(lines, int(line))
			}
		}
	}
	return q.show(hit, g.path(from), lines, from != s.node)
}

// show adds lines, excerpts and a quote to a hit. elsewhere is set if path is not the file of the hit's symbol.
func (q *question) show(hit *Hit, path string, lines []int, elsewhere bool) error {
	slices.Sort(lines)
	lines = slices.Compact(lines)
	if hit.More = max(len(lines)-maxLines, 0); hit.More > 0 {
		lines, hit.MoreLines = lines[:maxLines:maxLines], lines[maxLines:]
	}
	hit.Lines = lines
	if elsewhere && len(lines) > 0 {
		hit.LinesIn = path
	}
	if q.req.Lines == nil || path == "" {
		return nil
	}
	if q.req.Context == 0 {
		return q.quote(hit, path)
	}
	context, err := excerpt.Around(lines, q.req.Context, maxExcerpts, func(first, last int) ([]string, error) { return q.req.Lines(path, first, last) })
	hit.Context = context
	return err
}

// maxQuote is the most characters in Hit.Quote.
const maxQuote = 100

// quote sets hit.Quote if the request asks for it. Hits in tests get a quote only if the request is for tests alone.
func (q *question) quote(hit *Hit, path string) error {
	uses := q.req.Operation == Callers || q.req.Operation == TypeUsages || q.req.Operation == References
	if !q.req.Quote || !uses || len(hit.Lines) == 0 || hit.Test && q.req.Tests != TestsOnly {
		return nil
	}
	text, err := q.req.Lines(path, hit.Lines[0], hit.Lines[0])
	if err == nil && len(text) > 0 {
		hit.Quote = shorten.End(strings.TrimSpace(text[0]), maxQuote+1)
	}
	return err
}
