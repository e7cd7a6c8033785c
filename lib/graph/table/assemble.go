package table

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/links"
	"cortex/lib/graph/names"
	"cortex/lib/graph/texts"
	"cortex/lib/record"
)

// maxRows bounds each table, so that row numbers leave the highest bit for outsideBit.
const maxRows = math.MaxInt32

// outsideBit marks a number of edge.Outsiders where a node number is expected.
const outsideBit = 1 << 31

var errTooLarge = errors.New("make graph: it is too large")

// A SourceFile is one file of the graph to be made.
type SourceFile struct {
	facts.Header
	TreePath string
	Tree     string
	// Old is the number of the file in the previous graph, None if that has no such file. Renewed is set if its facts differ
	// from those in the previous graph.
	Old     uint32
	Renewed bool
	// Shifted maps previous lines of references to their present lines, if the facts differ only in lines; nil otherwise.
	Shifted map[uint32]uint32
	// Fresh is set if Edges, as an edge.Writer writes them, replace the edges of the file in the previous graph.
	Fresh bool
	Edges []byte
}

// An assembler makes the tables of a graph.
type assembler struct {
	// before is the previous graph, which may be nil. files are the files of the new graph, sorted by tree path.
	before  *Graph
	files   []*SourceFile
	outside *edge.Outsiders
	g       *Graph
	edges   []pendingEdge
	// origins are Graph.origins with numbers of outside in place of nodes.
	origins []links.Link
	// moved maps nodes of the previous graph to nodes of the new one, None if the node is gone. rowOf has the previous rows
	// of nodes outside of the tree, by qualified name.
	moved []uint32
	rowOf map[string]nodeRow
	// anew is set if the table of strings is made from all facts, not copied from the previous graph.
	anew bool
	// came counts symbols of changed files, previous ones as -1. renamed has the names whose count is not 0.
	came    map[declared]int
	renamed map[string]bool
	err     error
}

// declared has the properties of a symbol on which it depends of which other symbols it is the owner.
type declared struct {
	path, language, pkg, name string
	kind                      uint8
}

