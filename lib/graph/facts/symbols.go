package facts

import (
	"math"
	"slices"
	"strings"

	"cortex/lib/record"
)

// A Symbol is a node that is no file.
type Symbol struct {
	Kind       uint8 // in record.Kinds
	Flags      uint8
	Start, End int32
	// Doc is how many lines before Start the documentation comment begins, at most MaxDoc.
	Doc             int32
	Name, Qualified Name
	// Parent is the qualified name without the name.
	Parent    Name
	Signature string
}

// MaxDoc bounds Symbol.Doc.
const MaxDoc = math.MaxUint16

// rankOf puts types before what runs, and that before values, where one name is several.
func rankOf(number uint8) int {
	switch kind := record.Kinds[number]; {
	case kind.IsType():
		return 3
	case kind.IsCallable():
		return 2
	case kind == record.Module:
		return 1
	}
	return 0
}

// IsForward reports whether the signature of a symbol of the name is a typedef that names a struct alike and defines nothing:
// "typedef struct a a".
func IsForward(signature, name string) bool {
	rest, ok := strings.CutPrefix(signature, "typedef ")
	if !ok {
		return false
	}
	words := strings.Fields(strings.TrimSuffix(rest, ";"))
	return len(words) == 3 && words[1] == name && words[2] == name
}

// WithoutKeyword is a name without the keyword before it that tells what it is: "struct vo", as C writes it and people copy it.
func WithoutKeyword(text string) (name string, ok bool) {
	words := strings.Fields(text)
	if len(words) != 2 || !slices.Contains(keywords, words[0]) {
		return "", false
	}
	return words[1], true
}

var keywords = []string{"class", "def", "enum", "fn", "fun", "func", "function", "interface", "method", "struct", "trait", "type", "union"}

const (
	ExportedFlag = 1 << iota
	TestFlag
)

// A Reference is a record.Reference in small.
type Reference struct {
	Relation                              uint8 // in record.Relations
	Symbol, Name, Receiver, Module, alias Name
	Lines                                 []int32
	// place is its place among all references of the file, visible that among those that other files can see, -1 if it is none of them.
	place, Visible int32
}

type typing struct {
	Symbol, Name, Value Name
	line                int32
	Signature           string
}

// SeenByOthers reports whether references of the relation can matter to other files.
func SeenByOthers(relation record.Relation) bool {
	switch relation {
	case record.Calls, record.Uses, record.Instantiates, record.Passes:
		return false
	}
	return true
}

// says reports whether two references differ in no more than lines.
func (r Reference) says(other Reference) bool {
	return r.Relation == other.Relation && r.Symbol == other.Symbol && r.Name == other.Name && r.Receiver == other.Receiver && r.Module == other.Module && r.alias == other.alias
}

// A Decl is one declaration: a symbol of a file, both by number.
type Decl struct{ File, Symbol int32 }
