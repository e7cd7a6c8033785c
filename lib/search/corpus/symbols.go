package corpus

import (
	"iter"
	"strings"

	"cortex/lib/record"
)

// Declared returns the symbols that the chunk declares.
func Declared(c *record.Chunk) iter.Seq[record.SymbolRef] {
	return func(yield func(record.SymbolRef) bool) {
		m := &c.Metadata
		own := m.SymbolName != ""
		for _, s := range m.Symbols {
			own = own && s.Name != m.SymbolName
			if !yield(s) {
				return
			}
		}
		if own {
			yield(record.SymbolRef{Name: m.SymbolName, Type: m.SymbolType, Line: m.StartLine})
		}
	}
}

// symbolNames returns the names of the symbols that the chunk declares.
func symbolNames(c *record.Chunk) []string {
	if len(c.Metadata.Symbols) == 0 {
		return oneValue(c.Metadata.SymbolName)
	}
	var names []string
	for s := range Declared(c) {
		names = append(names, s.Name)
	}
	return names
}

// separators are the characters between the components of qualified names.
const separators = ".:#/"

// LastComponent returns the last component of a qualified name such as a.b, A::b or A#b; of a selector such as A.b:c:
// its first label.
func LastComponent(name string) string {
	if strings.HasSuffix(name, ":") {
		name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '.')+1:], ":")
	}
	return name[strings.LastIndexAny(name, separators)+1:]
}

// Owner returns the component of a qualified name before the last one, "" if there is none.
func Owner(name string) string { return LastComponent(Qualifier(name)) }

// Qualifier returns the components of a qualified name before the last one, "" if there are none.
func Qualifier(name string) string {
	if strings.HasSuffix(name, ":") {
		return name[:max(0, strings.LastIndexByte(name, '.'))]
	}
	return strings.TrimRight(strings.TrimSuffix(name, LastComponent(name)), separators)
}

// IsWithin reports whether a qualified name is that of something inside owner, as a.b is inside a but ab is not.
func IsWithin(name, owner string) bool {
	rest, ok := strings.CutPrefix(name, owner)
	return ok && rest != "" && strings.IndexByte(separators, rest[0]) >= 0
}

func oneValue(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}
