package parse

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/record"
)

// merged is one fact for each name, with the attributes that belong to it, in the
// order in which symbols stand.
func (x *extraction) merged() []fact {
	slices.SortFunc(x.values, func(a, b value) int { return byStart(a.at, b.at) })
	x.facts = slices.DeleteFunc(x.facts, func(f fact) bool {
		return f.valueFunction && f.value.end > 0 && x.valueAt(f.value) == nil
	})
	for i := range x.facts {
		x.resolve(&x.facts[i])
	}
	sortStable(x.facts, func(a, b *fact) int {
		return cmp.Or(cmp.Compare(a.name.start, b.name.start), cmp.Compare(a.pattern, b.pattern))
	})
	out := slices.Grow(x.out[:0], len(x.facts)+len(x.scopes))
	for i := 0; i < len(x.facts); {
		f := x.facts[i]
		for i++; i < len(x.facts) && x.facts[i].name == f.name; i++ {
			f.add(x.facts[i])
		}
		if f.kind != "" {
			x.trim(&f)
			if f.body >= f.around.end {
				f.body = 0
			}
			f.signature = f.around.start
			out = append(out, f)
		}
	}
	for _, f := range x.scopes {
		f.signature = f.around.start
		out = append(out, f)
	}
	x.attachAll(out)
	if slices.ContainsFunc(out, func(f fact) bool { return f.level > 0 }) {
		sortStable(out, outerFirst)
		x.reach(out)
	}
	sortStable(out, outerFirst)
	x.out = out
	return out
}

// sortStable sorts facts, which are large and mostly in order.
func sortStable(facts []fact, compare func(a, b *fact) int) {
	sorted := true
	for i := 1; sorted && i < len(facts); i++ {
		sorted = compare(&facts[i-1], &facts[i]) <= 0
	}
	if sorted {
		return
	}
	order := make([]*fact, len(facts))
	for i := range facts {
		order[i] = &facts[i]
	}
	slices.SortStableFunc(order, compare)
	out := make([]fact, len(facts))
	for i, f := range order {
		out[i] = *f
	}
	copy(facts, out)
}

// maxTrailing bounds how many comments are taken from the end of a definition. Definitions that nest may end in one place.
const maxTrailing = 10_000

// trim takes blanks from both ends of a definition, and from its end comments that belong to
// what follows: where blocks are indentation, a grammar ends them only at the next token.
func (x *extraction) trim(f *fact) {
	for f.around.start < f.name.start && isSpace(x.text[f.around.start]) {
		f.around.start++
	}
	for range maxTrailing {
		if f.around.end <= f.name.end {
			return
		}
		end := max(f.name.end, f.around.start+len(strings.TrimRight(x.text[f.around.start:f.around.end], " \t\r\n")))
		f.around.end = end
		n, _ := x.commentAt(end)
		if n == 0 {
			return
		}
		c := x.comments[n-1]
		if c.start < f.name.end || c.start+len(strings.TrimRight(x.text[c.start:c.end], "\r\n")) != end ||
			!x.startsLine(c.start) || x.column(c.start) > x.column(f.around.start) {
			return
		}
		f.around.end = c.start - x.column(c.start)
	}
}

// outerFirst is the order in which symbols stand.
func outerFirst(a, b *fact) int {
	return cmp.Or(cmp.Compare(a.around.start, b.around.start), cmp.Compare(b.around.end, a.around.end),
		cmp.Compare(a.name.start, b.name.start))
}

// reach lets each definition with a level end where the next one of that level or a
// higher one begins, or the definition around it ends.
func (x *extraction) reach(facts []fact) {
	ends := make([]int, len(facts)) // of what is around each fact
	var open []span
	for i := range facts {
		f := &facts[i]
		for len(open) > 0 && open[len(open)-1].end < f.around.end {
			open = open[:len(open)-1]
		}
		ends[i] = len(x.text)
		if len(open) > 0 {
			ends[i] = open[len(open)-1].end
		}
		if f.level == 0 {
			open = append(open, f.around)
		}
	}
	var next [maxReach + 1]int // where the next definition of each level begins
	for level := range next {
		next[level] = len(x.text)
	}
	for i := len(facts) - 1; i >= 0; i-- {
		f := &facts[i]
		if f.level == 0 {
			continue
		}
		if f.body == 0 {
			f.body = f.around.end
		}
		stop := ends[i]
		for _, start := range next[1 : f.level+1] {
			stop = min(stop, start)
		}
		next[f.level] = f.around.start
		if first, ok := x.commentsAbove(f.around.start); ok {
			next[f.level] = first
		}
		stop = max(stop, f.around.end)
		f.around.end = f.around.start + len(strings.TrimRight(x.text[f.around.start:stop], " \t\r\n"))
	}
}

