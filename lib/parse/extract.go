package parse

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/record"
)

type kind = record.Kind

func checkKind(k kind) error {
	if !slices.Contains(record.Kinds, k) {
		return fmt.Errorf("unknown kind %q", k)
	}
	return nil
}

const (
	// maxNesting bounds how deep symbols stand in each other; deeper ones are left out.
	maxNesting = 64
	// maxReach is the lowest level of a definition that reaches to the next.
	maxReach = 6
	// maxName is the length in bytes of the longest name that is one.
	maxName = 500
	// The symbols of a file may together hold symbolFactor times its size and symbolBase
	// more; only text made to swell does.
	symbolFactor = 8
	symbolBase   = 1 << 20
)

// A span is a half-open range of bytes. The zero span is none.
type span struct{ start, end int }

func (s span) contains(o span) bool { return s.start <= o.start && o.end <= s.end }

// join is the smallest span around both.
func (s span) join(o span) span {
	if s.end == 0 {
		return o
	}
	if o.end == 0 {
		return s
	}
	return span{min(s.start, o.start), max(s.end, o.end)}
}

// A fact is what one match, or all matches of one name, say about a definition.
type fact struct {
	name    span
	pattern int // the one that gives the kind
	kind    kind
	around  span // definition or @span
	// signature is where the signature begins: after the attributes.
	signature int
	body      int
	value     span
	setting
	prefix    span
	receivers []span
	doc       span
	scope     bool // no symbol: a @scope
	exported  bool
	private   bool
	test      bool
}

// A value is a function or class that has no name of its own.
type value struct {
	at   span
	kind kind
	body int
}

// A section is where in the body of a type the visibility of its members changes.
type section struct {
	start   int
	private bool
}

// A segment is a part of a file in another language.
type segment struct {
	span
	language string
	pattern  int
	// readable, unless "", is what the grammar reads in its place; it is as long.
	readable string
}

// A room is what an extraction fills and a worker keeps for the next one.
type room struct {
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
	*program
	room
	text string
	path string
	// masked is text as the grammar has read it; names are taken from it.
	masked   string
	scopes   []fact
	sections []section
	comments []span
	// docs are those of the comments that are strings: each a @doc.before.
	docs []span
	// docsAfter are those that document what ends before them.
	docsAfter  []span
	attributes []span
	// testing and exporting are those of the attributes that mark test code and what is visible.
	testing, exporting []span
	local, open        []span
	values             []value
	embedded           []segment
	exportedNames      map[string]bool
	privateNames       []span
	// heads are the lines between the first attribute of a definition and its signature.
	heads   []span
	imports []string
	pkg     string
	// runs are, for each comment, the first of its run; they are found when one is asked for.
	runs []int
	// cleaned are the texts of many comments, by where these begin and end.
	cleaned map[span]string
}

func byStart(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) }

