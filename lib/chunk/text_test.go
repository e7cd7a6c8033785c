package chunk

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
)

func TestSplit(t *testing.T) {
	line := strings.Repeat("x", 39) + "\n"
	for _, test := range []struct {
		name   string
		text   string
		breaks []record.Break
		want   string // ranges of lines, counted from 0
	}{
		{"fits", strings.Repeat(line, 5), nil, "0-5"},
		{"at the lowest depth", strings.Repeat(line, 8), []record.Break{{3, 1}, {4, 0}, {5, 1}, {7, 1}}, "0-3 3-8"},
		{"in balance", strings.Repeat(line, 8), []record.Break{{3, 0}, {4, 0}, {5, 0}, {6, 0}}, "0-4 4-8"},
		{"with the comment above", strings.Repeat(line, 3) + "// why\n" + strings.Repeat(line, 4), []record.Break{{3, 1}, {5, 0}}, "0-3 3-8"},
		{"at blank lines without breaks", strings.Repeat(line, 3) + "\n" + strings.Repeat(line, 4), nil, "0-3 4-8"},
		{"not before what closes", line + line + line + "  a\n}\n" + line + line + line, nil, "0-5 5-8"},
		{"blank lines around", "\n\n" + line + "\n", nil, "2-3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := newSource(&record.File{Text: test.text, Breaks: test.breaks}, "//")
			var got []string
			for _, p := range src.split(0, src.Count(), 210) {
				got = append(got, fmt.Sprintf("%d-%d", p.First, p.Last))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("split at %v, want %s", got, test.want)
			}
		})
	}
}

func TestFirstSentence(t *testing.T) {
	for doc, want := range map[string]string{
		"":                               "",
		"One. Two.":                      "One.",
		"Wrapped\nover lines. More":      "Wrapped over lines.",
		"Paragraph\n\nnext":              "Paragraph",
		"Uses e.g. this one. Then more.": "Uses e.g. this one.",
		strings.Repeat("word ", 20):      "word word word word word word word word…",
	} {
		if got := firstSentence(doc, 40); got != want {
			t.Errorf("firstSentence(%q) = %q, want %q", doc, got, want)
		}
	}
}

func TestAbout(t *testing.T) {
	for name, test := range map[string]struct{ comment, text, want string }{
		"package comment": {"//", "// Copyright A.\n// All rights reserved.\n\n// Package a does it. Well.\npackage a\n", "Package a does it."},
		"docstring":       {"#", "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\"\"\"Reads the\nwhole file. Slowly.\n\"\"\"\nimport a\n", "Reads the whole file."},
		"block comment":   {"//", "/**\n * Draws a chart. Twice.\n */\nimport a\n", "Draws a chart."},
		"none":            {"//", "package a\n\n// Not about the file at all.\nfunc f() {}\n", ""},
	} {
		f := &record.File{Text: test.text}
		c := &cutter{f: f, src: newSource(f, test.comment)}
		c.lang.Comment = test.comment
		if got := c.about(); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// TestScraps uses a header with conditions between its macros: each condition is shown with the macros below it.
func TestScraps(t *testing.T) {
	text := "#ifndef A_H\n#define A_H\n\n#ifdef __APPLE__\n#define STAT fstat64\n#define TELL ftell64\n#else\n#define STAT stat\n#endif\n\n#if X\n#define Y 1\n#elif Z\n#define Y 2\n#endif\n#endif\n"
	f := &record.File{FilePath: "a.h", Language: "c", Status: record.StatusOK, Text: text}
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "#define") {
			at := strings.Index(text, line)
			name := strings.Fields(line)[1]
			f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Macro, Name: name, QualifiedName: name,
				StartLine: i + 1, EndLine: i + 1, StartByte: at, EndByte: at + len(line)})
		}
	}
	var got []string
	for _, c := range File(f, "", DefaultOptions()) {
		if c.ChunkType != record.Symbols {
			got = append(got, c.Text)
		}
	}
	want := []string{
		"// Lines 1-2\n#ifndef A_H\n#define A_H\n\n// Lines 4-9\n#ifdef __APPLE__\n#define STAT fstat64\n#define TELL ftell64\n#else\n#define STAT stat\n#endif\n\n" +
			"// Lines 11-16\n#if X\n#define Y 1\n#elif Z\n#define Y 2\n#endif\n#endif",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestOutlineOfManyValues bounds the outline of a style sheet.
func TestOutlineOfManyValues(t *testing.T) {
	f := &record.File{FilePath: "a.css", Language: "css", Status: record.StatusOK}
	for i := range 1000 {
		name := fmt.Sprintf(".rule-%d", i)
		f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Block, Name: name, QualifiedName: name,
			StartLine: i + 1, EndLine: i + 1, StartByte: len(f.Text), EndByte: len(f.Text) + len(name)})
		f.Text += name + " {}\n"
	}
	outlines := 0
	last := ""
	for _, c := range File(f, "", DefaultOptions()) {
		if c.ChunkType == record.Symbols {
			outlines++
			last = c.Text
		}
	}
	if outlines > 2 || !strings.Contains(last, " more") {
		t.Errorf("%d chunks of outline, the last %q", outlines, last)
	}
}

func TestSelectorsAreMembersOfTheirClass(t *testing.T) {
	names := outerNames([]string{"Shelf", "Shelf.add:at:", "Shelf.close:", "Other.add:at:", "a::B", "a::B::c", "x#y"})
	if got := strings.Join(names, " "); got != "Shelf Other.add:at: a::B x#y" {
		t.Errorf("got %s", got)
	}
}
