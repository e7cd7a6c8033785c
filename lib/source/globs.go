package source

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"cortex/lib/hint"
	"cortex/lib/language"
)

// maxAlternatives bounds the ways in which the braces of one pattern can be read, since the
// time for a match grows with them.
const maxAlternatives = 1000

// globs are the patterns of Options, checked.
type globs struct {
	code, docs, ignore []string
}

func newGlobs(opts Options) (globs, error) {
	var g globs
	var err error
	for _, list := range []struct {
		key  string
		from []string
		to   *[]string
	}{{"code", opts.Code, &g.code}, {"docs", opts.Docs, &g.docs}, {"ignore", opts.Ignore, &g.ignore}} {
		for _, pattern := range list.from {
			clean, e := cleanGlob(pattern)
			if e != nil && err == nil {
				err = fmt.Errorf("paths.%s: pattern %q: %w", list.key, pattern, e)
			}
			*list.to = append(*list.to, clean)
		}
	}
	return g, hint.Wrap(err, `patterns are relative to the root of the tree, such as "src/**/*.go"`)
}

// cleanGlob checks a pattern. It may begin with "./" and end with "/".
func cleanGlob(pattern string) (string, error) {
	clean := strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	switch {
	case clean == "":
		return "", errors.New("is empty")
	case path.IsAbs(clean):
		return "", errors.New("is absolute")
	case slices.Contains(strings.Split(clean, "/"), ".."):
		return "", errors.New("leaves the root")
	case !doublestar.ValidatePattern(clean):
		return "", errors.New("is not a valid glob")
	case alternatives(clean) > maxAlternatives:
		return "", errors.New("has too many alternatives")
	}
	return clean, nil
}

// alternatives is an upper bound of the patterns without braces that the pattern stands for.
func alternatives(pattern string) int {
	total := 1
	for group := range strings.SplitSeq(pattern, "{") {
		total = min(total*(1+strings.Count(group, ",")), maxAlternatives+1)
	}
	return total
}

func anyMatch(patterns []string, path string) bool {
	for _, p := range patterns {
		if doublestar.MatchUnvalidated(p, path) {
			return true
		}
	}
	return false
}

// ignores reports whether a file or folder is ignored; a folder with all that is in it.
func (g *globs) ignores(path string) bool { return anyMatch(g.ignore, path) }

// wants reports whether a file that is not ignored belongs to the tree: if it matches one of the
// lists, or if that for its class is empty.
func (g *globs) wants(path string) bool {
	if len(g.code) == 0 && len(g.docs) == 0 || anyMatch(g.code, path) || anyMatch(g.docs, path) {
		return true
	}
	if language.Detect(path, nil).Class == language.Document {
		return len(g.docs) == 0
	}
	return len(g.code) == 0
}
