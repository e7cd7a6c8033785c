package language

import (
	"slices"
	"strings"
	"testing"
)

func TestTableIsSane(t *testing.T) {
	type claim struct{ what, name string }
	claims := map[claim]string{}
	take := func(l Language, what, name string) {
		t.Helper()
		if name == "" || name != strings.TrimSpace(name) {
			t.Errorf("%s: %s %q", l.Name, what, name)
		}
		if other, ok := claims[claim{what, strings.ToLower(name)}]; ok {
			t.Errorf("%s %q stands for %s and for %s", what, name, other, l.Name)
		}
		claims[claim{what, strings.ToLower(name)}] = l.Name
	}
	for _, l := range All() {
		take(l, "name", l.Name)
		for _, s := range l.Aliases {
			take(l, "name", s)
			if s != strings.ToLower(s) {
				t.Errorf("%s: alias %q is not lower case", l.Name, s)
			}
		}
		for _, s := range l.Extensions {
			take(l, "extension", s)
			if s[0] != '.' || s != strings.ToLower(s) || strings.Contains(s, "/") {
				t.Errorf("%s: extension %q", l.Name, s)
			}
		}
		for _, s := range l.Filenames {
			take(l, "file name", s)
			if strings.Contains(s, "/") {
				t.Errorf("%s: file name %q", l.Name, s)
			}
		}
		for _, s := range l.Interpreters {
			take(l, "interpreter", s)
			if got := interpreter([]byte("#!/usr/bin/" + s + "\n")); got != s {
				t.Errorf("%s: interpreter %q is found as %q", l.Name, s, got)
			}
		}
		if l.Name != strings.ToLower(l.Name) || strings.ContainsAny(l.Name, " +#/:") {
			t.Errorf("name %q", l.Name)
		}
		if l.CommentEnd != "" && l.Comment == "" {
			t.Errorf("%s: a comment ends and does not begin", l.Name)
		}
		if l.Class != Code && l.Class != Document {
			t.Errorf("%s: class %d", l.Name, l.Class)
		}
		if len(l.Extensions)+len(l.Filenames)+len(l.Interpreters) == 0 && l.Name != Other {
			t.Errorf("%s: nothing leads to it", l.Name)
		}
	}
	if !slices.IsSortedFunc(All(), func(a, b Language) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the table is not sorted by name")
	}
}

// Every name, extension and so on of a row is detected as that row.
func TestEveryRowIsFound(t *testing.T) {
	check := func(want string, got Language) {
		t.Helper()
		if got.Name != want {
			t.Errorf("got %s, want %s", got.Name, want)
		}
	}
	for _, l := range All() {
		for _, n := range append([]string{l.Name, strings.ToUpper(l.Name)}, l.Aliases...) {
			got, ok := ByName(n)
			if !ok {
				t.Errorf("ByName(%q): nothing", n)
			}
			check(l.Name, got)
		}
		for _, e := range l.Extensions {
			check(l.Name, Detect("a/b.c/some"+e, nil))
			check(l.Name, Detect("SOME"+strings.ToUpper(e), nil))
		}
		for _, n := range l.Filenames {
			check(l.Name, Detect("x.go/"+n, nil))
			check(l.Name, Detect(strings.ToLower(n), nil))
		}
		for _, p := range l.Interpreters {
			check(l.Name, Detect("bin/tool", []byte("#!/usr/bin/env "+p+"\n")))
		}
	}
}

func TestByNameUnknown(t *testing.T) {
	for _, n := range []string{"", "klingon", ".go"} {
		if l, ok := ByName(n); ok {
			t.Errorf("ByName(%q) = %s", n, l.Name)
		}
	}
}

func TestDotM(t *testing.T) {
	for content, want := range map[string]string{
		"":                                   "objectivec",
		"\n#import \"A.h\"\n":                "objectivec",
		"// A.\n%\n":                         "objectivec",
		"/* %\n% */ int x;\n":                "objectivec",
		"@implementation A\n@end\n":          "objectivec",
		"static int f(int x)\n{\n":           "objectivec",
		"% Adds.\nfunction y = add(x)\n":     "matlab",
		"\nfunction [a, b] = add(x)\nend\n":  "matlab",
		"clear all\nclose all\n\n% plot\n":   "matlab",
		"classdef Shelf < handle\nend\n":     "matlab",
		"## Copyright\n## -*- texinfo -*-\n": "matlab",
		"#!/usr/bin/octave\nx = 1\n":         "matlab",
		"  %{\n  text\n  %}\n":               "matlab",
	} {
		if got := Detect("a/b.m", []byte(content)).Name; got != want {
			t.Errorf("%q: %s, want %s", content, got, want)
		}
	}
}

