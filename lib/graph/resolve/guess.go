package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// maxGuess is the most declarations that can be candidates for a name. A name with more is not guessed.
const maxGuess = 32

type guessKey struct {
	name     facts.Name
	relation uint8
	behind   behind
}

// A behind is a receiver of unknown type.
type behind struct {
	// text is the expression of the receiver, "" if there is none.
	text string
	// outside is set if it is a type that the tree does not declare, or begins with a value of one.
	outside bool
}

// behind returns the receiver of a reference.
func (l *Linker) behind(ref *facts.Reference) behind {
	text := l.Names.Of(ref.Receiver)
	if typed := l.typedText(ref.Symbol, text); l.isOutsideType(ref.Symbol, typed) {
		return behind{typed, true}
	}
	return behind{text: text}
}

// typedText returns an expression in the symbol scope with the type of the field or variable at its start, if that has one
// typing, in place of its name.
func (l *Linker) typedText(scope facts.Name, expression string) string {
	text := strings.TrimPrefix(expression, "this.")
	end := partEnd(text)
	n, known := l.Names.Find(text[:end])
	if !known || l.rules.Tops[l.File.Language] == nil {
		return expression
	}
	m, _ := l.bare(scope, n)
	if m.sort != thing || l.entries[m.entry].sorts != dataSorts {
		return expression
	}
	e := &l.entries[m.entry]
	typings := l.typings[entryKey{e.space, e.parent, n}]
	if len(typings) != 1 {
		return expression
	}
	t := &l.typed[typings[0]]
	return l.Names.Of(l.Files[t.file].Typings[t.index].Value) + text[end:]
}

// isOutsideType reports whether an expression in the symbol scope is a type that the tree does not declare, or begins with a
// value of one and names nothing that the tree declares. A type parameter is none, and neither is one of Rules.Tops.
func (l *Linker) isOutsideType(scope facts.Name, expression string) bool {
	tops := l.rules.Tops[l.File.Language]
	name, rest := strings.TrimPrefix(expression, "("), ""
	if end := strings.IndexAny(name, "<()[]"); end >= 0 {
		name, rest = name[:end], name[end:]
	}
	first, _, dotted := strings.Cut(name, ".")
	isParameter := len(first) == 1 || len(first) == 2 && unicode.IsDigit(rune(first[1]))
	mayBeFunction := !dotted && strings.HasPrefix(rest, "()") // one that returns its argument
	if tops == nil || len(tops) == 0 && first != expression || first == "" || !unicode.IsUpper(rune(first[0])) || isParameter || mayBeFunction || slices.Contains(tops, first) {
		return false
	}
	if end := strings.IndexByte(rest, ')'); end == len(rest)-1 {
		rest = "" // a value of the type itself, whatever its type arguments
	}
	for part := range strings.FieldsFuncSeq(name+rest, func(r rune) bool { return strings.ContainsRune(".()[]<>,", r) }) {
		if l.isDeclared(part) && !l.rules.IsBuiltin(part, true) {
			return false
		}
	}
	for s := scope; s != 0; s = l.outer(s) {
		e := l.entryOf(l.File.Space, s)
		if e != noEntry && slices.ContainsFunc(l.entries[e].decls, func(d facts.Decl) bool {
			return hasParameter(l.Files[d.File].Symbols[d.Symbol].Signature, first)
		}) {
			return false
		}
	}
	return true
}

// isDeclared reports whether the family of the file has a declaration of the name.
func (l *Linker) isDeclared(name string) bool {
	n, known := l.Names.Find(name)
	return known && len(l.last[entryKey{int32(l.File.Family), 0, n}]) > 0
}

// hasParameter reports whether the first type parameters or arguments in a signature have the name.
func hasParameter(signature, name string) bool {
	_, list, _ := strings.Cut(signature, "<")
	depth := 1
	end := strings.IndexFunc(list, func(r rune) bool {
		switch r {
		case '<':
			depth++
		case '>':
			depth--
		}
		return depth == 0
	})
	isOther := func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return end >= 0 && slices.Contains(strings.FieldsFunc(list[:end], isOther), name)
}

