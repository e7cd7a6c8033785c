package graph

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"cortex/lib/record"
)

// outsiders numbers what lies outside of the tree, and packages by their folders, from several goroutines at once.
type outsiders struct {
	mutex             sync.RWMutex
	external, folders map[string]uint32
	count             uint32
}

// in is the number of s in one of the maps.
func (o *outsiders) in(numbers map[string]uint32, s string) uint32 {
	o.mutex.RLock()
	n, ok := numbers[s]
	o.mutex.RUnlock()
	if ok {
		return n
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if n, ok = numbers[s]; !ok {
		n = o.count
		numbers[strings.Clone(s)] = n
		o.count++
	}
	return n
}

// What begins a row of the edges that a linker writes.
const (
	siteTag = iota
	omissionTag
)

// What begins a target in such a row.
const (
	nodeTag = iota
	outsideTag
)

// link writes the edges of a file: numbers as varints, with the files as numbers in the builder. A site is
//
//	siteTag, symbol + 1, relation, way, confidence in thousandths, number of lines, each as what it is more than the last,
//	number of targets, each nodeTag, file, symbol + 1 or outsideTag, number, module + 1
//
// and an omission omissionTag, symbol + 1, relation, incoming, held, found.
func (b *builder) link(l *linker, s *sourceFile) error {
	references, err := l.file.all()
	if err != nil {
		return err
	}
	w := edgeWriter{outside: &b.outside, files: b.treeOf(s).files}
	visit := func(symbol int) func(*reference, *answer) {
		return func(ref *reference, a *answer) {
			if a.by != "" {
				w.site(symbol, a.relation, a.by, a.confidence, ref.lines, a.to, a.external, l.names.of(ref.module))
			}
		}
	}
	references = l.of(0, references, visit(-1))
	for i := range l.file.symbols {
		references = l.of(l.file.symbols[i].qualified, references, visit(i))
		implied := l.implied[decl{l.file.number, int32(i)}]
		if implied == nil {
			continue
		}
		for _, e := range implied.edges {
			w.site(i, e.relation, ByMethods, confidences[ByMethods], nil, []place{e.to}, "", "")
		}
		for _, o := range implied.omissions {
			w.omission(i, &o)
		}
	}
	s.edges, s.fresh = slices.Clip(w.dst), true
	return nil
}

// An edgeWriter writes the edges of a file.
type edgeWriter struct {
	dst     []byte
	outside *outsiders
	// files are the numbers of the files of the tree.
	files []int32
}

func (w *edgeWriter) int(n int) { w.dst = binary.AppendUvarint(w.dst, uint64(n)) }

func (w *edgeWriter) site(symbol int, relation record.Relation, by By, confidence float64, lines []int32, to []place, external, module string) {
	w.dst = append(w.dst, siteTag)
	w.int(symbol + 1)
	w.dst = append(w.dst, uint8(slices.Index(record.Relations, relation)), uint8(slices.Index(Ways, by)))
	w.int(min(int(confidence*shareUnit+0.5), shareUnit))
	w.int(len(lines))
	last := int32(0)
	for _, line := range lines {
		w.dst = binary.AppendVarint(w.dst, int64(line-last))
		last = line
	}
	w.int(len(to) + order(external != ""))
	for _, p := range to {
		if p.folder != "" {
			w.dst = append(w.dst, outsideTag)
			w.int(int(w.outside.in(w.outside.folders, p.folder)))
			w.int(0)
			continue
		}
		w.dst = append(w.dst, nodeTag)
		w.int(int(w.files[p.file]))
		w.int(int(p.symbol + 1))
	}
	if external == "" {
		return
	}
	w.dst = append(w.dst, outsideTag)
	w.int(int(w.outside.in(w.outside.external, external)))
	if module != "" && len(module) < len(external) && strings.HasPrefix(external, module) {
		w.int(int(w.outside.in(w.outside.external, module)) + 1)
	} else {
		w.int(0)
	}
}

func (w *edgeWriter) omission(symbol int, o *Omission) {
	w.dst = append(w.dst, omissionTag)
	w.int(symbol + 1)
	w.dst = append(w.dst, uint8(slices.Index(record.Relations, o.Relation)), uint8(order(o.Incoming)))
	w.int(o.Held)
	w.int(o.Found)
}

func (b *builder) treeOf(s *sourceFile) *sourceTree {
	i, _ := slices.BinarySearchFunc(b.trees, s.tree, func(t *sourceTree, name string) int { return strings.Compare(t.name, name) })
	return b.trees[i]
}

// maxRows bounds each table, so that numbers of rows fit and leave a bit.
const maxRows = math.MaxInt32

// outsideBit marks a number of outsiders among those of nodes.
const outsideBit = 1 << 31

var errTooLarge = errors.New("make graph: it is too large")

// An assembler puts the tables of a graph together.
type assembler struct {
	*builder
	g     *Graph
	edges []pendingEdge
	// origins are the modules from which what is outside was imported, as outsiders.
	origins []link
	// moved is where each node of the graph before is, none if it is not there; rowOf are its rows of outsiders.
	moved []uint32
	rowOf map[string]nodeRow
	// anew tells that strings are put together from all facts.
	anew bool
	// came counts the symbols of files that changed, those of the graph before as less than none: renamed are the names of what came or went.
	came    map[declared]int
	renamed map[string]bool
	err     error
}

// declared is all of a symbol that tells whose owner it is.
type declared struct {
	path, language, pkg, name string
	kind                      uint8
}

// A pendingEdge is an edge to a node, or to an outsider.
type pendingEdge struct{ from, to, site uint32 }

// assemble makes the tables of what was linked and of what the graph before has of other files.
func (b *builder) assemble(ctx context.Context) (*Graph, error) {
	a := &assembler{builder: b, g: &Graph{maxSteps: maxSteps}, rowOf: map[string]nodeRow{}, came: map[declared]int{}, renamed: map[string]bool{}}
	a.reserve()
	for i := range b.files {
		a.nodes(&b.files[i])
	}
	for d, n := range a.came {
		if n != 0 {
			a.renamed[d.name] = true
		}
	}
	for i := range b.files {
		if i&0xff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a.g.files[i].site = uint32(len(a.g.sites))
		if s := &b.files[i]; s.fresh {
			a.fresh(uint32(i), s)
		} else {
			a.kept(uint32(i), s)
		}
		b.files[i].edges = nil
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.finish()
}

// reserve makes room for about as much as the graph before has, and takes over its strings, unless many of them are those of nothing that is left.
func (a *assembler) reserve() {
	b, g := a.before, a.g
	if b == nil {
		a.anew, g.strings = true, newStringTable(nil)
		return
	}
	used := len(b.strings.sorted) + len(b.files)
	for i := range b.nodes {
		used += order(b.nodes[i].signature != 0)
	}
	if a.anew = a.opts.anew || b.strings.len() > used+used/4; a.anew {
		g.strings = newStringTable(nil)
	} else {
		g.strings = newStringTable(b.strings)
		last := fileRow{}
		for i := range b.files {
			f := &b.files[i]
			for _, n := range [...][2]uint32{{f.tree, last.tree}, {f.language, last.language}, {f.pkg, last.pkg}} {
				if n[0] != n[1] {
					g.strings.note(n[0])
				}
			}
			last = *f
		}
	}
	more := func(n int) int { return n + n/64 }
	g.files, g.nodes = make([]fileRow, 0, more(len(b.files))), make([]nodeRow, 0, more(len(b.nodes)))
	g.sites, g.lines = make([]site, 0, more(len(b.sites))), make([]uint32, 0, more(len(b.lines)))
	a.edges = make([]pendingEdge, 0, more(len(b.out)))
	a.moved = make([]uint32, len(b.nodes))
	for i := range a.moved {
		a.moved[i] = none
	}
	for i, number := range a.numberOf {
		if number < 0 {
			a.count(b, uint32(i), -1)
		}
	}
}

// count counts the symbols of a file in the graph before or in this one.
func (a *assembler) count(g *Graph, file uint32, by int) {
	f := &g.files[file]
	d := declared{path: g.strings.get(f.path), language: g.strings.get(f.language), pkg: g.strings.get(f.pkg)}
	for n := f.first + 1; n < f.end; n++ {
		d.name, d.kind = g.strings.get(g.nodes[n].qualified), g.nodes[n].kind
		a.came[d] += by
	}
}

// nodes adds those of a file.
func (a *assembler) nodes(s *sourceFile) {
	g, first := a.g, uint32(len(a.g.nodes))
	if b := a.before; s.old == none || s.was != nil || a.anew {
		a.read(s)
	} else {
		row := b.files[s.old]
		g.nodes = append(g.nodes, b.nodes[row.first:row.end]...)
		row.first, row.end = first, uint32(len(g.nodes))
		for i := range g.nodes[first:] {
			g.nodes[first:][i].file, g.nodes[first:][i].owner = uint32(len(g.files)), none
		}
		g.files = append(g.files, row)
	}
	if len(g.nodes) > maxRows {
		a.err = errTooLarge
	}
	if file := uint32(len(g.files) - 1); a.before != nil && (s.old == none || s.was != nil) {
		a.count(g, file, 1)
	}
	if s.old == none {
		return
	}
	// This is where the nodes of the graph before are.
	b, old := a.before, &a.before.files[s.old]
	if s.was != nil {
		a.count(b, s.old, -1)
	}
	for n := old.first; n < old.end; n++ {
		if a.moved[n] = first + n - old.first; s.was != nil && n > old.first {
			a.moved[n] = g.nodeIn(uint32(len(g.files)-1), b.strings.get(b.nodes[n].qualified))
		}
	}
}

// read adds the nodes that the facts of a file tell.
func (a *assembler) read(s *sourceFile) {
	g, r := a.g, s.rest
	file := uint32(len(g.files))
	row := nodeRow{file: file, name: a.text(pathBase(s.path)), owner: none, kind: fileKind}
	if s.test {
		row.flags = flagTest
	}
	g.files = append(g.files, fileRow{path: a.text(s.treePath), tree: a.text(s.tree), language: a.text(s.language), pkg: a.text(s.pkg), first: uint32(len(g.nodes))})
	g.nodes = append(g.nodes, row)
	texts := s.texts()
	text := func() uint32 {
		i := r.int()
		if i >= len(texts) {
			r.fault = true
			return 0
		}
		return a.text(texts[i])
	}
	for range r.count() {
		number, flags := r.byte(), r.byte()
		if int(number) >= len(record.Kinds) {
			r.fault = true
			break
		}
		now := nodeRow{file: file, start: uint32(r.int()), owner: none, kind: symbolKind + number, flags: row.flags}
		now.end = now.start + uint32(r.int())
		now.qualified, now.name, _ = text(), text(), r.int()
		if flags&exportedFlag != 0 {
			now.flags |= flagExported
		}
		if flags&testFlag != 0 {
			now.flags |= flagTest
		}
		signature, ok := g.strings.append([]byte(r.text()))
		if !ok {
			a.err = errTooLarge
		}
		now.signature = signature
		g.nodes = append(g.nodes, now)
	}
	g.files[file].end = uint32(len(g.nodes))
	if r.fault {
		a.err = cmp.Or(a.err, errFacts)
	}
}

func (a *assembler) text(s string) uint32 {
	n, ok := a.g.strings.add([]byte(s))
	if !ok {
		a.err = errTooLarge
	}
	return n
}

// site adds one. The edges of it follow.
func (a *assembler) site(relation, by uint8, confidence uint16) uint32 {
	g := a.g
	if len(g.sites) >= maxRows || len(g.lines) >= maxRows || len(a.edges) >= maxRows {
		a.err = errTooLarge
	}
	g.sites = append(g.sites, site{end: uint32(len(g.lines)), confidence: confidence, relation: relation, by: by})
	return uint32(len(g.sites) - 1)
}

// fresh adds the edges that a linker wrote.
func (a *assembler) fresh(file uint32, s *sourceFile) {
	g, first := a.g, a.g.files[file].first
	for r := (factReader{data: s.edges}); len(r.data) > 0; {
		tag := r.byte()
		from := first + uint32(r.int())
		relation := r.byte()
		if tag == omissionTag {
			g.omissions = append(g.omissions, omissionRow{node: from, relation: relation, incoming: r.byte(), held: uint32(r.int()), found: uint32(r.int())})
			continue
		}
		by, confidence := r.byte(), uint16(r.int())
		last := 0
		for range r.int() {
			last += r.delta()
			g.lines = append(g.lines, uint32(last))
		}
		number := a.site(relation, by, confidence)
		for range r.int() {
			if r.byte() == nodeTag {
				to := g.files[r.int()].first
				a.edges = append(a.edges, pendingEdge{from, to + uint32(r.int()), number})
				continue
			}
			a.edges = append(a.edges, pendingEdge{from, outsideBit | uint32(r.int()), number})
			if module := r.int(); module > 0 {
				a.origins = append(a.origins, link{uint32(module - 1), number})
			}
		}
	}
}

// kept adds the edges that the graph before has of a file.
func (a *assembler) kept(file uint32, s *sourceFile) {
	b, g, old := a.before, a.g, &a.before.files[s.old]
	by := g.files[file].first - old.first
	at, _ := slices.BinarySearchFunc(b.omissions, old.first, func(o omissionRow, n uint32) int { return cmp.Compare(o.node, n) })
	for ; at < len(b.omissions) && b.omissions[at].node < old.end; at++ {
		o := b.omissions[at]
		o.node += by
		g.omissions = append(g.omissions, o)
	}
	site, end := old.site, uint32(len(b.sites))
	if int(s.old)+1 < len(b.files) {
		end = b.files[s.old+1].site
	}
	if site < end {
		first, last := b.linesFrom(site), b.sites[end-1].end
		sites, lines := len(g.sites), len(g.lines)
		g.sites, g.lines = append(g.sites, b.sites[site:end]...), append(g.lines, b.lines[first:last]...)
		for i := range g.sites[sites:] {
			g.sites[sites+i].end += uint32(lines) - first
		}
		if s.shifted != nil {
			for i, line := range g.lines[lines:] {
				g.lines[lines+i] = s.shifted[line]
			}
		}
		site = uint32(sites) - site
	}
	if len(g.sites) > maxRows || len(g.lines) > maxRows || len(a.edges) > maxRows {
		a.err = errTooLarge
	}
	for n := old.first; n < old.end; n++ {
		for _, l := range b.out[b.outRow[n]:b.outRow[n+1]] {
			if to := a.to(l.node); to != none {
				a.edges = append(a.edges, pendingEdge{n + by, to, l.site + site})
			}
		}
	}
	at, _ = slices.BinarySearchFunc(b.origins, old.site, func(o link, s uint32) int { return cmp.Compare(o.site, s) })
	for ; at < len(b.origins) && b.origins[at].site < end; at++ {
		a.origins = append(a.origins, link{a.to(b.origins[at].node) &^ outsideBit, b.origins[at].site + site})
	}
}

// to is where a node of the graph before is, none if it is not there.
func (a *assembler) to(old uint32) uint32 {
	b, to := a.before, &a.moved[old]
	if row := &b.nodes[old]; *to == none && row.file == none {
		numbers := a.outside.external
		if row.kind == packageKind {
			numbers = a.outside.folders
		}
		name := b.strings.get(row.qualified)
		*to = outsideBit | a.outside.in(numbers, name)
		a.rowOf[name] = *row
	}
	return *to
}

// finish makes the tables of what all files have in common.
func (a *assembler) finish() (*Graph, error) {
	g := a.g
	nodeOf := make([]uint32, a.outside.count)
	for i := range nodeOf {
		nodeOf[i] = none
	}
	a.addOutsiders(nodeOf)
	a.addPackages(nodeOf)
	if a.err != nil || len(g.nodes) > maxRows {
		return nil, cmp.Or(a.err, errTooLarge)
	}
	g.nameNodes()
	g.findOwners(a)
	edges := a.edges[:0]
	for _, e := range a.edges {
		if e.to&outsideBit != 0 {
			if e.to = nodeOf[e.to&^outsideBit]; e.to == none {
				continue
			}
		}
		edges = append(edges, e)
	}
	for _, o := range a.origins {
		g.origins = append(g.origins, link{nodeOf[o.node], o.site})
	}
	g.link(edges)
	a.edges = nil
	g.strings.sorted = g.lookedUp()
	return g, nil
}

// addOutsiders adds the nodes of what lies outside of the tree, by name.
func (a *assembler) addOutsiders(nodeOf []uint32) {
	g := a.g
	first := uint32(len(g.nodes))
	for _, name := range slices.Sorted(maps.Keys(a.outside.external)) {
		nodeOf[a.outside.external[name]] = uint32(len(g.nodes))
		row, known := a.rowOf[name]
		if !known || a.anew {
			row = nodeRow{file: none, qualified: a.text(name), name: a.text(lastPart(name)), kind: externalKind}
		}
		row.owner = none
		g.nodes = append(g.nodes, row)
	}
	// What is outside belongs to the longest module that it begins with.
	for n := first; n < uint32(len(g.nodes)); n++ {
		name := g.strings.get(g.nodes[n].qualified)
		for end := len(name) - 1; end > 0; end-- {
			if !isSeparator(name[end]) {
				continue
			}
			if owner, ok := a.outside.external[name[:end]]; ok {
				g.nodes[n].owner = nodeOf[owner]
				break
			}
		}
	}
}

// addPackages adds a node for each folder that an edge leads to, and makes it the owner of the nodes of its files.
func (a *assembler) addPackages(nodeOf []uint32) {
	g := a.g
	below := map[string]bool{}
	for _, f := range g.files {
		below[folderOf(g.strings.get(f.path))] = true
	}
	for _, path := range slices.Sorted(maps.Keys(below)) {
		number, ok := a.outside.folders[path]
		if !ok {
			continue
		}
		nodeOf[number] = uint32(len(g.nodes))
		g.nodes = append(g.nodes, nodeRow{file: none, qualified: a.text(path), name: a.text(pathBase(path)), owner: none, kind: packageKind})
	}
	for _, f := range g.files {
		if number, ok := a.outside.folders[folderOf(g.strings.get(f.path))]; ok {
			g.nodes[f.first].owner = nodeOf[number]
		}
	}
}