func TestLanguagesThatMustBeThere(t *testing.T) {
	names := `go typescript tsx javascript python rust c cpp php ruby java csharp kotlin scala swift
		bash lua elixir haskell ocaml zig dart r julia solidity fortran pascal sql hcl dockerfile yaml toml json html css xml
		dtd makefile just protobuf graphql markdown mdx rst asciidoc jupyter text other
		vue svelte groovy perl clojure erlang nim objectivec powershell batch cmake starlark nix ini properties csv org latex`
	for name := range strings.FieldsSeq(names) {
		if l, ok := ByName(name); !ok || l.Name != name {
			t.Errorf("no row %s", name)
		}
	}
	for alias, name := range map[string]string{"C#": "csharp", "c++": "cpp", "golang": "go", "objective-c": "objectivec", "sh": "bash", "terraform": "hcl", "bazel": "starlark", "make": "makefile"} {
		if l, _ := ByName(alias); l.Name != name {
			t.Errorf("ByName(%q) = %s, want %s", alias, l.Name, name)
		}
	}
}

func TestDetect(t *testing.T) {
	tests := []struct{ path, head, want string }{
		{"main.go", "", "go"},
		{"src/MAIN.GO", "", "go"},
		{"a.jsx", "", "javascript"},
		{"a.mjs", "", "javascript"},
		{"a.cjs", "", "javascript"},
		{"a.tsx", "", "tsx"},
		{"a.mts", "", "typescript"},
		{"a.d.cts", "", "typescript"},
		{"a.pyi", "", "python"},
		{"a.h", "", "c"},
		{"a.PNG", "", "other"},
		{"x.rst.txt", "", "rst"},
		{"x.txt", "", "text"},
		{"pkg/CMakeLists.txt", "", "cmake"},
		{"pkg/cmakelists.txt", "", "cmake"},
		{"go.mod", "", "gomod"},
		{"LICENSE", "", "text"},
		{"license", "", "text"},
		{"LICENSE-2.0", "", "text"},
		{"LICENSE.md", "", "markdown"},
		{"readme", "", "text"},
		{"Dockerfile", "", "dockerfile"},
		{"Dockerfile.dev", "", "dockerfile"},
		{"dev.dockerfile", "", "dockerfile"},
		{"Makefile.linux", "", "makefile"},
		{"makefile", "", "makefile"},
		{"Makefile.py", "", "python"},
		{"Jenkinsfile.release", "", "groovy"},
		{"Makefile.golden", "", "other"}, // as foo.go.golden is no Go
		{"Makefile.references.golden", "", "other"},
		{"Makefile-expected", "", "other"},
		{"Dockerfile.EXPECTED", "", "other"},
		{"Dockerfile.dev.orig", "", "other"},
		{"Gemfile.bak", "", "other"},
		{"LICENSE.out", "", "other"},
		{"foo.go.golden", "", "other"},
		{"Makefile.golden", "#!/usr/bin/make -f\n", "makefile"},
		{"include/xbps.h.in", "#define XBPS 1\n", "c"},
		{"config.h.in", "namespace a { class B; }\n", "cpp"},
		{"Setup.PY.in", "", "python"},
		{"a.cmake.in", "", "cmake"},
		{"a.pc.in", "", "other"},
		{"configure.in", "", "other"},
		{".in", "", "other"},
		{"Makefile.in", "", "makefile"},
		{"MANIFEST.in", "", "config"},
		{".gitignore", "", "config"},
		{".eslintrc.json", "", "json"},
		{".bashrc", "", "bash"},
		{"", "", "other"},
		{".", "", "other"},
		{"...", "", "other"},
		{"trailing.", "", "other"},
		{"no/such.ending", "", "other"},
		{"a.go/plain", "", "other"},

		{"includes/common.inc", "<?php\nfunction f() {}\n", "php"},
		{"node.module", "<?php\n", "php"},
		{"local.inc", "SUMMARY = \"php\"\n", "other"},
		{"tool", "#!/bin/sh\n", "bash"},
		{"tool", "#! /bin/bash -e\r\n", "bash"},
		{"tool", "#!/usr/bin/python3.11\n", "python"},
		{"tool", "#!/usr/bin/env python3", "python"},
		{"tool", "#!/usr/bin/env -S python3 -u\n", "python"},
		{"tool", "#!/usr/bin/env -Spython3 -u\n", "python"},
		{"tool", "#!/usr/bin/env --split-string=node --trace-warnings\n", "javascript"},
		{"tool", "#!/usr/bin/env -i -u HOME PATH=/bin ruby2.7\n", "ruby"},
		{"tool", "#!/usr/bin/env -S uv run --script\n", "python"},
		{"tool", "#!/usr/bin/env\n", "other"},
		{"tool", "#!/usr/bin/env -u", "other"},
		{"tool", "#!\n", "other"},
		{"tool", "#!", "other"},
		{"tool", "# !/bin/sh\n", "other"},
		{"tool", "#!/opt/lua5.4\n", "lua"},
		{"tool", "#!C:/Python/python.exe\n", "python"},
		{"tool", "#!" + strings.Repeat("x", 2000) + "/sh\n", "other"},
		{"install", "#!/bin/sh\n", "bash"},
		{"INSTALL", "#!/bin/sh\n", "text"},
		{"build", "#!/usr/bin/env bash\n", "bash"},
		{"BUILD", "", "starlark"},
		{"a.py", "#!/bin/sh\n", "python"},
		{"a.unknown", "#!/bin/sh\n", "bash"},

		{"themes/af-magic.zsh-theme", "", "bash"},
		{".zlogout", "", "bash"},
		{".zprofile", "", "bash"},
		{"templates/zshrc.zsh-template", "", "bash"},
		{"foo.1", ".\\\" $Id$\n", "roff"},
		{"foo.conf.5", ".TH FOO 5\n", "roff"},
		{"foo.8", "'\\\" t\n", "roff"},
		{"libfoo.so.1", "plain\n", "other"},
		{"_docker", "#compdef docker dockerd=docker\n", "bash"},
		{"helper", "#autoload\n", "bash"},
		{"_rest", "#compdefs docker\n", "other"},
		{"_later", "\n#compdef docker\n", "other"},
		{"_yarn.py", "#compdef yarn\n", "python"},
		{"n-list", "# Copy this\n\nemulate -L zsh\n\n# vim:ft=zsh\n", "bash"},
		{"n-list", "# -*- mode: sh; sh-indentation: 2 -*-\n", "bash"},
		{"n-list", "\n\n# vim: set sw=4 filetype=zsh.completion:\n", "bash"},
		{"vector", "// -*- C++ -*-\n", "cpp"},
		{"setup", "/* vim: set noet ts=4 ft=c : */", "c"},
		{"tasks", "#!\n# -*- coding: utf-8; mode: Python -*-\n", "python"},
		{"tasks", "# -*- coding: utf-8 -*-\n", "other"},
		{"tasks", "# novim: ft=ruby\n", "other"},
		{"tasks", "# vim: ft=nothing\n", "other"},
		{"tasks", "# vim: ft=\n# -*- -*-\n# -*-", "other"},
		{"tasks", strings.Repeat("x\n", 5) + "# vim: ft=ruby\n" + strings.Repeat("x\n", 5), "other"},
		{"tasks", strings.Repeat("x", 5000) + " vim: ft=ruby" + strings.Repeat("x", 5000), "other"},
		{"main.go", "// vim: ft=ruby\n", "go"},
	}
	for _, tt := range tests {
		if got := Detect(tt.path, []byte(tt.head)); got.Name != tt.want {
			t.Errorf("Detect(%q, %q) = %s, want %s", tt.path, tt.head, got.Name, tt.want)
		}
	}
}

