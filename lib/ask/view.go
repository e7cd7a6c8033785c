package ask

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"cortex/lib/terminal"
)

// viewOf says where the reader stands, who calls root by that name. Links are followed, since .. means the same to a program that opens a path.
func viewOf(root string) terminal.View {
	dir, err := physical(".")
	if err != nil {
		return terminal.View{}
	}
	there, err := physical(root)
	if err != nil {
		return terminal.View{}
	}
	return terminal.View{Dir: dir, Root: there}
}

func physical(name string) (string, error) {
	full, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(full)
}

// patternFromRoot is what --path says as search.Filter.Path takes it, which goes from the root of the tree. "." and what begins with ./ or ../ goes from the
// folder in which the reader stands. What begins with / is a path on this machine if that exists, unless the tree has a folder of that name in its root.
func (a *Asker) patternFromRoot(pattern string) (string, error) {
	first, _, _ := strings.Cut(strings.TrimPrefix(pattern, "/"), "/")
	view := viewOf(a.Root)
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
	if !inside && full == pattern {
		if fileExists(filepath.Join(view.Root, first)) || existing == "/" || a.Database != "" {
			return pattern, nil
		}
	}
	if !inside {
		return "", fmt.Errorf("--path %q is outside of the indexed folder %s", pattern, a.Root)
	}
	if below = path.Join(escapePattern(filepath.ToSlash(below)), rest); below == "." {
		return "", nil
	}
	// This matches the file itself too, and nothing of that name elsewhere.
	return below + "/**", nil
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

// placeFromRoot is a file or folder and a line as they were typed, with the path as seen from the root.
func placeFromRoot(root, typed string) string {
	colon := strings.LastIndexByte(typed, ':')
	if colon < 0 {
		return typed
	}
	return fromRoot(root, typed[:colon]) + typed[colon:]
}

func fileExists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// fromRoot is the path as seen from the root if there is a file or folder of that path below it. Others are as in the index, perhaps, typed elsewhere.
func fromRoot(root, typed string) string {
	full := typed
	view := viewOf(root)
	if !filepath.IsAbs(typed) {
		full = filepath.Join(view.Dir, typed)
	}
	if !fileExists(full) {
		return typed
	}
	if below, inside := placeIn(view.Root, full); inside {
		return filepath.ToSlash(below)
	}
	return typed
}
