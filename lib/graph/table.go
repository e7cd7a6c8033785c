package graph

import (
	"cmp"
	"math"
	"slices"
	"strings"

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
	// origins are the modules from which what lies outside of the tree is imported, by the site of the import.
	origins []link
	// maxSteps bounds how many edges a question follows.
	maxSteps int
	// mapped is the memory in which the tables are, nil if they were made here.
	mapped []byte
}

// none is no node, file or site.
const none = math.MaxUint32

// A fileRow is a file of the tree, or a package.
type fileRow struct {
	path, tree, language, pkg uint32
	// first and end are its nodes; the first is that of the file. site is the first of its sites.
	first, end, site uint32
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

// nodeKinds are the kinds of nodes, by their numbers.
var nodeKinds = append([]record.Kind{FileKind, ExternalKind, PackageKind}, record.Kinds...)

// The numbers of the kinds that no symbol has. symbolKind is that of the first in record.Kinds.
const (
	fileKind = iota
	externalKind
	packageKind
	symbolKind
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

// omission is the row without its node.
func (o *omissionRow) omission() Omission {
	return Omission{Relation: record.Relations[o.relation], Incoming: o.incoming != 0, Held: int(o.held), Found: int(o.found)}
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
// package, folder or language. Those of files that the graph before has keep theirs, unless something of that name is renamed.
func (g *Graph) findOwners(a *assembler) {
	for i := range a.files {
		s, f := &a.files[i], &g.files[i]
		for n := f.first + 1; n < f.end; n++ {
			row := &g.nodes[n]
			around := ""
			if known := s.old != none && s.was == nil; !known || len(a.renamed) > 0 {
				around = outer(g.strings.get(row.qualified))
				if !known || a.renamed[around] {
					row.owner = g.ownerOf(uint32(i), around)
					continue
				}
			}
			if was := a.before.nodes[a.before.files[s.old].first+n-f.first].owner; was != none {
				row.owner = a.moved[was]
			}
		}
	}
}

// ownerOf is the owner of symbols in a file, by its name.
func (g *Graph) ownerOf(file uint32, name string) uint32 {
	if name == "" {
		return none
	}
	if n := g.nodeIn(file, name); n != none {
		return n
	}
	s := g.strings.find(name)
	if s == 0 {
		return none
	}
	return g.nearest(g.named[g.nameRow[s]:g.nameRow[s+1]], s, file)
}

// nodeIn is the node of a symbol in a file by its qualified name, none if there is none.
func (g *Graph) nodeIn(file uint32, qualified string) uint32 {
	first := g.files[file].first + 1
	i, ok := slices.BinarySearchFunc(g.nodes[first:g.files[file].end], qualified, func(n nodeRow, q string) int { return cmp.Compare(g.strings.get(n.qualified), q) })
	if !ok {
		return none
	}
	return first + uint32(i)
}

// nearest is the first of the nodes that has the qualified name, is no function and is nearest to the file: in its folder and package, or else alone
// in its folder or language.
func (g *Graph) nearest(nodes []uint32, qualified, file uint32) uint32 {
	own := &g.files[file]
	folder := folderOf(g.strings.get(own.path))
	best, rank, count := uint32(none), 0, 0
	for _, n := range nodes {
		if row := &g.nodes[n]; row.file == none || row.qualified != qualified || g.kind(n) == record.Method || g.kind(n) == record.Function {
			continue
		}
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

// link makes the rows of edges, which stand in the order of the nodes that they are from. Each row is in the order of the other ends.
func (g *Graph) link(edges []pendingEdge) {
	n := len(g.nodes)
	g.in, g.inRow = rows(n, func(add func(uint32, link)) {
		for i := range edges {
			add(edges[i].to, link{edges[i].from, edges[i].site})
		}
	})
	g.out, g.outRow = rows(n, func(add func(uint32, link)) {
		for i := range edges {
			add(edges[i].from, link{edges[i].to, edges[i].site})
		}
	})
	for i := range n {
		row, byNode := g.out[g.outRow[i]:g.outRow[i+1]], func(a, b link) int { return cmp.Compare(a.node, b.node) }
		if !slices.IsSortedFunc(row, byNode) {
			slices.SortStableFunc(row, byNode)
		}
	}
	g.members, g.memberRow = rows(n, func(add func(uint32, uint32)) {
		for i := range g.nodes {
			if owner := g.nodes[i].owner; owner != none {
				add(owner, uint32(i))
			}
		}
	})
}

// nameNodes makes the table of names.
func (g *Graph) nameNodes() {
	g.named, g.nameRow = rows(g.strings.len(), func(add func(uint32, uint32)) {
		for i := range g.nodes {
			row := &g.nodes[i]
			add(row.name, uint32(i))
			if row.qualified != row.name {
				add(row.qualified, uint32(i))
			}
		}
	})
}

// rows puts what each adds to each of n rows together, in the order in which it does. Row i ends where row i + 1 begins.
func rows[T any](n int, each func(add func(row uint32, item T))) (items []T, row []uint32) {
	row = make([]uint32, n+1)
	each(func(i uint32, _ T) { row[i+1]++ })
	for i := range n {
		row[i+1] += row[i]
	}
	items = make([]T, row[n])
	next := slices.Clone(row)
	each(func(i uint32, item T) {
		items[next[i]] = item
		next[i]++
	})
	return items, row
}

// file finds a file by its path.
func (g *Graph) file(path string) (uint32, bool) {
	at, ok := slices.BinarySearchFunc(g.files, path, func(f fileRow, path string) int { return cmp.Compare(g.strings.get(f.path), path) })
	return uint32(at), ok
}

// kind is the kind of a node.
func (g *Graph) kind(n uint32) record.Kind { return nodeKinds[g.nodes[n].kind] }

// Nodes is the number of nodes, Edges that of edges.
func (g *Graph) Nodes() int { return len(g.nodes) }

// Edges counts an edge to several nodes as several.
func (g *Graph) Edges() int { return len(g.out) }

// Omitted is how many edges are left out since there would be too many, at least.
func (g *Graph) Omitted() int {
	n := 0
	for i := range g.omissions {
		o := g.omissions[i].omission()
		n += o.edges()
	}
	return n
}
