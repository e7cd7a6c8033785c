package language

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

// TestJVMImports shows what imports of Java, Kotlin and Scala mean; those of Scala may begin in each of the packages around.
func TestJVMImports(t *testing.T) {
	var files []*record.File
	for path, f := range map[string]record.File{
		"Till.java":   {Language: "java", Package: "shop.till"},
		"Shelf.kt":    {Language: "kotlin", Package: "shop.stock"},
		"Stock.scala": {Language: "scala", Package: "shop.till.deep"},
	} {
		f.FilePath, f.Status = path, record.StatusOK
		files = append(files, &f)
	}
	tree := treeOf(t, files...)
	tree.SetPrepared([]any{packagesOf(tree.Files)})
	for _, test := range []struct {
		file string
		ref  record.Reference
		want []Import
	}{
		{"Till.java", record.Reference{Module: "shop.stock", Name: "Shelf"}, []Import{{Local: "Shelf", Package: "shop.stock", Name: "Shelf"}}},
		{"Till.java", record.Reference{Module: "shop.stock", Name: "*"}, []Import{{All: true, Package: "shop.stock"}}},
		{"Till.java", record.Reference{Module: "shop.stock.Shelf", Name: "of"}, []Import{{Local: "of", Package: "shop.stock", Name: "Shelf.of"}}},
		{"Till.java", record.Reference{Module: "shop.stock.Shelf", Name: "*"}, []Import{{All: true, Package: "shop.stock", Name: "Shelf"}}},
		{"Till.java", record.Reference{Module: "java.util", Name: "List"}, []Import{{Local: "List", External: "java.util", Name: "List"}}},
		{"Till.java", record.Reference{Module: "java.util", Name: "*"}, []Import{{All: true, External: "java.util"}}},
		{"Shelf.kt", record.Reference{Module: "shop.till.Till.Companion.NEW", Alias: "made"}, []Import{{Local: "made", Package: "shop.till", Name: "Till.NEW"}}},
		{"Shelf.kt", record.Reference{Module: "shop.till"}, nil},
		{"Stock.scala", record.Reference{Module: "stock", Name: "_"}, []Import{{All: true, Package: "shop.till.deep", Name: "stock"}, {All: true, Package: "shop.till", Name: "stock"}, {All: true, Package: "shop.stock"}}},
		{"Stock.scala", record.Reference{Module: "deep.Part"}, []Import{{Local: "Part", Package: "shop.till.deep", Name: "deep.Part"}, {Local: "Part", Package: "shop.till.deep", Name: "Part"}}},
	} {
		got := importJVM(tree, tree.File(test.file), &test.ref)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %+v: -want +got:\n%s", test.file, test.ref, diff)
		}
	}
}
