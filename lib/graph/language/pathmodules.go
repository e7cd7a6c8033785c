package language

import (
	"cmp"
	"path"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// This file has the rules of languages whose files name each other by their paths.

// luaRules returns the rules of Lua. A module is a file, named with dots from the root or from some folder. It exports
// the table that has most of its functions.
func luaRules() Rules {
	return Rules{
		Languages: []string{"lua"},
		Prepare:   func(_ *facts.Tree, files []*facts.File) any { return newFileNames(files, "lua") },
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			known := t.Prepared(f).(fileNames)
			name := strings.ReplaceAll(ref.Module, ".", "/")
			file := known.find(f, name+".lua")
			if file == nil {
				file = known.find(f, name+"/init.lua")
			}
			if file == nil {
				return []Import{{Local: ref.Alias, External: ref.Module}}
			}
			if table := luaTable(file); table != "" {
				return []Import{{Local: ref.Alias, Files: []*facts.File{file}, Name: table}, {Local: ref.Alias, Files: []*facts.File{file}}}
			}
			return []Import{{Local: ref.Alias, Files: []*facts.File{file}}}
		},
		Unexported: ReachFile,
		Builtin: func(name string, member bool) bool {
			if member {
				return luaMethods[name]
			}
			return luaBuiltins[name]
		},
	}
}

// luaTable returns the table that has most of the functions of a file, the first of several.
func luaTable(f *facts.File) string {
	counts := map[string]int{}
	best := ""
	for d := range f.Declarations() {
		table, _, ok := strings.Cut(d.Qualified, ".")
		if !ok {
			continue
		}
		if counts[table]++; best == "" || counts[table] > counts[best] {
			best = table
		}
	}
	return best
}

// bashRules returns the rules of shells: a script knows the functions of scripts that it sources.
func bashRules() Rules {
	return Rules{
		Languages: []string{"bash"},
		Prepare:   func(_ *facts.Tree, files []*facts.File) any { return newFileNames(files, "bash") },
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			// Values of variables are unknown: take the path behind the last one.
			name := strings.Trim(ref.Module, `"'`)
			if i := strings.LastIndexAny(name, "$})`"); i >= 0 {
				_, name, _ = strings.Cut(name[i:], "/")
			}
			if name = strings.TrimLeft(name, "./"); name == "" {
				return nil
			}
			for _, ending := range []string{"", ".bash", ".sh"} {
				if file := t.Prepared(f).(fileNames).find(f, name+ending); file != nil {
					return []Import{{All: true, Files: []*facts.File{file}}}
				}
			}
			return nil
		},
		Builtin: func(name string, _ bool) bool { return bashBuiltins[name] },
	}
}

// zigRules returns the rules of Zig: a file is a struct that others import by its path.
func zigRules() Rules {
	return Rules{
		Languages: []string{"zig"},
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			if file := t.File(path.Join(path.Dir(f.Path), ref.Module)); file != nil && strings.HasSuffix(ref.Module, ".zig") {
				return []Import{{Local: ref.Alias, Files: []*facts.File{file}, Name: ref.Name}}
			}
			return []Import{{Local: ref.Alias, External: ref.Module, Name: ref.Name}}
		},
		Builtin: func(name string, member bool) bool { return member && zigMethods[name] },
	}
}

// solidityRules returns the rules of Solidity. Imports of packages are found in the folders of the usual package
// managers.
func solidityRules() Rules {
	return Rules{
		Languages:    []string{"solidity"},
		Foreign:      true,
		Prepare:      func(_ *facts.Tree, files []*facts.File) any { return newFileNames(files, "solidity") },
		ImplicitThis: true,
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			var file *facts.File
			if strings.HasPrefix(ref.Module, ".") {
				file = t.File(path.Join(path.Dir(f.Path), ref.Module))
			} else if file = t.File(ref.Module); file == nil {
				// @package/contracts/x.sol
				_, rest, _ := strings.Cut(ref.Module, "/")
				file = t.Prepared(f).(fileNames).find(f, rest)
			}
			i := Import{Local: cmp.Or(ref.Alias, ref.Name), Name: ref.Name, All: ref.Name == ""}
			if file == nil {
				i.External = ref.Module
			} else {
				i.Files = []*facts.File{file}
			}
			return []Import{i}
		},
		Builtin: func(name string, member bool) bool {
			if member {
				return solidityMethods[name]
			}
			return solidityBuiltins[name]
		},
	}
}

