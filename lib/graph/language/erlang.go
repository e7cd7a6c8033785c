package language

import (
	"path"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// erlangRules returns the rules of Erlang: a file is a module, which others name before a colon. Declarations of a
// header are visible in the files that include it.
func erlangRules() Rules {
	return Rules{
		Languages: []string{"erlang"},
		Prepare: func(_ *facts.Tree, files []*facts.File) any {
			known := erlangTree{modules: moduleNames{}, files: newFileNames(files, "erlang")}
			for _, f := range files {
				if f.Package != "" {
					known.modules[f.Package] = append(known.modules[f.Package], f)
				}
			}
			return known
		},
		Unexported: ReachFile,
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			known := t.Prepared(f).(erlangTree)
			if strings.HasSuffix(ref.Module, ".hrl") {
				file := t.File(path.Join(path.Dir(f.Path), ref.Module))
				if file == nil {
					// a library, as in "shop/include/shop.hrl", or a folder of the compiler's include path
					file = known.files.find(f, path.Base(ref.Module))
				}
				if file == nil {
					return []Import{{External: ref.Module}}
				}
				return []Import{{All: true, Files: []*facts.File{file}}}
			}
			i := Import{Local: ref.Name, Name: ref.Name, Files: nearestFirst(known.modules[ref.Module], f)}
			if len(i.Files) == 0 {
				i.External = ref.Module
			}
			return []Import{i}
		},
		Absolute: func(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
			if files := t.Prepared(f).(erlangTree).modules[parts[0]]; len(files) > 0 {
				return Import{Files: nearestFirst(files, f)}, 1
			}
			return Import{}, 0
		},
		Builtin: func(name string, member bool) bool { return !member && erlangBuiltins[name] },
	}
}

// An erlangTree has the modules by name and the files by the ends of their paths.
type erlangTree struct {
	modules moduleNames
	files   fileNames
}

var erlangBuiltins = wordSet(`abs apply any arity atom atom_to_binary atom_to_list binary binary_to_atom binary_to_integer binary_to_list binary_to_term
	bit_size bitstring boolean byte byte_size ceil char demonitor element erase error exit float float_to_list floor fun garbage_collect get halt hd
	integer integer_to_binary integer_to_list iodata iolist iolist_size iolist_to_binary is_atom is_binary is_boolean is_float is_function is_integer
	is_list is_map is_map_key is_number is_pid is_port is_process_alive is_record is_reference is_tuple length link list list_to_atom list_to_binary
	list_to_integer list_to_tuple make_ref map map_size max mfa min module monitor neg_integer nil node nodes no_return non_neg_integer nonempty_list
	none number pid pid_to_list pos_integer process_flag process_info put reference register round self send setelement size spawn spawn_link
	spawn_monitor string term term_to_binary throw timeout tl trunc tuple tuple_size tuple_to_list unlink unregister whereis
	FILE FUNCTION_NAME LINE MACHINE MODULE assert assertEqual assertError assertException assertMatch assertNot debugFmt`)
