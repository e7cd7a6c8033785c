package extract

import (
	"cmp"
	"strings"

	"cortex/lib/parse/expression"
	"cortex/lib/parse/grammar"
	"cortex/lib/parse/lexical"
	"cortex/lib/parse/syntax"
	"cortex/lib/record"
)

// symbols makes the symbols from the facts, and the holders for refer. It returns false if the texts of the symbols
// exceed SymbolBase + SymbolFactor times the file's size.
func (x *extraction) symbols() ([]record.Symbol, bool) {
	facts := x.merged()
	symbols := make([]record.Symbol, 0, len(facts))
	open := append(x.frames[:0], frame{index: -1, around: lexical.Span{Start: -1, End: len(x.text) + 1}, exported: true, last: -1})
	var data, hidden map[string]bool
	limits := memberLimits{members: x.members[:0]}
	defer func() { x.frames, x.members = open, limits.members }()
	sections, private := x.sections, x.privateNames
	if len(private) > 0 {
		hidden = map[string]bool{}
	}
	budget := SymbolBase + SymbolFactor*len(x.text)
	for i := range facts {
		f := &facts[i]
		for len(sections) > 0 && sections[0].start < f.around.Start {
			at := sections[0].start
			open.close(lexical.Span{Start: at, End: at}).hidden = sections[0].private
			sections = sections[1:]
		}
		for len(private) > 0 && private[0].Start < f.around.Start {
			x.hide(hidden, &open, private[0])
			private = private[1:]
		}
		parent, alias := open.parent(f)
		if parent == nil {
			continue
		}
		if f.scope {
			open = append(open, x.scope(f, parent))
			inner := &open[len(open)-1]
			x.holders = append(x.holders, holder{around: f.around, kind: inner.kind, qualified: inner.qualified})
			continue
		}
		if !x.belongs(f, parent) {
			continue
		}
		s := x.symbol(f, parent)
		if s.Name == "" || s.Name == "_" && !s.Kind.IsCallable() {
			continue
		}
		if s.Kind.IsData() && x.Grammar.Assigns {
			if data[s.QualifiedName] {
				continue
			}
			if data == nil {
				data = map[string]bool{}
			}
			data[s.QualifiedName] = true
		}
		if budget -= len(s.QualifiedName) + len(s.Parent) + len(s.Signature) + len(s.Doc); budget < 0 {
			return nil, false
		}
		inner := frame{index: len(symbols), around: f.around, kind: s.Kind, qualified: s.QualifiedName, exported: s.Exported, test: s.Test, last: -1}
		x.holders = append(x.holders, holder{f.around, s.Kind, s.Name, s.QualifiedName})
		if s.Kind.IsCallable() || s.Kind.IsType() {
			x.defined = append(x.defined, f.name)
		}
		if f.Join && f.signature == f.around.Start && parent.last >= 0 && continues(&symbols[parent.last], &s) {
			symbols[parent.last].EndByte, symbols[parent.last].EndLine = s.EndByte, s.EndLine
			inner.index = parent.last
			open = append(open, inner)
			continue
		}
		limits.add(parent.index, f)
		parent.last = len(symbols)
		if !alias {
			open = append(open, inner)
		}
		symbols = append(symbols, s)
	}
	for _, name := range private {
		x.hide(hidden, &open, name)
	}
	x.documentAfter(symbols)
	hideMembers(symbols, hidden)
	return limits.apply(symbols), true
}

// hide adds the qualified name of a @private.name to hidden.
func (x *extraction) hide(hidden map[string]bool, open *nesting, name lexical.Span) {
	inside := open.close(lexical.Span{Start: name.Start, End: name.Start})
	hidden[join(inside.qualified, x.symbolName(name))] = true
}

