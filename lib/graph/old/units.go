package graph

import (
	"slices"
	"strings"

	"cortex/lib/record"
)

// pascalRules are those of Pascal: a file is a unit, which knows what the interfaces of the units that it uses declare.
func pascalRules() Rules {
	return Rules{
		Languages:    []string{"pascal"},
		Prepare:      func(_ *Tree, files []*File) any { return unitsOf(files, "pascal") },
		Import:       importUnit,
		ImplicitThis: true,
		Constructors: []string{"Create"},
		Builtin: func(name string, _ bool) bool {
			return slices.Contains([]string{"assigned", "break", "chr", "continue", "copy", "create", "dec", "destroy", "dispose", "exclude", "exit", "format", "free",
				"high", "inc", "include", "length", "low", "new", "ord", "pos", "raise", "read", "readln", "setlength", "sizeof", "trunc", "write", "writeln"}, strings.ToLower(name))
		},
	}
}

// fortranRules are those of Fortran: modules are known by their names, of which one file may hold several.
func fortranRules() Rules {
	return Rules{
		Languages: []string{"fortran"},
		Prepare:   func(_ *Tree, files []*File) any { return unitsOf(files, "fortran") },
		Import:    importUnit,
	}
}

// units are the modules of a tree by their names in lower case, which are the same in any case.
type units map[string][]*Declaration

func unitsOf(files []*File, language string) units {
	u := units{}
	for _, f := range files {
		if f.Language != language {
			continue
		}
		for i := range f.symbols {
			if s := &f.symbols[i]; record.Kinds[s.kind] == record.Module && s.parent == 0 {
				d := f.declaration(s)
				u[strings.ToLower(d.Name)] = append(u[strings.ToLower(d.Name)], d)
			}
		}
	}
	return u
}

// importUnit is what a use of a module, or of a name of it, means; of several modules of the name the nearest.
func importUnit(t *Tree, f *File, ref *record.Reference) []Import {
	var best *Declaration
	most := -1
	for _, d := range t.Prepared(f).(units)[strings.ToLower(ref.Module)] {
		if n := sharedFolders(f.Path, d.File.Path); n > most && d.File != f {
			best, most = d, n
		}
	}
	local := ref.Module
	switch {
	case ref.Alias != "":
		local = ref.Alias
	case ref.Name != "":
		local = ref.Name
	}
	switch {
	case best == nil:
		return []Import{{Local: local, External: ref.Module, Name: ref.Name}}
	case ref.Name != "":
		return []Import{{Local: local, Files: []*File{best.File}, Name: best.Qualified + "." + ref.Name}}
	}
	return []Import{{Local: local, All: true, Files: []*File{best.File}, Name: best.Qualified}}
}
