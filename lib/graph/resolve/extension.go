package resolve

import (
	"math"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// extension returns the function of the name n that extends the type of the value m or the nearest of its bases
// (Rules.Extensions); of several that extend it, the one in the nearest file. The result is weak if only functions that
// extend an unknown type, such as a type parameter, have the name.
func (q *nameResolver) extension(m meaning, n facts.Name) (meaning, edge.By) {
	family := q.File.Family
	this, known := q.Names.Find(record.Extended)
	if !q.rules[family].Extensions || !known {
		return meaning{}, ""
	}
	named := q.last[entryKey{int32(family), 0, n}]
	if len(named) > 8*maxGuess {
		return meaning{}, ""
	}
	best, least, most := int32(noEntry), math.MaxInt, -1
	for _, number := range named {
		e := &q.entries[number]
		typings := q.typings[entryKey{e.space, e.qualified, this}]
		if len(typings) == 0 || e.sorts&callableSorts == 0 || !q.reaches(number) {
			continue
		}
		far := math.MaxInt
		for i, typing := range typings {
			if i == maxExtended {
				break
			}
			if q.values[typing].sort == unknown && !q.Resolution.typed[typing].settled {
				q.open = true
			} else if steps := q.steps(m, q.values[typing]); steps >= 0 {
				far = min(far, steps)
			}
		}
		near := facts.SharedFolders(q.File.Path, q.Files[e.decls[0].File].Path)
		if q.declaredIn(number, q.File.Number) {
			near = math.MaxInt
		}
		if far < least || far == least && near > most && far < math.MaxInt {
			best, least, most = number, far, near
		}
	}
	if best == noEntry {
		return meaning{}, ""
	}
	found, by := meaning{sort: thing, entry: best, weak: m.weak || least == anyType}, edge.ByReceiver
	if least > 0 {
		by = edge.ByInherited
	}
	return found, by
}

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
		if lastPart(m.external) == lastPart(of.external) {
			return 0
		}
	case m.sort == instance && (of.sort == instance || of.sort == outside):
		steps, found := 0, -1
		q.ancestors(m.entry, func(e int32) bool {
			if of.sort == instance && e == of.entry || of.sort == outside && q.foreign[e] != "" && lastPart(q.foreign[e]) == lastPart(of.external) {
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
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
