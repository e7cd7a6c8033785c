package search

import (
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
)

func TestDullLines(t *testing.T) {
	for name, test := range map[string]struct{ text, dull string }{
		"notice in lines":      {"// Copyright 2020 A. U. Thor\n// All of it.\n\n// Serve serves.\nfunc Serve() {}", "xx---"},
		"notice in a block":    {"/*\n Licensed under X.\n See LICENSE.\n*/\nint serve(void);", "xxxx-"},
		"notice in a document": {"/**\n * Module x.\n * Copyright Y.\n *\n * It serves.\n */\nint serve(void);", "xxx----"},
		"notice in a string":   {`"""Copyright.` + "\nAll rights reserved.\n\"\"\"\ndef serve(): pass", "xxx-"},
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
		c := chunk("a.x", "", test.text)
		c.Metadata.StartLine, c.Metadata.EndLine = 1, 1+strings.Count(test.text, "\n")
		text := newTextLines(c)
		dull := dullLines(c, text, dullFor([]string{"serve"}))
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
		if dullFor([]string{question})&notice != 0 {
			t.Errorf("%s: notices are dull", question)
		}
	}
	if dullFor([]string{"what does it import"})&imports != 0 {
		t.Error("imports are dull to who asks for them")
	}
}

// The constants and errors that a function uses come along if they have a word of the question.
func TestConstantsThatAHitUses(t *testing.T) {
	data := chunk("a.go", "", "// Lines 3-5\nconst maxAttempts = 5\nvar errGaveUp = errors.New(\"too many attempts\")\nconst attemptsUnused = 7", func(c *record.Chunk) {
		c.ID, c.ChunkType = "code-data-a.go", record.Data
		c.Metadata.StartLine, c.Metadata.EndLine, c.Metadata.SymbolType = 3, 5, ""
		c.Metadata.Symbols = []record.SymbolRef{{Name: "maxAttempts", Type: record.Constant, Line: 3}, {Name: "errGaveUp", Type: record.Variable, Line: 4}, {Name: "attemptsUnused", Type: record.Constant, Line: 5}}
		c.Metadata.Repeats = []record.LineRange{{1, 1}}
	})
	x := newIndex(t, []*record.Chunk{data, chunk("a.go", "Retry", "func Retry() error {\n\tfor range maxAttempts {\n\t\tcall()\n\t}\n\treturn errGaveUp\n}")})
	r := lexical(t, x, Request{Queries: []string{"retry attempts"}, Lines: true, Filter: Filter{ChunkTypes: []string{"implementations"}}})
	var got []string
	for _, l := range r.Results[0].Uses {
		got = append(got, l.Text)
	}
	if want := []string{"const maxAttempts = 5", `var errGaveUp = errors.New("too many attempts")`}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// The line that declares a function is found where its signature takes several lines, and in none of a further part.
func TestDeclarationLine(t *testing.T) {
	for text, want := range map[string]int{
		"# Wraps.\ndef wrap_text(\n    text: str,\n) -> str:\n    pass": 1,
		"def wrap_text(text: str) -> str:\n    pass":                    0,
		"    return text.wrap_text\n    pass":                           -1,
	} {
		c := chunk("a.py", "wrap_text", text)
		c.Metadata.SymbolSignature = "def wrap_text( text: str, ) -> str"
		if strings.HasPrefix(text, "def wrap_text(text") {
			c.Metadata.SymbolSignature = "def wrap_text(text: str) -> str"
		}
		line, found := declarationLine(c, newTextLines(c), nil)
		if found != (want >= 0) || found && line != want {
			t.Errorf("%q: line %d, %v", text, line, found)
		}
	}
}
