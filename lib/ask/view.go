package ask

import (
	"fmt"
	"os"
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

// patternFromRoot is what --path says as search.Filter.Path takes it, which goes from the root of the tree: "." and what begins with ./ or ../ goes from the
// folder in which the reader stands.
func patternFromRoot(root, pattern string) (string, error) {
	first, _, _ := strings.Cut(pattern, "/")
	if first != "." && first != ".." {
		return pattern, nil
	}
	view := viewOf(root)
	below, err := filepath.Rel(escapePattern(view.Root), filepath.Join(escapePattern(view.Dir), pattern))
	switch {
	case err != nil || !filepath.IsLocal(below):
		return "", fmt.Errorf("--path %q: from the current folder that is not in %s", pattern, root)
	case below == ".":
		return "", nil
	}
	// This matches the file itself too, and nothing of that name elsewhere.
	return filepath.ToSlash(below) + "/**", nil
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

// fromRoot is the path as seen from the root if there is a file or folder of that path below it. Others are as in the index, perhaps, typed elsewhere.
func fromRoot(root, typed string) string {
	there, err := physical(root)
	if err != nil {
		return typed
	}
	folder, err := physical(filepath.Dir(typed))
	if err != nil {
		return typed
	}
	full := filepath.Join(folder, filepath.Base(typed))
	if base := filepath.Base(typed); base == "." || base == ".." {
		if full, err = physical(typed); err != nil {
			return typed
		}
	}
	rel, err := filepath.Rel(there, full)
	if err != nil || !filepath.IsLocal(rel) {
		return typed
	}
	if _, err := os.Lstat(full); err != nil {
		return typed
	}
	return filepath.ToSlash(rel)
}
