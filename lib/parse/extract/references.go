package extract

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"cortex/lib/parse/expression"
	"cortex/lib/parse/lexical"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

const (
	// maxMethod is the length in bytes at which the signature of a memberMethod is cut.
	maxMethod = 500
	// maxNested is the mean number of messages around each other up to which selectors are read.
	maxNested = 16
)

// refer makes the references and typings of a file. Call symbols before it.
func (x *extraction) refer() ([]record.Reference, []record.Typing) {
	if x.none() {
		return nil, nil
	}
	r := referrer{extraction: x, budget: SymbolBase/2 + 2*len(x.text), locals: locals{latest: map[string][]local{}},
		known: make(map[referenceKey]int, len(x.named)/2+1), typed: map[record.Typing]bool{}, returns: map[string]int{}, bound: map[[2]int]int{}}
	r.reserve, r.labels = r.budget/2, maxNested*(SymbolBase+len(x.text))
	slices.SortFunc(x.defined, lexical.ByStart)
	slices.SortFunc(x.parameters, func(a, b parameters) int { return lexical.ByStart(a.around, b.around) })
	x.readTexts()
	r.bindings = r.splitNames(r.bindings)
	x.joinMentions()
	r.findStops()
	for _, p := range r.stops {
		r.visit(p)
	}
	r.openNamespaces()
	return r.sorted(), r.typings
}

// joinMentions merges mentions that end at the same byte: the result has the relation of the first pattern and the
// widest span. It removes mentions that are the name of a definition or binding, or the receiver of a definition.
func (x *extraction) joinMentions() {
	ends := make([]int, 0, 2*len(x.out))
	for i := range x.out {
		if f := &x.out[i]; !f.scope {
			ends = append(ends, f.name.End)
			for _, r := range f.receivers {
				ends = append(ends, r.End)
			}
		}
	}
	for i := range x.bindings {
		if b := &x.bindings[i]; b.typ.End != b.name.End { // the name of an embedded field is its type, which is a mention
			ends = append(ends, b.name.End)
		}
	}
	slices.Sort(ends)
	slices.SortFunc(x.named, func(a, b mention) int {
		return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.pattern, b.pattern), cmp.Compare(a.Start, b.Start))
	})
	out := x.named[:0]
	for i := 0; i < len(x.named); {
		m := x.named[i]
		for i++; i < len(x.named) && x.named[i].End == m.End; i++ {
			m.Start = min(m.Start, x.named[i].Start)
		}
		for len(ends) > 0 && ends[0] < m.End {
			ends = ends[1:]
		}
		if len(ends) == 0 || ends[0] != m.End {
			out = append(out, m)
		}
	}
	x.named = out
}

// findStops makes the sorted list of stops.
func (r *referrer) findStops() {
	out := r.stops[:0]
	add := func(pos, what, index int) { out = append(out, stop{int32(pos), int32(what), int32(index)}) }
	for i, s := range r.named {
		add(s.End-1, stopMention, i)
	}
	for i := range r.importations {
		add(r.importations[i].pos(), stopImport, i)
	}
	for i := range r.bindings {
		add(r.bindings[i].from(), stopBinding, i)
	}
	for i, s := range r.parts {
		add(s.Start, stopParts, i)
	}
	for i, s := range r.memberMethods {
		add(s.name.Start, stopMember, i)
	}
	for i, s := range r.results {
		if s.value {
			add(s.End-1, stopResult, i)
		} else {
			add(s.Start, stopResult, i)
		}
	}
	for i, s := range r.blocks {
		add(s.Start, stopScope, i)
	}
	for i, s := range r.local {
		add(s.Start, stopLocal, i)
	}
	slices.SortFunc(out, func(a, b stop) int {
		return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.what, b.what), cmp.Compare(a.index, b.index))
	})
	r.stops = out
}

func (r *referrer) visit(p stop) {
	pos := int(p.pos)
	r.enter(pos)
	switch p.what {
	case stopScope:
		r.openScope(r.blocks[p.index])
	case stopLocal:
		r.openScope(r.local[p.index])
	case stopMention:
		r.mention(&r.named[p.index])
	case stopImport:
		r.importation(&r.importations[p.index])
	case stopMember:
		r.memberMethod(&r.memberMethods[p.index])
	case stopResult:
		r.result(r.results[p.index], pos)
	case stopParts:
		r.fields(r.parts[p.index])
	case stopBinding:
		r.bind(&r.bindings[p.index], pos)
	}
}

