// Package language has the rules of name resolution that differ among families of languages, one value of Rules for
// each family: what an import means, what a package is, which files see each other's names. Package resolve calls the
// functions of Rules with a tree of facts.
//
// Begin with rules.go. all.go is the table of families; the other files have one or several families each.
package language

import (
	"cmp"
	"slices"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// Rules are the rules of name resolution of one family of languages. Every field may be zero. In a language without
// rules, a name means a declaration in its own file, or one that is unique in the tree.
//
// The functions are called from several goroutines at once and must not change files and trees. Their results must
// depend only on their arguments.
type Rules struct {
	// Languages are names in lib/language. Files of one family may refer to each other, and to no others.
	Languages []string
	// Prepare returns an index of the tree for the other functions, which get it from Tree.Prepared. files are the
	// files of the family and all files with mappings, sorted by path.
	Prepare func(t *facts.Tree, files []*facts.File) any
	// Foreign is set if files can import files of other families, by names that contain the part of the file's name
	// before its first dot, or by the folder of an index file. Otherwise the rules see only the manifests among such
	// files.
	Foreign bool
	// Package returns the key of the package, module or namespace whose files share their top-level names; "" for a
	// file that shares them with no other. Keys are compared within the family.
	Package func(t *facts.Tree, f *facts.File) string
	// Wide is set if a package spans folders that can use one name for different things, as where the whole tree is one
	// package. Of several declarations, those nearest to the file are meant.
	Wide bool
	// Variants is set if several equally near declarations of one name in a package are variants of one thing for
	// different systems, so that all are meant. Otherwise they are candidates.
	Variants bool
	// Overloads is set if members of one name that several files declare for a type are overloads. Since only the
	// arguments tell which one is meant, all are targets, whatever their distance.
	Overloads bool
	// Means returns those of decls, declarations of one name in other files of the package, that the file can mean. It
	// may change the slice.
	Means func(t *facts.Tree, f *facts.File, decls []facts.Decl) []facts.Decl
	// Import returns the meanings of an import of the file. Of several with one Local name, the first counts that has a
	// target.
	Import func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import
	// Absolute returns the meaning of the beginning of a path, such as crate::a::b or com.example.Name, whose first
	// part is neither declared nor imported by the file or its package, and how many parts that is; 0 if the path has
	// no meaning.
	Absolute func(t *facts.Tree, f *facts.File, parts []string) (Import, int)
	// Outer is the path of the module around the present one, if a file may have several modules within each other.
	Outer string
	// Submodule returns the module of the name within the module f, if folders define that; nil if there is none.
	Submodule func(t *facts.Tree, f *facts.File, name string) *facts.File
	// ImplicitThis is set if a bare name in a member of a type can mean a member of the type.
	ImplicitThis bool
	// Scattered is set if members of a type may be declared outside of the type's package.
	Scattered bool
	// Tops lists, by language, types from outside of the tree whose values code often treats as those of a derived type, such
	// as Object. In a language that it has, values of other types that the tree does not declare have no members of the tree
	// but those that it adds to such types. With an empty list, this holds for T::f() but not for values, as in Rust.
	Tops map[string][]string
	// Enclosed is set if a name that types declare within themselves, as a type parameter's may be, means nothing elsewhere.
	Enclosed bool
	// FileFunctions is set if functions outside of types and modules are visible only in their file and in files that
	// import it.
	FileFunctions bool
	// TypeCall is the relation of a call of a type's name, Instantiates if it is "".
	TypeCall record.Relation
	// CalledTypes is set if functions with the name of a type are its constructors: a call means them and the type.
	CalledTypes bool
	// Constructors lists members of a type whose calls make an instance, if the type does not declare them otherwise.
	Constructors []string
	// Getters is set if the name of a method without a call can stand for its result, as that of a property does.
	Getters bool
	// CalledFields is set if a call of a member may mean a field, as one that attr_reader of Ruby declares.
	CalledFields bool
	// Default names the default export of a module, which as a value also has the other exports, as in CommonJS.
	Default string
	// Extensions is set if functions with a typing named record.Extended can be called as members of that type, if the type
	// has no such member itself.
	Extensions bool
	// ImplicitReceivers is set if a call without receiver may have one of unknown type, such as that of a lambda.
	ImplicitReceivers bool
	// Untyped is set if functions outside of the tree often return values of types in the tree.
	Untyped bool
	// Forwards lists members, such as __get__, that make a value of their type stand for a value of the type argument.
	Forwards []string
	// Target names the member type that tells for which type a type with a member of Forwards stands. If Target is set,
	// values of types outside of the tree are assumed to stand for values of their only type argument.
	Target string
	// Hiding lists members of wrappers such as Option. Called on a value that stands for another one, they are taken
	// for members of a wrapper, not of that other value.
	Hiding []string
	// Pointers lists types outside of the tree whose values are used as values of their first type argument.
	Pointers []string
	// Markers lists base types outside of the tree, such as typing.Generic, that have no members which code names.
	Markers []string
	// Unexported is the scope in which symbols that are not exported are visible.
	Unexported Reach
	// Builtin reports whether a name without a nearby declaration belongs to the language or its library, so that it is
	// not looked for in the tree. member is set if the name has a receiver.
	Builtin func(name string, member bool) bool
	// Passes returns whether a member such as unwrap or first, which the receiver's type does not declare, returns the
	// receiver or an element of it.
	Passes func(name string) Pass
	// Implied returns the edges that follow from declarations without a reference, such as from a type to an interface
	// whose methods it has, and omissions where there are more. They must be bounded in number, and must depend only on
	// declarations for whose change the builder's method news, in package graph, makes it resolve the whole unit.
	Implied func(t *facts.Tree, files []*facts.File) ([]facts.Implied, []facts.ImpliedOmission)
}

// An Import is one meaning of an import.
type Import struct {
	// Local is the name by which the file refers to the import, with dots if it has several parts; "" for none.
	Local string
	// All is set if the file can use the names in the imported module without a qualifier.
	All bool
	// One of the next three is set: files of the tree, of which the first counts that has the name; the key of a
	// package, as Rules.Package returns it; or the name of a module outside of the tree.
	Files    []*facts.File
	Package  string
	External string
	// Name is the imported name in the module, with dots if it has several parts; "" for the module itself.
	Name string
}

// Pass is how the result of a member relates to its receiver.
type Pass int

// PassSame is the receiver itself, PassElement an element of it, or the receiver if it is no list.
const (
	PassNothing Pass = iota
	PassSame
	PassElement
	// PassList and PassItem are PassSame and PassElement for lists only.
	PassList
	PassItem
	// PassHeld is the receiver, for a member of its wrapper, such as a task, that the receiver's type itself does not
	// have.
	PassHeld
)

// Reach is the scope in which a symbol is visible.
type Reach int

const (
	ReachTree Reach = iota
	ReachPackage
	ReachFile
)

// IsBuiltin calls Builtin; without it, it returns false.
func (r *Rules) IsBuiltin(n string, member bool) bool {
	return r.Builtin != nil && r.Builtin(n, member)
}

// Constructs reports whether the name is in Constructors.
func (r *Rules) Constructs(n string) bool { return slices.Contains(r.Constructors, n) }

// IsMarker reports whether a type outside of the tree is in Markers.
func (r *Rules) IsMarker(external string) bool { return slices.Contains(r.Markers, external) }

// IsPointer reports whether a type outside of the tree is in Pointers.
func (r *Rules) IsPointer(external string) bool { return slices.Contains(r.Pointers, external) }

// CalledType returns the relation of a call of a type's name.
func (r *Rules) CalledType() record.Relation {
	return cmp.Or(r.TypeCall, record.Instantiates)
}
