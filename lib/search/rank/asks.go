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

// asked tells which kinds of places, usually ranked lower, a question asks for. use is set if it asks how something
// works, value if it asks for a limit, a default or another value, types if it asks for the declaration of a type, how if
// it asks how something is done.
type asked struct{ tests, examples, translations, prose, use, value, types, how bool }

// asks returns what the question asks for. Of a report, only the first line asks; the others mention tests in passing.
func (a *Topic) asks() asked {
	terms, question := a.Terms, a.topic
	if a.Headline != "" {
		terms, question = a.headlineTerms, a.Headline
	}
	asks := asksFor(terms)
	asks.use = wording.AsksForUse(question)
	asks.value = wording.AsksForValue(question)
	asks.types = wording.AsksForType(question)
	asks.how = wording.AsksHow(question)
	return asks
}

func asksFor(terms []wording.Term) asked {
	var a asked
	for _, t := range terms {
		switch wording.Stem(t.Word) {
		case "test", "spec", "mock", "fixtur", "benchmark":
			a.tests = true
		case "exampl", "sampl", "demo":
			a.examples = true
		case "translat", "local", "i18n", "l10n", "gettext":
			a.translations = true
		case "document", "doc", "readm", "guid", "tutori", "changelog", "manual":
			a.prose, a.examples = true, true
		}
	}
	return a
}

// judge sets Tests, Asides, Prose and Listing, which count against a chunk unless the question asks for what it is. It
// lowers Meaning for stubs.
// aside tells that the chunk's file is an aside (see asked.isAside).
func (a asked) judge(e *evidence, gen *index.Generation, chunk int, aside bool) {
	set := func(s Signal, holds bool) {
		if holds {
			e[s] = 1
		}
	}
	if corpus.IsTest(gen, chunk) {
		e[Tests] = 1
		if a.tests {
			e[Tests] = testAsked
		}
	}
	prose := gen.ChunkType(chunk) == record.Documentation
	set(Asides, !prose && aside)
	set(Prose, !a.prose && !a.use && prose)
	if a.use && prose {
		e[Prose] = proseOfUse
	}
	start, end := gen.Lines(chunk)
	types := declaresType(gen, chunk)
	value := !types && gen.ChunkType(chunk) == record.Data
	switch {
	case value && a.value, types && a.types:
		e[Listing] = askedFor
	case (value || types) && !a.how:
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

// declaresType reports whether the chunk is the declaration of a type. Enumerations are of tier data.
func declaresType(gen *index.Generation, chunk int) bool {
	if t := gen.ChunkType(chunk); t == record.Definitions || t == record.Data {
		for s := range gen.Symbols(chunk) {
			return s.Type.IsType()
		}
	}
	return false
}

// isListing reports whether the chunk is code other than a definition with its body.
func isListing(gen *index.Generation, chunk int) bool {
	switch gen.ChunkType(chunk) {
	case record.Documentation:
		return false
	case record.Implementations:
		for range gen.Symbols(chunk) {
			return false
		}
	}
	return true
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
func (a asked) isAside(file string) bool {
	return !a.examples && isExample(file) || !a.translations && corpus.IsTranslation(file)
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
