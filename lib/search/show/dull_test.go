package show

import (
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// code is a chunk of implementations that is all of its file.
func code(symbol, text string) *record.Chunk {
	return &record.Chunk{ChunkType: record.Implementations, Text: text,
		Metadata: record.Metadata{SymbolName: symbol, SymbolType: record.Function, StartLine: 1, EndLine: 1 + strings.Count(text, "\n"), ByteEnd: len(text)}}
}

func TestDullLines(t *testing.T) {
	for name, test := range map[string]struct{ text, dull string }{
		"notice in lines":      {"// Copyright 2020 A. U. Thor\n// All of it.\n\n// Serve serves.\nfunc Serve() {}", "xx---"},
		"notice in a block":    {"/*\n Licensed under X.\n See LICENSE.\n*/\nint serve(void);", "xxxx-"},
		"notice in a document": {"/**\n * Module x.\n * Copyright Y.\n *\n * It serves.\n */\nint serve(void);", "xxx----"},
		"notice in a string":   {`"""Copyright.` + "\nAll rights reserved.\n\"\"\"\ndef serve(): pass", "xxx-"},
		"notice of the GPL":    {"/*\n * This file is part of X.\n *\n * X is free software.\n *\n * If not, see <http://www.gnu.org/licenses/>.\n */\nint serve(void);", "xxxxxxx-"},
		"comment on a licence": {"// checkLicense looks at the license.\nfunc checkLicense() {}", "--"},
		"imports of go":        {"package main\nimport (\n\t\"fmt\"\n\t\"os\"\n)\nimport \"io\"\nfunc main() {}", "xxxxxx-"},
		"imports of python":    {"import os, sys\nfrom a.b import (\n    c,\n)\nimportant = 1", "xxxx-"},
		"imports of c":         {"#include <uv.h>\n#define A 1\nusing std::string;\nusing T = int;", "x-x-"},
		"imports of rust":      {"use std::io;\nuse a::{\n    b,\n};\nfn use_it() {}", "xxxx-"},
		"imports of js":        {"import { a } from 'b'\nconst c = require('d')\nimport('e').then(f)\nimportant()", "xx--"},
		"not imports":          {"require.Equal(t, a, b)\nrequire(x > 0, \"no\");\nusing (var a = b) {\nuse(a);", "----"},
		"numbers":              {"var table = []byte{\n\t0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,\n\t1, 2,\n}", "-x--"},
		"long literal":         {"key = \"" + strings.Repeat("aGVsbG8", 20) + "\"\nkey.use()", "x-"},
	} {
		c := code("", test.text)
		text := newTextLines(c)
		dull := dullLines(c, text, DullFor([]string{"serve"}))
		got := ""
		for n := range text.count() {
			if dull[n] {
				got += "x"
			} else {
				got += "-"
			}
		}
		if got != test.dull {
			t.Errorf("%s: got %s, want %s", name, got, test.dull)
		}
	}
	for _, question := range []string{"which license", "who has the copyright"} {
		if DullFor([]string{question})&Notice != 0 {
			t.Errorf("%s: notices are dull", question)
		}
	}
	if DullFor([]string{"what does it import"})&Imports != 0 {
		t.Error("imports are dull to who asks for them")
	}
}

// In a list of declarations, exact search shows those that were asked for, with the comments above them, and lines that
// match.
func TestOthersInAListAreDropped(t *testing.T) {
	all := []record.SymbolRef{{Name: "First", Line: 1}, {Name: "Color", Line: 3}, {Name: "Color.Red", Line: 4}, {Name: "Color.Green", Line: 5}, {Name: "Colors", Line: 7}, {Name: "Last", Line: 8}}
	text := []string{"First = 1", "# The colours.", "enum Color {", "Red,", "Green,", "}", "Colors = 2", "Last = 3"}
	for asked, want := range map[int]string{0: "--xxxxx-", 1: "x-----x-", 2: "xxx-xxx-", 4: "xxxxxx--"} {
		var lines []answer.TellingLine
		for i, line := range text {
			lines = append(lines, answer.TellingLine{Number: i + 1, Text: line})
		}
		dropOthers(lines, map[int]bool{8: true}, all[asked:asked+1], all)
		got := ""
		for _, l := range lines {
			if l.Dull {
				got += "x"
			} else {
				got += "-"
			}
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", all[asked].Name, got, want)
		}
	}
}

// The line of a declaration is found even if the signature takes several lines, but not in a further part of the
// definition.
func TestDeclarationLine(t *testing.T) {
	for text, want := range map[string]int{
		"# Wraps.\ndef wrap_text(\n    text: str,\n) -> str:\n    pass": 1,
		"def wrap_text(text: str) -> str:\n    pass":                    0,
		"    return text.wrap_text\n    pass":                           -1,
		"    # Wraps.\n    @cached def wrap_text( text: str, ) -> str:": 1,
		"    @cached\n    def wrap_text( text: str, ) -> str:":          1,
		"static int\nwrap_text(char *text,\n    int width)\n{":          1,
		"static int\nunwrap()\n\twrap_text(other, 2);":                  -1,
	} {
		c := code("wrap_text", text)
		c.Metadata.SymbolSignature = "def wrap_text( text: str, ) -> str"
		if strings.HasPrefix(text, "def wrap_text(text") {
			c.Metadata.SymbolSignature = "def wrap_text(text: str) -> str"
		}
		if strings.HasPrefix(text, "static") {
			c.Metadata.SymbolSignature = "static int wrap_text(char *text, int width)"
		}
		lines := newTextLines(c)
		line, found := declarationLine(c, lines, make([]bool, lines.count()))
		if found != (want >= 0) || found && line != want {
			t.Errorf("%q: line %d, %v", text, line, found)
		}
	}
}

func TestImportLines(t *testing.T) {
	imports := []string{`import a`, `import (`, `from a import b`, `#include <a.h>`, `# import a`, `@import "a";`, `use a::b;`, `use a::{b, c};`, `using System.IO;`, `package a;`,
		`require "a"`, `require('a');`, `require_relative "a"`, `require A.B`, `extern crate a;`, `library(a)`, `open A.B`, `alias A.B`, `const a = require("a")`, `let a = require("a")`,
		`var a = require("a")`, `local a = require("a")`}
	for _, line := range imports {
		if !isImport(line) {
			t.Errorf("%q is no import", line)
		}
	}
	for _, line := range []string{"", "important()", "#define a", "returns = a", "used::a;", "import.meta.url", "from here to there", "# imports", "@importance", "use(a);", "using System.IO",
		"package of goods", "require(a)", "require_relative a", "extern crates", "library of a", "open a", "alias a", "const a = b"} {
		if isImport(line) {
			t.Errorf("%q is an import", line)
		}
	}
}

// A question is answered by the constant of a list whose lines, with the comments above them, have its words; by none
// if two constants have them equally.
func TestQuestionSinglesOutASymbol(t *testing.T) {
	c := &record.Chunk{ID: "a.go", ChunkType: record.Data, Text: "// Lines 1-7\n// The largest number of headers.\nconst MaxHeaders = 200\n// The largest number of parameters\n// that a request may have.\nconst MaxParameters = 1000\n// The names of parameters are decoded.\nconst Decode = true\n",
		Metadata: record.Metadata{FilePath: "a.go", Language: "go", StartLine: 1, EndLine: 7, Symbols: []record.SymbolRef{{Name: "MaxHeaders", Line: 2}, {Name: "MaxParameters", Line: 5}, {Name: "Decode", Line: 7}}}}
	for question, want := range map[string]string{
		"largest number of parameters":   "MaxParameters",
		"largest number of headers":      "MaxHeaders",
		"number of headers in a request": "", // each has two of the words
		"names decoded":                  "Decode",
		"largest number":                 "", // two have it
		"decode":                         "", // one word stands anywhere
		"sort a list":                    "",
	} {
		text := newTextLines(c)
		got := ""
		if s := text.singled(text.matches(PlainNeedles(question))); s != nil {
			got = s.Name
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", question, got, want)
		}
	}
}

// Of the settings before the text of a page, its title and what matches are shown.
func TestFrontMatterIsDull(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"---\nlayout: page\ntitle: Offline\npermalink: /usage/offline/\n---\n# Offline", "xx--x-"},
		{"# Offline\n---\nlayout: page\n---", "----"},
		{"---\nText below a rule.", "--"},
		{"+++\ntitle = \"Offline\"\nweight = 2\n+++\n# Offline", "x-xx-"},
	} {
		c := code("", tt.text)
		c.ChunkType = record.Documentation
		text := newTextLines(c)
		matched, needles := text.matches(PlainNeedles("usage"))
		got := ""
		for _, l := range tellingLines(c, text, matched, needles, &Finder{Dull: DullFor([]string{"usage"})}) {
			if l.Dull {
				got += "x"
			} else {
				got += "-"
			}
		}
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}
