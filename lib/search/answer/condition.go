package answer

import (
	"fmt"
	"strings"
)

// A Condition is a part of a Filter that excludes chunks by itself.
type Condition struct {
	Filter Filter
	// Written describes the condition, and Nothing says that no chunk satisfies it.
	Written, Nothing string
}

// Conditions returns the conditions of the filter.
func (f Filter) Conditions() []Condition {
	var list []Condition
	add := func(part Filter, written, nothing string) {
		list = append(list, Condition{part, written, nothing + " " + written})
	}
	if len(f.ChunkTypes) > 0 {
		add(Filter{ChunkTypes: f.ChunkTypes}, "type "+quoted(f.ChunkTypes), "no chunk is of")
	}
	if len(f.Languages) > 0 {
		add(Filter{Languages: f.Languages}, "language "+quoted(f.Languages), "no file is in the")
	}
	for _, tag := range f.Tags {
		add(Filter{Tags: []string{tag}}, "tag "+quoted([]string{tag}), "no chunk has the")
	}
	if f.Path != "" {
		add(Filter{Path: f.Path}, "path "+quoted([]string{f.Path}), "no file matches the")
	}
	switch f.Tests {
	case TestsNo:
		add(Filter{Tests: f.Tests}, "tests: no", "all is test code for")
	case TestsOnly:
		add(Filter{Tests: f.Tests}, "tests: only", "no test code is there for")
	}
	if f.SymbolType != "" {
		add(Filter{SymbolType: f.SymbolType}, "kind "+quoted([]string{f.SymbolType}), "no symbol is of the")
	}
	if f.SymbolName != "" {
		add(Filter{SymbolName: f.SymbolName}, "name "+quoted([]string{f.SymbolName}), "no symbol has the")
	}
	return list
}

func quoted(values []string) string {
	var list []string
	for _, value := range values {
		list = append(list, fmt.Sprintf("%q", Shorten(value)))
	}
	return strings.Join(list, " or ")
}
