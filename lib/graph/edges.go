package graph

import (
	"cmp"
	"path"
	"slices"

	"cortex/lib/record"
)

// An answer is what a reference leads to.
type answer struct {
	relation   record.Relation
	by         By
	confidence float64
	to         []place
	external   string
}

// A place is a node: a symbol of a file, both by number; the file itself if symbol is negative; or the package in a folder, by its identifier.
type place struct {
	file, symbol int32
	folder       string
}

// maxTargets bounds the targets of an edge.
const maxTargets = maxCandidates

// maxGuess is how many things of a name may be candidates; more say nothing.
const maxGuess = 32

// A linker turns the references of one file into edges. It is for one goroutine.
type linker struct {
	inquiry
	rules   *Rules
	guesses map[guessKey]answer
	decls   []decl
}

type guessKey struct {
	name     name
	relation uint8
	member   bool
}

func (r *resolution) linker(f *File) *linker {
	return &linker{inquiry: inquiry{resolution: r, file: f, memo: map[memoKey]meaning{}, tops: map[name]topMeaning{}}, rules: &r.rules[f.family], guesses: map[guessKey]answer{}}
}

// answer resolves one reference of the file.
func (l *linker) answer(ref *reference) answer {
	relation := record.Relations[ref.relation]
	if relation == record.Imports {
		return l.imports(l.inquiry.imports[l.file.number].each[ref.visible])
	}
	var m meaning
	var by By
	if ref.receiver == 0 {
		switch l.names.of(ref.name) {
		case "this", "super":
			return answer{relation: relation}
		}
		if m, by = l.bare(ref.symbol, ref.name); m.sort == unknown {
			var rest string
			if m, rest = l.absolute(l.names.of(ref.name)); rest != "" {
				m = meaning{}
			}
			by = ByImport
		}
		if m.sort == unknown && l.holds(ref.name) {
			return answer{relation: relation}
		}
		if m.sort == unknown {
			return l.guess(ref, relation, false)
		}
	} else {
		receiver := l.receiver(ref)
		if receiver.sort == unknown {
			if m, by = l.named(ref.symbol, l.names.of(ref.receiver), ref.name, false); m.sort == unknown {
				return l.guess(ref, relation, true)
			}
		} else if m, by = l.member(receiver, ref.name); m.sort == unknown || m.sort == outside && receiver.sort == thing && l.rules.constructs(l.names.of(ref.name)) {
			if receiver.sort != thing || l.entries[receiver.entry].sorts&typeSorts == 0 || relation != record.Calls || !l.rules.constructs(l.names.of(ref.name)) {
				return answer{relation: relation}
			}
			m, by = receiver, ByReceiver
		} else if by == ByScope || by == ByPackage {
			by = ByReceiver
		}
	}
	return l.found(m, by, relation)
}

// holds reports whether the name is a variable of the file, whatever is in it.
func (l *linker) holds(n name) bool {
	for _, number := range l.typings[entryKey{l.file.space, 0, n}] {
		if l.typed[number].file == l.file.number {
			return true
		}
	}
	return false
}

// receiver is the meaning of the receiver of a reference.
func (l *linker) receiver(ref *reference) meaning {
	key := memoKey{ref.symbol, ref.receiver}
	m, ok := l.memo[key]
	if !ok {
		m = l.value(ref.symbol, l.names.of(ref.receiver))
		l.memo[key] = m
	}
	return m
}

// found is the answer that leads to the meaning.
func (l *linker) found(m meaning, by By, relation record.Relation) answer {
	a := answer{relation: relation, by: by}
	switch m.sort {
	case outside:
		a.by, a.external = ByExternal, m.external
	case module:
		if m.file < 0 || m.prefix != 0 {
			return answer{relation: relation}
		}
		a.to = []place{{file: m.file, symbol: -1}}
	case thing:
		e := &l.entries[m.entry]
		if relation == record.Calls && e.sorts&typeSorts != 0 && e.sorts&callableSorts == 0 {
			a.relation = l.rules.typeCall()
		}
		decls, several := l.choose(m, relation)
		if len(decls) == 0 {
			return answer{relation: relation}
		}
		for _, d := range decls {
			a.to = append(a.to, placeOf(d))
		}
		if m.weak {
			a.by = ByUnique
		}
		if several && (a.by == ByPackage || a.by == ByUnique) {
			a.by = ByCandidates
			a.confidence = confidences[ByCandidates] / float64(len(decls))
			return a
		}
	default:
		return answer{relation: relation}
	}
	a.confidence = confidences[a.by]
	return a
}

