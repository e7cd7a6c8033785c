package graph

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

// Any file is found, in whatever place it is and however long the lines of others are, and none that is not there.
func TestFindFiles(t *testing.T) {
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 4))
		lines, b := map[string]string{}, NewBuilder()
		for i := range 1 + r.IntN(150) {
			f := &record.File{FilePath: fmt.Sprintf("é%d/#\"%d.go", r.IntN(9), i), Status: record.StatusOK, Language: "go"}
			for n := range r.IntN(30) * r.IntN(30) {
				name := fmt.Sprintf("f%d", n)
				f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Function, Name: name, QualifiedName: name, StartLine: 1, EndLine: 1,
					Signature: strings.Repeat("x", r.IntN(200)) + `,"kind":"file"`})
			}
			lines[f.FilePath] = build(t, f)
			b.Add("", f)
		}
		s := seeker{old: strings.NewReader(write(t, b, 2))}
		for path, want := range lines {
			got, err := s.find(path)
			if err != nil || string(got) != want {
				t.Fatalf("seed %d: %s: %v: %s", seed, path, err, cmp.Diff(want, string(got)))
			}
			for _, other := range []string{path[:len(path)-1], path + "x", "", "zz"} {
				if got, err := s.find(other); lines[other] == "" && (got != nil || err != nil) {
					t.Fatalf("seed %d: %q: %v: %s", seed, other, err, got)
				}
			}
		}
	}
}

// Files whose types have the methods of interfaces keep the edges that say so when something else of them changes.
func TestSplicedFilesKeepWhatTheyImplement(t *testing.T) {
	kept := 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		var files []*record.File
		for i := range 12 {
			f := &record.File{FilePath: fmt.Sprintf("p%d/f%d.go", i%3, i), Status: record.StatusOK, Language: "go", Package: fmt.Sprintf("p%d", i%3)}
			kind := []record.Kind{record.Struct, record.Interface}[r.IntN(2)]
			name := fmt.Sprintf("T%d", i)
			f.Symbols = append(f.Symbols, record.Symbol{Kind: kind, Name: name, QualifiedName: name, StartLine: 1, EndLine: 2, Exported: true})
			for m := range 4 {
				method := fmt.Sprintf("M%d", m)
				switch {
				case r.IntN(3) == 0:
				case kind == record.Interface:
					f.Typings = append(f.Typings, record.Typing{Symbol: name, Name: method, Value: "error", Signature: "() error", Line: 1})
				default:
					f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Method, Name: method, QualifiedName: name + "." + method, Parent: name, StartLine: 3, EndLine: 4, Exported: true,
						Signature: "func (t *" + name + ") " + method + "() error"})
					f.References = append(f.References, record.Reference{Relation: record.Calls, Symbol: name + "." + method, Name: fmt.Sprintf("help%d", r.IntN(3)), Lines: []int{4}})
				}
			}
			files = append(files, f)
		}
		before := build(t, files...)
		i := r.IntN(len(files))
		now := *files[i]
		switch r.IntN(3) {
		case 0:
			helper := fmt.Sprintf("help%d", r.IntN(3))
			now.Symbols = append(slices.Clone(now.Symbols), record.Symbol{Kind: record.Function, Name: helper, QualifiedName: helper, StartLine: 9, EndLine: 9})
		case 1:
			now.References = nil
		case 2:
			now.Symbols = slices.Clone(now.Symbols)
			for i := range now.Symbols {
				now.Symbols[i].StartLine += 7
				now.Symbols[i].EndLine += 7
			}
		}
		files[i] = &now
		b := NewBuilder()
		b.Put("", now.FilePath, b.Facts(&now))
		ok, err := b.Outline(context.Background(), strings.NewReader(before), strings.NewReader(before), "graph", 2, func(path string) bool { return path != now.FilePath })
		if err != nil || !ok {
			t.Fatalf("seed %d: %v, %v", seed, ok, err)
		}
		for _, p := range b.places {
			if !p.keep && strings.Contains(before[p.offset:p.end], `"edge":"implements"`) {
				kept++
			}
		}
		var out bytes.Buffer
		if err := b.Splice(context.Background(), strings.NewReader(before), &out, 2); err != nil {
			t.Fatal(err)
		}
		if want := build(t, files...); out.String() != want {
			t.Fatalf("seed %d: %s", seed, cmp.Diff(want, out.String()))
		}
	}
	if kept < 30 {
		t.Errorf("%d files that are written anew implement something", kept)
	}
}