// admits reports whether a reference behind an unknown receiver may mean the entry, which has its name. A value of a type
// from outside of the tree has only members that the tree adds to such types.
func (l *Linker) admits(behind behind, e *entry, relation record.Relation) bool {
	parent := l.Names.Of(e.parent)
	switch {
	case behind.text == "":
		return true
	case relation != record.Calls && len(behind.text) == 1:
		return false // a type parameter
	case relation != record.Calls:
		return parent == behind.text || strings.HasSuffix(parent, "."+behind.text)
	case strings.HasPrefix(parent, behind.text+"."):
		return false // the receiver is a namespace around the type of the member
	case !behind.outside:
		return true
	case !strings.ContainsAny(behind.text, "(."):
		file := path.Base(l.Files[e.decls[0].File].Path)
		return record.LastName(parent) == behind.text || strings.TrimSuffix(file, path.Ext(file)) == strings.TrimSuffix(behind.text, "Kt")
	}
	return !l.isDeclared(record.LastName(parent))
}

// guess looks for the name in the whole tree, and caches the answer.
func (l *Linker) guess(ref *facts.Reference, relation record.Relation) Answer {
	key := guessKey{ref.Name, ref.Relation, l.behind(ref)}
	a, ok := l.guesses[key]
	if !ok {
		member := key.behind.text != ""
		a = l.guessed(ref.Name, relation, key.behind)
		a.Unlisted = a.By == "" && (member || l.rules.ImplicitReceivers && !l.rules.IsBuiltin(l.Names.Of(ref.Name), false)) && relation == record.Calls && l.hasMember(key.behind, ref.Name)
		l.guesses[key] = a
	}
	return a
}

func (l *Linker) guessed(n facts.Name, relation record.Relation, behind behind) Answer {
	member := behind.text != ""
	none := Answer{Relation: relation}
	entries := l.last[entryKey{int32(l.File.Family), 0, n}]
	if len(entries) == 0 || len(entries) > 8*maxGuess || l.rules.IsBuiltin(l.Names.Of(n), member) {
		return none
	}
	wanted := typeSorts
	if relation == record.Calls {
		if wanted = l.called(); !member {
			wanted = callableSorts | typeSorts
		}
	}
	l.decls = l.decls[:0]
	things := 0
	for _, number := range entries {
		e := &l.entries[number]
		if e.sorts&wanted == 0 || !l.admits(behind, e, relation) {
			continue
		}
		if !l.fits(e, relation, member) {
			if !member && (relation != record.Calls || l.rules.ImplicitThis && e.sorts&callableSorts != 0) {
				return none // it may as well be a type parameter, or a method of an outer object whose type is unknown
			}
			continue
		}
		before := len(l.decls)
		for _, d := range e.decls {
			if l.canSee(d) && (l.File.Test || !l.isTest(d)) {
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
	a := Answer{Relation: relation, By: edge.ByUnique, Confidence: edge.Confidences[edge.ByUnique]}
	if len(decls) > 1 && !(things == 1 && l.rules.Variants && relation == record.Calls) {
		a.By, a.Confidence = edge.ByCandidates, edge.Confidences[edge.ByCandidates]/float64(len(decls))
		slices.SortStableFunc(decls, func(x, y facts.Decl) int { return cmp.Compare(l.nearness(y), l.nearness(x)) })
		decls = decls[:min(len(decls), edge.MaxCandidates)]
		slices.SortFunc(decls, func(x, y facts.Decl) int { return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Symbol, y.Symbol)) })
	}
	types := 0
	for _, d := range decls {
		a.To = append(a.To, placeOf(d))
		if record.Kinds[l.Files[d.File].Symbols[d.Symbol].Kind].IsType() {
			types++
		}
	}
	if relation == record.Calls && types == len(decls) {
		a.Relation = l.rules.CalledType()
	}
	return a
}

// called returns the sorts of members that a call can mean.
func (l *Linker) called() sorts {
	if l.rules.CalledFields {
		return callableSorts | dataSorts
	}
	return callableSorts
}

// hasMember reports whether the tree has a member with the name that can be called behind the receiver.
func (l *Linker) hasMember(behind behind, n facts.Name) bool {
	return slices.ContainsFunc(l.last[entryKey{int32(l.File.Family), 0, n}], func(number int32) bool {
		e := &l.entries[number]
		return e.sorts&l.called() != 0 && l.fits(e, record.Calls, true) && l.admits(behind, e, record.Calls)
	})
}

// fits reports whether an entry with this parent can be meant by its last name alone: a member if member is set, otherwise
// a symbol at the top level or in a module.
func (l *Linker) fits(e *entry, relation record.Relation, member bool) bool {
	if e.parent == 0 {
		return !member
	}
	parent := l.entryOf(e.space, e.parent)
	inType := parent == noEntry || l.entries[parent].sorts&typeSorts != 0
	if !member && relation != record.Calls {
		return !inType || !l.rules.Enclosed
	}
	if member {
		return inType
	}
	return !inType && l.entries[parent].sorts&moduleSorts != 0
}
