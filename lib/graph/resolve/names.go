package resolve

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// A nameResolver resolves the names in one file. One goroutine at a time may use it.
type nameResolver struct {
	*Resolution
	File *facts.File
	// open is set if an answer may change once more typings are evaluated.
	open bool
	// depth is the number of imports, aliases and values followed so far, at most maxDepth.
	depth int
	// memo caches the meanings of receivers, tops those of names at the top level of the file.
	memo map[memoKey]meaning
	tops map[facts.Name]topMeaning
	// visited has the modules whose imports were searched for the present name. asked counts such searches for the file.
	visited []visit
	asked   int
}

type topMeaning struct {
	meaning meaning
	by      edge.By
	open    bool
}

// A visit is the search for a name among the imports of a file.
type visit struct {
	file int32
	name facts.Name
}

// maxVisits bounds the modules whose imports are searched for one name, maxAsked all such searches for one file.
const (
	maxVisits = 128
	maxAsked  = 1 << 15
)

type memoKey struct{ symbol, receiver facts.Name }

// maxDepth bounds the chain of imports, aliases and values that is followed for a name.
const maxDepth = 8

// named returns the meaning of the name n in the symbol scope, with a receiver or "", and the rule by which it was found.
func (q *nameResolver) named(scope facts.Name, receiver string, n facts.Name) (meaning, edge.By) {
	if receiver == "" {
		return q.bare(scope, n)
	}
	m := q.value(scope, receiver)
	if m.sort == unknown && len(q.imports[q.File.Number].local) > 0 && q.imports[q.File.Number].dotted {
		// import a.b; a.b.C
		if found, by := q.imported(q.Names.Of(n), receiver); found.sort != unknown {
			return found, by
		}
	}
	return q.member(m, n)
}

