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
	pattern int
	within  within
	kind    kind
	around  span // definition or @span
	// signature is where the signature begins: after the attributes.
	signature int
	body      int
	value     span
	// valueFunction is as in pattern.
	valueFunction bool
	prefix        span
	receiver      span
	doc           span
	exported      bool
	private       bool
	test          bool
}

// A value is a function or class that has no name of its own.
type value struct {
	at   span
	kind kind
	body int
}

// An extraction is the work on one file.
type extraction struct {
	*program
	text  string
	lines []int

	facts         []fact
	comments      []span
	attributes    []span
	local, open   []span
	values        []value
	exportedNames map[string]bool
	// heads are the lines between the first attribute of a definition and its signature.
	heads   []span
	imports []string
	pkg     string
}

func byStart(a, b span) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) }

// read sorts the captures of all matches into facts, comments and so on.
func (x *extraction) read(words []uint32) {
	for len(words) > 0 {
		pattern, n := &x.patterns[words[0]], int(words[1])
		captures := words[2 : 2+3*n]
		if pattern.accepts(x.text, captures) {
			x.readMatch(int(words[0]), captures)
		}
		words = words[2+3*n:]
	}
	slices.SortFunc(x.comments, byStart)
	slices.SortFunc(x.attributes, byStart)
	x.comments = slices.Compact(x.comments)
	x.attributes = slices.Compact(x.attributes)
	slices.SortFunc(x.open, byStart)
	x.local = slices.DeleteFunc(x.local, func(s span) bool {
		_, found := slices.BinarySearchFunc(x.open, s, byStart)
		return found
	})
	slices.SortFunc(x.local, byStart)
	// Scopes nest: a byte is in one of them if the furthest end so far is behind it.
	for i := 1; i < len(x.local); i++ {
		x.local[i].end = max(x.local[i].end, x.local[i-1].end)
	}
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
	for i := 0; i < len(captures); i += 3 {
		s := span{int(captures[i+1]), int(captures[i+2])}
		switch x.roles[captures[i]] {
		case roleComment:
			x.comments = append(x.comments, s)
		case roleAttribute:
			x.attributes = append(x.attributes, s)
		case roleImport:
			x.addImport(unquote(x.text[s.start:s.end]))
		case rolePackage:
			x.pkg = x.text[s.start:s.end]
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
			f.name = s
		case roleDefinition:
			p := &x.patterns[pattern]
			f.kind, f.within, f.valueFunction = x.kinds[captures[i]], p.within, p.valueFunction
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
			f.receiver = s
		case roleDoc:
			f.doc = s
		case roleExported:
			f.exported = true
		case rolePrivate:
			f.private = true
		case roleTest:
			f.test = true
		}
	}
	if v.kind != "" {
		v.body = f.body
		x.values = append(x.values, v)
	}
	if f.name.end > f.name.start && f.name.end-f.name.start <= maxName {
		x.facts = append(x.facts, f)
	}
}

// addImport keeps the first of equal imports.
func (x *extraction) addImport(name string) {
	if name != "" && !slices.Contains(x.imports[max(0, len(x.imports)-1000):], name) {
		x.imports = append(x.imports, name)
	}
}

func unquote(s string) string {
	if len(s) >= 2 && strings.ContainsRune("\"'`<", rune(s[0])) {
		return s[1 : len(s)-1]
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
			f.signature = f.around.start
			out = append(out, f)
		}
	}
	x.attachAll(out)
	slices.SortStableFunc(out, func(a, b fact) int {
		return cmp.Or(cmp.Compare(a.around.start, b.around.start), cmp.Compare(b.around.end, a.around.end),
			cmp.Compare(a.name.start, b.name.start))
	})
	return out
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
	}
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
		f.kind, f.within, f.valueFunction = o.kind, o.within, o.valueFunction
	} else if o.kind == f.kind && o.within == anywhere {
		f.within = anywhere
	}
	f.around = f.around.join(o.around)
	f.body = cmp.Or(f.body, o.body)
	f.value = cmp.Or(f.value, o.value)
	f.prefix = cmp.Or(f.prefix, o.prefix)
	f.receiver = cmp.Or(f.receiver, o.receiver)
	f.doc = cmp.Or(f.doc, o.doc)
	f.exported = f.exported || o.exported
	f.private = f.private || o.private
	f.test = f.test || o.test
}

