package resolve

import (
	"slices"
	"strings"
	"unicode"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/record"
)

// An Answer has the targets of a reference. By is "" if there are none.
type Answer struct {
	Relation   record.Relation
	By         edge.By
	Confidence float64
	To         []edge.Place
	External   string
	// Unlisted is set for a call without target, on a receiver of unknown type, if the tree declares members of its name.
	Unlisted bool
}

// A Linker resolves the references of one file. One goroutine at a time may use it.
type Linker struct {
	nameResolver
	rules   *language.Rules
	guesses map[guessKey]Answer
	decls   []facts.Decl
	owners  []owner
}

// Linker returns the linker of a file.
func (r *Resolution) Linker(f *facts.File) *Linker {
	return &Linker{nameResolver: nameResolver{Resolution: r, File: f, memo: map[memoKey]meaning{}, tops: map[facts.Name]topMeaning{}}, rules: &r.rules[f.Family], guesses: map[guessKey]Answer{}}
}

// Languages returns the languages of the file's family.
func (l *Linker) Languages() []string { return l.rules.Languages }

// answer resolves one reference of the file.
func (l *Linker) answer(ref *facts.Reference) Answer {
	relation := record.Relations[ref.Relation]
	if relation == record.Imports {
		return l.imports(l.nameResolver.imports[l.File.Number].each[ref.Visible])
	}
	if relation == record.Passes {
		return l.passed(ref)
	}
	var m meaning
	var by edge.By
	if ref.Receiver == 0 {
		switch l.Names.Of(ref.Name) {
		case "this", "super":
			return Answer{Relation: relation}
		}
		find := l.bare
		if relation != record.Calls {
			find = l.bareType
		}
		if m, by = find(ref.Symbol, ref.Name); m.sort == unknown {
			var rest string
			if m, rest = l.absolute(l.Names.Of(ref.Name)); rest != "" || m.sort == module && relation == record.Calls {
				m = meaning{}
			}
			by = edge.ByImport
		}
		if m.sort == unknown && l.holds(ref.Name) {
			return Answer{Relation: relation}
		}
		if m.sort == unknown && relation == record.Calls {
			if m = l.visibleExtension(ref.Name); m.sort == unknown && l.rules.ImplicitThis {
				m = l.added(l.this(ref.Symbol), ref.Name)
			}
		}
		if m.sort == unknown {
			return l.guess(ref, relation)
		}
	} else if l.Names.Of(ref.Receiver) == record.Global {
		if m, by = l.top(ref.Name); m.sort == unknown {
			return Answer{Relation: relation}
		}
	} else {
		receiver := l.receiver(ref)
		if receiver.sort == unknown {
			if m, by = l.named(ref.Symbol, l.Names.Of(ref.Receiver), ref.Name); m.sort == unknown {
				m, by = l.addedTo(ref), edge.ByReceiver
			}
		} else {
			m, by = l.member(receiver, ref.Name)
		}
		if m.sort != thing && relation == record.Calls && (receiver.sort == unknown || receiver.sort == outside) {
			if extension := l.importedExtension(receiver, ref.Name); extension.sort != unknown {
				return l.found(extension, edge.ByImport, relation)
			}
		}
		switch {
		case m.sort == unknown && (receiver.sort == unknown || relation == record.Calls && l.isUnknownValue(receiver) || receiver.sort == outside && receiver.external == ""):
			return l.guess(ref, relation)
		case receiver.sort == unknown:
		case m.sort == outside && l.mayReturn(receiver, ref, relation):
			if a := l.guess(ref, relation); a.By == edge.ByUnique {
				return a
			}
			return Answer{Relation: relation, Unlisted: true}
		case m.sort == unknown && l.mayHaveMore(receiver):
			if relation != record.Calls {
				return Answer{Relation: relation}
			}
			if m = l.added(receiver, ref.Name); m.sort != unknown {
				return l.found(m, edge.ByUnique, relation)
			}
			return Answer{Relation: relation, Unlisted: l.hasMember(behind{}, ref.Name)}
		case m.sort == unknown && relation == record.Calls && (l.isMixin(receiver, ref) || l.hasNarrower(receiver, ref.Name)):
			return l.guess(ref, relation)
		case m.sort == unknown || m.sort == outside && receiver.sort == thing && l.rules.Constructs(l.Names.Of(ref.Name)):
			if receiver.sort != thing || l.entries[receiver.entry].sorts&typeSorts == 0 || relation != record.Calls || !l.rules.Constructs(l.Names.Of(ref.Name)) {
				return Answer{Relation: relation}
			}
			m, by = receiver, edge.ByReceiver
		case by == edge.ByScope || by == edge.ByPackage:
			by = edge.ByReceiver
		}
	}
	return l.found(m, by, relation)
}