// enter updates the open holders and scopes to those around pos.
func (r *referrer) enter(pos int) {
	leave := func(pos int) {
		for len(r.open) > 0 && r.holders[r.open[len(r.open)-1]].around.End <= pos {
			r.open = r.open[:len(r.open)-1]
		}
		for len(r.scopes) > 0 && r.scopes[len(r.scopes)-1].End <= pos {
			r.scopes = r.scopes[:len(r.scopes)-1]
		}
	}
	for ; r.next < len(r.holders) && r.holders[r.next].around.Start <= pos; r.next++ {
		h := &r.holders[r.next]
		leave(h.around.Start)
		r.open = append(r.open, r.next)
		if h.kind.IsCallable() {
			r.openScope(h.around)
		}
	}
	leave(pos)
}

// openScope opens a scope, which ends no later than the scope around it.
func (r *referrer) openScope(s lexical.Span) {
	if n := len(r.scopes); n > 0 {
		s.End = min(s.End, r.scopes[n-1].End)
	}
	r.scopes = append(r.scopes, s)
}

// mention adds the reference of m.
func (r *referrer) mention(m *mention) {
	if r.Grammar.Selectors && m.relation == record.Passes && r.isAssigned(m.End) {
		return // a setter
	}
	if r.Grammar.Name == "dart" && m.relation != record.Calls {
		m.Start = r.nameBefore(m.End, 0) // with the prefix of an import
	}
	text := r.plain(m.Span)
	s := ""
	if m.relation == record.Passes {
		text = strings.TrimPrefix(text, ":") // Ruby
	}
	if m.relation == record.Calls || m.relation == record.Passes {
		s = r.Reader.Read(text)
		if receiver, label, ok := expression.Message(text); ok && r.Grammar.Selectors {
			s = cmp.Or(r.Reader.Read(receiver), expression.Omitted) + "." + label
		}
	} else {
		s = strings.TrimRight(r.Reader.TypeName(text, false), "[]")
	}
	pos := m.End - 1
	isBase := m.relation == record.Extends || m.relation == record.Implements || m.relation == record.Embeds
	if isBase {
		r.base(m.Start)
	}
	expanded := r.expandScope(s, text, pos)
	if l, bound := r.lookup(s, pos); s == "" || bound && !(isBase && l.scope) {
		return // a local variable or a type parameter
	} else if bound {
		expanded = expression.Omitted + "." + s // a base that is unknown
	}
	receiver, name := expression.LastPart(expanded)
	if r.Grammar.Atoms {
		name = withoutColon(name)
	}
	if r.Grammar.Selectors && receiver != "" && m.relation == record.Calls {
		name = r.selector(name, m.End)
	}
	if m.relation != record.Calls && !isBase && strings.HasPrefix(receiver, expression.Omitted) || m.relation == record.Passes && r.budget < r.reserve {
		return // its receiver is unknown, or the rest of the budget is for other references
	}
	if receiver == "" && m.relation == record.Calls && r.Grammar.Name == "cpp" && strings.HasPrefix(text, "::") {
		receiver = record.Global
	}
	if name == "" || strings.HasPrefix(name, "(") || receiver == "" && expression.Pronouns[name] != "" {
		return
	}
	r.add(record.Reference{Relation: m.relation, Name: name, Receiver: receiver}, pos)
}

// isAssigned reports whether an expression that ends at end has a "=" behind it.
func (r *referrer) isAssigned(end int) bool {
	rest := r.masked[r.skip(end):]
	return strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
}

// selector returns the selector whose first label ends at end: the label alone if no argument follows. Nested messages are
// read once for each level, at most up to r.labels bytes in a file.
func (r *referrer) selector(label string, end int) string {
	from := end - len(label)
	if from < 0 || r.masked[from:end] != label {
		return label
	}
	selector, read := expression.Selector(r.masked[from:min(len(r.masked), from+max(0, r.labels))])
	r.labels -= read
	return selector
}

