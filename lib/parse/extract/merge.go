package extract

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

// merged returns the facts in the order of symbols: those of one name merged, with their attributes, and the scopes.
func (x *extraction) merged() []fact {
	slices.SortFunc(x.values, func(a, b value) int { return lexical.ByStart(a.at, b.at) })
	x.facts = slices.DeleteFunc(x.facts, func(f fact) bool {
		return f.ValueFunction && f.value.End > 0 && x.valueAt(f.value) == nil
	})
	for i := range x.facts {
		x.resolve(&x.facts[i])
	}
	sortStable(x.facts, func(a, b *fact) int {
		return cmp.Or(cmp.Compare(a.name.Start, b.name.Start), cmp.Compare(a.pattern, b.pattern))
	})
	out := slices.Grow(x.out[:0], len(x.facts)+len(x.scopes))
	for i := 0; i < len(x.facts); {
		f := x.facts[i]
		for i++; i < len(x.facts) && x.facts[i].name == f.name; i++ {
			f.add(x.facts[i])
		}
		if f.kind != "" {
			x.trim(&f)
			if f.body >= f.around.End {
				f.body = 0
			}
			f.signature = f.around.Start
			out = append(out, f)
		}
	}
	for _, f := range x.scopes {
		f.signature = f.around.Start
		out = append(out, f)
	}
	x.attachAll(out)
	if slices.ContainsFunc(out, func(f fact) bool { return f.Level > 0 }) {
		sortStable(out, outerFirst)
		x.reach(out)
	}
	sortStable(out, outerFirst)
	x.out = out
	return out
}

// sortStable sorts facts stably. Facts are large and mostly in order, so it checks the order first and moves each fact
// once.
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

// maxTrailing bounds the comments that trim removes from the end of a definition, since many nested definitions may end
// there.
const maxTrailing = 10_000

// trim removes blanks from both ends of a definition, and trailing comments that are indented no deeper than it. If
// blocks are made by indentation, grammars end a block only at the next token, behind comments on the next definition.
func (x *extraction) trim(f *fact) {
	for f.around.Start < f.name.Start && lexical.IsSpace(x.text[f.around.Start]) {
		f.around.Start++
	}
	for range maxTrailing {
		if f.around.End <= f.name.End {
			return
		}
		end := max(f.name.End, f.around.Start+len(strings.TrimRight(x.text[f.around.Start:f.around.End], " \t\r\n")))
		f.around.End = end
		n, _ := x.commentAt(end)
		if n == 0 {
			return
		}
		c := x.comments[n-1]
		if c.Start < f.name.End || c.Start+len(strings.TrimRight(x.text[c.Start:c.End], "\r\n")) != end ||
			!x.startsLine(c.Start) || x.column(c.Start) > x.column(f.around.Start) {
			return
		}
		f.around.End = c.Start - x.column(c.Start)
	}
}

// outerFirst compares facts in the order of symbols: by start, outer ones first.
func outerFirst(a, b *fact) int {
	return cmp.Or(cmp.Compare(a.around.Start, b.around.Start), cmp.Compare(b.around.End, a.around.End),
		cmp.Compare(a.name.Start, b.name.Start))
}

// reach extends each definition with a level to the start of the next one of the same or a higher level, or to the end
// of the definition around it.
func (x *extraction) reach(facts []fact) {
	ends := make([]int, len(facts)) // end of the definition around each fact
	var open []lexical.Span
	for i := range facts {
		f := &facts[i]
		for len(open) > 0 && open[len(open)-1].End < f.around.End {
			open = open[:len(open)-1]
		}
		ends[i] = len(x.text)
		if len(open) > 0 {
			ends[i] = open[len(open)-1].End
		}
		if f.Level == 0 {
			open = append(open, f.around)
		}
	}
	var next [syntax.MaxReach + 1]int // start of the next definition of each level
	for level := range next {
		next[level] = len(x.text)
	}
	for i := len(facts) - 1; i >= 0; i-- {
		f := &facts[i]
		if f.Level == 0 {
			continue
		}
		if f.body == 0 {
			f.body = f.around.End
		}
		stop := ends[i]
		for _, start := range next[1 : f.Level+1] {
			stop = min(stop, start)
		}
		next[f.Level] = f.around.Start
		if first, ok := x.commentsAbove(f.around.Start); ok {
			next[f.Level] = first
		}
		stop = max(stop, f.around.End)
		f.around.End = f.around.Start + len(strings.TrimRight(x.text[f.around.Start:stop], " \t\r\n"))
	}
}

// valueAt returns the function or class with the span s, or nil.
func (x *extraction) valueAt(s lexical.Span) *value {
	i, found := slices.BinarySearchFunc(x.values, s, func(v value, s lexical.Span) int { return lexical.ByStart(v.at, s) })
	if !found {
		return nil
	}
	return &x.values[i]
}

// resolve gives a definition whose value is a function or class the kind and body of that.
func (x *extraction) resolve(f *fact) {
	if f.kind == "" || f.value.End == 0 {
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
	if x.text[v.body] != '{' && f.Within == syntax.Anywhere {
		f.Within = syntax.InFile
	}
	f.body, f.value = v.body, lexical.Span{}
}

// attachAll attaches attributes to the definitions.
func (x *extraction) attachAll(facts []fact) {
	if len(x.attributes) == 0 {
		return
	}
	ends := make([]int, len(facts))
	for i := range facts {
		ends[i] = facts[i].around.End
	}
	slices.Sort(ends)
	for i := range facts {
		f := &facts[i]
		x.attach(f, ends)
		if f.signature > f.around.Start {
			x.heads = append(x.heads, lexical.Span{Start: x.line(f.around.Start), End: x.line(f.signature)})
		}
	}
}

// attach extends a definition to the attributes in front of it, and sets its signature behind these and behind the
// attributes at the start of its span. ends has the ends of all definitions, sorted: an attribute inside of another
// definition that ends before f belongs to that one.
func (x *extraction) attach(f *fact, ends []int) {
	first, _ := slices.BinarySearchFunc(x.attributes, f.around.Start,
		func(a lexical.Span, start int) int { return cmp.Compare(a.Start, start) })
	for i := first; i < len(x.attributes) && x.attributes[i].Start == f.signature; i++ {
		f.signature = x.skip(x.attributes[i].End)
		x.obey(f, x.attributes[i])
	}
	for i := first - 1; i >= max(0, first-maxAttributes); i-- {
		a := x.attributes[i]
		if a.End > f.around.Start || x.skip(a.End) != f.around.Start {
			break
		}
		if n, _ := slices.BinarySearch(ends, a.End); n < len(ends) && ends[n] <= f.around.Start {
			break
		}
		f.around.Start = a.Start
		x.obey(f, a)
	}
}

// obey sets the flags of f that an attribute gives.
func (x *extraction) obey(f *fact, attribute lexical.Span) {
	f.test = f.test || holds(x.testing, attribute)
	f.exported = f.exported || holds(x.exporting, attribute)
}

// add merges the fact of a later pattern into f.
func (f *fact) add(o fact) {
	if f.kind == "" {
		f.kind, f.pattern, f.Setting = o.kind, o.pattern, o.Setting
	} else if o.kind == f.kind && o.Within == syntax.Anywhere {
		f.Within = syntax.Anywhere
	}
	f.around = f.around.Join(o.around)
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
