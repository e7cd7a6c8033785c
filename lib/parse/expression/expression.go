// Package expression converts expressions and types of all languages to record.Expression, in which names, members and
// calls are written in the same way for every language.
//
// Begin with Reader.Read, which takes an expression; backward.go reads it from its last name to its first. types.go has
// Reader.TypeName, which takes a type, and the words with a meaning in types; brackets.go finds brackets and commas.
package expression

import (
	"strings"

	"cortex/lib/parse/lexical"
)

const (
	// MaxExpression is the most bytes of an expression that are read, counted from its end.
	MaxExpression = 1000
	// MaxParts is the most names of an expression that are kept.
	MaxParts = 8
	// MaxReceiver is the length in bytes of the longest record.Expression.
	MaxReceiver = 200
	// Omitted stands for an unknown beginning of an expression.
	Omitted = "…"
)

// Pronouns maps names that mean the object or type around them to their form in a record.Expression.
var Pronouns = map[string]string{
	"this": "this", "$this": "this", "self": "this", "Self": "this", "cls": "this", "super": "super",
}

// keywords has words that are no names at the start of an expression.
var keywords = wordSet(`true false nil null None True False NULL nullptr undefined func function fn lambda def do end if else
	case when match switch for while loop return yield throw raise in is as instanceof typeof sizeof void not and or struct class interface
	async goto break continue undef import YES NO`)

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// IsNameByte reports whether c can be part of a name.
func IsNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || lexical.IsDigit(c) || c >= 0x80 || c == '$' || c == '@' || c == '#'
}

// IsName reports whether s is a name and nothing else.
func IsName(s string) bool {
	if s == "" || lexical.IsDigit(s[0]) {
		return false
	}
	for i := range len(s) {
		if !IsNameByte(s[i]) {
			return false
		}
	}
	return true
}

// isDotted reports whether s is a list of names with single dots between them.
func isDotted(s string) bool {
	if s == "" || !IsNameByte(s[0]) || lexical.IsDigit(s[0]) || s[0] == '@' {
		return false
	}
	dots := 0
	for i := range len(s) {
		if s[i] == '.' {
			if dots++; dots >= MaxParts || s[i-1] == '.' || i+1 == len(s) {
				return false
			}
		} else if !IsNameByte(s[i]) || s[i] == '$' || s[i] == '@' {
			return false
		}
	}
	return true
}

// A Reader converts expressions and types of one language.
type Reader struct {
	// Marks: a name may end with "?" or "!".
	Marks bool
	// Symbols: names are those of Lisp.
	Symbols bool
	// Words: names are those of shells, which may contain "-" and ":".
	Words bool
	// Selectors: messages are in brackets, and their names are selectors, as in Objective-C.
	Selectors bool
	// Composites: T{...} is a value of type T, not a call with a block.
	Composites bool
	// Own: types named List, Task and so on have no special meaning.
	Own bool
	// Arguments says which types, besides holders and lists, keep their type arguments, since their values may stand
	// for values of these.
	Arguments Arguments
	// Pointers has types such as Arc: a call Arc::new(x) makes a value that is used as x itself.
	Pointers map[string]bool
	Pronouns map[string]string
	// Modules maps words that name modules before "::" to their form in an expression.
	Modules map[string]string
}

// Read returns the record.Expression of text, which must have no comments; "" for literals, operations and functions,
// which tell nothing.
func (g *Reader) Read(text string) string {
	text = strings.TrimSpace(text)
	if g.Symbols {
		return readSymbol(text)
	}
	if g.Words && isShellWord(text) {
		return text
	}
	if isDotted(text) && len(text) <= MaxReceiver {
		return g.withPronoun(text)
	}
	if len(text) > 1 && text[0] == '.' && IsNameByte(text[1]) {
		// A member of an omitted receiver.
		if s := g.Read(text[1:]); s != "" && len(s) < MaxReceiver-len(Omitted) {
			return Omitted + "." + s
		}
		return ""
	}
	if g.Arguments == AllArguments {
		if tail := elseTail(text); tail != "" {
			return g.Read(tail)
		}
	}
	whole := true
	if len(text) > MaxExpression {
		text, whole = text[len(text)-MaxExpression:], false
	}
	r := backward{Reader: g, text: text, end: len(text), whole: whole}
	s := r.read(0)
	if len(s) > MaxReceiver {
		s = Shorten(s)
	}
	return s
}