// read sorts the captures of all matches, in text that begins at a byte of the file,
// into facts, comments and so on; arrange must follow.
func (x *extraction) read(words []uint32, start int) {
	base := x.path[strings.LastIndexByte(x.path, '/')+1:]
	for len(words) > 0 {
		pattern, n := &x.patterns[words[0]], int(words[1])
		captures := words[2 : 2+3*n]
		for i := 0; i < len(captures); i += 3 {
			// The grammar may have been given an end of the last line.
			captures[i+1] = min(captures[i+1]+uint32(start), uint32(len(x.text)))
			captures[i+2] = min(captures[i+2]+uint32(start), uint32(len(x.text)))
		}
		if pattern.isFor(base) && pattern.accepts(x.masked, captures) {
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
		switch role := x.roles[captures[i]]; {
		case role >= roleBinding:
			refers = true
		case role != roleNone:
			defines = true
		}
	}
	return defines, refers
}

// arrange sorts what was read.
func (x *extraction) arrange() {
	x.runs, x.cleaned = nil, nil
	for _, spans := range []*[]span{&x.comments, &x.attributes, &x.testing, &x.exporting, &x.docs, &x.docsAfter, &x.open} {
		slices.SortFunc(*spans, byStart)
		*spans = slices.Compact(*spans)
	}
	slices.SortFunc(x.privateNames, byStart)
	slices.SortFunc(x.sections, func(a, b section) int { return cmp.Compare(a.start, b.start) })
	x.local = slices.DeleteFunc(x.local, func(s span) bool { return holds(x.open, s) })
	slices.SortFunc(x.local, byStart)
	// Scopes nest: a byte is in one of them if the furthest end so far is behind it.
	for i := 1; i < len(x.local); i++ {
		x.local[i].end = max(x.local[i].end, x.local[i-1].end)
	}
}

// holds reports whether sorted has s.
func holds(sorted []span, s span) bool {
	_, found := slices.BinarySearchFunc(sorted, s, byStart)
	return found
}

// inLocal reports whether pos stands in a local scope.
func (x *extraction) inLocal(pos int) bool {
	n, _ := slices.BinarySearchFunc(x.local, pos, func(s span, at int) int { return cmp.Compare(s.start, at) })
	return n > 0 && x.local[n-1].end > pos
}

// accepts reports whether the predicates hold for all captures that they name.
func (p *pattern) accepts(text string, captures []uint32) bool {
	for _, pred := range p.predicates {
		for i := 0; i < len(captures); i += 3 {
			if captures[i] == pred.capture && pred.holds(text[captures[i+1]:captures[i+2]]) == pred.negative {
				return false
			}
		}
	}
	return true
}

func (x *extraction) readMatch(pattern int, captures []uint32) {
	f := fact{pattern: pattern}
	var v value
	var imported span
	for i := 0; i < len(captures); i += 3 {
		s := span{int(captures[i+1]), int(captures[i+2])}
		switch x.roles[captures[i]] {
		case roleComment:
			x.comments = append(x.comments, s)
		case roleAttribute:
			x.attributes = append(x.attributes, s)
		case roleAttributeTest:
			x.attributes = append(x.attributes, s)
			x.testing = append(x.testing, s)
		case roleAttributeExported:
			x.attributes = append(x.attributes, s)
			x.exporting = append(x.exporting, s)
		case roleEmbedded:
			x.embedded = append(x.embedded, segment{span: s, language: x.embeds[captures[i]], pattern: pattern})
		case rolePrivateFrom, rolePublicFrom:
			x.sections = append(x.sections, section{s.start, x.roles[captures[i]] == rolePrivateFrom})
		case roleImport:
			imported = imported.join(s)
		case rolePackage:
			if !x.patterns[pattern].join {
				x.pkg = ""
			}
			if len(x.pkg) <= maxName && s.end-s.start <= maxName {
				x.pkg = join(x.pkg, unquote(x.text[s.start:s.end]))
			}
		case rolePrivateName:
			x.privateNames = append(x.privateNames, s)
		case roleExportedName:
			if x.exportedNames == nil {
				x.exportedNames = map[string]bool{}
			}
			x.exportedNames[x.text[s.start:s.end]] = true
		case roleFunction:
			v = value{at: s, kind: record.Function}
		case roleClass:
			v = value{at: s, kind: record.Class}
		case roleLocal:
			x.local = append(x.local, s)
		case roleOpen:
			x.open = append(x.open, s)
		case roleName:
			f.name = f.name.join(s)
		case roleDefinition:
			f.kind, f.setting = x.kinds[captures[i]], x.patterns[pattern].setting
			f.around = f.around.join(s)
		case roleSpan:
			f.around = f.around.join(s)
		case roleBody:
			f.body = s.start
		case roleValue:
			f.value = s
		case rolePrefix:
			f.prefix = s
		case roleReceiver:
			f.receivers = append(f.receivers, s)
		case roleScope:
			f.scope, f.around = true, s
		case roleDoc:
			f.doc = s
		case roleDocAfter:
			x.docsAfter = append(x.docsAfter, s)
		case roleDocBefore:
			x.comments = append(x.comments, s)
			x.docs = append(x.docs, s)
		case roleExported:
			f.exported = true
		case rolePrivate:
			f.private = true
		case roleTest:
			f.test = true
		}
	}
	if imported.end > 0 {
		x.addImport(importName(x.text[imported.start:imported.end]))
	}
	if v.kind != "" {
		v.body = f.body
		x.values = append(x.values, v)
	}
	switch {
	case f.scope:
		x.scopes = append(x.scopes, f)
	case f.name.end > f.name.start && f.name.end-f.name.start <= maxName:
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
		for limit := min(pos+maxBlanks, len(x.text)); pos < limit && isSpace(x.text[pos]); {
			pos++
		}
		i, found := x.commentAt(pos)
		if !found {
			return pos
		}
		pos = x.comments[i].end
	}
	return pos
}

// commentAt is the index of the first comment that begins at pos or later, and whether it
// begins at pos.
func (x *extraction) commentAt(pos int) (int, bool) {
	return slices.BinarySearchFunc(x.comments, pos, func(c span, at int) int { return cmp.Compare(c.start, at) })
}
