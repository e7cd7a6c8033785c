package syntax

/*
#include <stdlib.h>
#include "sitter.h"
*/
import "C"

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unsafe"
)

// patternNeeds has the needs of a pattern at one of its roots.
type patternNeeds struct {
	pattern int
	needs   []need
}

// A filter collects the distinct needs of all patterns that begin at one kind of node.
type filter struct {
	query *Query
	needs []C.cortex_need
	known map[string]int // indexes of needs by key
	first C.uint64_t
}

// cFilters returns the filters of a plan, by symbol.
func (q *Query) cFilters(all [][]patternNeeds) *C.cortex_filter {
	filters := cArray[C.cortex_filter](len(all))
	for symbol, patterns := range all {
		if len(patterns) > 0 {
			f := filter{query: q, known: map[string]int{}}
			filters[symbol] = f.make(patterns)
		}
	}
	return unsafe.SliceData(filters)
}

// make returns the filter of the patterns. Each pattern has a group of its own until there is no room for more groups;
// the remaining patterns share the last group.
func (f *filter) make(patterns []patternNeeds) C.cortex_filter {
	for _, p := range patterns {
		for _, n := range p.needs {
			if len(n.needs) == 0 {
				f.add(n, p.pattern)
			}
		}
	}
	shallow := len(f.needs)
	var members [][]uint32
	var sets [][]C.uint64_t
	for i, p := range patterns {
		// A pattern with several roots of this kind is one member.
		if i == 0 || p.pattern != patterns[i-1].pattern {
			if len(members) < C.CORTEX_MAX_GROUPS {
				members, sets = append(members, nil), append(sets, nil)
			}
			members[len(members)-1] = append(members[len(members)-1], uint32(p.pattern))
		}
		sets[len(sets)-1] = append(sets[len(sets)-1], f.set(p))
	}
	groups := cArray[C.cortex_group](len(members))
	for i := range groups {
		groups[i].patterns, groups[i].pattern = C.uint32_t(len(members[i])), cWords(members[i])
		if !slices.Contains(sets[i], 0) {
			set := cArray[C.uint64_t](len(sets[i]))
			copy(set, sets[i])
			groups[i].sets, groups[i].set = C.uint32_t(len(set)), unsafe.SliceData(set)
		}
	}
	needs := cArray[C.cortex_need](len(f.needs))
	copy(needs, f.needs)
	return C.cortex_filter{
		needs: C.uint32_t(len(needs)), shallow: C.uint32_t(shallow), first: f.first, need: unsafe.SliceData(needs),
		groups: C.uint32_t(len(groups)), group: unsafe.SliceData(groups),
		queries: unsafe.SliceData(cArray[*C.cortex_query](1 << len(groups))),
	}
}

// set returns the bit set of the needs of a pattern.
func (f *filter) set(p patternNeeds) C.uint64_t {
	set := C.uint64_t(0)
	for _, n := range p.needs {
		if i := f.add(n, p.pattern); i < C.CORTEX_MAX_NEEDS {
			set |= 1 << i
		}
	}
	return set
}

// add returns the index of a need of a pattern, which it adds if it is new; CORTEX_MAX_NEEDS if there is no room.
func (f *filter) add(n need, pattern int) int {
	predicates := f.query.Patterns[pattern].predicates
	key := f.query.key(n, predicates)
	i, found := f.known[key]
	if !found && len(f.needs) < C.CORTEX_MAX_NEEDS {
		i, f.known[key] = len(f.needs), len(f.needs)
		if n.first {
			f.first |= 1 << i
		}
		f.needs = append(f.needs, f.query.cNeed(n, predicates))
	} else if !found {
		i = C.CORTEX_MAX_NEEDS
	}
	return i
}

// key returns a text that is equal for equal needs.
func (q *Query) key(n need, predicates []predicate) string {
	inner := make([]string, len(n.needs))
	for i := range n.needs {
		inner[i] = q.key(n.needs[i], predicates)
	}
	return fmt.Sprintf("%t %s %q %q %q", n.first, n.field, n.kinds, q.texts(n.captures, predicates), inner)
}

func (q *Query) cNeeds(needs []need, predicates []predicate) (C.uint32_t, *C.cortex_need) {
	needs = slices.Clone(needs)
	slices.SortStableFunc(needs, func(a, b need) int { return cmp.Compare(len(a.needs), len(b.needs)) })
	out := cArray[C.cortex_need](len(needs))
	for i, n := range needs {
		out[i] = q.cNeed(n, predicates)
	}
	return C.uint32_t(len(needs)), unsafe.SliceData(out)
}

