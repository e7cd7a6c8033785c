package resolve

import (
	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/record"
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

// bare returns the meaning of the name n without a receiver in the symbol scope, and the rule by which it was found.
func (q *nameResolver) bare(scope, n facts.Name) (meaning, edge.By) {
	return q.around(scope, n, func(meaning) bool { return true })
}

// bareType is bare for the name of a type, which a field or method of that name does not hide.
func (q *nameResolver) bareType(scope, n facts.Name) (meaning, edge.By) {
	m, by := q.bare(scope, n)
	if m.sort != thing || !q.isFieldOrMethod(m.entry) {
		return m, by
	}
	of, ofBy := q.around(scope, n, func(m meaning) bool { return m.sort != thing || !q.isFieldOrMethod(m.entry) })
	if of.sort == unknown {
		of, _ = q.absolute(q.Names.Of(n))
		ofBy = edge.ByImport
	}
	if of.sort == outside || of.sort == thing && q.entries[of.entry].sorts&typeSorts != 0 {
		return of, ofBy
	}
	return m, by
}

// isFieldOrMethod reports whether all declarations of the entry are fields or methods.
func (q *nameResolver) isFieldOrMethod(e int32) bool {
	for _, d := range q.entries[e].decls {
		if kind := record.Kinds[q.Files[d.File].Symbols[d.Symbol].Kind]; kind != record.Field && kind != record.Method {
			return false
		}
	}
	return true
}

// around returns the meaning of the name n in the nearest symbol around the scope where it has one that admits accepts, or
// at the top level.
func (q *nameResolver) around(scope, n facts.Name, admits func(meaning) bool) (meaning, edge.By) {
	f := q.File
	rules := &q.rules[f.Family]
	for s := scope; s != 0; {
		e := q.entryOf(f.Space, s)
		if e == noEntry {
			// The symbol belongs to a type that is declared elsewhere, or in a module of this file. Within a member that
			// implements one of an interface, in C#, the same name means that of the class around it.
			if found := q.lookup(f.Space, s, n); found != noEntry && rules.ImplicitThis && record.LastName(q.Names.Of(scope)) != q.Names.Of(n) {
				if m, by := q.seen(found); m.sort != unknown && admits(m) {
					return m, by
				}
			}
			if rules.Scattered && rules.ImplicitThis && s != scope {
				if of, _ := q.top(s); of.sort == thing && q.entries[of.entry].sorts&typeSorts != 0 {
					if m, by := q.memberOf(of.entry, n); m.sort != unknown && admits(m) {
						return m, by
					}
				}
			}
			s = q.outer(s)
			continue
		}
		if q.entries[e].sorts&typeSorts != 0 && q.entries[e].sorts&moduleSorts == 0 {
			if rules.ImplicitThis {
				if m, by := q.memberOf(e, n); m.sort != unknown && (admits(m) || q.constructed(m, n) != noEntry) {
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
			if m, by := q.seen(found); m.sort != unknown && admits(m) {
				return m, by
			}
		} else if m := q.variable(entryKey{f.Space, s, n}, -1); found == noEntry && m.sort != unknown && q.entries[e].sorts == moduleSorts && admits(m) {
			return m, edge.ByPackage // an alias of a namespace
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
	n, _ := q.Names.Find(record.Owner(q.Names.Of(s)))
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
	if m := q.variable(entryKey{f.Space, 0, n}, f.Number); m.sort != unknown && (m.sort != module || own == noEntry) {
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
