package graph

import (
	"slices"
	"strings"

	"cortex/lib/record"
)

// An inquiry asks what the names in one file mean. It is for one goroutine.
type inquiry struct {
	*resolution
	file *File
	// open is set when an answer may come to be another when more typings are known.
	open bool
	// depth counts the imports that are followed one from the other.
	depth int
	// memo keeps the meanings of receivers, tops those of names at the top level of the file.
	memo map[memoKey]meaning
	tops map[name]topMeaning
	// visited are the modules that were asked for what they have from others, to answer one question.
	visited []visit
	asked   int
}

type topMeaning struct {
	meaning meaning
	by      By
	open    bool
}

// A visit is a question to a file.
type visit struct {
	file int32
	name name
}

// maxVisits bounds how many modules are asked for one name, maxAsked how many times modules are asked for the names of one file.
const (
	maxVisits = 128
	maxAsked  = 1 << 15
)

type memoKey struct{ symbol, receiver name }

// maxDepth bounds how many modules pass a name on.
const maxDepth = 8

// named is the meaning of a name behind a receiver, or of a bare one, in the symbol of the file, and how it was found. forType prefers types.
func (q *inquiry) named(scope name, receiver string, n name, forType bool) (meaning, By) {
	if receiver == "" {
		return q.bare(scope, n)
	}
	m := q.value(scope, receiver)
	if m.sort == unknown && len(q.imports[q.file.number].local) > 0 && q.imports[q.file.number].dotted {
		// import a.b; a.b.C
		if found, by := q.imported(q.names.of(n), receiver); found.sort != unknown {
			return found, by
		}
	}
	return q.member(m, n)
}

// imported is a name behind the dotted name of an import.
func (q *inquiry) imported(last, receiver string) (meaning, By) {
	m, rest := q.dotted(receiver + "." + last)
	if rest != "" || m.sort == unknown {
		return meaning{}, ""
	}
	return m, ByImport
}

