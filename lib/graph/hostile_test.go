package graph

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"cortex/lib/graph/language"
	"cortex/lib/record"
)

// A receiver with an empty part, as in "ext..Y", is unknown.
func TestReceiverWithAnEmptyPart(t *testing.T) {
	for _, receiver := range []string{"ext..Y", "ext.", "ext..", "ext.a..b"} {
		file := &record.File{FilePath: "a.py", Status: record.StatusOK, Language: "python",
			Symbols: []record.Symbol{{Kind: record.Function, Name: "f", QualifiedName: "f", StartLine: 3, EndLine: 4}},
			References: []record.Reference{
				{Relation: record.Imports, Module: "ext", Lines: []int{1}},
				{Relation: record.Calls, Symbol: "f", Name: "run", Receiver: receiver, Lines: []int{4}},
			},
			Typings: []record.Typing{{Name: "Y", Value: receiver, Line: 1}},
		}
		if lines := build(t, file); strings.Contains(lines, `"external":"ext.`) {
			t.Errorf("%s: %s", receiver, lines)
		}
	}
}

// Records with names, modules and expressions that no parser writes cause no panic.
func TestHostileNames(t *testing.T) {
	var languages []string
	for _, rules := range language.All() {
		languages = append(languages, rules.Languages...)
	}
	seeds := uint64(200)
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 11))
		pick := func(list ...string) string { return list[r.IntN(len(list))] }
		text := func() string {
			var b strings.Builder
			for range r.IntN(5) {
				b.WriteString(pick("a", "b", "Ext", "C", ".", ".", "..", "()", "[]", "(", ")", "<", ">", ",", "0", "-1", "65535", "…", "this", "super", "*", "/", `\`, "@", ":", "é", " ", "crate", "self", "@/"))
			}
			return b.String()
		}
		of := pick(languages...)
		var files []*record.File
		for i := range 4 {
			f := &record.File{FilePath: fmt.Sprintf("%s/f%d", pick("a", "b", "src"), i), Status: record.StatusOK, Language: of, Package: text()}
			f.Symbols = []record.Symbol{{Kind: record.Kinds[r.IntN(len(record.Kinds))], Name: "C", QualifiedName: "C", StartLine: 1, EndLine: 9, Exported: true}}
			for range 3 {
				name := text()
				f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Kinds[r.IntN(len(record.Kinds))], Name: name, QualifiedName: "C." + name, Parent: "C", StartLine: 2, EndLine: 3, Signature: text()})
			}
			for range 12 {
				ref := record.Reference{Relation: record.Relations[r.IntN(len(record.Relations))], Name: text(), Receiver: text(), Symbol: pick("", "C", f.Symbols[1].QualifiedName), Lines: []int{1 + r.IntN(9)}}
				if r.IntN(2) == 0 {
					ref.Relation, ref.Module, ref.Alias, ref.Receiver = record.Imports, text(), pick("", "a", "Ext", text()), ""
					ref.Name = pick("", "*", text())
				}
				f.References = append(f.References, ref)
				f.Typings = append(f.Typings, record.Typing{Symbol: pick("", "C"), Name: pick("", "a", text()), Value: text(), Signature: text(), Line: 1})
			}
			f.Mappings = []record.Mapping{{Module: text(), Path: text()}}
			files = append(files, f)
		}
		func() {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("seed %d, %s: %v", seed, of, p)
				}
			}()
			b := NewBuilder()
			for _, f := range files {
				b.Add("", f)
			}
			if _, err := Build(context.Background(), b.sources, nil, Options{Jobs: 1}); err != nil {
				t.Errorf("seed %d, %s: %v", seed, of, err)
			}
		}()
	}
}