// elseTail returns the expression in the last block of "if a { b } else { c }", which has the type of the whole; "" if
// text has no such end or the block has statements.
func elseTail(text string) string {
	if !strings.HasSuffix(text, "}") {
		return ""
	}
	text = text[max(0, len(text)-MaxExpression):]
	r := backward{text: text, end: len(text)}
	start := r.open()
	if start < 0 {
		return ""
	}
	if word, _ := cutWord(strings.TrimSpace(text[:start])); word != "else" {
		return ""
	}
	if inside := strings.TrimSpace(text[start+1 : len(text)-1]); !strings.Contains(inside, ";") {
		return inside
	}
	return ""
}

// readSymbol returns the expression of a Lisp symbol: a name, which may follow a namespace and a slash. A constructor
// ->T, map->T or T. stands for its type. A member of the next form, as in (.trim s), gives "".
func readSymbol(text string) string {
	if text == "" || len(text) > MaxReceiver || strings.ContainsAny(text, " \t\r\n,()[]{}\"'`~@^;:") || lexical.IsDigit(text[0]) || text[0] == '.' {
		return ""
	}
	namespace, name, found := strings.Cut(text, "/")
	if !found || namespace == "" {
		namespace, name = "", text // the function "/" too
	}
	if name = strings.TrimSuffix(name, "."); strings.HasPrefix(name, "map->") {
		name = strings.TrimPrefix(name, "map")
	}
	if name = strings.TrimPrefix(name, "->"); name == "" || namespace == "" {
		return name
	}
	return namespace + "." + name
}

// isShellWord reports whether text is a name in a shell that in other languages would be several names with operators.
func isShellWord(text string) bool {
	special := false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '-' || c == ':' || c == '+' || c == '@':
			special = true
		case !IsNameByte(c):
			return false
		}
	}
	return special && len(text) <= MaxReceiver && IsNameByte(text[0])
}

// withPronoun returns an expression with a pronoun at its start replaced; "" if it begins with a keyword.
func (g *Reader) withPronoun(s string) string {
	base := BaseOf(s)
	p, ok := g.Pronouns[base]
	if !ok {
		p, ok = Pronouns[base]
	}
	if ok {
		rest := s[len(base):]
		if p == "super" || base == "cls" || base == "Self" || base == "static" {
			rest = strings.TrimPrefix(rest, "()") // a call of the type itself makes an object
		}
		return p + rest
	}
	if keywords[base] {
		return ""
	}
	return s
}

// BaseOf returns the name at the start of an expression, "" if it begins otherwise.
func BaseOf(s string) string {
	if s == "" || s[0] == '(' || strings.HasPrefix(s, Omitted) {
		return ""
	}
	if i := strings.IndexAny(s, ".(["); i >= 0 {
		return s[:i]
	}
	return s
}

// Shorten cuts an expression at its start so that it has at most MaxReceiver bytes; "" if that leaves no part of it.
func Shorten(s string) string {
	start := len(s) - MaxReceiver + len(Omitted)
	for start < len(s) && s[start] != '.' {
		start++
	}
	if start == len(s) {
		return ""
	}
	return Omitted + s[start:]
}

// LastPart splits an expression at its last dot; receiver is "" if there is none. name is "" unless the
// expression ends with one.
func LastPart(s string) (receiver, name string) {
	from := 0
	if strings.HasPrefix(s, "(") {
		from = strings.IndexByte(s, ')') + 1
	}
	if i := strings.LastIndexByte(s[from:], '.'); i >= 0 {
		receiver, name = s[:from+i], s[from+i+1:]
	} else {
		name = s[from:]
	}
	if strings.HasSuffix(name, "]") || strings.HasSuffix(name, ")") || strings.HasPrefix(name, Omitted) {
		return receiver, ""
	}
	return receiver, name
}
