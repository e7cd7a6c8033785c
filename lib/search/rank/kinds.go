package rank

import (
	"path"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/search/wording"
)

// judge sets the signals about the kind of a chunk: Tests, Asides, Prose and Listing. These count against the chunk
// unless the question asks for its kind; if it does, judge sets NamedType for a chunk whose name the words explain.
// judge also lowers Meaning for stubs. aside reports whether the chunk's file is an aside (see isAside).
func (a *Topic) judge(e *evidence, words []string, chunk int, aside bool) {
	gen := a.x.Generation
	if corpus.IsTest(gen, chunk) {
		e[Tests] = 1
		if a.Asks.Tests {
			e[Tests] = testAsked
		}
	}
	prose := gen.ChunkType(chunk) == record.Documentation
	switch {
	case prose && a.Asks.Use:
		e[Prose] = proseOfUse
	case prose && !a.Asks.Documents:
		e[Prose] = 1
	case !prose && aside:
		e[Asides] = 1
	}
	start, end := gen.Lines(chunk)
	types := declaresType(gen, chunk)
	value := !types && gen.ChunkType(chunk) == record.Data
	switch {
	case value && a.Asks.Value, types && a.Asks.Type:
		e[Listing] = askedFor
		if s, _ := firstSymbol(gen, chunk); coverOfName(words, corpus.LastComponent(s.Name)) == 1 {
			e[NamedType] = max(e[NamedType], namedByWords)
		}
	case (value || types) && !a.Asks.How:
		e[Listing] = byItself
	case isListing(gen, chunk):
		e[Listing] = 1
	case !prose && end-start < stubLines:
		e[Listing] = stub
		e[Meaning] *= stubMeaning
	}
}

// A definition of at most stubLines lines, such as a getter, is a stub: half a listing. It says little, and its text is
// so short that its similarity to a question is partly chance.
const (
	stubLines   = 3
	stub        = 0.5
	stubMeaning = 0.75
)

// The values of Listing for types, values and keys of configuration. These say more than lists do, unless the question
// asks how something is done. A question may ask for types or for values.
const (
	byItself = 0.5
	askedFor = -1
)

// testAsked is the value of Tests for test code if the question asks for it.
const testAsked = -0.3

// namedByWords is the value of NamedType for a type or value that the question asks for and whose name its words
// explain.
const namedByWords = 0.5

// declaresType reports whether the chunk is the declaration of a type. Enumerations are of tier data.
func declaresType(gen *index.Generation, chunk int) bool {
	tier := gen.ChunkType(chunk)
	s, ok := firstSymbol(gen, chunk)
	return ok && (tier == record.Definitions || tier == record.Data) && s.Type.IsType()
}

// isListing reports whether the chunk is code other than a definition with its body.
func isListing(gen *index.Generation, chunk int) bool {
	switch gen.ChunkType(chunk) {
	case record.Documentation:
		return false
	case record.Implementations:
		_, declares := firstSymbol(gen, chunk)
		return !declares
	}
	return true
}

// firstSymbol returns the first symbol that the chunk declares. ok is false if there is none.
func firstSymbol(gen *index.Generation, chunk int) (s record.SymbolRef, ok bool) {
	for s := range gen.Symbols(chunk) {
		return s, true
	}
	return s, false
}

// isFixture reports whether the file is in a folder of test inputs or expected outputs. Other tests have a tag.
func isFixture(file string) bool {
	if !slices.ContainsFunc(fixtureWords[:], func(word string) bool { return strings.Contains(file, word) }) {
		return false
	}
	for end := strings.LastIndexByte(file, '/'); end >= 0; {
		start := strings.LastIndexByte(file[:end], '/')
		switch file[start+1 : end] {
		case "fixture", "fixtures", "__fixtures__", "__snapshots__", "golden", "goldens", "cassettes":
			return true
		}
		end = start
	}
	return false
}

// fixtureWords has a part of each folder name that isFixture knows. A path without any of them needs no closer look.
var fixtureWords = [...]string{"fixture", "__snapshots__", "golden", "cassettes"}

// isAside reports whether the file has examples or translations and the question asks for none.
func isAside(file string, asks wording.Intent) bool {
	return !asks.Examples && isExample(file) || !asks.Translations && corpus.IsTranslation(file)
}

// isExample reports whether the file is in a folder of examples or of documentation.
func isExample(file string) bool {
	dir := path.Dir(file)
	for part := range strings.SplitSeq(strings.ToLower(dir), "/") {
		switch strings.Trim(part, "_.") {
		case "example", "examples", "sample", "samples", "demo", "demos", "doc", "docs":
			return true
		}
	}
	return false
}