// choose are the declarations of a thing that are meant, and whether they may be several things.
func (l *linker) choose(m meaning, relation record.Relation) (decls []decl, several bool) {
	all := l.ofSort(l.entries[m.entry].decls, l.entries[m.entry].sorts, relation)
	file := l.file.number
	if m.only > 0 {
		file = m.only - 1
	}
	overloads := l.rules.Overloads && l.entries[m.entry].parent != 0
	for _, d := range all {
		if d.file == file && !overloads {
			return []decl{d}, false
		}
	}
	if len(all) == 1 {
		if !l.canSee(all[0]) {
			return nil, false
		}
		if l.rules.means != nil {
			all = l.rules.means(l.resolution, l.file, slices.Clone(all))
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
	if l.rules.means != nil {
		decls = l.rules.means(l.resolution, l.file, decls)
	}
	if l.rules.Wide && !overloads {
		decls = l.nearest(decls)
		several = len(decls) > 1 && !l.rules.Variants
	}
	return slices.Clone(decls[:min(len(decls), maxTargets)]), several
}

// ofSort are those of the declarations that the relation can mean, where the name is of a function as well as of a type.
func (l *linker) ofSort(decls []decl, sorts sorts, relation record.Relation) []decl {
	wanted := typeSorts
	if relation == record.Calls {
		wanted = callableSorts
	}
	if sorts&typeSorts == 0 || sorts&callableSorts == 0 || relation == record.Imports || l.rules.CalledTypes {
		return decls
	}
	return slices.DeleteFunc(slices.Clone(decls), func(d decl) bool {
		return sortsOf(record.Kinds[l.files[d.file].symbols[d.symbol].kind])&wanted == 0
	})
}

func (r *resolution) isTest(d decl) bool {
	f := r.files[d.file]
	return f.Test || f.symbols[d.symbol].flags&testFlag != 0
}

// withoutTests leaves out what is test code if the file is none and there is other code.
func (l *linker) withoutTests(decls []decl) []decl {
	if l.file.Test {
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

// nearest are the declarations that share most folders with the file.
func (l *linker) nearest(decls []decl) []decl {
	most := -1
	for _, d := range decls {
		most = max(most, l.nearness(d))
	}
	return slices.DeleteFunc(decls, func(d decl) bool { return l.nearness(d) < most })
}

func (l *linker) nearness(d decl) int { return sharedFolders(l.file.Path, l.files[d.file].Path) }

// sharedFolders is how many folders from the root on two files have in common.
func sharedFolders(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// guess looks for the name in the whole tree.
func (l *linker) guess(ref *reference, relation record.Relation, member bool) answer {
	key := guessKey{ref.name, ref.relation, member}
	a, ok := l.guesses[key]
	if !ok {
		a = l.guessed(ref.name, relation, member)
		l.guesses[key] = a
	}
	return a
}

func (l *linker) guessed(n name, relation record.Relation, member bool) answer {
	none := answer{relation: relation}
	entries := l.last[entryKey{int32(l.file.family), 0, n}]
	if len(entries) == 0 || len(entries) > 8*maxGuess || l.rules.isBuiltin(l.names.of(n), member) {
		return none
	}
	wanted := typeSorts
	if relation == record.Calls {
		if wanted = callableSorts; !member {
			wanted |= typeSorts
		}
	}
	l.decls = l.decls[:0]
	things := 0
	for _, number := range entries {
		e := &l.entries[number]
		if e.sorts&wanted == 0 {
			continue
		}
		if !l.fits(e, relation, member) {
			if l.rules.ImplicitThis && !member && relation == record.Calls && e.sorts&callableSorts != 0 {
				return none // a method of an object that is not known from here may be meant as well
			}
			continue
		}
		before := len(l.decls)
		for _, d := range e.decls {
			if l.canSee(d) && (l.file.Test || !l.isTest(d)) {
				l.decls = append(l.decls, d)
			}
		}
		if len(l.decls) > before {
			things++
		}
	}
	decls := l.decls
	if l.rules.Wide && things == 1 {
		decls = l.nearest(decls)
	}
	if len(decls) == 0 || len(decls) > maxGuess {
		return none
	}
	a := answer{relation: relation, by: ByUnique, confidence: confidences[ByUnique]}
	if len(decls) > 1 {
		a.by, a.confidence = ByCandidates, confidences[ByCandidates]/float64(len(decls))
		slices.SortStableFunc(decls, func(x, y decl) int { return cmp.Compare(l.nearness(y), l.nearness(x)) })
		decls = decls[:min(len(decls), maxCandidates)]
		slices.SortFunc(decls, func(x, y decl) int { return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(x.symbol, y.symbol)) })
	}
	types := 0
	for _, d := range decls {
		a.to = append(a.to, placeOf(d))
		if record.Kinds[l.files[d.file].symbols[d.symbol].kind].IsType() {
			types++
		}
	}
	if relation == record.Calls && types == len(decls) {
		a.relation = l.rules.typeCall()
	}
	return a
}

// fits reports whether something declared where the entry is can be meant by a name alone.
func (l *linker) fits(e *entry, relation record.Relation, member bool) bool {
	if e.parent == 0 {
		return !member
	}
	if !member && relation != record.Calls {
		return true
	}
	parent := l.entryOf(e.space, e.parent)
	inType := parent == noEntry || l.entries[parent].sorts&typeSorts != 0
	if member {
		return inType
	}
	return !inType && l.entries[parent].sorts&moduleSorts != 0
}

// imports is the answer of an import.
func (l *linker) imports(targets []importTarget) answer {
	a := answer{relation: record.Imports}
	add := func(id place) {
		if len(a.to) < maxTargets && !slices.Contains(a.to, id) {
			a.to = append(a.to, id)
		}
	}
	for i := range targets {
		t := &targets[i]
		if t.outside != "" {
			if a.external == "" {
				a.external = t.outside
			}
			continue
		}
		m := meaning{}
		if len(t.path) > 0 {
			m = l.follow(t)
		}
		if t.keyed && !(l.rules.Wide && len(t.path) > 0) {
			for _, folder := range l.folderIDs(t.space) {
				add(place{folder: folder})
			}
		}
		for _, in := range t.modules {
			if in.file >= 0 {
				add(place{file: in.file, symbol: -1})
				if len(t.path) > 0 {
					break
				}
			}
		}
		switch m.sort {
		case thing:
			decls, _ := l.choose(m, record.Imports)
			for _, d := range decls {
				add(placeOf(d))
			}
		case module:
			if m.file >= 0 {
				add(place{file: m.file, symbol: -1})
			}
		case outside:
			if a.external == "" {
				a.external = m.external
			}
		}
		if len(a.to) > 0 {
			break
		}
	}
	switch {
	case len(a.to) > 0:
		a.by, a.external = ByImport, ""
	case a.external != "":
		a.by = ByExternal
	}
	a.confidence = confidences[a.by]
	return a
}

// folderIDs are those of the folders in which the package of a space lies; none if there are too many to say anything.
func (r *resolution) folderIDs(space int32) []string { return r.folderOf[space] }

// findFolders finds the folders of packages.
func (r *resolution) findFolders() {
	r.folderOf = make([][]string, r.spaces)
	for _, f := range r.files {
		list := r.folderOf[f.space]
		if f.family != ownFamily || len(list) > maxTargets {
			continue
		}
		folder := record.TreePath(r.name, path.Dir(f.Path)+"/")
		if !slices.Contains(list, folder) {
			r.folderOf[f.space] = append(list, folder)
		}
	}
	for i, list := range r.folderOf {
		if len(list) > maxTargets {
			r.folderOf[i] = nil
		}
	}
}

func placeOf(d decl) place { return place{file: d.file, symbol: d.symbol} }

// of gives the next references with what they lead to, as long as they are of the symbol.
func (l *linker) of(symbol name, references []reference, visit func(*reference, *answer)) (rest []reference) {
	for len(references) > 0 && references[0].symbol == symbol {
		a := l.answer(&references[0])
		visit(&references[0], &a)
		references = references[1:]
	}
	return references
}
