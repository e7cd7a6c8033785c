package render

import (
	"fmt"
	"strconv"
	"strings"

	"cortex/lib/graph/table"
	"cortex/lib/record"
	"cortex/lib/shorten"
	"cortex/lib/terminal"
)

// Styles, as parameters of the escape sequence SGR.
const (
	pathStyle, lineStyle, nameStyle, dimStyle = "35", "32", "1", "2"
)

// Options configure how an answer is written.
type Options struct {
	Format Format
	// Color asks for the escape sequences of terminals.
	Color bool
	// View converts tree paths to paths as the reader sees them.
	View terminal.View
}

// path returns the path of a file as the reader sees it.
func (o Options) path(treePath, tree string) string {
	if treePath == "" {
		return ""
	}
	return terminal.Clean(o.View.Path(tree, treePath))
}

// Place returns the place of a symbol, path:line, with the path as the reader sees it.
func (o Options) Place(s *table.Symbol) string {
	if s.FilePath == "" {
		return clean(s.Symbol)
	}
	return fmt.Sprintf("%s:%d", o.path(s.FilePath, s.Tree), max(s.StartLine, 1))
}

// Name returns the name of a symbol; for a file or folder, the path as the reader sees it.
func (o Options) Name(s *table.Symbol) string {
	switch {
	case s.FilePath != "" && s.Symbol == s.FilePath:
		return o.path(s.FilePath, s.Tree)
	case s.Kind == table.PackageKind && !strings.Contains(s.Symbol, ":"): // a colon ends the name of a tree
		return o.path(s.Symbol, "") + "/"
	}
	return clean(s.Symbol)
}

// A page writes an answer into b. tree is the tree of the target; folder is its path if it is a folder; forward is set if
// edges lead from the target to the results. common has the parts that are written once, above the results.
type page struct {
	b       *strings.Builder
	opts    Options
	tree    string
	folder  string
	forward bool
	common  common
}

// about sets tree, folder and forward from the answer.
func (p *page) about(a *table.Answer) {
	p.tree, p.forward = a.Target.Tree, a.Operation == table.Callees || a.Operation == table.Dependencies
	if a.Target.Kind == table.PackageKind && strings.HasSuffix(a.Target.Symbol, "/") {
		p.folder = a.Target.Symbol
	}
}

// passives has the words for relations as seen from their targets.
var passives = map[record.Relation]string{
	record.Imports: "imported by", record.Calls: "called by", record.Instantiates: "instantiated by", record.Uses: "used by",
	record.Extends: "extended by", record.Implements: "implemented by", record.Embeds: "embedded by", record.Passes: "passed by",
}

// tie returns a result's relation and the symbol or file at the other end of its edge. Paths below the target's folder are
// shortened to "…/" and the rest.
func (p *page) tie(relation string, h *table.Hit) string {
	via := h.Via
	if rest, ok := strings.CutPrefix(via, p.folder); ok && p.folder != "" && rest != "" {
		via = "…/" + rest
	}
	via = p.common.short(via)
	if passive := passives[h.Relation]; (p.forward || h.Up) && passive != "" {
		relation = passive
	}
	return relation + " " + via
}

func (p page) paint(style, text string) string { return terminal.Paint(p.opts.Color, style, text) }

// head writes the first line: the operation and the target.
func (p page) head(a *table.Answer) {
	what := strings.ReplaceAll(string(a.Operation), "_", " ") + " of "
	from, to := a.Target, a.To
	if a.Operation == table.Path {
		what = "path from "
		if a.Reversed {
			from, to = to, from
			what = "path the other way, from "
		}
	}
	p.b.WriteString(what + p.symbol(from))
	if to != nil {
		p.b.WriteString(" to " + p.symbol(to))
	}
	p.b.WriteString("\n")
	if also := Also(a, p.opts); also != "" {
		p.b.WriteString(p.paint(dimStyle, also) + "\n")
	}
}

// Also returns a line with the other symbols that have the name of the target, "" if there are none.
func Also(a *table.Answer, opts Options) string {
	var names []string
	for i := range a.Also {
		names = append(names, opts.Name(&a.Also[i])+" "+opts.Place(&a.Also[i]))
	}
	if len(names) == 0 {
		return ""
	}
	text := "also " + strings.Join(names, ", ")
	if more := a.AlsoFound - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// symbol returns the name, kind and place of a symbol.
func (p page) symbol(s *table.Symbol) string {
	text := p.paint(nameStyle, p.opts.Name(s))
	if s.FilePath == "" || s.Symbol == s.FilePath {
		return text
	}
	overloads := ""
	if n := len(s.Overloads); n > 0 {
		overloads = fmt.Sprintf(", %d overloads: %s", n, several(s.Overloads))
	}
	return fmt.Sprintf("%s (%s, %s:%d%s)", text, clean(string(s.Kind)), p.paint(pathStyle, p.opts.path(s.FilePath, s.Tree)), max(s.StartLine, 1), overloads)
}

// several returns the first 8 numbers, separated by commas.
func several(list []int) string {
	const most = 8
	var parts []string
	for _, n := range list[:min(len(list), most)] {
		parts = append(parts, strconv.Itoa(n))
	}
	if len(list) > most {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}

// clean returns the text without line breaks and control characters.
func clean(text string) string { return terminal.Clean(shorten.Line(text)) }

// A Format is an output format.
type Format string

// The formats.
const (
	Pretty   Format = "pretty"
	Brief    Format = "text"
	JSON     Format = "json"
	Quickfix Format = "quickfix"
	DOT      Format = "dot"
	Mermaid  Format = "mermaid"
)

// Formats lists every Format.
var Formats = []Format{Pretty, Brief, JSON, Quickfix, DOT, Mermaid}

// IsDrawing reports whether the format is a drawing, which has at most MaxDrawn nodes.
func (f Format) IsDrawing() bool { return f == DOT || f == Mermaid }
