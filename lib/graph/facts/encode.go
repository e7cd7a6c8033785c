package facts

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"cortex/lib/language"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// MaxSignature is the longest signature of a node, in characters. maxText, in bytes, exceeds any text of cortex-parse.
const (
	MaxSignature = 200
	maxText      = 64 << 10
)

// isCode reports whether a symbol of the kind is a node.
func isCode(kind record.Kind) bool {
	switch kind {
	case record.Block, record.Table, record.Key, record.Heading:
		return false
	}
	return true
}

// tooLong reports whether one of the texts is longer than any that cortex-parse writes.
func tooLong(texts ...string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return len(s) > maxText })
}

// valid returns s with invalid UTF-8 replaced.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// split splits a qualified name into the name and its parent. last is the name if it is known, which may contain dots.
func split(qualified, last string) (name, parent string) {
	at := len(qualified) - len(last)
	if len(last) == 0 || at < 0 || qualified[at:] != last {
		for at = len(qualified); at > 0 && qualified[at-1] != '.'; at-- {
		}
	}
	parent = qualified[:at]
	if at > 0 && parent[at-1] == '.' {
		parent = parent[:at-1]
	}
	return qualified[at:], parent
}

// isNode reports whether the file is a node of the graph: if it is indexed, and either its language is code or the
// parser found symbols of code, references, typings or mappings in it.
func isNode(r *record.File) bool {
	if !r.Status.Indexed() {
		return false
	}
	if len(r.References) == 0 && len(r.Typings) == 0 && len(r.Mappings) == 0 && !slices.ContainsFunc(r.Symbols, func(s record.Symbol) bool { return isCode(s.Kind) }) {
		l, known := language.ByName(r.Language)
		return known && l.Class == language.Code
	}
	return true
}

// An Encoder encodes facts. One goroutine at a time may use it.
type Encoder struct {
	strings    map[string]uint64
	lists      [3][]string
	symbols    []factSymbol
	typings    []record.Typing
	references []record.Reference
	at         map[string]int
	dst        []byte
}

type factSymbol struct {
	kind, flags                        uint8
	start, end                         int
	doc                                int // lines from the start of the documentation comment to start
	qualified, name, parent, signature string
	// others are the further declarations of the name.
	others []declaration
}

// A declaration has the lines of a further declaration, as in factSymbol.
type declaration struct{ start, end, doc int }

// with adds a declaration of the same name. Only declarations of the highest rank are kept: types before functions,
// functions before modules and values (rankOf). The fullest declaration is s itself, the rest are s.others.
func (s *factSymbol) with(now factSymbol) {
	switch rank := rankOf(now.kind) - rankOf(s.kind); {
	case rank < 0:
		return
	case rank > 0:
		*s = now
		return
	}
	others := s.others
	if isFuller(now, *s) {
		*s, now = now, *s
	}
	if place := (declaration{now.start, now.end, now.doc}); place != (declaration{s.start, s.end, s.doc}) {
		others = append(others, place)
	}
	s.others = others
}

// isFuller reports whether the declaration now is more likely to have a body than the declaration was of the same name:
// if was is a typedef that only names a struct, or else if now has more lines.
func isFuller(now, was factSymbol) bool {
	if forward := IsForward(was.signature, was.name); forward != IsForward(now.signature, now.name) {
		return forward
	}
	return now.end-now.start > was.end-was.start
}

func NewEncoder() *Encoder { return &Encoder{strings: map[string]uint64{}, at: map[string]int{}} }

