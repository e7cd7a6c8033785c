package language

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// TestECMAScriptModules looks for modules in a tree of packages.
func TestECMAScriptModules(t *testing.T) {
	mappings := map[string][]record.Mapping{
		"package.json":               {{Module: "root", Path: "."}, {Module: "#own", Path: "src/own.ts"}},
		"packages/core/package.json": {{Module: "@shop/core", Path: "packages/core"}, {Module: "@shop/core", Path: "packages/core/dist/index.js"}, {Module: "@shop/core/*", Path: "packages/core/dist/*.js"}},
		"packages/till/package.json": {{Module: "till", Path: "packages/till"}},
		"demo/till/package.json":     {{Module: "till", Path: "demo/till"}},
		"tsconfig.json":              {{Module: "*", Path: "src/*"}, {Module: "@/*", Path: "src/*"}, {Module: "@/special", Path: "src/other.ts"}},
	}
	paths := strings.Fields(`src/app.ts src/own.ts src/other.ts src/view.tsx src/page.vue src/list/index.ts src/list.ts src/data.json src/both.js src/both.ts src/worker.mts
		packages/core/src/index.ts packages/core/src/parts/price.ts packages/till/index.js packages/till/lib/deep.js demo/till/main.ts demo/till/index.ts demo/app.ts packages/core/test/helper.d.ts`)
	var files []*record.File
	for path, m := range mappings {
		files = append(files, &record.File{FilePath: path, Language: "json", Status: record.StatusOK, Mappings: m})
	}
	for _, path := range paths {
		files = append(files, &record.File{FilePath: path, Language: "typescript", Status: record.StatusOK})
	}
	for _, path := range []string{"packages/core/test/price.js", "packages/core/test/helper.js"} {
		files = append(files, &record.File{FilePath: path, Language: "javascript", Status: record.StatusOK})
	}
	tree := treeOf(t, files...)
	m := newModules(tree, tree.Files)
	for _, test := range []struct{ from, module, want string }{
		{"src/app.ts", "./own", "src/own.ts"},
		{"src/app.ts", "./own.js", "src/own.ts"},
		{"src/app.ts", "./worker.mjs", "src/worker.mts"},
		{"src/app.ts", "./view", "src/view.tsx"},
		{"src/app.ts", "./page.vue", "src/page.vue"},
		{"src/app.ts", "./page.vue?raw", "src/page.vue"},
		{"src/app.ts", "./list", "src/list.ts"},
		{"src/app.ts", "./list/", "src/list/index.ts"},
		{"src/app.ts", "./both", "src/both.ts"},
		{"src/app.ts", "./data.json", "src/data.json"},
		{"src/list/index.ts", ".", "src/list/index.ts"},
		{"src/list/index.ts", "../app", "src/app.ts"},
		{"src/app.ts", "./none", ""},
		{"src/app.ts", "../../outside", ""},
		{"src/app.ts", "", ""},
		{"src/app.ts", "#own", "src/own.ts"},
		{"src/app.ts", "@/list/index", "src/list/index.ts"},
		{"src/app.ts", "@/special", "src/other.ts"},
		{"src/app.ts", "other", "src/other.ts"},
		{"src/app.ts", "react", ""},
		{"src/app.ts", "@shop/core", "packages/core/src/index.ts"},
		{"src/app.ts", "@shop/core/parts/price", "packages/core/src/parts/price.ts"},
		{"src/app.ts", "@shop/other", ""},
		{"packages/core/src/index.ts", "till", "packages/till/index.js"},
		{"packages/core/src/index.ts", "till/lib/deep", "packages/till/lib/deep.js"},
		{"demo/app.ts", "till", "demo/till/index.ts"},
		{"demo/app.ts", "/src/app.ts", "src/app.ts"},
		{"packages/core/test/price.js", "..", "packages/core/src/index.ts"},
		{"packages/core/test/price.js", "../", "packages/core/src/index.ts"},
		{"packages/core/test/price.js", "../dist/parts/price.js", "packages/core/src/parts/price.ts"},
		{"packages/core/test/price.js", "../none/parts/price.js", ""},
		{"packages/core/test/price.js", "./helper", "packages/core/test/helper.js packages/core/test/helper.d.ts"},
		{"src/app.ts", "../packages/core/test/helper", "packages/core/test/helper.d.ts"},
	} {
		var found []string
		for _, file := range m.find(tree, tree.File(test.from), test.module) {
			found = append(found, file.Path)
		}
		if got := strings.Join(found, " "); got != test.want {
			t.Errorf("%q in %s is %q, want %q", test.module, test.from, got, test.want)
		}
	}
}

// TestECMAScriptImports shows what each form of import means.
func TestECMAScriptImports(t *testing.T) {
	var files []*record.File
	for _, path := range []string{"a.ts", "b.ts"} {
		files = append(files, &record.File{FilePath: path, Language: "typescript", Status: record.StatusOK})
	}
	tree := treeOf(t, files...)
	tree.SetPrepared([]any{newModules(tree, tree.Files)})
	f, other := tree.File("a.ts"), tree.File("b.ts")
	others := []*facts.File{other}
	for _, test := range []struct {
		ref  record.Reference
		want []Import
	}{
		{record.Reference{Module: "./b"}, []Import{{Files: others}}},
		{record.Reference{Module: "./b", Alias: "x"}, []Import{{Local: "x", Files: others, Name: "default"}, {Local: "x", Files: others}}},
		{record.Reference{Module: "./b", Name: "default", Alias: "x"}, []Import{{Local: "x", Files: others, Name: "default"}, {Local: "x", Files: others}}},
		{record.Reference{Module: "./b", Name: "y", Alias: "x"}, []Import{{Local: "x", Files: others, Name: "y"}}},
		{record.Reference{Module: "./b", Name: "*"}, []Import{{All: true, Files: others}}},
		{record.Reference{Module: "./b", Name: "*", Alias: "x"}, []Import{{Local: "x", Files: others}}},
		{record.Reference{Module: "lib", Alias: "x"}, []Import{{Local: "x", External: "lib", Name: "default"}}},
		{record.Reference{Module: "lib", Name: "y"}, []Import{{Local: "y", External: "lib", Name: "y"}}},
		{record.Reference{Name: "y", Alias: "x"}, []Import{{Local: "x", Files: []*facts.File{f}, Name: "y"}}},
		{record.Reference{Name: "y", Alias: "exports"}, []Import{{Local: "default", Files: []*facts.File{f}, Name: "y"}}},
		{record.Reference{Name: "y", Alias: "y"}, nil},
	} {
		got := importECMAScript(tree, f, &test.ref)
		if diff := cmp.Diff(test.want, got, cmp.Comparer(func(a, b *facts.File) bool { return a == b })); diff != "" {
			t.Errorf("%+v: -want +got:\n%s", test.ref, diff)
		}
	}
}
