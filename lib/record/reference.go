package record

// Relation says how a reference uses the name.
type Relation string

// The relations.
const (
	// Imports: the file imports a module, or a name of one.
	Imports Relation = "imports"
	// Calls: a function, method or macro is called.
	Calls Relation = "calls"
	// Instantiates: an object or value of a type is made.
	Instantiates Relation = "instantiates"
	// Uses: a declaration or an expression names a type.
	Uses Relation = "uses"
	// Extends: a type inherits from a class, or an interface from an interface.
	Extends Relation = "extends"
	// Implements: a type declares that it implements an interface or trait.
	Implements Relation = "implements"
	// Embeds: a type includes the members of another: an embedded struct, a mixin.
	Embeds Relation = "embeds"
	// Passes: a function is used as a value, as in an argument or an assignment.
	Passes Relation = "passes"
)

// Relations lists every relation.
var Relations = []Relation{Imports, Calls, Instantiates, Uses, Extends, Implements, Embeds, Passes}

// A Reference is one or more lines of a file, within one symbol, that name the same thing in the same way. It holds the
// names as written; package graph resolves them.
type Reference struct {
	Relation Relation `json:"relation"`
	// Name is the last part of the name. For an import it is the imported name, "*" for all names of the module, and ""
	// for the module itself.
	Name string `json:"name,omitempty"`
	// Receiver is the expression before Name, "" if there is none.
	Receiver Expression `json:"receiver,omitempty"`
	// Module is the module of an import as written, without quotes.
	Module string `json:"module,omitempty"`
	// Alias is the name that the file gives to an import, if it differs.
	Alias string `json:"alias,omitempty"`
	// Symbol is the qualified name of the innermost symbol around the reference, "" at the top level.
	Symbol string `json:"symbol,omitempty"`
	// Lines are in ascending order, each once.
	Lines []int `json:"lines"`
}

// A Typing is the type of a field, of a variable of the file, or of the result of a function, as far as the syntax
// shows the type.
type Typing struct {
	// Symbol is the qualified name of the type that has the field, or of the function, "" at the top level.
	Symbol string `json:"symbol,omitempty"`
	// Name is the name of the field, variable or method, "" for the result of the function, Extended for the type as whose
	// member the function can be called, Base for a base of the type.
	Name string `json:"name,omitempty"`
	// Value is the type, or an expression of the same type, as an Expression.
	Value Expression `json:"value,omitempty"`
	// Signature is the signature of a method that the type requires or declares, if the method is not a symbol.
	Signature string `json:"signature,omitempty"`
	Line      int    `json:"line"`
}

// Extended is the name in the Typing of an extension method.
const Extended = "this"

// Base is the name in the Typing of a type that inherits from a type with type arguments.
const Base = "extends"

// An Expression, as a Receiver or a Value, is text without blanks in one form for all languages:
//
//	a.b       a member of a, or what is in the module or type a: for a::b, a->b, a?.b and a\b too
//	a.b()     the result of a call, whatever its arguments
//	a[]       an element of a
//	(T)       a value of type T, if the syntax shows the type of a variable; (pkg.T), and with [] after it,
//	          as in (T[]), a list or map of T
//	(T<U>)    a value of type T with the type argument U, in languages in which T may stand for U; in Rust with all
//	          arguments, as in (T<U,V>), with nothing in the place of one that has no name
//	(<T,U>)   a tuple; a.0 is its first part, or the first field of what has fields without names
//	(0)       in a Typing of a member of a type with parameters: a value of its first type argument
//	this      the object or type whose member the symbol is
//	super     the type from which that type inherits
//	…         at the beginning: a part that is left out
//	::        as the receiver of a call, Global: the name is looked for outside of all namespaces and classes
//
// Pointers, references, optional marks, type arguments and parentheses are left out; a type that is a
// list keeps its element, as T[].
type Expression = string

// Enter is the method whose result a with statement of Python binds; with "async with" too.
const Enter = "__enter__"

// Global is the receiver of a call such as ::close() in C++.
const Global = "::"

// A Mapping says in which folder a module is, as declared by a file such as go.mod, package.json, tsconfig.json,
// composer.json or Cargo.toml.
type Mapping struct {
	// Module is the name of a module, or a pattern of names with a "*".
	Module string `json:"module"`
	// Path is the folder or file of the module, relative to the root of the tree; "." is the root. Path has a "*" if
	// Module has one.
	Path string `json:"path"`
}
