// Package record defines the records that travel through the pipeline, one JSON object a line. Package jsonl below it
// reads and writes them.
//
// A run is a Begin, then for every file a File followed by its Chunks, then an End. cortex-parse writes Files with
// their text and symbols. cortex-chunk removes the text from each File and writes the file's chunks behind it.
// cortex-embed adds embeddings, and cortex-store stores the records. The stages share only this package, and it imports
// no other package of this module.
//
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
	// Check reports values that no stage may accept from outside.
	Check() error
}

// Mode says what happens to the files that a run does not mention.
type Mode string

const (
	// Full means that the run mentions every file of the tree; the store removes all others.
	Full Mode = "full"
	// Incremental means that the run mentions only some files; the store keeps the others.
	Incremental Mode = "incremental"
)

// Begin opens a run over one tree.
type Begin struct {
	Type   Type `json:"type"`
	Schema int  `json:"schema"`
	// Tree is the name of the tree if a store holds several, "" for a store of one.
	Tree string `json:"tree"`
	Mode Mode   `json:"mode"`
	// Files is the number of File records that will follow.
	Files int `json:"files"`
	// Unchanged is the number of files that an incremental run leaves out because the store has them.
	Unchanged int `json:"unchanged,omitempty"`
	// Settings has a fingerprint for each stage: a digest of everything except its input that determines its output.
	Settings map[string]string `json:"settings"`
	// Root is the path of the tree's root relative to the folder in which the run was made, such as "web" or "..". It
	// is set if one of the two folders contains the other: paths of the run are then not relative to that folder. It is
	// empty if the folders are the same.
	Root string `json:"root,omitempty"`
}

// End closes a run. The run is complete if Errors is 0 and Files equals Begin.Files.
type End struct {
	Type   Type `json:"type"`
	Files  int  `json:"files"`
	Errors int  `json:"errors"`
}

// Owner returns the qualified name without its last part, "" if it has only one.
func Owner(qualified string) string {
	return qualified[:max(strings.LastIndexByte(qualified, '.'), 0)]
}

// LastName returns the last part of a qualified name.
func LastName(qualified string) string {
	return qualified[strings.LastIndexByte(qualified, '.')+1:]
}

// Status is the result of parsing a file, or the reason why it was not parsed.
type Status string

const (
	// StatusOK means that the file was parsed without syntax errors.
	StatusOK Status = "ok"
	// StatusPartial means that the file has ErrorCount syntax errors, and symbols were found around them.
	StatusPartial Status = "partial"
	// StatusError means that the parser found no structure; the record has the text.
	StatusError Status = "error"
	// StatusUnsupported means that the language has no grammar; the record has the text.
	StatusUnsupported Status = "unsupported"
	// StatusUnchanged means that the chunks of this file in the store are up to date.
	StatusUnchanged Status = "unchanged"
	// StatusDeleted means that the file is gone.
	StatusDeleted Status = "deleted"
	// StatusSkipped means that the file is not indexed. Reason says why.
	StatusSkipped Status = "skipped"
)

// Indexed reports whether a file of this status has searchable text.
func (s Status) Indexed() bool {
	switch s {
	case StatusOK, StatusPartial, StatusError, StatusUnsupported:
		return true
	}
	return false
}

// Reasons to skip a folder. Nothing in the folder is read. A detail may follow, so compare with ReasonOf.
const (
	SkippedProducts = "dependencies or build output"
	// SkippedWorktree is the reason for a folder that has the files of the tree at another commit.
	SkippedWorktree = "linked worktree"
	// SkippedUnreadable is the reason for a folder or file that is there but cannot be read.
	SkippedUnreadable = "unreadable"
)

// ReasonOf returns a reason to skip a file or folder without its detail, as in "unreadable: permission denied".
func ReasonOf(reason string) string {
	reason, _, _ = strings.Cut(reason, ": ")
	return reason
}

// Statuses lists all statuses in the order in which they are reported.
var Statuses = []Status{StatusOK, StatusPartial, StatusError, StatusUnsupported, StatusUnchanged, StatusDeleted, StatusSkipped}

// A File is one file of the tree. From cortex-parse it is complete; from cortex-chunk on it is a header, without Text
// and Breaks, and symbols of code without Doc and byte offsets.
//
// Line numbers count from 1, and a range of lines includes both ends. Byte offsets count from 0, and a range of bytes
// is half open.
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
	// Tags are the tags in a document's front matter, and TagTest for test code.
	Tags    []string `json:"tags,omitempty"`
	Symbols []Symbol `json:"symbols,omitempty"`
	// References are the names that the code uses, ordered by symbol and first line.
	References []Reference `json:"references,omitempty"`
	// Typings are the declared types of fields, variables and results that references go through.
	Typings []Typing `json:"typings,omitempty"`
	// Mappings are the folders of modules, if the file is a manifest of a package manager or compiler.
	Mappings []Mapping `json:"mappings,omitempty"`
	// Breaks are the lines before which a span that is too large for one chunk may be cut, in ascending order.
	Breaks []Break `json:"breaks,omitempty"`
	// Text is the file's content as valid UTF-8 without a byte order mark. The offsets in Symbols refer to it.
	Text string `json:"text,omitempty"`
}

