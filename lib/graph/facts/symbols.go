package facts

import (
	"math"
	"slices"
	"strings"

	"cortex/lib/record"
)

// A Symbol is a node that is not a file.
type Symbol struct {
	Kind       uint8 // index in record.Kinds
	Flags      uint8
	Start, End int32
	// Doc is the number of lines from the start of the documentation comment to Start, at most MaxDoc.
	Doc             int32
	Name, Qualified Name
	// Parent is Qualified without Name.
	Parent    Name
	Signature string
}

// MaxDoc bounds Symbol.Doc.
const MaxDoc = math.MaxUint16

// rankOf ranks kinds, for a name with declarations of several kinds: types above functions, then modules, then values.
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

// IsForward reports whether the signature is a typedef without a body that gives a struct its own name, such as
// "typedef struct a a".
func IsForward(signature, name string) bool {
	rest, ok := strings.CutPrefix(signature, "typedef ")
	if !ok {
		return false
	}
	words := strings.Fields(strings.TrimSuffix(rest, ";"))
	return len(words) == 3 && words[1] == name && words[2] == name
}

// WithoutKeyword removes the keyword before a name, as in "struct vo", which people copy from code. ok is false if the
// text is not a keyword and a name.
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

// A Reference is a record.Reference with numbers in place of strings.
type Reference struct {
	Relation                              uint8 // index in record.Relations
	Symbol, Name, Receiver, Module, alias Name
	Lines                                 []int32
	// place is the position among all references of the file; only visible references have it. Visible is the position
	// among the references that other files can see, -1 if they cannot see this one.
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

// says reports whether both references are equal apart from their lines.
func (r Reference) says(other Reference) bool {
	return r.Relation == other.Relation && r.Symbol == other.Symbol && r.Name == other.Name && r.Receiver == other.Receiver && r.Module == other.Module && r.alias == other.alias
}

// A Decl identifies a symbol: the number of its file and its position in File.Symbols.
type Decl struct{ File, Symbol int32 }
