package corpus

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"cortex/lib/glob"
	"cortex/lib/hint"
	"cortex/lib/search/token"
)

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