// symbols makes the symbols from the facts. It is false when they would swell
// beyond the file's size.
func (x *extraction) symbols() ([]record.Symbol, bool) {
	facts := x.merged()
	symbols := make([]record.Symbol, 0, len(facts))
	open := make([]int, 0, maxNesting)
	data := map[string]bool{}
	budget := symbolBase + symbolFactor*len(x.text)
	for i := range facts {
		f := &facts[i]
		// Of equal spans, such as those of "var a, b int", none is the parent.
		for len(open) > 0 && !encloses(&symbols[open[len(open)-1]], f.around) {
			open = open[:len(open)-1]
		}
		var parent *record.Symbol
		if len(open) > 0 {
			parent = &symbols[open[len(open)-1]]
		}
		if len(open) >= maxNesting || !x.belongs(f, parent) {
			continue
		}
		s := x.symbol(f, parent)
		if s.Name == "" || s.Name == "_" && !s.Kind.IsCallable() {
			continue
		}
		if s.Kind.IsData() {
			// A scripting language declares a variable by assigning to it, often more than once.
			if data[s.QualifiedName] {
				continue
			}
			data[s.QualifiedName] = true
		}
		if budget -= len(s.QualifiedName) + len(s.Parent) + len(s.Signature) + len(s.Doc); budget < 0 {
			return nil, false
		}
		open = append(open, len(symbols))
		symbols = append(symbols, s)
	}
	return symbols, true
}

// belongs reports whether a definition stands where its kind and its pattern want it.
func (x *extraction) belongs(f *fact, parent *record.Symbol) bool {
	if x.inAttribute(f.name.start) {
		return false
	}
	if f.within == inType {
		return parent != nil && parent.Kind.IsType()
	}
	if f.within == anywhere && !f.kind.IsData() {
		return true
	}
	return (parent == nil || !parent.Kind.IsCallable()) && !x.inLocal(f.name.start)
}

// encloses reports whether o lies inside s and is not all of it.
func encloses(s *record.Symbol, o span) bool {
	around := span{s.StartByte, s.EndByte}
	return around != o && around.contains(o)
}

// symbol makes the symbol of f, which stands in parent or, if that is nil, at the top.
func (x *extraction) symbol(f *fact, parent *record.Symbol) record.Symbol {
	name := unquote(x.text[f.name.start:f.name.end])
	s := record.Symbol{
		Kind:          f.kind,
		Name:          name,
		QualifiedName: name,
		StartLine:     x.line(f.around.start),
		EndLine:       x.line(f.around.end - 1),
		StartByte:     f.around.start,
		EndByte:       f.around.end,
		BodyByte:      f.body,
		Test:          f.test,
	}
	if receiver := x.text[f.receiver.start:f.receiver.end]; isPath(receiver) {
		s.QualifiedName = receiver + "." + name
	}
	if parent != nil {
		s.Parent = parent.QualifiedName
		s.QualifiedName = parent.QualifiedName + "." + s.QualifiedName
		s.Test = s.Test || parent.Test
		if parent.Kind.IsType() && s.Kind == record.Function {
			s.Kind = record.Method
		}
	}
	s.Exported = x.exported(f, name, parent)
	s.Signature = x.signature(f)
	s.Doc, s.DocLine = x.doc(f, &s)
	return s
}

// isPath reports whether a receiver is a name or names with dots, and not an expression.
func isPath(receiver string) bool {
	return receiver != "" && len(receiver) <= maxName && !strings.ContainsAny(receiver, " \t\r\n()[]{}")
}

func (x *extraction) exported(f *fact, name string, parent *record.Symbol) bool {
	if parent != nil && (!parent.Exported || parent.Kind.IsCallable()) {
		return false
	}
	switch x.grammar.visibility {
	case upperCase:
		return isUpper(name)
	case noUnderscore:
		return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
	}
	if parent != nil && parent.Kind != record.Module {
		return !f.private
	}
	return f.exported || x.exportedNames[name] || x.exportedNames[x.text[f.receiver.start:f.receiver.end]]
}
