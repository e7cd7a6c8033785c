package graph

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"cortex/lib/language"
	"cortex/lib/record"
)

// A symbol is a node that is no file.
type symbol struct {
	kind            uint8 // in record.Kinds
	flags           uint8
	start, end      int32
	name, qualified name
	// parent is the qualified name without the name.
	parent    name
	signature string
}

// rankOf puts types before what runs, and that before values, where one name is several.
func rankOf(number uint8) int {
	switch kind := record.Kinds[number]; {
	case kind.IsType():
		return 3
	case kind.IsCallable():
		return 2
	case kind == record.Module:
		return 1
	}
	return 0
}

const (
	exportedFlag = 1 << iota
	testFlag
)

// A reference is a record.Reference in small.
type reference struct {
	relation                              uint8 // in record.Relations
	symbol, name, receiver, module, alias name
	lines                                 []int32
	// place is its place among all references of the file, visible that among those that other files can see, -1 if it is none of them.
	place, visible int32
}

type typing struct {
	symbol, name, value name
	line                int32
	signature           string
}

// maxSignature is the longest signature of a node, in characters. maxText is more than any text that cortex-parse writes.
const (
	maxSignature = 200
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

func clip(s string, characters int) string {
	if len(s) <= characters {
		return s
	}
	for i := range s {
		if characters--; characters < 0 {
			return s[:i]
		}
	}
	return s
}

// tooLong reports whether there is anything among the texts that cortex-parse does not write.
func tooLong(texts ...string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return len(s) > maxText })
}

// valid makes UTF-8 of s.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// split gives the name and the parent of a symbol with a qualified name; last is its name if that is known.
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

// Facts are what the graph keeps of a file, as AppendFacts wrote it: all that resolution looks at, in an order that follows from the facts. Numbers are varints, a
// text is its length and its bytes, a string the number of a text in the list of strings, where 0 is "" and the rest counts from 1:
//
//	test (0 or 1), path, language, package
//	number of mappings, then each: module, path
//	three lists of strings: in what other files can see, in other references alone, in symbols alone. Each: number, size, texts
//	number of symbols, then each: kind, flags, first line, number of lines, qualified name, name, parent, signature
//	number of typings, then each: symbol, name, value, line, signature
//	number of references that other files can see, then each: place among all, and as below
//	number of other references, then each: relation, symbol, name, receiver, module, alias, number of lines, then the lines, each as what it is more than the last
type Facts []byte

// isNode reports whether the graph keeps anything of the file: that is, if it is of a language that is known as code or something was found in it.
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

// An Encoder appends facts. It is for one goroutine.
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
	qualified, name, parent, signature string
}

// NewEncoder returns an encoder that is ready.
func NewEncoder() *Encoder { return &Encoder{strings: map[string]uint64{}, at: map[string]int{}} }

