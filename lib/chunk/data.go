package chunk

import (
	"strings"

	"cortex/lib/chunk/label"
	"cortex/lib/record"
)

// data adds the chunks of the file's values: constants, variables with their initial values, enumerations, macros that
// stand for values, and defaults of fields. A chunk of code has few values, since one among many is found neither by its
// words nor by its meaning. Keys of configuration are packed into chunks of the usual size.
func (c *cutter) data() {
	values := c.count((*node).holdsValue)
	d := dataTier{packer: packer{c: c, tier: record.Data, gather: c.sizeFor(values)}, c: c, few: c.sizeFor(values + many)}
	d.children(0)
	d.flushRun()
	d.flush()
}

type dataTier struct {
	packer
	c *cutter
	// run joins neighbouring declarations under one heading. If they are of code, they are a chunk, named runName.
	run     piece
	count   int
	runName string
	// together says that the runs are of one value, whose functions they leave out.
	together bool
	// few is the greatest size of a run of values of code.
	few int
}

func (d *dataTier) children(parent int) {
	for k := range d.c.children(parent) {
		n := &d.c.nodes[k]
		switch {
		case n.isValueMacro():
			d.value(k, n.lead, n.end)
		case n.sym.Kind.IsCallable():
		case n.sym.Kind == record.Module:
			d.children(k)
		case n.sym.Kind.IsType():
			if n.sym.Kind == record.Enum && !n.hasFunctions() {
				d.value(k, n.lead, n.end)
				continue
			}
			d.fields(k)
		case n.holdsValue() && n.hasFunctions():
			d.flushRun()
			d.begin(label.Of(n.sym), d.c.src.Size(n.lead, n.end))
			d.together = true
			d.around(k)
			d.flushRun()
			d.together = false
		case n.holdsValue():
			d.value(k, n.lead, n.end)
		}
	}
}

// fields adds the fields of a type that have a value.
func (d *dataTier) fields(parent int) {
	for k := range d.c.children(parent) {
		n := &d.c.nodes[k]
		switch {
		case n.sym.Kind.IsType():
			if n.sym.Kind == record.Enum && !n.hasFunctions() {
				d.value(k, n.doc, n.last)
				continue
			}
			d.fields(k)
		case n.holdsValue() && !n.hasFunctions() && (n.sym.Kind == record.Constant || d.assigned(n)):
			d.value(k, n.doc, n.last)
		}
	}
}

func (d *dataTier) assigned(n *node) bool {
	return strings.Contains(d.c.src.Slice(d.c.src.Span(n.first, n.last)), "=")
}

// around adds the lines of a value without the functions in it, such as an object without its methods.
func (d *dataTier) around(k int) {
	n := &d.c.nodes[k]
	at := n.lead
	for child := range d.c.children(k) {
		m := &d.c.nodes[child]
		if !m.hasBody() && !m.hasFunctions() {
			continue
		}
		d.value(k, at, m.lead)
		if m.hasFunctions() && !m.sym.Kind.IsCallable() && !m.sym.Kind.IsType() {
			d.around(child)
		}
		at = m.end
	}
	d.value(k, at, n.end)
}

// value adds lines of declaration k to the run.
func (d *dataTier) value(k, first, last int) {
	first, last = d.c.src.Trim(first, last)
	if first == last || d.c.allTrivial(first, last) && first >= d.c.nodes[k].last {
		return
	}
	n, most := &d.c.nodes[k], d.few
	n.inData = true
	if n.sym.Kind.IsType() {
		for i := k + 1; i < n.next; i++ {
			d.c.nodes[i].inData = true
		}
	}
	if n.isConfiguration() {
		most = d.c.opts.CodeSize
	}
	q := d.c.verbatim(k, 0, first, last)
	if d.count > 0 && d.run.at.Last == first && d.c.src.Size(d.run.at.First, last) <= most {
		d.run.at = d.c.src.Span(d.run.at.First, last)
		d.run.shown[1] = last
		d.run.test = d.run.test && q.test
		d.run.names = append(d.run.names, q.names...)
		d.run.node = 0
		return
	}
	d.flushRun()
	d.run, d.count, d.runName = q, 1, ""
	if !n.isConfiguration() {
		d.runName = label.Of(n.sym)
	}
}

func (d *dataTier) flushRun() {
	if d.count == 0 {
		return
	}
	if !d.together && (d.runName != "" || d.name != "") {
		d.begin(d.runName, d.c.src.Size(d.run.at.First, d.run.at.Last))
	}
	d.add(d.run)
	d.count = 0
}
