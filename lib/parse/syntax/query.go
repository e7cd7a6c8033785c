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

// MaxReach is the greatest value of Setting.Level.
const MaxReach = 6

// A Query is a compiled query; parsers share it.
type Query struct {
	language *C.cortex_language
	plan     *C.cortex_plan
	Captures []string
	Patterns []pattern
}

// A pattern has the predicates and settings of one pattern of a query.
type pattern struct {
	predicates []predicate
	Setting
	// files has globs: the pattern counts only in files whose base name matches one. nil is all files.
	files []string
}

// A Setting has the values of the #set! directives of a pattern.
type Setting struct {
	Within Within
	// ValueFunction: a definition with a value counts only if the value is a function or class.
	ValueFunction bool
	// Join: a definition directly behind one of the same name and kind is another clause of that one.
	Join bool
	// Level, if not 0, extends a definition to the next one of this or a higher level, as for headings; 1 is the
	// highest.
	Level int
	// Member, if not "", is the kind of the definition if it is a member of a type.
	Member record.Kind
	// Most, if not 0, is the most definitions in one parent; if there are more, none of them counts.
	Most int
	// NameEnd, if not "", is a text within the name's node before which the name ends.
	NameEnd string
	// Module is a prefix for the names of imported modules.
	Module string
}

// IsFor reports whether the pattern counts in files of this base name.
func (p *pattern) IsFor(base string) bool {
	return p.files == nil || slices.ContainsFunc(p.files, func(glob string) bool {
		ok, _ := path.Match(glob, base)
		return ok
	})
}

// Within says where definitions of a pattern count.
type Within int

const (
	Anywhere Within = iota
	// InFile: not in a function or a local scope.
	InFile
	// InType: directly in a type.
	InType
	// InMember: anywhere in a type; the definition is a member of the innermost one.
	InMember
	// InNothing: anywhere; the definition has no parent.
	InNothing
	// InFunction: in a function or a local scope.
	InFunction
)

// Accepts reports whether all predicates hold for the captures of a match: triples of capture, start and end in text.
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
	// texts has all texts for which it holds, nil if they cannot be listed.
	texts []string
}

// A Scanner describes faults of a grammar's external scanner that the C side works around.
type Scanner struct {
	// Words: the scanner does not check where a word ends, and takes "in1" for the keyword "in".
	Words bool
	// Recovery lists tokens, by number, such as those of strings, which the scanner accepts for any text during error
	// recovery.
	Recovery []int
}

// Care sets the workarounds for the scanner of the query's language.
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
		// Check the length first: a node may span most of the file, and hashing its text is slow.
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

// set sets one value.
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