// passed resolves a name that is used as a value. The answer has a target only if the name is surely that of a function.
func (l *Linker) passed(ref *facts.Reference) Answer {
	var m meaning
	var by edge.By
	if ref.Receiver == 0 {
		m, by = l.bare(ref.Symbol, ref.Name)
	} else if l.File.Language == "objectivec" {
		return l.read(ref)
	} else if m, by = l.member(l.receiver(ref), ref.Name); by == edge.ByScope || by == edge.ByPackage {
		by = edge.ByReceiver
	}
	if m.sort != thing || m.weak || l.entries[m.entry].sorts&(callableSorts|typeSorts) != callableSorts {
		return Answer{Relation: record.Passes}
	}
	if a := l.found(m, by, record.Passes); a.By != edge.ByCandidates {
		return a
	}
	return Answer{Relation: record.Passes}
}

// read resolves a member that is read, as in a.b, of Objective-C. If the member is surely a method, that is called.
func (l *Linker) read(ref *facts.Reference) Answer {
	receiver, by := l.receiver(ref), edge.ByReceiver
	m := l.addedTo(ref)
	if receiver.sort != unknown {
		if m, by = l.member(receiver, ref.Name); m.sort == unknown && l.mayHaveMore(receiver) {
			m = l.added(receiver, ref.Name)
		}
	}
	if m.sort != thing || l.entries[m.entry].sorts&(callableSorts|typeSorts) != callableSorts {
		return Answer{Relation: record.Passes}
	}
	return l.found(m, by, record.Calls)
}

// addedTo returns the member that the tree adds to the type of the receiver, or to the receiver itself if that is a type, which
// it does not declare.
func (l *Linker) addedTo(ref *facts.Reference) meaning {
	of, known := l.Names.Find(strings.TrimSuffix(strings.TrimPrefix(l.Names.Of(ref.Receiver), "("), ")"))
	if e := l.lookup(l.File.Space, of, ref.Name); known && e != noEntry && l.entryOf(l.File.Space, of) == noEntry && l.reaches(e) {
		return meaning{sort: thing, entry: e}
	}
	return meaning{}
}

// holds reports whether the name is a variable of the file, even one with an unknown value.
func (l *Linker) holds(n facts.Name) bool {
	for _, number := range l.typings[entryKey{l.File.Space, 0, n}] {
		if l.typed[number].file == l.File.Number {
			return true
		}
	}
	return false
}

// receiver returns the meaning of the receiver of a reference.
func (l *Linker) receiver(ref *facts.Reference) meaning {
	key := memoKey{ref.Symbol, ref.Receiver}
	m, ok := l.memo[key]
	if !ok {
		if m = l.value(ref.Symbol, l.Names.Of(ref.Receiver)); m.sort == parameter {
			m = meaning{}
		}
		l.memo[key] = m
	}
	return m
}

// mayHaveMore reports whether a value may have members that its type is not known to have: if its type is unknown or a guess,
// forwards members to another value, has an unknown base, or is an alias of an unknown type.
func (l *Linker) mayHaveMore(m meaning) bool {
	return m.sort == instance && m.lists == 0 && (m.weak || l.forwards(m.entry) || l.inherits(m.entry, l.partial) || l.isUnknownAlias(m.entry))
}

// added returns, as a guess, the only member of the name that the tree adds to a type outside of it, if m is of a type with
// an unknown base, which may be that type.
func (l *Linker) added(m meaning, n facts.Name) meaning {
	named := l.last[entryKey{int32(l.File.Family), 0, n}]
	if m.sort != instance || len(named) > 8*maxGuess || l.rules.IsBuiltin(l.Names.Of(n), true) || !l.inherits(m.entry, l.partial) {
		return meaning{}
	}
	found := l.only(n, func(number int32) bool {
		e := &l.entries[number]
		return e.sorts&callableSorts != 0 && e.parent != 0 && l.entryOf(e.space, e.parent) == noEntry
	})
	if found == noEntry {
		return meaning{}
	}
	return meaning{sort: thing, entry: found, weak: true}
}

