package resolve

import (
	"slices"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// memberText is member for a name that may be unknown. It returns no meaning for an empty name, as in the expression "a..b",
// which no parser writes.
func (q *nameResolver) memberText(m meaning, n string) meaning {
	switch {
	case n == "":
		return meaning{}
	case m.sort == tuple:
		return m.part(n)
	case m.sort == outside && m.lists > 0:
		return m.outer("." + n)
	}
	number, ok := q.Names.Find(n)
	if !ok {
		switch m.sort {
		case outside:
			return m.outer("." + n)
		case thing, instance:
			return q.foreignMember(m, n)
		}
		return meaning{}
	}
	found, _ := q.member(m, number)
	return found
}

// member returns the meaning of the name n behind the receiver m, and the rule by which it was found.
func (q *nameResolver) member(m meaning, n facts.Name) (meaning, edge.By) {
	if q.Names.Of(n) == "" {
		return meaning{}, ""
	}
	if m.lists > 0 {
		return q.extension(m, n)
	}
	switch m.sort {
	case outside:
		return q.outsideMember(m, n)
	case tuple:
		return m.part(q.Names.Of(n)), edge.ByReceiver
	case module:
		return q.inModule(m, n)
	case base:
		found, by := q.inherited(m.entry, m.arguments, n)
		if found.sort == unknown {
			found, by = q.foreignMember(m, q.Names.Of(n)), edge.ByExternal
		}
		return found, by
	case thing, instance:
		found, by := q.ofEntry(m, n)
		for i := 0; i < len(m.others) && found.sort == unknown; i++ {
			found, by = q.deeper(m.others[i], n)
		}
		found.weak = found.weak || m.weak && found.sort != unknown
		return found, by
	}
	return meaning{}, ""
}

// outsideMember returns the name n behind a meaning outside of the tree.
func (q *nameResolver) outsideMember(m meaning, n facts.Name) (meaning, edge.By) {
	rules, name := &q.rules[q.File.Family], q.Names.Of(n)
	if !rules.IsBuiltin(name, true) { // otherwise the type has the member itself
		if found, by := q.extension(m, n); found.sort != unknown {
			return found, by
		}
	}
	if rules.Passes != nil && rules.Passes(name) == language.PassHeld {
		return meaning{}, ""
	}
	if found, by := q.wrapped(m, n); found.sort != unknown {
		return found, by
	}
	if name[0] >= '0' && name[0] <= '9' && strings.HasSuffix(m.external, "[]") {
		return meaning{}, "" // a part of a tuple in a container of unknown element type
	}
	return m.outer("." + name), edge.ByExternal
}

// ofEntry returns the name n behind a thing or an instance, from the first of these steps that finds it.
func (q *nameResolver) ofEntry(m meaning, n facts.Name) (meaning, edge.By) {
	ofThing, ofInstance := m.sort == thing, m.sort == instance
	for _, step := range [...]struct {
		applies bool
		find    func(q *nameResolver, m meaning, n facts.Name) (meaning, edge.By)
	}{
		{true, (*nameResolver).declaredBehind},
		{true, (*nameResolver).ofAlias},
		{ofThing, (*nameResolver).ofValue},
		{ofThing, (*nameResolver).besideDefault},
		{ofThing, (*nameResolver).ofNamesake},
		{ofThing, (*nameResolver).inOuterModule},
		{ofInstance, (*nameResolver).ofForwarded},
		{ofInstance, (*nameResolver).extension},
	} {
		if !step.applies {
			continue
		}
		if found, by := step.find(q, m, n); found.sort != unknown {
			return found, by
		}
	}
	if found := q.foreignMember(m, q.Names.Of(n)); found.sort != unknown {
		return found, edge.ByExternal
	}
	return meaning{}, ""
}

// deeper is member for the value of a value, up to maxDepth of them.
func (q *nameResolver) deeper(m meaning, n facts.Name) (meaning, edge.By) {
	if m.sort == unknown || q.depth >= maxDepth {
		return meaning{}, ""
	}
	q.depth++
	defer func() { q.depth-- }()
	return q.member(m, n)
}

// declaredBehind returns a member that the type or thing m declares or inherits.
func (q *nameResolver) declaredBehind(m meaning, n facts.Name) (meaning, edge.By) {
	return q.declared(m.entry, m.arguments, n)
}

// ofValue returns a member of the value of the variable or name m.
func (q *nameResolver) ofValue(m meaning, n facts.Name) (meaning, edge.By) {
	v := q.valueOf(m)
	if v.sort == thing && v.entry == m.entry {
		return meaning{}, ""
	}
	return q.deeper(v, n)
}

// ofNamesake returns a member of the value that has the name of the type m, or of the module that has that of the module m.
func (q *nameResolver) ofNamesake(m meaning, n facts.Name) (meaning, edge.By) {
	e := &q.entries[m.entry]
	wanted := instance
	if e.sorts == moduleSorts {
		wanted = module
	} else if e.sorts&typeSorts == 0 {
		return meaning{}, ""
	}
	d := e.decls[0]
	v := q.variable(entryKey{e.space, e.parent, q.Files[d.File].Symbols[d.Symbol].Name}, -1)
	if v.sort != wanted || v.sort == instance && v.entry == m.entry {
		return meaning{}, ""
	}
	return q.deeper(v, n)
}

// ofForwarded returns a member of the value for which the value m stands.
func (q *nameResolver) ofForwarded(m meaning, n facts.Name) (meaning, edge.By) {
	if q.depth >= maxDepth || slices.Contains(q.rules[q.File.Family].Hiding, q.Names.Of(n)) {
		return meaning{}, ""
	}
	found, by := q.deeper(q.forwarded(m), n)
	if by == edge.ByReceiver {
		by = edge.ByInherited
	}
	return found, by
}

// own returns a member that the entry declares itself.
func (q *nameResolver) own(e int32, n facts.Name) meaning {
	entry := &q.entries[e]
	if found := q.lookup(entry.space, entry.qualified, n); found != noEntry {
		return meaning{sort: thing, entry: found}
	}
	if v := q.variable(entryKey{entry.space, entry.qualified, n}, -1); v.sort != unknown {
		return v
	}
	return q.scattered(entry, n)
}

// scattered returns a member that another file declares for the type; of several, that of the nearest file.
func (q *nameResolver) scattered(of *entry, n facts.Name) meaning {
	if !q.rules[of.family].Scattered || of.sorts&typeSorts == 0 {
		return meaning{}
	}
	found, most := meaning{}, -1
	for _, number := range q.last[entryKey{int32(of.family), 0, n}] {
		e := &q.entries[number]
		if e.parent != of.qualified || e.space == of.space || q.entryOf(e.space, e.parent) != noEntry {
			continue
		}
		if near := facts.SharedFolders(q.File.Path, q.Files[e.decls[0].File].Path); near > most {
			found, most = meaning{sort: thing, entry: number}, near
		}
	}
	return found
}

// declared returns a member that the entry declares or inherits, behind a value with type arguments.
func (q *nameResolver) declared(e int32, arguments []meaning, n facts.Name) (meaning, edge.By) {
	if m := q.own(e, n); m.sort != unknown {
		return m.behind(arguments), edge.ByReceiver
	}
	return q.inherited(e, arguments, n)
}

// behind returns a member as that of a value with type arguments.
func (m meaning) behind(arguments []meaning) meaning {
	if m.sort == thing {
		m.arguments = arguments
		return m
	}
	return m.with(arguments)
}

// memberOf returns a member that the entry declares or inherits, or that the type has for which it is an alias.
func (q *nameResolver) memberOf(e int32, n facts.Name) (meaning, edge.By) {
	if m, by := q.declared(e, nil, n); m.sort != unknown {
		return m, by
	}
	return q.ofAlias(meaning{sort: thing, entry: e}, n)
}

// inherited returns a member that the entry inherits, behind a value with type arguments.
func (q *nameResolver) inherited(e int32, arguments []meaning, n facts.Name) (found meaning, by edge.By) {
	first, from := true, int32(noEntry)
	q.ancestors(e, func(ancestor int32) bool {
		if !first {
			from = ancestor
			if found = q.own(ancestor, n); found.sort == unknown {
				found, _ = q.ofAlias(meaning{sort: thing, entry: ancestor}, n)
			}
		}
		first = false
		return found.sort == unknown
	})
	if found.sort != unknown {
		found, by = found.behind(q.argumentsOf(e, arguments, from)), edge.ByInherited
	}
	return found, by
}

// argumentsOf returns the type arguments with which the entry e inherits from ancestor, given those of e; nil if there are none.
func (q *nameResolver) argumentsOf(e int32, arguments []meaning, ancestor int32) []meaning {
	base, known := q.Names.Find(record.Base)
	if !known {
		return nil
	}
	type inheritance struct {
		entry     int32
		arguments []meaning
	}
	queue := append(make([]inheritance, 0, 8), inheritance{e, arguments})
	for i := 0; i < len(queue); i++ {
		of := queue[i]
		typings := q.typings[entryKey{q.entries[of.entry].space, q.entries[of.entry].qualified, base}]
		for _, bases := range [...][]int32{q.bases[of.entry], q.demands[of.entry]} {
			for _, b := range bases {
				next := inheritance{entry: b}
				for _, number := range typings {
					v := q.values[number]
					if v.sort == unknown && !q.Resolution.typed[number].settled {
						q.open = true
					}
					if v.sort == instance && v.entry == b {
						next.arguments = withAll(v.arguments, of.arguments)
						break
					}
				}
				if b == ancestor {
					return next.arguments
				}
				if len(queue) < maxAncestry && !slices.ContainsFunc(queue, func(other inheritance) bool { return other.entry == b }) {
					queue = append(queue, next)
				}
			}
		}
	}
	return nil
}

// ancestors calls each for the entry, then for its bases, breadth first, then for the interfaces of all of these, until
// each returns false.
func (q *nameResolver) ancestors(e int32, each func(int32) bool) {
	if q.bases == nil {
		q.open = true
		return
	}
	if len(q.bases[e]) == 0 && len(q.demands[e]) == 0 {
		each(e)
		return
	}
	queue := make([]int32, 1, 16)
	queue[0] = e
	next := 0
	follow := func(lists [][]int32, i int) {
		for _, b := range lists[queue[i]] {
			if len(queue) < maxAncestry && !slices.Contains(queue, b) {
				queue = append(queue, b)
			}
		}
	}
	take := func() bool {
		for ; next < len(queue); next++ {
			if !each(queue[next]) {
				return false
			}
			follow(q.bases, next)
		}
		return true
	}
	// All bases come before all interfaces, however far away.
	for i := 0; take() && i < len(queue); i++ {
		follow(q.demands, i)
	}
}

// maxAliases bounds the types for which one alias stands.
const maxAliases = 4

// ofAlias returns a member of the type for which m is an alias. Of several types, as in branches of the preprocessor, the
// first that has the member counts.
func (q *nameResolver) ofAlias(m meaning, n facts.Name) (meaning, edge.By) {
	entry := &q.entries[m.entry]
	if entry.sorts&typeSorts == 0 || q.depth >= maxDepth {
		return meaning{}, ""
	}
	q.depth++
	defer func() { q.depth-- }()
	for i, number := range q.typings[entryKey{entry.space, entry.qualified, 0}] {
		if i == maxAliases {
			break
		}
		if !q.Resolution.typed[number].settled && q.values[number].sort == unknown {
			q.open = true
		}
		of := q.values[number].with(m.arguments)
		if of.lists > 0 || of.sort == instance && of.entry == m.entry || of.sort != instance && (of.sort != outside || len(of.arguments) == 0) {
			continue
		}
		if m.sort == thing && of.sort == instance {
			of.sort = thing
		}
		if found, by := q.member(of, n); found.sort != unknown {
			return found, by
		}
	}
	return meaning{}, ""
}

// forwards reports whether a type has one of the members in Rules.Forwards, by which its values stand for other values.
func (q *nameResolver) forwards(e int32) bool {
	for _, name := range q.rules[q.File.Family].Forwards {
		if n, ok := q.Names.Find(name); ok {
			if found, _ := q.memberOf(e, n); found.sort != unknown {
				return true
			}
		}
	}
	return false
}

// forwarded returns the value for which m stands: of the type that Rules.Target names, or else, as a guess, of the only type
// argument.
func (q *nameResolver) forwarded(m meaning) meaning {
	if !q.forwards(m.entry) {
		return meaning{}
	}
	if n, ok := q.Names.Find(q.rules[q.File.Family].Target); ok && q.rules[q.File.Family].Target != "" {
		if target := q.own(m.entry, n); target.sort == thing && q.entries[target.entry].sorts&typeSorts != 0 {
			e := &q.entries[target.entry]
			if v := q.variable(entryKey{e.space, e.qualified, 0}, -1).with(m.arguments); v.sort != unknown && (v.sort != instance || v.entry != m.entry) {
				return v
			}
		}
	}
	if len(m.arguments) != 1 || m.arguments[0].sort != instance {
		return meaning{}
	}
	of := m.arguments[0]
	of.weak = true
	return of
}

// wrapped returns a member of the only type argument of m, whose type is outside of the tree and probably forwards to its
// argument, as pointers do. The outer type must not be known to have such a member itself. The result is weak.
func (q *nameResolver) wrapped(m meaning, n facts.Name) (meaning, edge.By) {
	rules := &q.rules[q.File.Family]
	if rules.Target == "" || len(m.arguments) != 1 || m.arguments[0].sort != instance || q.depth >= maxDepth {
		return meaning{}, ""
	}
	if name := q.Names.Of(n); rules.IsBuiltin(name, true) || rules.Passes(name) != language.PassNothing || q.addedOutside(m.external, n) {
		return meaning{}, ""
	}
	q.depth++
	defer func() { q.depth-- }()
	found, by := q.member(m.arguments[0], n)
	found.weak = true
	return found, by
}

// addedOutside reports whether the tree declares a member of the name for a type outside of it.
func (q *nameResolver) addedOutside(external string, n facts.Name) bool {
	of, known := q.Names.Find(record.LastName(external))
	return known && slices.ContainsFunc(q.last[entryKey{int32(q.File.Family), 0, n}], func(number int32) bool { return q.entries[number].parent == of })
}

// foreignMember returns a member of the first base type outside of the tree; unknown if there is no such base.
func (q *nameResolver) foreignMember(m meaning, n string) meaning {
	foreign := ""
	q.ancestors(m.entry, func(e int32) bool {
		foreign = q.foreign[e]
		return foreign == ""
	})
	if foreign == "" {
		return meaning{}
	}
	return meaning{sort: outside, external: shorten.Characters(foreign+"."+n, maxExternal), loose: true}
}

// inOuterModule returns the name n in a module that has the name of the module m and is declared further out: in namespace
// A::B, ::B::f means that of the outer B.
func (q *nameResolver) inOuterModule(m meaning, n facts.Name) (meaning, edge.By) {
	e := &q.entries[m.entry]
	if e.sorts != moduleSorts || e.parent == 0 || q.depth >= maxDepth {
		return meaning{}, ""
	}
	q.depth++
	defer func() { q.depth-- }()
	d := e.decls[0]
	for around := e.parent; around != 0; {
		around = q.outer(around)
		if outer := q.lookup(e.space, around, q.Files[d.File].Symbols[d.Symbol].Name); outer != noEntry && q.entries[outer].sorts == moduleSorts {
			return q.member(meaning{sort: thing, entry: outer}, n)
		}
	}
	return meaning{}, ""
}
