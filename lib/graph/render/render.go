// Package render writes the answers of package graph for people at a terminal, for programs, for editors, and as drawings.
package render

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"cortex/lib/graph"
	"cortex/lib/terminal"
)

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

// Options say how an answer is written.
type Options struct {
	Format Format
	// Color asks for the escape sequences of terminals.
	Color bool
	// View says from where the reader sees the files.
	View terminal.View
}

// The styles, as parameters of SGR.
const (
	pathStyle, lineStyle, nameStyle, dimStyle = "35", "32", "1", "2"
)

// MaxDrawn is how many nodes a drawing has.
const MaxDrawn = 40

// Answer writes an answer.
func Answer(w io.Writer, a *graph.Answer, opts Options) error {
	var text string
	switch opts.Format {
	case Brief:
		text = brief(a, opts)
	case JSON:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(a)
	case Quickfix:
		text = quickfix(a, opts)
	case DOT:
		text = dot(a.Draw(MaxDrawn), opts)
	case Mermaid:
		text = mermaid(a.Draw(MaxDrawn), opts)
	default:
		text = pretty(a, opts)
	}
	_, err := io.WriteString(w, text)
	return err
}

// Hit is one result as it stands in the answer, which may be asked for its size.
func Hit(h *graph.Hit, opts Options) string {
	if opts.Format == JSON {
		text, _ := json.Marshal(h)
		return string(text)
	}
	p := page{opts: opts, b: &strings.Builder{}}
	if opts.Format == Brief {
		// As much as it takes at most: below the path of its file it takes less.
		p.briefHit(&graph.Answer{Target: &graph.Symbol{}}, h, false)
		return p.b.String()
	}
	p.hit(h, "")
	return p.b.String()
}

// A page is text that is written. Tree is that of the target.
type page struct {
	b    *strings.Builder
	opts Options
	tree string
}

func (p page) paint(style, text string) string {
	if !p.opts.Color || text == "" {
		return text
	}
	return terminal.Paint(style, text)
}

// clean is the text as a part of a line.
func clean(text string) string { return terminal.Clean(strings.Join(strings.Fields(text), " ")) }

// path is the way to a file from where the reader is.
func (o Options) path(treePath, tree string) string {
	if treePath == "" {
		return ""
	}
	return terminal.Clean(o.View.Path(tree, treePath))
}

// Place is where a symbol is, as the reader sees it.
func (o Options) Place(s *graph.Symbol) string {
	if s.FilePath == "" {
		return clean(s.Symbol)
	}
	return fmt.Sprintf("%s:%d", o.path(s.FilePath, s.Tree), max(s.StartLine, 1))
}

// Name is the name of a symbol; that of a file or folder is the way to it.
func (o Options) Name(s *graph.Symbol) string {
	switch {
	case s.FilePath != "" && s.Symbol == s.FilePath:
		return o.path(s.FilePath, s.Tree)
	case s.Kind == graph.PackageKind && !strings.Contains(s.Symbol, ":"): // what has a colon is in a tree with a name
		return o.path(s.Symbol, "") + "/"
	}
	return clean(s.Symbol)
}

func pretty(a *graph.Answer, opts Options) string {
	p := page{b: &strings.Builder{}, opts: opts}
	switch {
	case a.NotFound != "":
		fmt.Fprintf(p.b, "nothing is named %q\n", clean(a.NotFound))
		p.symbols("near:", a.Near)
		return p.b.String()
	case a.Ambiguous != "":
		fmt.Fprintf(p.b, "%q is ambiguous, one of %d:\n", clean(a.Ambiguous), a.TotalFound)
		p.symbols("", a.Candidates)
		return p.b.String()
	}
	p.tree = a.Target.Tree
	p.head(a)
	if a.Operation == graph.Path {
		p.chain(a)
	} else {
		p.groups(a.Results)
	}
	if len(a.Tests) > 0 {
		fmt.Fprintf(p.b, "\n%s\n", p.paint(nameStyle, "tests that reach it"))
		p.groups(a.Tests)
	}
	if len(a.Results)+len(a.Tests) > 0 {
		info, _ := graph.Info(string(a.Operation))
		summary := fmt.Sprintf("%d of %d %s", len(a.Results), a.TotalFound, info.Noun)
		if a.TestsFound > 0 {
			summary += fmt.Sprintf(", %d of %d tests", len(a.Tests), a.TestsFound)
		}
		fmt.Fprintf(p.b, "\n%s\n", p.paint(dimStyle, fmt.Sprintf("%s, %g ms", summary, a.Metadata.TookMS)))
	}
	return p.b.String()
}

