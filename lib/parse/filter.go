package parse

/*
#include <stdlib.h>
#include "sitter.h"
*/
import "C"

import (
	"slices"
	"strings"
	"unsafe"
)

// patternNeeds are the needs of a pattern at one of its roots.
type patternNeeds struct {
	pattern int
	needs   []need
}

// cFilters are the filters of a plan; a kind of node at which a pattern without needs
// begins has none.
func (q *query) cFilters(all [][]patternNeeds) *C.cortex_filter {
	filters := cArray[C.cortex_filter](len(all))
	for symbol, patterns := range all {
		if slices.ContainsFunc(patterns, func(p patternNeeds) bool { return len(p.needs) == 0 }) {
			continue
		}
		needs := cArray[C.cortex_need](len(patterns))
		for i, p := range patterns {
			needs[i].needs, needs[i].need = q.cNeeds(p.needs, q.patterns[p.pattern].predicates)
		}
		filters[symbol] = C.cortex_filter{patterns: C.uint32_t(len(patterns)), pattern: unsafe.SliceData(needs)}
	}
	return unsafe.SliceData(filters)
}

func (q *query) cNeeds(needs []need, predicates []predicate) (C.uint32_t, *C.cortex_need) {
	out := cArray[C.cortex_need](len(needs))
	for i, n := range needs {
		c := &out[i]
		if n.field != "" {
			name := C.CString(n.field)
			c.field = C.ts_language_field_id_for_name(q.language.original, name, C.uint32_t(len(n.field)))
			C.free(unsafe.Pointer(name))
		}
		c.kinds, c.kind = q.cKinds(n.kinds)
		c.texts, c.text = q.cTexts(n.captures, predicates)
		c.needs, c.need = q.cNeeds(n.needs, predicates)
	}
	return C.uint32_t(len(needs)), unsafe.SliceData(out)
}

// cKinds are the symbols of kinds of nodes; none if one of them stands for several.
func (q *query) cKinds(kinds []string) (C.uint32_t, *C.uint16_t) {
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

// cTexts are the texts that a node with these captures may have, or none.
func (q *query) cTexts(captures []string, predicates []predicate) (C.uint32_t, *C.cortex_text) {
	for _, p := range predicates {
		if p.negative || p.texts == nil || !slices.Contains(captures, q.captures[p.capture]) {
			continue
		}
		out := cArray[C.cortex_text](len(p.texts))
		for i, text := range p.texts {
			out[i] = C.cortex_text{data: C.CString(text), length: C.uint32_t(len(text))}
		}
		return C.uint32_t(len(out)), unsafe.SliceData(out)
	}
	return 0, nil
}

// cArray is an array on the C side, of zeros. A query lives as long as the process.
func cArray[T any](n int) []T {
	var zero T
	return unsafe.Slice((*T)(C.calloc(C.size_t(max(n, 1)), C.size_t(unsafe.Sizeof(zero)))), n)
}
