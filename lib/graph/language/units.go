package language

import (
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// pascalRules returns the rules of Pascal: a file is a unit, which sees the declarations in the interfaces of units it
// uses.
func pascalRules() Rules {
	return Rules{
		Languages:    []string{"pascal"},
		Prepare:      func(_ *facts.Tree, files []*facts.File) any { return unitsOf(files, "pascal") },
		Import:       importUnit,
		ImplicitThis: true,
		Constructors: []string{"Create"},
		Builtin: func(name string, _ bool) bool {
			return slices.Contains([]string{"assigned", "break", "chr", "continue", "copy", "create", "dec", "destroy", "dispose", "exclude", "exit", "format", "free",
				"high", "inc", "include", "length", "low", "new", "ord", "pos", "raise", "read", "readln", "setlength", "sizeof", "trunc", "write", "writeln"}, strings.ToLower(name))
		},
	}
}

// fortranRules returns the rules of Fortran: modules are found by name, and a file may have several.
func fortranRules() Rules {
	return Rules{
		Languages: []string{"fortran"},
		Prepare:   func(_ *facts.Tree, files []*facts.File) any { return unitsOf(files, "fortran") },
		Import:    importUnit,
	}
}

// units has the modules of a tree by their names in lower case, since both languages ignore case.
type units map[string][]*facts.Declaration

func unitsOf(files []*facts.File, language string) units {
	u := units{}
	for _, f := range files {
		if f.Language != language {
			continue
		}
		for i := range f.Symbols {
			if s := &f.Symbols[i]; record.Kinds[s.Kind] == record.Module && s.Parent == 0 {
				d := f.DeclarationOf(s)
				u[strings.ToLower(d.Name)] = append(u[strings.ToLower(d.Name)], d)
			}
		}
	}
	return u
}

// importUnit returns the meaning of a use of a module, or of a name in it. Of several modules of the name, the nearest
// counts.
func importUnit(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	var best *facts.Declaration
	most := -1
	for _, d := range t.Prepared(f).(units)[strings.ToLower(ref.Module)] {
		if n := facts.SharedFolders(f.Path, d.File.Path); n > most && d.File != f {
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
		return []Import{{Local: local, Files: []*facts.File{best.File}, Name: best.Qualified + "." + ref.Name}}
	}
	return []Import{{Local: local, All: true, Files: []*facts.File{best.File}, Name: best.Qualified}}
}
