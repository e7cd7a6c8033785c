package chunk

import (
	"strings"
	"unicode/utf8"

	"cortex/lib/chunk/label"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// definitions adds the chunks of the file's types, each by itself, without the bodies of their methods, and of the
// signatures of its functions.
func (c *cutter) definitions() {
	count := c.count(func(n *node) bool { return n.sym.Kind.IsType() })
	types := packer{c: c, tier: record.Definitions, gather: c.sizeFor(count)}
	others := packer{c: c, tier: record.Definitions}
	c.defineChildren(&types, &others, 0)
	types.flush()
	others.flush()
}

func (c *cutter) defineChildren(types, others *packer, parent int) {
	// Declarations in neighbouring lines, such as macros, share one heading.
	var run piece
	flush := func() {
		if run.at.Last > 0 {
			others.add(run)
			run = piece{}
		}
	}
	defer flush()
	for k := range c.children(parent) {
		n := &c.nodes[k]
		if n.inData && n.sym.Kind.IsCallable() {
			continue // a macro that stands for a value
		}
		if n.sym.Kind.IsCallable() && !n.hasBody() {
			q := c.verbatim(k, 0, n.lead, n.end)
			if run.at.Last != n.lead || n.lead == 0 || c.src.Size(run.at.First, n.end) > c.opts.CodeSize {
				flush()
				run = q
				continue
			}
			run.at = c.src.Span(run.at.First, n.end)
			run.node, run.shown[1], run.test = 0, n.end, run.test && q.test
			run.names = append(run.names, q.names...)
			continue
		}
		flush()
		switch {
		case n.sym.Kind.IsCallable():
			others.add(c.signature(k, 0))
		case n.sym.Kind.IsType():
			types.begin(label.Of(n.sym), c.src.Size(n.lead, n.end))
			c.defineType(types, k, 0)
		case n.sym.Kind == record.Module:
			others.add(c.verbatim(k, 0, n.lead, c.headerEnd(k)))
			c.defineChildren(types, others, k)
		default:
			c.defineChildren(types, others, k)
		}
	}
}

// defineType adds the lines of declaration k that are not in the body of a function.
func (c *cutter) defineType(p *packer, k, within int) {
	n := &c.nodes[k]
	if !n.hasFunctions() {
		p.add(c.verbatim(k, within, n.lead, n.end))
		return
	}
	at, head := n.lead, true
	gap := func(end int) {
		first, last := c.src.Trim(at, end)
		switch {
		case first == last:
			return
		case head:
			q := c.verbatim(k, within, first, last)
			if c.src.Size(first, last) <= c.opts.CodeSize {
				// The heading names the lines of the whole declaration.
				q.text = c.src.Slice(q.at)
				c.cover(first, last)
				q.at.Last = max(last, n.last)
				q.at.To = c.src.Span(first, q.at.Last).To
			}
			p.add(q)
		default:
			q := c.verbatim(0, k, first, last)
			q.closing = c.allTrivial(first, last)
			p.add(q)
		}
		head = false
	}
	for child := range c.children(k) {
		m := &c.nodes[child]
		switch {
		case m.hasBody():
			gap(m.lead)
			p.add(c.signature(child, k))
		case m.hasFunctions():
			gap(m.lead)
			c.defineType(p, child, k)
		default:
			continue
		}
		at = m.end
	}
	gap(n.end)
}

// headerEnd returns the line after the one on which the body of k begins.
func (c *cutter) headerEnd(k int) int {
	n := &c.nodes[k]
	end := n.first + 1
	for end < n.last && c.src.Start[end] <= n.sym.BodyByte {
		end++
	}
	if end < n.next && c.nodes[k].next > k+1 {
		end = min(end, max(c.nodes[k+1].lead, n.first+1))
	}
	return end
}

// signature returns a piece that shows a function without its body.
func (c *cutter) signature(k, within int) piece {
	n := &c.nodes[k]
	if !n.hasBody() {
		return c.verbatim(k, within, n.lead, n.end)
	}
	at := c.src.Span(n.doc, n.last)
	return piece{node: k, within: within, names: n.declared(), at: at,
		text: c.documented(n), signature: true, shown: [2]int{n.first, n.first + 1}, test: c.isTest(k)}
}

// declaration returns the text of a function up to its body.
func (c *cutter) declaration(n *node) string {
	from, to := c.src.Start[n.first], n.sym.BodyByte
	if to > from && to <= c.src.Start[n.last] && (to == len(c.src.Text) || utf8.RuneStart(c.src.Text[to])) {
		if text := c.withoutComments(c.src.Text[from:to]); text != "" {
			return shorten.End(text, c.opts.CodeSize/2)
		}
	}
	if n.sym.Signature == "" {
		return label.Of(n.sym)
	}
	return label.Line(n.sym.Signature, c.opts.CodeSize/2)
}

// withoutComments removes comment lines at the end of a text. In languages with significant indentation, such comments
// stand between the signature and the body.
func (c *cutter) withoutComments(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	for {
		i := strings.LastIndexByte(text, '\n')
		if i < 0 || !strings.HasPrefix(strings.TrimLeft(text[i+1:], " \t"), c.lang.Comment) {
			return text
		}
		text = strings.TrimRight(text[:i], " \t\r\n")
	}
}

// documented returns the declaration of a function with its documentation comment. A long comment is cut, since the
// implementations tier has all of it. A comment inside the body is written below the declaration. The line numbers in
// the comment above the declaration stay correct even if lines are left out.
func (c *cutter) documented(n *node) string {
	limit := c.opts.CodeSize / 3
	declaration := c.declaration(n)
	line := c.src.Line(n.first)
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if n.doc < n.first {
		if last := c.src.fit(n.doc, n.first, limit); last < n.first {
			return c.src.Text[c.src.Start[n.doc]:c.src.Start[last]] + indent + c.linesComment(n.first, n.last) + "\n" + declaration
		}
		return c.src.Text[c.src.Start[n.doc]:c.src.Start[n.first]] + declaration
	}
	if n.sym.Doc == "" {
		return declaration
	}
	var b strings.Builder
	b.WriteString(declaration)
	for doc := range strings.Lines(shorten.End(strings.TrimSpace(n.sym.Doc), limit)) {
		b.WriteString("\n" + indent + "    ")
		b.WriteString(strings.TrimRight(c.comment(label.Line(strings.TrimRight(doc, "\r\n"), limit)), " "))
	}
	return b.String()
}
