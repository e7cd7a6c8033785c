// Package record defines the records that travel through the pipeline, one JSON
// object a line. Package jsonl below it reads and writes them.
//
// A run is framed: Begin, then for every file a File followed by its Chunks, then
// End. cortex-parse writes Files that carry the text and the symbols;
// cortex-chunk passes each on as a header, without text, in front of the chunks
// that it cut from it; cortex-embed adds embeddings; cortex-store keeps the result.
// The package imports no other package of this module; it is all that the stages share.
// Begin with record.go, which has the types; check.go says which values they may have, path.go which paths.
package record

import "strings"

// Schema is the version of the record format that Begin carries.
const Schema = 1

// Type names a record; it is the value of the key "type".
type Type string

// The record types.
const (
	TypeBegin Type = "begin"
	TypeFile  Type = "file"
	TypeChunk Type = "chunk"
	TypeEnd   Type = "end"
)

// A Record is one line of the stream: *Begin, *File, *Chunk or *End.
type Record interface {
	RecordType() Type
	// Check reports values that no stage may take from a record that comes from outside.
	Check() error
}

// Mode says what a run may conclude from the files that it does not mention.
type Mode string

const (
	// Full means that the run mentions every file of the tree: others are gone.
	Full Mode = "full"
	// Incremental means that the run mentions only some files: others stay.
	Incremental Mode = "incremental"
)

// Begin opens a run over one tree.
type Begin struct {
	Type   Type `json:"type"`
	Schema int  `json:"schema"`
	// Tree names the tree when a store holds several; empty for a store of one.
	Tree string `json:"tree"`
	Mode Mode   `json:"mode"`
	// Files is the number of File records that will follow.
	Files int `json:"files"`
	// Unchanged is the number of files that an incremental run does not repeat, because the store has them as they are.
	Unchanged int `json:"unchanged,omitempty"`
	// Settings holds a fingerprint for each stage: a digest of everything but its input that shapes its output.
	Settings map[string]string `json:"settings"`
}

// End closes a run and proves that the stream is whole.
type End struct {
	Type   Type `json:"type"`
	Files  int  `json:"files"`
	Errors int  `json:"errors"`
}

// Status is the result of parsing a file, or the reason why it was not parsed.
type Status string

const (
	// StatusOK means parsed without a syntax error.
	StatusOK Status = "ok"
	// StatusPartial means parsed with ErrorCount syntax errors around which symbols were found.
	StatusPartial Status = "partial"
	// StatusError means that the parser found no structure; the record has the text.
	StatusError Status = "error"
	// StatusUnsupported means that the language has no grammar; the record has the text.
	StatusUnsupported Status = "unsupported"
	// StatusUnchanged means that the store's chunks of this file are still right.
	StatusUnchanged Status = "unchanged"
	// StatusDeleted means that the file is gone.
	StatusDeleted Status = "deleted"
	// StatusSkipped means not indexed, for Reason.
	StatusSkipped Status = "skipped"
)

// Indexed reports whether a file of this status has text to search.
func (s Status) Indexed() bool {
	switch s {
	case StatusOK, StatusPartial, StatusError, StatusUnsupported:
		return true
	}
	return false
}

// Statuses lists all statuses in the order in which they are reported.
var Statuses = []Status{StatusOK, StatusPartial, StatusError, StatusUnsupported, StatusUnchanged, StatusDeleted, StatusSkipped}

// A File is one file of the tree: as a whole from cortex-parse, as a header (no Text, no
// Breaks, symbols of code without Doc and bytes) from the stages after cortex-chunk.
//
// Lines count from 1, both ends inclusive; bytes from 0, half open.
type File struct {
	Type Type `json:"type"`
	// FilePath is relative to the root of the tree, with slashes.
	FilePath string `json:"file_path"`
	Language string `json:"language,omitempty"`
	// SHA256 is the hex digest of the bytes on disk; empty if they were not read.
	SHA256 string `json:"sha256,omitempty"`
	Size   int64  `json:"size"`
	Status Status `json:"status"`
	// ErrorCount is the number of syntax errors.
	ErrorCount int `json:"error_count"`
	// Reason explains a status other than ok.
	Reason  string   `json:"reason,omitempty"`
	Package string   `json:"package,omitempty"`
	Imports []string `json:"imports,omitempty"`
	// Title is a document's title from its front matter, or else from its first heading.
	Title string `json:"title,omitempty"`
	// Tags are "test" for test code and the tags in a document's front matter.
	Tags    []string `json:"tags,omitempty"`
	Symbols []Symbol `json:"symbols,omitempty"`
	// References are the names that the code of the file uses, in the order of symbol and first line.
	References []Reference `json:"references,omitempty"`
	// Typings are the declared types of the fields, variables and results that references go through.
	Typings []Typing `json:"typings,omitempty"`
	// Mappings say in which folders modules are, if the file is a manifest of a package manager or compiler.
	Mappings []Mapping `json:"mappings,omitempty"`
	// Breaks are the lines at which a span that is too large for one chunk may be cut,
	// in ascending order of lines.
	Breaks []Break `json:"breaks,omitempty"`
	// Text is the file's content as valid UTF-8 without a byte order mark; Symbols
	// and Breaks refer to it.
	Text string `json:"text,omitempty"`
}

