package language

import (
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
		Package:      func(_ *facts.Tree, f *facts.File) string { return swiftModule(f.Path) },
		Wide:         true,
		Overloads:    true,
		Import:       importSwift,
		ImplicitThis: true,
		Constructors: []string{"init"},
		Builtin:      isBuiltinSwift,
		Passes:       passSwift,
	}
}

// swiftModule returns the folder of the target to which a file belongs, "." if it belongs to none.
func swiftModule(p string) string {
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

// swiftModules has the folders of targets by the name of the target, sorted.
type swiftModules map[string][]string

func swiftModulesOf(files []*facts.File) swiftModules {
	m := swiftModules{}
	for _, f := range files {
		if f.Language != "swift" {
			continue
		}
		folder := swiftModule(f.Path)
		name := folder[strings.LastIndexByte(folder, '/')+1:]
		if !slices.Contains(m[name], folder) {
			m[name] = append(m[name], folder)
		}
	}
	return m
}

func importSwift(t *facts.Tree, f *facts.File, ref *record.Reference) []Import {
	module, name, _ := strings.Cut(ref.Module, ".")
	var out []Import
	for _, folder := range t.Prepared(f).(swiftModules)[module] {
		if folder != swiftModule(f.Path) {
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