// AppendFacts appends the facts of a file, which follow from the record; nothing if the file is no node.
func (e *Encoder) AppendFacts(dst []byte, r *record.File) []byte {
	if !isNode(r) {
		return dst
	}
	e.collect(r)
	e.number()
	e.dst = dst
	e.flag(slices.Contains(r.Tags, "test"))
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
		e.string(s.qualified)
		e.string(s.name)
		e.string(s.parent)
		e.text(s.signature)
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
			if seenByOthers(e.references[i].Relation) == visible {
				n++
			}
		}
		e.int(n)
		for i := range e.references {
			if seenByOthers(e.references[i].Relation) != visible {
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

// collect takes from the record what is kept, in its order.
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
		now := factSymbol{kind: uint8(kind), start: line(s.StartLine), qualified: valid(s.QualifiedName), signature: valid(clip(s.Signature, maxSignature))}
		now.end = max(line(s.EndLine), now.start)
		if s.Exported {
			now.flags |= exportedFlag
		}
		if s.Test {
			now.flags |= testFlag
		}
		now.name, now.parent = split(now.qualified, valid(s.Name))
		before, known := e.at[now.qualified]
		if !known {
			e.at[now.qualified] = len(e.symbols)
			e.symbols = append(e.symbols, now)
		} else if was := &e.symbols[before]; rankOf(now.kind) > rankOf(was.kind) || rankOf(now.kind) == rankOf(was.kind) && now.end-now.start > was.end-was.start {
			*was = now // one with a body, most likely
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
		now := record.Typing{Symbol: known(t.Symbol), Name: valid(t.Name), Value: valid(t.Value), Line: line(t.Line), Signature: valid(clip(t.Signature, maxSignature))}
		if now.Symbol == "" && t.Symbol != "" {
			continue // of a symbol that is no node
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

// number gives each string its number.
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
			if r := &e.references[i]; seenByOthers(r.Relation) == visible {
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

func (e *Encoder) flag(b bool) { e.dst = append(e.dst, uint8(order(b))) }

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

var errFacts = errors.New("read facts of the graph: they are damaged")

// A factReader reads facts. After a fault it reads nothing but zeros.
type factReader struct {
	data  []byte
	fault bool
}

func (r *factReader) int() int {
	// Most numbers are small.
	if len(r.data) > 0 && r.data[0] < 0x80 {
		n := int(r.data[0])
		r.data = r.data[1:]
		return n
	}
	n, size := binary.Uvarint(r.data)
	if size <= 0 || n > math.MaxInt32 {
		r.fault, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

func (r *factReader) delta() int {
	n, size := binary.Varint(r.data)
	if size <= 0 {
		r.fault, r.data = true, nil
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

func (r *factReader) byte() uint8 {
	if len(r.data) == 0 {
		r.fault = true
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *factReader) bytes(n int) []byte {
	if n < 0 || n > len(r.data) {
		r.fault, r.data = true, nil
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

// text shares the memory of the facts.
func (r *factReader) text() string {
	b := r.bytes(r.int())
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// count is a number of things of at least one byte each.
func (r *factReader) count() int {
	n := r.int()
	if n > len(r.data) {
		r.fault, r.data = true, nil
		return 0
	}
	return n
}

// A header is what stands in front of facts.
type header struct {
	test                bool
	path, language, pkg string
	mappings            []record.Mapping
	counts              [3]int
	lists               [3][]byte
	rest                factReader
}

// header reads what stands in front. All shares the memory of the facts.
func (f Facts) header() (h header, ok bool) {
	r := factReader{data: f}
	h.test = r.byte() != 0
	h.path, h.language, h.pkg = r.text(), r.text(), r.text()
	for range r.count() {
		h.mappings = append(h.mappings, record.Mapping{Module: r.text(), Path: r.text()})
	}
	for i := range h.lists {
		h.counts[i] = r.int()
		h.lists[i] = r.bytes(r.int())
		r.fault = r.fault || h.counts[i] > len(h.lists[i])
	}
	h.rest = r
	return h, !r.fault
}

// A factStrings numbers the strings of facts.
type factStrings struct {
	names *names
	texts []string
	known []name
}

// strings reads the lists, and numbers those before the list number all at once; others when they are asked for.
func (h *header) strings(n *names, all int) *factStrings {
	s := &factStrings{names: n, texts: h.texts()}
	s.known = make([]name, len(s.texts))
	numbered := 1
	for _, count := range h.counts[:all] {
		numbered += count
	}
	for i := 1; i < numbered; i++ {
		s.known[i] = n.text(s.texts[i])
		s.parts(s.texts[i])
	}
	return s
}

// parts numbers the parts of an expression, so that what they mean does not depend on which of them are names elsewhere.
func (s *factStrings) parts(expression string) {
	if !strings.ContainsAny(expression, ".()[]") {
		return
	}
	for part := range strings.FieldsFuncSeq(expression, func(c rune) bool { return strings.ContainsRune(".()[]", c) }) {
		s.names.text(part)
	}
}

func (s *factStrings) name(r *factReader) name {
	i := r.int()
	if i >= len(s.known) {
		r.fault = true
		return 0
	}
	if s.known[i] == 0 && i < len(s.texts) {
		s.known[i] = s.names.text(s.texts[i])
	}
	return s.known[i]
}

// file reads what other files can see, and numbers all strings if whole is set, so that the other references can be read when no names are added.
func (f Facts) file(n *names, whole bool) (*File, error) {
	h, ok := f.header()
	if !ok {
		return nil, errFacts
	}
	file := &File{Path: h.path, Language: h.language, Package: h.pkg, Test: h.test, Mappings: h.mappings, names: n}
	all := 1
	if whole {
		all = 2
	}
	s, r := h.strings(n, all), &h.rest
	if count := r.count(); count > 0 {
		file.symbols = make([]symbol, count)
	}
	for i := range file.symbols {
		now := symbol{kind: r.byte(), flags: r.byte(), start: int32(r.int())}
		now.end = now.start + int32(r.int())
		now.qualified, now.name, now.parent = s.name(r), s.name(r), s.name(r)
		now.signature = r.text()
		if int(now.kind) >= len(record.Kinds) {
			return nil, errFacts
		}
		file.symbols[i] = now
	}
	if count := r.count(); count > 0 {
		file.typings = make([]typing, count)
	}
	for i := range file.typings {
		file.typings[i] = typing{symbol: s.name(r), name: s.name(r), value: s.name(r), line: int32(r.int()), signature: r.text()}
	}
	if count := r.count(); count > 0 {
		file.references = make([]reference, count)
	}
	var lines []int32
	for i := range file.references {
		place := int32(r.int())
		file.references[i] = s.reference(r, &lines)
		file.references[i].place, file.references[i].visible = place, int32(i)
	}
	if r.fault {
		return nil, errFacts
	}
	s.texts = nil
	file.rest, file.strings = *r, s
	return file, nil
}

func (s *factStrings) reference(r *factReader, lines *[]int32) reference {
	ref := reference{relation: r.byte(), symbol: s.name(r), name: s.name(r), receiver: s.name(r), module: s.name(r), alias: s.name(r), visible: -1}
	if int(ref.relation) >= len(record.Relations) {
		ref.relation, r.fault = 0, true
	}
	count := r.count()
	if len(*lines)+count > cap(*lines) {
		*lines = make([]int32, 0, max(64, count))
	}
	start, last := len(*lines), 0
	for range count {
		last += r.delta()
		*lines = append(*lines, int32(last))
	}
	ref.lines = (*lines)[start:len(*lines):len(*lines)]
	return ref
}

// all are the references of the file in their order.
func (f *File) all() ([]reference, error) {
	r := f.rest
	var lines []int32
	count := r.count()
	list := make([]reference, 0, count+len(f.references))
	visible := f.references
	for i := range count + len(f.references) {
		if len(visible) > 0 && int(visible[0].place) == i {
			list = append(list, visible[0])
			visible = visible[1:]
			continue
		}
		list = append(list, f.strings.reference(&r, &lines))
	}
	if r.fault || len(visible) > 0 {
		return nil, errFacts
	}
	return list, nil
}

// seenByOthers reports whether references of the relation can matter to other files.
func seenByOthers(relation record.Relation) bool {
	switch relation {
	case record.Calls, record.Uses, record.Instantiates:
		return false
	}
	return true
}

// find returns the symbol of the qualified name in a sorted file.
func (f *File) find(qualified string) *symbol {
	i, ok := slices.BinarySearchFunc(f.symbols, qualified, func(s symbol, q string) int { return strings.Compare(f.names.of(s.qualified), q) })
	if !ok {
		return nil
	}
	return &f.symbols[i]
}

func (f *File) declaration(s *symbol) *Declaration {
	n := f.names
	return &Declaration{File: f, Kind: record.Kinds[s.kind], Name: n.of(s.name), Qualified: n.of(s.qualified), Signature: s.signature,
		Exported: s.flags&exportedFlag != 0, Test: f.Test || s.flags&testFlag != 0}
}

func (f *File) reference(r *reference) *record.Reference {
	n := f.names
	return &record.Reference{Relation: record.Relations[r.relation], Symbol: n.of(r.symbol), Name: n.of(r.name), Receiver: n.of(r.receiver),
		Module: n.of(r.module), Alias: n.of(r.alias)}
}

func (f *File) typing(t *typing) *record.Typing {
	n := f.names
	return &record.Typing{Symbol: n.of(t.symbol), Name: n.of(t.name), Value: n.of(t.value), Signature: t.signature, Line: int(t.line)}
}

// texts are all strings.
func (h *header) texts() []string {
	texts := make([]string, 1, 1+h.counts[0]+h.counts[1]+h.counts[2])
	for i, list := range h.lists {
		r := factReader{data: list}
		for range h.counts[i] {
			texts = append(texts, r.text())
		}
	}
	return texts
}

// Path is the path of the file in its tree.
func (f Facts) Path() string {
	h, _ := f.header()
	return h.path
}
