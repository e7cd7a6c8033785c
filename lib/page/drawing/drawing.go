// Package drawing draws a part of a graph as SVG: the subject in the middle, the nodes with arrows to it on the left,
// and the nodes that its arrows lead to on the right. New, Add and Level make a drawing from answers of the graph; SVG
// writes it. All of it is in drawing.go.
package drawing

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/graph"
	"cortex/lib/graph/table"
	"cortex/lib/shorten"
	"cortex/lib/terminal"
)

// A Drawing has nodes in columns. Arrows lead from left to right where possible. The package writes SVG itself, since
// libraries for graph layout are too heavy for a few dozen nodes: graphviz in WebAssembly takes 8.5 MB, and 0.9 s at
// each start.
type Drawing struct {
	// about is the identifier of the subject.
	about  string
	nodes  []*Node
	byID   map[string]*Node
	arrows []arrow
	// More says that the drawing is incomplete.
	More bool
}

// A Node is a box of a drawing.
type Node struct {
	ID     string
	Symbol table.Symbol
	// Grown says that the user has expanded the node.
	Grown bool
	// Helper says that the node is test code but not a test.
	Helper bool
	// Level is the column: 0 for the subject, negative on the left, positive on the right. row is the position in the
	// column.
	Level, row int
	target     bool
	rank       float64
	x, y, w    float64
}

type arrow struct {
	from, to *Node
	weak     bool
}

// New returns an empty drawing of the subject with the identifier about.
func New(about string) *Drawing { return &Drawing{about: about, byID: map[string]*Node{}} }

// Add adds an answer, up to most nodes. The targets of the first answer are the subject. If the subject is a folder,
// files are replaced by their folders.
func (d *Drawing) Add(part *table.Drawing, most int) {
	first := len(d.nodes) == 0
	places := make([]*Node, len(part.Nodes))
	for i := range part.Nodes {
		s := part.Nodes[i].Symbol
		if strings.HasSuffix(d.about, "/") && s.Kind != table.ExternalKind {
			s = folderOf(s, d.about)
		}
		id := graph.TargetOf(&s)
		known := d.byID[id]
		if known == nil {
			if len(d.nodes) > most {
				d.More = true
				continue
			}
			known = &Node{ID: id, Symbol: s, target: id == d.about || first && part.Nodes[i].Target}
			d.nodes = append(d.nodes, known)
			d.byID[id] = known
		}
		places[i] = known
	}
	d.More = d.More || part.Missing > 0
	for _, a := range part.Arrows {
		from, to := places[a.From], places[a.To]
		if from == nil || to == nil || from == to {
			continue
		}
		if !slices.ContainsFunc(d.arrows, func(known arrow) bool { return known.from == from && known.to == to }) {
			d.arrows = append(d.arrows, arrow{from, to, a.Confidence < table.Sure})
		}
	}
}

// folderOf returns a node for the folder of a file. For a file inside the folder about, it returns about itself.
func folderOf(s table.Symbol, about string) table.Symbol {
	folder := s.Symbol
	if s.FilePath != "" {
		folder, _ = path.Split(s.FilePath)
	}
	if strings.HasPrefix(folder, about) || folder == "" && about == "./" {
		folder = about
	}
	if folder == "" {
		folder = "./"
	}
	return table.Symbol{Symbol: folder, Kind: table.PackageKind}
}

