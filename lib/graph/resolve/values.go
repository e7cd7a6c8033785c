package resolve

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// value returns the meaning of an expression (record.Expression) in the symbol scope.
func (q *nameResolver) value(scope facts.Name, expression string) meaning {
	m, rest, ok := q.root(scope, expression)
	if !ok {
		return meaning{}
	}
	for rest != "" && m.sort != unknown {
		switch {
		case strings.HasPrefix(rest, "()"):
			m, rest = q.call(m), rest[2:]
		case strings.HasPrefix(rest, "[]"):
			m, rest = q.element(m), rest[2:]
		case strings.HasPrefix(rest, "."+record.Enter+"()"):
			m, rest = q.entered(m), rest[len("."+record.Enter+"()"):]
		case rest[0] == '.':
			end := partEnd(rest[1:]) + 1
			next := q.memberText(m, rest[1:end])
			if passed := q.pass(m, rest[1:end]); passed.sort != unknown && (next.sort == unknown || next.sort == outside) {
				next = passed
				end += len(rest[end:]) - len(strings.TrimPrefix(rest[end:], "()"))
			}
			if m.sort == thing && q.entries[m.entry].sorts&typeSorts != 0 && (next.sort == unknown || next.sort == outside) && q.rules[q.File.Family].Constructs(rest[1:end]) {
				next = meaning{sort: instance, entry: m.entry}
				end += len(rest[end:]) - len(strings.TrimPrefix(rest[end:], "()"))
			}
			m, rest = next, rest[end:]
		default:
			return meaning{}
		}
	}
	return m
}

// root returns the meaning of the first part of an expression, and the rest of the expression. ok is false if the first
// part is unknown.
func (q *nameResolver) root(scope facts.Name, expression string) (m meaning, rest string, ok bool) {
	if expression == "" || strings.HasPrefix(expression, "…") {
		return meaning{}, "", false
	}
	if expression[0] == '(' {
		inner, rest, closed := strings.Cut(expression[1:], ")")
		if !closed {
			return meaning{}, "", false
		}
		return q.valueOfType(scope, inner, 0), rest, true
	}
	end := partEnd(expression)
	first, rest := expression[:end], expression[end:]
	if first == "" {
		m, rest = q.absolute(expression)
		return m, rest, m.sort != unknown
	}
	switch first {
	case record.Global:
		return meaning{sort: module, space: q.File.Space, file: -1}, rest, true
	case "this":
		return q.this(scope), rest, true
	case "super":
		m := q.this(scope)
		if m.sort == instance {
			m.sort = base
			return m, rest, true
		}
		return meaning{}, "", false
	}
	if m, after := q.outwards(scope, expression); m.sort != unknown {
		return m, after, true
	}
	if q.imports[q.File.Number].dotted {
		if m, after := q.dotted(expression); m.sort != unknown {
			return m, after, true
		}
	}
	if n, known := q.Names.Find(first); known {
		if m, _ := q.bare(scope, n); m.sort != unknown {
			if !strings.HasPrefix(rest, "()") && m.sort == thing && q.entries[m.entry].sorts == callableSorts {
				m = q.behindFunction(scope, n, m)
			}
			return m, rest, true
		}
	}
	m, rest = q.absolute(expression)
	return m, rest, m.sort != unknown
}

// behindFunction returns the namespace or type of the name n that the function m hides, or m if there is none. In C++, a
// function does not hide the namespace in n::x.
func (q *nameResolver) behindFunction(scope, n facts.Name, m meaning) meaning {
	if !q.rules[q.File.Family].Variants {
		return m
	}
	hidden, _ := q.around(scope, n, func(m meaning) bool {
		return m.sort == thing && q.entries[m.entry].sorts&(typeSorts|moduleSorts) != 0
	})
	if hidden.sort == unknown {
		return m
	}
	return hidden
}

