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

// The styles, as parameters of SGR.
const (
	pathStyle, lineStyle, nameStyle, dimStyle = "35", "32", "1", "2"
)

// Options say how an answer is written.
type Options struct {
	Format Format
	// Color asks for the escape sequences of terminals.
	Color bool
	// View says from where the reader sees the files.
	View terminal.View
}

// path is the way to a file from where the reader is.
func (o Options) path(treePath, tree string) string {
	if treePath == "" {
		return ""
	}
	return terminal.Clean(o.View.Path(tree, treePath))
}

// Place is where a symbol is, as the reader sees it.
func (o Options) Place(s *table.Symbol) string {
	if s.FilePath == "" {
		return clean(s.Symbol)
	}
	return fmt.Sprintf("%s:%d", o.path(s.FilePath, s.Tree), max(s.StartLine, 1))
}

// Name is the name of a symbol; that of a file or folder is the way to it.
func (o Options) Name(s *table.Symbol) string {
	switch {
	case s.FilePath != "" && s.Symbol == s.FilePath:
		return o.path(s.FilePath, s.Tree)
	case s.Kind == table.PackageKind && !strings.Contains(s.Symbol, ":"): // what has a colon is in a tree with a name
		return o.path(s.Symbol, "") + "/"
	}
	return clean(s.Symbol)
}

// A page is text that is being written. Of the target, tree is its tree and folder its path if it is a folder; forward tells that edges lead from the target to the results.
type page struct {
	b       *strings.Builder
	opts    Options
	tree    string
	folder  string
	forward bool
}

// about sets the tree, the folder and the direction of edges to those of the answer.
func (p *page) about(a *table.Answer) {
	p.tree, p.forward = a.Target.Tree, a.Operation == table.Callees || a.Operation == table.Dependencies
	if a.Target.Kind == table.PackageKind && strings.HasSuffix(a.Target.Symbol, "/") {
		p.folder = a.Target.Symbol
	}
}

// passives are the relations as seen from their targets.
var passives = map[record.Relation]string{
	record.Imports: "imported by", record.Calls: "called by", record.Instantiates: "instantiated by", record.Uses: "used by",
	record.Extends: "extended by", record.Implements: "implemented by", record.Embeds: "embedded by", record.Passes: "passed by",
}

// tie names a result's relation and the symbol or file that leads to the result. A file in the folder that was asked about is named from that folder on.
func (p *page) tie(relation string, h *table.Hit) string {
	via := h.Via
	if rest, ok := strings.CutPrefix(via, p.folder); ok && p.folder != "" && rest != "" {
		via = "…/" + rest
	}
	if passive := passives[h.Relation]; p.forward && passive != "" {
		relation = passive
	}
	return relation + " " + via
}

func (p page) paint(style, text string) string { return terminal.Paint(p.opts.Color, style, text) }

// head says what was asked about.
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

// Also names what else has the name of the target, "" if nothing has.
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

// symbol is a symbol in a line: name, kind, place.
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

// several are numbers in a sentence, which is not long.
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

// clean is the text as a part of a line.
func clean(text string) string { return terminal.Clean(shorten.Line(text)) }

// A Format is how an answer is written.
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

// IsDrawing tells the formats of drawings, which have few results.
func (f Format) IsDrawing() bool { return f == DOT || f == Mermaid }