// AppendFacts appends the facts of a file to dst; nothing if the file is no node.
func (e *Encoder) AppendFacts(dst []byte, r *record.File) []byte {
	if !isNode(r) {
		return dst
	}
	e.collect(r)
	e.number()
	e.dst = dst
	e.flag(slices.Contains(r.Tags, record.TagTest))
	e.text(r.FilePath)
	e.text(r.Language)
	e.text(r.Package)
	e.int(len(r.Mappings))
	for _, m := range r.Mappings {
		e.text(m.Module)
		e.text(m.Path)
	}
	for _, list := range e.lists {
		size := 0
		for _, s := range list {
			size += uvarintSize(uint64(len(s))) + len(s)
		}
		e.int(len(list))
		e.int(size)
		for _, s := range list {
			e.text(s)
		}
	}
	e.int(len(e.symbols))
	for i := range e.symbols {
		s := &e.symbols[i]
		e.dst = append(e.dst, s.kind, s.flags)
		e.int(s.start)
		e.int(s.end - s.start)
		e.int(s.doc)
		e.string(s.qualified)
		e.string(s.name)
		e.string(s.parent)
		e.text(s.signature)
		e.int(len(s.others))
		for _, o := range s.others {
			e.int(o.start)
			e.int(o.end - o.start)
			e.int(o.doc)
		}
	}
	e.int(len(e.typings))
	for i := range e.typings {
		t := &e.typings[i]
		e.string(t.Symbol)
		e.string(t.Name)
		e.string(t.Value)
		e.int(t.Line)
		e.text(t.Signature)
	}
	for _, visible := range []bool{true, false} {
		n := 0
		for i := range e.references {
			if SeenByOthers(e.references[i].Relation) == visible {
				n++
			}
		}
		e.int(n)
		for i := range e.references {
			if SeenByOthers(e.references[i].Relation) != visible {
				continue
			}
			if visible {
				e.int(i)
			}
			e.reference(&e.references[i])
		}
	}
	return e.dst
}

// collect takes symbols, typings and references from the record and sorts them.
func (e *Encoder) collect(r *record.File) {
	e.symbols, e.typings, e.references = e.symbols[:0], e.typings[:0], e.references[:0]
	clear(e.at)
	line := func(n int) int { return min(max(n, 0), math.MaxInt32) }
	for i := range r.Symbols {
		s := &r.Symbols[i]
		kind := slices.Index(record.Kinds, s.Kind)
		if kind < 0 || !isCode(s.Kind) || s.QualifiedName == "" || tooLong(s.QualifiedName, s.Name) {
			continue
		}
		now := factSymbol{kind: uint8(kind), start: line(s.StartLine), qualified: valid(s.QualifiedName), signature: valid(shorten.Characters(s.Signature, MaxSignature))}
		now.end = max(line(s.EndLine), now.start)
		if doc := line(s.DocLine); 0 < doc && doc < now.start {
			now.doc = min(now.start-doc, MaxDoc)
		}
		if s.Exported {
			now.flags |= ExportedFlag
		}
		if s.Test {
			now.flags |= TestFlag
		}
		now.name, now.parent = split(now.qualified, valid(s.Name))
		before, known := e.at[now.qualified]
		if !known {
			e.at[now.qualified] = len(e.symbols)
			e.symbols = append(e.symbols, now)
		} else {
			e.symbols[before].with(now)
		}
	}
	known := func(qualified string) string {
		q := valid(qualified)
		if _, ok := e.at[q]; ok {
			return q
		}
		return ""
	}
	method := uint8(slices.Index(record.Kinds, record.Method))
	for i := range r.Typings {
		t := &r.Typings[i]
		if tooLong(t.Symbol, t.Name, string(t.Value)) {
			continue
		}
		now := record.Typing{Symbol: known(t.Symbol), Name: valid(t.Name), Value: valid(t.Value), Line: line(t.Line), Signature: valid(shorten.Characters(t.Signature, MaxSignature))}
		if now.Symbol == "" && t.Symbol != "" {
			continue // its symbol is no node
		}
		e.typings = append(e.typings, now)
		if t.Signature == "" || t.Name == "" || t.Symbol == "" {
			continue
		}
		s := factSymbol{kind: method, start: now.Line, end: now.Line, qualified: valid(t.Symbol + "." + t.Name), parent: now.Symbol, name: now.Name, signature: now.Signature}
		if _, ok := e.at[s.qualified]; !ok {
			s.flags = e.symbols[e.at[now.Symbol]].flags
			e.at[s.qualified] = len(e.symbols)
			e.symbols = append(e.symbols, s)
		}
	}
	for i := range r.References {
		ref := &r.References[i]
		if !slices.Contains(record.Relations, ref.Relation) || len(ref.Lines) == 0 || tooLong(ref.Symbol, ref.Name, string(ref.Receiver), ref.Module, ref.Alias) {
			continue
		}
		now := record.Reference{Relation: ref.Relation, Symbol: known(ref.Symbol), Name: valid(ref.Name), Receiver: valid(ref.Receiver), Module: valid(ref.Module), Alias: valid(ref.Alias), Lines: ref.Lines}
		e.references = append(e.references, now)
	}
	slices.SortFunc(e.symbols, func(a, b factSymbol) int { return strings.Compare(a.qualified, b.qualified) })
	slices.SortFunc(e.typings, func(a, b record.Typing) int {
		return cmp.Or(strings.Compare(a.Symbol, b.Symbol), strings.Compare(a.Name, b.Name), cmp.Compare(a.Line, b.Line), strings.Compare(a.Value, b.Value), strings.Compare(a.Signature, b.Signature))
	})
	e.typings = slices.Compact(e.typings)
	slices.SortFunc(e.references, func(a, b record.Reference) int {
		return cmp.Or(strings.Compare(a.Symbol, b.Symbol), cmp.Compare(a.Lines[0], b.Lines[0]), cmp.Compare(slices.Index(record.Relations, a.Relation), slices.Index(record.Relations, b.Relation)),
			strings.Compare(a.Name, b.Name), strings.Compare(a.Receiver, b.Receiver), strings.Compare(a.Module, b.Module), strings.Compare(a.Alias, b.Alias), slices.Compare(a.Lines, b.Lines))
	})
}

