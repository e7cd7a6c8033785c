package extract

import (
	"strings"

	"cortex/lib/parse/expression"
)

// A local is a name in a function. value is an expression of the same type, "" if the type is unknown. The name is
// visible up to byte offset end. scope is set for a type parameter or an alias of a namespace.
type local struct {
	value string
	end   int
	scope bool
}

// locals has the visible locals by name, the innermost last. Lookups must come in ascending order of positions.
type locals struct{ latest map[string][]local }

// lookup returns the local of the name at pos, and removes locals that end before.
func (l *locals) lookup(name string, pos int) (local, bool) {
	stack := l.latest[name]
	n := len(stack)
	for n > 0 && stack[n-1].end <= pos {
		n--
	}
	if n == 0 {
		if len(stack) > 0 {
			delete(l.latest, name)
		}
		return local{}, false
	}
	if n < len(stack) {
		l.latest[name] = stack[:n]
	}
	return stack[n-1], true
}

// expand returns the expression s with a local at its start replaced by the value of the local. If that is unknown, it
// returns "" for the local itself and expression.Omitted with the rest otherwise.
func (l *locals) expand(s string, pos int) string {
	base := expression.BaseOf(s)
	if base == "" {
		return s
	}
	known, ok := l.lookup(base, pos)
	if !ok {
		return s
	}
	rest := s[len(base):]
	switch {
	case known.value == "" && rest == "":
		return ""
	case known.value == "":
		return expression.Omitted + rest
	}
	value := known.value
	for strings.HasPrefix(rest, "[]") && strings.HasPrefix(value, "(") && strings.HasSuffix(value, "[])") {
		value, rest = value[:len(value)-3]+")", rest[2:]
	}
	if s = value + rest; len(s) > expression.MaxReceiver {
		s = expression.Shorten(s)
	}
	return s
}
