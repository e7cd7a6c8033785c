package search

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"cortex/lib/glob"
	"cortex/lib/hint"
	"cortex/lib/language"
	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// allowed is the set of chunks that the filter admits, nil if it admits all.
func (x *Index) allowed(ctx context.Context, f Filter) (bitset, error) {
	var set bitset
	narrow := func(build func(bitset) error) error {
		next := newBitset(x.cat.Len())
		if err := build(next); err != nil {
			return err
		}
		if set != nil {
			next.intersect(set)
		}
		set = next
		return nil
	}
	anyOf := func(field query.Field, values []string, check func(string) error) error {
		if len(values) == 0 {
			return nil
		}
		return narrow(func(next bitset) error {
			for _, value := range values {
				if err := check(value); err != nil {
					return err
				}
				x.addValue(next, field, value)
			}
			return nil
		})
	}
	if err := anyOf(query.ChunkType, f.ChunkTypes, checkChunkType); err != nil {
		return nil, err
	}
	if err := anyOf(query.Language, f.Languages, x.checkLanguage); err != nil {
		return nil, err
	}
	if f.SymbolType != "" {
		if err := checkSymbolType(f.SymbolType); err != nil {
			return nil, err
		}
	}
	for _, tag := range f.Tags {
		if err := anyOf(query.Tags, []string{tag}, func(string) error { return nil }); err != nil {
			return nil, err
		}
	}
	switch f.Tests {
	case "":
	case TestsNo, TestsOnly:
		err := narrow(func(next bitset) error {
			if f.Tests == TestsOnly {
				x.addValue(next, query.Tags, testTag)
				return nil
			}
			tests := newBitset(x.cat.Len())
			x.addValue(tests, query.Tags, testTag)
			next.fill(x.cat.Len())
			next.subtract(tests)
			return nil
		})
		if err != nil {
			return nil, err
		}
	default:
		return nil, hint.Wrap(fmt.Errorf("tests %q: expected %s", shortened(f.Tests), strings.Join(TestChoices(), " or ")), "no leaves test code out, only shows it alone")
	}
	if f.Path != "" {
		match, err := pathMatcher(f.Path)
		if err != nil {
			return nil, err
		}
		err = narrow(func(next bitset) error { return x.addFiles(ctx, next, match) })
		if err != nil {
			return nil, err
		}
	}
	if len(f.SymbolName) > glob.MaxLength {
		return nil, hint.Wrap(fmt.Errorf("symbol name of %d bytes, at most %d are allowed", len(f.SymbolName), glob.MaxLength), "write for example Parse*")
	}
	if test := f.symbolTest(); test != nil {
		err := narrow(func(next bitset) error {
			for i := range x.cat.Len() {
				if set != nil && !set.has(i) {
					continue
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				for s := range x.cat.Symbols(i) {
					if test(s) {
						next.add(i)
						break
					}
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

// checkFacet reports a value that the field, if it has a closed set of them, can't have.
func (x *Index) checkFacet(field query.Field, value string) error {
	if slices.Contains(x.values(field), facetValue(field, value)) {
		return nil
	}
	switch field {
	case query.ChunkType:
		return checkChunkType(value)
	case query.Language:
		return x.checkLanguage(value)
	case query.SymbolType:
		return checkSymbolType(value)
	}
	return nil
}

func checkChunkType(value string) error {
	var names []string
	for _, t := range record.ChunkTypes {
		names = append(names, string(t))
	}
	return checkName("chunk type", value, names, "chunk types are "+strings.Join(names, ", "))
}

func checkSymbolType(value string) error {
	var names []string
	for _, k := range record.Kinds {
		names = append(names, string(k))
	}
	return checkName("symbol type", value, names, "symbol types are "+strings.Join(names, ", "))
}

// checkLanguage knows the languages of the index as well, which another version of
// Cortex may have made.
func (x *Index) checkLanguage(value string) error {
	if _, ok := language.ByName(strings.TrimSpace(value)); ok {
		return nil
	}
	here := x.values(query.Language)
	known := slices.Clone(here)
	for _, l := range language.All() {
		known = append(known, l.Name)
	}
	// Aliases are short, and so near to much.
	if hint.Nearest(value, known) == "" {
		for _, l := range language.All() {
			known = append(known, l.Aliases...)
		}
	}
	return checkName("language", value, known, "the index has "+strings.Join(here, ", "))
}

// checkName reports a value that is none of the names, and what was meant.
func checkName(what, value string, names []string, advice string) error {
	name := strings.TrimSpace(value)
	if slices.ContainsFunc(names, func(known string) bool { return strings.EqualFold(known, name) }) {
		return nil
	}
	if near := hint.Nearest(name, names); near != "" {
		advice = fmt.Sprintf("did you mean %q? %s", near, advice)
	}
	return hint.Wrap(fmt.Errorf("unknown %s %q", what, value), advice)
}

// pathMatcher makes the test of Filter.Path.
func pathMatcher(pattern string) (func(string) bool, error) {
	const advice = `write for example "lib/**/*.go", "*.go" or "lib/search"`
	if len(pattern) > glob.MaxLength {
		return nil, hint.Wrap(fmt.Errorf("path %q... is longer than %d bytes", pattern[:40], glob.MaxLength), advice)
	}
	folder := strings.HasSuffix(pattern, "/")
	name := token.FoldAll(strings.Trim(strings.TrimPrefix(strings.TrimSpace(pattern), "./"), "/"))
	if name == "" {
		return func(string) bool { return true }, nil
	}
	hasMeta := strings.ContainsAny(name, `*?[{\`)
	hasSlash := strings.Contains(name, "/")
	var set *glob.Set
	if texts := []string{name}; hasMeta {
		if folder {
			texts = []string{name + "/**", "**/" + name + "/**"}
		}
		var err error
		if set, err = glob.Compile(texts...); err != nil {
			return nil, hint.Wrap(fmt.Errorf("path %q %w", pattern, err), advice)
		}
	}
	match := func(p string) bool {
		switch {
		case !hasMeta && !folder:
			return p == name || strings.HasPrefix(p, name+"/") || strings.HasSuffix(p, "/"+name) || strings.Contains(p, "/"+name+"/") ||
				hasSlash && strings.HasPrefix(p, name)
		case !hasMeta:
			return strings.HasPrefix(p, name+"/") || strings.Contains(p, "/"+name+"/")
		case !folder && !hasSlash:
			return set.Match(path.Base(p))
		}
		return set.Match(p)
	}
	return func(p string) bool {
		p = token.FoldAll(p)
		if match(p) {
			return true
		}
		// In a store of several trees the path may be given without the tree.
		_, plain, ok := strings.Cut(p, ":")
		return ok && match(plain)
	}, nil
}

// symbolMatcher makes the test of Filter.SymbolName: a glob over the qualified name or
// its last component.
func symbolMatcher(glob string) func(string) bool {
	var wild []int
	for i := range len(glob) {
		if glob[i] == '*' || glob[i] == '?' {
			wild = append(wild, i)
		}
	}
	pattern := token.PatternOf(glob, wild)
	return func(name string) bool {
		if name == "" {
			return false
		}
		name = token.FoldAll(name)
		return pattern.Match(name) || pattern.Match(lastComponent(name))
	}
}

// lastComponent of a qualified name such as a.b, A::b or A#b.
func lastComponent(name string) string {
	return name[strings.LastIndexAny(name, ".:#/")+1:]
}