// Assemble makes the tables of the files, which must be sorted by tree path. Files that are Fresh bring their edges; those
// of other files are copied from the previous graph before, which may be nil if all are Fresh. If anew is set, the table
// of strings is made from all facts; otherwise strings are added to the previous table.
func Assemble(ctx context.Context, before *Graph, files []*SourceFile, outside *edge.Outsiders, anew bool) (*Graph, error) {
	a := &assembler{before: before, files: files, outside: outside, anew: anew, g: &Graph{MaxSteps: stepLimit}, rowOf: map[string]nodeRow{}, came: map[declared]int{}, renamed: map[string]bool{}}
	a.reserve()
	for _, s := range files {
		a.nodes(s)
	}
	for d, n := range a.came {
		if n != 0 {
			a.renamed[d.name] = true
		}
	}
	for i, s := range files {
		if i&0xff == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a.g.files[i].site = uint32(len(a.g.sites))
		if s.Fresh {
			a.fresh(uint32(i), s)
		} else {
			a.kept(uint32(i), s)
		}
		s.Edges = nil
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.finish()
}

// reserve allocates the tables. It takes over the previous strings, unless more than a fifth of them are unused.
func (a *assembler) reserve() {
	b, g := a.before, a.g
	if b == nil {
		a.anew, g.strings = true, texts.New(nil)
		return
	}
	used := len(b.strings.Sorted) + len(b.files)
	for i := range b.nodes {
		used += order(b.nodes[i].signature != 0)
	}
	if a.anew = a.anew || b.strings.Len() > used+used/4; a.anew {
		g.strings = texts.New(nil)
	} else {
		g.strings = texts.New(b.strings)
		last := fileRow{}
		for i := range b.files {
			f := &b.files[i]
			for _, n := range [...][2]uint32{{f.tree, last.tree}, {f.language, last.language}, {f.pkg, last.pkg}} {
				if n[0] != n[1] {
					g.strings.Note(n[0])
				}
			}
			last = *f
		}
	}
	more := func(n int) int { return n + n/64 }
	g.files, g.nodes = make([]fileRow, 0, more(len(b.files))), make([]nodeRow, 0, more(len(b.nodes)))
	g.sites, g.lines = make([]site, 0, more(len(b.sites))), make([]byte, 0, more(len(b.lines)))
	a.edges = make([]pendingEdge, 0, more(b.Edges()))
	a.moved = make([]uint32, len(b.nodes))
	for i := range a.moved {
		a.moved[i] = None
	}
	left := make([]bool, len(b.files))
	for _, s := range a.files {
		if s.Old != None {
			left[s.Old] = true
		}
	}
	for i := range left {
		if !left[i] {
			a.count(b, uint32(i), -1)
		}
	}
}

// count adds by to a.came for each symbol of a file of g.
func (a *assembler) count(g *Graph, file uint32, by int) {
	f := &g.files[file]
	d := declared{path: g.strings.Get(f.path), language: g.strings.Get(f.language), pkg: g.strings.Get(f.pkg)}
	for n := f.first + 1; n < f.end; n++ {
		d.name, d.kind = g.strings.Get(g.nodes[n].qualified), g.nodes[n].kind
		a.came[d] += by
	}
}

// nodes adds the nodes of a file: copied from the previous graph if its facts are the same, otherwise read from them.
func (a *assembler) nodes(s *SourceFile) {
	g, first := a.g, uint32(len(a.g.nodes))
	if b := a.before; s.Old == None || s.Renewed || a.anew {
		a.read(s)
	} else {
		row := b.files[s.Old]
		g.nodes = append(g.nodes, b.nodes[row.first:row.end]...)
		row.first, row.end = first, uint32(len(g.nodes))
		for _, d := range b.declarationsOf(b.files[s.Old].first, b.files[s.Old].end) {
			d.node += first - b.files[s.Old].first
			g.declarations = append(g.declarations, d)
		}
		for i := range g.nodes[first:] {
			g.nodes[first:][i].file, g.nodes[first:][i].owner = uint32(len(g.files)), None
		}
		g.files = append(g.files, row)
	}
	if len(g.nodes) > maxRows {
		a.err = errTooLarge
	}
	if file := uint32(len(g.files) - 1); a.before != nil && (s.Old == None || s.Renewed) {
		a.count(g, file, 1)
	}
	if s.Old == None {
		return
	}
	// Map the nodes of the previous graph.
	b, old := a.before, &a.before.files[s.Old]
	if s.Renewed {
		a.count(b, s.Old, -1)
	}
	for n := old.first; n < old.end; n++ {
		if a.moved[n] = first + n - old.first; s.Renewed && n > old.first {
			a.moved[n] = g.nodeIn(uint32(len(g.files)-1), b.strings.Get(b.nodes[n].qualified))
		}
	}
}

// read adds the nodes of a file from its facts.
func (a *assembler) read(s *SourceFile) {
	g, r := a.g, s.Rest
	file := uint32(len(g.files))
	row := nodeRow{file: file, name: a.text(names.PathBase(s.Path)), owner: None, kind: fileKind}
	if s.Test {
		row.flags = flagTest
	}
	g.files = append(g.files, fileRow{path: a.text(s.TreePath), tree: a.text(s.Tree), language: a.text(s.Language), pkg: a.text(s.Pkg), first: uint32(len(g.nodes))})
	g.nodes = append(g.nodes, row)
	texts := s.Texts()
	text := func() uint32 {
		i := r.Int()
		if i >= len(texts) {
			r.Fault = true
			return 0
		}
		return a.text(texts[i])
	}
	for range r.Count() {
		number, flags := r.Byte(), r.Byte()
		if int(number) >= len(record.Kinds) {
			r.Fault = true
			break
		}
		now := nodeRow{file: file, start: uint32(r.Int()), owner: None, kind: symbolKind + number, flags: row.flags}
		now.end = now.start + uint32(r.Int())
		now.doc = uint16(min(r.Int(), facts.MaxDoc))
		now.qualified, now.name, _ = text(), text(), r.Int()
		if flags&facts.ExportedFlag != 0 {
			now.flags |= flagExported
		}
		if flags&facts.TestFlag != 0 {
			now.flags |= flagTest
		}
		now.signature = a.text(r.Text())
		r.Declarations(func(start, end, doc int) {
			g.declarations = append(g.declarations, declarationRow{uint32(len(g.nodes)), uint32(start), uint32(end), uint32(doc)})
		})
		g.nodes = append(g.nodes, now)
	}
	g.files[file].end = uint32(len(g.nodes))
	if r.Fault {
		a.err = cmp.Or(a.err, facts.ErrFacts)
	}
}

func (a *assembler) text(s string) uint32 {
	n, ok := a.g.strings.Add([]byte(s))
	if !ok {
		a.err = errTooLarge
	}
	return n
}

// site adds a site with the lines appended to g.lines since the last one, and returns its number.
func (a *assembler) site(relation, by uint8, confidence uint16) uint32 {
	g := a.g
	if len(g.sites) >= maxRows || len(g.lines) >= maxRows || len(a.edges) >= maxRows {
		a.err = errTooLarge
	}
	g.sites = append(g.sites, site{end: uint32(len(g.lines)), confidence: confidence, relation: relation, by: by})
	return uint32(len(g.sites) - 1)
}

// fresh adds the edges in s.Edges; see graph.builder.link for their format.
func (a *assembler) fresh(file uint32, s *SourceFile) {
	g, first := a.g, a.g.files[file].first
	for r := (facts.Reader{Data: s.Edges}); len(r.Data) > 0; {
		tag := r.Byte()
		from := first + uint32(r.Int())
		relation := r.Byte()
		if tag == edge.OmissionTag {
			g.omissions = append(g.omissions, omissionRow{node: from, relation: relation, incoming: r.Byte(), held: uint32(r.Int()), found: uint32(r.Int())})
			continue
		}
		by, confidence := r.Byte(), uint16(r.Int())
		for range r.Int() {
			g.lines = binary.AppendVarint(g.lines, int64(r.Delta()))
		}
		number := a.site(relation, by, confidence)
		for range r.Int() {
			if r.Byte() == edge.NodeTag {
				to := g.files[r.Int()].first
				a.edges = append(a.edges, pendingEdge{from, to + uint32(r.Int()), number})
				continue
			}
			a.edges = append(a.edges, pendingEdge{from, outsideBit | uint32(r.Int()), number})
			if module := r.Int(); module > 0 {
				a.origins = append(a.origins, links.Link{Node: uint32(module - 1), Site: number})
			}
		}
	}
}

// kept copies the edges of a file from the previous graph.
func (a *assembler) kept(file uint32, s *SourceFile) {
	b, g, old := a.before, a.g, &a.before.files[s.Old]
	by := g.files[file].first - old.first
	at, _ := slices.BinarySearchFunc(b.omissions, old.first, func(o omissionRow, n uint32) int { return cmp.Compare(o.node, n) })
	for ; at < len(b.omissions) && b.omissions[at].node < old.end; at++ {
		o := b.omissions[at]
		o.node += by
		g.omissions = append(g.omissions, o)
	}
	site, end := old.site, uint32(len(b.sites))
	if int(s.Old)+1 < len(b.files) {
		end = b.files[s.Old+1].site
	}
	if site < end {
		first, last := b.linesFrom(site), b.sites[end-1].end
		sites, lines := len(g.sites), len(g.lines)
		g.sites, g.lines = append(g.sites, b.sites[site:end]...), append(g.lines, b.lines[first:last]...)
		for i := range g.sites[sites:] {
			g.sites[sites+i].end += uint32(lines) - first
		}
		if s.Shifted != nil {
			a.shift(uint32(sites), s.Shifted)
		}
		site = uint32(sites) - site
	}
	if len(g.sites) > maxRows || len(g.lines) > maxRows || len(a.edges) > maxRows {
		a.err = errTooLarge
	}
	for n := old.first; n < old.end; n++ {
		for _, l := range b.out.Of(n, b.firstSite) {
			if to := a.to(l.Node); to != None {
				a.edges = append(a.edges, pendingEdge{n + by, to, l.Site + site})
			}
		}
	}
	at, _ = slices.BinarySearchFunc(b.origins, old.site, func(o links.Link, s uint32) int { return cmp.Compare(o.Site, s) })
	for ; at < len(b.origins) && b.origins[at].Site < end; at++ {
		a.origins = append(a.origins, links.Link{Node: a.to(b.origins[at].Node) &^ outsideBit, Site: b.origins[at].Site + site})
	}
}

// shift replaces the lines of all sites from the given one on by to[line].
func (a *assembler) shift(site uint32, to map[uint32]uint32) {
	g := a.g
	lines := make([][]uint32, 0, len(g.sites)-int(site))
	for s := range g.sites[site:] {
		lines = append(lines, g.linesOf(site+uint32(s)))
	}
	g.lines = g.lines[:g.linesFrom(site)]
	for s, list := range lines {
		for i, line := range list {
			list[i] = to[line]
		}
		g.lines = links.AppendLines(g.lines, list)
		g.sites[int(site)+s].end = uint32(len(g.lines))
	}
}

// to returns the new number of a previous node, None if it is gone; for one outside of the tree, one with outsideBit.
func (a *assembler) to(old uint32) uint32 {
	b, to := a.before, &a.moved[old]
	if row := &b.nodes[old]; *to == None && row.file == None {
		numbers := a.outside.External
		if row.kind == packageKind {
			numbers = a.outside.Folders
		}
		name := b.strings.Get(row.qualified)
		*to = outsideBit | a.outside.In(numbers, name)
		a.rowOf[name] = *row
	}
	return *to
}

// finish adds the nodes that belong to no file, and makes the tables of names, owners and edges.
func (a *assembler) finish() (*Graph, error) {
	g := a.g
	nodeOf := make([]uint32, a.outside.Count)
	for i := range nodeOf {
		nodeOf[i] = None
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
			if e.to = nodeOf[e.to&^outsideBit]; e.to == None {
				continue
			}
		}
		edges = append(edges, e)
	}
	for _, o := range a.origins {
		g.origins = append(g.origins, links.Link{Node: nodeOf[o.Node], Site: o.Site})
	}
	if err := g.link(edges); err != nil {
		return nil, err
	}
	a.edges = nil
	g.strings.Sorted = g.lookedUp()
	return g, nil
}