// dartRules returns the rules of Dart. A package: URI means a file below lib/ of the package.
func dartRules() Rules {
	return Rules{
		Languages:    []string{"dart"},
		Foreign:      true,
		Prepare:      func(_ *facts.Tree, files []*facts.File) any { return newFileNames(files, "dart") },
		ImplicitThis: true,
		Getters:      true,
		Import: func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
			var file *facts.File
			if name, ok := strings.CutPrefix(ref.Module, "package:"); ok {
				if library, rest, ok := strings.Cut(name, "/"); ok {
					file = t.Prepared(f).(fileNames).library(f, library, "lib/"+rest)
				}
			} else if !strings.Contains(ref.Module, ":") {
				file = t.File(path.Join(path.Dir(f.Path), ref.Module))
			}
			i := Import{Local: ref.Alias, All: ref.Alias == ""}
			if file == nil {
				i.External = ref.Module
			} else {
				i.Files = []*facts.File{file}
			}
			return []Import{i}
		},
		Builtin: func(name string, member bool) bool { return dartBuiltins[name] || member && dartMethods[name] },
	}
}

// library returns a file of a library, which is in a folder with the library's name, or at the root of the tree.
func (n fileNames) library(f *facts.File, library, name string) *facts.File {
	if file := n.find(f, library+"/"+name); file != nil {
		return file
	}
	for _, file := range n[lastParts(name, 2)] {
		if file.Path == name {
			return file
		}
	}
	return nil
}

var (
	luaBuiltins = wordSet(`assert collectgarbage dofile error getfenv getmetatable ipairs load loadfile loadstring module next pairs pcall print
		rawequal rawget rawlen rawset require select setfenv setmetatable tonumber tostring type unpack xpcall describe it before_each after_each setup teardown`)
	luaMethods = wordSet(`byte char find format gmatch gsub len lower match rep reverse sub upper close flush lines read seek setvbuf write insert remove
		concat sort unpack new get set add run start stop error has_error connect delete poll receive send status value ok err`)
	bashBuiltins = wordSet(`alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit
		export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set
		shift shopt source test times trap true type typeset ulimit umask unalias unset wait awk basename cat chmod chown cp curl cut date diff dirname docker
		env find git go grep head install ln ls make mkdir mktemp mv npm python python3 rm sed sleep sort sudo tail tar tee touch tr uname uniq wc which xargs`)
	zigMethods = wordSet(`init deinit append appendSlice print eql alloc free create destroy dupe get put items len next reset write writeAll read
		format toOwnedSlice getOrPut contains remove pop iterator`)
	solidityBuiltins = wordSet(`abi addmod address assert assertEq assertTrue bool bytes bytes32 block blockhash ecrecover gasleft int256 keccak256 mulmod payable require
		revert selfdestruct sha256 string type uint uint256 uint8 this super now`)
	solidityMethods = wordSet(`balance call code delegatecall decode encode encodePacked encodeWithSelector encodeWithSignature length pop push
		selector send staticcall transfer concat`)
	dartBuiltins = wordSet(`assert await catch identical if for print super switch while return throw String int double num bool List Map Set Iterable Future Stream
		Object Function DateTime Duration Exception Error StateError ArgumentError UnimplementedError UnsupportedError Uri RegExp StringBuffer Completer Timer
		dynamic void Null Never test group expect setUp tearDown`)
	dartMethods = wordSet(`add addAll any asMap cast clear contains containsKey elementAt every expand fold followedBy forEach from generate insert
		join lastWhere map putIfAbsent reduce remove removeAt removeWhere replaceAll singleWhere skip split startsWith endsWith sort sublist substring
		take then toList toSet toString trim update where whereType catchError whenComplete listen cancel complete close call firstWhere indexOf toLowerCase
		toUpperCase compareTo of parse tryParse isEmpty isNotEmpty first last length`)
)
