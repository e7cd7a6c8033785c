package facts

import (
	"iter"
	"slices"
	"strings"

	"cortex/lib/record"
)

// Declarations yields the symbols of the file, sorted by qualified name. Methods that an interface requires are included.
func (f *File) Declarations() iter.Seq[*Declaration] {
	return func(yield func(*Declaration) bool) {
		for i := range f.Symbols {
			if !yield(f.DeclarationOf(&f.Symbols[i])) {
				return
			}
		}
	}
}

// Declaration returns the symbol with the qualified name, nil if there is none.
func (f *File) Declaration(qualified string) *Declaration {
	if s := f.Find(qualified); s != nil {
		return f.DeclarationOf(s)
	}
	return nil
}

// EachReference yields the references that other files can see, such as imports and base types, without lines.
func (f *File) EachReference() iter.Seq[*record.Reference] {
	return func(yield func(*record.Reference) bool) {
		for i := range f.References {
			if !yield(f.ReferenceOf(&f.References[i])) {
				return
			}
		}
	}
}

// EachTyping yields the typings of the file, sorted by symbol, name and line.
func (f *File) EachTyping() iter.Seq[*record.Typing] {
	return func(yield func(*record.Typing) bool) {
		for i := range f.Typings {
			if !yield(f.TypingOf(&f.Typings[i])) {
				return
			}
		}
	}
}

// All returns all references of the file in the order of their symbols and lines.
func (f *File) All() ([]Reference, error) {
	r := f.rest
	var lines []int32
	count := r.Count()
	list := make([]Reference, 0, count+len(f.References))
	visible := f.References
	for i := range count + len(f.References) {
		if len(visible) > 0 && int(visible[0].place) == i {
			list = append(list, visible[0])
			visible = visible[1:]
			continue
		}
		list = append(list, f.strings.reference(&r, &lines))
	}
	if r.Fault || len(visible) > 0 {
		return nil, ErrFacts
	}
	return list, nil
}

// Find returns the symbol with the qualified name, nil if there is none.
func (f *File) Find(qualified string) *Symbol {
	i, ok := slices.BinarySearchFunc(f.Symbols, qualified, func(s Symbol, q string) int { return strings.Compare(f.Names.Of(s.Qualified), q) })
	if !ok {
		return nil
	}
	return &f.Symbols[i]
}

// DeclarationOf returns s with strings in place of numbers.
func (f *File) DeclarationOf(s *Symbol) *Declaration {
	n := f.Names
	return &Declaration{File: f, Kind: record.Kinds[s.Kind], Name: n.Of(s.Name), Qualified: n.Of(s.Qualified), Signature: s.Signature,
		Exported: s.Flags&ExportedFlag != 0, Test: f.Test || s.Flags&TestFlag != 0}
}

// ReferenceOf returns r with strings in place of numbers, without its lines.
func (f *File) ReferenceOf(r *Reference) *record.Reference {
	n := f.Names
	return &record.Reference{Relation: record.Relations[r.Relation], Symbol: n.Of(r.Symbol), Name: n.Of(r.Name), Receiver: n.Of(r.Receiver),
		Module: n.Of(r.Module), Alias: n.Of(r.alias)}
}

// TypingOf returns t with strings in place of numbers.
func (f *File) TypingOf(t *typing) *record.Typing {
	n := f.Names
	return &record.Typing{Symbol: n.Of(t.Symbol), Name: n.Of(t.Name), Value: n.Of(t.Value), Signature: t.Signature, Line: int(t.line)}
}

// SharedFolders returns the number of leading folders that two paths have in common.
func SharedFolders(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}
