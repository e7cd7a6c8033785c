// Package syntax parses text with tree-sitter grammars and runs queries over the trees. It bounds the work that either may take.
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
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	// The C library, to which sitter.c binds.
	_ "github.com/tree-sitter/go-tree-sitter"

	"cortex/lib/parse/lexical"
	"cortex/lib/record"
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
	// MaxReach is the lowest level of a definition that reaches to the next.
	MaxReach = 6
)

// A Query is a compiled query; parsers share it.
type Query struct {
	language *C.cortex_language
	plan     *C.cortex_plan
	Captures []string
	Patterns []pattern
}

// A pattern is what Go has to know of one pattern of a query.
type pattern struct {
	predicates []predicate
	Setting
	// files are globs for the base name of the only files in which the pattern counts;
	// nil is all.
	files []string
}

// A Setting is what #set! says of a pattern's definitions.
type Setting struct {
	Within Within
	// valueFunction: the definition counts only if its value, if it has one, is a function
	// or class.
	ValueFunction bool
	// join: a definition directly behind one of the same name and kind is a clause of that.
	Join bool
	// level, if not 0, lets a definition reach to the next one of this level or a higher
	// one, as headings do; 1 is the highest.
	Level int
	// Member is the kind instead of the pattern's where the definition stands in a type.
	Member record.Kind
	// most, if not 0, is how many there may be in one place; none count if there are more.
	Most int
	// NameEnd is what ends the name within its node.
	NameEnd string
	// Module stands before the name of an imported module.
	Module string
}

// IsFor reports whether the pattern counts in files of this base name.
func (p *pattern) IsFor(base string) bool {
	return p.files == nil || slices.ContainsFunc(p.files, func(glob string) bool {
		ok, _ := path.Match(glob, base)
		return ok
	})
}

// Within says where a pattern's definitions must stand.
type Within int

const (
	Anywhere Within = iota
	// inFile: not in a function or a local scope.
	InFile
	// inType: directly in a type.
	InType
	// inMember: somewhere in a type, of which it is a member whatever stands between.
	InMember
	// inNothing: it has no parent whatever stands around.
	InNothing
	// inFunction: in a function or a local scope.
	InFunction
)

// Accepts reports whether the predicates hold for all captures that they name.
func (p *pattern) Accepts(text string, captures []uint32) bool {
	for _, pred := range p.predicates {
		for i := 0; i < len(captures); i += 3 {
			if captures[i] == pred.capture && pred.holds(text[captures[i+1]:captures[i+2]]) == pred.negative {
				return false
			}
		}
	}
	return true
}

// A predicate is a condition on the text of the captures of one name.
type predicate struct {
	capture  uint32
	negative bool
	holds    func(text string) bool
	// texts are all for which it holds, or nil.
	texts []string
}

// A Scanner is what is known of the faults of a grammar's own scanner.
type Scanner struct {
	// words: it takes the letters of a word for the word, so that "in1" is the keyword "in".
	Words bool
	// Recovery are its tokens, by number, that take whatever follows when it looks for them in a text
	// with an error: those of a string.
	Recovery []int
}

// Care sets what the scanner of the query's language needs: see Scanner.
func (q *Query) Care(s Scanner) {
	q.language.words = C.bool(s.Words)
	for _, token := range s.Recovery {
		q.language.recovery |= 1 << token
	}
}

// Compile compiles source for a language that a grammar's binding gives.
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

// makePlan finds out at which nodes the patterns begin.
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

// cCount counts from 0 on the C side.
func cCount(n int) *C.uint32_t {
	words := make([]uint32, n)
	for i := range words {
		words[i] = uint32(i)
	}
	return cWords(words)
}

// countSingles is the number of patterns in singles as a cortex_plan holds them.
func countSingles(singles []uint32) uint32 {
	n := uint32(0)
	for ; len(singles) > 0; n++ {
		singles = singles[2+singles[1]:]
	}
	return n
}

// symbol is the index in a cortex_plan of a kind of node.
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

// cWords is a copy of words on the C side. A query lives as long as the process.
func cWords(words []uint32) *C.uint32_t {
	p := C.malloc(C.size_t(4 * max(len(words), 1)))
	copy(unsafe.Slice((*uint32)(p), len(words)), words)
	return (*C.uint32_t)(p)
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

// pattern decodes the predicates and directives of pattern i.
func (q *Query) pattern(i C.uint32_t) (pattern, error) {
	var p pattern
	var count C.uint32_t
	steps := unsafe.Slice(C.ts_query_predicates_for_pattern(q.plan.all.query, i, &count), count)
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

func (q *Query) str(step C.TSQueryPredicateStep) string {
	var length C.uint32_t
	s := C.ts_query_string_value_for_id(q.plan.all.query, step.value_id, &length)
	return C.GoStringN(s, C.int(length))
}

// add decodes one predicate or directive.
func (p *pattern) add(name string, captures []uint32, texts []string) error {
	if name == "set!" {
		if len(captures) > 0 || len(texts) != 2 {
			return errors.New("#set! takes a key and a value")
		}
		return p.set(texts[0], texts[1])
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
		pred.holds, pred.texts = func(text string) bool { return text == texts[0] }, texts
	case positive == "any-of?" && len(texts) > 0:
		set, longest := map[string]bool{}, 0
		for _, text := range texts {
			set[text], longest = true, max(longest, len(text))
		}
		// The text of a node that holds most of the file is not hashed.
		pred.holds, pred.texts = func(text string) bool { return len(text) <= longest && set[text] }, texts
	case positive == "match?" && len(texts) == 1:
		re, err := regexp.Compile(texts[0])
		if err != nil {
			return err
		}
		pred.holds = re.MatchString
	case positive == "constant-case?" && len(texts) == 0:
		pred.holds = lexical.IsConstantCase
	default:
		return fmt.Errorf("unknown predicate #%s with %d texts", name, len(texts))
	}
	p.predicates = append(p.predicates, pred)
	return nil
}

// set takes one setting.
func (s *Setting) set(key, value string) error {
	number, _ := strconv.Atoi(value)
	switch {
	case key == "within" && value == "file":
		s.Within = InFile
	case key == "within" && value == "type":
		s.Within = InType
	case key == "within" && value == "function":
		s.Within = InFunction
	case key == "within" && value == "nothing":
		s.Within = InNothing
	case key == "within" && value == "member":
		s.Within = InMember
	case key == "value" && value == "function":
		s.ValueFunction = true
	case key == "repeated" && value == "join":
		s.Join = true
	case key == "level" && 1 <= number && number <= MaxReach:
		s.Level = number
	case key == "most" && number > 0:
		s.Most = number
	case key == "member":
		s.Member = record.Kind(value)
		if !slices.Contains(record.Kinds, s.Member) {
			return fmt.Errorf("unknown kind %q", value)
		}
	case key == "module" && value != "":
		s.Module = value
	case key == "name" && value != "":
		s.NameEnd = value
	default:
		return fmt.Errorf("unknown setting %q %q", key, value)
	}
	return nil
}

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
