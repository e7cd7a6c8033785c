// Package extract makes the symbols, references and breaks of a file record of what the query of a grammar captured.
package extract

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/parse/grammar"
	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

type kind = record.Kind

const (
	// maxNesting bounds how deep symbols stand in each other; deeper ones are left out.
	maxNesting = 64
	// The symbols of a file may together hold symbolFactor times its size and symbolBase
	// more; only text made to swell does.
	SymbolFactor = 8
	SymbolBase   = 1 << 20
)

// A fact is what one match, or all matches of one name, say about a definition.
type fact struct {
	name    lexical.Span
	pattern int // the one that gives the kind
	kind    kind
	around  lexical.Span // definition or @span
	// signature is where the signature begins: after the attributes.
	signature int
	body      int
	value     lexical.Span
	syntax.Setting
	prefix    lexical.Span
	receivers []lexical.Span
	doc       lexical.Span
	scope     bool // no symbol: a @scope
	exported  bool
	private   bool
	test      bool
}

// A value is a function or class that has no name of its own.
type value struct {
	at   lexical.Span
	kind kind
	body int
}

// A section is where in the body of a type the visibility of its members changes.
type section struct {
	start   int
	private bool
}

// A Segment is a part of a file in another language.
type Segment struct {
	lexical.Span
	Language string
	pattern  int
	// readable, unless "", is what the grammar reads in its place; it is as long.
	Readable string
}

// buffers are the slices that an extraction fills and a worker keeps for the next one.
type buffers struct {
	lines []int
	facts []fact
	// out is the merged facts.
	out     []fact
	frames  nesting
	members []member
	mentions
}

// An extraction is the work on one file or on a segment of it.
type extraction struct {
	*grammar.Program
	buffers
	text string
	path string
	// masked is text as the grammar has read it; names are taken from it.
	masked   string
	scopes   []fact
	sections []section
	comments []lexical.Span
	// docs are those of the comments that are strings: each a @doc.before.
	docs []lexical.Span
	// docsAfter are those that document what ends before them.
	docsAfter  []lexical.Span
	attributes []lexical.Span
	// testing and exporting are those of the attributes that mark test code and what is visible.
	testing, exporting []lexical.Span
	local, open        []lexical.Span
	values             []value
	embedded           []Segment
	exportedNames      map[string]bool
	privateNames       []lexical.Span
	// heads are the lines between the first attribute of a definition and its signature.
	heads   []lexical.Span
	imports []string
	pkg     string
	// runs are, for each comment, the first of its run; they are found when one is asked for.
	runs []int
	// cleaned are the texts of many comments, by where these begin and end.
	cleaned map[lexical.Span]string
}

// read sorts the captures of all matches, in text that begins at a byte of the file,
// into facts, comments and so on; arrange must follow.
func (x *extraction) read(words []uint32, start int) {
	base := x.path[strings.LastIndexByte(x.path, '/')+1:]
	for len(words) > 0 {
		pattern, n := &x.Patterns[words[0]], int(words[1])
		captures := words[2 : 2+3*n]
		for i := 0; i < len(captures); i += 3 {
			// The grammar may have been given an end of the last line.
			captures[i+1] = min(captures[i+1]+uint32(start), uint32(len(x.text)))
			captures[i+2] = min(captures[i+2]+uint32(start), uint32(len(x.text)))
		}
		if pattern.IsFor(base) && pattern.Accepts(x.masked, captures) {
			defines, refers := x.sorts(captures)
			if refers {
				x.readReference(int(words[0]), captures)
			}
			if defines {
				x.readMatch(int(words[0]), captures)
			}
		}
		words = words[2+3*n:]
	}
}

// sorts reports whether captures are of definitions and of references.
func (x *extraction) sorts(captures []uint32) (defines, refers bool) {
	for i := 0; i < len(captures); i += 3 {
		switch role := x.Roles[captures[i]]; {
		case role >= grammar.RoleBinding:
			refers = true
		case role != grammar.RoleNone:
			defines = true
		}
	}
	return defines, refers
}

// arrange sorts what was read.
func (x *extraction) arrange() {
	x.runs, x.cleaned = nil, nil
	for _, spans := range []*[]lexical.Span{&x.comments, &x.attributes, &x.testing, &x.exporting, &x.docs, &x.docsAfter, &x.open} {
		slices.SortFunc(*spans, lexical.ByStart)
		*spans = slices.Compact(*spans)
	}
	slices.SortFunc(x.privateNames, lexical.ByStart)
	slices.SortFunc(x.sections, func(a, b section) int { return cmp.Compare(a.start, b.start) })
	x.local = slices.DeleteFunc(x.local, func(s lexical.Span) bool { return holds(x.open, s) })
	slices.SortFunc(x.local, lexical.ByStart)
	// Scopes nest: a byte is in one of them if the furthest end so far is behind it.
	for i := 1; i < len(x.local); i++ {
		x.local[i].End = max(x.local[i].End, x.local[i-1].End)
	}
}