// base adds a typing of the type around the base type that begins at start, if the base has type arguments.
func (r *referrer) base(start int) {
	value := r.typeOf(lexical.Span{Start: start, End: len(r.text)})
	if c := r.container(start); c != nil && c.kind.IsType() && strings.HasSuffix(value, ">)") {
		r.addTyping(record.Typing{Symbol: c.qualified, Name: record.Base, Value: value}, start)
	}
}

// maxResults is the most returned expressions that become typings of a function.
const maxResults = 3

// result adds a typing of the result of the function around pos. Expressions do not count if the result type is
// declared.
func (r *referrer) result(s returned, pos int) {
	c := r.container(s.Start)
	if c != nil && c.kind == record.TypeKind && !s.value && !s.extended {
		r.addTyping(record.Typing{Symbol: c.qualified, Value: r.typeOf(s.Span)}, pos)
	}
	if c == nil || !c.kind.IsCallable() {
		return
	}
	if s.extended {
		r.addTyping(record.Typing{Symbol: c.qualified, Name: record.Extended, Value: r.typeOf(s.Span)}, pos)
		return
	}
	if !s.value {
		r.returns[c.qualified] = maxResults
		r.addTyping(record.Typing{Symbol: c.qualified, Value: r.typeOf(s.Span)}, pos)
		return
	}
	if r.returns[c.qualified] >= maxResults {
		return
	}
	t := record.Typing{Symbol: c.qualified, Value: r.read(r.plain(s.Span), pos)}
	if t.Value != "" && !r.typed[t] {
		r.returns[c.qualified]++
		r.addTyping(t, pos)
	}
}

func (r *referrer) importation(i *importation) {
	ref := record.Reference{Relation: record.Imports, Module: i.prefix + r.moduleName(i.modules), Name: r.importedName(i.name), Alias: r.importedName(i.alias)}
	if ref.Alias == "." {
		ref.Name, ref.Alias = "*", "" // Go
	}
	if ref.Alias == ref.Name && ref.Module != "" {
		ref.Alias = ""
	}
	if ref.Module != "" || ref.Name != "" {
		r.add(ref, i.pos())
	}
}

func (r *referrer) importedName(s lexical.Span) string {
	if s.End == 0 || s.End-s.Start > lexical.MaxName {
		return ""
	}
	return importName(r.plain(s))
}

// moduleName returns the name of a module, given its parts.
func (r *referrer) moduleName(parts []lexical.Span) string {
	var all []string
	for _, s := range parts[:min(len(parts), expression.MaxParts)] {
		if s.End-s.Start > lexical.MaxName {
			return ""
		}
		text := r.plain(s)
		if r.Grammar.Shell {
			text = r.text[s.Start:s.End] // the name of a file, with parts that the mask hides
		}
		name := lexical.Unquote(text)
		if strings.ContainsAny(name, " \t\r\n") {
			name = shorten.Line(name)
		}
		all = append(all, name)
	}
	return strings.Join(all, ".")
}

// readTexts finds calls in text that the grammar does not parse, such as macro arguments: names directly before a "(".
func (x *extraction) readTexts() {
	if len(x.loose) == 0 {
		return
	}
	pattern := len(x.Patterns)
	slices.SortFunc(x.loose, lexical.ByStart)
	done := 0
	for _, s := range x.loose {
		for i := max(s.Start, done); i < s.End; i++ {
			switch c := x.masked[i]; c {
			case '"', '`':
				if n := strings.IndexByte(x.masked[i+1:s.End], c); n >= 0 {
					i += n + 1
				}
			case '\'':
				// A string, unless it is a lifetime.
				n := strings.IndexAny(x.masked[i+1:s.End], "'\n")
				before := strings.TrimRight(x.masked[s.Start:i], " \t\r\n")
				if n >= 0 && x.masked[i+1+n] == c && before != "" && strings.IndexByte("(,=:[{?+", before[len(before)-1]) >= 0 {
					i += n + 1
				}
			case '(':
				end := i
				if end > s.Start && x.masked[end-1] == '!' {
					end--
				}
				start := x.nameBefore(end, s.Start)
				if start > s.Start && start < end && x.masked[start-1] == '.' {
					start-- // a member of an expression that cannot be read backwards
				}
				if start < end && len(x.named) < maxMentions {
					x.named = append(x.named, mention{Span: lexical.Span{Start: start, End: end}, relation: record.Calls, pattern: pattern})
				}
			}
		}
		done = max(done, s.End)
	}
}

