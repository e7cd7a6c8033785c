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

// An extraction is the work on one file or on a segment of it.
type extraction struct {
	*program
	text  string
	lines []int

	path string
	// masked is text as the grammar has read it; names are taken from it.
	masked   string
	facts    []fact
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
			x.readMatch(int(words[0]), captures)
		}
		words = words[2+3*n:]
	}
}

// arrange sorts what was read.
func (x *extraction) arrange() {
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
			x.pkg = join(x.pkg, x.text[s.start:s.end])
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

// symbolName is the name at s without quotes; one of several tokens has single spaces.
func (x *extraction) symbolName(at span) string {
	s := unquote(x.masked[at.start:at.end])
	s = strings.TrimPrefix(s, "r#") // Rust's raw identifiers
	if x.grammar.atoms {
		s = withoutColon(s)
	}
	if strings.ContainsAny(s, "\t\r\n") || strings.Contains(s, "  ") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}

// withoutColon is the name of an atom such as :name.
func withoutColon(s string) string {
	if len(s) > 1 && s[0] == ':' && s[1] != ':' {
		return s[1:]
	}
	return s
}

// importName is what an import names, without quotes, on one line.
func importName(s string) string {
	s = unquote(cut(s, maxName))
	if strings.HasPrefix(s, "<") && strings.HasSuffix(s, ">") {
		s = s[1 : len(s)-1]
	}
	if strings.ContainsAny(s, " \t\r\n") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}

func unquote(s string) string {
	if n := len(s); n >= 2 && s[n-1] == s[0] && strings.ContainsRune("\"'`", rune(s[0])) {
		return s[1 : n-1]
	}
	return s
}

// merged is one fact for each name, with the attributes that belong to it, in the
// order in which symbols stand.
func (x *extraction) merged() []fact {
	slices.SortFunc(x.values, func(a, b value) int { return byStart(a.at, b.at) })
	x.facts = slices.DeleteFunc(x.facts, func(f fact) bool {
		return f.valueFunction && f.value.end > 0 && x.valueAt(f.value) == nil
	})
	for i := range x.facts {
		x.resolve(&x.facts[i])
	}
	slices.SortStableFunc(x.facts, func(a, b fact) int {
		return cmp.Or(cmp.Compare(a.name.start, b.name.start), cmp.Compare(a.pattern, b.pattern))
	})
	out := make([]fact, 0, len(x.facts))
	for i := 0; i < len(x.facts); {
		f := x.facts[i]
		for i++; i < len(x.facts) && x.facts[i].name == f.name; i++ {
			f.add(x.facts[i])
		}
		if f.kind != "" {
			x.trim(&f)
			f.signature = f.around.start
			out = append(out, f)
		}
	}
	for _, f := range x.scopes {
		f.signature = f.around.start
		out = append(out, f)
	}
	x.attachAll(out)
	if slices.ContainsFunc(out, func(f fact) bool { return f.level > 0 }) {
		slices.SortStableFunc(out, outerFirst)
		x.reach(out)
	}
	slices.SortStableFunc(out, outerFirst)
	return out
}

// trim lets a definition end before comments that belong to what follows: where blocks are
// indentation, a grammar ends them only at the next token.
func (x *extraction) trim(f *fact) {
	for f.around.end > f.name.end {
		end := f.around.start + len(strings.TrimRight(x.text[f.around.start:f.around.end], " \t\r\n"))
		n, _ := x.commentAt(end)
		if n == 0 {
			return
		}
		c := x.comments[n-1]
		if c.start < f.name.end || strings.TrimRight(x.text[c.start:c.end], "\r\n") != x.text[c.start:max(c.start, end)] ||
			!x.startsLine(c.start) || x.column(c.start) > x.column(f.around.start) {
			return
		}
		f.around.end = c.start - x.column(c.start)
	}
}

// outerFirst is the order in which symbols stand.
func outerFirst(a, b fact) int {
	return cmp.Or(cmp.Compare(a.around.start, b.around.start), cmp.Compare(b.around.end, a.around.end),
		cmp.Compare(a.name.start, b.name.start))
}

// reach lets each definition with a level end where the next one of that level or a
// higher one begins, or the definition around it ends.
func (x *extraction) reach(facts []fact) {
	ends := make([]int, len(facts)) // of what is around each fact
	var open []span
	for i := range facts {
		f := &facts[i]
		for len(open) > 0 && open[len(open)-1].end < f.around.end {
			open = open[:len(open)-1]
		}
		ends[i] = len(x.text)
		if len(open) > 0 {
			ends[i] = open[len(open)-1].end
		}
		if f.level == 0 {
			open = append(open, f.around)
		}
	}
	var next [maxReach + 1]int // where the next definition of each level begins
	for level := range next {
		next[level] = len(x.text)
	}
	for i := len(facts) - 1; i >= 0; i-- {
		f := &facts[i]
		if f.level == 0 {
			continue
		}
		if f.body == 0 {
			f.body = f.around.end
		}
		stop := ends[i]
		for _, start := range next[1 : f.level+1] {
			stop = min(stop, start)
		}
		next[f.level] = f.around.start
		if first, ok := x.commentsAbove(f.around.start); ok {
			next[f.level] = first
		}
		stop = max(stop, f.around.end)
		f.around.end = f.around.start + len(strings.TrimRight(x.text[f.around.start:stop], " \t\r\n"))
	}
}

// maxAttributes bounds how many attributes one definition has.
const maxAttributes = 100

// valueAt is the function or class that is the node at s, or nil.
func (x *extraction) valueAt(s span) *value {
	i, found := slices.BinarySearchFunc(x.values, s, func(v value, s span) int { return byStart(v.at, s) })
	if !found {
		return nil
	}
	return &x.values[i]
}

// resolve makes a definition whose value is a function or class one of that.
func (x *extraction) resolve(f *fact) {
	if f.kind == "" || f.value.end == 0 {
		return
	}
	v := x.valueAt(f.value)
	if v == nil {
		return
	}
	switch {
	case v.kind == record.Class:
		f.kind = v.kind
	case f.kind == record.Field:
		f.kind = record.Method
	case f.kind.IsData():
		f.kind = record.Function
	}
	if x.text[v.body] != '{' && f.within == anywhere {
		f.within = inFile
	}
	f.body, f.value = v.body, span{}
}

// attachAll joins attributes to the definitions.
func (x *extraction) attachAll(facts []fact) {
	if len(x.attributes) == 0 {
		return
	}
	ends := make([]int, len(facts))
	for i := range facts {
		ends[i] = facts[i].around.end
	}
	slices.Sort(ends)
	for i := range facts {
		f := &facts[i]
		x.attach(f, ends)
		if f.signature > f.around.start {
			x.heads = append(x.heads, span{x.line(f.around.start), x.line(f.signature)})
		}
	}
}

// attach joins to a definition the attributes in front of it, and lets its signature
// begin after those and the ones at the beginning of its span. An attribute that a
// definition, of which ends holds the end, has in itself stays there.
func (x *extraction) attach(f *fact, ends []int) {
	first, _ := slices.BinarySearchFunc(x.attributes, f.around.start,
		func(a span, start int) int { return cmp.Compare(a.start, start) })
	for i := first; i < len(x.attributes) && x.attributes[i].start == f.signature; i++ {
		f.signature = x.skip(x.attributes[i].end)
		x.obey(f, x.attributes[i])
	}
	for i := first - 1; i >= max(0, first-maxAttributes); i-- {
		a := x.attributes[i]
		if a.end > f.around.start || x.skip(a.end) != f.around.start {
			break
		}
		if n, _ := slices.BinarySearch(ends, a.end); n < len(ends) && ends[n] <= f.around.start {
			break
		}
		f.around.start = a.start
		x.obey(f, a)
	}
}

// obey takes over what an attribute says of f.
func (x *extraction) obey(f *fact, attribute span) {
	f.test = f.test || holds(x.testing, attribute)
	f.exported = f.exported || holds(x.exporting, attribute)
}

// inAttribute reports whether pos stands in the arguments of an attribute.
func (x *extraction) inAttribute(pos int) bool {
	n, _ := slices.BinarySearchFunc(x.attributes, pos, func(a span, at int) int { return cmp.Compare(a.start, at) })
	return n > 0 && x.attributes[n-1].end > pos
}

// maxSkip bounds how many comments stand between an attribute and its definition.
const maxSkip = 20

// skip is where the next token begins: after blanks and comments.
func (x *extraction) skip(pos int) int {
	for range maxSkip {
		for pos < len(x.text) && isSpace(x.text[pos]) {
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

// add takes over what a later pattern says.
func (f *fact) add(o fact) {
	if f.kind == "" {
		f.kind, f.pattern, f.setting = o.kind, o.pattern, o.setting
	} else if o.kind == f.kind && o.within == anywhere {
		f.within = anywhere
	}
	f.around = f.around.join(o.around)
	f.body = cmp.Or(f.body, o.body)
	f.value = cmp.Or(f.value, o.value)
	f.prefix = cmp.Or(f.prefix, o.prefix)
	if len(f.receivers) == 0 {
		f.receivers = o.receivers
	}
	f.doc = cmp.Or(f.doc, o.doc)
	f.exported = f.exported || o.exported
	f.private = f.private || o.private
	f.test = f.test || o.test
}

// A frame is a symbol or scope in which others stand. The outermost one is the file.
type frame struct {
	// index is that of the symbol, -1 for the file.
	index     int
	around    span
	kind      kind
	qualified string
	exported  bool
	test      bool
	// hidden: what follows in it is private.
	hidden bool
	// last is the index of the latest symbol directly in it, or -1.
	last int
}

// A nesting is the frames around the place where the reading of the facts is.
type nesting []frame

// close leaves the frames that do not enclose s. Of equal spans, such as those of
// "var a, b int", none encloses the other.
func (n *nesting) close(s span) *frame {
	open := *n
	for len(open) > 1 && !open[len(open)-1].encloses(s) {
		open = open[:len(open)-1]
	}
	*n = open
	return &open[len(open)-1]
}

// innermostType is the innermost frame that is a type, or nil.
func (n nesting) innermostType() *frame {
	for i := len(n) - 1; i > 0; i-- {
		if n[i].kind.IsType() {
			return &n[i]
		}
	}
	return nil
}

// encloses reports whether o lies inside f and is not all of it.
func (f *frame) encloses(o span) bool { return f.around != o && f.around.contains(o) }

// symbols makes the symbols from the facts. It is false when they would swell
// beyond the file's size.
func (x *extraction) symbols() ([]record.Symbol, bool) {
	facts := x.merged()
	symbols := make([]record.Symbol, 0, len(facts))
	open := make(nesting, 1, maxNesting)
	open[0] = frame{index: -1, around: span{-1, len(x.text) + 1}, exported: true, last: -1}
	data := map[string]bool{}
	var crowd crowd
	sections, private := x.sections, x.privateNames
	hidden := map[string]bool{}
	budget := symbolBase + symbolFactor*len(x.text)
	for i := range facts {
		f := &facts[i]
		for len(sections) > 0 && sections[0].start < f.around.start {
			at := sections[0].start
			open.close(span{at, at}).hidden = sections[0].private
			sections = sections[1:]
		}
		for len(private) > 0 && private[0].start < f.around.start {
			x.hide(hidden, &open, private[0])
			private = private[1:]
		}
		parent := open.close(f.around)
		if len(open) > maxNesting {
			continue
		}
		if f.within == inNothing {
			parent = &open[0]
		}
		if f.within == inMember {
			if parent = open.innermostType(); parent == nil {
				continue
			}
		}
		if f.scope {
			open = append(open, x.scope(f, parent))
			continue
		}
		if !x.belongs(f, parent) {
			continue
		}
		s := x.symbol(f, parent)
		if s.Name == "" || s.Name == "_" && !s.Kind.IsCallable() {
			continue
		}
		if s.Kind.IsData() && x.grammar.assigns {
			if data[s.QualifiedName] {
				continue
			}
			data[s.QualifiedName] = true
		}
		if budget -= len(s.QualifiedName) + len(s.Parent) + len(s.Signature) + len(s.Doc); budget < 0 {
			return nil, false
		}
		inner := frame{index: len(symbols), around: f.around, kind: s.Kind, qualified: s.QualifiedName, exported: s.Exported, test: s.Test, last: -1}
		if f.join && f.signature == f.around.start && parent.last >= 0 && continues(&symbols[parent.last], &s) {
			symbols[parent.last].EndByte, symbols[parent.last].EndLine = s.EndByte, s.EndLine
			inner.index = parent.last
			open = append(open, inner)
			continue
		}
		crowd.add(parent.index, f)
		parent.last = len(symbols)
		open = append(open, inner)
		symbols = append(symbols, s)
	}
	for _, name := range private {
		x.hide(hidden, &open, name)
	}
	x.documentAfter(symbols)
	hideMembers(symbols, hidden)
	return crowd.thin(symbols), true
}

// hide adds the qualified name of a @private.name to hidden.
func (x *extraction) hide(hidden map[string]bool, open *nesting, name span) {
	inside := open.close(span{name.start, name.start})
	hidden[join(inside.qualified, x.symbolName(name))] = true
}

// hideMembers takes the visibility from what is hidden and from all in it, and makes members no more visible
// than their type is where the file declares that elsewhere, as with implementations and extensions.
func hideMembers(symbols []record.Symbol, hidden map[string]bool) {
	visible := map[string]bool{}
	for i := range symbols {
		if s := &symbols[i]; s.Kind.IsType() {
			visible[s.QualifiedName] = visible[s.QualifiedName] || s.Exported
		}
	}
	for i := range symbols {
		s := &symbols[i]
		if hidden[s.QualifiedName] || s.Parent != "" && hidden[s.Parent] {
			hidden[s.QualifiedName], s.Exported = true, false
		}
		if is, known := visible[s.Parent]; known && !is {
			s.Exported = false
		}
	}
}

// A crowd counts the symbols of patterns that may have but so many in one place: the
// keys of a table of data are no declarations.
type crowd struct {
	parents []int // of all symbols so far, -1 for none
	counts  map[[2]int]int
	members map[int][2]int // by symbol
	limits  map[[2]int]int
}

// add counts the next symbol, which f makes in parent.
func (c *crowd) add(parent int, f *fact) {
	if f.most > 0 {
		if c.counts == nil {
			c.counts, c.members, c.limits = map[[2]int]int{}, map[int][2]int{}, map[[2]int]int{}
		}
		key := [2]int{parent, f.pattern}
		c.counts[key]++
		c.limits[key] = f.most
		c.members[len(c.parents)] = key
	}
	c.parents = append(c.parents, parent)
}

// thin drops the symbols that are too many in their place, and what stands in them.
func (c *crowd) thin(symbols []record.Symbol) []record.Symbol {
	crowded := false
	for key, n := range c.counts {
		crowded = crowded || n > c.limits[key]
	}
	if !crowded {
		return symbols
	}
	dropped := make([]bool, len(symbols))
	kept := symbols[:0]
	for i := range symbols {
		key, counted := c.members[i]
		dropped[i] = counted && c.counts[key] > c.limits[key] || c.parents[i] >= 0 && dropped[c.parents[i]]
		if !dropped[i] {
			kept = append(kept, symbols[i])
		}
	}
	return kept
}

// continues reports whether s is another clause of the function before it.
func continues(before, s *record.Symbol) bool {
	return before.QualifiedName == s.QualifiedName && before.Kind == s.Kind
}

// scope is the frame of a @scope: its definitions are members of what its receivers name.
func (x *extraction) scope(f *fact, parent *frame) frame {
	inner := *parent
	inner.around, inner.last, inner.hidden = f.around, -1, false
	inner.test = inner.test || f.test
	if receiver := x.receiver(f); receiver != "" {
		inner.kind = record.TypeKind
		inner.qualified = join(parent.qualified, receiver)
	}
	return inner
}

// join is a qualified name.
func join(parent, name string) string {
	if parent == "" {
		return name
	}
	return parent + "." + name
}

// belongs reports whether a definition stands where its kind and its pattern want it.
func (x *extraction) belongs(f *fact, parent *frame) bool {
	if x.inAttribute(f.name.start) {
		return false
	}
	if f.within == inType {
		return parent.kind.IsType()
	}
	if (f.within == anywhere || f.within == inNothing) && !f.kind.IsData() {
		return true
	}
	return !parent.kind.IsCallable() && !x.inLocal(f.name.start)
}

// symbol makes the symbol of f, which stands in parent.
func (x *extraction) symbol(f *fact, parent *frame) record.Symbol {
	name := x.symbolName(f.name)
	if f.nameEnd != "" {
		name, _, _ = strings.Cut(name, f.nameEnd)
	}
	s := record.Symbol{
		Kind:          f.kind,
		Name:          name,
		QualifiedName: join(parent.qualified, join(x.receiver(f), name)),
		Parent:        parent.qualified,
		StartLine:     x.line(f.around.start),
		EndLine:       x.line(f.around.end - 1),
		StartByte:     f.around.start,
		EndByte:       f.around.end,
		BodyByte:      f.body,
		Test:          f.test || parent.test,
	}
	if parent.kind.IsType() {
		s.Kind = cmp.Or(f.member, s.Kind)
		if s.Kind == record.Function {
			s.Kind = record.Method
		}
	}
	s.Exported = x.exported(f, name, parent)
	s.Signature = x.signature(f)
	s.Doc, s.DocLine = x.doc(f, &s)
	return s
}

// receiver is what qualifies the name of f: the names of its receivers with dots, or
// "" if one is no name but an expression.
func (x *extraction) receiver(f *fact) string {
	out := ""
	for _, r := range f.receivers {
		name := x.masked[r.start:r.end]
		if x.grammar.atoms {
			name = withoutColon(name)
		}
		name = pathName(name)
		if name == "" {
			return ""
		}
		out = join(out, name)
	}
	return out
}

// pathName is a name, or names joined by dots or what the language has for them, with
// dots and without type arguments; "" for what is none.
func pathName(s string) string {
	if len(s) > maxName {
		return ""
	}
	s = unquote(s)
	if strings.ContainsAny(s, "<[") {
		s = withoutArguments(s)
	}
	s = strings.TrimPrefix(s, "::")
	if strings.ContainsAny(s, ":\\") {
		s = strings.NewReplacer("::", ".", "\\", ".").Replace(s)
	}
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, " \t\r\n()[]{}") {
		return ""
	}
	return s
}

// withoutArguments drops what stands between <> and [].
func withoutArguments(s string) string {
	var b strings.Builder
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '<' || c == '[':
			depth++
		case c == '>' || c == ']':
			depth--
		case depth == 0:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// exported reports whether other files see f, which stands in parent.
func (x *extraction) exported(f *fact, name string, parent *frame) bool {
	if !parent.exported || parent.kind.IsCallable() {
		return false
	}
	switch x.grammar.visibility {
	case upperCase:
		return isUpper(name)
	case noUnderscore:
		return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
	case marked:
		return f.exported && !f.private
	case unmarked:
		return !f.private && !parent.hidden
	}
	if parent.kind != "" && parent.kind != record.Module {
		return !f.private
	}
	if x.grammar.visibility == listed && x.exportedNames == nil {
		return !f.private && !strings.HasPrefix(name, "_")
	}
	return f.exported || x.exportedNames[name] || x.exportedNames[x.receiver(f)]
}
