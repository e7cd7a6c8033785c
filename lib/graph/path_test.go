package graph

import (
	"slices"
	"testing"

	"cortex/lib/graph/language"
	"cortex/lib/record"
)

// strayPaths has texts that are no valid paths in a tree.
var strayPaths = []string{"/x", "/", "../x", "../../a/x", "..", ".", "", "//", "a//x", "/a/b/../x", ".git/x", "a/.cortex/x", "a\x00x"}

// Resolving imports ends for all paths of files, in every language. Records and graph files cannot have such paths:
// this is the second line of defence.
func TestClimbingEnds(t *testing.T) {
	folders := append(slices.Clone(strayPaths), "a/b/", "tests/a/", "/tests/a/")
	if testing.Short() {
		folders = folders[:2]
	}
	for _, folder := range folders {
		b := NewBuilder()
		for _, r := range language.All() {
			for _, language := range r.Languages {
				for _, base := range []string{"x." + language, "__init__.py", "index.js", "go.mod"} {
					f := &record.File{FilePath: folder + base, Status: record.StatusOK, Language: language, Package: "p"}
					for _, module := range []string{"a", "x", "..", "../../..", ".", "", "x/y", "a.b", "\x00"} {
						for _, m := range []string{module, "./" + module, "/" + module, "..." + module} {
							f.References = append(f.References,
								record.Reference{Relation: record.Imports, Module: m, Lines: []int{1}},
								record.Reference{Relation: record.Imports, Module: m, Name: "n", Lines: []int{2}})
						}
						f.Mappings = append(f.Mappings, record.Mapping{Module: module, Path: folder}, record.Mapping{Module: module + "/*", Path: folder + "*"})
					}
					b.Add("", f)
					beside := *f
					beside.FilePath = "/" + base
					b.Add("", &beside)
				}
			}
		}
		write(t, b, 1)
	}
}

// FuzzGraphPaths puts arbitrary text into all fields that are paths or parts of paths: resolution must end.
func FuzzGraphPaths(f *testing.F) {
	for _, path := range append(slices.Clone(strayPaths), "a/b.py", "a.go#F") {
		f.Add(path, "", ".", "m")
		f.Add(path, "web", path, path)
	}
	f.Fuzz(func(t *testing.T, path, tree, mapping, module string) {
		if len(path)+len(module)+len(mapping) > 1000 {
			return // the product of their lengths takes time
		}
		b := NewBuilder()
		for _, language := range []string{"python", "typescript", "go", "ruby", "rust", "php", "java", "c"} {
			b.Add(tree, &record.File{FilePath: path + language, Status: record.StatusOK, Language: language, Mappings: []record.Mapping{{Module: module, Path: mapping}},
				References: []record.Reference{{Relation: record.Imports, Module: module, Lines: []int{1}}, {Relation: record.Imports, Module: module, Name: "n", Lines: []int{2}}}})
		}
		b.graph(t, 1)
	})
}