// isUnknownValue reports whether m is a variable or field of unknown type.
func (l *Linker) isUnknownValue(m meaning) bool {
	return m.sort == thing && l.entries[m.entry].sorts&(typeSorts|moduleSorts) == 0 && l.valueOf(m).sort == unknown
}

// hasNarrower reports whether a type that is derived from that of the value m has a member of the name, as after a check that
// the value is of that type.
func (l *Linker) hasNarrower(m meaning, n facts.Name) bool {
	if m.sort != instance || m.lists > 0 || l.rules.IsBuiltin(l.Names.Of(n), true) {
		return false
	}
	named := l.last[entryKey{int32(l.File.Family), 0, n}]
	return len(named) <= maxGuess && slices.ContainsFunc(named, func(number int32) (derived bool) {
		e := &l.entries[number]
		of := l.entryOf(e.space, e.parent)
		if e.parent == 0 || of == noEntry || e.sorts&callableSorts == 0 {
			return false
		}
		l.ancestors(of, func(ancestor int32) bool {
			derived = ancestor == m.entry
			return !derived
		})
		return derived
	})
}

// isMixin reports whether a call is one on this of a member that the type around it lacks, as in a trait or mixin.
func (l *Linker) isMixin(this meaning, ref *facts.Reference) bool {
	if l.Names.Of(ref.Receiver) != "this" || l.rules.IsBuiltin(l.Names.Of(ref.Name), true) {
		return false
	}
	return this.sort != instance || !l.inherits(this.entry, l.library)
}

// inherits reports whether a type or one of its bases is marked.
func (l *Linker) inherits(e int32, marked []bool) (found bool) {
	l.ancestors(e, func(of int32) bool {
		found = marked[of]
		return !found
	})
	return found
}

func (l *Linker) isUnknownAlias(e int32) bool {
	of := &l.entries[e]
	for _, d := range of.decls {
		if record.Kinds[l.Files[d.File].Symbols[d.Symbol].Kind] != record.TypeKind {
			return false
		}
	}
	return l.variable(entryKey{of.space, of.qualified, 0}, -1).sort == unknown
}

// mayReturn reports whether the receiver of a call comes from outside of the tree, but may be a value of a type in it.
func (l *Linker) mayReturn(receiver meaning, ref *facts.Reference, relation record.Relation) bool {
	return l.rules.Untyped && receiver.loose && relation == record.Calls && !l.rules.IsBuiltin(l.Names.Of(ref.Name), true) && l.hasMember(behind{}, ref.Name)
}

// found returns the answer whose targets are those of the meaning.
func (l *Linker) found(m meaning, by edge.By, relation record.Relation) Answer {
	a := Answer{Relation: relation, By: by}
	switch m.sort {
	case outside:
		if m.external == "" {
			return Answer{Relation: relation}
		}
		a.By, a.External = edge.ByExternal, m.external
	case module:
		if m.file < 0 || m.prefix != 0 {
			return Answer{Relation: relation}
		}
		a.To = []edge.Place{{File: m.file, Symbol: -1}}
	case thing:
		e := &l.entries[m.entry]
		if relation == record.Calls && e.sorts&typeSorts != 0 && e.sorts&callableSorts == 0 {
			a.Relation = l.rules.CalledType()
		}
		decls, several := l.choose(m, relation)
		if len(decls) == 0 {
			return Answer{Relation: relation}
		}
		for _, d := range decls {
			a.To = append(a.To, placeOf(d))
		}
		if m.weak {
			a.By = edge.ByUnique
		}
		if several && (a.By == edge.ByPackage || a.By == edge.ByUnique) {
			a.By = edge.ByCandidates
			a.Confidence = edge.Confidences[edge.ByCandidates] / float64(len(decls))
			return a
		}
	default:
		return Answer{Relation: relation}
	}
	a.Confidence = edge.Confidences[a.By]
	return a
}

// choose returns the declarations of a thing that a reference in the file can mean. several is set if they may be
// different symbols.
func (l *Linker) choose(m meaning, relation record.Relation) (decls []facts.Decl, several bool) {
	all := l.defined(l.ofSort(l.entries[m.entry].decls, l.entries[m.entry].sorts, relation))
	file := l.File.Number
	if m.only > 0 {
		file = m.only - 1
	}
	overloads := l.rules.Overloads && l.entries[m.entry].parent != 0
	for _, d := range all {
		if d.File == file && !overloads {
			return []facts.Decl{d}, false
		}
	}
	if len(all) == 1 {
		if !l.canSee(all[0]) {
			return nil, false
		}
		if l.rules.Means != nil {
			all = l.rules.Means(l.Tree, l.File, slices.Clone(all))
		}
		return all, false
	}
	l.decls = l.decls[:0]
	for _, d := range all {
		if l.canSee(d) {
			l.decls = append(l.decls, d)
		}
	}
	decls = l.withoutTests(l.decls)
	if l.rules.Means != nil {
		decls = l.rules.Means(l.Tree, l.File, decls)
	}
	if l.rules.Wide && !overloads {
		decls = l.nearest(decls)
		several = len(decls) > 1 && !l.rules.Variants
	}
	return slices.Clone(decls[:min(len(decls), maxTargets)]), several
}

