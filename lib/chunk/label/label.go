// Package label writes what a chunk repeats of its file and of symbols: names, signatures, tags and the list of what it
// declares. Each text is on one line, and all of them are bounded, since a record may have any.
package label

import (
	"slices"
	"strings"
	"unicode"

	"cortex/lib/record"
	"cortex/lib/shorten"
)

// Bounds of texts in heads and titles, in characters.
const (
	MaxName      = 200
	MaxTitle     = 120
	maxSignature = 200
)

// Of returns the qualified name of a symbol, fit for a single line.
func Of(s *record.Symbol) string {
	name := s.QualifiedName
	if name == "" {
		name = s.Name
	}
	return Line(name, MaxName)
}

// Signature returns the signature of a symbol, fit for a single line.
func Signature(s *record.Symbol) string { return Line(s.Signature, maxSignature) }

// Line returns a text of at most most characters on one line: control characters become spaces.
func Line(text string, most int) string {
	if strings.IndexFunc(text, unicode.IsControl) >= 0 {
		text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == ' ' }), " ")
	}
	return shorten.End(text, most)
}

// longText is the size in bytes at which names and signatures are cut before any other work. Every chunk of a symbol
// repeats them, shortened further.
const longText = 8 * MaxName

// Bounded returns the symbol, or a copy whose names and signature are cut at longText.
func Bounded(sym *record.Symbol) *record.Symbol {
	if max(len(sym.Name), len(sym.QualifiedName), len(sym.Parent), len(sym.Signature)) <= longText {
		return sym
	}
	short := *sym
	for _, text := range []*string{&short.Name, &short.QualifiedName, &short.Parent, &short.Signature} {
		if len(*text) > longText {
			*text = strings.ToValidUTF8((*text)[:longText], "")
		}
	}
	return &short
}

// maxTags bounds the tags of a file that each of its chunks repeats.
const maxTags = 50

// Tags returns the distinct tags of a chunk of a file: its source, language and tier, the tags of the file, and more.
func Tags(f *record.File, source string, tier record.ChunkType, more ...string) []string {
	own := f.Tags[:min(len(f.Tags), maxTags)]
	tags := make([]string, 0, 3+len(own)+len(more))
	for _, list := range [][]string{{source, f.Language, string(tier)}, own, more} {
		for _, tag := range list {
			if tag != "" && !slices.Contains(tags, tag) {
				tags = append(tags, tag)
			}
		}
	}
	return tags
}

// listFactor bounds the size of a list, as a multiple of the chunk size: the qualified names of a file may be far longer
// than its text.
const listFactor = 4

// A List is what a chunk declares.
type List struct {
	Refs []record.SymbolRef
	size int // of the names, in bytes
}

// Add adds a symbol that a line of the chunk declares, unless the list is too long for a chunk of chunkSize characters.
func (l *List) Add(s *record.Symbol, line, chunkSize int) {
	name := Of(s)
	if l.size += len(name); name == "" || l.size > listFactor*chunkSize {
		return
	}
	l.Refs = append(l.Refs, record.SymbolRef{Name: name, Type: s.Kind, Line: line})
}
