package graph

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unsafe"

	"cortex/lib/parallel"
	"cortex/lib/record"
)

// A Graph is the graph of one generation in memory, made for questions: what a thing refers to and what refers to it stand in two tables in
// compressed sparse rows. It never changes, and any number of goroutines may ask it.
type Graph struct {
	strings *stringTable
	files   []fileRow
	nodes   []nodeRow
	sites   []site
	lines   []uint32
	kinds   []record.Kind
	// out and in hold the edges of node n from row[n] to row[n+1], by the other end.
	out, in       []link
	outRow, inRow []uint32
	// named are the nodes by their name: those with string s from nameRow[s] to nameRow[s+1]; qualified names have rows of their own
	// where they differ.
	named   []uint32
	nameRow []uint32
	// members are the nodes by the one that they are members of.
	members   []uint32
	memberRow []uint32
	// omissions tell where edges are left out, by node.
	omissions []omissionRow
	// maxSteps bounds how many edges a question follows.
	maxSteps int
}

// none is no node, file or site.
const none = math.MaxUint32

// A fileRow is a file of the tree, or a package.
type fileRow struct {
	path, tree, language, pkg uint32
	// first and end are its nodes; the first is that of the file.
	first, end uint32
}

// A nodeRow is a node. File is none for what lies outside of the tree and for packages.
type nodeRow struct {
	file, qualified, name, signature uint32
	start, end                       uint32
	// owner is the type, module or package that the node is a member of.
	owner uint32
	kind  uint8
	flags uint8
}

const (
	flagExported = 1 << iota
	flagTest
)

// Kinds of nodes that no symbol has.
const (
	// PackageKind is a folder whose files are one package.
	PackageKind record.Kind = "package"
	// ExternalKind is what lies outside of the tree.
	ExternalKind record.Kind = "external"
)

// A link is one end of an edge, from or to node.
type link struct{ node, site uint32 }

// A site is where an edge stands. Its lines end at lines[end] and begin where those of the site before it end.
type site struct {
	end        uint32
	confidence uint16 // in thousandths
	relation   uint8  // in record.Relations
	by         uint8  // in Ways
}

// An omissionRow is an Omission. If found is 0, nobody knows how many there are.
type omissionRow struct {
	node, held, found  uint32
	relation, incoming uint8
}

// maxRows bounds each table, so that numbers of rows fit.
const maxRows = math.MaxInt32

var errTooLarge = errors.New("the graph is too large")

// linesAtOnce is after how many lines others may go first.
const linesAtOnce = 128