// A Break is a line at which a statement, member or declaration begins inside a large node, and the nesting depth of
// that node: 0 for the top level of the file. In JSON it is the pair [line, depth].
type Break [2]int

// Line returns the line before which to cut.
func (b Break) Line() int { return b[0] }

// Depth returns the nesting depth. A cut at a lower depth separates less related code.
func (b Break) Depth() int { return b[1] }

// Kind is the kind of a symbol.
type Kind string

// The kinds. Block, Table, Key and Heading are of configuration and markup languages.
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
// Symbols are ordered by their start, and a parent comes before its children. The span covers the declaration with its
// decorators or attributes, without the comment above it. The span of a heading is its whole section, subsections
// included.
type Symbol struct {
	Kind          Kind   `json:"kind"`
	Name          string `json:"name"`
	QualifiedName string `json:"qualified_name"`
	// Signature is the declaration without its body, on one line. For a heading it is the line as written.
	Signature string `json:"signature,omitempty"`
	// Doc is the documentation comment without comment markers.
	Doc       string `json:"doc,omitempty"`
	StartLine int    `json:"start_line"`
	EndLine   int    `json:"end_line"`
	StartByte int    `json:"start_byte"`
	EndByte   int    `json:"end_byte"`
	// DocLine is the first line of the documentation comment if the comment stands above the span, otherwise 0.
	DocLine int `json:"doc_line,omitempty"`
	// BodyByte is the offset of the body; 0 if there is none.
	BodyByte int `json:"body_byte,omitempty"`
	// Parent is the qualified name of the enclosing symbol, "" at the top level.
	Parent   string `json:"parent,omitempty"`
	Exported bool   `json:"exported"`
	// Test marks test code in a file that is not entirely test code.
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

// Separator joins the names in a Breadcrumb, a Hierarchy and the QualifiedName of a heading.
const Separator = " › "

// ChunkTypes lists every chunk type.
var ChunkTypes = []ChunkType{Symbols, Definitions, Data, Implementations, Documentation}

// The values of Metadata.Source, which are also the first tag of a chunk.
const (
	SourceCode = "code"
	SourceDoc  = "doc"
)

// Tags with a meaning for search, besides those that repeat a chunk's source, language and type.
const (
	// TagTest marks test code.
	TagTest = "test"
	// TagGenerated in the front matter of a document says how the document was made, not what it is about.
	TagGenerated = "generated"
)

// A Chunk is one unit of search.
type Chunk struct {
	Type Type `json:"type"`
	// ID is stable: code-symbols-PATH, code-definitions-PATH, code-data-PATH, code-impl-PATH#QualifiedName, doc-PATH or
	// doc-PATH#slug. Further parts have the suffix "~2", "~3" and so on. PATH is IDPath of the tree path.
	ID        string    `json:"id"`
	ChunkType ChunkType `json:"chunk_type"`
	Title     string    `json:"title"`
	Text      string    `json:"text"`
	// Tags are the source, the language and the chunk type, then the tags of the file, such as TagTest.
	Tags     []string `json:"tags"`
	Metadata Metadata `json:"metadata"`
	// Embedding is a vector that has a direction (Embedding.Length), or nil.
	Embedding      Embedding `json:"embedding,omitempty"`
	EmbeddingModel string    `json:"embedding_model,omitempty"`
	// CreatedAt and UpdatedAt (RFC 3339, UTC) are set by the store only.
	CreatedAt string `json:"created_at,omitempty"`
	UpdatedAt string `json:"updated_at,omitempty"`
}

// Metadata says where a chunk comes from.
//
// The text of an implementations or documentation chunk is a heading that the chunker made, followed by the bytes
// ByteStart to ByteEnd of the file, which are the lines StartLine to EndLine.
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
	// Symbols are the declarations in a definitions or data chunk, in the order of its text. If there is only one,
	// SymbolName names it instead. Symbols with a chunk of their own, such as functions, are left out.
	Symbols []SymbolRef `json:"symbols,omitempty"`
	// Repeats are lines in the text of a definitions or data chunk, in ascending order, that are not in the file, such
	// as headings, or that another chunk of the file has too, such as signatures. Without repeats, each line of the
	// file is in one chunk. A symbols chunk has no lines of the file.
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
	// Line is the line at which the declaration begins, without the comment above it.
	Line int `json:"line"`
}

// A LineRange is the first and the last line of a part of a text, counted from 1, both included.
type LineRange [2]int

// TreePath returns the path that identifies a file in a store: PATH, or TREE:PATH if the tree has a name.
func TreePath(tree, path string) string {
	if tree == "" {
		return path
	}
	return tree + ":" + path
}

// IDPath returns a tree path as it stands in the identifiers of chunks. It escapes %, # and ~ as in a URL, so that
// chunks of two files never have the same identifier.
func IDPath(treePath string) string {
	if !strings.ContainsAny(treePath, "%#~") {
		return treePath
	}
	return strings.NewReplacer("%", "%25", "#", "%23", "~", "%7E").Replace(treePath)
}

// SplitIDPath is the inverse of IDPath.
func SplitIDPath(path string) string {
	if !strings.Contains(path, "%") {
		return path
	}
	return strings.NewReplacer("%25", "%", "%23", "#", "%7E", "~").Replace(path)
}

// SplitTreePath is the inverse of TreePath for a tree of the given name.
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