// Level assigns the nodes to columns, by their distance from the subject.
func (d *Drawing) Level() {
	const unknown = math.MinInt
	var queue []*Node
	for _, n := range d.nodes {
		if n.Level = unknown; n.target {
			n.Level = 0
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		n := queue[0]
		queue = queue[1:]
		for _, a := range d.arrows {
			other, step := a.to, 1
			if a.to == n {
				other, step = a.from, -1
			} else if a.from != n {
				continue
			}
			// Nodes on one side only continue away from the middle.
			if other.Level == unknown && (n.Level == 0 || n.Level*step > 0) {
				other.Level = n.Level + step
				queue = append(queue, other)
			}
		}
	}
	for _, n := range d.nodes {
		if n.Level == unknown { // only reached by arrows that lead back
			n.Level = 1
		}
	}
}

// Thin removes all but most nodes. It keeps code and tests of each column in turn, each with a chain of nodes to the
// middle.
func (d *Drawing) Thin(most int) {
	inner := map[*Node]*Node{}
	for _, a := range d.arrows {
		near, far := a.to, a.from
		if abs(near.Level) > abs(far.Level) {
			near, far = far, near
		}
		if inner[far] == nil && abs(far.Level) == abs(near.Level)+1 {
			inner[far] = near
		}
	}
	type kind struct {
		level int
		test  bool
	}
	kept := map[*Node]bool{}
	lists := map[kind][]*Node{}
	for _, n := range d.nodes {
		if n.Level == 0 {
			kept[n] = len(kept) < most
			continue
		}
		key := kind{abs(n.Level), n.Symbol.Test}
		lists[key] = append(lists[key], n)
	}
	kinds := slices.SortedFunc(maps.Keys(lists), func(a, b kind) int { return cmp.Or(a.level-b.level, order(a.test)-order(b.test)) })
	for left := len(d.nodes); left > 0; left-- {
		for _, key := range kinds {
			list := lists[key]
			if len(list) == 0 {
				continue
			}
			lists[key] = list[1:]
			var chain []*Node
			for n := list[0]; n != nil && !kept[n]; n = inner[n] {
				chain = append(chain, n)
			}
			if len(kept)+len(chain) <= most {
				for _, n := range chain {
					kept[n] = true
				}
			}
		}
	}
	before := len(d.nodes)
	d.nodes = slices.DeleteFunc(d.nodes, func(n *Node) bool { return !kept[n] })
	d.arrows = slices.DeleteFunc(d.arrows, func(a arrow) bool { return !kept[a.from] || !kept[a.to] })
	maps.DeleteFunc(d.byID, func(_ string, n *Node) bool { return !kept[n] })
	d.More = d.More || len(d.nodes) < before
}

func abs(n int) int { return max(n, -n) }

// Len returns the number of nodes.
func (d *Drawing) Len() int { return len(d.nodes) }

// Node returns the node with that identifier, nil if there is none.
func (d *Drawing) Node(id string) *Node { return d.byID[id] }

// Measures of a drawing, in pixels. Names are set in a monospaced font.
const (
	nodeHeight  = 42.0
	rowGap      = 12.0
	columnGap   = 64.0
	margin      = 12.0
	nameWidth   = 7.25
	detailWidth = 6.1
	openWidth   = 26.0
	maxName     = 34
	maxDetail   = 40
)

func (n *Node) name() string { return terminal.Clean(n.Symbol.Symbol) }

func (n *Node) detail() string {
	switch {
	case n.Symbol.Kind == table.ExternalKind:
		return "outside"
	case n.Symbol.FilePath == "" || n.Symbol.FilePath == n.Symbol.Symbol:
		return string(n.Symbol.Kind)
	}
	return terminal.Clean(fmt.Sprintf("%s:%d", path.Base(n.Symbol.FilePath), n.Symbol.StartLine))
}

// place computes the positions of the nodes and returns the size of the drawing.
func (d *Drawing) place() (width, height float64) {
	columns := map[int][]*Node{}
	for _, n := range d.nodes {
		columns[n.Level] = append(columns[n.Level], n)
		n.row = len(columns[n.Level]) - 1
		n.w = max(nameWidth*float64(utf8.RuneCountInString(shorten.Middle(n.name(), maxName))), detailWidth*float64(utf8.RuneCountInString(shorten.Middle(n.detail(), maxDetail)))) + openWidth + 20
	}
	var levels []int
	tallest := 0
	for level, column := range columns {
		levels = append(levels, level)
		tallest = max(tallest, len(column))
	}
	slices.Sort(levels)
	// A node is placed near the average position of its neighbours, so that fewer arrows cross. Tests come last.
	for range 4 {
		for _, level := range levels {
			column := columns[level]
			for _, n := range column {
				sum, ties := 0.0, 0.0
				for _, a := range d.arrows {
					other := a.to
					if a.to == n {
						other = a.from
					} else if a.from != n {
						continue
					}
					if other.Level != level {
						sum += (float64(other.row) + 0.5) / float64(len(columns[other.Level]))
						ties++
					}
				}
				if n.rank = 0.5; ties > 0 {
					n.rank = sum / ties
				}
			}
			slices.SortStableFunc(column, func(a, b *Node) int {
				return cmp.Or(order(a.Symbol.Test)-order(b.Symbol.Test), cmp.Compare(a.rank, b.rank))
			})
			for i, n := range column {
				n.row = i
			}
		}
	}
	height = float64(tallest)*(nodeHeight+rowGap) - rowGap + 2*margin
	x := margin
	for _, level := range levels {
		column := columns[level]
		widest := 0.0
		for _, n := range column {
			widest = max(widest, n.w)
		}
		y := (height - float64(len(column))*(nodeHeight+rowGap) + rowGap) / 2
		for _, n := range column {
			n.x, n.y, n.w = x, y, widest
			y += nodeHeight + rowGap
		}
		x += widest + columnGap
	}
	width = x - columnGap + margin
	if slices.ContainsFunc(d.arrows, func(a arrow) bool { return a.from.x >= a.to.x }) {
		width += columnGap / 2 // room for arrows that lead back around the right side
	}
	return width, height
}

// SVG writes the drawing. links returns the links of a node: grow expands or collapses it, and open opens its file; ""
// for none.
func (d *Drawing) SVG(label string, links func(*Node) (grow, open string)) template.HTML {
	width, height := d.place()
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="drawing" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="group" aria-label="%s">`, width, height, width, height, html.EscapeString(label))
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="tip" d="M0 0.8 L7 4 L0 7.2 z"/></marker></defs><g aria-hidden="true">`)
	for _, a := range d.arrows {
		fmt.Fprintf(&b, `<path class="%s" d="%s" marker-end="url(#tip)"/>`, a.class(), curve(a.from, a.to))
	}
	b.WriteString("</g>")
	order := slices.Clone(d.nodes)
	slices.SortStableFunc(order, func(a, b *Node) int { return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.row, b.row)) })
	for _, n := range order {
		n.write(&b, links)
	}
	b.WriteString("</svg>")
	return template.HTML(b.String())
}

