package source

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"cortex/lib/derived"
	"cortex/lib/glob"
	"cortex/lib/hint"
	"cortex/lib/language"
	"cortex/lib/shorten"
)

// globs are the parsed patterns of Options. A set is nil if it has no patterns.
type globs struct {
	code, docs, ignore *glob.Set
	// own are the folders of Cortex in the tree, by path.
	own map[string]bool
}

func newGlobs(opts Options) (globs, error) {
	var g globs
	for _, list := range []struct {
		key  string
		from []string
		to   **glob.Set
	}{{"code", opts.Code, &g.code}, {"docs", opts.Docs, &g.docs}, {"ignore", opts.Ignore, &g.ignore}} {
		var patterns []glob.Pattern
		for _, text := range list.from {
			p, err := parseGlob(text)
			if err != nil {
				return g, hint.Wrap(fmt.Errorf("paths.%s: pattern %s: %w", list.key, quoted(text), err),
					`patterns are relative to the root of the tree, such as "src/**/*.go"`)
			}
			patterns = append(patterns, p)
		}
		var err error
		if *list.to, err = glob.NewSet(patterns...); err != nil {
			return g, hint.Wrap(fmt.Errorf("paths.%s: the patterns %w", list.key, err), "name folders, such as src/**, instead of many files")
		}
	}
	g.own = ownFolders(opts)
	return g, nil
}

// ownFolders returns the paths in the tree of the store and of the cache folder. Files that a run writes there must not
// be files of the tree, or a watch would never rest.
func ownFolders(opts Options) map[string]bool {
	home, _ := derived.Home() // without a cache folder there is nothing to leave out
	own := map[string]bool{}
	for _, folder := range []string{opts.Store, home} {
		if folder == "" {
			continue
		}
		if path, err := filepath.Rel(real(opts.Root), real(folder)); err == nil && path != "." && filepath.IsLocal(path) {
			own[filepath.ToSlash(path)] = true
		}
	}
	return own
}

// real returns the absolute path without links, as far as it exists.
func real(path string) string {
	path, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for at := path; ; at = filepath.Dir(at) {
		if found, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(found, rest)
		}
		if at == filepath.Dir(at) {
			return path
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// quoted returns the beginning of a pattern in quotes.
func quoted(text string) string { return fmt.Sprintf("%q", shorten.End(text, 200)) }

// parseGlob checks and parses a pattern. It may begin with "./" and end with "/".
func parseGlob(pattern string) (glob.Pattern, error) {
	clean := strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	switch {
	case clean == "":
		return glob.Pattern{}, errors.New("is empty")
	case path.IsAbs(clean):
		return glob.Pattern{}, errors.New("is absolute")
	case slices.Contains(strings.Split(clean, "/"), ".."):
		return glob.Pattern{}, errors.New("leaves the root")
	}
	return glob.Parse(clean)
}

// ignores reports whether a file or folder is ignored. An ignored folder is ignored with all its content.
func (g *globs) ignores(path string) bool { return g.own[path] || g.ignore.Match(path) }

// wants reports whether a file that is not ignored belongs to the tree: it matches one of the lists, or the list for
// its class is empty.
func (g *globs) wants(path string) bool {
	if g.code == nil && g.docs == nil || g.code.Match(path) || g.docs.Match(path) {
		return true
	}
	if language.Detect(path, nil).Class == language.Document {
		return g.docs == nil
	}
	return g.code == nil
}
