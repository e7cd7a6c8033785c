// Package language is the table of languages (table.go): how a file is recognised (detect.go, header.go), how comments
// are written, and whether a language is code or documentation. Grammars and queries belong to
// lib/parse, which uses the same names.
package language

// A Class says how the files of a language are cut into chunks.
type Class int

const (
	// Code is cut at declarations.
	Code Class = iota
	// Document is cut into a tree of sections.
	Document
)

// A Language is one row of the table.
type Language struct {
	// Name is the identifier in records: lower case, such as "go" or "csharp".
	Name string
	// Aliases are other names by which a search may ask for it, such as "golang".
	Aliases []string
	// Extensions are file name endings, lower case, with the dot: ".go", ".d.ts". The longest one wins.
	Extensions []string
	// Filenames are whole file names, compared without case.
	Filenames []string
	// Interpreters are programs named in a "#!" line, without version: "python", "node".
	Interpreters []string
	Class        Class
	// Comment opens a comment; CommentEnd closes it where the end of the line does not.
	Comment, CommentEnd string
}