// A Break is a line at which a statement, member or declaration begins inside a
// large node, and how deep that node is nested: 0 for the top level of the file.
// In JSON it is the pair [line, depth].
type Break [2]int

// Line is the line before which to cut.
func (b Break) Line() int { return b[0] }

// Depth is the nesting depth; a cut at a lower depth separates less that belongs together.
func (b Break) Depth() int { return b[1] }

// Kind is the kind of a symbol.
type Kind string

// The kinds. The last four are of configuration and markup languages.
const (
	Function  Kind = "function"
	Method    Kind = "method"
	Class     Kind = "class"
	Struct    Kind = "struct"
	Interface Kind = "interface"
	Trait     Kind = "trait"
	Enum      Kind = "enum"
	TypeKind  Kind = "type"
	Module    Kind = "module"
	Constant  Kind = "constant"
	Variable  Kind = "variable"
	Field     Kind = "field"
	Macro     Kind = "macro"
	Block     Kind = "block"
	Table     Kind = "table"
	Key       Kind = "key"
	Heading   Kind = "heading"
)

// Kinds lists every kind, in the order of their declaration.
var Kinds = []Kind{Function, Method, Class, Struct, Interface, Trait, Enum, TypeKind, Module,
	Constant, Variable, Field, Macro, Block, Table, Key, Heading}

// IsType reports whether the kind declares a type.
func (k Kind) IsType() bool {
	switch k {
	case Class, Struct, Interface, Trait, Enum, TypeKind:
		return true
	}
	return false
}

// IsCallable reports whether the kind has a body that runs.
func (k Kind) IsCallable() bool { return k == Function || k == Method || k == Macro }

// IsData reports whether the kind declares a value.
func (k Kind) IsData() bool { return k == Constant || k == Variable || k == Field }

