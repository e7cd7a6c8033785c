// Package parse turns files into file records. It is the first stage of the pipeline; the
// other stages know it by its records alone. This package runs over a tree, file by file (run.go); the packages below
// read one file:
//
//   - syntax runs tree-sitter: parsers and queries, the only C
//   - mask hides from a grammar what it cannot read
//   - grammar is the table of languages with a grammar, and says what their queries mean
//   - extract makes symbols and references of what a query captured
//   - expression reads expressions and types of all languages
//   - document finds the sections of documents
//   - manifest finds the names that manifests give to folders
//   - lexical has classes of bytes, lines, spans and names, which all of these need
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

// Version changes with every change of what is found in the same bytes.
const Version = 13

// file makes the record of a file from its bytes: text, symbols, breaks and what else
// the language's grammar tells. It depends on nothing but its arguments.
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
		f.Tags = []string{"test"}
	}
	g := grammar.For(lang.Name, path)
	switch {
	case g != nil:
		w.embedded(f, w.Extract(f, g, f.Text))
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

// validText is data as UTF-8 without a byte order mark. Bytes that are none become U+FFFD.
func validText(data []byte) string {
	text := string(source.Decode(data))
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}
