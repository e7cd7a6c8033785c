package language

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// pythonRules returns the rules of Python. Modules are found as by the import system (Python Language Reference, 5), in
// the folders that sys.path would have for a test runner, a script or an installed package.
func pythonRules() Rules {
	return Rules{
		Languages: []string{"python"},
		Prepare:   func(_ *facts.Tree, files []*facts.File) any { return newPythonPath(files) },
		Import:    importPython,
		Submodule: func(t *facts.Tree, f *facts.File, name string) *facts.File {
			if !isInit(f.Path) {
				return nil
			}
			return findPython(t, path.Dir(f.Path), []string{name})
		},
		Absolute: fixture,
		Getters:  true,
		Untyped:  true,
		Forwards: []string{"__get__", "__getattr__"},
		Markers:  []string{"typing.Generic", "typing.Protocol", "typing_extensions.Generic", "typing_extensions.Protocol", "abc.ABC", "builtins.object"},
		Builtin: func(name string, member bool) bool {
			if member {
				return pythonMethods[name]
			}
			return pythonBuiltins[name]
		},
	}
}

// A pythonPath has the folders in which absolute imports are looked for.
type pythonPath struct {
	// roots has the folders that contain a top-level package, by its name, sorted.
	roots map[string][]string
	// rootOf has, by folder of a package, the folder that contains the top-level package around it.
	rootOf map[string]string
	// folders has the folders with modules somewhere below.
	folders map[string]bool
}

// pythonFolders lists folders that usually contain packages and modules, if they are no packages themselves.
var pythonFolders = []string{".", "src", "lib", "python"}

func newPythonPath(files []*facts.File) *pythonPath {
	p := &pythonPath{roots: map[string][]string{}, rootOf: map[string]string{}, folders: map[string]bool{}}
	packages := map[string]bool{}
	var order []string // packages in the order of files, so that maxFolders always leaves out the same ones
	for _, f := range files {
		if f.Language != "python" {
			continue
		}
		folder := path.Dir(f.Path)
		if isInit(f.Path) && !packages[folder] {
			packages[folder] = true
			order = append(order, folder)
		}
		for above := range record.Folders(f.Path) {
			if p.folders[above] {
				break
			}
			p.folders[above] = true
		}
	}
	for _, folder := range order {
		top := folder
		for above := range record.Folders(folder) {
			if top == "." || !packages[above] {
				break
			}
			top = above
		}
		if top == "." {
			continue // the root of the tree is a package, whose name is unknown
		}
		root, name := path.Split(top)
		root = path.Clean(root)
		p.rootOf[folder] = root
		if len(p.roots[name]) < maxFolders && !slices.Contains(p.roots[name], root) {
			p.roots[name] = append(p.roots[name], root)
		}
	}
	for _, roots := range p.roots {
		slices.Sort(roots)
	}
	return p
}

// fixture finds the name of a fixture of pytest, which is an undeclared name in test code, in the files conftest.py of the
// folder and of those above.
func fixture(t *facts.Tree, f *facts.File, parts []string) (Import, int) {
	if !f.Test {
		return Import{}, 0
	}
	var files []*facts.File
	for folder := range record.Folders(f.Path) {
		if conftest := t.File(path.Join(folder, "conftest.py")); conftest != nil && conftest != f {
			files = append(files, conftest)
		}
	}
	if files == nil {
		return Import{}, 0
	}
	return Import{Files: files, Name: parts[0]}, 1
}

func isInit(name string) bool {
	name = path.Base(name)
	return name == "__init__.py" || name == "__init__.pyi"
}

// findPython returns the module with the names, starting in a folder, or nil. A package comes before a module, a source
// before a stub.
func findPython(t *facts.Tree, folder string, names []string) *facts.File {
	base := path.Join(append([]string{folder}, names...)...)
	for _, ending := range []string{"/__init__.py", ".py", "/__init__.pyi", ".pyi"} {
		if len(names) == 0 && ending[0] == '.' {
			continue
		}
		if f := t.File(path.Clean(base + ending)); f != nil && f.Language == "python" {
			return f
		}
	}
	return nil
}

// absolute returns the folder in which the first of the names is found, for an absolute import in f.
func (p *pythonPath) absolute(t *facts.Tree, f *facts.File, names []string) (folder string, ok bool) {
	own := path.Dir(f.Path)
	root, packaged := p.rootOf[own]
	if !packaged {
		root = own
	}
	search := append([]string{root}, pythonFolders...)
	search = append(search, p.near(own, names[0])...)
	for _, folder := range search {
		if findPython(t, folder, names[:1]) != nil && (folder == root || !p.isPackage(folder)) {
			return folder, true
		}
	}
	// A namespace package has no file of its own.
	for _, folder := range search {
		if p.folders[path.Join(folder, names[0])] && !p.isPackage(folder) && (findPython(t, folder, names) != nil || p.folders[path.Join(append([]string{folder}, names...)...)]) {
			return folder, true
		}
	}
	return "", false
}

func (p *pythonPath) isPackage(folder string) bool {
	_, ok := p.rootOf[folder]
	return ok
}

