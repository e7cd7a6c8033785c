package show

import (
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/token"
)

// maxUses bounds the declarations that are shown with one hit; UsingHits is the number of hits that get any, unless the
// question asks for a value.
const (
	maxUses   = 3
	UsingHits = 4
)

// UsesOf returns the lines that declare constants, variables and errors of the same file that the hit uses. They match a
// needle, unless values says that the question asks for a value: then all count that are declared with one.
func UsesOf(x *corpus.Corpus, chunk int, h *answer.Hit, needles []Needle, values bool) ([]answer.TellingLine, error) {
	if h.Chunk.ChunkType != record.Implementations || h.Parts != nil {
		return nil, nil
	}
	declared, used := token.NewSet(), map[string]bool{}
	var others []int
	for other := range x.Generation.Chunks(x.Generation.File(chunk)) {
		if x.Generation.ChunkType(other) != record.Data {
			continue
		}
		others = append(others, other)
		for s := range x.Generation.Symbols(other) {
			declared.Add(lastName(s.Name))
		}
	}
	if len(others) == 0 {
		return nil, nil
	}
	token.ScanFor(h.Chunk.Text, declared, func(t token.Token) {
		if t.Kind == token.Whole {
			used[t.Term] = true
		}
	})
	using := slices.DeleteFunc(others, func(other int) bool {
		for s := range x.Generation.Symbols(other) {
			if used[lastName(s.Name)] {
				return false
			}
		}
		return true
	})
	if err := x.Generation.Prepare(using); err != nil {
		return nil, err
	}
	var list []answer.TellingLine
	for _, other := range using {
		c, err := x.Generation.Chunk(other)
		if err != nil {
			return nil, err
		}
		text := newTextLines(c)
		asked := map[int]bool{}
		for _, p := range text.inFile(places(c, needles)) {
			asked[text.at(p.start)] = true
		}
		for s := range corpus.Declared(c) {
			if s.Type.IsType() || !used[lastName(s.Name)] {
				continue // the first line of an enum says no value
			}
			at, _ := text.declaration(&s, nil)
			if at < 0 || !asked[at] && !(values && hasValue(s.Type, text.line(at))) || h.Chunk.Metadata.StartLine <= text.number[at] && text.number[at] <= h.Chunk.Metadata.EndLine ||
				token.NameAt(h.Chunk.Text, corpus.LastComponent(s.Name)) < 0 { // the name is in another case, or within a longer one
				continue
			}
			// A copy, since a hit is kept longer than the text of the other chunk.
			list = append(list, answer.TellingLine{Number: text.number[at], Text: strings.Clone(strings.TrimSpace(text.line(at)))})
			if len(list) == maxUses {
				return list, nil
			}
		}
	}
	return list, nil
}

// lastName returns the part of a qualified name by which code uses it, in lower case.
func lastName(name string) string { return strings.ToLower(corpus.LastComponent(name)) }

// hasValue reports whether the line that declares a symbol probably has its value: that of a constant, or one that is
// assigned, such as Priority.LOW or seconds(30), rather than an object that a call makes.
func hasValue(k record.Kind, line string) bool {
	_, value, assigned := strings.Cut(line, "=")
	return k == record.Constant || k == record.Macro || assigned && (!strings.Contains(value, "(") || strings.ContainsAny(value, "0123456789"))
}