// Load makes a graph of the lines of a graph file, which errors call name. An error about a line is a *record.LineError; when ctx
// is cancelled, the error is its.
func Load(ctx context.Context, r io.Reader, name string) (*Graph, error) {
	l := &loader{
		g:      &Graph{strings: newStringTable(), maxSteps: maxSteps},
		ids:    newStringTable(),
		nodeOf: []uint32{none},
		kinds:  map[string]uint8{},
	}
	lines := NewReader(r, name)
	for {
		if lines.number%linesAtOnce == 0 {
			if parallel.Yield(ctx); ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		data, err := lines.read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if lines.number == 1 && bytes.HasPrefix(data, []byte(`{"_metadata":`)) {
			continue
		}
		if err := l.line(data); err != nil {
			return nil, &record.LineError{Name: name, Number: lines.number, Err: fmt.Errorf("read graph: %w", err)}
		}
	}
	return l.finish()
}

// A loader gathers the rows of a graph.
type loader struct {
	g       *Graph
	decoder decoder
	// ids are identifiers of nodes, those that edges lead to as well; nodeOf are their nodes, none where none has come.
	ids    *stringTable
	nodeOf []uint32
	kinds  map[string]uint8
	edges  []pendingEdge
	// file is the one whose nodes come.
	file uint32
	// last is the node that came last, lastID its identifier: most edges are from it.
	last     uint32
	lastID   []byte
	external []outsider
}

// A pendingEdge is an edge to an identifier.
type pendingEdge struct{ from, to, site uint32 }

func (l *loader) line(data []byte) error {
	r, err := l.decoder.decode(data)
	if err != nil {
		return err
	}
	switch r.sort {
	case nodeSort:
		return l.node(r)
	case edgeSort:
		return l.edge(r)
	case omissionSort:
		return l.omission(r)
	}
	return nil
}

// id is the number of an identifier.
func (l *loader) id(id []byte) (uint32, error) {
	n, ok := l.ids.add(id)
	if !ok {
		return 0, errTooLarge
	}
	if int(n) == len(l.nodeOf) {
		l.nodeOf = append(l.nodeOf, none)
	}
	return n, nil
}

func (l *loader) text(s []byte) (uint32, error) {
	n, ok := l.g.strings.add(s)
	if !ok {
		return 0, errTooLarge
	}
	return n, nil
}

func (l *loader) texts(list ...[]byte) (numbers [3]uint32, err error) {
	for i, s := range list {
		if numbers[i], err = l.text(s); err != nil {
			return numbers, err
		}
	}
	return numbers, nil
}

func (l *loader) kind(kind []byte) (uint8, error) {
	if n, ok := l.kinds[string(kind)]; ok {
		return n, nil
	}
	if len(l.kinds) > math.MaxUint8 {
		return 0, errors.New("too many kinds")
	}
	n := uint8(len(l.kinds))
	l.kinds[string(kind)] = n
	l.g.kinds = append(l.g.kinds, record.Kind(kind))
	return n, nil
}

func (l *loader) node(r *raw) error {
	g := l.g
	id, err := l.id(r.id)
	if err != nil {
		return err
	}
	// The path of a file may be the identifier of a symbol in another, PATH#NAME; then edges lead to what came first.
	first := l.nodeOf[id]
	isFile := string(r.kind) == string(FileKind)
	if first != none && (isFile && g.nodes[first].qualified == 0 || !isFile && g.nodes[first].file == l.file) {
		return fmt.Errorf("node %q comes twice", r.id)
	}
	if len(g.nodes) == maxRows {
		return errTooLarge
	}
	path, qualified := r.id, []byte(nil)
	if !isFile {
		var own string
		if len(g.files) > 0 {
			own = g.strings.get(g.files[l.file].path)
		}
		if own == "" || len(r.id) < len(own)+2 || string(r.id[:len(own)]) != own || r.id[len(own)] != '#' {
			return fmt.Errorf("node %q stands outside of its file", r.id)
		}
		path, qualified = nil, r.id[len(own)+1:]
	}
	t, err := l.texts(path, qualified, r.name)
	if err != nil {
		return err
	}
	signature, ok := g.strings.append(r.signature)
	if !ok {
		return errTooLarge
	}
	kind, err := l.kind(r.kind)
	if err != nil {
		return err
	}
	n := uint32(len(g.nodes))
	if len(qualified) == 0 {
		f, err := l.texts(r.tree, r.language, r.pkg)
		if err != nil {
			return err
		}
		l.file = uint32(len(g.files))
		if n := len(g.files); n > 0 && g.strings.get(g.files[n-1].path) >= string(r.id) {
			return fmt.Errorf("file %q is out of order", r.id)
		}
		g.files = append(g.files, fileRow{path: t[0], tree: f[0], language: f[1], pkg: f[2], first: n})
	}
	row := nodeRow{file: l.file, qualified: t[1], name: t[2], signature: signature, start: uint32(r.start), end: uint32(r.end), owner: none, kind: kind}
	if r.exported {
		row.flags |= flagExported
	}
	if r.test || g.files[l.file].first != n && g.nodes[g.files[l.file].first].flags&flagTest != 0 {
		row.flags |= flagTest
	}
	if first == none {
		l.nodeOf[id] = n
	}
	l.lastID, l.last = append(l.lastID[:0], r.id...), n
	g.nodes = append(g.nodes, row)
	g.files[l.file].end = n + 1
	return nil
}

func (l *loader) edge(r *raw) error {
	if len(r.by) == 0 {
		return nil
	}
	g := l.g
	relation, by := slices.Index(record.Relations, record.Relation(r.id)), slices.Index(Ways, By(r.by))
	if relation < 0 {
		return fmt.Errorf("unknown relation %q", r.id)
	}
	if by < 0 {
		return fmt.Errorf("an edge found by %q, which is no way", r.by)
	}
	from := l.last
	if !bytes.Equal(r.from, l.lastID) || len(g.nodes) == 0 {
		id, err := l.id(r.from)
		if err != nil {
			return err
		}
		if from = l.nodeOf[id]; from == none {
			return fmt.Errorf("an edge from %q, which has not come", r.from)
		}
	}
	if len(g.sites) == maxRows || len(l.edges) > maxRows-len(r.to) || len(g.lines) > maxRows-len(r.lines) {
		return errTooLarge
	}
	for _, line := range r.lines {
		g.lines = append(g.lines, uint32(line))
	}
	number := uint32(len(g.sites))
	g.sites = append(g.sites, site{end: uint32(len(g.lines)), confidence: uint16(r.confidence), relation: uint8(relation), by: uint8(by)})
	for _, to := range r.to {
		id, err := l.id(to)
		if err != nil {
			return err
		}
		l.edges = append(l.edges, pendingEdge{from, id, number})
	}
	if len(r.external) > 0 {
		id, err := l.outside(r.external, r.module)
		if err != nil {
			return err
		}
		l.edges = append(l.edges, pendingEdge{from, id, number})
	}
	return nil
}

func (l *loader) omission(r *raw) error {
	relation := slices.Index(record.Relations, record.Relation(r.relation))
	if relation < 0 {
		return fmt.Errorf("unknown relation %q", r.relation)
	}
	if !bytes.Equal(r.id, l.lastID) || len(l.g.nodes) == 0 {
		return fmt.Errorf("an omission at %q, which is not the node before it", r.id)
	}
	row := omissionRow{node: l.last, held: uint32(r.held), found: uint32(r.found), relation: uint8(relation)}
	if r.incoming {
		row.incoming = 1
	}
	l.g.omissions = append(l.g.omissions, row)
	return nil
}

// outside is the identifier of something outside of the tree.
func (l *loader) outside(name, module []byte) (uint32, error) {
	before := l.ids.len()
	id, err := l.id(append([]byte(externalPrefix), name...))
	if err != nil || l.ids.len() == before {
		return id, err
	}
	t, err := l.texts(name, lastPart(name))
	if err != nil {
		return 0, err
	}
	// Nodes of files come first, so those outside get their numbers at the end.
	l.external = append(l.external, outsider{id: id, row: nodeRow{file: none, qualified: t[0], name: t[1], owner: none}})
	if len(module) > 0 && len(module) < len(name) && bytes.HasPrefix(name, module) {
		if _, err := l.outside(module, nil); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// externalPrefix tells identifiers of what lies outside of the tree from those of nodes, of which none begins with it.
const externalPrefix = "\x00"

// An outsider is a node outside of the tree.
type outsider struct {
	id  uint32
	row nodeRow
}

// finish makes the tables.
func (l *loader) finish() (*Graph, error) {
	g := l.g
	if err := l.addOutsiders(); err != nil {
		return nil, err
	}
	if err := l.addPackages(); err != nil {
		return nil, err
	}
	l.findOwners()
	l.link()
	l.nameNodes()
	g.strings.clip()
	g.files, g.nodes, g.sites, g.lines, g.omissions = clipped(g.files), clipped(g.nodes), clipped(g.sites), clipped(g.lines), clipped(g.omissions)
	return g, nil
}

func (l *loader) addOutsiders() error {
	g := l.g
	kind, err := l.kind([]byte(ExternalKind))
	if err != nil {
		return err
	}
	if len(g.nodes) > maxRows-len(l.external) {
		return errTooLarge
	}
	slices.SortFunc(l.external, func(a, b outsider) int {
		return cmp.Compare(g.strings.get(a.row.qualified), g.strings.get(b.row.qualified))
	})
	for _, o := range l.external {
		l.nodeOf[o.id] = uint32(len(g.nodes))
		o.row.kind = kind
		g.nodes = append(g.nodes, o.row)
	}
	// What is outside belongs to the longest module that it begins with.
	for _, o := range l.external {
		name := g.strings.get(o.row.qualified)
		for end := len(name) - 1; end > 0; end-- {
			if !isSeparator(name[end]) {
				continue
			}
			if owner := l.lookup(externalPrefix + name[:end]); owner != none {
				g.nodes[l.nodeOf[o.id]].owner = owner
				break
			}
		}
	}
	return nil
}

// addPackages adds a node for each folder that an edge leads to, and makes it the owner of the nodes of its files.
func (l *loader) addPackages() error {
	g := l.g
	kind, err := l.kind([]byte(PackageKind))
	if err != nil {
		return err
	}
	below := map[string]bool{}
	for _, f := range g.files {
		below[folderOf(g.strings.get(f.path))] = true
	}
	for _, path := range slices.Sorted(maps.Keys(below)) {
		id := l.ids.find(path)
		if id == 0 || l.nodeOf[id] != none {
			continue
		}
		t, err := l.texts([]byte(path), []byte(pathBase(path)))
		if err != nil {
			return err
		}
		if len(g.nodes) == maxRows {
			return errTooLarge
		}
		n := uint32(len(g.nodes))
		l.nodeOf[id] = n
		g.nodes = append(g.nodes, nodeRow{file: none, qualified: t[0], name: t[1], owner: none, kind: kind})
	}
	for _, f := range g.files {
		g.nodes[f.first].owner = l.lookup(folderOf(g.strings.get(f.path)))
	}
	return nil
}

// lookup is the node with the identifier, none if there is none.
func (l *loader) lookup(id string) uint32 {
	return l.nodeOf[l.ids.find(id)]
}

// folderOf is the folder of a tree path as an identifier.
func folderOf(path string) string {
	if slash := strings.LastIndexByte(path, '/'); slash >= 0 {
		return path[:slash+1]
	}
	if colon := strings.IndexByte(path, ':'); colon >= 0 {
		return path[:colon+1] + "./"
	}
	return "./"
}

// pathBase is the last part of a path or of a folder's identifier.
func pathBase(path string) string {
	path = strings.TrimSuffix(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}

// isSeparator tells the bytes between the parts of names.
func isSeparator(c byte) bool { return c == '.' || c == ':' || c == '#' || c == '/' || c == '\\' }

// lastPart of a name with parts.
func lastPart[T string | []byte](name T) T {
	for i := len(name) - 1; i >= 0; i-- {
		if isSeparator(name[i]) && i < len(name)-1 {
			return name[i+1:]
		}
	}
	return name
}

// outer is the qualified name without its last part, "" if it has one part.
func outer(qualified string) string {
	return strings.TrimRight(strings.TrimSuffix(qualified, lastPart(qualified)), ".:#/\\")
}

// findOwners finds for each symbol of more than one part the node of the parts before the last: in its file, or else the one in its
// package, folder or language.
func (l *loader) findOwners() {
	g := l.g
	byName := map[uint32][]uint32{}
	for n := range g.nodes {
		if row := &g.nodes[n]; row.file != none && row.qualified != 0 && g.kind(uint32(n)) != record.Method && g.kind(uint32(n)) != record.Function {
			byName[row.qualified] = append(byName[row.qualified], uint32(n))
		}
	}
	var id []byte
	for n := range g.nodes {
		row := &g.nodes[n]
		if row.file == none || row.qualified == 0 {
			continue
		}
		around := outer(g.strings.get(row.qualified))
		if around == "" {
			continue
		}
		id = append(append(append(id[:0], g.strings.get(g.files[row.file].path)...), '#'), around...)
		if row.owner = l.lookup(unsafe.String(unsafe.SliceData(id), len(id))); row.owner == none {
			row.owner = g.nearest(byName[g.strings.find(around)], row.file)
		}
	}
}

// nearest is the first of the nodes that is nearest to the file: in its folder and package, or else alone in its folder or
// language.
func (g *Graph) nearest(nodes []uint32, file uint32) uint32 {
	own := &g.files[file]
	folder := folderOf(g.strings.get(own.path))
	best, rank, count := uint32(none), 0, 0
	for _, n := range nodes {
		other := &g.files[g.nodes[n].file]
		near := 0
		switch inFolder := folderOf(g.strings.get(other.path)) == folder; {
		case other.language != own.language:
			continue
		case inFolder && other.pkg == own.pkg:
			near = 3
		case inFolder:
			near = 2
		default:
			near = 1
		}
		switch {
		case near > rank:
			best, rank, count = n, near, 1
		case near == rank:
			count++
		}
	}
	if count > 1 && rank < 3 {
		return none
	}
	return best
}

// link makes the rows of edges.
func (l *loader) link() {
	g := l.g
	edges := l.edges[:0]
	for _, e := range l.edges {
		if e.to = l.nodeOf[e.to]; e.to != none {
			edges = append(edges, e)
		}
	}
	n := len(g.nodes)
	// Counting sort by one end and then the other leaves each row in the order of the other end.
	byTo := sorted(edges, n, func(e *pendingEdge) uint32 { return e.to })
	byFrom := sorted(edges, n, func(e *pendingEdge) uint32 { return e.from })
	g.out, g.outRow = rows(byTo, n, func(e *pendingEdge) (uint32, link) { return e.from, link{e.to, e.site} })
	g.in, g.inRow = rows(byFrom, n, func(e *pendingEdge) (uint32, link) { return e.to, link{e.from, e.site} })
	l.edges = nil

	g.memberRow = make([]uint32, n+1)
	for i := range g.nodes {
		if owner := g.nodes[i].owner; owner != none {
			g.memberRow[owner+1]++
		}
	}
	for i := range n {
		g.memberRow[i+1] += g.memberRow[i]
	}
	g.members = make([]uint32, g.memberRow[n])
	next := slices.Clone(g.memberRow)
	for i := range g.nodes {
		if owner := g.nodes[i].owner; owner != none {
			g.members[next[owner]] = uint32(i)
			next[owner]++
		}
	}
}

// sorted is a stable counting sort by a key below n.
func sorted(edges []pendingEdge, n int, key func(*pendingEdge) uint32) []pendingEdge {
	next := make([]uint32, n+1)
	for i := range edges {
		next[key(&edges[i])+1]++
	}
	for i := range n {
		next[i+1] += next[i]
	}
	out := make([]pendingEdge, len(edges))
	for i := range edges {
		k := key(&edges[i])
		out[next[k]] = edges[i]
		next[k]++
	}
	return out
}

// rows puts the links of each node below n together, in the order of the edges.
func rows(edges []pendingEdge, n int, split func(*pendingEdge) (uint32, link)) (links []link, row []uint32) {
	row = make([]uint32, n+1)
	for i := range edges {
		node, _ := split(&edges[i])
		row[node+1]++
	}
	for i := range n {
		row[i+1] += row[i]
	}
	links = make([]link, len(edges))
	next := slices.Clone(row)
	for i := range edges {
		node, l := split(&edges[i])
		links[next[node]] = l
		next[node]++
	}
	return links, row
}

// nameNodes makes the table of names.
func (l *loader) nameNodes() {
	g := l.g
	n := g.strings.len()
	g.nameRow = make([]uint32, n+1)
	each := func(visit func(name, node uint32)) {
		for i := range g.nodes {
			row := &g.nodes[i]
			visit(row.name, uint32(i))
			if row.qualified != row.name {
				visit(row.qualified, uint32(i))
			}
		}
	}
	each(func(name, _ uint32) { g.nameRow[name+1]++ })
	for i := range n {
		g.nameRow[i+1] += g.nameRow[i]
	}
	g.named = make([]uint32, g.nameRow[n])
	next := slices.Clone(g.nameRow)
	each(func(name, node uint32) {
		g.named[next[name]] = node
		next[name]++
	})
}

// file finds a file by its path.
func (g *Graph) file(path string) (uint32, bool) {
	at, ok := slices.BinarySearchFunc(g.files, path, func(f fileRow, path string) int { return cmp.Compare(g.strings.get(f.path), path) })
	return uint32(at), ok
}

// kind is the kind of a node.
func (g *Graph) kind(n uint32) record.Kind { return g.kinds[g.nodes[n].kind] }

// Nodes is the number of nodes, Edges that of edges.
func (g *Graph) Nodes() int { return len(g.nodes) }

// Edges counts an edge to several nodes as several.
func (g *Graph) Edges() int { return len(g.out) }
