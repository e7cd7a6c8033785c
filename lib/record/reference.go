package record

// Relation says how a reference uses what it names.
type Relation string

// The relations.
const (
	// Imports: the file makes a module, or a name of one, known to itself.
	Imports Relation = "imports"
	// Calls: a function, method or macro runs.
	Calls Relation = "calls"
	// Instantiates: an object or value of a type is made.
	Instantiates Relation = "instantiates"
	// Uses: a type stands in a declaration or an expression.
	Uses Relation = "uses"
	// Extends: a type inherits from a class, or an interface from an interface.
	Extends Relation = "extends"
	// Implements: a type says that it has what an interface or trait demands.
	Implements Relation = "implements"
	// Embeds: a type takes in the members of another: an embedded struct, a mixin.
	Embeds Relation = "embeds"
	// Passes: a function stands as a value, as in an argument or an assignment.
	Passes Relation = "passes"
)

// Relations lists every relation.
var Relations = []Relation{Imports, Calls, Instantiates, Uses, Extends, Implements, Embeds, Passes}

// A Reference is one or more lines of a file, within one symbol, that name the same thing in the same
// way. It says what is written, and not yet what that means.
type Reference struct {
	Relation Relation `json:"relation"`
	// Name is the last part of what is named. Of an import it is the name that is taken from the module, "*" for all that
	// it has, and "" for the module itself.
	Name string `json:"name,omitempty"`
	// Receiver is the expression before Name, "" if there is none. See Expression.
	Receiver Expression `json:"receiver,omitempty"`
	// Module is what an import names as it is written, without quotes.
	Module string `json:"module,omitempty"`
	// Alias is the name by which the file knows an import if that is not its own.
	Alias string `json:"alias,omitempty"`
	// Symbol is the qualified name of the innermost symbol around the reference, "" at the top level.
	Symbol string `json:"symbol,omitempty"`
	// Lines are in ascending order, each once.
	Lines []int `json:"lines"`
}

// A Typing says which type a field, a variable of the file or the result of a function has, as far as the
// syntax tells.
type Typing struct {
	// Symbol is the qualified name of the type that has the field, or of the function; "" at the top level.
	Symbol string `json:"symbol,omitempty"`
	// Name is the name of the field, variable or method, "" for the result of the function.
	Name string `json:"name,omitempty"`
	// Value is a type or the expression of which it has the type, as an Expression.
	Value Expression `json:"value,omitempty"`
	// Signature is that of a method which the type demands or declares, and which is no symbol.
	Signature string `json:"signature,omitempty"`
	Line      int    `json:"line"`
}

// An Expression, as a Receiver or a Value, is text without blanks in one form for all languages:
//
//	a.b       a member of a, or what is in the module or type a: for a::b, a->b, a?.b and a\b too
//	a.b()     the result of a call, whatever its arguments
//	a[]       an element of a
//	(T)       a value of type T, where the syntax tells the type of a variable; (pkg.T), and with [] after it,
//	          as in (T[]), a list or map of T
//	this      the object or type whose member the symbol is
//	super     the type from which that inherits
//	…         at the beginning: what stood there is left out
//
// Pointers, references, optional marks, type arguments and parentheses are left out, but where a type is a
// list, T[], its element is kept.
type Expression = string

// A Mapping says where the modules of a name lie in the tree, as a file such as go.mod, package.json,
// tsconfig.json, composer.json or Cargo.toml tells.
type Mapping struct {
	// Module is the name of a module, or with a "*" a pattern of names.
	Module string `json:"module"`
	// Path is the folder or file of the module, relative to the root of the tree, "." for that; it has a "*" if Module has.
	Path string `json:"path"`
}