// ofSort returns the declarations that the relation can mean. If a name is declared both as a function and as a type, calls
// mean the function and other relations the type.
func (l *Linker) ofSort(decls []facts.Decl, sorts sorts, relation record.Relation) []facts.Decl {
	wanted := typeSorts
	if relation == record.Calls {
		wanted = callableSorts
	}
	if sorts&typeSorts == 0 || sorts&callableSorts == 0 || relation == record.Imports || l.rules.CalledTypes {
		return decls
	}
	return slices.DeleteFunc(slices.Clone(decls), func(d facts.Decl) bool {
		return sortsOf(record.Kinds[l.Files[d.File].Symbols[d.Symbol].Kind])&wanted == 0
	})
}

// defined returns only the definition of a struct, without typedefs that only name it, if there is exactly one definition;
// otherwise all decls.
func (l *Linker) defined(decls []facts.Decl) []facts.Decl {
	definition := -1
	for i, d := range decls {
		s := &l.Files[d.File].Symbols[d.Symbol]
		if facts.IsForward(s.Signature, l.Names.Of(s.Name)) {
			continue
		}
		if definition >= 0 {
			return decls
		}
		definition = i
	}
	if definition < 0 {
		return decls
	}
	return decls[definition : definition+1]
}

// withoutTests removes test code, unless the file itself is test code or nothing else would be left.
func (l *Linker) withoutTests(decls []facts.Decl) []facts.Decl {
	if l.File.Test {
		return decls
	}
	n := 0
	for _, d := range decls {
		if !l.isTest(d) {
			n++
		}
	}
	if n == 0 || n == len(decls) {
		return decls
	}
	return slices.DeleteFunc(decls, l.isTest)
}

// nearest returns the declarations whose paths share the most leading folders with the file.
func (l *Linker) nearest(decls []facts.Decl) []facts.Decl {
	most := -1
	for _, d := range decls {
		most = max(most, l.nearness(d))
	}
	return slices.DeleteFunc(decls, func(d facts.Decl) bool { return l.nearness(d) < most })
}

func (l *Linker) nearness(d facts.Decl) int {
	return facts.SharedFolders(l.File.Path, l.Files[d.File].Path)
}

// imports returns the answer for an import: the first of its targets that the tree has, or else a name outside of the tree.
func (l *Linker) imports(targets []*importTarget) Answer {
	a := Answer{Relation: record.Imports}
	shared := 0
	add := func(id edge.Place) {
		if len(a.To) < maxTargets && !slices.Contains(a.To, id) {
			a.To = append(a.To, id)
		}
	}
	for _, t := range targets {
		if t.outside != "" {
			if a.External == "" {
				a.External = t.outside
			}
			continue
		}
		m := meaning{}
		if len(t.path) > 0 {
			m = l.follow(t)
		}
		if t.keyed && !(l.rules.Wide && len(t.path) > 0) {
			for _, folder := range l.folderIDs(t.space) {
				add(edge.Place{Folder: folder})
			}
		}
		for _, in := range t.modules {
			if in.file >= 0 {
				add(edge.Place{File: in.file, Symbol: -1})
				if len(t.path) > 0 {
					break
				}
			}
		}
		switch m.sort {
		case thing:
			decls, _ := l.choose(m, record.Imports)
			if e := &l.entries[m.entry]; len(a.To) == 0 && e.sorts == moduleSorts && len(e.decls) > 1 {
				// A namespace of several files: an import of it need not use all of them.
				shared = len(e.decls)
			}
			for _, d := range decls {
				add(placeOf(d))
			}
		case module:
			if m.file >= 0 {
				add(edge.Place{File: m.file, Symbol: -1})
			}
		case outside:
			if a.External == "" {
				a.External = m.external
			}
		}
		if len(a.To) > 0 {
			break
		}
	}
	switch {
	case shared > 0:
		a.By, a.External = edge.ByCandidates, ""
		a.Confidence = edge.Confidences[edge.ByCandidates] / float64(shared)
		return a
	case len(a.To) > 0:
		a.By, a.External = edge.ByImport, ""
	case a.External != "":
		a.By = edge.ByExternal
	}
	a.Confidence = edge.Confidences[a.By]
	return a
}

