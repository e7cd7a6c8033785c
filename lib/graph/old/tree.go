package graph

import (
	"iter"

	"cortex/lib/record"
)

// A Tree is all that resolution knows of one source tree.
type Tree struct {
	name     string
	rules    []Rules
	files    []*File // sorted by path
	byPath   map[string]*File
	prepared []any // by family
	packages map[packageKey]int32
	names    *names
}

// packageKey is a key as Rules.Package gives, of a family.
type packageKey struct {
	family int
	key    string
}

// File returns the file at the path, relative to the root of the tree and clean; nil if there is none.
func (t *Tree) File(path string) *File { return t.byPath[path] }

// Prepared returns what Rules.Prepare has made for the family of the file, nil during that.
func (t *Tree) Prepared(f *File) any { return t.prepared[f.family] }

// A File is one file of a Tree.
type File struct {
	// Path is relative to the root of the tree.
	Path     string
	Language string
	// Package is that of the file's record.
	Package string
	Test    bool
	// Mappings are those of a manifest.
	Mappings []record.Mapping

	names      *names
	family     int
	space      int32 // of the package, or of the file alone
	number     int32
	symbols    []symbol
	references []reference
	typings    []typing
	// sorted tells that the facts are in their order.
	sorted bool
	// implied are the lines of the generation before that follow from declarations, if they were asked for, and omitted is the number of edges
	// that were left out there.
	implied []impliedLine
	omitted int
}

// A Declaration is one symbol of a file.
type Declaration struct {
	File *File
	Kind record.Kind
	// Name is the last part of Qualified.
	Name, Qualified string
	Signature       string
	Exported, Test  bool
}

// Declarations yields the symbols of the file, sorted by qualified name. Methods that are demanded by an interface are among them.
func (f *File) Declarations() iter.Seq[*Declaration] {
	return func(yield func(*Declaration) bool) {
		for i := range f.symbols {
			if !yield(f.declaration(&f.symbols[i])) {
				return
			}
		}
	}
}

// Declaration returns the symbol of the qualified name, nil if there is none.
func (f *File) Declaration(qualified string) *Declaration {
	if s := f.find(qualified); s != nil {
		return f.declaration(s)
	}
	return nil
}

// References yields what the file imports and what its types inherit from, without lines.
func (f *File) References() iter.Seq[*record.Reference] {
	return func(yield func(*record.Reference) bool) {
		for i := range f.references {
			if r := &f.references[i]; seenByOthers(record.Relations[r.relation]) && !yield(f.reference(r)) {
				return
			}
		}
	}
}

// Typings yields the typings of the file, sorted by symbol, name and line.
func (f *File) Typings() iter.Seq[*record.Typing] {
	return func(yield func(*record.Typing) bool) {
		for i := range f.typings {
			if !yield(f.typing(&f.typings[i])) {
				return
			}
		}
	}
}
