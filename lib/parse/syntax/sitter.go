// Package syntax parses text with tree-sitter grammars and runs queries over the trees. It bounds the work of both. Begin with Parser in sitter.go; query.go compiles queries.
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

	// The C library, to which sitter.c binds.
	_ "github.com/tree-sitter/go-tree-sitter"
)

// go-tree-sitter routes every malloc of the C library through a Go callback, which
// makes parsing 1.4 to 1.6 times slower. Its own init, which runs first, sets that up.
func init() { C.use_c_allocator() }

// errLimit is the cause when a file took more work than its size allows.
var errLimit = errors.New("limit")

// These bound the work on one file.
const (
	// maxDepth bounds the nesting of nodes.
	maxDepth = 10_000
	// largeNode is the size in bytes from which a node's children are breaks.
	largeNode = 1500
	// maxMatches bounds the matches of a query that are in progress at once below one node;
	// the cursor compares each with each.
	maxMatches = 256
	// maxNanoseconds of processor time are the backstop for steps that take long; the
	// other bounds do not depend on the machine.
	maxNanoseconds = 3e9
	// stepsBase and a step for each stepBytes bytes bound parse and query each; the
	// costliest real files take one for 60 bytes.
	stepsBase = 1000
	stepBytes = 8
)

// A parser parses one text at a time.
type Parser struct{ inner *C.cortex_worker }

// NewParser returns a parser, whose Close must be called.
func NewParser() *Parser { return &Parser{inner: C.cortex_worker_new()} }

// Close frees what the parser holds.
func (p *Parser) Close() { C.cortex_worker_delete(p.inner) }

// A Tree is what the C side found in a file. Its slices are valid until the parser's next run.
type Tree struct {
	Errors int
	// Captures are, for each match: the pattern, n, then n times capture, start, end.
	Captures []uint32
	// Breaks are pairs of row and depth.
	Breaks []uint32
	depth  int
	// dropped: there were more matches than maxMatches below one node.
	Dropped bool
	// held: nothing is known, until Parser.Count or Parser.Resume.
	Held                              bool
	parseSteps, querySteps, textBytes int
}

// Run parses text and runs the query over its tree. An error wraps errLimit.
func (p *Parser) Run(q *Query, text string) (Tree, error) { return p.call(q, text, runAll) }

// Hold is run for a text of which a tree with errors may not be the last word: that is held, and nothing is
// known of it. Then count and resume, if wanted, and drop must follow.
func (p *Parser) Hold(q *Query, text string) (Tree, error) { return p.call(q, text, runHold) }

// Count counts the errors of the tree that is held.
func (p *Parser) Count(q *Query, text string) (Tree, error) { return p.call(q, text, runCount) }

// Resume does the rest of run for the tree that is held.
func (p *Parser) Resume(q *Query, text string) (Tree, error) { return p.call(q, text, runResume) }

// Drop gives up the tree that is held, if there is one.
func (p *Parser) Drop() { C.cortex_drop(p.inner) }

// A call is what of run the C side does.
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
		return t, errors.New("the grammar broke down")
	}
	return t, fmt.Errorf("memory %w reached", errLimit)
}

func words(w C.cortex_words) []uint32 {
	return unsafe.Slice((*uint32)(w.data), w.length)
}
