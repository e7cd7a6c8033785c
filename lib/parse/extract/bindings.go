package extract

import (
	"strconv"
	"strings"

	"cortex/lib/parse/expression"
	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

// splitNames makes a binding for each name in a list such as "a, b = f(), g()" and in a tuple such as (a, (b, c)).
func (r *referrer) splitNames(bindings []binding) []binding {
	if r.Reader.Arguments == expression.AllArguments {
		bindings = r.splitTuples(bindings)
	}
	for i := 0; i < len(bindings); i++ {
		if strings.IndexByte(r.masked[bindings[i].name.Start:bindings[i].name.End], ',') >= 0 {
			out := append(make([]binding, 0, len(bindings)+8), bindings[:i]...)
			for _, b := range bindings[i:] {
				out = r.appendNames(out, b)
			}
			return out
		}
	}
	return bindings
}

func (r *referrer) appendNames(out []binding, b binding) []binding {
	names := r.splitList(b.name)
	if len(names) < 2 {
		return append(out, b)
	}
	values := r.splitList(b.value)
	for i, name := range names {
		one := binding{name: name, typ: b.typ, list: b.list, pattern: b.pattern, scope: b.scope, property: b.property, member: b.member, within: b.within}
		switch {
		case len(values) == len(names):
			one.value = values[i]
		case len(values) == 1 && i == 0:
			one.value = b.value
		}
		if i == len(names)-1 {
			one.element = b.element
		}
		out = append(out, one)
	}
	return out
}

// splitTuples makes bindings for the names in tuples. It drops bindings of the same names without type and value that
// other patterns made: they would hide an outer variable of the name from the value of the tuple.
func (r *referrer) splitTuples(bindings []binding) []binding {
	var out []binding
	for i := range bindings {
		if b := &bindings[i]; r.masked[b.name.Start] == '(' {
			out = r.appendParts(out, *b, 0)
		}
	}
	if len(out) == 0 {
		return bindings
	}
	known := make(map[lexical.Span]bool, len(out))
	for i := range out {
		known[out[i].name] = true
	}
	for _, b := range bindings {
		alone := b.typ.End+b.value.End+b.element.End == 0
		if r.masked[b.name.Start] != '(' && !(alone && known[b.name]) {
			out = append(out, b)
		}
	}
	return out
}

// maxTuples bounds the nesting of tuples.
const maxTuples = 4

// appendParts appends the bindings of the names in the tuple that b binds.
func (r *referrer) appendParts(out []binding, b binding, depth int) []binding {
	if depth == maxTuples || r.masked[b.name.End-1] != ')' {
		return out
	}
	values := r.splitTuple(b.value)
	parts := r.splitList(lexical.Span{Start: b.name.Start + 1, End: b.name.End - 1})
	for i, s := range parts {
		one := b
		for _, word := range []string{"ref ", "mut ", "&"} {
			if strings.HasPrefix(r.masked[s.Start:s.End], word) {
				s.Start += len(word)
			}
		}
		one.name = s
		if len(values) == len(parts) {
			one.value = values[i]
		} else {
			one.part += "." + strconv.Itoa(i)
		}
		switch text := r.masked[s.Start:s.End]; {
		case strings.HasPrefix(text, ".."):
			return out
		case text[0] == '(':
			out = r.appendParts(out, one, depth+1)
		case expression.IsName(text):
			out = append(out, one)
		}
	}
	return out
}

// splitTuple returns the parts of the tuple expression at s, nil if s is no tuple.
func (r *referrer) splitTuple(s lexical.Span) []lexical.Span {
	if s.End-s.Start < 2 || r.masked[s.Start] != '(' || r.masked[s.End-1] != ')' {
		return nil
	}
	parts := r.splitList(lexical.Span{Start: s.Start + 1, End: s.End - 1})
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// fields adds typings for the unnamed fields .0, .1 and so on of the innermost symbol, whose types are the list at s.
func (r *referrer) fields(s lexical.Span) {
	if len(r.open) == 0 || s.End-s.Start < 2 {
		return
	}
	symbol := r.holders[r.open[len(r.open)-1]].qualified
	for i, part := range r.splitList(lexical.Span{Start: s.Start + 1, End: s.End - 1}) {
		for part.Start < part.End && r.masked[part.Start] == '#' {
			end := strings.IndexByte(r.masked[part.Start:part.End], ']')
			if end < 0 {
				break
			}
			part.Start = r.skip(part.Start + end + 1)
		}
		if text, ok := strings.CutPrefix(r.masked[part.Start:part.End], "pub"); ok && text != "" && (text[0] == ' ' || text[0] == '(') {
			part.Start += len("pub")
			if end := strings.IndexByte(text, ')'); text[0] == '(' && end >= 0 {
				part.Start += end + 1
			}
		}
		if part.Start < part.End {
			r.addTyping(record.Typing{Symbol: symbol, Name: strconv.Itoa(i), Value: r.typeOf(part)}, part.Start)
		}
	}
}

// maxList bounds the parts of one list.
const maxList = 100

// splitList splits s at top-level commas and trims blanks; nil if s is too long.
func (r *referrer) splitList(s lexical.Span) []lexical.Span {
	if s.End-s.Start > 4*expression.MaxExpression {
		return nil
	}
	var out []lexical.Span
	for s.Start < s.End && len(out) < maxList {
		text := r.masked[s.Start:s.End]
		n := expression.TopComma(text)
		if n < 0 {
			n = len(text)
		}
		left := len(text[:n]) - len(strings.TrimLeft(text[:n], " \t\r\n"))
		right := len(strings.TrimRight(text[:n], " \t\r\n"))
		if left < right {
			out = append(out, lexical.Span{Start: s.Start + left, End: s.Start + right})
		}
		s.Start += n + 1
	}
	return out
}

// bind resolves the type or value of the binding b, and makes it a local, or a typing of the file, symbol or type.
func (r *referrer) bind(b *binding, pos int) {
	name := strings.TrimSpace(r.masked[b.name.Start:min(b.name.End, b.name.Start+lexical.MaxName)])
	if !expression.IsName(name) || name == "_" || holds(r.defined, b.name) {
		return
	}
	value := r.typeOf(b.typ)
	if b.list && strings.HasPrefix(value, "(") {
		value = value[:len(value)-1] + "[])"
	}
	if value == "" && b.value.End > 0 {
		if value = r.read(r.plain(b.value), pos); value != "" && b.entered {
			value += "." + record.Enter + "()"
		}
	}
	if value == "" && b.element.End > 0 {
		if value = r.read(r.plain(b.element), pos); value != "" {
			value = elementOf(value)
		}
	}
	if b.property.End > 0 && value != "" {
		if property := lexical.Unquote(r.plain(b.property)); expression.IsName(property) {
			value += "." + property
		} else {
			value = ""
		}
	}
	if value != "" {
		value += b.part
	}
	if strings.HasPrefix(value, expression.Omitted) || len(value) > expression.MaxReceiver {
		value = ""
	}
	if !r.better(b, value) {
		return
	}
	member := strings.TrimLeft(name, r.Grammar.Sigils)
	if b.member {
		if owner := r.owner(); owner != "" {
			r.addTyping(record.Typing{Symbol: owner, Name: member, Value: value}, pos)
		}
		return
	}
	c := r.container(b.name.Start)
	inside, ok := r.scope(b.name.Start)
	if !ok {
		inside.Start = -1
	}
	switch field := c != nil && c.kind.IsType() && c.around.Start > inside.Start; {
	case b.scope.End > 0 && b.within != syntax.InType:
		r.declare(name, value, b)
	case b.within == syntax.InType && !field:
	case field && b.within != syntax.InFunction:
		r.addTyping(record.Typing{Symbol: c.qualified, Name: member, Value: value}, pos)
	case inside.Start >= 0:
		r.declare(name, value, b)
	case b.within == syntax.InFunction:
	case c == nil:
		r.addTyping(record.Typing{Name: member, Value: value}, pos)
	default:
		r.addTyping(record.Typing{Symbol: c.qualified, Name: member, Value: value}, pos)
	}
}

// better reports whether value is better than the values that other patterns gave to the same name: a declared type is
// better than a value, a value better than none.
func (r *referrer) better(b *binding, value string) bool {
	quality := 1
	switch {
	case value != "" && b.typ.End > 0:
		quality = 3
	case value != "":
		quality = 2
	}
	at := [2]int{b.name.Start, b.scope.Start}
	if b.member {
		at[1] = -1 // counts apart: a parameter may be a member as well
	}
	if r.bound[at] >= quality {
		return false
	}
	r.bound[at] = quality
	return true
}

// elementOf returns the expression for an element of value.
func elementOf(value string) string {
	if strings.HasPrefix(value, "(") && strings.HasSuffix(value, "[])") {
		return value[:len(value)-3] + ")"
	}
	return value + "[]"
}

// declare adds a local.
func (r *referrer) declare(name, value string, b *binding) {
	p, ok := r.Reader.Pronouns[name]
	if !ok {
		p, ok = expression.Pronouns[name]
	}
	if ok {
		if value == "" || value == p {
			return // the object itself
		}
		name = p
	}
	end := len(r.text)
	if s, ok := r.scope(b.name.Start); ok {
		end = s.End
	}
	if b.scope.End > 0 {
		end = b.scope.End
	}
	before := strings.TrimRight(r.masked[max(0, b.name.Start-maxBefore):b.name.Start], " \t\r\n.")
	scope := b.scope.End > 0 || strings.HasSuffix(before, "namespace")
	r.latest[name] = append(r.latest[name], local{value, end, scope})
}

// maxBefore is the most bytes before a name that are searched for the word "namespace".
const maxBefore = 20

// read returns the expression in text with a local at its start replaced by the value of the local.
func (r *referrer) read(text string, pos int) string {
	return r.expandScope(r.Reader.Read(text), text, pos)
}

// expandScope is expand for the expression s that is written as text. In C++ and Rust, a variable x does not hide the
// namespace in x::y.
func (r *referrer) expandScope(s, text string, pos int) string {
	if r.Grammar.Name == "cpp" || r.Grammar.Name == "rust" {
		base := expression.BaseOf(s)
		behind, ok := strings.CutPrefix(text, base)
		if l, _ := r.lookup(base, pos); ok && !l.scope && strings.HasPrefix(strings.TrimLeft(behind, " \t\r\n"), "::") {
			return s
		}
	}
	return r.expand(s, pos)
}

// owner returns the qualified name of the type whose method or body encloses the current position, "" if there is none.
func (r *referrer) owner() string {
	for i := len(r.open) - 1; i >= 0; i-- {
		switch h := &r.holders[r.open[i]]; {
		case h.kind.IsType():
			return h.qualified
		case h.kind == record.Method:
			return strings.TrimSuffix(strings.TrimSuffix(h.qualified, h.name), ".")
		}
	}
	return ""
}
