package resolve

import (
	"math"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// extension returns the function of the name n that extends the type of the value m or the nearest of its bases
// (Rules.Extensions). Of several, one in the file itself is meant, or one that the file imports by its name, or else, as a
// guess, the one in the nearest file. A function that extends an unknown type, such as a type parameter, is a guess too,
// unless the name is usual in the standard library. So is one with such a name that extends a list, since the kind of the
// list is unknown. Guesses are weak.
func (q *nameResolver) extension(m meaning, n facts.Name) (meaning, edge.By) {
	rules := &q.rules[q.File.Family]
	this, known := q.Names.Find(record.Extended)
	if !rules.Extensions || !known {
		return meaning{}, ""
	}
	named := q.last[entryKey{int32(q.File.Family), 0, n}]
	if len(named) > 8*maxGuess {
		return meaning{}, ""
	}
	farthest, usual := anyType, rules.IsBuiltin(q.Names.Of(n), true)
	if usual {
		farthest--
	}
	best, least, most, equal, tied := int32(noEntry), farthest+1, 0, 0, false
	for _, number := range named {
		e := &q.entries[number]
		typings := q.typings[entryKey{e.space, e.qualified, this}]
		if len(typings) == 0 || e.sorts&callableSorts == 0 || !q.reaches(number) {
			continue
		}
		far := farthest + 1
		for _, typing := range typings[:min(len(typings), maxExtended)] {
			if q.values[typing].sort == unknown && !q.Resolution.typed[typing].settled {
				q.open = true
			} else if steps := q.steps(m, q.values[typing]); steps >= 0 {
				far = min(far, steps)
			}
		}
		near := facts.SharedFolders(q.File.Path, q.Files[e.decls[0].File].Path)
		if q.declaredIn(number, q.File.Number) || q.importsAs(n, number) {
			near = math.MaxInt
		}
		switch {
		case far > farthest || far > least || far == least && near < most:
			if far == least {
				equal++
			}
			continue
		case far < least:
			equal = 0
		}
		tied = far == least && near == most
		best, least, most, equal = number, far, near, equal+1
	}
	guessed := equal > 1 && most < math.MaxInt
	if best == noEntry || tied || guessed && equal > maxEqual {
		return meaning{}, ""
	}
	found, by := meaning{sort: thing, entry: best, weak: m.weak || guessed || least == anyType || usual && m.lists > 0}, edge.ByReceiver
	if least > 0 {
		by = edge.ByInherited
	}
	return found, by
}

// importsAs reports whether the file imports the entry by the name n.
func (q *nameResolver) importsAs(n facts.Name, number int32) bool {
	for _, target := range q.imports[q.File.Number].local[n] {
		if target.keyed && target.space == q.entries[number].space && len(target.path) == 1 && target.path[0] == n {
			return true // the import means all functions of the package with the name, whichever type they extend
		}
		if m := q.follow(target); m.sort == thing && m.entry == number {
			return true
		}
	}
	return false
}

// importedExtension returns the function that extends a type and that the file imports by the name n. It is meant even if the
// type of the receiver m is unknown, unless members of that name are usual in the standard library: then the type must fit.
func (q *nameResolver) importedExtension(m meaning, n facts.Name) meaning {
	for _, target := range q.imports[q.File.Number].local[n] {
		if !target.keyed || len(target.path) != 1 {
			continue
		}
		found := q.extending(target.space, target.path[0])
		if found.sort != unknown && q.rules[q.File.Family].IsBuiltin(q.Names.Of(n), true) {
			found, _ = q.extension(m, n)
		}
		if found.sort != unknown {
			return found
		}
	}
	return meaning{}
}

// visibleExtension returns, as a guess, the only function of the name n that extends a type and that the file sees without
// an import by name: a call without receiver in Kotlin may have an implicit one.
func (q *nameResolver) visibleExtension(n facts.Name) meaning {
	if rules := &q.rules[q.File.Family]; !rules.ImplicitReceivers || rules.IsBuiltin(q.Names.Of(n), true) {
		return meaning{}
	}
	found := q.extending(q.File.Space, n)
	for _, target := range q.imports[q.File.Number].all {
		if !target.keyed || len(target.path) > 0 || target.space == q.File.Space {
			continue
		}
		if m := q.extending(target.space, n); found.sort == unknown {
			found = m
		} else if m.sort != unknown && m.entry != found.entry {
			return meaning{}
		}
	}
	found.weak = found.sort != unknown
	return found
}

// extending returns the only function of the name n in the space that extends a type; unknown if there is none, or if several
// types have one.
func (q *nameResolver) extending(space int32, n facts.Name) meaning {
	this, known := q.Names.Find(record.Extended)
	if !q.rules[q.File.Family].Extensions || !known {
		return meaning{}
	}
	found := q.only(n, func(number int32) bool {
		e := &q.entries[number]
		return e.space == space && len(q.typings[entryKey{e.space, e.qualified, this}]) > 0
	})
	if found == noEntry {
		return meaning{}
	}
	return meaning{sort: thing, entry: found}
}

// maxEqual is the most functions that extend the same type of which the nearest is guessed.
const maxEqual = 3

// maxExtended bounds the types that the overloads of one name extend.
const maxExtended = 16

// anyType is the number of steps from a type to one that is unknown.
const anyType = maxAncestry + 1

// steps returns how many bases are between the types of the values m and of; -1 if of is no base.
func (q *nameResolver) steps(m, of meaning) int {
	switch {
	case of.sort == unknown && m.sort == instance:
		return anyType
	case m.lists != of.lists:
		return -1
	case m.sort == outside && of.sort == outside:
		if record.LastName(m.external) == record.LastName(of.external) {
			return 0
		}
	case m.sort == instance && (of.sort == instance || of.sort == outside):
		steps, found := 0, -1
		q.ancestors(m.entry, func(e int32) bool {
			if of.sort == instance && e == of.entry || of.sort == outside && q.foreign[e] != "" && record.LastName(q.foreign[e]) == record.LastName(of.external) {
				found = steps
			}
			steps++
			return found < 0
		})
		return found
	}
	return -1
}

// lastPart returns the last name of a dotted one.
