package corpus

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
	"cortex/lib/search/answer"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// Allowed returns the set of chunks that the filter admits, or nil if it admits all.
func (x *Corpus) Allowed(ctx context.Context, f answer.Filter) (Set, error) {
	match, err := x.check(f)
	if err != nil {
		return nil, err
	}
	var set Set
	narrow := func(add func(Set)) {
		next := NewSet(x.Generation.Len())
		add(next)
		if set != nil {
			next.Intersect(set)
		}
		set = next
	}
	anyOf := func(field query.Field, values ...string) {
		if len(values) == 0 {
			return
		}
		narrow(func(next Set) {
			for _, value := range values {
				x.AddValue(next, field, value)
			}
		})
	}
	anyOf(query.ChunkType, f.ChunkTypes...)
	anyOf(query.Language, f.Languages...)
	for _, tag := range f.Tags {
		anyOf(query.Tags, tag)
	}
	switch f.Tests {
	case answer.TestsOnly:
		anyOf(query.Tags, record.TagTest)
	case answer.TestsNo:
		narrow(func(next Set) {
			tests := NewSet(x.Generation.Len())
			x.AddValue(tests, query.Tags, record.TagTest)
			next.Fill(x.Generation.Len())
			next.Subtract(tests)
		})
	}
	if match != nil {
		narrow(func(next Set) { err = x.AddFiles(ctx, next, match) })
	}
	if test := SymbolTestOf(f); test != nil && err == nil {
		narrow(func(next Set) { err = x.addDeclaring(ctx, next, set, test) })
	}
	return set, err
}

// check returns an error for a value of the filter that no chunk can have. match tests a path against Filter.Path; it
// is nil if the filter has no path.
func (x *Corpus) check(f answer.Filter) (match func(string) bool, err error) {
	for _, value := range f.ChunkTypes {
		if err := checkChunkType(value); err != nil {
			return nil, err
		}
	}
	for _, value := range f.Languages {
		if err := x.checkLanguage(value); err != nil {
			return nil, err
		}
	}
	if f.SymbolType != "" {
		if err := checkSymbolType(f.SymbolType); err != nil {
			return nil, err
		}
	}
	if f.Tests != "" && f.Tests != answer.TestsNo && f.Tests != answer.TestsOnly {
		return nil, hint.Wrap(fmt.Errorf("tests %q: expected %s", answer.Shorten(f.Tests), strings.Join(answer.TestChoices(), " or ")), "no leaves test code out, only shows it alone")
	}
	if len(f.SymbolName) > glob.MaxLength {
		return nil, hint.Wrap(fmt.Errorf("symbol name of %d bytes, at most %d are allowed", len(f.SymbolName), glob.MaxLength), "write for example Parse*")
	}
	if f.Path == "" {
		return nil, nil
	}
	return PathMatcher(f.Path)
}

// addDeclaring adds to the set "to" the chunks of the set "of" (nil for all) that declare a symbol which satisfies the
// test.
func (x *Corpus) addDeclaring(ctx context.Context, to, of Set, test SymbolTest) error {
	for i := range x.Generation.Len() {
		if of != nil && !of.Has(i) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for s := range x.Generation.Symbols(i) {
			if test(s) {
				to.Add(i)
				break
			}
		}
	}
	return nil
}

// AskedTypes returns the chunk types that the filter names.
func AskedTypes(f answer.Filter) map[record.ChunkType]bool {
	asked := map[record.ChunkType]bool{}
	for _, name := range f.ChunkTypes {
		asked[record.ChunkType(FacetValue(query.ChunkType, name))] = true
	}
	return asked
}

