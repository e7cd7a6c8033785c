package facts

import (
	"cortex/lib/record"
)

// A Tree is all that resolution knows of one source tree.
type Tree struct {
	Name     string
	Files    []*File // sorted by path
	ByPath   map[string]*File
	prepared []any // by family
	Names    *names
}

// File returns the file at the path, relative to the root of the tree and clean; nil if there is none.
func (t *Tree) File(path string) *File { return t.ByPath[path] }

// Prepared returns what Rules.Prepare has made for the family of the file, nil during that.
func (t *Tree) Prepared(f *File) any { return t.prepared[f.Family] }

// SetPrepared keeps what is made for the families, by their numbers.
func (t *Tree) SetPrepared(made []any) { t.prepared = made }

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

	Names   *names
	Family  int
	Space   int32 // of the package, or of the file alone
	Number  int32
	Symbols []Symbol
	// Further are the further declarations of symbols, in the order of these.
	Further []Further
	// References are those that other files can see.
	References []Reference
	Typings    []typing
	// strings are those of the facts, and rest the references that no other file can see.
	strings *factStrings
	rest    Reader
}

// Further is one more declaration of a symbol, such as an overload, in lines as in Symbol.
type Further struct{ Symbol, Start, End, Doc int32 }

// A Declaration is one symbol of a file.
type Declaration struct {
	File *File
	Kind record.Kind
	// Name is the last part of Qualified.
	Name, Qualified string
	Signature       string
	Exported, Test  bool
}

// An Implied edge.
type Implied struct {
	Relation record.Relation
	From, To *Declaration
}

// An ImpliedOmission is an Omission at a declaration.
type ImpliedOmission struct {
	Declaration *Declaration
	Relation    record.Relation
	Incoming    bool
	Held, Found int
}
