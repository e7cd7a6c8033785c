package corpus

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/glob"
	"cortex/lib/hint"
	"cortex/lib/language"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/query"
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
