package parse

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
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
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
	// maxDepth bounds the nesting of nodes that are larger than largeNode.
	maxDepth = 10_000
	// maxError bounds the children of one syntax error: what a query does with it is quadratic.
	maxError = 10_000
	// largeNode is the size in bytes from which a node's children are breaks.
	largeNode = 1500
	// maxMatches bounds the matches of a query that are in progress at once.
	maxMatches = 1024
	// maxNanoseconds of processor time are the backstop for steps that take long; the
	// other bounds do not depend on the machine.
	maxNanoseconds = 3e9
	// stepsBase and a step for each stepBytes bytes bound parse and query each; the
	// costliest real files take one for 60 bytes.
	stepsBase = 10_000
	stepBytes = 8
)

// A query is a compiled query; workers share it.
type query struct {
	language *C.TSLanguage
	inner    *C.TSQuery
	captures []string
	patterns []pattern
}

// A pattern is what Go has to know of one pattern of a query.
type pattern struct {
	predicates []predicate
	within     within
	// valueFunction: the definition counts only if its value, if it has one, is a function
	// or class.
	valueFunction bool
	// join: a definition directly behind one of the same name and kind is a clause of that.
	join bool
	// files are globs for the base name of the only files in which the pattern counts;
	// nil is all.
	files []string
}

// isFor reports whether the pattern counts in files of this base name.
func (p *pattern) isFor(base string) bool {
	return p.files == nil || slices.ContainsFunc(p.files, func(glob string) bool {
		ok, _ := path.Match(glob, base)
		return ok
	})
}

// within says where a pattern's definitions must stand.
type within int

const (
	anywhere within = iota
	// inFile: not in a function or a local scope.
	inFile
	// inType: directly in a type.
	inType
)

// A predicate is a condition on the text of the captures of one name.
type predicate struct {
	capture  uint32
	negative bool
	holds    func(text string) bool
}