// head says what was asked about.
func (p page) head(a *graph.Answer) {
	what := strings.ReplaceAll(string(a.Operation), "_", " ") + " of "
	from, to := a.Target, a.To
	if a.Operation == graph.Path {
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
}

// symbol is a symbol in a line: name, kind, place.
func (p page) symbol(s *graph.Symbol) string {
	text := p.paint(nameStyle, p.opts.Name(s))
	if s.FilePath == "" || s.Symbol == s.FilePath {
		return text
	}
	return fmt.Sprintf("%s (%s, %s:%d)", text, clean(string(s.Kind)), p.paint(pathStyle, p.opts.path(s.FilePath, s.Tree)), max(s.StartLine, 1))
}

func (p page) symbols(head string, list []graph.Symbol) {
	if head != "" && len(list) > 0 {
		p.b.WriteString(head + "\n")
	}
	for i := range list {
		s := &list[i]
		text := clean(string(s.Kind)) + " " + p.opts.Name(s)
		if s.FilePath == "" {
			fmt.Fprintf(p.b, "  %s\n", text)
			continue
		}
		fmt.Fprintf(p.b, "  %s:%s  %s\n", p.paint(pathStyle, p.opts.path(s.FilePath, s.Tree)), p.paint(lineStyle, fmt.Sprint(max(s.StartLine, 1))), text)
	}
}

// groups writes hits by distance and file, files in the order of their first hit.
func (p page) groups(hits []graph.Hit) {
	for distance := 0; len(hits) > 0; distance++ {
		n := 0
		for n < len(hits) && hits[n].Distance <= distance {
			n++
		}
		if n == 0 {
			continue
		}
		group := hits[:n]
		hits = hits[n:]
		var files []string
		for i := range group {
			if file := group[i].FilePath; !slices.Contains(files, file) {
				files = append(files, file)
			}
		}
		if distance > 1 {
			fmt.Fprintf(p.b, "\n%s\n", p.paint(dimStyle, fmt.Sprintf("at distance %d", distance)))
		}
		for _, file := range files {
			if distance <= 1 || len(files) > 1 {
				p.b.WriteString("\n")
			}
			for i := range group {
				if group[i].FilePath == file {
					p.hit(&group[i], "")
				}
			}
		}
	}
}

// hit writes a result: where it is, what it is, and how the edge was found.
func (p page) hit(h *graph.Hit, indent string) {
	line, lines := h.StartLine, h.Lines
	if h.LinesIn == "" && len(lines) > 0 {
		line, lines = lines[0], lines[1:]
	}
	p.b.WriteString(indent)
	if h.FilePath != "" {
		fmt.Fprintf(p.b, "%s:%s  ", p.paint(pathStyle, p.opts.path(h.FilePath, h.Tree)), p.paint(lineStyle, fmt.Sprint(max(line, 1))))
	}
	if h.Symbol.Symbol != h.FilePath {
		p.b.WriteString(p.paint(nameStyle, clean(h.Symbol.Symbol)) + "  ")
	}
	var notes []string
	add := func(format string, args ...any) { notes = append(notes, clean(fmt.Sprintf(format, args...))) }
	relation := string(h.Relation)
	if h.Up {
		relation = "is what it " + relation
	}
	add("%s", relation)
	if h.Via != "" {
		add("%s", h.Via)
		notes = []string{strings.Join(notes, " ")}
	}
	if h.Through != "" {
		add("through %s", h.Through)
	}
	add("%s %.2f", h.By, h.Confidence)
	if h.References > 1 {
		add("%d references", h.References)
	}
	if h.Test {
		add("test")
	}
	if len(lines) > 0 {
		at := "also "
		if h.LinesIn != "" {
			at = "at " + p.opts.path(h.LinesIn, cmp.Or(h.Tree, p.tree)) + ":"
		}
		var numbers []string
		for _, n := range lines {
			numbers = append(numbers, fmt.Sprint(n))
		}
		if h.More > 0 {
			numbers = append(numbers, fmt.Sprintf("and %d more", h.More))
		}
		add("%s%s", at, strings.Join(numbers, ", "))
	}
	fmt.Fprintf(p.b, "%s\n", p.paint(dimStyle, strings.Join(notes, " · ")))
	for _, c := range h.Context {
		number := c.StartLine
		for text := range strings.SplitSeq(c.Text, "\n") {
			text = terminal.Clean(text)
			fmt.Fprintf(p.b, "%s%s  %s\n", indent, p.paint(lineStyle, fmt.Sprintf("%7d", number)), text)
			number++
		}
	}
}

// chain writes the steps of a path.
func (p page) chain(a *graph.Answer) {
	if len(a.Results) > 0 {
		p.b.WriteString("\n")
	}
	for i := range a.Results {
		h := a.Results[i]
		h.Via = ""
		p.hit(&h, "")
	}
}

// quickfix writes a line for each line of an edge, as editors read them: path:line:column: text.
func quickfix(a *graph.Answer, opts Options) string {
	var b strings.Builder
	for _, list := range [][]graph.Hit{a.Results, a.Tests} {
		for i := range list {
			h := &list[i]
			file, lines := h.LinesIn, h.Lines
			if len(lines) == 0 || file == "" {
				file = h.FilePath
			}
			if len(lines) == 0 {
				lines = []int{max(h.StartLine, 1)}
			}
			if file == "" {
				continue
			}
			for _, line := range lines {
				tree := h.Tree
				if tree == "" && a.Target != nil {
					tree = a.Target.Tree
				}
				fmt.Fprintf(&b, "%s:%d:1: %s %s (%s %.2f)\n", opts.path(file, tree), line, clean(string(h.Relation)), opts.Name(&h.Symbol), h.By, h.Confidence)
			}
		}
	}
	for i := range a.Candidates {
		s := &a.Candidates[i]
		if s.FilePath != "" {
			fmt.Fprintf(&b, "%s:%d:1: %s %s\n", opts.path(s.FilePath, s.Tree), max(s.StartLine, 1), clean(string(s.Kind)), opts.Name(s))
		}
	}
	return b.String()
}