func TestHeaders(t *testing.T) {
	licence := "/*\n" + strings.Repeat(" * namespace licence { class of this; template <typename T> }\n", 80) + " */\n// std::string is @interface\n"
	tests := []struct{ name, want, text string }{
		{"prototypes", "c", "#ifndef A_H\n#define A_H\n#include <stdio.h>\nint f(int);\n#endif\n"},
		{"linkage in a guard", "c", "#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(int);\n#ifdef __cplusplus\n}\n#endif\n"},
		{"linkage in a condition", "c", "# if defined ( __cplusplus )\nextern \"C\" {\n# endif\nvoid f(void);\n"},
		{"linkage after else", "c", "#ifndef __cplusplus\nint f(void);\n#else\nextern \"C\" int f();\n#endif\n"},
		{"linkage macro", "c", "#if !defined(__cplusplus)\n#define API\n#else\n#define API extern \"C\"\n#endif\nAPI int f(void);\n"},
		{"words of C++ as names", "c", "struct class; struct namespace { int new, template; };\nint operator, this, private;\nvoid f(char *namespace, int class);\nunsigned public:1;\n"},
		{"attribute of C23", "c", "[[gnu::pure]] int f(int a);\n"},
		{"strings", "c", "#define A \"std::vector<\"\n#define B '\"'\n#error use class Foo { instead\n"},
		{"comments", "c", "int a; // namespace x {\n/* class Foo { */ int b; \\\n// template <\\\nclass X {\n"},
		{"empty", "c", ""},

		{"namespace", "cpp", "#pragma once\nnamespace a::b { int f(); }\n"},
		{"unnamed namespace", "cpp", "namespace {\nint x;\n}\n"},
		{"class", "cpp", "class Foo {\n};\n"},
		{"forward class", "cpp", "class Foo;\nvoid f(Foo *);\n"},
		{"template", "cpp", "template<class T> T f(T);\n"},
		{"access section", "cpp", "struct Foo {\n int a;\n private:\n int b;\n};\n"},
		{"qualified name", "cpp", "void f(std::string s);\n"},
		{"using", "cpp", "using X = int;\n"},
		{"linkage without guard", "cpp", "extern \"C\" void f();\n"},
		{"library", "cpp", "#include <vector>\n"},
		{"operator", "cpp", "bool operator==(const struct A &, const struct A &);\n"},
		{"macro body", "cpp", "#define CAST(x) \\\n  static_cast<int>(x)\n"},
		{"constexpr", "cpp", "constexpr int a = 1;\n"},
		{"namespace in a guard", "cpp", "#ifdef __cplusplus\nnamespace a { }\n#endif\nint f(void);\n"},
		{"code after a guard", "cpp", "#ifdef __cplusplus\nextern \"C\" {\n#endif\n#ifdef X\n#if 1\n#else\n#endif\n#endif\nclass A {};\n"},

		{"interface", "objectivec", "#import <Foundation/Foundation.h>\n@interface A : NSObject\n@end\n"},
		{"interface beside C++", "objectivec", "namespace a { class B; }\n@interface A\n@end\n"},
		{"class of Objective-C", "objectivec", "@class A;\n"},
		{"interface in a guard", "c", "#ifdef __OBJC__\n@class A;\n#else\ntypedef struct A A;\n#endif\n"},
	}
	for _, tt := range tests {
		for _, before := range []string{"", licence} {
			text := strings.ReplaceAll(before+tt.text, "\n", "\r\n")
			for _, text := range []string{before + tt.text, text} {
				if got := Detect("include/a.H", []byte(text)); got.Name != tt.want {
					t.Errorf("%s, %d bytes before: %s, want %s", tt.name, len(before), got.Name, tt.want)
				}
			}
		}
	}
}

func TestClasses(t *testing.T) {
	documents := []string{"asciidoc", "latex", "markdown", "mdx", "org", "rst", "text"}
	for _, l := range All() {
		if slices.Contains(documents, l.Name) && l.Class != Document {
			t.Errorf("%s is no document", l.Name)
		}
	}
	other, _ := ByName(Other)
	if other.Class != Code || other.Comment != "" {
		t.Errorf("other = %+v", other)
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("a/b.go", []byte("#!/usr/bin/env -S x"))
	f.Add("a.h", []byte("#if !defined(__cplusplus) \\\n || x\n[[a::b]] '\\''\n#else\n/* @"))
	f.Fuzz(func(t *testing.T, path string, head []byte) {
		if Detect(path, head).Name == "" {
			t.Error("no name")
		}
	})
}

func BenchmarkDetect(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Detect("internal/server/handler.go", nil)
		Detect("docs/README.md", nil)
		Detect("bin/tool", []byte("#!/usr/bin/env python3\n"))
	}
}
