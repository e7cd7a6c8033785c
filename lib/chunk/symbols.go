package chunk

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"cortex/lib/chunk/label"
	"cortex/lib/notation"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// outline adds the chunks that describe the file in plain words: what it is about, what it imports and declares, and on
// which lines. A search for a file finds them.
func (c *cutter) outline() {
	o := outlineText{c: c}
	about := c.about()
	if len(c.nodes) == 1 && len(c.f.Imports) == 0 && about == "" {
		return
	}
	o.header(about)
	o.section("import", "imports", len(c.f.Imports))
	o.list(c.f.Imports)
	types, functions, values := o.sort()
	o.section("type", "types", len(types))
	o.symbols(types)
	o.section("function", "functions", len(functions))
	o.symbols(functions)
	o.section("value", "values", len(values))
	o.listSome(values)
	o.flush()
	for _, chunk := range c.chunks {
		chunk.Metadata.ImportsCount = len(c.f.Imports)
		chunk.Metadata.TypesCount = len(types)
		chunk.Metadata.FunctionsCount = len(functions)
	}
}

type outlineText struct {
	c     *cutter
	text  strings.Builder
	size  int
	parts int
}

// header writes what the file is: the words of its path, its length and its leading comment.
func (o *outlineText) header(about string) {
	c := o.c
	o.line(c.f.FilePath + ": " + strings.Join(words(c.f.FilePath), " "))
	what := strconv.Itoa(c.src.Count()) + " lines"
	if c.f.Language != "" {
		what += " of " + c.f.Language
	}
	if c.f.Package != "" {
		what += ", package " + label.Line(c.f.Package, label.MaxName)
	}
	o.line(what)
	if about != "" {
		o.line(about)
	}
}

// sort returns the nodes of types and of functions, and the names of values. It leaves out fields of types, and
// declarations inside functions that are no containers.
func (o *outlineText) sort() (types, functions []int, values []string) {
	nodes := o.c.nodes
	for k := 1; k < len(nodes); {
		kind := nodes[k].sym.Kind
		switch {
		case kind.IsCallable():
			functions = append(functions, k)
			if !o.c.isContainer(k) {
				k = nodes[k].next
				continue
			}
		case kind.IsType() || kind == record.Module:
			types = append(types, k)
		case nodes[k].parent == 0 || !nodes[nodes[k].parent].sym.Kind.IsType():
			values = append(values, nodes[k].declared()...)
		}
		k++
	}
	return types, functions, values
}

// section writes the heading of a group with its count.
func (o *outlineText) section(one, many string, count int) {
	switch {
	case count == 1:
		o.line("1 " + one + ":")
	case count > 1:
		o.line(strconv.Itoa(count) + " " + many + ":")
	}
}

// list writes names, about 100 characters to a line.
func (o *outlineText) list(names []string) {
	const width = 100
	line := ""
	for _, name := range names {
		name = label.Line(name, label.MaxName)
		if line != "" && len(line)+len(name) > width {
			o.line("  " + line + ",")
			line = ""
		}
		if line != "" {
			line += ", "
		}
		line += name
	}
	if line != "" {
		o.line("  " + line)
	}
}

// listSome writes as many names as fill a chunk. A style sheet or a table of messages has thousands, which the data
// tier shows.
func (o *outlineText) listSome(names []string) {
	size := 0
	for i, name := range names {
		if size += utf8.RuneCountInString(name) + len(", "); size > o.c.opts.CodeSize {
			o.list(names[:i])
			o.line("  and " + strconv.Itoa(len(names)-i) + " more")
			return
		}
	}
	o.list(names)
}

func (o *outlineText) symbols(list []int) {
	for _, k := range list {
		n := &o.c.nodes[k]
		var about []string
		if len(n.more) > 0 {
			about = append(about, nameList(n.declared()[1:], label.MaxName))
		}
		if n.sym.Kind != record.Function {
			about = append(about, string(n.sym.Kind))
		}
		o.line(notation.OutlineLine(label.Of(n.sym), about, n.first+1, n.last))
	}
}

// line appends a line, to a new chunk if the current one is full.
func (o *outlineText) line(text string) {
	size := utf8.RuneCountInString(text) + 1
	if o.size > 0 && o.size+size > o.c.opts.CodeSize {
		o.flush()
		head := notation.ContinuedOutline(o.c.f.FilePath)
		o.text.WriteString(head)
		o.size = utf8.RuneCountInString(head)
	}
	if o.size > 0 {
		o.text.WriteByte('\n')
	}
	o.text.WriteString(text)
	o.size += size
}

func (o *outlineText) flush() {
	if o.size == 0 {
		return
	}
	o.parts++
	title := notation.PartTitle(o.c.f.FilePath+": outline", o.parts)
	whole := o.c.src.Span(0, o.c.src.Count())
	o.c.add(record.Symbols, notation.PartID("code-symbols-"+record.IDPath(o.c.path), o.parts), title, o.text.String(), whole, nil, false)
	o.text.Reset()
	o.size = 0
}

// about returns the first sentence of the comment at the beginning of the file, skipping licences.
func (c *cutter) about() string {
	const most = 200 // lines
	var block []string
	finish := func() string {
		text := strings.Join(block, " ")
		block = block[:0]
		if len(strings.Fields(text)) < 3 || isLegal(text) {
			return ""
		}
		return firstSentence(text, 300)
	}
	quoted := ""
	for i := range min(c.src.Count(), most) {
		line := strings.TrimSpace(c.src.Line(i))
		text, comment := c.uncomment(line)
		for _, quote := range []string{`"""`, `'''`} {
			switch {
			case quoted == quote && strings.Contains(line, quote):
				text, comment, quoted = strings.TrimSuffix(line, quote), true, ""
			case quoted == "" && !comment && strings.HasPrefix(strings.TrimLeft(line, "rRuU"), quote):
				text, comment = strings.Trim(strings.TrimLeft(line, "rRuU"), quote), true
				block = block[:0]
				if strings.Count(line, quote) == 1 {
					quoted = quote
				}
			}
		}
		switch {
		case quoted != "" && !comment:
			text, comment = line, true
		case strings.HasPrefix(line, "#!"):
			continue
		}
		if comment && text != "" {
			block = append(block, shorten.End(text, label.MaxName))
			continue
		}
		if found := finish(); found != "" {
			return found
		}
		if !comment && line != "" {
			return ""
		}
	}
	return finish()
}

// isLegal reports whether a comment is a licence or an instruction to a tool.
func isLegal(text string) bool {
	lower := strings.ToLower(text)
	for _, mark := range []string{"copyright", "license", "licence", "spdx", "go:build", "+build", "coding:", "coding=", "eslint", "@ts-", "prettier", "flake8", "pylint", "mypy:", "noqa"} {
		if strings.Contains(lower, mark) {
			return true
		}
	}
	return false
}
