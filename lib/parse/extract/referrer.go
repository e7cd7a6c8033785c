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

// A referrer makes references and typings by visiting the stops of a file in order.
type referrer struct {
	*extraction
	// open has the indexes of the holders around the current position, the innermost last. next is the index of the
	// next holder to open. scopes has the scopes around the position.
	open   []int
	next   int
	scopes []lexical.Span
	locals
	known   map[referenceKey]int
	out     []record.Reference
	order   []int // index of the holder of each reference in out
	typings []record.Typing
	typed   map[record.Typing]bool
	// bound has the quality of the value of each binding (see better), by the starts of its name and scope.
	bound map[[2]int]int
	// returns counts the results found for each function, by qualified name.
	returns map[string]int
	// budget is the number of bytes that the record may still grow. The last reserve bytes are not for functions used
	// as values.
	budget, reserve int
	// labels is the number of bytes that may still be read for selectors.
	labels int
}

// A referenceKey has the fields that equal references share: all but the lines.
type referenceKey struct {
	relation                              record.Relation
	name, receiver, module, alias, symbol string
}

// scope returns the innermost open scope that begins at pos or before; ok is false if there is none.
func (r *referrer) scope(pos int) (s lexical.Span, ok bool) {
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if r.scopes[i].Start <= pos {
			return r.scopes[i], true
		}
	}
	return lexical.Span{}, false
}

// container returns the innermost open holder that begins at pos or before and can have members or locals, or nil.
func (r *referrer) container(pos int) *holder {
	for i := len(r.open) - 1; i >= 0; i-- {
		if h := &r.holders[r.open[i]]; !h.kind.IsData() && h.kind != "" && h.around.Start <= pos {
			return h
		}
	}
	return nil
}

// add adds a reference at pos, or its line to an equal reference.
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

// addTyping adds a typing at pos, unless it is empty, unknown or there already.
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

// withArguments replaces the names of type parameters in a value with their positions: (T) becomes (1) if T is the
// second.
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

// maxOuter is the most lists of type parameters before a position that are searched for the one around it.
const maxOuter = 8

// parametersAt returns the list of type parameters whose scope has pos, "" if there is none.
func (r *referrer) parametersAt(pos int) string {
	n, _ := slices.BinarySearchFunc(r.parameters, pos+1, func(p parameters, at int) int { return cmp.Compare(p.around.Start, at) })
	for _, p := range slices.Backward(r.parameters[max(0, n-maxOuter):n]) {
		if p.around.End > pos && p.names.End-p.names.Start <= expression.MaxType {
			return r.plain(p.names)
		}
	}
	return ""
}

// indexOfParameter returns the index of a name in a list such as "<'a, T: A, const N: usize>", "<typename K, class V =
// int>" or "Generic[K, V]", not counting lifetimes; -1 if it is not there.
func indexOfParameter(list, name string) int {
	list = strings.TrimSpace(expression.WithoutLifetimes(list))
	if start := strings.IndexAny(list, "<["); start >= 0 {
		list = list[start+1 : len(list)-1]
	}
	for n := 0; list != ""; n++ {
		one := list
		if i := expression.TopComma(list); i >= 0 {
			one, list = list[:i], list[i+1:]
		} else {
			list = ""
		}
		one = strings.TrimSpace(one)
		for _, word := range []string{"const ", "typename ", "class ", "in ", "out ", "reified "} {
			one = strings.TrimPrefix(one, word)
		}
		one = strings.TrimSpace(one)
		if end := strings.IndexAny(one, ":= \t\r\n"); end >= 0 {
			one = one[:end]
		}
		if one == name {
			return n
		}
	}
	return -1
}

// typeOf returns a value of the type at s, "" if s is empty or no type.
func (r *referrer) typeOf(s lexical.Span) string {
	if s.End == 0 {
		return ""
	}
	// The beginning of a type is enough.
	s.End = min(s.End, s.Start+expression.MaxType)
	text := strings.TrimLeft(r.plain(s), ": \t\r\n")
	if of, ok := strings.CutPrefix(text, "typeof "); ok {
		return r.expand(r.Reader.Read(of), s.Start)
	}
	return typeValue(r.Reader.TypeName(text, true))
}

// typeValue returns a value of the type with the name.
func typeValue(name string) string {
	switch name {
	case "", "this":
		return name
	}
	return "(" + name + ")"
}

// plain returns the masked text of a span without comments; of a long span, only the end.
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

// MaxReferences bounds the references of a file, and its typings.
const MaxReferences = 20_000
