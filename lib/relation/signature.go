package relation

import (
	"strings"

	"cortex/lib/search/token"
)

// withoutArguments returns the name of a function or type without arguments and type arguments: Map.get of
// "Map<K, V>.get(K key)".
func withoutArguments(name string) string {
	var b strings.Builder
	depth, last := 0, ' '
	for _, r := range name {
		switch {
		case depth > 0 && (r == '<' || r == '['):
			depth++
		case depth > 0 && (r == '>' || r == ']'):
			depth--
		case depth > 0:
		case (r == '<' || r == '[') && isPartOfName(last):
			depth++
		case r == '(' && isPartOfName(last) && strings.HasSuffix(name, ")"):
			return b.String()
		default:
			b.WriteRune(r)
			last = r
		}
	}
	if depth > 0 {
		return name
	}
	return b.String()
}

// declaredName returns the name of the function that a signature declares: T.get of "func (t *T) get(i int) (int,
// error)" and X::get of "virtual int X::get(int i) const = 0". Without parentheses it returns the text as it is.
func declaredName(signature string) string {
	end := strings.LastIndexByte(signature, ')')
	if end < 0 {
		return signature
	}
	name := strings.TrimSpace(withoutArguments(signature[:end+1]))
	before, last := "", name
	if space := strings.LastIndexByte(name, ' '); space >= 0 {
		before, last = name[:space], strings.TrimLeft(name[space+1:], "*&")
	}
	if receiver, ok := strings.CutPrefix(before, "func ("); ok {
		receiver = strings.TrimSuffix(receiver, ")")
		return strings.TrimLeft(receiver[strings.LastIndexByte(receiver, ' ')+1:], "*") + "." + last
	}
	return last
}

// isPartOfName includes the $ of names in JavaScript, PHP and Scala.
func isPartOfName(r rune) bool { return r == '$' || token.IsInName(r) }