// opening matches the beginning of a namespace of C++, also over lines that end with a backslash.
var opening = regexp.MustCompile(`\bnamespace[\s\\]+([\w:]+)[\s\\]*\{`)

// openNamespaces adds typings for namespaces that macros open, such as #define BEGIN namespace a { namespace b {. The symbols
// in them have no namespace in their names, since the macro is used elsewhere, so a::x and b::x mean the x at the top level.
func (r *referrer) openNamespaces() {
	if r.Grammar.Name != "cpp" {
		return
	}
	for _, s := range r.loose {
		text := r.masked[s.Start:s.End]
		if strings.Count(text, "{") <= strings.Count(text, "}") {
			continue
		}
		for _, m := range opening.FindAllStringSubmatch(text, maxList) {
			for name := range strings.SplitSeq(m[1], "::") {
				if expression.IsName(name) && name != "std" {
					r.addTyping(record.Typing{Name: name, Value: record.Global}, s.Start)
				}
			}
		}
	}
}

// nameBefore returns the start of the path of names that ends at end, including calls and subscripts in the path.
func (x *extraction) nameBefore(end, first int) int {
	start, depth := end, 0
	for i := end - 1; i >= max(first, end-expression.MaxExpression); i-- {
		switch c := x.masked[i]; {
		case depth > 0 && (c == '(' || c == '['):
			depth--
		case depth > 0 && strings.IndexByte(";{}\"", c) >= 0:
			return start
		case c == ')' || c == ']':
			if i+1 == end || depth == 0 && x.masked[i+1] != '.' && !strings.HasPrefix(x.masked[i+1:], "->") && x.masked[i+1] != '(' && x.masked[i+1] != '[' {
				return start
			}
			depth++
		case depth > 0:
		case expression.IsNameByte(c):
			start = i
		case c == '.' || c == ':' && (x.masked[i+1] == ':' || i > 0 && x.masked[i-1] == ':') || c == '>' && i > 0 && x.masked[i-1] == '-' || c == '-' && x.masked[i+1] == '>':
		default:
			return start
		}
	}
	return start
}

// sorted returns the references sorted by symbol and first line.
func (r *referrer) sorted() []record.Reference {
	order := make([]int, len(r.out))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &r.out[i], &r.out[j]
		return cmp.Or(cmp.Compare(r.order[i], r.order[j]), cmp.Compare(a.Lines[0], b.Lines[0]), cmp.Compare(i, j))
	})
	out := make([]record.Reference, len(order))
	for i, from := range order {
		out[i] = r.out[from]
	}
	return out
}

// JoinReferences merges equal references from several parts of a file, in the order of their first occurrence.
func JoinReferences(all []record.Reference) []record.Reference {
	known := make(map[referenceKey]int, len(all))
	out := all[:0]
	for _, ref := range all {
		key := referenceKey{ref.Relation, ref.Name, ref.Receiver, ref.Module, ref.Alias, ref.Symbol}
		if i, ok := known[key]; ok {
			out[i].Lines = slices.Compact(slices.Sorted(slices.Values(append(out[i].Lines, ref.Lines...))))
			continue
		}
		known[key] = len(out)
		out = append(out, ref)
	}
	return out
}

// memberMethod adds a typing for a method that a type requires or declares without a symbol.
func (r *referrer) memberMethod(m *memberMethod) {
	c := r.container(m.name.Start)
	if c == nil || !c.kind.IsType() || m.name.End-m.name.Start > lexical.MaxName {
		return
	}
	signature := ""
	if m.signature.End > 0 {
		m.signature.End = min(m.signature.End, m.signature.Start+maxMethod)
		signature = strings.ToValidUTF8(shorten.Line(r.plain(m.signature)), "")
	}
	r.addTyping(record.Typing{Symbol: c.qualified, Name: r.masked[m.name.Start:m.name.End], Value: r.typeOf(m.result), Signature: cmp.Or(signature, "()")}, m.name.Start)
}