// number numbers the strings, in the order of the three lists in Facts.
func (e *Encoder) number() {
	clear(e.strings)
	for i := range e.lists {
		e.lists[i] = e.lists[i][:0]
	}
	next := uint64(1)
	add := func(list int, texts ...string) {
		for _, s := range texts {
			if _, known := e.strings[s]; !known && s != "" {
				e.strings[s] = next
				next++
				e.lists[list] = append(e.lists[list], s)
			}
		}
	}
	for i := range e.typings {
		t := &e.typings[i]
		add(0, t.Symbol, t.Name, t.Value)
	}
	for list, visible := range []bool{true, false} {
		for i := range e.references {
			if r := &e.references[i]; SeenByOthers(r.Relation) == visible {
				add(list, r.Symbol, r.Name, r.Receiver, r.Module, r.Alias)
			}
		}
	}
	for i := range e.symbols {
		s := &e.symbols[i]
		add(2, s.qualified, s.name, s.parent)
	}
}

func (e *Encoder) reference(r *record.Reference) {
	e.dst = append(e.dst, uint8(slices.Index(record.Relations, r.Relation)))
	for _, s := range [...]string{r.Symbol, r.Name, r.Receiver, r.Module, r.Alias} {
		e.string(s)
	}
	e.int(len(r.Lines))
	last := 0
	for _, line := range r.Lines {
		line = min(max(line, 0), math.MaxInt32)
		e.dst = binary.AppendVarint(e.dst, int64(line-last))
		last = line
	}
}

func (e *Encoder) flag(b bool) { e.dst = append(e.dst, bit(b)) }

func (e *Encoder) int(n int) { e.dst = binary.AppendUvarint(e.dst, uint64(n)) }

func (e *Encoder) text(s string) {
	e.int(len(s))
	e.dst = append(e.dst, s...)
}

func (e *Encoder) string(s string) { e.dst = binary.AppendUvarint(e.dst, e.strings[s]) }

func uvarintSize(n uint64) int {
	size := 1
	for ; n >= 0x80; n >>= 7 {
		size++
	}
	return size
}

func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}
