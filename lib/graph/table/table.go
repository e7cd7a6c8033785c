// Package table keeps nodes and edges in tables and answers questions about them. Assemble makes the tables from facts and
// encoded edges; WriteBinary writes them; FromBinary takes mapped ones; Graph.Query takes a Request and returns an Answer.
//
// Begin with table.go and rows.go for the tables, and with query.go for questions: target.go finds the node that a question
// names, walk.go, path.go and files.go follow edges from there, and answer.go has the types of answers.
package table

import (
	"cmp"
	"slices"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/links"
	"cortex/lib/graph/names"
	"cortex/lib/graph/paths"
	"cortex/lib/graph/texts"
	"cortex/lib/record"
)

// A Graph is the graph of one generation, in memory or mapped. It has the edges from each node and the edges to each node,
// in two tables of compressed sparse rows. It never changes; any number of goroutines may query it.
type Graph struct {
	strings *texts.Table
	files   []fileRow
	nodes   []nodeRow
	sites   []site
	// lines has the lines of all sites, encoded by links.AppendLines.
	lines []byte
	// out and in hold the edges from and to each node.
	out, in links.Table
	// named has the nodes by name: named[nameRow[s]:nameRow[s+1]] are the nodes whose name or qualified name is string s.
	named   []uint32
	nameRow []uint32
	// members has the nodes by owner: members[memberRow[n]:memberRow[n+1]] are the members of node n.
	members   []uint32
	memberRow []uint32
	// omissions are sorted by node.
	omissions []omissionRow
	// declarations has the further declarations of nodes, sorted by node.
	declarations []declarationRow
	// origins has, by the site of a reference to a symbol outside of the tree, the node of the module that it is from.
	origins []links.Link
	// MaxSteps is the most edges that a question follows.
	MaxSteps int
	// mapped is the mapped memory that has the tables, nil if Assemble made them.
	mapped []byte
}

// ownerOf returns the node with the name of an owner: the one in the file, or else the nearest; None if there is none.
func (g *Graph) ownerOf(file uint32, name string) uint32 {
	if name == "" {
		return None
	}
	if n := g.nodeIn(file, name); n != None {
		return n
	}
	s := g.strings.Find(name)
	if s == 0 {
		return None
	}
	return g.nearest(g.named[g.nameRow[s]:g.nameRow[s+1]], s, file)
}

// nodeIn returns the node of the symbol with the qualified name in a file, None if there is none.
func (g *Graph) nodeIn(file uint32, qualified string) uint32 {
	first := g.files[file].first + 1
	i, ok := slices.BinarySearchFunc(g.nodes[first:g.files[file].end], qualified, func(n nodeRow, q string) int { return cmp.Compare(g.strings.Get(n.qualified), q) })
	if !ok {
		return None
	}
	return first + uint32(i)
}