// curve returns the path of an arrow.
func curve(from, to *Node) string {
	y1, y2 := from.y+nodeHeight/2, to.y+nodeHeight/2
	if from.x < to.x {
		x1, x2 := from.x+from.w, to.x
		bend := (x2 - x1) / 2
		return fmt.Sprintf("M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1+bend, y1, x2-bend, y2, x2, y2)
	}
	// An arrow that leads back goes around the right side.
	x1, x2 := from.x+from.w, to.x+to.w
	bend := max(x1, x2) + columnGap*0.55
	return fmt.Sprintf("M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, bend, y1, bend, y2+6, x2, y2+6)
}

func (n *Node) write(b *strings.Builder, links func(*Node) (grow, open string)) {
	grow, open := links(n)
	says := fmt.Sprintf("%s, %s, %s", n.name(), n.Symbol.Kind, n.detail())
	fmt.Fprintf(b, `<g class="%s" transform="translate(%.1f %.1f)">`, n.class(), n.x, n.y)
	face := fmt.Sprintf(`<rect width="%.1f" height="%.0f" rx="7"/><text x="12" y="18" class="name">%s</text><text x="12" y="33" class="detail">%s</text>`,
		n.w, nodeHeight, html.EscapeString(shorten.Middle(n.name(), maxName)), html.EscapeString(shorten.Middle(n.detail(), maxDetail)))
	if grow != "" {
		act := "show what it is tied to"
		if n.Grown {
			act = "hide what it is tied to"
		}
		fmt.Fprintf(b, `<a href="%s" aria-label="%s: %s" class="grow"><title>%s: %s</title>%s</a>`, html.EscapeString(grow), html.EscapeString(says), act, html.EscapeString(says), act, face)
	} else {
		fmt.Fprintf(b, `<g><title>%s</title>%s</g>`, html.EscapeString(says), face)
	}
	if open != "" {
		fmt.Fprintf(b, `<a href="%s" aria-label="open %s" class="open"><title>open the code</title><rect x="%.1f" y="8" width="24" height="26" rx="5"/><path d="M%.1f 16 h8 v8 M%.1f 24 l8 -8"/></a>`,
			html.EscapeString(open), html.EscapeString(n.name()), n.w-openWidth-2, n.w-18, n.w-18)
	}
	b.WriteString("</g>")
}

// MaxNodes bounds the nodes of a drawing, so that it stays readable.
const MaxNodes = 60

// class returns the node's class in the style sheet.
func (n *Node) class() string {
	switch {
	case n.target:
		return "node target"
	case n.Symbol.Kind == table.ExternalKind:
		return "node outside"
	case n.Helper:
		return "node helper"
	case n.Symbol.Test:
		return "node test"
	}
	return "node"
}

func (a arrow) class() string {
	if a.weak {
		return "arrow weak"
	}
	return "arrow"
}

// Legend explains the kinds of boxes and arrows in the drawing.
func (d *Drawing) Legend() template.HTML {
	drawn := map[string]bool{}
	for _, n := range d.nodes {
		drawn[n.class()] = true
	}
	for _, a := range d.arrows {
		drawn[a.class()] = true
	}
	const box, path = `<g><rect x="1" y="1" width="30" height="14" rx="4"/></g>`, `<path d="M1 8 H30" marker-end="url(#tip)"/>`
	var b strings.Builder
	for _, key := range [][3]string{
		{"node target", box, "what the page is about"}, {"node", box, "code"}, {"node test", box, "test code"}, {"node helper", box, "helper of tests"}, {"node outside", box, "outside of this repository"},
		{"arrow", path, "from what names to what is named"}, {"arrow weak", path, "the same, less sure"},
	} {
		if drawn[key[0]] {
			fmt.Fprintf(&b, `<li><svg width="32" height="16" aria-hidden="true"><g class="%s">%s</g></svg>%s</li>`, key[0], key[1], key[2])
		}
	}
	return template.HTML(b.String())
}

// order returns 1 if last is set, otherwise 0, for sorting.
func order(last bool) int {
	if last {
		return 1
	}
	return 0
}
