package request

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cortex/lib/terminal"
)

// A Standpoint says what the paths of a request mean, to which an index knows only those from the root of its tree.
type Standpoint struct {
	// Dir is the folder from which relative paths start: the current one of a shell, the root for an assistant. Root is the indexed folder. Both are as their
	// user calls them.
	Dir, Root string
	// Elsewhere tells that the tree may be on another machine, whose folders are not known here.
	Elsewhere bool
}

// Outside is the error of a path that is not in the indexed folder.
type Outside struct{ Path, Root string }

func (o *Outside) Error() string {
	return fmt.Sprintf("%q is outside of the indexed folder %s", o.Path, o.Root)
}

// View is the standpoint with links resolved, since .. means the same to a program that opens a path; the zero View if a folder is missing.
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

// Pattern turns a path option into a pattern from the root of the tree, as answer.Filter.Path takes it. "." and what begins with ./ or ../ starts from Dir.
// What begins with / is a path on this machine if that exists, unless the tree has a folder of that name in its root. The error is an *Outside.
func (s Standpoint) Pattern(pattern string) (string, error) {
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
	// This matches the file itself too, and nothing of that name elsewhere.
	return below + "/**", nil
}

// Path turns the path of a file or folder into the one from the root of the tree. A relative path that does not exist stays as it is: the index may have it all the same. The
// error is an *Outside for an absolute path.
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

// Place is Path for a file and a line, PATH:LINE.
func (s Standpoint) Place(typed string) (string, error) {
	colon := strings.LastIndexByte(typed, ':')
	if colon < 0 {
		return typed, nil
	}
	file, err := s.Path(typed[:colon])
	return file + typed[colon:], err
}

// Target turns the file or folder in a target of the graph into the one from the root of the tree: alone, or before a line, a name (PATH:NAME) or an
// identifier (PATH#NAME). A name alone stays as it is.
func (s Standpoint) Target(typed string) (string, error) {
	if file, name, ok := strings.Cut(typed, "#"); ok && filepath.IsAbs(file) {
		file, err := s.Path(file)
		return file + "#" + name, err
	}
	switch {
	case strings.Contains(typed, ":"):
		return s.Place(typed)
	case strings.ContainsAny(typed, "./"):
		return s.Path(typed)
	}
	return typed, nil
}

// mayBeBelow reports whether an absolute path that is not in the indexed folder may be meant from the root of the tree. existing is the part of it that is on this machine.
func (s Standpoint) mayBeBelow(view terminal.View, first, existing string) bool {
	return s.Elsewhere || existing == "/" || fileExists(filepath.Join(view.Root, first))
}

// firstName is the name with which a path begins.
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

// existingPart is the longest beginning of the full path that exists, and the pattern behind it. Names that exist are no patterns: a folder may be called [id].
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

// placeIn is the path of a file or folder from the root in which it is. A link is in the root if it lies there or leads there.
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

// escapePattern is the pattern that matches the path alone.
func escapePattern(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(name)
}

func fileExists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