// nearest returns the node with the qualified name, of the file's language and no function, that is nearest to the file:
// the first in its folder and package; or else the only one in its folder; or else the only one; None if there is none.
func (g *Graph) nearest(nodes []uint32, qualified, file uint32) uint32 {
	own := &g.files[file]
	folder := names.FolderOf(g.strings.Get(own.path))
	best, rank, count := uint32(None), 0, 0
	for _, n := range nodes {
		if row := &g.nodes[n]; row.file == None || row.qualified != qualified || g.kind(n) == record.Method || g.kind(n) == record.Function {
			continue
		}
		other := &g.files[g.nodes[n].file]
		near := 0
		switch inFolder := names.FolderOf(g.strings.Get(other.path)) == folder; {
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
		return None
	}
	return best
}

// nameNodes makes g.named and g.nameRow.
func (g *Graph) nameNodes() {
	g.named, g.nameRow = links.Rows(g.strings.Len(), func(add func(uint32, uint32)) {
		for i := range g.nodes {
			row := &g.nodes[i]
			add(row.name, uint32(i))
			if row.qualified != row.name {
				add(row.qualified, uint32(i))
			}
		}
	})
}

// paths returns the tree paths of all files.
func (g *Graph) paths() paths.List {
	return paths.List{Len: len(g.files), File: func(file uint32) (tree, path string) {
		return g.strings.Get(g.files[file].tree), g.strings.Get(g.files[file].path)
	}}
}

func (g *Graph) kind(n uint32) record.Kind { return nodeKinds[g.nodes[n].kind] }

// Edges returns the number of edges. A reference with several targets has several edges.
func (g *Graph) Edges() int { return g.out.Total() }

// Omitted returns a lower bound for the number of edges that are left out because there are too many.
func (g *Graph) Omitted() int {
	n := 0
	for i := range g.omissions {
		o := g.omissions[i].omission()
		n += o.Edges()
	}
	return n
}

// symbol returns the node in the form that answers show.
func (g *Graph) symbol(n uint32) Symbol {
	row := &g.nodes[n]
	s := Symbol{Symbol: g.strings.Get(row.qualified), Kind: g.kind(n), StartLine: int(row.start), EndLine: int(row.end), Test: row.flags&flagTest != 0}
	if row.file != None {
		s.Overloads = g.overloads(n)
		s.FilePath, s.Tree = g.path(n), g.strings.Get(g.files[row.file].tree)
		if s.Signature = g.strings.Get(row.signature); row.qualified == 0 {
			s.Symbol = s.FilePath
		}
	}
	return s
}

// declarationsOf returns the further declarations of the nodes from from to end, end excluded.
func (g *Graph) declarationsOf(from, end uint32) []declarationRow {
	byNode := func(d declarationRow, n uint32) int { return cmp.Compare(d.node, n) }
	first, _ := slices.BinarySearchFunc(g.declarations, from, byNode)
	last, _ := slices.BinarySearchFunc(g.declarations, end, byNode)
	return g.declarations[first:max(first, last)]
}

// overloads returns the first line of each overload of a function or method, nil if it has only one declaration.
func (g *Graph) overloads(n uint32) []int {
	others := g.declarationsOf(n, n+1)
	if len(others) == 0 || !g.kind(n).IsCallable() {
		return nil
	}
	switch g.language(n) {
	case "cpp", "csharp", "java", "kotlin", "scala", "swift", "tsx", "typescript":
	default:
		return nil // no overloads: further declarations are variants, such as those of C under different conditions
	}
	lines := []int{int(g.nodes[n].start)}
	for _, d := range others {
		lines = append(lines, int(d.start))
	}
	slices.Sort(lines)
	return lines
}

// path returns the tree path of the node's file, "" if it has none.
func (g *Graph) path(n uint32) string {
	if f := g.nodes[n].file; f != None {
		return g.strings.Get(g.files[f].path)
	}
	return ""
}

// linesOf returns the lines of a site.
func (g *Graph) linesOf(s uint32) []uint32 {
	return links.Lines(g.lines[g.linesFrom(s):g.sites[s].end])
}

// hasLines reports whether a site has lines. Implied edges have none.
func (g *Graph) hasLines(s uint32) bool { return g.linesFrom(s) < g.sites[s].end }

// linesFrom returns the offset in g.lines at which the lines of a site begin.
func (g *Graph) linesFrom(s uint32) uint32 {
	if s == 0 {
		return 0
	}
	return g.sites[s-1].end
}

// firstSite returns the first site of the file of a node, 0 if it has none.
func (g *Graph) firstSite(n uint32) uint32 {
	if f := g.nodes[n].file; f != None {
		return g.files[f].site
	}
	return 0
}

// linksOf returns the edges from node n if forward is set, without calls on unknown receivers; otherwise the edges to it.
func (g *Graph) linksOf(n uint32, forward bool) []links.Link {
	if !forward {
		return g.in.Of(n, g.firstSite)
	}
	return slices.DeleteFunc(g.out.Of(n, g.firstSite), func(l links.Link) bool { return g.sites[l.Site].by == byNameAlone })
}

// place returns the path that Request.Match gets for a node: the tree path of its file, or else its name.
func (g *Graph) place(n uint32) string {
	if path := g.path(n); path != "" {
		return path
	}
	return g.strings.Get(g.nodes[n].qualified)
}

// HasSeveralTrees reports whether the graph has files of more than one tree.
func (g *Graph) HasSeveralTrees() (several bool, err error) {
	defer g.guard(&err)()
	for i := 1; i < len(g.files); i++ {
		if g.strings.Get(g.files[i].tree) != g.strings.Get(g.files[0].tree) {
			return true, nil
		}
	}
	return false, nil
}

// stepLimit is the default of Graph.MaxSteps.
const stepLimit = 200_000

// maxHierarchy is the most base types, or derived types, that are visited for one type.
const maxHierarchy = 1000

func (g *Graph) name(n uint32) string { return g.strings.Get(g.nodes[n].name) }

// owner returns the node of which n is a member, None if there is none.
func (g *Graph) owner(n uint32) uint32 { return g.nodes[n].owner }

// membersOf returns the members of a node.
func (g *Graph) membersOf(n uint32) []uint32 { return g.members[g.memberRow[n]:g.memberRow[n+1]] }

// isType reports whether the node is a type or module, which stands for its members too.
func (g *Graph) isType(n uint32) bool {
	k := g.kind(n)
	return k.IsType() || k == record.Module
}

// title returns the name that answers show for a node: its qualified name, or the path of a file.
func (g *Graph) title(n uint32) string {
	if row := &g.nodes[n]; row.qualified != 0 {
		return g.strings.Get(row.qualified)
	}
	return g.path(n)
}

// ShareUnit is the encoded form of confidence 1, see edge.ShareUnit.
const ShareUnit = edge.ShareUnit

func order(b bool) int {
	if b {
		return 1
	}
	return 0
}
