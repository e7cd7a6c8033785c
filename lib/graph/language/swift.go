package language

import (
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// swiftRules returns the rules of Swift: a module has all files of a target, in the package manager's Sources/NAME or
// Tests/NAME.
func swiftRules() Rules {
	return Rules{
		Languages:    []string{"swift"},
		Prepare:      func(_ *facts.Tree, files []*facts.File) any { return swiftModulesOf(files) },
		Package:      func(t *facts.Tree, f *facts.File) string { return t.Prepared(f).(*swiftModules).module(f.Path) },
		Wide:         true,
		Overloads:    true,
		Import:       importSwift,
		ImplicitThis: true,
		Constructors: []string{"init"},
		Builtin:      isBuiltinSwift,
		Passes:       passSwift,
	}
}

// swiftTarget returns the folder of the target to which a file belongs if each folder in Sources and Tests is a target; "."
// if it belongs to none.
func swiftTarget(p string) string {
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

// swiftModules says which files are a module.
type swiftModules struct {
	// folders has the folders of modules by their name, sorted.
	folders map[string][]string
	// whole has the folders Sources that are one target.
	whole map[string]bool
}

// module returns the folder of the module of a file.
func (m *swiftModules) module(p string) string {
	folder := swiftTarget(p)
	if around := path.Dir(folder); m.whole[around] {
		return around
	}
	return folder
}

func swiftModulesOf(files []*facts.File) *swiftModules {
	m := &swiftModules{map[string][]string{}, map[string]bool{}}
	var folders []string
	imported := map[string]bool{}
	for _, f := range files {
		if f.Language != "swift" {
			continue
		}
		if folder := swiftTarget(f.Path); len(folders) == 0 || folders[len(folders)-1] != folder {
			folders = append(folders, folder)
		}
		for i := range f.References {
			if ref := &f.References[i]; record.Relations[ref.Relation] == record.Imports {
				name, _, _ := strings.Cut(f.Names.Of(ref.Module), ".")
				imported[name] = true
			}
		}
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	// Of several targets some file imports one. If none does, the folders in Sources are parts of one target.
	for _, folder := range folders {
		if around := path.Dir(folder); path.Base(around) == "Sources" {
			one, known := m.whole[around]
			m.whole[around] = (one || !known) && !imported[path.Base(folder)]
		}
	}
	for _, folder := range folders {
		name := path.Base(folder)
		if around := path.Dir(folder); m.whole[around] {
			continue
		} else if path.Base(around) == "Tests" {
			// The target in the Sources beside has the name of its tests.
			if sources := path.Join(path.Dir(around), "Sources"); m.whole[sources] {
				of := strings.TrimSuffix(name, "Tests")
				m.folders[of] = append(m.folders[of], sources)
			}
		}
		m.folders[name] = append(m.folders[name], folder)
	}
	return m
}

func importSwift(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	module, name, _ := strings.Cut(ref.Module, ".")
	var out []Import
	modules := t.Prepared(f).(*swiftModules)
	for _, folder := range modules.folders[module] {
		if folder != modules.module(f.Path) {
			out = append(out, Import{Local: module, All: true, Package: folder})
		}
	}
	if out == nil {
		local := module
		if name != "" {
			local = name
		}
		return []Import{{Local: local, External: module, Name: name}}
	}
	return out
}

// builtinSwift has names that every file knows, builtinMembersSwift methods of the standard library that too seldom
// mean a method of the tree.
var (
	builtinSwift = strings.Fields(`Any AnyObject Array Bool Character Data Date Dictionary Double Error Float Int Int32 Int64 Int8 Never Optional Result
		Self Set String UInt UInt16 UInt32 UInt64 UInt8 URL UUID Void abs assert assertionFailure dump fatalError max min precondition
		preconditionFailure print repeatElement sequence stride swap type withUnsafeBytes withUnsafePointer zip`)
	builtinMembersSwift = strings.Fields(`allSatisfy append appending async cancel compactMap contains count components data decode description dropFirst dropLast elements encode
		enumerated filter first firstIndex flatMap forEach formUnion hasPrefix hasSuffix hash index insert isEmpty joined keys last lowercased
		map max merge merging min popLast prefix reduce remove removeAll removeFirst removeLast removeValue replacingOccurrences reserveCapacity reversed
		resume shuffled sort sorted split starts string subtracting suffix sync trimmingCharacters union uppercased values wait withLock
		withUnsafeBytes`)
)

func isBuiltinSwift(name string, member bool) bool {
	list := builtinSwift
	if member {
		list = builtinMembersSwift
	}
	return slices.Contains(list, name)
}

// passSwift returns what members of optionals and collections return.
func passSwift(name string) Pass {
	switch name {
	case "filter", "sorted", "reversed", "dropFirst", "dropLast", "prefix", "suffix", "shuffled", "lazy", "values", "unsafelyUnwrapped":
		return PassSame
	case "first", "last", "popLast", "removeFirst", "removeLast", "randomElement", "max", "min":
		return PassElement
	}
	return PassNothing
}
