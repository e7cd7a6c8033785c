package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"cortex/lib/hint"
	"cortex/lib/safeopen"
)

// Locations selects the repositories of a server. The zero value selects one: the nearest parent folder with a store.
type Locations struct {
	store   string
	roots   []string
	folders []string
}

// A NamedLocation is a Location with a unique name.
type NamedLocation struct {
	Location
	Name string
}

// Flags adds --root, --roots and --store to fs.
func (p *Locations) Flags(fs *pflag.FlagSet) {
	fs.StringArrayVar(&p.roots, "root", nil, "indexed `FOLDER`; may be repeated (default: the nearest parent with .cortex)")
	fs.StringArrayVar(&p.folders, "roots", nil, "serve all repositories in `FOLDER`: its subfolders with .git or .cortex")
	fs.StringVar(&p.store, "store", "", "search the store in `DIR` (default: $"+StoreVariable+", otherwise .cortex in the root)")
}

// AreNamed reports whether the user has named a root, a folder or the store by a flag.
func (p *Locations) AreNamed() bool { return p.store != "" || len(p.roots) > 0 || len(p.folders) > 0 }

// All returns the locations, at least one. Their names are the last parts of the folders' paths, as many as make them
// unique.
func (p *Locations) All() ([]NamedLocation, error) {
	if len(p.folders) == 0 && len(p.roots) < 2 {
		one := NamedLocation{Location: Location{store: p.store}}
		if len(p.roots) == 1 {
			one.root = p.roots[0]
		}
		return []NamedLocation{one}, nil
	}
	if p.store != "" {
		return nil, hint.Wrap(errors.New("--store names the store of one repository"), "leave it out: each repository has its own")
	}
	var roots []string
	seen := map[string]bool{}
	add := func(root string) error {
		full, err := filepath.Abs(root)
		if err != nil {
			return err
		}
		real := full
		if r, err := filepath.EvalSymlinks(full); err == nil {
			real = r
		}
		if !seen[real] {
			seen[real] = true
			roots = append(roots, full)
		}
		return nil
	}
	for _, root := range p.roots {
		if err := add(root); err != nil {
			return nil, err
		}
	}
	for _, folder := range p.folders {
		found, err := repositoriesIn(folder)
		if err != nil {
			return nil, err
		}
		for _, root := range found {
			if err := add(root); err != nil {
				return nil, err
			}
		}
	}
	var all []NamedLocation
	for i, name := range distinct(roots) {
		all = append(all, NamedLocation{Location{root: roots[i]}, name})
	}
	return all, nil
}

// repositoriesIn returns the subfolders of dir that are repositories or have an index, or dir itself if it is a
// repository. It skips links.
func repositoriesIn(dir string) ([]string, error) {
	if exists(filepath.Join(dir, ".git")) {
		return []string{dir}, nil
	}
	root, err := safeopen.Open(dir)
	if err != nil {
		return nil, hint.Wrap(fmt.Errorf("--roots: %w", err), "name an existing folder that has repositories")
	}
	defer root.Close()
	entries, err := root.List(".")
	if err != nil {
		return nil, fmt.Errorf("--roots: %w", err)
	}
	var found []string
	for _, entry := range entries {
		at := filepath.Join(dir, entry.Name())
		if entry.IsDir() && (exists(filepath.Join(at, ".git")) || exists(filepath.Join(at, Dir))) {
			found = append(found, at)
		}
	}
	slices.Sort(found)
	if len(found) == 0 {
		return nil, hint.Wrap(fmt.Errorf("--roots %s: no repository is in it", dir), "name one with --root, or a folder whose folders have .git or .cortex")
	}
	return found, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// distinct returns unique names for the folders: the last parts of their paths.
func distinct(paths []string) []string {
	parts := make([]int, len(paths))
	names := make([]string, len(paths))
	for again := true; again; {
		again = false
		first := map[string]int{}
		for i, path := range paths {
			names[i] = lastParts(path, 1+parts[i])
			if other, ok := first[names[i]]; ok {
				for _, j := range []int{i, other} {
					if lastParts(paths[j], 2+parts[j]) != names[j] {
						parts[j]++
						again = true
					}
				}
				break
			}
			first[names[i]] = i
		}
	}
	return names
}

// lastParts returns the last n parts of an absolute path.
func lastParts(path string, n int) string {
	parts := strings.Split(strings.Trim(filepath.ToSlash(path), "/"), "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}
