package language

import (
	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// moduleNames has the files that declare a module or type, by its qualified name.
type moduleNames map[string][]*facts.File

func newModuleNames(files []*facts.File, language string) moduleNames {
	n := moduleNames{}
	for _, f := range files {
		if f.Language != language {
			continue
		}
		for d := range f.Declarations() {
			if d.Kind == record.Module || d.Kind.IsType() {
				n[d.Qualified] = append(n[d.Qualified], f)
			}
		}
	}
	return n
}

// nearestFirst returns the files, with the one that shares most folders with f moved to the front.
func nearestFirst(files []*facts.File, f *facts.File) []*facts.File {
	best := 0
	for i := range files {
		if facts.SharedFolders(files[i].Path, f.Path) > facts.SharedFolders(files[best].Path, f.Path) {
			best = i
		}
	}
	if best == 0 {
		return files
	}
	return append([]*facts.File{files[best]}, files...)
}
