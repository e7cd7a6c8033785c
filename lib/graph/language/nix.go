package language

import (
	"path"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// nixRules returns the rules of Nix: a file is an expression that others import by its path; a folder means its
// default.nix.
func nixRules() Rules {
	return Rules{
		Languages: []string{"nix"},
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			if !strings.HasPrefix(ref.Module, ".") {
				return []Import{{Local: ref.Alias, External: strings.Trim(ref.Module, "<>")}}
			}
			name := path.Join(path.Dir(f.Path), ref.Module)
			for _, name := range []string{name, path.Join(name, "default.nix")} {
				if file := t.File(name); file != nil {
					return []Import{{Local: ref.Alias, Files: []*facts.File{file}}}
				}
			}
			return nil
		},
		Builtin: func(name string, member bool) bool { return !member && nixBuiltins[name] },
	}
}

var nixBuiltins = wordSet(`abort baseNameOf builtins derivation derivationStrict dirOf fetchGit fetchMercurial fetchTarball fetchTree fromTOML import isNull
	map placeholder removeAttrs scopedImport throw toString`)