func (q *Query) cNeed(n need, predicates []predicate) C.cortex_need {
	var c C.cortex_need
	if n.field != "" {
		name := C.CString(n.field)
		c.field = C.ts_language_field_id_for_name(q.language.original, name, C.uint32_t(len(n.field)))
		C.free(unsafe.Pointer(name))
	}
	c.first = C.bool(n.first)
	c.kinds, c.kind = q.cKinds(n.kinds)
	c.texts, c.text = cTexts(q.texts(n.captures, predicates))
	c.needs, c.need = q.cNeeds(n.needs, predicates)
	return c
}

// cKinds returns the symbols of kinds of nodes; none if one of them is unknown or a supertype, which stands for
// several.
func (q *Query) cKinds(kinds []string) (C.uint32_t, *C.uint16_t) {
	out := cArray[C.uint16_t](len(kinds))
	for i, kind := range kinds {
		named := !strings.HasPrefix(kind, `"`)
		if !named {
			kind = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "\r", `\0`, "\x00", `\`, "").Replace(kind[1 : len(kind)-1])
		}
		name := C.CString(kind)
		out[i] = C.ts_language_symbol_for_name(q.language.original, name, C.uint32_t(len(kind)), C.bool(named))
		C.free(unsafe.Pointer(name))
		const supertype = 2
		if out[i] == 0 || C.ts_language_symbol_type(q.language.original, out[i]) == supertype {
			return 0, nil
		}
	}
	return C.uint32_t(len(kinds)), unsafe.SliceData(out)
}

// texts returns the texts that a node with these captures may have by the predicates, nil for any text.
func (q *Query) texts(captures []string, predicates []predicate) []string {
	for _, p := range predicates {
		if !p.negative && p.texts != nil && slices.Contains(captures, q.Captures[p.capture]) {
			return p.texts
		}
	}
	return nil
}

func cTexts(texts []string) (C.uint32_t, *C.cortex_text) {
	out := cArray[C.cortex_text](len(texts))
	for i, text := range texts {
		out[i] = cText(text)
	}
	return C.uint32_t(len(out)), unsafe.SliceData(out)
}

func cText(text string) C.cortex_text {
	return C.cortex_text{data: C.CString(text), length: C.uint32_t(len(text))}
}

// cArray returns an array of zeros in C memory. It is never freed, since a query lives as long as the process.
func cArray[T any](n int) []T {
	var zero T
	return unsafe.Slice((*T)(C.calloc(C.size_t(max(n, 1)), C.size_t(unsafe.Sizeof(zero)))), n)
}

// cWords returns a copy of words in C memory, which is never freed.
func cWords(words []uint32) *C.uint32_t {
	p := C.malloc(C.size_t(4 * max(len(words), 1)))
	copy(unsafe.Slice((*uint32)(p), len(words)), words)
	return (*C.uint32_t)(p)
}

// A patternRoot is one root of a pattern.
type patternRoot struct {
	pattern int
	root    root
}

// parts returns the total number of parts of flat patterns.
func parts(flats []patternRoot) int {
	n := 0
	for _, f := range flats {
		n += len(f.root.flat)
	}
	return n
}

// isFlat reports whether all roots of a pattern with the kind are flat.
func (q *Query) isFlat(p rooted, kind string) bool {
	for _, r := range p.roots {
		if r.kind != kind {
			continue
		}
		if r.flat == nil {
			return false
		}
		for _, n := range r.flat {
			if count, _ := q.cKinds(n.kinds); count == 0 && n.kinds != nil {
				return false // a supertype
			}
		}
	}
	return true
}

// captureNumbers returns the numbers of captures in the query.
func (q *Query) captureNumbers(names []string) []uint32 {
	out := make([]uint32, len(names))
	for i, name := range names {
		out[i] = uint32(slices.Index(q.Captures, name))
	}
	return out
}

// cFlats returns the flat patterns of a plan, by symbol.
func (q *Query) cFlats(all [][]patternRoot) *C.cortex_flats {
	out := cArray[C.cortex_flats](len(all))
	for symbol, patterns := range all {
		flats := cArray[C.cortex_flat](len(patterns))
		for i, p := range patterns {
			parts := cArray[C.cortex_part](len(p.root.flat))
			for j, n := range p.root.flat {
				predicates := q.Patterns[p.pattern].predicates
				if n.optional {
					predicates = nil // a child with another text does not count as missing
				}
				parts[j] = C.cortex_part{need: q.cNeed(n, predicates), optional: C.bool(n.optional), named: n.kinds == nil,
					captures: C.uint32_t(len(n.captures)), capture: cWords(q.captureNumbers(n.captures))}
			}
			flats[i] = C.cortex_flat{pattern: C.uint32_t(p.pattern), captures: C.uint32_t(len(p.root.captures)),
				capture: cWords(q.captureNumbers(p.root.captures)), parts: C.uint32_t(len(parts)), part: unsafe.SliceData(parts)}
		}
		out[symbol] = C.cortex_flats{count: C.uint32_t(len(patterns)), flat: unsafe.SliceData(flats)}
	}
	return unsafe.SliceData(out)
}