// value is the meaning of an expression.
func (q *inquiry) value(scope name, expression string) meaning {
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
		case rest[0] == '.':
			end := partEnd(rest[1:]) + 1
			next := q.memberText(m, rest[1:end])
			if passed := q.pass(m, rest[1:end]); passed.sort != unknown && (next.sort == unknown || next.sort == outside) {
				next = passed
				end += len(rest[end:]) - len(strings.TrimPrefix(rest[end:], "()"))
			}
			if m.sort == thing && q.entries[m.entry].sorts&typeSorts != 0 && (next.sort == unknown || next.sort == outside) && q.rules[q.file.family].constructs(rest[1:end]) {
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

// pass is what a member of the standard library makes of a value that it gives back.
func (q *inquiry) pass(m meaning, name string) meaning {
	rules := &q.rules[q.file.family]
	if rules.Passes == nil {
		return meaning{}
	}
	if m.sort == thing {
		m = q.valueOf(m.entry)
	}
	if m.sort != instance {
		return meaning{}
	}
	switch rules.Passes(name) {
	case PassSame:
		return m
	case PassElement:
		if m.lists > 0 {
			m.lists--
		}
		return m
	}
	return meaning{}
}

// partEnd is where the name at the start of an expression ends.
func partEnd(s string) int {
	if i := strings.IndexAny(s, ".(["); i > 0 {
		return i
	}
	if s != "" && s[0] == '.' {
		return 0
	}
	return len(s)
}

// root is the meaning of the first part of an expression, and what follows it.
func (q *inquiry) root(scope name, expression string) (m meaning, rest string, ok bool) {
	if expression == "" || strings.HasPrefix(expression, "…") {
		return meaning{}, "", false
	}
	if expression[0] == '(' {
		inner, rest, closed := strings.Cut(expression[1:], ")")
		if !closed {
			return meaning{}, "", false
		}
		lists := 0
		for strings.HasSuffix(inner, "[]") {
			inner, lists = inner[:len(inner)-2], lists+1
		}
		m := q.value(scope, inner)
		switch m.sort {
		case thing:
			m = q.instanceOf(m)
		case unknown:
			m = q.onlyType(inner)
		}
		m.lists = uint8(min(lists, 8))
		return m, rest, true
	}
	end := partEnd(expression)
	first, rest := expression[:end], expression[end:]
	if first == "" {
		m, rest = q.absolute(expression)
		return m, rest, m.sort != unknown
	}
	switch first {
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
	if q.imports[q.file.number].dotted {
		if m, after := q.dotted(expression); m.sort != unknown {
			return m, after, true
		}
	}
	if n, known := q.names.find(first); known {
		if m, _ := q.bare(scope, n); m.sort != unknown {
			return m, rest, true
		}
	}
	m, rest = q.absolute(expression)
	return m, rest, m.sort != unknown
}

// instanceOf is an instance of the type that the thing is, or stands for.
func (q *inquiry) instanceOf(m meaning) meaning {
	if q.entries[m.entry].sorts&typeSorts == 0 {
		m = q.valueOf(m.entry)
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

// onlyType is an instance of the only type of the name in the tree.
func (q *inquiry) onlyType(text string) meaning {
	n, ok := q.names.find(text)
	if !ok || q.rules[q.file.family].isBuiltin(text, false) {
		return meaning{}
	}
	found := int32(noEntry)
	for _, e := range q.last[entryKey{int32(q.file.family), 0, n}] {
		if q.entries[e].sorts&typeSorts == 0 || !q.reaches(e) {
			continue
		}
		if found != noEntry {
			return meaning{}
		}
		found = e
	}
	if found == noEntry {
		return meaning{}
	}
	return meaning{sort: instance, entry: found, weak: true}
}

// dotted is the meaning of the longest beginning of a path that is the name of an import with several parts, and what follows.
func (q *inquiry) dotted(path string) (meaning, string) {
	known := &q.imports[q.file.number]
	end := len(path)
	if i := strings.IndexAny(path, "(["); i >= 0 {
		end = i
	}
	for ; end > 0; end = strings.LastIndexByte(path[:end], '.') {
		if strings.IndexByte(path[:end], '.') < 0 {
			break
		}
		if n, ok := q.names.find(path[:end]); ok {
			for _, target := range known.local[n] {
				if m := q.follow(&target); m.sort != unknown {
					return m, path[end:]
				}
			}
		}
	}
	return meaning{}, ""
}

// absolute asks the rules about a path whose beginning nothing declares.
func (q *inquiry) absolute(path string) (meaning, string) {
	rules := &q.rules[q.file.family]
	if rules.Absolute == nil {
		return meaning{}, ""
	}
	whole, rest := path, ""
	if i := strings.IndexAny(path, "(["); i >= 0 {
		whole, rest = path[:i], path[i:]
	}
	parts := strings.Split(whole, ".")
	found, n := rules.Absolute(q.Tree, q.file, parts)
	if n <= 0 || n > len(parts) {
		return meaning{}, ""
	}
	target, ok := q.lookedUp(found)
	if !ok {
		return meaning{}, ""
	}
	m := q.follow(&target)
	if n < len(parts) {
		rest = "." + strings.Join(parts[n:], ".") + rest
	}
	return m, rest
}

// lookedUp is target for the time when no names are added; ok is false if a part of the name is none of the tree.
func (q *inquiry) lookedUp(m Import) (t importTarget, ok bool) {
	path := m.Name
	m.Name = ""
	t = q.target(q.file, m)
	if path == "" {
		return t, !t.missing
	}
	if t.outside != "" {
		t.outside = clip(t.outside+"."+path, maxExternal)
		return t, true
	}
	if whole, known := q.names.find(path); known && t.keyed && q.lookup(t.space, 0, whole) != noEntry {
		t.path = []name{whole}
		return t, true
	}
	for part := range strings.SplitSeq(path, ".") {
		n, known := q.names.find(part)
		if !known {
			return t, false
		}
		t.path = append(t.path, n)
	}
	t.rest = path
	return t, !t.missing
}

// follow is what an import leads to.
func (q *inquiry) follow(t *importTarget) meaning {
	if t.outside != "" {
		return meaning{sort: outside, external: t.outside}
	}
	if q.depth >= maxDepth {
		return meaning{}
	}
	if q.depth == 0 {
		q.visited = q.visited[:0]
	}
	q.depth++
	defer func() { q.depth-- }()
	for _, m := range t.modules {
		for _, part := range t.path {
			if m, _ = q.member(m, part); m.sort == unknown {
				break
			}
		}
		if m.sort != unknown {
			return m
		}
	}
	if t.keyed && len(t.path) > 1 {
		return q.qualifiedIn(t.space, t.rest)
	}
	return meaning{}
}

// qualifiedIn is what a path means in a package in which it begins with a qualified name of several parts, as that of a namespace.
func (q *inquiry) qualifiedIn(space int32, path string) meaning {
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '.') {
		n, known := q.names.find(path[:end])
		if !known {
			continue
		}
		e := q.entryOf(space, n)
		if e == noEntry {
			continue
		}
		m := meaning{sort: thing, entry: e}
		for rest := strings.TrimPrefix(path[end:], "."); rest != "" && m.sort != unknown; {
			var part string
			part, rest, _ = strings.Cut(rest, ".")
			m = q.memberText(m, part)
		}
		if m.sort != unknown {
			return m
		}
	}
	return meaning{}
}

// this is a value of the type around a symbol.
func (q *inquiry) this(scope name) meaning {
	f := q.file
	for s := scope; s != 0; {
		e := q.entryOf(f.space, s)
		if e == noEntry {
			break
		}
		if q.entries[e].sorts&typeSorts != 0 {
			return meaning{sort: instance, entry: e}
		}
		if q.entries[e].sorts&moduleSorts != 0 {
			return meaning{sort: thing, entry: e} // a module whose functions are its members
		}
		if s != scope && q.entries[e].sorts == dataSorts {
			return meaning{sort: thing, entry: e} // a table or an object whose functions are its members
		}
		parent := q.entries[e].parent
		if parent != 0 && q.entryOf(f.space, parent) == noEntry {
			if q.rules[f.family].Scattered {
				if m, _ := q.top(parent); m.sort == thing && q.entries[m.entry].sorts&typeSorts != 0 {
					m.sort = instance
					return m
				}
			}
			// A type that is declared where the file can't see it has these members at least.
			return meaning{sort: module, space: f.space, file: -1, prefix: parent}
		}
		s = parent
	}
	return meaning{}
}

// bare is the meaning of a name without receiver, and how it was found.
func (q *inquiry) bare(scope, n name) (meaning, By) {
	f := q.file
	rules := &q.rules[f.family]
	for s := scope; s != 0; {
		e := q.entryOf(f.space, s)
		if e == noEntry {
			// A type that is declared elsewhere, in a module of this file.
			s = q.outer(s)
			continue
		}
		if q.entries[e].sorts&typeSorts != 0 && q.entries[e].sorts&moduleSorts == 0 {
			if rules.ImplicitThis {
				if m, by := q.memberOf(e, n); m.sort != unknown {
					if of := q.constructed(m, n); of != noEntry {
						m.entry, by = of, q.near(meaning{sort: thing, entry: of}, ByPackage)
					}
					if by == ByReceiver {
						by = q.near(m, ByReceiver)
					}
					return m, by
				}
			} else if found := q.lookup(f.space, s, n); found != noEntry && q.entries[found].sorts&typeSorts != 0 {
				return q.seen(found, ByPackage)
			}
		} else if found := q.lookup(f.space, s, n); found != noEntry && (rules.ImplicitThis || !q.isMethod(found)) {
			if m, by := q.seen(found, ByPackage); m.sort != unknown {
				return m, by
			}
		}
		s = q.entries[e].parent
	}
	return q.top(n)
}

// isMethod reports whether everything of the entry is a method, as one of an object in a function may be.
func (q *inquiry) isMethod(e int32) bool {
	for _, d := range q.entries[e].decls {
		if record.Kinds[q.files[d.file].symbols[d.symbol].kind] != record.Method {
			return false
		}
	}
	return true
}

// outer is a qualified name without its last part.
func (q *inquiry) outer(s name) name {
	qualified := q.names.of(s)
	n, _ := q.names.find(qualified[:max(strings.LastIndexByte(qualified, '.'), 0)])
	return n
}

// constructed is the type that has a constructor of this name, which is that of the type: inside of it the name means the type.
func (q *inquiry) constructed(m meaning, n name) int32 {
	if m.sort != thing || q.entries[m.entry].sorts != callableSorts {
		return noEntry
	}
	of := q.entryOf(q.entries[m.entry].space, q.entries[m.entry].parent)
	if of == noEntry || q.entries[of].sorts&typeSorts == 0 {
		return noEntry
	}
	if d := q.entries[of].decls[0]; q.files[d.file].symbols[d.symbol].name != n {
		return noEntry
	}
	return of
}

// near is ByScope for what the file declares itself, or else by.
func (q *inquiry) near(m meaning, by By) By {
	if m.sort == thing {
		for _, d := range q.entries[m.entry].decls {
			if d.file == q.file.number {
				return ByScope
			}
		}
	}
	return by
}

// seen is the thing of an entry if the file can see it.
func (q *inquiry) seen(e int32, by By) (meaning, By) {
	m := meaning{sort: thing, entry: e}
	if by = q.near(m, by); by != ByScope && (!q.reaches(e) || q.rules[q.file.family].FileFunctions && q.entries[e].parent == 0 && q.entries[e].sorts == callableSorts) {
		return meaning{}, ""
	}
	return m, by
}

// reaches reports whether the file may refer to some declaration of the entry, which lies in another.
func (q *inquiry) reaches(e int32) bool {
	for _, d := range q.entries[e].decls {
		if q.canSee(d) {
			return true
		}
	}
	return false
}

// canSee reports whether the rules let the file refer to the declaration.
func (q *inquiry) canSee(d decl) bool {
	if d.file == q.file.number {
		return true
	}
	other := q.files[d.file]
	if other.symbols[d.symbol].flags&exportedFlag != 0 {
		return true
	}
	switch q.rules[q.file.family].Unexported {
	case ReachFile:
		return false
	case ReachPackage:
		return other.space == q.file.space
	}
	return true
}

// top is the meaning of a name at the top level of the file.
func (q *inquiry) top(n name) (meaning, By) {
	if q.depth > 0 || q.tops == nil {
		return q.findTop(n)
	}
	known, ok := q.tops[n]
	if !ok {
		before := q.open
		q.open = false
		known.meaning, known.by = q.findTop(n)
		known.open = q.open
		q.open = before
		q.tops[n] = known
	}
	q.open = q.open || known.open
	return known.meaning, known.by
}

func (q *inquiry) findTop(n name) (meaning, By) {
	f := q.file
	own := q.lookup(f.space, 0, n)
	if own != noEntry && q.entries[own].sorts == dataSorts {
		// What is imported and assigned to, in a branch of its own as where an import fails, is what is imported.
		for i := range q.imports[f.number].local[n] {
			if m := q.follow(&q.imports[f.number].local[n][i]); m.sort != unknown {
				return m, ByImport
			}
		}
	}
	known := &q.imports[f.number]
	// The module that "mod x;" declares is another file, or something of the name in that.
	elsewhere := own != noEntry && q.entries[own].sorts == moduleSorts && len(known.local[n]) > 0
	if own != noEntry && !elsewhere && q.near(meaning{sort: thing, entry: own}, "") == ByScope {
		return meaning{sort: thing, entry: own}, ByScope
	}
	if m := q.variable(entryKey{f.space, 0, n}, f.number); m.sort != unknown {
		return m, ByScope
	}
	for i := range known.local[n] {
		if m := q.follow(&known.local[n][i]); m.sort != unknown {
			return m, ByImport
		}
	}
	if own != noEntry {
		if m, by := q.seen(own, ByPackage); m.sort != unknown {
			return m, by
		}
	}
	if m := q.variable(entryKey{f.space, 0, n}, -1); m.sort != unknown {
		return m, ByPackage
	}
	for i := range known.all {
		target := &known.all[i]
		if target.outside != "" {
			continue
		}
		if m := q.follow(target); m.sort != unknown {
			if m, _ = q.member(m, n); m.sort != unknown {
				return m, ByImport
			}
		}
	}
	return meaning{}, ""
}

// variable is the value of what a typing tells about, if file is not negative only of one in that file.
func (q *inquiry) variable(key entryKey, file int32) meaning {
	for _, number := range q.typings[key] {
		t := &q.resolution.typed[number]
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

func (q *inquiry) memberText(m meaning, n string) meaning {
	if m.sort == outside {
		return meaning{sort: outside, external: clip(m.external+"."+n, maxExternal)}
	}
	number, ok := q.names.find(n)
	if !ok {
		if m.sort == thing || m.sort == instance {
			return q.foreignMember(m, n)
		}
		return meaning{}
	}
	found, _ := q.member(m, number)
	return found
}

// member is what the name means behind something, and how it was found.
func (q *inquiry) member(m meaning, n name) (meaning, By) {
	if m.lists > 0 {
		return meaning{}, ""
	}
	switch m.sort {
	case outside:
		return meaning{sort: outside, external: clip(m.external+"."+q.names.of(n), maxExternal)}, ByExternal
	case module:
		return q.inModule(m, n)
	case base:
		found, by := q.inherited(m.entry, n)
		if found.sort == unknown {
			found, by = q.foreignMember(m, q.names.of(n)), ByExternal
		}
		return found, by
	case thing, instance:
		found, by := q.memberOf(m.entry, n)
		if found.sort == unknown && m.sort == thing {
			// A member of what a variable or a name stands for.
			if v := q.valueOf(m.entry); v.sort != unknown && (v.sort != thing || v.entry != m.entry) && q.depth < maxDepth {
				q.depth++
				found, by = q.member(v, n)
				q.depth--
			}
			if e := &q.entries[m.entry]; found.sort == unknown && e.sorts&(typeSorts|dataSorts) == typeSorts|dataSorts && q.depth < maxDepth {
				// A value that has the name of a type.
				d := e.decls[0]
				if v := q.variable(entryKey{e.space, e.parent, q.files[d.file].symbols[d.symbol].name}, -1); v.sort == instance && v.entry != m.entry {
					q.depth++
					found, by = q.member(v, n)
					q.depth--
				}
			}
		}
		if found.sort == unknown {
			if found = q.foreignMember(m, q.names.of(n)); found.sort != unknown {
				by = ByExternal
			}
		}
		if m.weak && found.sort != unknown {
			found.weak = true
		}
		return found, by
	}
	return meaning{}, ""
}

// foreignMember is a member that a type has from a base outside of the tree.
func (q *inquiry) foreignMember(m meaning, n string) meaning {
	foreign := ""
	q.ancestors(m.entry, func(e int32) bool {
		foreign = q.foreign[e]
		return foreign == ""
	})
	if foreign == "" {
		return meaning{}
	}
	return meaning{sort: outside, external: clip(foreign+"."+n, maxExternal)}
}

// ancestors calls each on the entry, all from which it inherits, breadth first, and then the interfaces of these, until each returns false.
func (q *inquiry) ancestors(e int32, each func(int32) bool) {
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
	// What a base has comes before what an interface demands, however far away.
	for i := 0; take() && i < len(queue); i++ {
		follow(q.demands, i)
	}
}

// own is a member that an entry declares itself.
func (q *inquiry) own(e int32, n name) meaning {
	entry := &q.entries[e]
	if found := q.lookup(entry.space, entry.qualified, n); found != noEntry {
		return meaning{sort: thing, entry: found}
	}
	if v := q.variable(entryKey{entry.space, entry.qualified, n}, -1); v.sort != unknown {
		return v
	}
	return q.scattered(entry, n)
}

// scattered is a member that a file declares for a type which lies in another; of several that of the nearest file.
func (q *inquiry) scattered(of *entry, n name) meaning {
	if !q.rules[of.family].Scattered || of.sorts&typeSorts == 0 {
		return meaning{}
	}
	found, most := meaning{}, -1
	for _, number := range q.last[entryKey{int32(of.family), 0, n}] {
		e := &q.entries[number]
		if e.parent != of.qualified || e.space == of.space || q.entryOf(e.space, e.parent) != noEntry {
			continue
		}
		if near := sharedFolders(q.file.Path, q.files[e.decls[0].file].Path); near > most {
			found, most = meaning{sort: thing, entry: number}, near
		}
	}
	return found
}

// memberOf is a member of a type, or of anything in which something is declared.
func (q *inquiry) memberOf(e int32, n name) (meaning, By) {
	if m := q.own(e, n); m.sort != unknown {
		return m, ByReceiver
	}
	if m, by := q.inherited(e, n); m.sort != unknown {
		return m, by
	}
	if q.entries[e].sorts&typeSorts != 0 && q.depth < maxDepth {
		// The type that a name stands for.
		entry := &q.entries[e]
		if m := q.variable(entryKey{entry.space, entry.qualified, 0}, -1); m.sort == instance && m.entry != e && m.lists == 0 {
			q.depth++
			defer func() { q.depth-- }()
			return q.memberOf(m.entry, n)
		}
	}
	return meaning{}, ""
}

func (q *inquiry) inherited(e int32, n name) (found meaning, by By) {
	first := true
	q.ancestors(e, func(ancestor int32) bool {
		if !first {
			found = q.own(ancestor, n)
		}
		first = false
		return found.sort == unknown
	})
	if found.sort != unknown {
		by = ByInherited
	}
	return found, by
}

// inModule is what a name means in a module or under a prefix.
func (q *inquiry) inModule(m meaning, n name) (meaning, By) {
	if e := q.lookup(m.space, m.prefix, n); e != noEntry {
		// A module that is declared without a body is another file, or something of the name in that.
		elsewhere := m.file >= 0 && m.prefix == 0 && q.entries[e].sorts == moduleSorts && len(q.imports[m.file].local[n]) > 0
		if !elsewhere && (m.file < 0 || q.declaredIn(e, m.file)) {
			by := ByImport
			if m.prefix != 0 {
				by = ByReceiver
			}
			return meaning{sort: thing, entry: e, only: m.file + 1}, by
		}
	}
	if v := q.variable(entryKey{m.space, m.prefix, n}, m.file); v.sort != unknown {
		return v, ByImport
	}
	if m.file < 0 || m.prefix != 0 || q.depth >= maxDepth {
		return meaning{}, ""
	}
	// What the module has from others, which may have it from the module.
	if q.depth == 0 {
		q.visited = q.visited[:0]
	}
	now := visit{m.file, n}
	if q.asked == maxAsked || len(q.visited) == maxVisits || slices.Contains(q.visited, now) {
		return meaning{}, ""
	}
	q.asked++
	q.visited = append(q.visited, now)
	q.depth++
	defer func() { q.depth-- }()
	known := &q.imports[m.file]
	for i := range known.local[n] {
		if found := q.follow(&known.local[n][i]); found.sort != unknown {
			return found, ByImport
		}
	}
	other := q.files[m.file]
	if submodule := q.rules[other.family].Submodule; submodule != nil {
		if f := submodule(q.Tree, other, q.names.of(n)); f != nil {
			return meaning{sort: module, space: f.space, file: f.number}, ByImport
		}
	}
	for i := range known.all {
		target := &known.all[i]
		if target.outside != "" {
			continue
		}
		if inner := q.follow(target); inner.sort != unknown {
			if found, by := q.member(inner, n); found.sort != unknown {
				return found, by
			}
		}
	}
	return meaning{}, ""
}

func (q *inquiry) declaredIn(e, file int32) bool {
	for _, d := range q.entries[e].decls {
		if d.file == file {
			return true
		}
	}
	return false
}

// valueOf is what a variable, field or name holds, or a getter returns.
func (q *inquiry) valueOf(e int32) meaning {
	entry := &q.entries[e]
	if entry.sorts&callableSorts != 0 && entry.sorts&typeSorts == 0 && q.rules[q.file.family].Getters {
		return q.variable(entryKey{entry.space, entry.qualified, 0}, -1)
	}
	if entry.sorts&(typeSorts|callableSorts|moduleSorts) != 0 {
		return meaning{}
	}
	d := entry.decls[0]
	return q.variable(entryKey{entry.space, entry.parent, q.files[d.file].symbols[d.symbol].name}, -1)
}

// call is the result of a call.
func (q *inquiry) call(m meaning) meaning {
	switch m.sort {
	case outside:
		return meaning{sort: outside, external: clip(m.external+"()", maxExternal)}
	case base:
		return m
	case thing:
		entry := &q.entries[m.entry]
		if entry.sorts&typeSorts != 0 {
			m.sort = instance
			return m
		}
		if result := q.variable(entryKey{entry.space, entry.qualified, 0}, -1); result.sort != unknown {
			if result.sort == thing {
				return meaning{}
			}
			result.weak = result.weak || m.weak
			return result
		}
		if d := entry.decls[0]; entry.sorts == callableSorts && entry.parent != 0 {
			// What a type demands has its result beside it.
			if v := q.variable(entryKey{entry.space, entry.parent, q.files[d.file].symbols[d.symbol].name}, -1); v.sort == instance {
				v.weak = v.weak || m.weak
				return v
			}
		}
		if v := q.valueOf(m.entry); v.sort == thing && v.entry != m.entry && q.depth < maxDepth {
			q.depth++
			defer func() { q.depth-- }()
			return q.call(v)
		}
	}
	return meaning{}
}

// element is an element of a list or map.
func (q *inquiry) element(m meaning) meaning {
	if m.sort == thing {
		m = q.valueOf(m.entry)
	}
	switch {
	case m.sort == outside:
		return meaning{sort: outside, external: clip(m.external+"[]", maxExternal)}
	case m.sort == instance && m.lists > 0:
		m.lists--
		return m
	case m.sort == instance:
		// A type that stands for a list.
		entry := &q.entries[m.entry]
		if v := q.variable(entryKey{entry.space, entry.qualified, 0}, -1); v.sort == instance && v.lists > 0 {
			v.lists--
			return v
		}
	}
	return meaning{}
}

func (r *Rules) isBuiltin(n string, member bool) bool {
	return r.Builtin != nil && r.Builtin(n, member)
}

// constructs reports whether a call of the name on a type makes an instance.
func (r *Rules) constructs(n string) bool { return slices.Contains(r.Constructors, n) }

// typeCall is the relation of a call of a type's name.
func (r *Rules) typeCall() record.Relation {
	if r.TypeCall == "" {
		return record.Instantiates
	}
	return r.TypeCall
}