// Each calls visit for each reference at the start of references that belongs to the symbol, then for each use of a type
// whose name is the receiver in one of these references. It returns the remaining references.
func (l *Linker) Each(symbol facts.Name, references []facts.Reference, visit func(*facts.Reference, *Answer)) (rest []facts.Reference) {
	end := 0
	l.owners = l.owners[:0]
	for ; end < len(references) && references[end].Symbol == symbol; end++ {
		ref := &references[end]
		a := l.answer(ref)
		visit(ref, &a)
		l.noteOwner(ref, &a)
	}
	for i := range l.owners {
		o := &l.owners[i]
		if o.ref.Lines = withoutLines(o.ref.Lines, references[:end], o.ref.Name); len(o.ref.Lines) > 0 {
			visit(&o.ref, &o.answer)
		}
	}
	return references[end:]
}

// An owner is a type whose name a symbol uses as a receiver, with the lines of these references. Each is a use of the type.
type owner struct {
	receiver facts.Name
	ref      facts.Reference
	answer   Answer
}

// noteOwner adds to l.owners the type whose name is the receiver of the reference, or the start of the receiver, as in
// T.f(), use(T.c) and T.c.f(). The member itself may be unknown, as if a macro has made it.
func (l *Linker) noteOwner(ref *facts.Reference, a *Answer) {
	relation := record.Relations[ref.Relation]
	if ref.Receiver == 0 || relation != record.Calls && relation != record.Passes || a.Relation != relation && a.Relation != record.Calls {
		return
	}
	receiver, m := ref.Receiver, l.receiver(ref)
	if !l.isType(m) {
		if receiver = l.ownerOf(receiver); receiver == 0 {
			return
		}
		if m = l.receiver(&facts.Reference{Symbol: ref.Symbol, Receiver: receiver}); !l.isType(m) {
			return
		}
	}
	if i := slices.IndexFunc(l.owners, func(o owner) bool { return o.receiver == receiver }); i >= 0 {
		l.owners[i].ref.Lines = append(l.owners[i].ref.Lines, ref.Lines...)
		return
	}
	text := l.Names.Of(receiver)
	if strings.ContainsAny(text, "([") || text == "this" {
		return
	}
	o := owner{receiver: receiver, ref: facts.Reference{Symbol: ref.Symbol, Relation: usesRelation, Lines: slices.Clone(ref.Lines)}}
	o.ref.Receiver, _ = l.Names.Find(record.Owner(text))
	o.ref.Name, _ = l.Names.Find(record.LastName(text))
	by := edge.ByReceiver
	if strings.IndexByte(text, '.') < 0 {
		if _, by = l.bare(ref.Symbol, receiver); by == "" {
			by = edge.ByImport
		}
	}
	if o.answer = l.found(m, by, record.Uses); o.answer.By != "" {
		l.owners = append(l.owners, o)
	}
}

func (l *Linker) isType(m meaning) bool {
	return m.sort == thing && l.entries[m.entry].sorts&(typeSorts|moduleSorts) == typeSorts
}

// ownerOf returns T for the receiver T.c or T.f().g, if T is upper case as the name of a type; otherwise 0.
func (l *Linker) ownerOf(receiver facts.Name) facts.Name {
	text := l.Names.Of(receiver)
	if end := strings.IndexAny(text, "(["); end >= 0 {
		text = text[:end]
	}
	of := record.Owner(text)
	if name := record.LastName(of); name == "" || !unicode.IsUpper(rune(name[0])) {
		return 0
	}
	n, _ := l.Names.Find(of)
	return n
}

var usesRelation = uint8(slices.Index(record.Relations, record.Uses))

// withoutLines returns the lines, sorted, on which no other reference uses a type with the name.
func withoutLines(lines []int32, references []facts.Reference, n facts.Name) []int32 {
	slices.Sort(lines)
	lines = slices.Compact(lines)
	for i := range references {
		if ref := &references[i]; ref.Relation == usesRelation && ref.Name == n {
			lines = slices.DeleteFunc(lines, func(line int32) bool { return slices.Contains(ref.Lines, line) })
		}
	}
	return lines
}
