// Package language has the table of languages (table.go): names, file endings, comment markers, and whether a language
// is code or documentation. Detect (detect.go, header.go) takes the path and content of a file and returns its
// language. Grammars and queries are in lib/parse, which uses the same names.
package language

// A Class says how files of a language are split into chunks.
type Class int

const (
	// Code is split at declarations.
	Code Class = iota
	// Document is split into a tree of sections.
	Document
)

// A Language is one row of the table.
type Language struct {
	// Name is the identifier in records: lower case, such as "go" or "csharp".
	Name string
	// Aliases are other names that searches accept, such as "golang".
	Aliases []string
	// Extensions are file name endings, lower case, with the dot: ".go", ".d.ts". The longest one wins.
	Extensions []string
	// Filenames are whole file names. An exact match comes first; otherwise case is ignored.
	Filenames []string
	// Interpreters are programs named in a "#!" line, without version: "python", "node".
	Interpreters []string
	Class        Class
	// Comment opens a comment. CommentEnd closes it; "" if the line end does.
	Comment, CommentEnd string
}
