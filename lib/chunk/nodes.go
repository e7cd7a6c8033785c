package chunk

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/chunk/label"
	"cortex/lib/record"
)

// A node is a symbol in the tree formed by the symbols' spans. The lines of siblings do not overlap, and those of
// children lie within their parent's, whatever the record says. Node 0 is the file itself.
type node struct {
	sym *record.Symbol // nil for node 0
	// [first, last) are the lines of the declaration. doc is the first line of a documentation comment above it,
	// otherwise first.
	doc, first, last int
	// [lead, end) also has neighbouring lines that belong to the declaration: a comment above, or a line that opens or
	// closes a group.
	lead, end int
	// parent and next are indexes of nodes. next is the node after the last descendant.
	parent, next int
	// inside is the size in characters of the callables with a body among the descendants.
	inside int
	// inData says that the data tier has the declaration.
	inData bool
	// more are further symbols declared in the same lines.
	more []*record.Symbol
}

// maxMore bounds node.more.
const maxMore = 100

// maxNesting bounds the depth of the tree, and so the depth of recursion.
const maxNesting = 64

// buildNodes returns the nodes, parents before children, in the order of their lines.
func buildNodes(src *source, symbols []record.Symbol) []node {
	order := make([]*record.Symbol, 0, len(symbols))
	for i := range symbols {
		if symbols[i].Kind != record.Heading {
			order = append(order, label.Bounded(&symbols[i]))
		}
	}
	compare := func(a, b *record.Symbol) int {
		return cmp.Or(cmp.Compare(a.StartByte, b.StartByte), cmp.Compare(b.EndByte, a.EndByte))
	}
	if !slices.IsSortedFunc(order, compare) {
		slices.SortStableFunc(order, compare)
	}
	n := src.Count()
	nodes := make([]node, 1, len(order)+1)
	nodes[0] = node{last: n, end: n}
	// floor[k] is the first line that the k-th node of path can still give to a child.
	path, floor := []int{0}, []int{0}
	for _, sym := range order {
		for len(path) > 1 && sym.StartByte >= nodes[path[len(path)-1]].sym.EndByte {
			path, floor = path[:len(path)-1], floor[:len(floor)-1]
		}
		top := path[len(path)-1]
		first := max(sym.StartLine-1, floor[len(floor)-1])
		last := min(sym.EndLine, nodes[top].last)
		if last <= first || len(path) > maxNesting || top > 0 && sameSpan(sym, nodes[top].sym) {
			// The symbol shares its lines with the previous one, as in "var a, b int".
			if k := len(nodes) - 1; k > 0 && len(nodes[k].more) < maxMore {
				nodes[k].more = append(nodes[k].more, sym)
			}
			continue
		}
		doc := first
		if sym.DocLine > 0 && sym.DocLine-1 < first {
			doc = max(sym.DocLine-1, floor[len(floor)-1])
		}
		floor[len(floor)-1] = last
		nodes = append(nodes, node{sym: sym, doc: doc, first: first, last: last, lead: doc, end: last, parent: top})
		path, floor = append(path, len(nodes)-1), append(floor, first+1)
	}
	linkNodes(src, nodes)
	return nodes
}

func sameSpan(a, b *record.Symbol) bool {
	return a.StartByte == b.StartByte && a.EndByte == b.EndByte
}

// linkNodes fills in next and inside.
func linkNodes(src *source, nodes []node) {
	for i := range nodes {
		nodes[i].next = i + 1
	}
	for i := len(nodes) - 1; i > 0; i-- {
		n := &nodes[i]
		p := &nodes[n.parent]
		p.next = max(p.next, n.next)
		if n.hasBody() {
			p.inside += src.Size(n.lead, n.end)
		} else {
			p.inside += n.inside
		}
	}
}

// hasBody reports whether the node is a function with a body, as opposed to a mere declaration such as a method of an
// interface. In languages whose queries mark no body, the number of lines decides.
func (n *node) hasBody() bool {
	const declarationLines = 4
	return n.sym.Kind.IsCallable() && (n.sym.BodyByte > 0 || n.last-n.first > declarationLines)
}

// hasFunctions reports whether a descendant is a function with a body.
func (n *node) hasFunctions() bool { return n.inside > 0 }

// holdsValue reports whether the symbol belongs to the data tier.
func (n *node) holdsValue() bool {
	return n.sym.Kind.IsData() || n.isConfiguration() || n.isValueMacro()
}

func (n *node) isConfiguration() bool {
	return n.sym.Kind == record.Key || n.sym.Kind == record.Table || n.sym.Kind == record.Block
}

// isValueMacro reports whether the symbol is a macro without parameters that is defined as something short.
func (n *node) isValueMacro() bool {
	if n.sym.Kind != record.Macro || n.hasBody() {
		return false
	}
	_, value, ok := strings.Cut(n.sym.Signature, n.sym.Name)
	return ok && strings.TrimSpace(value) != "" && value[0] != '('
}

// declared returns the names of all symbols of the node.
func (n *node) declared() []string {
	names := make([]string, 1, 1+len(n.more))
	names[0] = label.Of(n.sym)
	for _, s := range n.more {
		names = append(names, label.Of(s))
	}
	return names
}
