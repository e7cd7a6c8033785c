package language

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

// TestCSharpNames shows how using directives and names find types of namespaces with a body and of those for a whole file.
func TestCSharpNames(t *testing.T) {
	class := func(names ...string) (out []record.Symbol) {
		for _, name := range names {
			s := record.Symbol{Kind: record.Class, Name: name[len(name)-4:], QualifiedName: name, BodyByte: 1}
			if name == "Shop.Stock" {
				s.Kind, s.Name = record.Module, name
			}
			out = append(out, s)
		}
		return out
	}
	var files []*record.File
	files = append(files, &record.File{FilePath: "body.cs", Language: "csharp", Status: record.StatusOK, Package: "Shop.Stock", Symbols: class("Shop.Stock", "Shop.Stock.Item")})
	files = append(files, &record.File{FilePath: "whole.cs", Language: "csharp", Status: record.StatusOK, Package: "Shop.Till", Symbols: class("Desk")})
	tree := treeOf(t, files...)
	tree.SetPrepared([]any{csharpNamesOf(tree.Files)})
	f := tree.File("whole.cs")
	for _, test := range []struct {
		ref  record.Reference
		want Import
	}{
		{record.Reference{Module: "Shop.Stock"}, Import{All: true, Package: csharpPackage, Name: "Shop.Stock"}},
		{record.Reference{Module: "Shop.Stock.Item"}, Import{All: true, Package: csharpPackage, Name: "Shop.Stock.Item"}},
		{record.Reference{Module: "Stock.Item", Alias: "Thing"}, Import{Local: "Thing", Package: csharpPackage, Name: "Shop.Stock.Item"}},
		{record.Reference{Module: "Shop.Till.Desk", Alias: "D"}, Import{Local: "D", Package: csharpPackage, Name: "Desk"}},
		{record.Reference{Module: "System.Text"}, Import{All: true, External: "System.Text"}},
	} {
		got := importCSharp(tree, f, &test.ref)
		if diff := cmp.Diff([]Import{test.want}, got); diff != "" {
			t.Errorf("%+v: -want +got:\n%s", test.ref, diff)
		}
	}
	for _, test := range []struct {
		parts []string
		want  Import
		used  int
	}{
		{[]string{"Shop", "Stock", "Item", "Of"}, Import{Package: csharpPackage, Name: "Shop.Stock.Item"}, 3},
		{[]string{"Stock", "Item"}, Import{Package: csharpPackage, Name: "Shop.Stock.Item"}, 2},
		{[]string{"Desk"}, Import{Package: csharpPackage, Name: "Desk"}, 1},
		{[]string{"Console", "WriteLine"}, Import{External: "System", Name: "Console"}, 1},
		{[]string{"Nowhere"}, Import{}, 0},
	} {
		got, used := absoluteCSharp(tree, f, test.parts)
		if diff := cmp.Diff(test.want, got); diff != "" || used != test.used {
			t.Errorf("%v takes %d, want %d: -want +got:\n%s", test.parts, used, test.used, diff)
		}
	}
}