// A Symbol is one declaration, or one heading of a document.
//
// Symbols are in the order of their start, a parent before its children. The span
// covers the declaration with its decorators or attributes and without the comment
// above it. The span of a heading is its whole section, subsections included.
type Symbol struct {
	Kind          Kind   `json:"kind"`
	Name          string `json:"name"`
	QualifiedName string `json:"qualified_name"`
	// Signature is the declaration without its body, on one line; for a heading the
	// line as it stands.
	Signature string `json:"signature,omitempty"`
	// Doc is the documentation comment without comment markers.
	Doc       string `json:"doc,omitempty"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	StartByte int    `json:"start_byte"`
	EndByte   int    `json:"end_byte"`
	// DocLine is the first line of the documentation comment if that stands above
	// the span; 0 if there is none or it is inside.
	DocLine int `json:"doc_line,omitempty"`
	// BodyByte is where the body begins; 0 if there is none.
	BodyByte int `json:"body_byte,omitempty"`
	// Parent is the qualified name of the enclosing symbol, "" at the top level.
	Parent   string `json:"parent,omitempty"`
	Exported bool   `json:"exported"`
	// Test marks test code inside a file that is not all test code.
	Test bool `json:"test,omitempty"`
}

// ChunkType is the tier that a chunk belongs to.
type ChunkType string

// The chunk types.
const (
	Symbols         ChunkType = "symbols"
	Definitions     ChunkType = "definitions"
	Data            ChunkType = "data"
	Implementations ChunkType = "implementations"
	Documentation   ChunkType = "documentation"
)

// Separator stands between the names in a Breadcrumb, a Hierarchy and the QualifiedName of a heading.
const Separator = " › "

// ChunkTypes lists every chunk type.
var ChunkTypes = []ChunkType{Symbols, Definitions, Data, Implementations, Documentation}

// Sources, as they stand in Metadata.Source and as the first tag of a chunk.
const (
	SourceCode = "code"
	SourceDoc  = "doc"
)

// A Chunk is one unit of search.
type Chunk struct {
	Type Type `json:"type"`
	// ID is stable: code-symbols-PATH, code-definitions-PATH, code-data-PATH,
	// code-impl-PATH#QualifiedName, doc-PATH, doc-PATH#slug; "~2" and so on is added
	// for further parts. PATH is that of IDPath.
	ID        string    `json:"id"`
	ChunkType ChunkType `json:"chunk_type"`
	Title     string    `json:"title"`
	Text      string    `json:"text"`
	// Tags are the source, the language and the chunk type, then the tags of the file, such as test.
	Tags     []string `json:"tags"`
	Metadata Metadata `json:"metadata"`
	// Embedding is written as base64 of little-endian float32 and read from that or
	// from an array of numbers. A vector without direction counts as no embedding (Embedding.Length).
	Embedding      Embedding `json:"embedding,omitempty"`
	EmbeddingModel string    `json:"embedding_model,omitempty"`
	// CreatedAt and UpdatedAt (RFC 3339, UTC) are set by the store alone.
	CreatedAt string `json:"created_at,omitempty"`
	UpdatedAt string `json:"updated_at,omitempty"`
}

// Metadata says where a chunk comes from.
//
// The text of an implementations or documentation chunk ends with the bytes
// ByteStart to ByteEnd of the file, which are the lines StartLine to EndLine; what
// stands before them is a heading that the chunker made.
type Metadata struct {
	Source    string `json:"source"`
	FilePath  string `json:"file_path"`
	Tree      string `json:"tree,omitempty"`
	Language  string `json:"language,omitempty"`
	Package   string `json:"package,omitempty"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	ByteStart int    `json:"byte_start"`
	ByteEnd   int    `json:"byte_end"`

	SymbolName      string `json:"symbol_name,omitempty"` // qualified
	SymbolType      Kind   `json:"symbol_type,omitempty"`
	SymbolSignature string `json:"symbol_signature,omitempty"` // at most 200 characters
	// Symbols are the declarations in a definitions or data chunk, in the order of its text, unless
	// SymbolName names the only one. Symbols with a chunk of their own, such as functions, are left out.
	Symbols []SymbolRef `json:"symbols,omitempty"`
	// Repeats are the lines in the text of a definitions or data chunk, in ascending order, that are not in the file, such as
	// headings, or that another chunk of the file has too, such as signatures. Without its repeats, each line of the file is in one chunk.
	// An outline (Symbols) has no line of the file.
	Repeats        []LineRange `json:"repeats,omitempty"`
	Hierarchy      string      `json:"hierarchy,omitempty"`
	BlockType      string      `json:"block_type,omitempty"`
	ImportsCount   int         `json:"imports_count,omitempty"`
	TypesCount     int         `json:"types_count,omitempty"`
	FunctionsCount int         `json:"functions_count,omitempty"`

	DocID            string `json:"doc_id,omitempty"`
	ParentID         string `json:"parent_id,omitempty"`
	Depth            int    `json:"depth,omitempty"`
	Position         int    `json:"position,omitempty"`
	Slug             string `json:"slug,omitempty"`
	Breadcrumb       string `json:"breadcrumb,omitempty"`
	SectionIndex     int    `json:"section_index,omitempty"`
	ChunkIndex       int    `json:"chunk_index,omitempty"`
	IsLargeParagraph bool   `json:"is_large_paragraph,omitempty"`
	IsSplitParagraph bool   `json:"is_split_paragraph,omitempty"`
}

// A SymbolRef names one declaration of several in a chunk.
type SymbolRef struct {
	Name string `json:"name"` // qualified
	Type Kind   `json:"type"`
	// Line is where in the file the declaration begins, without the comment above it.
	Line int `json:"line"`
}

// A LineRange is the first and the last line of a part of a text, both included, counted from 1.
type LineRange [2]int

// TreePath is the path that identifies a file in a store: PATH, or TREE:PATH if
// the tree has a name.
func TreePath(tree, path string) string {
	if tree == "" {
		return path
	}
	return tree + ":" + path
}

// IDPath is a tree path as identifiers of chunks have it: the characters that separate the parts of an identifier are escaped as in a URL, so the chunks of
// two files never have the same identifier, whatever the files are called.
func IDPath(treePath string) string {
	if !strings.ContainsAny(treePath, "%#~") {
		return treePath
	}
	return strings.NewReplacer("%", "%25", "#", "%23", "~", "%7E").Replace(treePath)
}

// SplitIDPath undoes IDPath.
func SplitIDPath(path string) string {
	if !strings.Contains(path, "%") {
		return path
	}
	return strings.NewReplacer("%25", "%", "%23", "#", "%7E", "~").Replace(path)
}

// SplitTreePath undoes TreePath for a tree of the given name.
func SplitTreePath(tree, treePath string) string {
	if tree == "" {
		return treePath
	}
	return strings.TrimPrefix(treePath, tree+":")
}

// RecordType implements Record.
func (*Begin) RecordType() Type { return TypeBegin }

// RecordType implements Record.
func (*End) RecordType() Type { return TypeEnd }

// RecordType implements Record.
func (*File) RecordType() Type { return TypeFile }

// RecordType implements Record.
func (*Chunk) RecordType() Type { return TypeChunk }
