package chunk_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"cortex/lib/chunk"
	"cortex/lib/record"
)

func goFile(text string, symbols ...record.Symbol) *record.File {
	return &record.File{FilePath: "a.go", Language: "go", Status: record.StatusOK, Text: text, Symbols: symbols}
}

func symbol(kind record.Kind, name string, startLine, endLine, startByte, endByte int) record.Symbol {
	return record.Symbol{Kind: kind, Name: name, QualifiedName: name, StartLine: startLine, EndLine: endLine, StartByte: startByte, EndByte: endByte, BodyByte: startByte + 1}
}

// TestHostile uses records that no parser makes. Their chunks must have the usual properties.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("cuts large files")
	}
	many := make([]record.Symbol, 100_000)
	var text strings.Builder
	for i := range many {
		many[i] = symbol(record.Function, "f", i+1, i+1, text.Len(), text.Len()+9)
		text.WriteString("func f(){}\n")
	}
	oneLine := make([]record.Symbol, 100_000)
	for i := range oneLine {
		oneLine[i] = symbol(record.Function, fmt.Sprint("f", i), 1, 1, i, i+1)
	}
	deep := make([]record.Symbol, 100_000)
	for i := range deep {
		deep[i] = symbol(record.Class, "C", i+1, 200_000-i, 2*i, 2*(200_000-i))
	}
	var values strings.Builder
	constants := make([]record.Symbol, 40_000)
	for i := range constants {
		constants[i] = symbol(record.Constant, fmt.Sprint("C", i), i+1, i+1, values.Len(), values.Len()+3)
		if i%2 == 1 {
			constants[i].QualifiedName = strings.Repeat("Outer.", 30) + constants[i].Name
		}
		values.WriteString("C=1\n")
	}
	tags := make([]string, 100_000)
	for i := range tags {
		tags[i] = fmt.Sprint(i)
	}
	long := strings.Repeat("word ", 1000) + "\n" + strings.Repeat("é", 5000) + "\nlast\n"
	for name, f := range map[string]*record.File{
		"many symbols":       goFile(text.String(), many...),
		"many on one line":   goFile(strings.Repeat("f", 100_000), oneLine...),
		"many constants":     goFile(values.String(), constants...),
		"deep":               goFile(strings.Repeat("x\n", 200_000), deep...),
		"long lines":         goFile(long, symbol(record.Function, "f", 1, 2, 0, len(long)-5)),
		"long line in a var": goFile(long, symbol(record.Variable, "v", 1, 2, 0, len(long)-5)),
		"long plain line":    {FilePath: "a.txt", Language: "make", Status: record.StatusUnsupported, Text: long},
		"plain":              {FilePath: "a.x", Status: record.StatusError, Text: strings.Repeat("some text\n", 5000)},
		"wrong order":        goFile("a\nb\nc\n", symbol(record.Function, "c", 3, 3, 4, 5), symbol(record.Function, "a", 1, 1, 0, 1)),
		"overlapping":        goFile("a\nb\nc\nd\n", symbol(record.Function, "a", 1, 3, 0, 5), symbol(record.Function, "b", 2, 4, 2, 7)),
		"newline in a name":  goFile("a\nb\n", symbol(record.Function, "a\nb\x00\u0085", 1, 2, 0, 3)),
		"huge name":          goFile("a\nb\n", symbol(record.Class, strings.Repeat("ab", 100_000), 1, 2, 0, 3)),
		"mid-line":           goFile("aa bb\ncc dd\n", symbol(record.Function, "a", 1, 2, 1, 8), symbol(record.Struct, "b", 2, 2, 9, 11)),
		"outside":            goFile("a\nb\n", symbol(record.Function, "a", -5, 1<<40, -7, 1<<50)),
		"name like a part":   goFile("a\nb\nc\n", symbol(record.Function, "a", 1, 1, 0, 1), symbol(record.Function, "a~2", 2, 2, 2, 3), symbol(record.Function, "a", 3, 3, 4, 5)),
		"breaks outside":     {FilePath: "a.go", Language: "go", Status: record.StatusOK, Text: strings.Repeat("call(1)\n", 5000), Breaks: []record.Break{{-1, -1}, {1 << 40, 3}, {7, 1 << 40}, {5, 0}}},
		"carriage returns":   goFile("a\r\n\r\nb\r\n", symbol(record.Function, "a", 1, 1, 0, 1)),
		"blank":              goFile(" \n\t\n\n"),
		"empty":              goFile(""),
		"many tags":          {FilePath: "a.go", Language: "go", Status: record.StatusOK, Text: "a\n", Tags: tags},
		"document tags":      {FilePath: "a.md", Language: "markdown", Status: record.StatusOK, Text: "a\n", Tags: tags},
	} {
		t.Run(name, func(t *testing.T) {
			checkChunks(t, f, chunk.File(f, "", chunk.DefaultOptions()), chunk.DefaultOptions())
		})
	}
}

// FuzzFile reads symbols and breaks from raw bytes, so that any spans may occur.
func FuzzFile(f *testing.F) {
	f.Add("package a\n\nfunc b() {\n}\n", []byte{0, 3, 4, 11, 24, 20, 3, 0}, uint8(0))
	f.Add("class A:\n  x = 1\n  def f(self):\n    pass\n", []byte{2, 1, 4, 0, 40, 8, 1, 0, 0, 3, 4, 20, 40, 33, 0, 0, 11, 2, 2, 11, 16, 0, 0, 0}, uint8(1))
	f.Add(strings.Repeat("\tword word word word\n", 300), []byte{0, 1, 255, 0, 255, 9, 0, 0}, uint8(2))
	names := []string{"f", "f\n", "A.f", "f~2", "", "é"}
	f.Fuzz(func(t *testing.T, text string, spans []byte, flags uint8) {
		text = strings.ToValidUTF8(text, "?") // as the reader of records sees to
		file := &record.File{FilePath: "a", Language: []string{"go", "python", "css", "nothing"}[flags&3], Status: record.Statuses[flags>>2&3], Text: text}
		for ; len(spans) >= 8; spans = spans[8:] {
			n := func(i int) int { return int(spans[i]) }
			name := names[n(7)%len(names)]
			file.Symbols = append(file.Symbols, record.Symbol{
				Kind: record.Kinds[n(0)%len(record.Kinds)], Name: name, QualifiedName: name, Signature: text[:min(len(text), 300)],
				StartLine: n(1) - 2, EndLine: n(2) - 2, StartByte: n(3) * 3, EndByte: n(4) * 3, BodyByte: n(5) * 3, DocLine: n(6),
				Doc: name, Test: n(7)&64 != 0,
			})
			file.Breaks = append(file.Breaks, record.Break{int(binary.LittleEndian.Uint16(spans)), n(2)})
		}
		file.Breaks = file.Breaks[:min(len(file.Breaks), int(flags))]
		opts := chunk.DefaultOptions()
		opts.CodeSize, opts.DocSize, opts.Overlap = 200, 200, 50
		checkChunks(t, file, chunk.File(file, "", opts), opts)
	})
}
