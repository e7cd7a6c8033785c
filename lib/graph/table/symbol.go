package table

import (
	"fmt"

	"cortex/lib/record"
)

// A Symbol is a node as answers show it.
type Symbol struct {
	// Symbol is the qualified name; the path of a file or package; the name of a node outside of the tree.
	Symbol string      `json:"symbol"`
	Kind   record.Kind `json:"kind"`
	// FilePath is the tree path of the file, which begins with Tree if the tree has a name.
	FilePath  string `json:"file_path,omitempty"`
	Tree      string `json:"tree,omitempty"`
	StartLine int    `json:"start_line,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	Signature string `json:"signature,omitempty"`
	// Overloads has the first line of each overload of a function or method that has several; all overloads are one symbol.
	Overloads []int `json:"overloads,omitempty"`
	Test      bool  `json:"test,omitempty"`
}

// Place returns the symbol's place as path:line, or its name if it has no file.
func (s *Symbol) Place() string {
	if s.FilePath == "" {
		return s.Symbol
	}
	return fmt.Sprintf("%s:%d", s.FilePath, max(s.StartLine, 1))
}