// addOutsiders adds the nodes outside of the tree, sorted by name, and sets nodeOf for them.
func (a *assembler) addOutsiders(nodeOf []uint32) {
	g := a.g
	first := uint32(len(g.nodes))
	for _, name := range slices.Sorted(maps.Keys(a.outside.External)) {
		nodeOf[a.outside.External[name]] = uint32(len(g.nodes))
		row, known := a.rowOf[name]
		if !known || a.anew {
			row = nodeRow{file: None, qualified: a.text(name), name: a.text(names.LastPart(name)), kind: externalKind}
		}
		row.owner = None
		g.nodes = append(g.nodes, row)
	}
	// The owner of such a node is the one with the longest name that is a prefix of its name.
	for n := first; n < uint32(len(g.nodes)); n++ {
		name := g.strings.Get(g.nodes[n].qualified)
		for end := len(name) - 1; end > 0; end-- {
			if !names.IsSeparator(name[end]) {
				continue
			}
			if owner, ok := a.outside.External[name[:end]]; ok {
				g.nodes[n].owner = nodeOf[owner]
				break
			}
		}
	}
}

// addPackages adds a node for each folder to which an edge leads, and makes it the owner of the files in the folder.
func (a *assembler) addPackages(nodeOf []uint32) {
	g := a.g
	below := map[string]bool{}
	for _, f := range g.files {
		below[names.FolderOf(g.strings.Get(f.path))] = true
	}
	for _, path := range slices.Sorted(maps.Keys(below)) {
		number, ok := a.outside.Folders[path]
		if !ok {
			continue
		}
		nodeOf[number] = uint32(len(g.nodes))
		g.nodes = append(g.nodes, nodeRow{file: None, qualified: a.text(path), name: a.text(names.PathBase(path)), owner: None, kind: packageKind})
	}
	for _, f := range g.files {
		if number, ok := a.outside.Folders[names.FolderOf(g.strings.Get(f.path))]; ok {
			g.nodes[f.first].owner = nodeOf[number]
		}
	}
}

