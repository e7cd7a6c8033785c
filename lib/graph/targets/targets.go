// Package targets says which files of Swift are one module: Of takes the paths of files and the names that they import, and
// returns the folders of modules. Package language gives each file of Swift its module by them.
package targets

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// folderOf returns the folder of the target to which a file belongs if each folder in Sources and Tests is a target; "."
// if it belongs to none.
func folderOf(p string) string {
	at := 0
	for {
		folder, rest, ok := strings.Cut(p[at:], "/")
		if !ok {
			return "."
		}
		at += len(folder) + 1
		if name, _, inside := strings.Cut(rest, "/"); inside && (folder == "Sources" || folder == "Tests") {
			return p[:at+len(name)]
		}
	}
}

// Targets are the modules of a tree.
type Targets struct {
	// folders has the folders of modules by their name, sorted.
	folders map[string][]string
	// whole has the folders Sources that are one target.
	whole map[string]bool
}

// Module returns the folder of the module of a file.
func (m *Targets) Module(p string) string {
	folder := folderOf(p)
	if around := path.Dir(folder); m.whole[around] {
		return around
	}
	return folder
}

// Named returns the folders of the modules that an import of the name means.
func (m *Targets) Named(name string) []string { return m.folders[name] }

// Of returns the modules to which files with these paths belong, if they import the names in imported.
func Of(paths []string, imported map[string]bool) *Targets {
	m := &Targets{map[string][]string{}, map[string]bool{}}
	folders := make([]string, 0, len(paths))
	for _, p := range paths {
		folders = append(folders, folderOf(p))
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	// Of several targets some file imports one, or two by names that begin alike, as AcmeShared and AcmeViews of the folders
	// Shared and Views. If none does, the folders in Sources are parts of one target.
	prefixes := prefixesOf(folders, imported)
	for _, folder := range folders {
		around, name := path.Dir(folder), path.Base(folder)
		prefix, targets := prefixes[around]
		switch {
		case path.Base(around) == "Sources" && !targets:
			m.whole[around] = true
			continue
		case path.Base(around) == "Tests" && m.whole[path.Join(path.Dir(around), "Sources")]:
			// The target in the Sources beside has the name of its tests.
			of, sources := strings.TrimSuffix(name, "Tests"), path.Join(path.Dir(around), "Sources")
			if !slices.Contains(m.folders[of], sources) {
				m.folders[of] = append(m.folders[of], sources)
			}
		}
		m.folders[prefix+name] = append(m.folders[prefix+name], folder)
	}
	return m
}

// prefixesOf returns what stands in front of the names of the folders of targets where files import them, by the folder
// Sources; it has no entry for one with a single target.
func prefixesOf(folders []string, imported map[string]bool) map[string]string {
	around := map[string][]string{} // folders by their last name
	for _, folder := range folders {
		if name := path.Base(folder); path.Base(path.Dir(folder)) == "Sources" && len(around[name]) < maxNamesakes {
			around[name] = append(around[name], path.Dir(folder))
		}
	}
	type prefixed struct{ folder, prefix string }
	counts := map[prefixed]int{}
	for name := range imported {
		for i := range min(len(name), maxPrefix) {
			for _, folder := range around[name[i:]] {
				counts[prefixed{folder, name[:i]}]++
			}
		}
	}
	best := map[string]string{}
	for of, n := range counts {
		before, known := best[of.folder]
		more := cmp.Or(cmp.Compare(n, counts[prefixed{of.folder, before}]), cmp.Compare(before, of.prefix)) > 0
		if of.prefix == "" || n > 1 && (!known || before != "" && more) {
			best[of.folder] = of.prefix
		}
	}
	return best
}

// maxPrefix bounds the length of what stands in front of the name of a target's folder, maxNamesakes the folders of
// one name.
const (
	maxPrefix    = 32
	maxNamesakes = 256
)
