package language

import (
	"cmp"
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
	// Of several targets some file imports one, or two by names that begin alike, as AcmeShared and AcmeViews of the folders
	// Shared and Views. If none does, the folders in Sources are parts of one target.
	prefixes := swiftPrefixes(folders, imported)
	for _, folder := range folders {
		around, name := path.Dir(folder), path.Base(folder)
		prefix, targets := prefixes[around]
		switch {
		case path.Base(around) == "Sources" && !targets:
			m.whole[around] = true
			continue
		case path.Base(around) == "Tests" && m.whole[path.Join(path.Dir(around), "Sources")]:
			// The target in the Sources beside has the name of its tests.
			of := strings.TrimSuffix(name, "Tests")
			m.folders[of] = append(m.folders[of], path.Join(path.Dir(around), "Sources"))
		}
		m.folders[prefix+name] = append(m.folders[prefix+name], folder)
	}
	return m
}

// swiftPrefixes returns what stands in front of the names of the folders of targets where files import them, by the folder
// Sources; it has no entry for one with a single target.
func swiftPrefixes(folders []string, imported map[string]bool) map[string]string {
	around := map[string][]string{} // folders by their last name
	for _, folder := range folders {
		if name := path.Base(folder); path.Base(path.Dir(folder)) == "Sources" && len(around[name]) < maxSwiftNamesakes {
			around[name] = append(around[path.Base(folder)], path.Dir(folder))
		}
	}
	type prefixed struct{ folder, prefix string }
	counts := map[prefixed]int{}
	for name := range imported {
		for i := range min(len(name), maxSwiftPrefix) {
			for _, folder := range around[name[i:]] {
				counts[prefixed{folder, name[:i]}]++
			}
		}
	}
	best := map[string]string{}
	for of, n := range counts {
		before, known := best[of.folder]
		more := cmp.Or(cmp.Compare(n, counts[prefixed{of.folder, before}]), cmp.Compare(before, of.prefix)) > 0
		if of.prefix == "" || n > 1 && (!known || before != "" && more) {
			best[of.folder] = of.prefix
		}
	}
	return best
}

// maxSwiftPrefix bounds the length of what stands in front of the name of a target's folder, maxSwiftNamesakes the folders of
// one name.
const (
	maxSwiftPrefix    = 32
	maxSwiftNamesakes = 256
)

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
