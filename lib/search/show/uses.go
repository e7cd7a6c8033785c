package show

import (
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
	using, used := usedChunks(x, chunk, h.Chunk.Text)
	if err := x.Generation.Prepare(using); err != nil {
		return nil, err
	}
	var list []answer.TellingLine
	for _, other := range using {
		c, err := x.Generation.Chunk(other)
		if err != nil {
			return nil, err
		}
		list = append(list, usedLines(c, used, &h.Chunk, needles, values)...)
		if len(list) >= maxUses {
			return list[:maxUses], nil
		}
	}
	return list, nil
}

// usedChunks returns the chunks with values of the same file, of which the text of the chunk has a name, and these
// names.
func usedChunks(x *corpus.Corpus, chunk int, text string) (using []int, used map[string]bool) {
	g := x.Generation
	declared := token.NewSet()
	var others []int
	for other := range g.Chunks(g.File(chunk)) {
		if g.ChunkType(other) != record.Data {
			continue
		}
		others = append(others, other)
		for s := range g.Symbols(other) {
			declared.Add(lastName(s.Name))
		}
	}
	if len(others) == 0 {
		return nil, nil
	}
	used = map[string]bool{}
	token.ScanFor(text, declared, func(t token.Token) {
		if t.Kind == token.Whole {
			used[t.Term] = true
		}
	})
	for _, other := range others {
		for s := range g.Symbols(other) {
			if used[lastName(s.Name)] {
				using = append(using, other)
				break
			}
		}
	}
	return using, used
}

// usedLines returns at most maxUses lines of c that declare names in used, if a needle is in the line or the line has a
// value that was asked for. It leaves out lines of the user, and names that the user only has in another case or in a
// longer name.
func usedLines(c *record.Chunk, used map[string]bool, user *answer.Chunk, needles []Needle, values bool) (list []answer.TellingLine) {
	text := newTextLines(c)
	asked := map[int]bool{}
	for _, p := range text.inFile(places(c, needles)) {
		asked[text.at(p.start)] = true
	}
	for s := range corpus.Declared(c) {
		if s.Type.IsType() || !used[lastName(s.Name)] {
			continue // the first line of an enum says no value
		}
		n, _ := text.declaration(&s, nil)
		if n < 0 || !asked[n] && !(values && hasValue(s.Type, text.line(n))) {
			continue
		}
		number := text.number[n]
		inUser := user.Metadata.StartLine <= number && number <= user.Metadata.EndLine
		if inUser || token.NameAt(user.Text, corpus.LastComponent(s.Name)) < 0 {
			continue
		}
		// A copy, since a hit is kept longer than the text of the other chunk.
		list = append(list, answer.TellingLine{Number: number, Text: strings.Clone(strings.TrimSpace(text.line(n)))})
		if len(list) == maxUses {
			break
		}
	}
	return list
}

// lastName returns the part of a qualified name by which code uses it, in lower case.
func lastName(name string) string { return strings.ToLower(corpus.LastComponent(name)) }

// hasValue reports whether the line that declares a symbol probably has its value: that of a constant, or one that is
// assigned, such as Priority.LOW or seconds(30), rather than an object that a call makes.
func hasValue(k record.Kind, line string) bool {
	_, value, assigned := strings.Cut(line, "=")
	return k == record.Constant || k == record.Macro || assigned && (!strings.Contains(value, "(") || strings.ContainsAny(value, "0123456789"))
}
