package chunk

import (
	"strings"

	"cortex/lib/record"
	"cortex/lib/shorten"
)

// Bounds of texts in heads and titles, in characters.
const (
	maxSignature = 200
	maxName      = 200
	maxDoc       = 200
	maxTitle     = 120
)

// label returns the qualified name of a symbol, fit for a single line.
func label(s *record.Symbol) string {
	name := s.QualifiedName
	if name == "" {
		name = s.Name
	}
	return shorten.End(withoutControls(name), maxName)
}

// enclosing returns the qualified name of the symbol's parent. A Go method is declared outside of its type, so the type
// is taken from the qualified name.
func enclosing(s *record.Symbol) string {
	if s.Parent != "" {
		return s.Parent
	}
	outer, found := strings.CutSuffix(s.QualifiedName, s.Name)
	if !found {
		return ""
	}
	return strings.TrimRight(outer, ".:#/")
}

// nameList joins names to at most limit characters.
func nameList(names []string, limit int) string {
	var b strings.Builder
	for i, name := range names {
		if b.Len() > 0 && b.Len()+len(name) > limit {
			b.WriteString(", …")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(shorten.End(name, limit))
	}
	return b.String()
}
