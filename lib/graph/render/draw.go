package render

import (
	"fmt"
	"strings"

	"cortex/lib/graph/table"
	"cortex/lib/record"
	"cortex/lib/shorten"
	"cortex/lib/terminal"
)

// maxLabel is the most characters of a label.
const maxLabel = 40

// label returns a name, or its end if it is too long.
func label(s string) string {
	return shorten.Start(s, maxLabel)
}

// A cluster is a file with its nodes, by position in the drawing. Nodes without a file are in a cluster with path "".
type cluster struct {
	path  string
	nodes []int
}

func clusters(d table.Drawing, opts Options) []cluster {
	var all []cluster
	at := map[string]int{}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		file := ""
		if n.Symbol.Symbol != n.FilePath {
			file = opts.path(n.FilePath, n.Tree)
		}
		c, ok := at[file]
		if !ok {
			c = len(all)
			at[file] = c
			all = append(all, cluster{path: file})
		}
		all[c].nodes = append(all[c].nodes, i)
	}
	return all
}

// drawn returns the drawing of an answer, the number of results that it leaves out, beyond the limit of the request or
// MaxDrawn, and a text such as "13 of 311 callers" that says how many it has.
func drawn(a *table.Answer) (d table.Drawing, missing int, shown string) {
	d = a.Draw(MaxDrawn)
	if a.Target == nil {
		return d, 0, ""
	}
	total := a.TotalFound + a.TestsFound
	missing = d.Missing + total - len(a.Results) - len(a.Tests)
	info, _ := table.Info(string(a.Operation))
	return d, missing, fmt.Sprintf("%d of %d %s", total-missing, total, info.Noun)
}

// name returns the label of a node.
func name(n *table.Drawn, opts Options) string {
	return label(opts.Name(&n.Symbol))
}

// arrowLabel returns the label of an arrow: the method through which a call goes, or else the relation. It is "" for calls,
// and if all arrows have the same relation.
func arrowLabel(d table.Drawing, a *table.Arrow) string {
	if a.Through != "" {
		return "through " + label(a.Through)
	}
	if a.Relation == record.Calls {
		return ""
	}
	for i := range d.Arrows {
		if d.Arrows[i].Relation != a.Relation {
			return string(a.Relation)
		}
	}
	return ""
}

// unsure reports whether an arrow is drawn dashed.
func unsure(a *table.Arrow) bool { return a.Through != "" || a.Confidence < table.Sure }

// dot writes the language of Graphviz (https://graphviz.org/doc/info/lang.html).
func dot(a *table.Answer, opts Options) string {
	var b strings.Builder
	d, missing, shown := drawn(a)
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(terminal.Clean(s)) + `"`
	}
	b.WriteString("digraph cortex {\n  rankdir=LR; node [shape=box, fontsize=10]; edge [fontsize=9];\n")
	if missing > 0 {
		fmt.Fprintf(&b, "  // %s\n", shown)
	}
	for i, c := range clusters(d, opts) {
		indent := "  "
		if c.path != "" {
			fmt.Fprintf(&b, "  subgraph cluster_%d {\n    label=%s; fontsize=10; color=gray;\n", i, quote(label(c.path)))
			indent = "    "
		}
		for _, n := range c.nodes {
			fmt.Fprintf(&b, "%sn%d [label=%s", indent, n, quote(name(&d.Nodes[n], opts)))
			switch node := &d.Nodes[n]; {
			case node.Target:
				b.WriteString(", style=bold")
			case node.Test:
				b.WriteString(", style=dashed")
			case node.Kind == table.ExternalKind:
				b.WriteString(", shape=plaintext")
			}
			b.WriteString("];\n")
		}
		if c.path != "" {
			b.WriteString("  }\n")
		}
	}
	for i := range d.Arrows {
		a := &d.Arrows[i]
		var parts []string
		if text := arrowLabel(d, a); text != "" {
			parts = append(parts, "label="+quote(text))
		}
		if unsure(a) {
			parts = append(parts, "style=dashed")
		}
		fmt.Fprintf(&b, "  n%d -> n%d", a.From, a.To)
		if len(parts) > 0 {
			b.WriteString(" [" + strings.Join(parts, ", ") + "]")
		}
		b.WriteString(";\n")
	}
	if missing > 0 {
		fmt.Fprintf(&b, "  more [label=\"and %d more\", shape=plaintext];\n", missing)
	}
	b.WriteString("}\n")
	return b.String()
}

// mermaid writes a flowchart of Mermaid (https://mermaid.js.org/syntax/flowchart.html).
func mermaid(a *table.Answer, opts Options) string {
	var b strings.Builder
	d, missing, shown := drawn(a)
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`"`, "#quot;", "#", "#35;", "<", "#lt;", ">", "#gt;", "`", "#96;").Replace(terminal.Clean(s)) + `"`
	}
	b.WriteString("flowchart LR\n")
	if missing > 0 {
		fmt.Fprintf(&b, "  %%%% %s\n", shown)
	}
	for i, c := range clusters(d, opts) {
		indent := "  "
		if c.path != "" {
			fmt.Fprintf(&b, "  subgraph f%d[%s]\n", i, quote(label(c.path)))
			indent = "    "
		}
		for _, n := range c.nodes {
			open, end := "[", "]"
			switch node := &d.Nodes[n]; {
			case node.Target:
				open, end = "[[", "]]"
			case node.Kind == table.ExternalKind:
				open, end = "([", "])"
			}
			fmt.Fprintf(&b, "%sn%d%s%s%s\n", indent, n, open, quote(name(&d.Nodes[n], opts)), end)
		}
		if c.path != "" {
			b.WriteString("  end\n")
		}
	}
	for i := range d.Arrows {
		a := &d.Arrows[i]
		line := "-->"
		if unsure(a) {
			line = "-.->"
		}
		if text := arrowLabel(d, a); text != "" {
			line += "|" + quote(text) + "|"
		}
		fmt.Fprintf(&b, "  n%d %s n%d\n", a.From, line, a.To)
	}
	if missing > 0 {
		fmt.Fprintf(&b, "  more[\"and %d more\"]\n", missing)
	}
	return b.String()
}