// imported returns the meaning of the name last if receiver is, or begins with, the dotted name of an import.
func (q *nameResolver) imported(last, receiver string) (meaning, edge.By) {
	m, rest := q.dotted(receiver + "." + last)
	if rest != "" || m.sort == unknown {
		return meaning{}, ""
	}
	return m, edge.ByImport
}

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
	if q.imports[q.File.Number].dotted {
		if m, after := q.dotted(expression); m.sort != unknown {
			return m, after, true
		}
	}
	if n, known := q.Names.Find(first); known {
		if m, _ := q.bare(scope, n); m.sort != unknown {
			return m, rest, true
		}
	}
	m, rest = q.absolute(expression)
	return m, rest, m.sort != unknown
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
		m = q.instanceOf(m)
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
		if q.rules[q.File.Family].Target == "" || len(m.arguments) != 1 {
			return meaning{}
		}
		m.sort = outside // probably a type of another crate, or one that a macro makes
	}
	m.lists = uint8(min(int(m.lists)+lists, 8))
	return m
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
	found := int32(noEntry)
	for _, e := range q.last[entryKey{int32(q.File.Family), 0, n}] {
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

// dotted returns the meaning of the longest beginning of path that is an imported name of several parts, and the rest.
func (q *nameResolver) dotted(path string) (meaning, string) {
	known := &q.imports[q.File.Number]
	end := len(path)
	if i := strings.IndexAny(path, "(["); i >= 0 {
		end = i
	}
	for ; end > 0; end = strings.LastIndexByte(path[:end], '.') {
		if strings.IndexByte(path[:end], '.') < 0 {
			break
		}
		if n, ok := q.Names.Find(path[:end]); ok {
			for _, target := range known.local[n] {
				if m := q.follow(target); m.sort != unknown {
					return m, path[end:]
				}
			}
		}
	}
	return meaning{}, ""
}

// absolute resolves a path with Rules.Absolute, for paths whose first name is not declared. It returns the meaning and the
// rest of the path.
func (q *nameResolver) absolute(path string) (meaning, string) {
	rules := &q.rules[q.File.Family]
	if rules.Absolute == nil {
		return meaning{}, ""
	}
	whole, rest := path, ""
	if i := strings.IndexAny(path, "(["); i >= 0 {
		whole, rest = path[:i], path[i:]
	}
	parts := strings.Split(whole, ".")
	found, n := rules.Absolute(q.Tree, q.File, parts)
	if n <= 0 || n > len(parts) {
		return meaning{}, ""
	}
	target, ok := q.lookedUp(found)
	if !ok {
		return meaning{}, ""
	}
	m := q.follow(target)
	if n < len(parts) {
		rest = "." + strings.Join(parts[n:], ".") + rest
	}
	return m, rest
}

// lookedUp does the same as target without adding names; ok is false if the tree lacks the package or a part of the name.
func (q *nameResolver) lookedUp(m language.Import) (t *importTarget, ok bool) {
	path := m.Name
	m.Name = ""
	t = q.target(q.File, m)
	if path == "" {
		return t, !t.missing
	}
	if t.outside != "" {
		t.outside = shorten.Characters(t.outside+"."+path, maxExternal)
		return t, true
	}
	if whole, known := q.Names.Find(path); known && t.keyed && q.lookup(t.space, 0, whole) != noEntry {
		t.path = []facts.Name{whole}
		return t, true
	}
	for part := range strings.SplitSeq(path, ".") {
		n, known := q.Names.Find(part)
		if !known {
			return t, false
		}
		t.path = append(t.path, n)
	}
	t.rest = path
	return t, !t.missing
}

// follow returns the meaning of an import.
func (q *nameResolver) follow(t *importTarget) meaning {
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
	switch {
	case t.keyed && len(t.path) > 1:
		return q.qualifiedIn(t.space, t.rest)
	case t.keyed && len(t.path) == 1:
		return q.extending(t.space, t.path[0])
	}
	return meaning{}
}

// qualifiedIn returns the meaning of a path in a package, if it begins with a qualified name of several parts, such as that
// of a namespace.
func (q *nameResolver) qualifiedIn(space int32, path string) meaning {
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '.') {
		n, known := q.Names.Find(path[:end])
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

// bare returns the meaning of the name n without a receiver in the symbol scope, and the rule by which it was found.
func (q *nameResolver) bare(scope, n facts.Name) (meaning, edge.By) {
	f := q.File
	rules := &q.rules[f.Family]
	for s := scope; s != 0; {
		e := q.entryOf(f.Space, s)
		if e == noEntry {
			// The symbol belongs to a type that is declared elsewhere, in a module of this file.
			s = q.outer(s)
			continue
		}
		if q.entries[e].sorts&typeSorts != 0 && q.entries[e].sorts&moduleSorts == 0 {
			if rules.ImplicitThis {
				if m, by := q.memberOf(e, n); m.sort != unknown {
					if of := q.constructed(m, n); of != noEntry {
						m.entry, by = of, q.near(meaning{sort: thing, entry: of}, edge.ByPackage)
					}
					if by == edge.ByReceiver {
						by = q.near(m, edge.ByReceiver)
					}
					return m, by
				}
			} else if found := q.lookup(f.Space, s, n); found != noEntry && q.entries[found].sorts&typeSorts != 0 {
				return q.seen(found)
			}
		} else if found := q.lookup(f.Space, s, n); found != noEntry && (rules.ImplicitThis || !q.isMethod(found)) {
			if m, by := q.seen(found); m.sort != unknown {
				return m, by
			}
		}
		s = q.entries[e].parent
	}
	return q.top(n)
}

// isMethod reports whether all declarations of the entry are methods, as those of an object in a function are.
func (q *nameResolver) isMethod(e int32) bool {
	for _, d := range q.entries[e].decls {
		if record.Kinds[q.Files[d.File].Symbols[d.Symbol].Kind] != record.Method {
			return false
		}
	}
	return true
}

// outer returns a qualified name without its last part, 0 if it has only one.
func (q *nameResolver) outer(s facts.Name) facts.Name {
	qualified := q.Names.Of(s)
	n, _ := q.Names.Find(qualified[:max(strings.LastIndexByte(qualified, '.'), 0)])
	return n
}

// constructed returns the type of a constructor m that has the name n of its type, otherwise noEntry: within a type, this
// name means the type.
func (q *nameResolver) constructed(m meaning, n facts.Name) int32 {
	if m.sort != thing || q.entries[m.entry].sorts != callableSorts {
		return noEntry
	}
	of := q.entryOf(q.entries[m.entry].space, q.entries[m.entry].parent)
	if of == noEntry || q.entries[of].sorts&typeSorts == 0 {
		return noEntry
	}
	if d := q.entries[of].decls[0]; q.Files[d.File].Symbols[d.Symbol].Name != n {
		return noEntry
	}
	return of
}

// near returns ByScope if the file declares m, otherwise by.
func (q *nameResolver) near(m meaning, by edge.By) edge.By {
	if m.sort == thing {
		for _, d := range q.entries[m.entry].decls {
			if d.File == q.File.Number {
				return edge.ByScope
			}
		}
	}
	return by
}

// seen returns the entry, which is in the file's package, as a thing if the file can see it.
func (q *nameResolver) seen(e int32) (meaning, edge.By) {
	m := meaning{sort: thing, entry: e}
	by := q.near(m, edge.ByPackage)
	if by != edge.ByScope && (!q.reaches(e) || q.rules[q.File.Family].FileFunctions && q.entries[e].parent == 0 && q.entries[e].sorts == callableSorts) {
		return meaning{}, ""
	}
	return m, by
}

// reaches reports whether the file can see a declaration of the entry.
func (q *nameResolver) reaches(e int32) bool {
	for _, d := range q.entries[e].decls {
		if q.canSee(d) {
			return true
		}
	}
	return false
}

// canSee reports whether the rules allow the file to refer to the declaration.
func (q *nameResolver) canSee(d facts.Decl) bool {
	if d.File == q.File.Number {
		return true
	}
	other := q.Files[d.File]
	if other.Symbols[d.Symbol].Flags&facts.ExportedFlag != 0 {
		return true
	}
	switch q.rules[q.File.Family].Unexported {
	case language.ReachFile:
		return false
	case language.ReachPackage:
		return other.Space == q.File.Space
	}
	return true
}

// top returns the meaning of a name at the top level of the file: from q.tops, or else by findTop.
func (q *nameResolver) top(n facts.Name) (meaning, edge.By) {
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

func (q *nameResolver) findTop(n facts.Name) (meaning, edge.By) {
	f := q.File
	own := q.lookup(f.Space, 0, n)
	if own != noEntry && q.entries[own].sorts == dataSorts {
		// A name that is both imported and assigned, as where an import may fail, means the import.
		for _, target := range q.imports[f.Number].local[n] {
			if m := q.follow(target); m.sort != unknown {
				return m, edge.ByImport
			}
		}
	}
	known := &q.imports[f.Number]
	// "mod x;" declares a module in another file: follow its import instead.
	elsewhere := own != noEntry && q.entries[own].sorts == moduleSorts && len(known.local[n]) > 0
	if own != noEntry && !elsewhere && q.near(meaning{sort: thing, entry: own}, "") == edge.ByScope {
		return meaning{sort: thing, entry: own}, edge.ByScope
	}
	if m := q.variable(entryKey{f.Space, 0, n}, f.Number); m.sort != unknown {
		return m, edge.ByScope
	}
	for _, target := range known.local[n] {
		if m := q.follow(target); m.sort != unknown {
			return m, edge.ByImport
		}
	}
	if own != noEntry {
		if m, by := q.seen(own); m.sort != unknown {
			return m, by
		}
	}
	if m := q.variable(entryKey{f.Space, 0, n}, -1); m.sort != unknown {
		return m, edge.ByPackage
	}
	for _, target := range known.all {
		if target.outside != "" {
			continue
		}
		if m := q.follow(target); m.sort != unknown {
			if m, _ = q.member(m, n); m.sort != unknown {
				return m, edge.ByImport
			}
		}
	}
	return meaning{}, ""
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
		if !q.rules[q.File.Family].IsBuiltin(q.Names.Of(n), true) { // otherwise the type has the member itself
			if found, by := q.extension(m, n); found.sort != unknown {
				return found, by
			}
		}
		if passes := q.rules[q.File.Family].Passes; passes != nil && passes(q.Names.Of(n)) == language.PassHeld {
			return meaning{}, ""
		}
		if found, by := q.wrapped(m, n); found.sort != unknown {
			return found, by
		}
		name := q.Names.Of(n)
		if name[0] >= '0' && name[0] <= '9' && strings.HasSuffix(m.external, "[]") {
			return meaning{}, "" // a part of a tuple in a container of unknown element type
		}
		return m.outer("." + name), edge.ByExternal
	case tuple:
		return m.part(q.Names.Of(n)), edge.ByReceiver
	case module:
		return q.inModule(m, n)
	case base:
		found, by := q.inherited(m.entry, n)
		if found.sort == unknown {
			found, by = q.foreignMember(m, q.Names.Of(n)), edge.ByExternal
		}
		return found, by
	case thing, instance:
		found, by := q.declared(m.entry, n)
		if by == edge.ByReceiver && found.sort == thing {
			found.arguments = m.arguments
		} else if found.sort != thing {
			found = found.with(m.arguments)
		}
		if found.sort == unknown {
			found, by = q.ofAlias(m, n)
		}
		if found.sort == unknown && m.sort == thing {
			// A member of the value of a variable or name.
			if v := q.valueOf(m); v.sort != unknown && (v.sort != thing || v.entry != m.entry) && q.depth < maxDepth {
				q.depth++
				found, by = q.member(v, n)
				q.depth--
			}
		}
		if found.sort == unknown && m.sort == thing {
			found, by = q.besideDefault(m, n)
			if e := &q.entries[m.entry]; found.sort == unknown && e.sorts&typeSorts != 0 && q.depth < maxDepth {
				// Perhaps a value has the name of the type.
				d := e.decls[0]
				if v := q.variable(entryKey{e.space, e.parent, q.Files[d.File].Symbols[d.Symbol].Name}, -1); v.sort == instance && v.entry != m.entry {
					q.depth++
					found, by = q.member(v, n)
					q.depth--
				}
			}
		}
		if found.sort == unknown && m.sort == thing {
			found, by = q.inOuterModule(m, n)
		}
		if found.sort == unknown && m.sort == instance && q.depth < maxDepth && !slices.Contains(q.rules[q.File.Family].Hiding, q.Names.Of(n)) {
			if of := q.forwarded(m); of.sort != unknown {
				q.depth++
				if found, by = q.member(of, n); by == edge.ByReceiver {
					by = edge.ByInherited
				}
				q.depth--
			}
		}
		if found.sort == unknown && m.sort == instance {
			found, by = q.extension(m, n)
		}
		if found.sort == unknown {
			if found = q.foreignMember(m, q.Names.Of(n)); found.sort != unknown {
				by = edge.ByExternal
			}
		}
		if m.weak && found.sort != unknown {
			found.weak = true
		}
		return found, by
	}
	return meaning{}, ""
}

// besideDefault returns the name n of the module whose default export (Rules.Default) is m: after module.exports = f;
// module.exports.g = ..., importers write f.g.
func (q *nameResolver) besideDefault(m meaning, n facts.Name) (meaning, edge.By) {
	e := &q.entries[m.entry]
	name, known := q.Names.Find(q.rules[q.File.Family].Default)
	if !known || e.parent != 0 || q.depth >= maxDepth {
		return meaning{}, ""
	}
	file := e.decls[0].File
	if e.qualified == name {
		return q.inModule(meaning{sort: module, space: e.space, file: file}, n)
	}
	for _, target := range q.imports[file].local[name] {
		if whole := q.follow(target); whole.sort == thing && whole.entry == m.entry {
			return q.inModule(meaning{sort: module, space: e.space, file: file}, n)
		}
	}
	return meaning{}, ""
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
	of, known := q.Names.Find(external[strings.LastIndexByte(external, '.')+1:])
	return known && slices.ContainsFunc(q.last[entryKey{int32(q.File.Family), 0, n}], func(number int32) bool { return q.entries[number].parent == of })
}

// outer returns a member, call or element of a meaning outside of the tree; unknown if m has no name.
func (m meaning) outer(what string) meaning {
	if m.external == "" {
		return meaning{}
	}
	loose := m.loose || what == "[]" || what == "()" && !isTypeName(m.external) || what[0] == '.' && strings.HasSuffix(m.external, ")")
	return meaning{sort: outside, external: shorten.Characters(m.external+what, maxExternal), loose: loose}
}

// isTypeName reports whether a name outside of the tree is written as that of a type.
func isTypeName(external string) bool {
	name := external[strings.LastIndexByte(external, '.')+1:]
	return name != "" && unicode.IsUpper(rune(name[0]))
}

// part returns part number n of a tuple.
func (m meaning) part(n string) meaning {
	if i, err := strconv.Atoi(n); err == nil && m.lists == 0 && i >= 0 && i < len(m.arguments) {
		return m.arguments[i]
	}
	return meaning{}
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

// declared returns a member that the entry declares or inherits.
func (q *nameResolver) declared(e int32, n facts.Name) (meaning, edge.By) {
	if m := q.own(e, n); m.sort != unknown {
		return m, edge.ByReceiver
	}
	return q.inherited(e, n)
}

// memberOf returns a member that the entry declares or inherits, or that the type has for which it is an alias.
func (q *nameResolver) memberOf(e int32, n facts.Name) (meaning, edge.By) {
	if m, by := q.declared(e, n); m.sort != unknown {
		return m, by
	}
	return q.ofAlias(meaning{sort: thing, entry: e}, n)
}

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

// maxAliases bounds the types for which one alias stands.
const maxAliases = 4

func (q *nameResolver) inherited(e int32, n facts.Name) (found meaning, by edge.By) {
	first := true
	q.ancestors(e, func(ancestor int32) bool {
		if !first {
			if found = q.own(ancestor, n); found.sort == unknown {
				found, _ = q.ofAlias(meaning{sort: thing, entry: ancestor}, n)
			}
		}
		first = false
		return found.sort == unknown
	})
	if found.sort != unknown {
		by = edge.ByInherited
	}
	return found, by
}

// inModule returns the meaning of a name in a module: a declaration, a value, or an import of the module.
func (q *nameResolver) inModule(m meaning, n facts.Name) (meaning, edge.By) {
	if e := q.lookup(m.space, m.prefix, n); e != noEntry {
		// "mod x;" declares a module in another file: follow its import instead.
		elsewhere := m.file >= 0 && m.prefix == 0 && q.entries[e].sorts == moduleSorts && len(q.imports[m.file].local[n]) > 0
		if !elsewhere && (m.file < 0 || q.declaredIn(e, m.file)) {
			if found := q.assigned(m, e, n); found.sort != unknown {
				return found, edge.ByImport
			}
			by := edge.ByImport
			if m.prefix != 0 {
				by = edge.ByReceiver
			}
			return meaning{sort: thing, entry: e, only: m.file + 1}, by
		}
	}
	if v := q.variable(entryKey{m.space, m.prefix, n}, m.file); v.sort != unknown {
		return v, edge.ByImport
	}
	if m.file < 0 || m.prefix != 0 || q.depth >= maxDepth {
		return meaning{}, ""
	}
	// Search the imports of the module. They may form cycles, which visited ends.
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
	for _, target := range known.local[n] {
		if found := q.follow(target); found.sort != unknown {
			return found, edge.ByImport
		}
	}
	other := q.Files[m.file]
	if submodule := q.rules[other.Family].Submodule; submodule != nil {
		if f := submodule(q.Tree, other, q.Names.Of(n)); f != nil {
			return meaning{sort: module, space: f.Space, file: f.Number}, edge.ByImport
		}
	}
	for _, target := range known.all {
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

// assigned returns what the import of a module means that assigns it to its own name n, as module.exports.default = f does;
// unknown if the entry of the name is more than a value.
func (q *nameResolver) assigned(m meaning, e int32, n facts.Name) meaning {
	if m.file < 0 || m.prefix != 0 || q.entries[e].sorts != dataSorts || q.depth >= maxDepth {
		return meaning{}
	}
	q.depth++
	defer func() { q.depth-- }()
	for _, target := range q.imports[m.file].local[n] {
		if found := q.follow(target); found.sort != unknown {
			return found
		}
	}
	return meaning{}
}

func (q *nameResolver) declaredIn(e, file int32) bool {
	for _, d := range q.entries[e].decls {
		if d.File == file {
			return true
		}
	}
	return false
}

// valueOf returns the value of a variable, field or name, or the result of a getter.
func (q *nameResolver) valueOf(m meaning) meaning {
	entry := &q.entries[m.entry]
	if entry.sorts&callableSorts != 0 && entry.sorts&typeSorts == 0 && q.rules[q.File.Family].Getters {
		return q.variable(entryKey{entry.space, entry.qualified, 0}, -1).with(m.arguments)
	}
	if entry.sorts&(typeSorts|callableSorts|moduleSorts) != 0 {
		return meaning{}
	}
	d := entry.decls[0]
	symbol := &q.Files[d.File].Symbols[d.Symbol]
	key := entryKey{entry.space, entry.parent, symbol.Name}
	if of := q.entryOf(entry.space, entry.parent); of != noEntry && record.Kinds[symbol.Kind] == record.Constant && len(q.typings[key]) == 0 && q.isEnum(of) {
		return meaning{sort: instance, entry: of}
	}
	return q.variable(key, -1).with(m.arguments)
}

// isEnum reports whether the entry is an enum, whose constants are values of it unless a typing says otherwise.
func (q *nameResolver) isEnum(e int32) bool {
	d := q.entries[e].decls[0]
	return record.Kinds[q.Files[d.File].Symbols[d.Symbol].Kind] == record.Enum
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
		if result := q.variable(entryKey{entry.space, entry.qualified, 0}, -1).with(m.arguments); result.sort != unknown {
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
