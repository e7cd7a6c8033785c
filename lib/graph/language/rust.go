package language

import (
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// rustRules returns the rules of Rust: a file is a module, which its path defines.
func rustRules() Rules {
	return Rules{
		Languages: []string{"rust"},
		Prepare:   func(_ *facts.Tree, files []*facts.File) any { return newRustTree(files) },
		Import:    useTree,
		Absolute:  rustPath,
		Submodule: rustSubmodule,
		Tops:      map[string][]string{"rust": {}},
		Outer:     "crate.super",
		Builtin:   isBuiltinRust,
		Passes:    passRust,
		Scattered: true,
		Enclosed:  true,
		Forwards:  []string{"deref"},
		Target:    "Target",
		Hiding:    hidingRust,
		Pointers:  pointersRust,
		Markers:   []string{"std.ops.Deref", "std.ops.DerefMut", "core.ops.Deref", "core.ops.DerefMut"},
	}
}

// A rustTree has what the rules need to know of a tree.
type rustTree struct {
	crates crates
	// namesakes has the items that a file imports from modules of the same name, as in "mod x; use x::x;", by file
	// number.
	namesakes map[int32]map[facts.Name]bool
	// foreign has the crates outside of the tree that its files use.
	foreign map[string]bool
}

func newRustTree(files []*facts.File) *rustTree {
	t := &rustTree{cratesOf(files), namesakesOf(files), map[string]bool{}}
	for _, crate := range standardCrates {
		t.foreign[crate] = true
	}
	own := map[string]bool{"crate": true, "$crate": true, "self": true, "super": true, "": true}
	for _, f := range files {
		if f.Language != "rust" {
			continue
		}
		own[strings.TrimSuffix(path.Base(f.Path), ".rs")] = true
		own[path.Base(path.Dir(f.Path))] = true
		for i := range f.Symbols {
			if s := &f.Symbols[i]; s.Parent == 0 {
				own[f.Names.Of(s.Name)] = true
			}
		}
	}
	for _, f := range files {
		for i := range f.References {
			ref := &f.References[i]
			if f.Language != "rust" || record.Relations[ref.Relation] != record.Imports {
				continue
			}
			module := f.Names.Of(ref.Module)
			first := module[:strings.IndexAny(module+":", ":.")]
			if !own[first] && t.crates[first] == nil {
				t.foreign[first] = true
			}
		}
	}
	return t
}

func namesakesOf(files []*facts.File) map[int32]map[facts.Name]bool {
	all := map[int32]map[facts.Name]bool{}
	for _, f := range files {
		for i := range f.References {
			ref := &f.References[i]
			if f.Language != "rust" || ref.Name == 0 || record.Relations[ref.Relation] != record.Imports {
				continue
			}
			module := f.Names.Of(ref.Module)
			if n := strings.LastIndexAny(module, ":."); module[n+1:] == f.Names.Of(ref.Name) {
				if all[f.Number] == nil {
					all[f.Number] = map[facts.Name]bool{}
				}
				all[f.Number][ref.Name] = true
			}
		}
	}
	return all
}

// takesNamesake reports whether the file imports an item from a module of the same name.
func takesNamesake(t *facts.Tree, f *facts.File, name string) bool {
	n, known := f.Names.Find(name)
	return known && t.Prepared(f).(*rustTree).namesakes[f.Number][n]
}

// crates has the root file of each library crate of a tree, by the name that other crates use.
type crates map[string]*facts.File

// cratesOf takes the names of crates from manifests, or else from the folder around src.
func cratesOf(files []*facts.File) crates {
	byPath := make(map[string]*facts.File, len(files))
	for _, f := range files {
		byPath[f.Path] = f
	}
	c := crates{}
	for _, f := range files {
		if path.Base(f.Path) != "Cargo.toml" {
			continue
		}
		for _, m := range f.Mappings {
			for _, root := range []string{m.Path, path.Join(m.Path, "src/lib.rs"), path.Join(m.Path, "lib.rs")} {
				if lib := byPath[root]; lib != nil && lib.Language == "rust" {
					c.add(m.Module, lib)
					break
				}
			}
		}
	}
	for _, f := range files {
		if f.Language == "rust" && strings.HasSuffix(f.Path, "/src/lib.rs") {
			c.add(path.Base(path.Dir(path.Dir(f.Path))), f)
		}
	}
	return c
}

func (c crates) add(name string, root *facts.File) {
	name = strings.ReplaceAll(name, "-", "_")
	if c[name] == nil {
		c[name] = root
	}
}

// Names of files that are the module of their folder, not a module in it.
const (
	rustLibrary = "lib.rs"
	rustProgram = "main.rs"
	rustModule  = "mod.rs"
)

// isCrateRoot reports whether Cargo takes the file as the root of a crate, by its path.
func isCrateRoot(p string) bool {
	switch base := path.Base(p); base {
	case rustLibrary, rustProgram, "build.rs":
		return true
	case rustModule:
		return false
	}
	switch dir := path.Dir(p); path.Base(dir) {
	case "tests", "examples", "benches", "fuzz_targets":
		return !strings.Contains("/"+dir, "/src/")
	case "bin":
		return path.Base(path.Dir(dir)) == "src"
	}
	return false
}

// moduleFolder returns the folder of the modules that the file declares.
func moduleFolder(p string) string {
	dir, base := path.Split(p)
	if isCrateRoot(p) || base == rustModule {
		return path.Clean(dir)
	}
	return path.Join(dir, strings.TrimSuffix(base, ".rs"))
}

func rustSubmodule(t *facts.Tree, f *facts.File, name string) *facts.File {
	dir := moduleFolder(f.Path)
	for _, p := range []string{path.Join(dir, name+".rs"), path.Join(dir, name, rustModule)} {
		if child := t.File(p); child != nil && child != f {
			return child
		}
	}
	return nil
}

// parentModule returns the file that declares the module f, nil if f is the root of a crate.
func parentModule(t *facts.Tree, f *facts.File) *facts.File {
	if isCrateRoot(f.Path) {
		return nil
	}
	dir := path.Dir(f.Path)
	if path.Base(f.Path) == rustModule {
		dir = path.Dir(dir)
	}
	for _, p := range []string{path.Join(dir, rustModule), path.Join(dir, rustLibrary), path.Join(dir, rustProgram), dir + ".rs"} {
		if parent := t.File(p); parent != nil && parent != f {
			return parent
		}
	}
	return nil
}

// maxModules bounds the nesting of modules.
const maxModules = 64

func crateRoot(t *facts.Tree, f *facts.File) *facts.File {
	for range maxModules {
		parent := parentModule(t, f)
		if parent == nil {
			break
		}
		f = parent
	}
	return f
}

// rustParts splits a path of modules at "::" and ".".
func rustParts(s string) []string {
	return strings.FieldsFunc(s, func(c rune) bool { return c == ':' || c == '.' })
}

// useTree returns the meaning of one name of a use or mod declaration.
func useTree(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	parts := rustParts(ref.Module)
	if ref.Name == "" && ref.Alias == "" && len(parts) == 1 && takesNamesake(t, f, parts[0]) {
		return nil // mod x; use x::x;
	}
	all := ref.Name == "*"
	if ref.Name != "" && !all && ref.Name != "self" {
		parts = append(parts, rustParts(ref.Name)...)
	}
	if len(parts) == 0 {
		return nil
	}
	local := ref.Alias
	if local == "" && !all {
		local = parts[len(parts)-1]
	}
	var out []Import
	for _, from := range useBases(t, f, ref, parts) {
		file, n := descend(t, from.at, from.rest)
		if n > 0 && n == len(from.rest) && !all && ref.Name != "self" {
			// If the parent re-exports an item that has the name of its module, the item comes before the module.
			if last := from.rest[n-1]; file.Find(last) != nil {
				if parent, _ := descend(t, from.at, from.rest[:n-1]); takesNamesake(t, parent, last) {
					out = append(out, Import{Local: local, Files: []*facts.File{file}, Name: last})
				}
			}
		}
		out = append(out, Import{Local: local, All: all, Files: []*facts.File{file}, Name: strings.Join(from.rest[n:], ".")})
	}
	if out == nil {
		return []Import{{Local: local, All: all, External: parts[0], Name: strings.Join(parts[1:], ".")}}
	}
	return out
}

// standardCrates come with the compiler; folders of the tree with these names do not hide them.
var standardCrates = []string{"alloc", "core", "proc_macro", "std", "test"}

// A useBase is a module at which a path begins, and the rest of the path.
type useBase struct {
	at   *facts.File
	rest []string
}

// useBases returns the modules at which the path of an import may begin, the likeliest first; nil if it is outside of
// the tree.
func useBases(t *facts.Tree, f *facts.File, ref *record.Reference, parts []string) []useBase {
	rest := parts[1:]
	switch parts[0] {
	case "crate", "$crate":
		if len(rest) > 0 && (rest[0] == "super" || rest[0] == "self") {
			return useBases(t, f, ref, rest) // paths in expressions may begin so
		}
		return []useBase{{crateRoot(t, f), rest}}
	case "self", "this":
		return []useBase{{f, rest}}
	case "super":
		at, inside := f, ref.Symbol != ""
		for {
			if inside {
				inside = false // the module stands in the file
			} else if parent := parentModule(t, at); parent != nil {
				at = parent
			}
			if len(rest) == 0 || rest[0] != "super" {
				break
			}
			rest = rest[1:]
		}
		return []useBase{{at, rest}, {f, rest}}
	}
	if slices.Contains(standardCrates, parts[0]) {
		return nil
	}
	if child := rustSubmodule(t, f, parts[0]); child != nil {
		return []useBase{{child, rest}}
	}
	if d := f.Declaration(parts[0]); d != nil && len(parts) > 1 {
		return []useBase{{f, parts}}
	}
	if root := t.Prepared(f).(*rustTree).crates[parts[0]]; root != nil {
		return []useBase{{root, rest}}
	}
	return nil
}

// descend follows a path through modules that are files. It returns the last file and the number of parts followed.
func descend(t *facts.Tree, f *facts.File, parts []string) (*facts.File, int) {
	for i, part := range parts {
		child := rustSubmodule(t, f, part)
		if child == nil {
			return f, i
		}
		f = child
	}
	return f, len(parts)
}

// rustPath returns the meaning of the beginning of a path in an expression.
func rustPath(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
	if t.Prepared(f).(*rustTree).foreign[parts[0]] {
		return Import{External: parts[0]}, 1
	}
	if len(parts) < 2 && parts[0] != "crate" && t.Prepared(f).(*rustTree).crates[parts[0]] == nil {
		return Import{}, 0
	}
	var found Import
	taken := 0
	for _, from := range useBases(t, f, &record.Reference{}, parts) {
		file, n := descend(t, from.at, from.rest)
		n += len(parts) - len(from.rest)
		if n < len(parts) && file.Find(parts[n]) != nil {
			return Import{Files: []*facts.File{file}}, n
		}
		if taken == 0 {
			found, taken = Import{Files: []*facts.File{file}}, n
		}
	}
	return found, taken
}

// builtinRust has names that every module knows, builtinMembersRust methods of the standard library that too seldom
// mean a method of the tree.
var (
	builtinRust = strings.Fields(`Box Err None Ok Option Result Self Some String Vec assert assert_eq assert_ne cfg column compile_error concat dbg
		debug_assert debug_assert_eq debug_assert_ne drop env eprint eprintln file format format_args include include_bytes include_str
		line matches module_path option_env panic print println stringify thread_local todo unimplemented unreachable vec write
		writeln`)
	builtinMembersRust = strings.Fields(`all and and_then any as_bytes as_deref as_mut as_ptr as_ref as_slice as_str await borrow borrow_mut bytes chain
		chars clear clone cloned cmp collect contains contains_key copied count default deref display drain drop ends_with entry enumerate eq err expect
		expect_err extend extend_from_slice filter filter_map find find_map first flat_map flatten flush fmt fold for_each from get get_mut get_ref
		get_or_insert_with hash insert into into_iter into_owned is_empty is_err is_none is_ok is_some iter iter_mut join keys last len lines lock map map_err map_or map_or_else
		max min ne next nth ok ok_or ok_or_else or or_default or_else or_insert or_insert_with parse partial_cmp peek peekable pop position push push_str read
		recv remove repeat replace resize retain rev send set skip sort sort_by sort_by_key sort_unstable split split_at spawn starts_with store
		sum swap take to_lowercase to_owned to_path_buf to_string to_vec trim truncate try_from try_into unwrap unwrap_err unwrap_or unwrap_or_default
		unwrap_or_else values windows with_capacity write write_all zip`)
)

func isBuiltinRust(name string, member bool) bool {
	list := builtinRust
	if member {
		list = builtinMembersRust
	}
	return slices.Contains(list, name)
}

// pointersRust lists pointers and cells of the standard library by their full names, for code that imports them under
// other names; cortex-parse itself replaces them under their own names.
var pointersRust = strings.Fields(`alloc.boxed.Box alloc.rc.Rc alloc.sync.Arc core.cell.RefCell core.option.Option core.pin.Pin core.result.Result
	std.boxed.Box std.cell.RefCell std.option.Option std.pin.Pin std.rc.Rc std.result.Result std.sync.Arc std.sync.Mutex std.sync.RwLock`)

// hidingRust has methods of Option and Result.
var hidingRust = strings.Fields("and and_then err expect filter is_err is_none is_ok is_some map map_err map_or map_or_else ok ok_or ok_or_else or or_else unwrap unwrap_or unwrap_or_else")

// Methods of the standard library and of popular crates that return the receiver, or an element of it.
var (
	sameRust = strings.Fields(`as_deref as_deref_mut as_mut as_ref as_slice await borrow borrow_mut by_ref chain clone cloned context copied cycle
		deref deref_mut expect filter get_or_insert_with get_ref insert inspect into_inner into_iter into_owned iter iter_mut load lock map_err ok ok_or ok_or_else or or_else read rev skip
		skip_while step_by take take_while to_owned to_vec unwrap unwrap_or unwrap_or_default unwrap_or_else upgrade values values_mut with_context write`)
	elementRust = strings.Fields(`find first first_mut get get_mut last last_mut max_by max_by_key min_by min_by_key next next_back nth peek pop pop_back
		pop_front pop_first pop_last remove swap_remove back front`)
)

func passRust(name string) Pass {
	switch {
	case slices.Contains(sameRust, name):
		return PassSame
	case slices.Contains(elementRust, name):
		return PassElement
	}
	return PassNothing
}
