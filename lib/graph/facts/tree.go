package facts

import (
	"cortex/lib/record"
)

// A Tree has the files of one source tree, for resolution.
type Tree struct {
	Name     string
	Files    []*File // sorted by path
	ByPath   map[string]*File
	prepared []any // results of Rules.Prepare by family
	Names    *names
}

// File returns the file at the path, relative to the root of the tree and clean; nil if there is none.
func (t *Tree) File(path string) *File { return t.ByPath[path] }

// Prepared returns the result of Rules.Prepare for the family of the file; nil while Prepare runs.
func (t *Tree) Prepared(f *File) any { return t.prepared[f.Family] }

// SetPrepared sets the results of Rules.Prepare, by family.
func (t *Tree) SetPrepared(made []any) { t.prepared = made }

// A File is one file of a Tree.
type File struct {
	// Path is relative to the root of the tree.
	Path     string
	Language string
	Package  string
	Test     bool
	// Mappings are set for manifests.
	Mappings []record.Mapping

	Names   *names
	Family  int
	Space   int32 // number of the package, or of the file if it has none
	Number  int32
	Symbols []Symbol
	// Further lists further declarations, in the order of Symbols.
	Further []Further
	// References has only the references that other files can see; All reads the others too.
	References []Reference
	Typings    []typing
	// rest has the encoded references that no other file can see.
	strings *factStrings
	rest    Reader
}

// Further is one more declaration of a symbol, such as an overload: the position in File.Symbols, and lines as in Symbol.
type Further struct{ Symbol, Start, End, Doc int32 }

// A Declaration is a Symbol with strings in place of numbers.
type Declaration struct {
	File *File
	Kind record.Kind
	// Name is the last part of Qualified.
	Name, Qualified string
	Signature       string
	Exported, Test  bool
}

// An Implied edge follows from declarations, without a reference.
type Implied struct {
	Relation record.Relation
	From, To *Declaration
}

// An ImpliedOmission is an edge.Omission of a declaration.
type ImpliedOmission struct {
	Declaration *Declaration
	Relation    record.Relation
	Incoming    bool
	Held, Found int
}
