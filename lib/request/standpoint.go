package request

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cortex/lib/search/corpus"
	"cortex/lib/terminal"
)

// A Standpoint translates the paths of a request into paths from the root of the tree, as the index has them.
type Standpoint struct {
	// Dir is the folder from which relative paths start: the working folder of a command, the root for an assistant.
	// Root is the indexed folder. Both are written as the user wrote them.
	Dir, Root string
	// Elsewhere says that the tree may be on another machine, so its folders cannot be checked here.
	Elsewhere bool
}

// Outside is the error for a path outside of the indexed folder.
type Outside struct{ Path, Root string }

func (o *Outside) Error() string {
	return fmt.Sprintf("%q is outside of the indexed folder %s", o.Path, o.Root)
}

// View returns Dir and Root with symbolic links resolved, as a program that opens a path with .. resolves them. It
// returns the zero View if a folder is missing.
func (s Standpoint) View() terminal.View {
	dir, err := physical(s.Dir)
	if err != nil {
		return terminal.View{}
	}
	root, err := physical(s.Root)
	if err != nil {
		return terminal.View{}
	}
	return terminal.View{Dir: dir, Root: root}
}

// Pattern turns the option path into a pattern from the root of the tree, as answer.Filter.Path takes it. A pattern
// that is "." or begins with ./ or ../ starts from Dir. A pattern that begins with / is a path on this machine if that
// path exists, unless the root of the tree has a folder of that name. So does each pattern of a list with commas. The
// error is an *Outside.
func (s Standpoint) Pattern(list string) (string, error) {
	patterns := corpus.SplitPaths(list)
	// Not filepath.Join, which would resolve ".." behind names that do not exist.
	if fileExists(s.Dir+"/"+list) || filepath.IsAbs(list) && fileExists(list) {
		patterns = []string{list} // a name with a comma
	}
	for i, pattern := range patterns {
		below, err := s.onePattern(pattern)
		if err != nil || below == "" {
			return "", err // the whole tree, whatever else is in the list
		}
		patterns[i] = below
	}
	return strings.Join(patterns, ","), nil
}

func (s Standpoint) onePattern(pattern string) (string, error) {
	if folder, ok := strings.CutSuffix(pattern, "/..."); ok && folder != "" {
		pattern = folder // what Go and Bazel call all packages in a folder
	}
	first := firstName(pattern)
	view := s.View()
	full := pattern
	switch {
	case filepath.IsAbs(pattern):
	case first == "." || first == "..":
		full = filepath.Join(view.Dir, pattern)
	default:
		return pattern, nil
	}
	existing, rest := existingPart(full)
	below, inside := placeIn(view.Root, existing)
	switch {
	case !inside && full == pattern && s.mayBeBelow(view, first, existing):
		return pattern, nil
	case !inside:
		return "", &Outside{pattern, s.Root}
	}
	if below = path.Join(escapePattern(filepath.ToSlash(below)), rest); below == "." {
		return "", nil
	}
	// The pattern matches the file itself too, but nothing of the same name elsewhere.
	return below + "/**", nil
}

// Path returns the path of a file or folder relative to the root of the tree. It returns a relative path that does not
// exist unchanged, since the index may still have it. For an absolute path outside of the root, the error is an
// *Outside.
func (s Standpoint) Path(typed string) (string, error) {
	full := typed
	view := s.View()
	absolute := filepath.IsAbs(typed)
	if !absolute {
		full = filepath.Join(view.Dir, typed)
	}
	existing, rest := existingPart(full)
	if rest != "" && !absolute {
		return typed, nil
	}
	if below, inside := placeIn(view.Root, existing); inside {
		return path.Join(filepath.ToSlash(below), rest), nil
	}
	if absolute && !s.mayBeBelow(view, firstName(typed), existing) {
		return "", &Outside{typed, s.Root}
	}
	return typed, nil
}

// Place is Path for a place PATH:LINE or PATH:START-END.
func (s Standpoint) Place(typed string) (string, error) {
	colon := strings.LastIndexByte(typed, ':')
	if colon < 0 {
		return typed, nil
	}
	file, err := s.Path(typed[:colon])
	return file + typed[colon:], err
}

// Target makes the file or folder in a target of the graph relative to the root of the tree. The target is a file or
// folder, a place PATH:LINE, PATH:NAME, or an identifier PATH#NAME. A name alone is returned unchanged.
func (s Standpoint) Target(typed string) (string, error) {
	if file, name, ok := strings.Cut(typed, "#"); ok && filepath.IsAbs(file) {
		file, err := s.Path(file)
		return file + "#" + name, err
	}
	switch {
	case strings.Contains(typed, ":"):
		return s.Place(typed)
	case strings.ContainsAny(typed, "./"):
		file, err := s.Path(typed)
		if err == nil && !strings.HasSuffix(file, "/") && (strings.HasSuffix(typed, "/") || file != typed && s.isFolder(typed)) {
			file += "/" // a symbol may have the name of the folder
		}
		return file, err
	}
	return typed, nil
}

// mayBeBelow reports whether an absolute path outside of the indexed folder may be meant relative to the root of the
// tree. existing is the longest part of the path that exists on this machine.
func (s Standpoint) mayBeBelow(view terminal.View, first, existing string) bool {
	return s.Elsewhere || existing == "/" || fileExists(filepath.Join(view.Root, first))
}

// firstName returns the first name in a path.
func firstName(name string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
	return first
}

func physical(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}

// existingPart splits the absolute path into its longest prefix that exists, and the rest, which is a pattern. An
// existing name is never a pattern: a folder may be called [id].
func existingPart(full string) (existing, rest string) {
	existing = filepath.Clean(full)
	for {
		parent := filepath.Dir(existing)
		if fileExists(existing) || parent == existing {
			return existing, rest
		}
		existing, rest = parent, path.Join(filepath.Base(existing), rest)
	}
}

// placeIn returns the path of a file or folder relative to root. A link is inside if either the link or its target is
// in root.
func placeIn(root, full string) (below string, inside bool) {
	for _, resolve := range []func() (string, error){
		func() (string, error) { return physical(full) },
		func() (string, error) {
			folder, err := physical(filepath.Dir(full))
			return filepath.Join(folder, filepath.Base(full)), err
		},
	} {
		at, err := resolve()
		if err != nil {
			continue
		}
		if below, err = filepath.Rel(root, at); err == nil && filepath.IsLocal(below) {
			return below, true
		}
	}
	return "", false
}

// escapePattern returns a pattern that matches only the path itself.
func escapePattern(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(name)
}

// isFolder reports whether a path leads to a folder on this machine.
func (s Standpoint) isFolder(typed string) bool {
	if !filepath.IsAbs(typed) {
		typed = filepath.Join(s.View().Dir, typed)
	}
	info, err := os.Stat(typed)
	return err == nil && info.IsDir()
}

func fileExists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