// this returns the meaning of "this" in a symbol: an instance of the type around it, or the module or object around it.
func (q *nameResolver) this(scope facts.Name) meaning {
	f := q.File
	for s := scope; s != 0; {
		e := q.entryOf(f.Space, s)
		if e == noEntry {
			break
		}
		if q.entries[e].sorts&typeSorts != 0 {
			return meaning{sort: instance, entry: e}
		}
		if q.entries[e].sorts&moduleSorts != 0 {
			return meaning{sort: thing, entry: e} // the functions of a module are its members
		}
		if s != scope && q.entries[e].sorts == dataSorts {
			return meaning{sort: thing, entry: e} // the functions of a table or object are its members
		}
		parent := q.entries[e].parent
		if parent != 0 && q.entryOf(f.Space, parent) == noEntry {
			if q.rules[f.Family].Scattered {
				if m, _ := q.top(parent); m.sort == thing && q.entries[m.entry].sorts&typeSorts != 0 {
					m.sort = instance
					return m
				}
			}
			// The type is declared in another space: use its members in this one.
			return meaning{sort: module, space: f.Space, file: -1, prefix: parent}
		}
		s = parent
	}
	return meaning{}
}

// valueOf returns the value of a variable, field or name, or the result of a getter. Of a field and a method of one name,
// the field is meant.
func (q *nameResolver) valueOf(m meaning) meaning {
	entry := &q.entries[m.entry]
	if entry.sorts&(typeSorts|moduleSorts) != 0 {
		return meaning{}
	}
	d := entry.decls[0]
	symbol := &q.Files[d.File].Symbols[d.Symbol]
	key := entryKey{entry.space, entry.parent, symbol.Name}
	of := q.entryOf(entry.space, entry.parent)
	if entry.sorts&callableSorts != 0 {
		value := meaning{}
		if of != noEntry && q.entries[of].sorts&typeSorts != 0 {
			value = q.variable(key, -1)
		}
		if value.sort == unknown && q.rules[q.File.Family].Getters {
			value = q.variable(entryKey{entry.space, entry.qualified, 0}, -1)
		}
		return value.with(m.arguments)
	}
	if of != noEntry && record.Kinds[symbol.Kind] == record.Constant && len(q.typings[key]) == 0 && q.isEnum(of) {
		return meaning{sort: instance, entry: of}
	}
	return q.variable(key, -1).with(m.arguments)
}

// variable returns the value of a typing with the key; if file is not negative, only of one in that file.
func (q *nameResolver) variable(key entryKey, file int32) meaning {
	for _, number := range q.typings[key] {
		t := &q.Resolution.typed[number]
		if file >= 0 && t.file != file {
			continue
		}
		if m := q.values[number]; m.sort != unknown {
			return m
		}
		if !t.settled {
			q.open = true
		}
	}
	return meaning{}
}

// call returns the result of a call of m.
func (q *nameResolver) call(m meaning) meaning {
	switch m.sort {
	case outside:
		return m.outer("()")
	case base:
		return m
	case thing:
		entry := &q.entries[m.entry]
		if entry.sorts&typeSorts != 0 {
			m.sort = instance
			return m
		}
		if result := q.result(entry).with(m.arguments); result.sort != unknown {
			if result.sort == thing {
				return meaning{}
			}
			if result.sort == instance && len(result.arguments) == 0 && q.entries[result.entry].qualified == entry.parent {
				result.arguments = m.arguments // a value of the same type
			}
			result.weak = result.weak || m.weak
			return result
		}
		if d := entry.decls[0]; entry.sorts == callableSorts && entry.parent != 0 {
			// The result of a method that an interface requires is a typing of the interface.
			if v := q.variable(entryKey{entry.space, entry.parent, q.Files[d.File].Symbols[d.Symbol].Name}, -1).with(m.arguments); v.sort == instance {
				v.weak = v.weak || m.weak
				return v
			}
		}
		if v := q.valueOf(m); v.sort == thing && v.entry != m.entry && q.depth < maxDepth {
			q.depth++
			defer func() { q.depth-- }()
			return q.call(v)
		}
	}
	return meaning{}
}

// maxOthers bounds the result types of an overloaded function.
const maxOthers = 4

// result returns the result of a function: of several declared types the first, with the others.
func (q *nameResolver) result(of *entry) meaning {
	key := entryKey{of.space, of.qualified, 0}
	result := q.variable(key, -1)
	if result.sort != instance && result.sort != parameter {
		return result
	}
	for _, number := range q.typings[key] {
		v := q.values[number]
		same := func(m meaning) bool { return m.sort == v.sort && m.entry == v.entry && m.lists == v.lists }
		if v.sort != unknown && !same(result) && !slices.ContainsFunc(result.others, same) && len(result.others) < maxOthers {
			result.others = append(slices.Clip(result.others), v)
		}
	}
	return result
}

