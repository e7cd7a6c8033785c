package search

import (
	"fmt"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/search/query"
	"cortex/lib/search/token"
)

// A dictKind says which of the terms of a field a dictionary has.
//
// Chunks overlap: outlines, headings and breadcrumbs are made up, and signatures stand in two tiers. The words
// of a field of text that are its own are those of lines that belong to this chunk and no other, so
// that each line of a file counts once. The others are in dictionaries of made terms.
type dictKind uint8

const (
	// wholeTerms are whole words and sigils.
	wholeTerms dictKind = iota
	// partTerms are the parts of identifiers.
	partTerms
	// madeTerms and madeParts are those that are not the chunk's own.
	madeTerms
	madeParts
	// stemTerms are the stems of plain words in the prose of documents.
	stemTerms
	// casedTerms are the chunk's own whole words with capitals: casedTerm of each.
	casedTerms
	dictKinds
)

// A dict is one dictionary of a textIndex.
type dict struct {
	field query.Field
	kind  dictKind
}

// dictsOf are the dictionaries of a field with words and parts of them, be they the chunk's own or not.
func dictsOf(field query.Field) []dict {
	dicts := []dict{{field, wholeTerms}, {field, partTerms}}
	for _, d := range dicts {
		if made, ok := d.made(); ok {
			dicts = append(dicts, made)
		}
	}
	return dicts
}

// isPart reports whether the dictionary is one of parts.
func (d dict) isPart() bool { return d.kind == partTerms || d.kind == madeParts }

func (d dict) name() string {
	name := string(d.field)
	switch d.kind {
	case partTerms:
		return name + ".parts"
	case madeTerms:
		return name + ".made"
	case madeParts:
		return name + ".madeparts"
	case stemTerms:
		return name + ".stems"
	case casedTerms:
		return name + ".cased"
	}
	return name
}

// made is the dictionary of the terms of d that are not the chunk's own; ok is false if it has none.
func (d dict) made() (made dict, ok bool) {
	switch {
	case d.field != query.Text:
	case d.kind == wholeTerms:
		return dict{d.field, madeTerms}, true
	case d.kind == partTerms:
		return dict{d.field, madeParts}, true
	}
	return dict{}, false
}

// counted is the dictionary in whose length the terms of d count.
func (d dict) counted() dict {
	switch d.kind {
	case madeTerms:
		d.kind = wholeTerms
	case madeParts:
		d.kind = partTerms
	}
	return d
}

// casedTerm is the term of casedTerms for a word as it is written. Terms of one word stand together.
func casedTerm(folded, written string) string { return folded + casedSeparator + written }

const casedSeparator = "\x00"

// analysisVersion moves with every change of what analyse emits or package token makes.
const analysisVersion = 5

// analyserVersion names everything that shapes the terms of an index, but the chunks.
func (s *stemmer) analyserVersion() string { return fmt.Sprintf("%d %s", analysisVersion, s.language) }

// wordFields are the fields of words with what they hold of a chunk.
func wordFields() []wordField {
	return []wordField{
		{field: query.Text, values: func(c *record.Chunk) []string { return oneValue(c.Text) }},
		{field: query.Title, values: func(c *record.Chunk) []string { return oneValue(c.Title) }},
		{field: query.Symbol, values: symbolNames},
		{field: query.FilePath, values: func(c *record.Chunk) []string { return oneValue(c.Metadata.FilePath) }, shared: true},
		{field: query.Package, values: func(c *record.Chunk) []string { return oneValue(c.Metadata.Package) }, shared: true},
	}
}

// analysedFields are the wordFields for an index, with stems.
func analysedFields(s *stemmer) []wordField {
	fields := wordFields()
	for i := range fields {
		fields[i].stemmer = s
	}
	return fields
}

// A wordField has any number of values, none of them empty.
type wordField struct {
	field  query.Field
	values func(*record.Chunk) []string
	// shared tells that the path and the package say all.
	shared bool
	// stemmer finds stems, none if it is nil.
	stemmer *stemmer
}

