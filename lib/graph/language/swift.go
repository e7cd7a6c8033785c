package language

import (
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/graph/targets"
	"cortex/lib/record"
)

// swiftRules returns the rules of Swift: a module has all files of a target, in the package manager's Sources/NAME or
// Tests/NAME.
func swiftRules() Rules {
	return Rules{
		Languages:    []string{"swift"},
		Prepare:      func(_ *facts.Tree, files []*facts.File) any { return swiftTargetsOf(files) },
		Package:      func(t *facts.Tree, f *facts.File) string { return t.Prepared(f).(*targets.Targets).Module(f.Path) },
		Wide:         true,
		Overloads:    true,
		Import:       importSwift,
		ImplicitThis: true,
		Tops:         map[string][]string{"swift": {"Any", "AnyClass", "AnyObject"}},
		Scattered:    true,
		Enclosed:     true,
		Constructors: []string{"init"},
		Builtin:      isBuiltinSwift,
		Passes:       passSwift,
	}
}

// swiftTargetsOf returns the targets to which the files of the tree belong.
func swiftTargetsOf(files []*facts.File) *targets.Targets {
	var paths []string
	imported := map[string]bool{}
	for _, f := range files {
		if f.Language != "swift" {
			continue
		}
		paths = append(paths, f.Path)
		for i := range f.References {
			if ref := &f.References[i]; record.Relations[ref.Relation] == record.Imports {
				name, _, _ := strings.Cut(f.Names.Of(ref.Module), ".")
				imported[name] = true
			}
		}
	}
	return targets.Of(paths, imported)
}

func importSwift(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	module, name, _ := strings.Cut(ref.Module, ".")
	var out []Import
	known := t.Prepared(f).(*targets.Targets)
	for _, folder := range known.Named(module) {
		if folder != known.Module(f.Path) {
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
