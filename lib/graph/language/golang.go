package language

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/graph/methodset"
	"cortex/lib/record"
)

// golangRules returns the rules of Go. Files with the same folder and package clause share their names. The path of an
// import is the path of a module, as go.mod declares it, and the folder in the module.
func golangRules() Rules {
	return Rules{
		Languages:  []string{"go"},
		Prepare:    func(_ *facts.Tree, files []*facts.File) any { return newGoModules(files) },
		Package:    func(_ *facts.Tree, f *facts.File) string { return goPackage(path.Dir(f.Path), f.Package) },
		Import:     goImport,
		TypeCall:   record.Uses, // a conversion
		Unexported: ReachPackage,
		Builtin:    isGoBuiltin,
		Implied:    goImplements,
	}
}

// goPackage returns the key of a package.
func goPackage(folder, name string) string { return folder + "\x00" + name }

// goModules has the modules and packages of a tree.
type goModules struct {
	// byFolder has the modules that the go.mod of a folder names, longer names first. all has those of all folders.
	byFolder map[string][]record.Mapping
	all      []record.Mapping
	// packages has the names of importable packages by folder.
	packages map[string]string
}

func newGoModules(files []*facts.File) *goModules {
	m := &goModules{byFolder: map[string][]record.Mapping{}, packages: map[string]string{}}
	longer := func(a, b record.Mapping) int {
		return cmp.Or(cmp.Compare(len(b.Module), len(a.Module)), cmp.Compare(a.Module, b.Module), cmp.Compare(a.Path, b.Path))
	}
	for _, f := range files {
		folder := path.Dir(f.Path)
		if path.Base(f.Path) == "go.mod" && len(f.Mappings) > 0 {
			own := slices.Clone(f.Mappings)
			slices.SortFunc(own, longer)
			m.byFolder[folder] = own
			m.all = append(m.all, own...)
		}
		if f.Language != "go" || f.Package == "" || strings.HasSuffix(f.Path, "_test.go") {
			continue
		}
		// Ignore a program beside a package, which the build usually leaves out.
		if known := m.packages[folder]; known == "" || known == "main" || f.Package == path.Base(folder) {
			if f.Package != "main" || known == "" {
				m.packages[folder] = f.Package
			}
		}
	}
	slices.SortFunc(m.all, longer)
	return m
}

// folder returns the folder of the package that an import path means in a file.
func (m *goModules) folder(file, module string) (string, bool) {
	for folder := range record.Folders(file) {
		if own := m.byFolder[folder]; own != nil {
			if found, ok := m.folderIn(own, module); ok {
				return found, true
			}
			break
		}
		if found := path.Join(folder, "vendor", module); m.packages[found] != "" {
			return found, true
		}
	}
	return m.folderIn(m.all, module)
}

func (m *goModules) folderIn(modules []record.Mapping, module string) (string, bool) {
	for _, known := range modules {
		if rest, ok := strings.CutPrefix(module, known.Module); ok && (rest == "" || rest[0] == '/') {
			if folder := path.Join(known.Path, rest); m.packages[folder] != "" {
				return folder, true
			}
		}
	}
	return "", false
}

// goImport returns the meaning of an import.
func goImport(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	m := t.Prepared(f).(*goModules)
	local := ref.Alias
	if local == "_" {
		local = ""
	}
	all := ref.Name == "*"
	folder, ok := m.folder(f.Path, ref.Module)
	if !ok {
		if ref.Alias == "" && !all {
			local = goPackageName(ref.Module)
		}
		return []Import{{Local: local, All: all, External: ref.Module}}
	}
	name := m.packages[folder]
	if ref.Alias == "" && !all {
		local = name
	}
	return []Import{{Local: local, All: all, Package: goPackage(folder, name)}}
}

// goPackageName returns the likely name of the package with an import path outside of the tree.
func goPackageName(module string) string {
	name := path.Base(module)
	if isGoVersion(name) && strings.Contains(module, "/") {
		name = path.Base(path.Dir(module))
	}
	if i := strings.LastIndex(name, ".v"); i > 0 {
		name = name[:i]
	}
	name = strings.TrimPrefix(name, "go-")
	name = strings.TrimSuffix(strings.TrimSuffix(name, ".go"), "-go")
	return name[strings.LastIndexAny(name, "-.")+1:]
}

// isGoVersion reports whether a part of a path is a major version, such as v2.
func isGoVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// isGoBuiltin reports true for all bare names, since no other package can declare them, and for methods that many types
// of the standard library have.
func isGoBuiltin(name string, member bool) bool { return !member || goMethods[name] }

var goMethods = wordSet(`Add After Base Before Bytes Cleanup Close Deadline Done Elem Equal Err Error Errorf Fatal Fatalf Field Flush Format Get Header Helper Index Info Int64
	Interface Is IsZero Join Key Kind Len Less Load Lock Log Logf Lookup Method Mode Name Next Path Pos Print Printf Println Put RLock RUnlock Read Reset
	Run Scan Seek Set Size Skip Skipf Stop Store String Sub Swap Text Type Underlying Unlock Unwrap Value Wait Write WriteByte WriteString WriteTo`)

// goImplements returns the edges from types of the files to the interfaces that they implement.
func goImplements(t *facts.Tree, files []*facts.File) ([]facts.Implied, []facts.ImpliedOmission) {
	var in []*methodset.File
	for _, f := range files {
		in = append(in, newGoFile(t, f))
	}
	return methodset.Find(in)
}

func newGoFile(t *facts.Tree, f *facts.File) *methodset.File {
	out := &methodset.File{File: f, Key: goPackage(path.Dir(f.Path), f.Package), Test: strings.HasSuffix(f.Path, "_test.go"), Imports: map[string]string{}}
	for ref := range f.EachReference() {
		if ref.Relation == record.Imports {
			for _, m := range goImport(t, f, ref) {
				out.Imports[m.Local] = cmp.Or(m.Package, m.External)
			}
		}
	}
	return out
}