// hideMembers clears Exported of hidden symbols and of all symbols in them. It also clears it of members whose type the
// file declares elsewhere, as for implementations and extensions, if the type is not exported.
func hideMembers(symbols []record.Symbol, hidden map[string]bool) {
	private := len(hidden) > 0
	for i := 0; i < len(symbols) && !private; i++ {
		private = symbols[i].Kind.IsType() && !symbols[i].Exported
	}
	if !private {
		return
	}
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

// memberLimits counts the symbols of patterns with a limit in one place: a table with many keys is data, and its keys
// are no declarations.
type memberLimits struct {
	members []member // of all symbols so far
	counted int
	least   int // smallest of the limits
}

// add counts the next symbol, made from f in the symbol parent.
func (c *memberLimits) add(parent int, f *fact) {
	if f.Most > 0 && (c.counted == 0 || f.Most < c.least) {
		c.least = f.Most
	}
	if f.Most > 0 {
		c.counted++
	}
	c.members = append(c.members, member{site{parent, f.pattern}, f.Most})
}

// apply removes all symbols at sites that exceed their limit, and the symbols in them.
func (c *memberLimits) apply(symbols []record.Symbol) []record.Symbol {
	if c.counted <= c.least {
		return symbols
	}
	counts := map[site]int{}
	for _, m := range c.members {
		if m.most > 0 {
			counts[m.site]++
		}
	}
	dropped := make([]bool, len(symbols))
	kept := symbols[:0]
	for i := range symbols {
		m := &c.members[i]
		dropped[i] = m.most > 0 && counts[m.site] > m.most || m.parent >= 0 && dropped[m.parent]
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

// scope returns the frame of a @scope, whose definitions are members of the type that its receivers name. Without a
// receiver they are members of what is around it; a function stands for the type that it returns.
func (x *extraction) scope(f *fact, parent *frame) frame {
	inner := *parent
	inner.around, inner.last, inner.hidden = f.around, -1, false
	inner.test = inner.test || f.test
	if receiver := x.receiver(f); receiver != "" {
		inner.kind = record.TypeKind
		inner.qualified = join(parent.qualified, receiver)
	} else if parent.kind.IsCallable() {
		inner.kind = record.TypeKind
	}
	return inner
}

// belongs reports whether a definition is a symbol in its place: where its kind and its pattern's setting allow it.
func (x *extraction) belongs(f *fact, parent *frame) bool {
	if x.inAttribute(f.name.Start) {
		return false
	}
	if f.Within == syntax.InType {
		return parent.kind.IsType()
	}
	if (f.Within == syntax.Anywhere || f.Within == syntax.InNothing) && !f.kind.IsData() {
		return true
	}
	return !parent.kind.IsCallable() && !x.inLocal(f.name.Start)
}

// withoutModule removes from a receiver the name of the module around it with which it begins: namespace A { A::B::f() }
// declares the same as namespace A { B::f() }.
func withoutModule(parent *frame, receiver string) string {
	if parent.kind != record.Module || receiver == "" {
		return receiver
	}
	for _, module := range []string{parent.qualified, record.LastName(parent.qualified)} {
		if rest, ok := strings.CutPrefix(receiver+".", module+"."); ok {
			return strings.TrimSuffix(rest, ".")
		}
	}
	return receiver
}

// symbol makes the symbol of f in parent.
func (x *extraction) symbol(f *fact, parent *frame) record.Symbol {
	name := x.symbolName(f.name)
	if f.NameEnd != "" {
		name, _, _ = strings.Cut(name, f.NameEnd)
	}
	if x.Grammar.Selectors && f.kind == record.Method {
		name, _ = expression.Selector(x.masked[f.name.Start:max(f.name.End, cmp.Or(f.body, f.around.End))])
	}
	s := record.Symbol{
		Kind:          f.kind,
		Name:          name,
		QualifiedName: join(parent.qualified, join(withoutModule(parent, x.receiver(f)), name)),
		Parent:        parent.qualified,
		StartLine:     x.line(f.around.Start),
		EndLine:       x.line(f.around.End - 1),
		StartByte:     f.around.Start,
		EndByte:       f.around.End,
		BodyByte:      f.body,
		Test:          f.test || parent.test,
	}
	if parent.kind.IsType() {
		s.Kind = cmp.Or(f.Member, s.Kind)
		if s.Kind == record.Function {
			s.Kind = record.Method
		}
	}
	s.Exported = x.exported(f, name, parent)
	s.Signature = x.signature(f)
	s.Doc, s.DocLine = x.doc(f, &s)
	s.Test = s.Test || x.Grammar.TestTag != "" && s.Kind.IsCallable() && hasLine(s.Doc, x.Grammar.TestTag)
	return s
}

// exported reports whether other files see f, a definition in parent.
func (x *extraction) exported(f *fact, name string, parent *frame) bool {
	if !parent.exported || parent.kind.IsCallable() {
		return false
	}
	switch x.Grammar.Visibility {
	case grammar.UpperCase:
		return lexical.IsUpper(name)
	case grammar.NoUnderscore:
		return !strings.HasPrefix(name, "_") || strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__")
	case grammar.Marked:
		return f.exported && !f.private
	case grammar.Unmarked:
		return !f.private && (f.exported || !parent.hidden)
	}
	if parent.kind != "" && parent.kind != record.Module {
		return !f.private
	}
	if x.Grammar.Visibility == grammar.Listed && x.exportedNames == nil {
		return !f.private && !strings.HasPrefix(name, "_")
	}
	return f.exported || x.exportedNames[name] || x.exportedNames[x.receiver(f)]
}
