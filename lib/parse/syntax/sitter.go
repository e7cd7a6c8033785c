// Package syntax parses text with tree-sitter grammars and runs queries over the trees, with bounds on the work of
// both. Compile takes the text of a query; Parser.Run takes a query and a text and returns captures and breaks. Begin
// with sitter.go; plan.go and query.go compile queries, roots.go and filter.go find at which nodes a pattern can match.
package syntax

/*
#cgo CFLAGS: -std=c11 -D_POSIX_C_SOURCE=200809L
#include <stdlib.h>
#include "sitter.h"

static void use_c_allocator(void) { ts_set_allocator(malloc, calloc, realloc, free); }
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	// The C library that sitter.c calls.
	_ "github.com/tree-sitter/go-tree-sitter"
)

// go-tree-sitter routes every malloc of the C library through a Go callback, which makes parsing 1.4 to 1.6 times
// slower. Its init, which runs before this one, sets that up.
func init() { C.use_c_allocator() }

// errLimit is wrapped by errors about files that exceed a bound.
var errLimit = errors.New("limit")

// Bounds of the work on one file.
const (
	// maxDepth bounds the nesting of nodes.
	maxDepth = 10_000
	// largeNode is the size in bytes above which the children of a node become breaks.
	largeNode = 1500
	// maxMatches bounds the matches of a query in progress at once below one node, since the cursor compares each with
	// each.
	maxMatches = 256
	// maxNanoseconds of processor time is the last resort for slow steps. The other bounds do not depend on the
	// machine.
	maxNanoseconds = 3e9
	// Parsing and querying may take stepsBase steps each, plus one for each stepBytes bytes. The costliest real files
	// take one step for 60 bytes.
	stepsBase = 1000
	stepBytes = 8
)

// A Parser parses one text at a time.
type Parser struct{ inner *C.cortex_worker }

// NewParser returns a parser. Call Close after use.
func NewParser() *Parser { return &Parser{inner: C.cortex_worker_new()} }

// Close frees the memory of the parser.
func (p *Parser) Close() { C.cortex_worker_delete(p.inner) }

// A Tree has the results of a run. Its slices are valid until the parser's next run.
type Tree struct {
	Errors int
	// Captures has for each match: the pattern, n, then n times capture, start, end.
	Captures []uint32
	// Breaks has pairs of row, from 0, and depth.
	Breaks []uint32
	depth  int
	// Dropped is set if there were more than maxMatches matches in progress below one node.
	Dropped bool
	// Held is set if Parser.Hold kept the tree: the other fields are not set.
	Held                              bool
	parseSteps, querySteps, textBytes int
}

// Run parses text and runs the query over its tree. Its errors say which bound was reached, or that the grammar failed.
func (p *Parser) Run(q *Query, text string) (Tree, error) { return p.call(q, text, runAll) }

// Hold does the same as Run for a text without syntax errors. With errors, it keeps the tree and sets Held; call Count
// or Resume for results of that tree. Call Drop in any case.
func (p *Parser) Hold(q *Query, text string) (Tree, error) { return p.call(q, text, runHold) }

// Count counts the errors of the tree that Hold kept.
func (p *Parser) Count(q *Query, text string) (Tree, error) { return p.call(q, text, runCount) }

// Resume runs the query over the tree that Hold kept.
func (p *Parser) Resume(q *Query, text string) (Tree, error) { return p.call(q, text, runResume) }

// Drop frees the tree that Hold kept, if there is one.
func (p *Parser) Drop() { C.cortex_drop(p.inner) }

// A call is the part of a run that the C side does.
type call int

const (
	runAll call = iota
	runHold
	runCount
	runResume
)

func (p *Parser) call(q *Query, text string, what call) (Tree, error) {
	steps := C.uint64_t(stepsBase + len(text)/stepBytes)
	limits := C.cortex_limits{
		parse_steps: steps, query_steps: steps, nanoseconds: maxNanoseconds,
		depth: maxDepth, large: largeNode, matches: maxMatches,
	}
	var pinner runtime.Pinner
	defer pinner.Unpin()
	data := unsafe.StringData(text)
	if len(text) > 0 {
		pinner.Pin(data)
	}
	chars, length := (*C.char)(unsafe.Pointer(data)), C.uint32_t(len(text))
	var rc C.int
	switch what {
	case runCount:
		rc = C.cortex_resume(p.inner, q.language, nil, chars, length, &limits)
	case runResume:
		rc = C.cortex_resume(p.inner, q.language, q.plan, chars, length, &limits)
	default:
		rc = C.cortex_run(p.inner, q.language, q.plan, chars, length, &limits, what == runHold)
	}
	r := &p.inner.result
	t := Tree{
		Errors:     int(r.errors),
		Captures:   words(r.captures),
		Breaks:     words(r.breaks),
		depth:      int(r.depth),
		Dropped:    bool(r.dropped),
		Held:       bool(r.held),
		parseSteps: int(r.parse_steps),
		querySteps: int(r.query_steps),
	}
	switch rc {
	case C.CORTEX_DONE:
		return t, nil
	case C.CORTEX_PARSE_LIMIT:
		return t, fmt.Errorf("parse %w reached", errLimit)
	case C.CORTEX_QUERY_LIMIT:
		return t, fmt.Errorf("query %w reached", errLimit)
	case C.CORTEX_TOO_DEEP:
		return t, fmt.Errorf("nested deeper than the %w of %d", errLimit, maxDepth)
	case C.CORTEX_SCANNER_LIMIT:
		return t, fmt.Errorf("%w of the grammar's scanner reached", errLimit)
	case C.CORTEX_BROKEN:
		return t, errors.New("the grammar failed")
	}
	return t, fmt.Errorf("memory %w reached", errLimit)
}

func words(w C.cortex_words) []uint32 {
	return unsafe.Slice((*uint32)(w.data), w.length)
}
