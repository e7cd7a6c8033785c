package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/parse/lexical"
	"cortex/lib/record"
)

func TestMappings(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a/go.mod": {"module example.org/a // main\n\nrequire x.org/y v1.2.3\nreplace x.org/y => ../y\nreplace (\n\tx.org/z v1.0.0 => ./z\n\tx.org/far => x.org/near v1.0.0\n\tx.org/out => ../../out\n)\n",
			"example.org/a=a x.org/y=y x.org/z=a/z"},
		"go.mod": {"module \"example.org/a\"\n", "example.org/a=."},
		"p/package.json": {`{"name": "@x/p", "main": "./lib/index.js", "types": "lib/index.d.ts", "exports": {".": {"import": "./m.mjs", "default": "./lib/index.js"},
			"./sub/*": "./src/sub/*.ts", "./none": null}, "imports": {"#in": {"node": "./in.js"}, "#dep": "lodash"}, "workspaces": ["q/*"]}`,
			"@x/p=p @x/p=p/lib/index.js @x/p=p/lib/index.d.ts @x/p=p/m.mjs @x/p/sub/*=p/src/sub/*.ts #in=p/in.js"},
		"package.json": {`{"name": "one", "exports": "./a.js"}`, "one=. one=a.js"},
		"w/tsconfig.base.json": {"{\n // paths\n \"compilerOptions\": {\"baseUrl\": \"./src\", /* here */ \"paths\": {\"@/*\": [\"*\", \"../gen/*\"], \"exact\": [\"a/b.ts\",],},},\n}\n",
			"@/*=w/src/* @/*=w/gen/* exact=w/src/a/b.ts *=w/src/*"},
		"tsconfig.json": {`{"compilerOptions": {"paths": {"~/*": ["./app/*"], "out/*": ["../out/*"], "abs": ["/etc/passwd"]}}}`, "~/*=app/*"},
		"deno.json":     {`{"imports": {"@/": "./src/", "std/": "https://deno.land/std/", "one": "./one.ts"}}`, "@/*=src/* one=one.ts"},
		"composer.json": {`{"autoload": {"psr-4": {"App\\": "src/", "Two\\": ["a", "b/"]}}, "autoload-dev": {"psr-4": {"App\\Tests\\": "tests"}}}`,
			`App\*=src/* Two\*=a/* Two\*=b/* App\Tests\*=tests/*`},
		"crates/my-lib/Cargo.toml": {"[package]\nname = \"my-lib\" # its name\n\n[dependencies]\nserde = \"1\"\nother = { path = \"../other-lib\", version = \"1\" }\n[dev-dependencies.helper-x]\npath = \"../helper\"\n",
			"my_lib=crates/my-lib other=crates/other-lib helper_x=crates/helper"},
		"Cargo.toml": {"[package]\nname = \"tool\"\n[lib]\nname = \"toollib\"\npath = \"src/api.rs\"\n", "toollib=src/api.rs"},
		"pyproject.toml": {"[tool.setuptools.packages.find]\nwhere = [\n  \"src\", # here\n]\n[tool.poetry]\npackages = [{ include = \"x\", from = \"lib\" }]\n[tool.hatch.build.targets.wheel]\npackages = [\"python/x\"]\n",
			"*=src/* *=lib/* *=python/*"},
		"setup.cfg":    {"[options]\npackage_dir =\n    =src\n[options.packages.find]\nwhere = lib\n", "*=src/* *=lib/*"},
		"x/other.json": {`{"name": "none"}`, ""},
	} {
		var got []string
		for _, m := range Mappings(name, c.text) {
			got = append(got, m.Module+"="+m.Path)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

func TestHostileManifests(t *testing.T) {
	texts := []string{"", "{", `{"name": 1, "exports": [[[{}]]]}`, strings.Repeat("[", 100_000), strings.Repeat(`{"exports":`, 1000), `{"name":"a","main":"` + strings.Repeat("../", 5000) + `"}`,
		"[lib]\nname = [" + strings.Repeat("\"a\",\n", 10_000), "module " + strings.Repeat("a", 10_000), "replace", "replace (\n=>\n", "[options]\npackage_dir", "\x00=\"\"", "/*", "a = '",
		`{"compilerOptions":{"paths":{"*":[` + strings.Repeat(`"a/*",`, 10_000) + `"b"]}}}`}
	for _, kind := range manifests() {
		name := strings.ReplaceAll(kind.name, "*", "")
		for _, text := range texts {
			for _, m := range Mappings(name, text) {
				if m.Module == "" || len(m.Path) > lexical.MaxName || strings.HasPrefix(m.Path, "..") || strings.HasPrefix(m.Path, "/") {
					t.Errorf("%s: %+v", name, m)
				}
			}
		}
	}
	if got := Mappings("package.json", `{"name":"a","main":"..\\b"}`); !cmp.Equal(got, []record.Mapping{{Module: "a", Path: "."}}) {
		t.Error(got)
	}
}