// element returns an element of a list or map.
func (q *nameResolver) element(m meaning) meaning {
	if m.sort == thing {
		m = q.valueOf(m)
	}
	switch {
	case m.lists > 0:
		m.lists--
		return m
	case m.sort == outside:
		return m.outer("[]")
	case m.sort == instance:
		// The type is an alias of a list.
		entry := &q.entries[m.entry]
		if v := q.variable(entryKey{entry.space, entry.qualified, 0}, -1).with(m.arguments); v.lists > 0 {
			v.lists--
			return v
		}
	}
	return meaning{}
}

// entered returns what a with statement binds to its name for the value m: the result of record.Enter or __aenter__. That is
// taken for m itself if it is unknown, or for an element if m is a list, such as the iterator of a context manager.
func (q *nameResolver) entered(m meaning) meaning {
	if m.lists > 0 {
		return q.element(m)
	}
	for _, name := range [...]string{record.Enter, "__aenter__"} {
		n, known := q.Names.Find(name)
		if m.sort != instance || !known {
			continue
		}
		if method, _ := q.declared(m.entry, m.arguments, n); method.sort == thing {
			if of := q.call(method); of.sort != unknown || q.open {
				return of
			}
		}
	}
	return m
}

// pass returns the result of a member of the standard library that returns its receiver or an element of it; unknown if the
// name is not that of such a member.
func (q *nameResolver) pass(m meaning, name string) meaning {
	rules := &q.rules[q.File.Family]
	if rules.Passes == nil {
		return meaning{}
	}
	if m.sort == thing {
		m = q.valueOf(m)
	}
	pass := rules.Passes(name)
	if pass == language.PassHeld && m.sort == outside {
		return m
	}
	if m.sort == outside && rules.Target == "" {
		if len(m.arguments) != 1 {
			return meaning{}
		}
		m = m.arguments[0] // as of a Supplier or Provider
	}
	if m.sort != instance && m.sort != tuple && (m.sort != outside || len(m.arguments) == 0) {
		return meaning{}
	}
	if m.lists == 0 && (pass == language.PassList || pass == language.PassItem) {
		return meaning{}
	}
	switch pass {
	case language.PassSame, language.PassList, language.PassHeld:
		return m
	case language.PassElement, language.PassItem:
		if m.lists > 0 {
			m.lists--
		}
		return m
	}
	return meaning{}
}

// isEnum reports whether the entry is an enum, whose constants are values of it unless a typing says otherwise.
func (q *nameResolver) isEnum(e int32) bool {
	d := q.entries[e].decls[0]
	return record.Kinds[q.Files[d.File].Symbols[d.Symbol].Kind] == record.Enum
}

// outer returns a member, call or element of a meaning outside of the tree; unknown if m has no name.
func (m meaning) outer(what string) meaning {
	if m.external == "" {
		return meaning{}
	}
	loose := m.loose || what == "[]" || what == "()" && !isTypeName(m.external) || what[0] == '.' && strings.HasSuffix(m.external, ")")
	return meaning{sort: outside, external: shorten.Characters(m.external+what, maxExternal), loose: loose}
}

// part returns part number n of a tuple.
func (m meaning) part(n string) meaning {
	if i, err := strconv.Atoi(n); err == nil && m.lists == 0 && i >= 0 && i < len(m.arguments) {
		return m.arguments[i]
	}
	return meaning{}
}

// isTypeName reports whether a name outside of the tree is written as that of a type.
func isTypeName(external string) bool {
	name := record.LastName(external)
	return name != "" && unicode.IsUpper(rune(name[0]))
}

// partEnd returns the length of the name at the start of an expression.
func partEnd(s string) int {
	if i := strings.IndexAny(s, ".(["); i > 0 {
		return i
	}
	if s != "" && s[0] == '.' {
		return 0
	}
	return len(s)
}

// maxArguments bounds the nesting of type arguments.
const maxArguments = 8