func oneValue(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// apart is the number of positions between the values of a field, which no phrase bridges.
const apart = maxGap + 1

// analyse calls emit for every term of the field in the chunk, with the kind of dictionary
// that it belongs to and its interval of positions. The terms of one kind come in the order of
// their first positions.
func (f wordField) analyse(c *record.Chunk, emit func(kind dictKind, term string, at span)) {
	offset := 0
	isText := f.field == query.Text
	cased := isText || f.field == query.Symbol
	for _, value := range f.values(c) {
		var own, prose intervals
		if isText {
			own = ownText(c)
			if c.ChunkType == record.Documentation && f.stemmer != nil {
				prose = proseOf(c.Text, own)
			}
		}
		offset += apart + token.Scan(value, func(t token.Token) {
			at := span{t.From + offset, t.To + offset}
			kind, made := wholeTerms, madeTerms
			if t.Kind == token.Part {
				kind, made = partTerms, madeParts
			}
			if isText && !own.hold(t.Start) {
				emit(made, t.Term, at)
				return
			}
			emit(kind, t.Term, at)
			if kind == partTerms {
				return
			}
			if written := value[t.Start:t.End]; cased && written != t.Term && len(written) <= token.MaxTerm {
				emit(casedTerms, casedTerm(t.Term, written), at)
			}
			if t.Kind == token.Whole && prose.hold(t.Start) {
				if stem, ok := f.stemmer.stemOf(t.Term); ok {
					emit(stemTerms, stem, at)
				}
			}
		})
	}
}

// intervals are bytes [from, to) of a text, ascending. hold must be asked in ascending order, too: it leaves out what
// lies behind.
type intervals []span

func (l *intervals) hold(offset int) bool {
	for len(*l) > 0 && (*l)[0].to <= offset {
		*l = (*l)[1:]
	}
	return len(*l) > 0 && (*l)[0].from <= offset
}

// ownText is what of the chunk's text belongs to it and to no other chunk of the file.
func ownText(c *record.Chunk) intervals {
	all := intervals{{0, len(c.Text)}}
	switch c.ChunkType {
	case record.Symbols:
		return nil
	case record.Implementations, record.Documentation:
		return verbatim(c)
	}
	if len(c.Metadata.Repeats) == 0 {
		return all
	}
	var own intervals
	repeats := c.Metadata.Repeats
	line, at := 1, 0
	for at < len(c.Text) {
		end := at + strings.IndexByte(c.Text[at:], '\n') + 1
		if end == at {
			end = len(c.Text)
		}
		for len(repeats) > 0 && repeats[0][1] < line {
			repeats = repeats[1:]
		}
		if len(repeats) == 0 || line < repeats[0][0] {
			if n := len(own); n > 0 && own[n-1].to == at {
				own[n-1].to = end
			} else {
				own = append(own, span{at, end})
			}
		}
		line, at = line+1, end
	}
	return own
}

// isDerived reports whether the chunk has a text but no line of its own that says something.
func isDerived(c *record.Chunk) bool {
	return c.Text != "" && !slices.ContainsFunc(ownText(c), func(part span) bool { return strings.TrimSpace(c.Text[part.from:part.to]) != "" })
}

// verbatim is the end of the text, which is a piece of the file; all of it where the metadata do not say. A section of a document
// may have a text and no piece of the file, which it says by a single line.
func verbatim(c *record.Chunk) intervals {
	m := &c.Metadata
	size := m.ByteEnd - m.ByteStart
	if size < 0 || size > len(c.Text) || size == 0 && (c.ChunkType != record.Documentation || m.StartLine == 0 || m.EndLine > m.StartLine) {
		size = len(c.Text)
	}
	return intervals{{len(c.Text) - size, len(c.Text)}}
}

// proseOf is the part of a document's own text that is not in fences of code.
func proseOf(text string, own intervals) intervals {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return slices.Clone(own)
	}
	var prose intervals
	fence := ""
	for _, part := range own {
		at := part.from
		for line := range strings.Lines(text[part.from:part.to]) {
			mark := fenceOf(line)
			switch {
			case fence != "":
				if mark == fence {
					fence = ""
				}
			case mark != "":
				fence = mark
			default:
				prose = append(prose, span{at, at + len(line)})
			}
			at += len(line)
		}
	}
	return prose
}

// fenceOf is the kind of fence that the line is, "" if it is none.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " \t>")
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}