// findOwners finds the owner of each symbol: the node named by all parts of its qualified name but the last. Symbols of
// unchanged files keep their owners, unless a symbol with the owner's name was added or removed.
func (g *Graph) findOwners(a *assembler) {
	for i := range a.files {
		s, f := a.files[i], &g.files[i]
		for n := f.first + 1; n < f.end; n++ {
			row := &g.nodes[n]
			around := ""
			if known := s.Old != None && !s.Renewed; !known || len(a.renamed) > 0 {
				around = names.Outer(g.strings.Get(row.qualified))
				if !known || a.renamed[around] {
					row.owner = g.ownerOf(uint32(i), around)
					continue
				}
			}
			if was := a.before.nodes[a.before.files[s.Old].first+n-f.first].owner; was != None {
				row.owner = a.moved[was]
			}
		}
	}
}

// link makes g.out, g.in and g.members. The edges must be sorted by their origin; rows are sorted by the other end.
func (g *Graph) link(edges []pendingEdge) error {
	n := len(g.nodes)
	ends, row := links.Rows(n, func(add func(uint32, links.Link)) {
		for i := range edges {
			add(edges[i].to, links.Link{Node: edges[i].from, Site: edges[i].site})
		}
	})
	g.in = links.Pack(ends, row, true, g.firstSite)
	ends, row = links.Rows(n, func(add func(uint32, links.Link)) {
		for i := range edges {
			add(edges[i].from, links.Link{Node: edges[i].to, Site: edges[i].site})
		}
	})
	for i := range n {
		row, byNode := ends[row[i]:row[i+1]], func(a, b links.Link) int { return cmp.Compare(a.Node, b.Node) }
		if !slices.IsSortedFunc(row, byNode) {
			slices.SortStableFunc(row, byNode)
		}
	}
	if g.out = links.Pack(ends, row, false, g.firstSite); max(len(g.in.Data), len(g.out.Data)) > maxRows {
		return errTooLarge
	}
	g.members, g.memberRow = links.Rows(n, func(add func(uint32, uint32)) {
		for i := range g.nodes {
			if owner := g.nodes[i].owner; owner != None {
				add(owner, uint32(i))
			}
		}
	})
	return nil
}