// valueOfType returns a value of the type in text: T, T[], T<A,B>, <A,B> for a tuple, or the number of a type parameter.
func (q *nameResolver) valueOfType(scope facts.Name, text string, depth int) meaning {
	if text == "" || depth > maxArguments {
		return meaning{}
	}
	lists := 0
	for strings.HasSuffix(text, "[]") {
		text, lists = text[:len(text)-2], lists+1
	}
	name, list, _ := strings.Cut(text, "<")
	var m meaning
	if number, err := strconv.ParseUint(name, 10, 16); err == nil {
		m = meaning{sort: parameter, entry: int32(number)}
	} else if name == "" {
		m = meaning{sort: tuple}
	} else if m = q.value(scope, name); m.sort == thing {
		if n, simple := q.Names.Find(name); simple && q.isFieldOrMethod(m.entry) {
			m, _ = q.bareType(scope, n)
		}
		if m.sort == thing {
			m = q.instanceOf(m)
		}
	} else if m.sort == unknown && depth == 0 {
		m = q.onlyType(name)
	}
	if list != "" {
		m.arguments = nil
		for _, argument := range splitTypes(strings.TrimSuffix(list, ">")) {
			m.arguments = append(m.arguments, q.valueOfType(scope, argument, depth+1))
		}
	}
	if m.sort == outside && len(m.arguments) > 0 && q.rules[q.File.Family].IsPointer(m.external) {
		m = m.arguments[0]
	}
	if m.sort == unknown {
		if len(m.arguments) == 1 && m.arguments[0].sort == instance && q.isForeignTemplate(name) {
			m = m.arguments[0]
			m.weak = true
			return m
		}
		if q.rules[q.File.Family].Target == "" || len(m.arguments) != 1 {
			return meaning{}
		}
		m.sort = outside // probably a type of another crate, or one that a macro makes
	}
	m.lists = uint8(min(int(m.lists)+lists, 8))
	return m
}

// isForeignTemplate reports whether a template of C++ is declared neither by the tree nor by the standard library. Such a
// template with one argument is often a kind of pointer, as one that a macro names.
func (q *nameResolver) isForeignTemplate(name string) bool {
	n, _ := q.Names.Find(record.LastName(name))
	return q.rules[q.File.Family].Variants && !strings.HasPrefix(name, "std.") &&
		!slices.ContainsFunc(q.last[entryKey{int32(q.File.Family), 0, n}], func(number int32) bool { return q.entries[number].sorts&typeSorts != 0 })
}

// splitTypes splits types at the commas between them.
func splitTypes(text string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '<':
			depth++
		case '>':
			depth--
		case ',':
			if depth == 0 {
				out, start = append(out, text[start:i]), i+1
			}
		}
	}
	return append(out, text[start:])
}

// instanceOf returns an instance of the type that m is or stands for.
func (q *nameResolver) instanceOf(m meaning) meaning {
	if q.entries[m.entry].sorts&typeSorts == 0 {
		m = q.valueOf(m)
	}
	if m.sort == thing && q.entries[m.entry].sorts&typeSorts != 0 {
		m.sort = instance
		return m
	}
	if m.sort == outside {
		return m
	}
	return meaning{}
}

// onlyType returns an instance of the only type of the name that the file can see; unknown if there are none or several.
func (q *nameResolver) onlyType(text string) meaning {
	n, ok := q.Names.Find(text)
	if !ok || q.rules[q.File.Family].IsBuiltin(text, false) {
		return meaning{}
	}
	found := q.only(n, func(number int32) bool { return q.entries[number].sorts&typeSorts != 0 })
	if found == noEntry {
		return meaning{}
	}
	return meaning{sort: instance, entry: found, weak: true}
}

// only returns the only entry of the family with the last name n that admits accepts and that the file can see; noEntry
// if there are none or several.
func (q *nameResolver) only(n facts.Name, admits func(number int32) bool) int32 {
	found := int32(noEntry)
	for _, number := range q.last[entryKey{int32(q.File.Family), 0, n}] {
		if !admits(number) || !q.reaches(number) {
			continue
		}
		if found != noEntry {
			return noEntry
		}
		found = number
	}
	return found
}