// maxAttributes bounds how many attributes one definition has.
const maxAttributes = 100

// valueAt is the function or class that is the node at s, or nil.
func (x *extraction) valueAt(s span) *value {
	i, found := slices.BinarySearchFunc(x.values, s, func(v value, s span) int { return byStart(v.at, s) })
	if !found {
		return nil
	}
	return &x.values[i]
}

// resolve makes a definition whose value is a function or class one of that.
func (x *extraction) resolve(f *fact) {
	if f.kind == "" || f.value.end == 0 {
		return
	}
	v := x.valueAt(f.value)
	if v == nil {
		return
	}
	switch {
	case v.kind == record.Class:
		f.kind = v.kind
	case f.kind == record.Field:
		f.kind = record.Method
	case f.kind.IsData():
		f.kind = record.Function
	}
	if x.text[v.body] != '{' && f.within == anywhere {
		f.within = inFile
	}
	f.body, f.value = v.body, span{}
}

// attachAll joins attributes to the definitions.
func (x *extraction) attachAll(facts []fact) {
	if len(x.attributes) == 0 {
		return
	}
	ends := make([]int, len(facts))
	for i := range facts {
		ends[i] = facts[i].around.end
	}
	slices.Sort(ends)
	for i := range facts {
		f := &facts[i]
		x.attach(f, ends)
		if f.signature > f.around.start {
			x.heads = append(x.heads, span{x.line(f.around.start), x.line(f.signature)})
		}
	}
}

// attach joins to a definition the attributes in front of it, and lets its signature
// begin after those and the ones at the beginning of its span. An attribute that a
// definition, of which ends holds the end, has in itself stays there.
func (x *extraction) attach(f *fact, ends []int) {
	first, _ := slices.BinarySearchFunc(x.attributes, f.around.start,
		func(a span, start int) int { return cmp.Compare(a.start, start) })
	for i := first; i < len(x.attributes) && x.attributes[i].start == f.signature; i++ {
		f.signature = x.skip(x.attributes[i].end)
		x.obey(f, x.attributes[i])
	}
	for i := first - 1; i >= max(0, first-maxAttributes); i-- {
		a := x.attributes[i]
		if a.end > f.around.start || x.skip(a.end) != f.around.start {
			break
		}
		if n, _ := slices.BinarySearch(ends, a.end); n < len(ends) && ends[n] <= f.around.start {
			break
		}
		f.around.start = a.start
		x.obey(f, a)
	}
}

// obey takes over what an attribute says of f.
func (x *extraction) obey(f *fact, attribute span) {
	f.test = f.test || holds(x.testing, attribute)
	f.exported = f.exported || holds(x.exporting, attribute)
}

// inAttribute reports whether pos stands in the arguments of an attribute.
func (x *extraction) inAttribute(pos int) bool {
	n, _ := slices.BinarySearchFunc(x.attributes, pos, func(a span, at int) int { return cmp.Compare(a.start, at) })
	return n > 0 && x.attributes[n-1].end > pos
}

// add takes over what a later pattern says.
func (f *fact) add(o fact) {
	if f.kind == "" {
		f.kind, f.pattern, f.setting = o.kind, o.pattern, o.setting
	} else if o.kind == f.kind && o.within == anywhere {
		f.within = anywhere
	}
	f.around = f.around.join(o.around)
	f.body = cmp.Or(f.body, o.body)
	f.value = cmp.Or(f.value, o.value)
	f.prefix = cmp.Or(f.prefix, o.prefix)
	if len(f.receivers) == 0 {
		f.receivers = o.receivers
	}
	f.doc = cmp.Or(f.doc, o.doc)
	f.exported = f.exported || o.exported
	f.private = f.private || o.private
	f.test = f.test || o.test
}
