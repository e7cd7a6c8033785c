// Package parse is the first stage of the pipeline: it reads the files of a tree and writes a file record for each.
// Open run.go first: it writes the records of a run. incremental.go writes only what differs from the store, as task.go
// decides for each file, and watch.go does so whenever files change. worker.go reads one file, and parse.go makes its
// record. The packages below process one file:
//
//   - syntax runs tree-sitter, parsers and queries; it is the only package with C code
//   - mask replaces parts of a text that a grammar cannot parse
//   - grammar is the table of languages with a grammar, and defines the meaning of captures in queries
//   - extract makes symbols, references and breaks from the captures of a query
//   - expression reads expressions and types in all languages
//   - document finds the sections of documents
//   - manifest reads the mappings of manifests, from module names to folders
//   - lexical has classes of bytes, lines, spans and names, for all of these
package parse

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"cortex/lib/language"
	"cortex/lib/parse/document"
	"cortex/lib/parse/grammar"
	"cortex/lib/parse/manifest"
	"cortex/lib/record"
	"cortex/lib/source"
)

// Version must change whenever the same bytes give another record, so that all files are indexed again.
const Version = 24

// file makes the record of a file from its path, language and bytes alone: text, symbols, references, breaks, mappings.
func (w *worker) file(path string, lang language.Language, data []byte) *record.File {
	sum := sha256.Sum256(data)
	f := &record.File{
		FilePath: path,
		Language: lang.Name,
		SHA256:   hex.EncodeToString(sum[:]),
		Size:     int64(len(data)),
		Status:   record.StatusUnsupported,
		Text:     validText(data),
	}
	if isTestPath(path) {
		f.Tags = []string{record.TagTest}
	}
	g := grammar.For(lang.Name, path)
	switch {
	case g != nil:
		w.embedded(f, w.Extract(f, g, f.Text))
		if lang.Name == "html" {
			document.ReadPage(f)
		}
	case lang.Name == notebookLanguage:
		w.notebookFile(f)
	case lang.Class == language.Document:
		document.Read(f, lang)
	default:
		f.Reason = "no grammar for " + lang.Name
	}
	f.Mappings = manifest.Mappings(path, f.Text)
	return f
}

// validText returns data as UTF-8 without a byte order mark, with U+FFFD for invalid bytes.
func validText(data []byte) string {
	text := string(source.Decode(data))
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
