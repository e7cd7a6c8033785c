// Package render writes answers of package table: for people at a terminal (render.go), for assistants (brief.go), as JSON,
// for editors, and as drawings (draw.go). Open answer.go first; fit.go cuts an answer to a number of tokens.
package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/graph/table"
	"cortex/lib/terminal"
)

// MaxDrawn is the most nodes of a drawing.
const MaxDrawn = 40

func pretty(a *table.Answer, opts Options) string {
	p := page{b: &strings.Builder{}, opts: opts}
	switch {
	case a.Document: // the note says so
		return ""
	case a.NotFound != "":
		fmt.Fprintf(p.b, "nothing is named %q\n", clean(a.NotFound))
		p.symbols("near:", a.Near)
		return p.b.String()
	case a.Ambiguous != "":
		fmt.Fprintf(p.b, "%q is ambiguous, one of %d:\n", clean(a.Ambiguous), a.TotalFound)
		p.symbols("", a.Candidates)
		return p.b.String()
	}
	p.about(a)
	p.head(a)
	if a.Operation == table.Path {
		p.chain(a)
	} else {
		p.groups(a.Results)
	}
	if len(a.Tests) > 0 {
		fmt.Fprintf(p.b, "\n%s\n", p.paint(nameStyle, "tests that reach it"))
		p.groups(a.Tests)
	}
	if len(a.Results)+len(a.Tests) > 0 {
		info, _ := table.Info(string(a.Operation))
		summary := fmt.Sprintf("%d of %d %s", len(a.Results), a.TotalFound, info.Noun)
		if a.TestsFound > 0 {
			summary += fmt.Sprintf(", %d of %d tests", len(a.Tests), a.TestsFound)
		}
		fmt.Fprintf(p.b, "\n%s\n", p.paint(dimStyle, fmt.Sprintf("%s, %g ms", summary, a.Metadata.TookMS)))
	}
	return p.b.String()
}

func (p page) symbols(head string, list []table.Symbol) {
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

// groups writes hits by distance and file. Files come in the order of their first hits.
func (p page) groups(hits []table.Hit) {
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
					p.hit(&group[i])
				}
			}
		}
	}
}

// hit writes a result: its place, its name, its relation and how the edge was found.
func (p page) hit(h *table.Hit) {
	line, lines := h.StartLine, h.Lines
	if h.LinesIn == "" && len(lines) > 0 {
		line, lines = lines[0], lines[1:]
	}
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
	if h.Via != "" {
		relation = p.tie(relation, h)
	}
	add("%s", relation)
	if h.Through != "" {
		add("through %s", h.Through)
	}
	add("%s", sureness(h))
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
			fmt.Fprintf(p.b, "%s  %s\n", p.paint(lineStyle, fmt.Sprintf("%7d", number)), text)
			number++
		}
	}
}

// chain writes the steps of a path.
func (p page) chain(a *table.Answer) {
	if len(a.Results) > 0 {
		p.b.WriteString("\n")
	}
	for i := range a.Results {
		h := a.Results[i]
		h.Via = ""
		p.hit(&h)
	}
}

// quickfix writes path:line:column: text for each line of an edge, a format that editors read.
func quickfix(a *table.Answer, opts Options) string {
	var b strings.Builder
	for _, list := range [][]table.Hit{a.Results, a.Tests} {
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
			for _, line := range slices.Concat(lines, h.MoreLines) {
				tree := h.Tree
				if tree == "" && a.Target != nil {
					tree = a.Target.Tree
				}
				fmt.Fprintf(&b, "%s:%d:1: %s %s (%s)\n", opts.path(file, tree), line, clean(string(h.Relation)), opts.Name(&h.Symbol), sureness(h))
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

// sureness returns the rule by which the edge was found and its confidence, and that of the chain if a weaker edge
// precedes.
func sureness(h *table.Hit) string {
	if h.EdgeConfidence > 0 {
		return fmt.Sprintf("%s %.2f, chain %.2f", h.By, h.EdgeConfidence, h.Confidence)
	}
	return fmt.Sprintf("%s %.2f", h.By, h.Confidence)
}