// compileQuery compiles source for a language that a grammar's binding gives.
func compileQuery(language unsafe.Pointer, source string) (*query, error) {
	q := &query{language: (*C.TSLanguage)(language)}
	text := C.CString(source)
	defer C.free(unsafe.Pointer(text))
	var offset C.uint32_t
	var kind C.int
	q.inner = C.ts_query_new(q.language, text, C.uint32_t(len(source)), &offset, &kind)
	if q.inner == nil {
		return nil, queryError(source, int(offset), int(kind))
	}
	for i := range C.ts_query_capture_count(q.inner) {
		var length C.uint32_t
		name := C.ts_query_capture_name_for_id(q.inner, i, &length)
		q.captures = append(q.captures, C.GoStringN(name, C.int(length)))
	}
	for i := range C.ts_query_pattern_count(q.inner) {
		p, err := q.pattern(i)
		if err != nil {
			return nil, fmt.Errorf("pattern %d: %w", i, err)
		}
		q.patterns = append(q.patterns, p)
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

// pattern decodes the predicates and directives of pattern i.
func (q *query) pattern(i C.uint32_t) (pattern, error) {
	var p pattern
	var count C.uint32_t
	steps := unsafe.Slice(C.ts_query_predicates_for_pattern(q.inner, i, &count), count)
	var args []C.TSQueryPredicateStep
	for _, step := range steps {
		const done, capture = 0, 1
		if step._type != done {
			args = append(args, step)
			continue
		}
		if args[0]._type == capture {
			return p, errors.New("a predicate begins with a name")
		}
		name := q.str(args[0])
		var captures []uint32
		var texts []string
		for _, a := range args[1:] {
			if a._type == capture {
				captures = append(captures, uint32(a.value_id))
			} else {
				texts = append(texts, q.str(a))
			}
		}
		args = args[:0]
		if err := p.add(name, captures, texts); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (q *query) str(step C.TSQueryPredicateStep) string {
	var length C.uint32_t
	s := C.ts_query_string_value_for_id(q.inner, step.value_id, &length)
	return C.GoStringN(s, C.int(length))
}

// add decodes one predicate or directive.
func (p *pattern) add(name string, captures []uint32, texts []string) error {
	if name == "set!" {
		switch {
		case len(captures) > 0 || len(texts) != 2:
			return errors.New("#set! takes a key and a value")
		case texts[0] == "within" && texts[1] == "file":
			p.within = inFile
		case texts[0] == "within" && texts[1] == "type":
			p.within = inType
		case texts[0] == "value" && texts[1] == "function":
			p.valueFunction = true
		case texts[0] == "repeated" && texts[1] == "join":
			p.join = true
		default:
			return fmt.Errorf("unknown setting %q %q", texts[0], texts[1])
		}
		return nil
	}
	if name == "file?" {
		for _, glob := range texts {
			if _, err := path.Match(glob, ""); err != nil {
				return fmt.Errorf("glob %q: %w", glob, err)
			}
		}
		p.files = texts
		return nil
	}
	positive, negative := strings.CutPrefix(name, "not-")
	if len(captures) != 1 {
		return fmt.Errorf("#%s takes one capture", name)
	}
	pred := predicate{capture: captures[0], negative: negative}
	switch {
	case positive == "eq?" && len(texts) == 1:
		pred.holds = func(text string) bool { return text == texts[0] }
	case positive == "any-of?" && len(texts) > 0:
		pred.holds = func(text string) bool { return slices.Contains(texts, text) }
	case positive == "match?" && len(texts) == 1:
		re, err := regexp.Compile(texts[0])
		if err != nil {
			return err
		}
		pred.holds = re.MatchString
	case positive == "constant-case?" && len(texts) == 0:
		pred.holds = isConstantCase
	default:
		return fmt.Errorf("unknown predicate #%s with %d texts", name, len(texts))
	}
	p.predicates = append(p.predicates, pred)
	return nil
}

// A worker parses one file at a time.
type worker struct {
	parser *C.TSParser
	cursor *C.TSQueryCursor
	result *C.cortex_result
}

func newWorker() *worker {
	return &worker{
		parser: C.ts_parser_new(),
		cursor: C.ts_query_cursor_new(),
		result: (*C.cortex_result)(C.calloc(1, C.sizeof_cortex_result)),
	}
}

// Close frees what the worker holds.
func (w *worker) Close() {
	C.ts_parser_delete(w.parser)
	C.ts_query_cursor_delete(w.cursor)
	C.cortex_free(w.result)
	C.free(unsafe.Pointer(w.result))
}

// A tree is what the C side found in a file. Its slices are valid until the worker's next run.
type tree struct {
	errors int
	// captures are, for each match: the pattern, n, then n times capture, start, end.
	captures []uint32
	// breaks are pairs of row and depth.
	breaks                            []uint32
	depth                             int
	parseSteps, querySteps, textBytes int
}

// keepWords is how large a worker's arrays may stay between files.
const keepWords = 1 << 20

// run parses text and runs the query over its tree. An error wraps errLimit.
func (w *worker) run(q *query, text string) (tree, error) {
	if w.result.captures.capacity > keepWords || w.result.breaks.capacity > keepWords {
		C.cortex_free(w.result)
	}
	steps := C.uint64_t(stepsBase + len(text)/stepBytes)
	limits := C.cortex_limits{
		parse_steps: steps, query_steps: steps, nanoseconds: maxNanoseconds,
		depth: maxDepth, large: largeNode, error_length: maxError, matches: maxMatches,
	}
	var pinner runtime.Pinner
	defer pinner.Unpin()
	data := unsafe.StringData(text)
	if len(text) > 0 {
		pinner.Pin(data)
	}
	rc := C.cortex_run(w.parser, w.cursor, q.language, q.inner,
		(*C.char)(unsafe.Pointer(data)), C.uint32_t(len(text)), &limits, w.result)
	r := w.result
	t := tree{
		errors:     int(r.errors),
		captures:   words(r.captures),
		breaks:     words(r.breaks),
		depth:      int(r.depth),
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
	case C.CORTEX_TOO_MANY:
		return t, fmt.Errorf("%w of %d open matches reached", errLimit, maxMatches)
	case C.CORTEX_LONG_ERROR:
		return t, fmt.Errorf("a syntax error longer than the %w of %d tokens", errLimit, maxError)
	case C.CORTEX_TOO_DEEP:
		return t, fmt.Errorf("nested deeper than the %w of %d", errLimit, maxDepth)
	}
	return t, fmt.Errorf("memory %w reached", errLimit)
}

func words(w C.cortex_words) []uint32 {
	return unsafe.Slice((*uint32)(w.data), w.length)
}

// sexp is the syntax tree of text, for tests.
func sexp(language unsafe.Pointer, text string) string {
	c := C.CString(text)
	defer C.free(unsafe.Pointer(c))
	s := C.cortex_tree((*C.TSLanguage)(language), c, C.uint32_t(len(text)))
	defer C.free(unsafe.Pointer(s))
	return C.GoString(s)
}