// holds reports whether sorted has s.
func holds(sorted []lexical.Span, s lexical.Span) bool {
	_, found := slices.BinarySearchFunc(sorted, s, lexical.ByStart)
	return found
}

// inLocal reports whether pos stands in a local scope.
func (x *extraction) inLocal(pos int) bool {
	n, _ := slices.BinarySearchFunc(x.local, pos, func(s lexical.Span, at int) int { return cmp.Compare(s.Start, at) })
	return n > 0 && x.local[n-1].End > pos
}

func (x *extraction) readMatch(pattern int, captures []uint32) {
	f := fact{pattern: pattern}
	var v value
	var imported lexical.Span
	for i := 0; i < len(captures); i += 3 {
		s := lexical.Span{Start: int(captures[i+1]), End: int(captures[i+2])}
		switch x.Roles[captures[i]] {
		case grammar.RoleComment:
			x.comments = append(x.comments, s)
		case grammar.RoleAttribute:
			x.attributes = append(x.attributes, s)
		case grammar.RoleAttributeTest:
			x.attributes = append(x.attributes, s)
			x.testing = append(x.testing, s)
		case grammar.RoleAttributeExported:
			x.attributes = append(x.attributes, s)
			x.exporting = append(x.exporting, s)
		case grammar.RoleEmbedded:
			x.embedded = append(x.embedded, Segment{Span: s, Language: x.Embeds[captures[i]], pattern: pattern})
		case grammar.RolePrivateFrom, grammar.RolePublicFrom:
			x.sections = append(x.sections, section{s.Start, x.Roles[captures[i]] == grammar.RolePrivateFrom})
		case grammar.RoleImport:
			imported = imported.Join(s)
		case grammar.RolePackage:
			if !x.Patterns[pattern].Join {
				x.pkg = ""
			}
			if len(x.pkg) <= lexical.MaxName && s.End-s.Start <= lexical.MaxName {
				x.pkg = join(x.pkg, lexical.Unquote(x.text[s.Start:s.End]))
			}
		case grammar.RolePrivateName:
			x.privateNames = append(x.privateNames, s)
		case grammar.RoleExportedName:
			if x.exportedNames == nil {
				x.exportedNames = map[string]bool{}
			}
			x.exportedNames[x.text[s.Start:s.End]] = true
		case grammar.RoleFunction:
			v = value{at: s, kind: record.Function}
		case grammar.RoleClass:
			v = value{at: s, kind: record.Class}
		case grammar.RoleLocal:
			x.local = append(x.local, s)
		case grammar.RoleOpen:
			x.open = append(x.open, s)
		case grammar.RoleName:
			f.name = f.name.Join(s)
		case grammar.RoleDefinition:
			f.kind, f.Setting = x.Kinds[captures[i]], x.Patterns[pattern].Setting
			f.around = f.around.Join(s)
		case grammar.RoleSpan:
			f.around = f.around.Join(s)
		case grammar.RoleBody:
			f.body = s.Start
		case grammar.RoleValue:
			f.value = s
		case grammar.RolePrefix:
			f.prefix = s
		case grammar.RoleReceiver:
			f.receivers = append(f.receivers, s)
		case grammar.RoleScope:
			f.scope, f.around = true, s
		case grammar.RoleDoc:
			f.doc = s
		case grammar.RoleDocAfter:
			x.docsAfter = append(x.docsAfter, s)
		case grammar.RoleDocBefore:
			x.comments = append(x.comments, s)
			x.docs = append(x.docs, s)
		case grammar.RoleExported:
			f.exported = true
		case grammar.RolePrivate:
			f.private = true
		case grammar.RoleTest:
			f.test = true
		}
	}
	if imported.End > 0 {
		x.addImport(importName(x.text[imported.Start:imported.End]))
	}
	if v.kind != "" {
		v.body = f.body
		x.values = append(x.values, v)
	}
	switch {
	case f.scope:
		x.scopes = append(x.scopes, f)
	case f.name.End > f.name.Start && f.name.End-f.name.Start <= lexical.MaxName:
		x.facts = append(x.facts, f)
	}
}

// addImport keeps the first of equal imports.
func (x *extraction) addImport(name string) {
	if name != "" && !slices.Contains(x.imports[max(0, len(x.imports)-1000):], name) {
		x.imports = append(x.imports, name)
	}
}

// maxSkip bounds how many comments stand between an attribute and its definition.
const maxSkip = 20

// skip is where the next token begins: after blanks, of which there are at most maxBlanks in a row, and comments.
func (x *extraction) skip(pos int) int {
	for range maxSkip {
		for limit := min(pos+maxBlanks, len(x.text)); pos < limit && lexical.IsSpace(x.text[pos]); {
			pos++
		}
		i, found := x.commentAt(pos)
		if !found {
			return pos
		}
		pos = x.comments[i].End
	}
	return pos
}

// commentAt is the index of the first comment that begins at pos or later, and whether it
// begins at pos.
func (x *extraction) commentAt(pos int) (int, bool) {
	return slices.BinarySearchFunc(x.comments, pos, func(c lexical.Span, at int) int { return cmp.Compare(c.Start, at) })
}