// asides lists folders whose packages files elsewhere do not import.
var asides = []string{"examples", "example", "samples", "demo", "docs", "doc", "tests", "test", "testing", "fixtures", "testdata"}

// near returns the folders that contain a top-level package of the name, the nearest to folder first.
func (p *pythonPath) near(folder, name string) []string {
	roots := slices.DeleteFunc(slices.Clone(p.roots[name]), func(root string) bool {
		for top := range record.Folders(root + "/") {
			if slices.Contains(asides, path.Base(top)) && folder != top && !strings.HasPrefix(folder, top+"/") {
				return true
			}
		}
		return false
	})
	slices.SortStableFunc(roots, func(a, b string) int {
		return cmp.Or(cmp.Compare(facts.SharedFolders(b+"/", folder+"/"), facts.SharedFolders(a+"/", folder+"/")), cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")))
	})
	return roots
}

func importPython(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	module := strings.TrimLeft(ref.Module, ".")
	var names []string
	if module != "" {
		names = strings.Split(module, ".")
	}
	folder, found := "", false
	if dots := len(ref.Module) - len(module); dots > 0 {
		for above := range record.Folders(f.Path) {
			if dots--; dots == 0 {
				folder, found = above, true
				break
			}
		}
		if !found {
			return nil
		}
	} else if len(names) == 0 {
		return nil
	} else {
		folder, found = t.Prepared(f).(*pythonPath).absolute(t, f, names)
	}
	of := func(names []string, local, name string) (Import, bool) {
		if found {
			if target := findPython(t, folder, names); target != nil {
				return Import{Local: local, Files: []*facts.File{target}, Name: name}, true
			}
		}
		return Import{Local: local, External: strings.Join(names, "."), Name: name}, false
	}
	switch local := cmp.Or(ref.Alias, ref.Name); {
	case ref.Name == "*":
		i, ok := of(names, "", "")
		if !ok && len(ref.Module) > len(module) {
			return nil
		}
		i.All = true
		return []Import{i}
	case ref.Name != "":
		i, ok := of(names, local, ref.Name)
		if !ok && found {
			// A module of a namespace package.
			if inner, ok := of(append(slices.Clone(names), ref.Name), local, ""); ok {
				return []Import{inner}
			}
		}
		if !ok && len(ref.Module) > len(module) {
			i.External = ref.Module
		}
		return []Import{i}
	case ref.Alias != "":
		i, _ := of(names, ref.Alias, "")
		return []Import{i}
	}
	// import a.b also defines a, whose member is b.
	var all []Import
	for n := len(names); n > 0; n-- {
		i, ok := of(names[:n], strings.Join(names[:n], "."), "")
		if n == len(names) || ok {
			all = append(all, i)
		}
	}
	return all
}

// pythonBuiltins has the names of the module builtins.
var pythonBuiltins = wordSet(`abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex
	copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id
	input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit range
	repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip __import__ __build_class__
	unicode basestring xrange long unichr reduce raw_input reload cmp execfile file buffer intern apply
	ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError BytesWarning
	ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning EOFError
	EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError FloatingPointError FutureWarning
	GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
	KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError NotImplemented NotImplementedError OSError
	OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError ReferenceError
	ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError
	TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning
	UserWarning ValueError Warning WindowsError ZeroDivisionError Ellipsis`)

// pythonMethods has methods of the built-in types and of frequent types of the standard library: files, matches, locks,
// loggers, threads, paths and times.
var pythonMethods = wordSet(`append clear copy count extend index insert pop remove reverse sort get items keys popitem setdefault update
	values fromkeys add difference difference_update discard intersection intersection_update isdisjoint issubset issuperset
	symmetric_difference union capitalize casefold center encode endswith expandtabs find format format_map isalnum isalpha isascii isdecimal
	isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix
	removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper
	zfill decode hex fromhex bit_length to_bytes from_bytes as_integer_ratio close fileno flush isatty read readable readline readlines
	seek seekable tell truncate writable write writelines getvalue group groups groupdict start end span match search fullmatch findall
	finditer sub acquire release locked wait notify notify_all is_set set debug info warning warn error exception critical
	run is_alive put get_nowait put_nowait task_done appendleft popleft rotate most_common elements send throw
	exists is_file is_dir mkdir resolve relative_to read_text write_text read_bytes write_bytes unlink iterdir glob rglob
	as_posix with_suffix total_seconds isoformat strftime timestamp date time utcoffset cancel done result set_result add_done_callback
	lower keys __init__ __new__ __call__ __enter__ __exit__ __repr__ __str__ __eq__ __hash__ __getitem__ __setitem__ __getattr__ __setattr__
	__getattribute__ __delattr__ __reduce__ __reduce_ex__ __iter__ __next__ __len__ __contains__ __bool__ __del__ __get__ __init_subclass__
	assert_called_with assert_called_once_with assert_called_once assert_called assert_not_called assert_any_call assert_has_calls
	assertEqual assertTrue assertFalse assertIn assertIs assertIsNone assertRaises assertIsInstance`)
