// Package language has the rules by which names get their meaning in each family of languages, one row of Rules each: what an import means, what a package is, and which
// files see each other's names. Package resolve asks the rules. The rules read trees of facts and know nothing of resolution.
//
// Begin with rules.go. Each family has a file, and all.go is the table.
package language

import (
	"slices"

	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// Rules are what a family of languages has of its own in the meaning of names. Every field may be left out; a language without
// rules knows the names of each file there alone, and beyond that what is unique in the tree.
//
// The functions get files and trees only to look at them, from several goroutines at once. Their results must follow from
// their arguments.
type Rules struct {
	// Languages are names in lib/language. Files of one family may refer to each other, and to no others.
	Languages []string
	// Prepare makes what the other functions need to know of the tree, which they get from Tree.Prepared. files are those of the
	// family, and all files with mappings, sorted by path.
	Prepare func(t *facts.Tree, files []*facts.File) any
	// Foreign tells that files can import those of other families, by names that hold what stands before the first dot of the file's name, or index.
	// Without it the rules see no such files but manifests.
	Foreign bool
	// Package is the key of the package, module or namespace with whose files the file shares its top-level names; "" if it shares them
	// with no other. It is compared with those of the family alone.
	Package func(t *facts.Tree, f *facts.File) string
	// Wide tells that a package spans folders in which the same name can be another thing, as where one key serves for the whole
	// tree: of several, those nearest to the file are meant.
	Wide bool
	// Variants tells that several declarations of one name in a package that are equally near are one thing, made differently for systems of
	// several kinds, and none of several candidates.
	Variants bool
	// Overloads tells that what several files declare under one name for a type are overloads, of which only the arguments tell which is meant: all
	// count, whatever their distance.
	Overloads bool
	// Means leaves, of declarations of one name in the package but outside of the file, those that the file can mean; it may change the slice.
	Means func(t *facts.Tree, f *facts.File, decls []facts.Decl) []facts.Decl
	// Import says what an import of the file means. Of several with one Local name the first counts that leads to something.
	Import func(t *facts.Tree, f *facts.File, ref *record.Reference) []Import
	// Absolute says what the beginning of a path means whose first part neither the file nor its package declares or imports, such as
	// crate::a::b or com.example.Name, and how many parts it takes; 0 for nothing.
	Absolute func(t *facts.Tree, f *facts.File, parts []string) (Import, int)
	// Submodule is the module of the name that lies in a module, where that follows from the folders; nil if there is none.
	Submodule func(t *facts.Tree, f *facts.File, name string) *facts.File
	// ImplicitThis tells that a bare name in a member of a type can be a member of it.
	ImplicitThis bool
	// Scattered tells that members of a type may be declared in files that do not share their names with the type's.
	Scattered bool
	// FileFunctions tells that functions outside of all types and modules are known in their file alone, and where that is imported.
	FileFunctions bool
	// TypeCall is the relation of a call of a type's name, Instantiates if it is "".
	TypeCall record.Relation
	// CalledTypes tells that functions with the name of a type are its constructors: a call means them and the type.
	CalledTypes bool
	// Constructors are names of calls on a type that make an instance of it if the type declares no such member.
	Constructors []string
	// Getters tells that a method that is named without a call can stand for its result, as a property does.
	Getters bool
	// Forwards are members by which a type makes its values stand for those of its type argument, as __get__ does.
	Forwards []string
	// Target is the name of the member type that says what the values of a type with a member of Forwards stand for. With it, values of types outside of the
	// tree are taken to stand for those of their only type argument.
	Target string
	// Hiding are members of what holds values, such as Option: on a value that stands for another, they are likelier those of a holder around it.
	Hiding []string
	// Pointers are types outside of the tree whose values are used as those of their first type argument.
	Pointers []string
	// Markers are types outside of the tree from which no members come that code names, as from typing.Generic.
	Markers []string
	// Unexported says who can refer to what is not exported.
	Unexported Reach
	// Builtin reports whether a name that nothing near declares is one of the language, not to be looked for in the tree; member
	// tells that it stands behind a receiver.
	Builtin func(name string, member bool) bool
	// Passes says which members, where the type of a value declares none of the name, give back the value or an element of it, as unwrap or first do.
	Passes func(name string) Pass
	// Implied are the edges that no reference says, such as from a type to an interface whose methods it has, and where there are more. Since
	// they could grow with the square of the declarations, their number has to be bounded by that of the declarations that Builder.news looks at.
	Implied func(t *facts.Tree, files []*facts.File) ([]facts.Implied, []facts.ImpliedOmission)
}

// An Import is one meaning of an import.
type Import struct {
	// Local is the name by which the file knows what is imported, with dots if it has several parts; "" for none.
	Local string
	// All tells that the file knows the names in it as they are, too.
	All bool
	// One of the three says where it lies: in files of the tree, of which the first counts that has the name; in the package of a key as
	// Rules.Package gives; or outside of the tree, with the name of the module there.
	Files    []*facts.File
	Package  string
	External string
	// Name is what is taken from it, with dots if it has several parts; "" for the module itself.
	Name string
}

// Pass is what a member gives back.
type Pass int

// The passes.
const (
	PassNothing Pass = iota
	PassSame
	PassElement
	// PassList and PassItem are the list and an element of it; of what is no list they are nothing.
	PassList
	PassItem
	// PassHeld is the value, of a member that belongs to what holds it, such as a task, and not to its type.
	PassHeld
)

// Reach says from where something can be referred to.
type Reach int

// The reaches.
const (
	ReachTree Reach = iota
	ReachPackage
	ReachFile
)

// IsBuiltin reports what Builtin does, false if there is none.
func (r *Rules) IsBuiltin(n string, member bool) bool {
	return r.Builtin != nil && r.Builtin(n, member)
}

// Constructs reports whether a call of the name on a type makes an instance.
func (r *Rules) Constructs(n string) bool { return slices.Contains(r.Constructors, n) }

// IsMarker reports whether no members come from a type outside of the tree.
func (r *Rules) IsMarker(external string) bool { return slices.Contains(r.Markers, external) }

// IsPointer reports whether values of a type outside of the tree are used as those of its first type argument.
func (r *Rules) IsPointer(external string) bool { return slices.Contains(r.Pointers, external) }

// CalledType is the relation of a call of a type's name.
func (r *Rules) CalledType() record.Relation {
	if r.TypeCall == "" {
		return record.Instantiates
	}
	return r.TypeCall
}
