package extract

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"cortex/lib/parse/expression"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
)

// A referrer goes through the stops of a file in their order.
type referrer struct {
	*extraction
	// open are the indexes of the holders around the place, next is that of the first behind it, and scopes are
	// the scopes around it.
	open   []int
	next   int
	scopes []lexical.Span
	locals
	known   map[referenceKey]int
	out     []record.Reference
	order   []int // of the holder of each in out
	typings []record.Typing
	typed   map[record.Typing]bool
	// bound is how well each name is known, by where it and its scope stand.
	bound map[[2]int]int
	// returns are how many results of each function are known.
	returns map[string]int
	// budget is how many bytes more the record may have, of which reserve are not for functions as values.
	budget, reserve int
}

// A referenceKey is what makes references one.
type referenceKey struct {
	relation                              record.Relation
	name, receiver, module, alias, symbol string
}

// scope is the innermost of the scopes that begins at pos or before; ok is false if there is none.
func (r *referrer) scope(pos int) (s lexical.Span, ok bool) {
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if r.scopes[i].Start <= pos {
			return r.scopes[i], true
		}
	}
	return lexical.Span{}, false
}

// container is the innermost holder that may have members or locals and begins at pos or before, or nil.
func (r *referrer) container(pos int) *holder {
	for i := len(r.open) - 1; i >= 0; i-- {
		if h := &r.holders[r.open[i]]; !h.kind.IsData() && h.kind != "" && h.around.Start <= pos {
			return h
		}
	}
	return nil
}

// add adds a reference at pos.
func (r *referrer) add(ref record.Reference, pos int) {
	holder := -1
	if n := len(r.open); n > 0 {
		holder = r.open[n-1]
		ref.Symbol = r.holders[holder].qualified
	}
	line := r.line(min(pos, len(r.text)-1))
	key := referenceKey{ref.Relation, ref.Name, ref.Receiver, ref.Module, ref.Alias, ref.Symbol}
	if i, ok := r.known[key]; ok {
		if lines := r.out[i].Lines; lines[len(lines)-1] < line {
			r.out[i].Lines = append(lines, line)
			r.budget -= len("1234567,")
		}
		return
	}
	r.budget -= len(ref.Name) + len(ref.Receiver) + len(ref.Module) + len(ref.Alias) + len(ref.Symbol) + 100
	if len(r.out) == MaxReferences || len(ref.Name) > lexical.MaxName || r.budget < 0 {
		return
	}
	r.known[key] = len(r.out)
	ref.Lines = []int{line}
	r.out, r.order = append(r.out, ref), append(r.order, holder)
}

// addTyping adds what is known of a type at pos, if it is something.
func (r *referrer) addTyping(t record.Typing, pos int) {
	if t.Value == "" && t.Signature == "" || strings.HasPrefix(t.Value, expression.Omitted) || r.typed[t] {
		return
	}
	if t.Value = r.withArguments(t.Value, pos); r.typed[t] {
		return
	}
	r.budget -= len(t.Symbol) + len(t.Name) + len(t.Value) + len(t.Signature) + 80
	if len(r.typings) == MaxReferences || r.budget < 0 {
		return
	}
	r.typed[t] = true
	t.Line = r.line(min(pos, len(r.text)-1))
	r.typings = append(r.typings, t)
}

// withArguments is a value with the numbers of type parameters in the place of their names: (T) of the second is (1).
func (r *referrer) withArguments(value string, pos int) string {
	if len(r.parameters) == 0 || !strings.HasPrefix(value, "(") {
		return value
	}
	names := r.parametersAt(pos)
	end := strings.IndexByte(value, ')')
	if names == "" || end < 0 {
		return value
	}
	var b strings.Builder
	for i := 0; i < end; {
		start := i
		for i < end && (expression.IsNameByte(value[i]) || value[i] == '.') {
			i++
		}
		if start == i {
			b.WriteByte(value[i])
			i++
		} else if n := indexOfParameter(names, value[start:i]); n >= 0 {
			b.WriteString(strconv.Itoa(n))
		} else {
			b.WriteString(value[start:i])
		}
	}
	b.WriteString(value[end:])
	return b.String()
}

// maxOuter bounds how many lists of parameters that begin before a place are looked at for the one around it.
const maxOuter = 8

// parametersAt is the list of the type parameters around pos, "" if there is none.
func (r *referrer) parametersAt(pos int) string {
	n, _ := slices.BinarySearchFunc(r.parameters, pos+1, func(p parameters, at int) int { return cmp.Compare(p.around.Start, at) })
	for _, p := range slices.Backward(r.parameters[max(0, n-maxOuter):n]) {
		if p.around.End > pos && p.names.End-p.names.Start <= expression.MaxType {
			return r.plain(p.names)
		}
	}
	return ""
}

// indexOfParameter is the index of a name in a list such as "<'a, T: A, const N: usize>" without lifetimes, -1 if it is not there.
func indexOfParameter(list, name string) int {
	list = strings.TrimSuffix(strings.TrimPrefix(expression.WithoutLifetimes(list), "<"), ">")
	for n := 0; list != ""; n++ {
		one := list
		if i := expression.TopComma(list); i >= 0 {
			one, list = list[:i], list[i+1:]
		} else {
			list = ""
		}
		one = strings.TrimPrefix(strings.TrimSpace(one), "const ")
		if end := strings.IndexAny(one, ":= \t\r\n"); end >= 0 {
			one = one[:end]
		}
		if one == name {
			return n
		}
	}
	return -1
}

// typeOf is the value of a type that stands at s.
func (r *referrer) typeOf(s lexical.Span) string {
	if s.End == 0 {
		return ""
	}
	// What tells a type stands at its beginning.
	s.End = min(s.End, s.Start+expression.MaxType)
	text := strings.TrimLeft(r.plain(s), ": \t\r\n")
	if of, ok := strings.CutPrefix(text, "typeof "); ok {
		return r.expand(r.Reader.Read(of), s.Start)
	}
	return typeValue(r.Reader.TypeName(text, true))
}

// typeValue is a value of the type of that name.
func typeValue(name string) string {
	switch name {
	case "", "this":
		return name
	}
	return "(" + name + ")"
}

// plain is the text of a span as the grammar has read it, without comments; of a long one it is the end.
func (x *extraction) plain(s lexical.Span) string {
	if s.End-s.Start > 2*expression.MaxExpression {
		s.Start = s.End - 2*expression.MaxExpression
	}
	n, _ := x.commentAt(s.Start)
	if n == len(x.comments) || x.comments[n].Start >= s.End {
		return x.masked[s.Start:s.End]
	}
	var b strings.Builder
	from := s.Start
	for ; n < len(x.comments) && x.comments[n].Start < s.End; n++ {
		if c := x.comments[n]; c.Start >= from {
			b.WriteString(x.masked[from:c.Start])
			b.WriteByte(' ')
			from = min(c.End, s.End)
		}
	}
	b.WriteString(x.masked[from:s.End])
	return b.String()
}

const MaxReferences = 20_000
