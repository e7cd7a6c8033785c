// Package table keeps the edges of a graph in tables and answers questions about them. It knows nothing of how names are resolved: Assemble makes the tables from the edges
// that an edge.Writer wrote, WriteBinary writes them, FromBinary maps them, and Graph.Query answers a question.
//
// Begin with table.go and rows.go for the tables, and with query.go for questions: target.go finds what a question names, walk.go, path.go and files.go follow edges
// from there, and answer.go has the types of answers.
package table

import (
	"cmp"
	"cortex/lib/graph/names"
	"slices"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/links"
	"cortex/lib/graph/texts"
	"cortex/lib/record"
)

// A Graph is the graph of one generation in memory, made for questions: what a thing refers to and what refers to it stand in two tables in
// compressed sparse rows. It never changes, and any number of goroutines may ask it.
type Graph struct {
	strings *texts.Table
	files   []fileRow
	nodes   []nodeRow
	sites   []site
	// lines are those of sites, each as how much it is above the one before it, as varints.
	lines []byte
	// out and in hold the edges from and to each node.
	out, in links.Table
	// named are the nodes by their name: those with string s from nameRow[s] to nameRow[s+1]; qualified names have rows of their own
	// where they differ.
	named   []uint32
	nameRow []uint32
	// members are the nodes by the one that they are members of.
	members   []uint32
	memberRow []uint32
	// omissions tell where edges are left out, by node.
	omissions []omissionRow
	// declarations are the further declarations of nodes, by node.
	declarations []declarationRow
	// origins are the modules from which what lies outside of the tree is imported, by the site of the import.
	origins []links.Link
	// MaxSteps bounds how many edges a question follows.
	MaxSteps int
	// mapped is the memory in which the tables are, nil if they were made here.
	mapped []byte
}

// ownerOf is the owner of symbols in a file, by its name.
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

// nodeIn is the node of a symbol in a file by its qualified name, none if there is none.
func (g *Graph) nodeIn(file uint32, qualified string) uint32 {
	first := g.files[file].first + 1
	i, ok := slices.BinarySearchFunc(g.nodes[first:g.files[file].end], qualified, func(n nodeRow, q string) int { return cmp.Compare(g.strings.Get(n.qualified), q) })
	if !ok {
		return None
	}
	return first + uint32(i)
}

// nearest is the first of the nodes that has the qualified name, is no function and is nearest to the file: in its folder and package, or else alone
// in its folder or language.
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

// nameNodes makes the table of names.
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

// file finds a file by its path.
func (g *Graph) file(path string) (uint32, bool) {
	at, ok := slices.BinarySearchFunc(g.files, path, func(f fileRow, path string) int { return cmp.Compare(g.strings.Get(f.path), path) })
	return uint32(at), ok
}

// kind is the kind of a node.
func (g *Graph) kind(n uint32) record.Kind { return nodeKinds[g.nodes[n].kind] }

// Edges counts an edge to several nodes as several.
func (g *Graph) Edges() int { return g.out.Total() }

// Omitted is how many edges are left out since there would be too many, at least.
func (g *Graph) Omitted() int {
	n := 0
	for i := range g.omissions {
		o := g.omissions[i].omission()
		n += o.Edges()
	}
	return n
}

// symbol is the node as answers show it.
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

// declarationsOf are the further declarations of the nodes from one to another.
func (g *Graph) declarationsOf(from, end uint32) []declarationRow {
	byNode := func(d declarationRow, n uint32) int { return cmp.Compare(d.node, n) }
	first, _ := slices.BinarySearchFunc(g.declarations, from, byNode)
	last, _ := slices.BinarySearchFunc(g.declarations, end, byNode)
	return g.declarations[first:max(first, last)]
}

// overloads are the first lines of the overloads of a function or method, nil if there is one alone.
func (g *Graph) overloads(n uint32) []int {
	others := g.declarationsOf(n, n+1)
	if len(others) == 0 || !g.kind(n).IsCallable() {
		return nil
	}
	switch g.language(n) {
	case "cpp", "csharp", "java", "kotlin", "scala", "swift", "tsx", "typescript":
	default:
		return nil // the names of declarations under other conditions
	}
	lines := []int{int(g.nodes[n].start)}
	for _, d := range others {
		lines = append(lines, int(d.start))
	}
	slices.Sort(lines)
	return lines
}

// path is the tree path of the node's file, "" if it has none.
func (g *Graph) path(n uint32) string {
	if f := g.nodes[n].file; f != None {
		return g.strings.Get(g.files[f].path)
	}
	return ""
}

// linesOf are the lines of a site.
func (g *Graph) linesOf(s uint32) []uint32 {
	return links.Lines(g.lines[g.linesFrom(s):g.sites[s].end])
}

// hasLines reports whether a site has any.
func (g *Graph) hasLines(s uint32) bool { return g.linesFrom(s) < g.sites[s].end }

// linesFrom is where the lines of a site begin.
func (g *Graph) linesFrom(s uint32) uint32 {
	if s == 0 {
		return 0
	}
	return g.sites[s-1].end
}

// firstSite is the first site of the file of a node.
func (g *Graph) firstSite(n uint32) uint32 {
	if f := g.nodes[n].file; f != None {
		return g.files[f].site
	}
	return 0
}

// linksOf are the edges from node n if forward is set, else those to it.
func (g *Graph) linksOf(n uint32, forward bool) []links.Link {
	if !forward {
		return g.in.Of(n, g.firstSite)
	}
	return slices.DeleteFunc(g.out.Of(n, g.firstSite), func(l links.Link) bool { return g.sites[l.Site].by == byNameAlone })
}

// place is the path that a glob is compared with.
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

// stepLimit bounds how many edges a question follows.
const stepLimit = 200_000

// maxHierarchy bounds how many types above or below one are looked at.
const maxHierarchy = 1000

func (g *Graph) name(n uint32) string { return g.strings.Get(g.nodes[n].name) }

// owner is the node of which n is a member, none if there is none.
func (g *Graph) owner(n uint32) uint32 { return g.nodes[n].owner }

// membersOf are the members of a type or module.
func (g *Graph) membersOf(n uint32) []uint32 { return g.members[g.memberRow[n]:g.memberRow[n+1]] }

// isType tells whether members of the node are a part of what it is.
func (g *Graph) isType(n uint32) bool {
	k := g.kind(n)
	return k.IsType() || k == record.Module
}

// title is the name by which answers refer to a node: its qualified name, or its path.
func (g *Graph) title(n uint32) string {
	if row := &g.nodes[n]; row.qualified != 0 {
		return g.strings.Get(row.qualified)
	}
	return g.path(n)
}

// ShareUnit is a share of 1, as a factor of confidences.
const ShareUnit = edge.ShareUnit

func order(b bool) int {
	if b {
		return 1
	}
	return 0
}