// CheckFacet returns an error if the field has a closed set of values and value is none of them.
func (x *Corpus) CheckFacet(field query.Field, value string) error {
	if slices.Contains(x.Values(field), FacetValue(field, value)) {
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

// checkLanguage accepts the languages of the index too: another version of Cortex may have made it.
func (x *Corpus) checkLanguage(value string) error {
	if _, ok := language.ByName(strings.TrimSpace(value)); ok {
		return nil
	}
	here := x.Values(query.Language)
	known := slices.Clone(here)
	for _, l := range language.All() {
		known = append(known, l.Name)
	}
	// Aliases are short, so many misspelt names are close to one; they are suggested only if no name is close.
	if hint.Nearest(value, known) == "" {
		for _, l := range language.All() {
			known = append(known, l.Aliases...)
		}
	}
	return checkName("language", value, known, "the index has "+strings.Join(here, ", "))
}

// checkName returns an error, with a suggestion, if value is none of the names.
func checkName(what, value string, names []string, advice string) error {
	name := strings.TrimSpace(value)
	if slices.ContainsFunc(names, func(known string) bool { return strings.EqualFold(known, name) }) {
		return nil
	}
	return hint.Wrap(fmt.Errorf("unknown %s %q", what, value), hint.OrNearest(name, names, advice))
}

// PathMatcher returns the test for paths that Filter.Path describes: a pattern, or several with commas.
func PathMatcher(pattern string) (func(string) bool, error) {
	if len(pattern) > glob.MaxLength {
		return nil, hint.Wrap(fmt.Errorf("path %q... is longer than %d bytes", pattern[:40], glob.MaxLength), pathAdvice)
	}
	patterns := alternatives(pattern)
	if len(patterns) > 1 {
		patterns = append(patterns, pattern) // a name with a comma or braces
	}
	var matches []func(string) bool
	for _, one := range patterns {
		match, err := onePathMatcher(one)
		if err != nil {
			return nil, err
		}
		matches = append(matches, match)
	}
	if len(matches) == 1 {
		return matches[0], nil
	}
	return func(p string) bool {
		return slices.ContainsFunc(matches, func(match func(string) bool) bool { return match(p) })
	}, nil
}

// SplitPaths returns the patterns in a list with commas, such as "*.go,lib/**". Commas in brackets belong to a pattern.
func SplitPaths(list string) []string {
	var patterns []string
	depth, start := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				patterns = append(patterns, strings.TrimSpace(list[start:i]))
				start = i + 1
			}
		}
	}
	patterns = append(patterns, strings.TrimSpace(list[start:]))
	if slices.Contains(patterns, "") {
		return []string{list} // an empty pattern would match everything
	}
	return patterns
}

const pathAdvice = `write for example "lib/**/*.go", "*.go" or "lib/search"`

// maxAlternatives bounds the patterns without braces that one pattern stands for.
const maxAlternatives = 64

// alternatives returns the patterns of a list with commas, each without braces around alternatives: src/{a,b} stands
// for src/a and src/b, which are folders as well as files. A pattern with a backslash, or that stands for too many
// patterns, stays as it is.
func alternatives(list string) (patterns []string) {
	for _, pattern := range SplitPaths(list) {
		all := []string{pattern}
		for i := 0; i < len(all) && len(all) <= maxAlternatives; {
			if parts := withoutBraces(all[i]); parts != nil {
				all = slices.Replace(all, i, i+1, parts...)
			} else {
				i++
			}
		}
		if len(all) > maxAlternatives || strings.Contains(pattern, `\`) {
			all = []string{pattern}
		}
		patterns = append(patterns, all...)
	}
	return patterns
}

// withoutBraces returns the patterns that a pattern with braces stands for, one for each alternative in the first
// braces; nil if it has none.
func withoutBraces(pattern string) (patterns []string) {
	before, rest, ok := strings.Cut(pattern, "{")
	if !ok {
		return nil
	}
	depth := 1
	for i := range len(rest) {
		switch rest[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			for _, one := range SplitPaths(rest[:i]) {
				patterns = append(patterns, before+one+rest[i+1:])
			}
			break
		}
	}
	if len(patterns) < 2 {
		return nil
	}
	return patterns
}

// onePathMatcher is PathMatcher for a single pattern.
func onePathMatcher(pattern string) (func(string) bool, error) {
	if rest, negated := strings.CutPrefix(strings.TrimSpace(pattern), "!"); negated {
		return nil, hint.Wrap(fmt.Errorf("path %q: a path cannot be excluded here", pattern), "write NOT path:"+rest+" in a query of exact search")
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
			return nil, hint.Wrap(fmt.Errorf("path %q %w", pattern, err), pathAdvice)
		}
	}
	match := func(p string) bool {
		// The pattern also matches literally: folders may be called [id] or {shared}.
		switch {
		case strings.HasPrefix(p, name+"/") || strings.Contains(p, "/"+name+"/"):
			return true
		case !folder && (p == name || strings.HasSuffix(p, "/"+name)):
			return true
		case !hasMeta:
			return !folder && hasSlash && strings.HasPrefix(p, name)
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
