package table

import (
	"fmt"

	"cortex/lib/record"
)

// A Symbol is a node as answers show it.
type Symbol struct {
	// Symbol is the qualified name, of a file or package its path, of what is outside of the tree its name.
	Symbol string      `json:"symbol"`
	Kind   record.Kind `json:"kind"`
	// FilePath is the tree path, which begins with Tree if the tree has a name.
	FilePath  string `json:"file_path,omitempty"`
	Tree      string `json:"tree,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	Signature string `json:"signature,omitempty"`
	// Overloads are the first lines of all overloads of a function or method, if it has several: they are one symbol.
	Overloads []int `json:"overloads,omitempty"`
	Test      bool  `json:"test,omitempty"`
}

// Place is where a symbol is: path:line.
func (s *Symbol) Place() string {
	if s.FilePath == "" {
		return s.Symbol
	}
	return fmt.Sprintf("%s:%d", s.FilePath, max(s.StartLine, 1))
}
