package syntax

/*
#include <stdlib.h>
#include "sitter.h"
*/
import "C"

import (
	"fmt"
	"strings"
	"unsafe"
)

// Compile compiles the query source for a language, given as a pointer from a grammar's binding.
func Compile(language unsafe.Pointer, source string) (*Query, error) {
	q := &Query{language: C.cortex_language_new((*C.TSLanguage)(language))}
	inner, err := newQuery(q.language.outline, source)
	if err != nil {
		return nil, err
	}
	q.plan = (*C.cortex_plan)(C.calloc(1, C.sizeof_cortex_plan))
	q.plan.all.query, q.plan.language = inner, q.language.outline
	for i := range C.ts_query_capture_count(inner) {
		var length C.uint32_t
		name := C.ts_query_capture_name_for_id(inner, i, &length)
		q.Captures = append(q.Captures, C.GoStringN(name, C.int(length)))
	}
	for i := range C.ts_query_pattern_count(inner) {
		p, err := q.pattern(i)
		if err != nil {
			return nil, fmt.Errorf("pattern %d: %w", i, err)
		}
		q.Patterns = append(q.Patterns, p)
	}
	return q, q.makePlan(source)
}

// makePlan fills q.plan: which patterns to try at which kinds of nodes.
func (q *Query) makePlan(source string) error {
	patterns, err := rootsOf(source)
	if err != nil {
		return err
	}
	if len(patterns) != len(q.Patterns) {
		return fmt.Errorf("%d patterns read as %d", len(q.Patterns), len(patterns))
	}
	symbols := C.ts_language_symbol_count(q.language.original)
	singles := make([][]uint32, symbols+1)
	isRoot := make([]bool, symbols+1)
	filters := make([][]patternNeeds, symbols+1)
	flats := make([][]patternRoot, symbols+1)
	sources := cArray[C.cortex_text](len(patterns))
	for i, p := range patterns {
		sources[i] = cText(p.source)
		for _, r := range p.roots {
			symbol, err := q.symbol(r.kind)
			if err != nil {
				return fmt.Errorf("pattern %d: %w", i, err)
			}
			if isRoot[symbol] = isRoot[symbol] || !r.single; r.single || q.isFlat(p, r.kind) && parts(flats[symbol])+len(r.flat) <= C.CORTEX_MAX_PARTS {
				flats[symbol] = append(flats[symbol], patternRoot{i, r})
			} else {
				filters[symbol] = append(filters[symbol], patternNeeds{i, r.needs})
			}
		}
	}
	for symbol := range flats {
		if isRoot[symbol] {
			continue
		}
		for _, f := range flats[symbol] {
			single := append([]uint32{uint32(f.pattern), uint32(len(f.root.captures))}, q.captureNumbers(f.root.captures)...)
			singles[symbol] = append(singles[symbol], single...)
		}
		flats[symbol] = nil
	}
	at, words := make([]uint32, symbols+1), make([]uint32, C.CORTEX_SINGLE)
	for symbol := range at {
		switch {
		case filters[symbol] != nil:
			at[symbol] = C.CORTEX_ROOT
		case singles[symbol] != nil:
			at[symbol] = uint32(len(words))
			words = append(append(words, countSingles(singles[symbol])), singles[symbol]...)
		}
	}
	q.plan.symbols, q.plan.at, q.plan.singles = symbols, cWords(at), cWords(words)
	q.plan.sources = unsafe.SliceData(sources)
	q.plan.filters, q.plan.flats = q.cFilters(filters), q.cFlats(flats)
	q.plan.all.patterns, q.plan.all.captures = cCount(len(q.Patterns)), cCount(len(q.Captures))
	return nil
}

// cCount returns the numbers from 0 to n-1 in C memory.
func cCount(n int) *C.uint32_t {
	words := make([]uint32, n)
	for i := range words {
		words[i] = uint32(i)
	}
	return cWords(words)
}

// countSingles returns the number of patterns in singles, which has the form of cortex_plan.singles.
func countSingles(singles []uint32) uint32 {
	n := uint32(0)
	for ; len(singles) > 0; n++ {
		singles = singles[2+singles[1]:]
	}
	return n
}

// symbol returns the index of a kind of node in a cortex_plan. Kinds that are not regular are an error.
func (q *Query) symbol(kind string) (C.uint32_t, error) {
	if kind == "ERROR" {
		return C.ts_language_symbol_count(q.language.original), nil
	}
	name := C.CString(kind)
	defer C.free(unsafe.Pointer(name))
	symbol := C.ts_language_symbol_for_name(q.language.original, name, C.uint32_t(len(kind)), true)
	const regular = 0
	if symbol == 0 || C.ts_language_symbol_type(q.language.original, symbol) != regular {
		return 0, fmt.Errorf("%w, not at %q", errRoot, kind)
	}
	return C.uint32_t(symbol), nil
}

func newQuery(language *C.TSLanguage, source string) (*C.TSQuery, error) {
	text := C.CString(source)
	defer C.free(unsafe.Pointer(text))
	var offset C.uint32_t
	var kind C.int
	q := C.ts_query_new(language, text, C.uint32_t(len(source)), &offset, &kind)
	if q == nil {
		return nil, queryError(source, int(offset), int(kind))
	}
	return q, nil
}

func queryError(source string, offset, kind int) error {
	what := map[int]string{1: "syntax", 2: "node type", 3: "field", 4: "capture", 5: "structure", 6: "language"}[kind]
	before := source[:offset]
	line := strings.Count(before, "\n") + 1
	rest, _, _ := strings.Cut(source[offset:], "\n")
	return fmt.Errorf("line %d: invalid %s at %q", line, what, rest)
}
