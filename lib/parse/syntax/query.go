package syntax

/*
#include <stdlib.h>
#include "sitter.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"cortex/lib/parse/lexical"
	"cortex/lib/record"
)

// MaxReach is the lowest level of a definition that reaches to the next.
const MaxReach = 6

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
	case positive == "upper-case?" && len(texts) == 0:
		pred.holds = lexical.IsUpper
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
