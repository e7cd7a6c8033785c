package render

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/graph/table"
	"cortex/lib/record"
	"cortex/lib/terminal"
)

// brief writes an answer in few tokens, for assistants: one line for each result, results of one file below its path, and
// nothing that follows from the question.
func brief(a *table.Answer, opts Options) string {
	p := page{b: &strings.Builder{}, opts: opts}
	switch {
	case a.NotFound != "", a.Ambiguous != "":
		return pretty(a, opts)
	}
	p.about(a)
	p.head(a)
	if a.Operation != table.Path {
		p.inCommon(a, slices.Concat(withoutImports(a.Results), withoutImports(a.Tests)))
	}
	p.briefGroups(a, a.Results)
	info, _ := table.Info(string(a.Operation))
	if len(a.Results) == 0 && a.TotalFound == 0 {
		fmt.Fprintf(p.b, "no %s%s\n", info.Noun, omitted(a))
	} else if text := omitted(a); text != "" {
		fmt.Fprintf(p.b, "left out:%s\n", strings.TrimPrefix(text, " but"))
	}
	if len(a.Tests) > 0 {
		p.b.WriteString("tests that reach it\n")
		p.briefGroups(a, a.Tests)
	}
	return p.b.String()
}

// omitted returns a text on the results that the request excludes, as far as the note does not mention them.
func omitted(a *table.Answer) string {
	o := a.Omitted
	if o == nil {
		return ""
	}
	var parts []string
	add := func(n int, why string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, why))
		}
	}
	add(o.Path, "in files that path leaves out")
	add(o.Tests, "in tests")
	add(o.Code, "outside of tests")
	if a.Note == "" {
		add(o.LowConfidence, "less sure than min_confidence")
	}
	if parts == nil {
		return ""
	}
	return " but " + strings.Join(parts, ", ")
}

func (p page) briefGroups(a *table.Answer, hits []table.Hit) {
	if a.Operation != table.Path {
		hits = withoutImports(hits)
	}
	for len(hits) > 0 {
		n := 1
		for n < len(hits) && (a.Operation == table.Path || hits[n].Distance == hits[0].Distance) {
			n++
		}
		if hits[0].Distance > 1 && a.Operation != table.Path {
			fmt.Fprintf(p.b, "at distance %d\n", hits[0].Distance)
		}
		group := hits[:n]
		hits = hits[n:]
		if a.Operation == table.Path {
			for i := range group {
				h := group[i]
				h.Via = ""
				p.briefHit(a, &h, false)
			}
			continue
		}
		// Write the files in the order of their first results.
		for i := range group {
			file := group[i].FilePath
			if file == "" {
				p.briefHit(a, &group[i], false)
				continue
			}
			same := func(h table.Hit) bool { return h.FilePath == file }
			if slices.IndexFunc(group, same) < i {
				continue
			}
			below := slices.ContainsFunc(group[i+1:], same)
			if below {
				p.b.WriteString(p.opts.path(file, group[i].Tree) + "\n")
			}
			for j := range group[i:] {
				if h := &group[i+j]; same(*h) {
					p.briefHit(a, h, below)
				}
			}
		}
	}
}

// withoutImports removes imports of a symbol by a file that has another result for the same symbol.
func withoutImports(hits []table.Hit) []table.Hit {
	type use struct{ file, via string }
	used := map[use]bool{}
	for i := range hits {
		if h := &hits[i]; h.Relation != record.Imports {
			used[use{h.FilePath, h.Via}] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(hits), func(h table.Hit) bool {
		return h.Relation == record.Imports && h.Symbol.Symbol == h.FilePath && used[use{h.FilePath, h.Via}]
	})
}

// obvious has the main relation of each operation, which brief does not write.
var obvious = map[table.Operation]record.Relation{
	table.Callers: record.Calls, table.Callees: record.Calls, table.Path: record.Calls, table.Impact: record.Calls,
	table.Dependencies: record.Imports, table.Dependents: record.Imports,
	table.Implementations: record.Implements, table.TypeUsages: record.Uses, table.References: record.Uses,
}

// mixed reports whether the steps of a path have several relations, so that each step must name its own.
func mixed(a *table.Answer) bool {
	return slices.ContainsFunc(a.Results, func(h table.Hit) bool { return h.Relation != a.Results[0].Relation })
}

// briefHit writes a result: its lines, its name, and notes that do not follow from the question. below is set if the path of
// its file stands above.
func (p page) briefHit(a *table.Answer, h *table.Hit, below bool) {
	lines := h.Lines
	if h.LinesIn != "" || len(lines) == 0 {
		lines = []int{max(h.StartLine, 1)}
	}
	where := numbers(lines)
	if h.LinesIn == "" && h.More > 0 {
		where += fmt.Sprintf(" and %d more", h.More)
	}
	switch {
	case h.FilePath == "":
		p.b.WriteString(clean(p.common.short(h.Symbol.Symbol)))
	case below && h.Symbol.Symbol == h.FilePath:
		p.b.WriteString("  " + where)
	case below:
		p.b.WriteString("  " + where + " " + p.common.short(p.opts.Name(&h.Symbol)))
	case h.Symbol.Symbol == h.FilePath:
		p.b.WriteString(p.opts.path(h.FilePath, h.Tree) + ":" + where)
	default:
		p.b.WriteString(p.opts.path(h.FilePath, h.Tree) + ":" + where + " " + clean(p.common.short(h.Symbol.Symbol)))
	}
	notes := p.notCommon(a, h)
	if h.References > 1 {
		notes = append(notes, fmt.Sprintf("%d references", h.References))
	}
	if h.Test && a.Operation != table.Impact {
		notes = append(notes, "test")
	}
	switch {
	case h.LinesIn == "" || len(h.Lines) == 0:
	case isOfFiles(a) && h.LinesIn == h.Via && h.Via != a.Target.Symbol: // the file is named already
		notes[0] += ":" + numbers(h.Lines)
		if h.More > 0 {
			notes[0] += fmt.Sprintf(" and %d more", h.More)
		}
	default:
		at := ""
		if h.LinesIn != a.Target.FilePath || a.Operation == table.Path {
			at = p.opts.path(h.LinesIn, cmp.Or(h.Tree, p.tree)) + ":"
		}
		text := "at " + at + numbers(h.Lines)
		if h.More > 0 {
			text += fmt.Sprintf(" and %d more", h.More)
		}
		notes = append(notes, text)
	}
	if len(notes) > 0 {
		p.b.WriteString("  " + strings.Join(notes, ", "))
	}
	if h.Quote != "" {
		p.b.WriteString(": " + terminal.Clean(h.Quote))
	}
	p.b.WriteString("\n")
	for _, c := range h.Context {
		number := c.StartLine
		for text := range strings.SplitSeq(c.Text, "\n") {
			fmt.Fprintf(p.b, "    %d: %s\n", number, terminal.Clean(text))
			number++
		}
	}
}

func numbers(lines []int) string {
	var list []string
	for _, n := range slices.Compact(slices.Clone(lines)) {
		list = append(list, strconv.Itoa(n))
	}
	return strings.Join(list, ",")
}
