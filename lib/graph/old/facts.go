package graph

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"cortex/lib/record"
)

// A name is the number of a string. Equal strings have equal numbers within one names; numbers have no order.
type name uint32

// names numbers strings, from several goroutines at once. Number 0 is "".
type names struct{ shards [64]nameShard }

type nameShard struct {
	mutex sync.RWMutex
	byKey map[string]name
	list  []string
	_     [64]byte // each in a cache line of its own
}

func newNames() *names {
	n := &names{}
	for i := range n.shards {
		n.shards[i].byKey = map[string]name{}
	}
	n.shards[0].list = []string{""}
	return n
}

// shardOf is FNV-1a over the ends of s.
func shardOf[T string | []byte](s T) uint32 {
	h := uint32(2166136261)
	step := func(c byte) { h = (h ^ uint32(c)) * 16777619 }
	step(byte(len(s)))
	for i := max(0, len(s)-6); i < len(s); i++ {
		step(s[i])
	}
	return (h ^ h>>16) & 63
}

// bytes is the number of a string that is in b.
func (n *names) bytes(b []byte) name {
	if len(b) == 0 {
		return 0
	}
	i := shardOf(b)
	shard := &n.shards[i]
	shard.mutex.RLock()
	number, ok := shard.byKey[string(b)]
	shard.mutex.RUnlock()
	if ok {
		return number
	}
	return n.add(i, string(b))
}

// text is the number of s.
func (n *names) text(s string) name {
	if s == "" {
		return 0
	}
	i := shardOf(s)
	shard := &n.shards[i]
	shard.mutex.RLock()
	number, ok := shard.byKey[s]
	shard.mutex.RUnlock()
	if ok {
		return number
	}
	return n.add(i, strings.Clone(s))
}

func (n *names) add(i uint32, s string) name {
	shard := &n.shards[i]
	shard.mutex.Lock()
	defer shard.mutex.Unlock()
	if number, ok := shard.byKey[s]; ok {
		return number
	}
	number := name(len(shard.list))<<6 | name(i)
	shard.list = append(shard.list, s)
	shard.byKey[s] = number
	return number
}

// find is the number of s if it has one. It is for the time when none are added.
func (n *names) find(s string) (name, bool) {
	if s == "" {
		return 0, true
	}
	number, ok := n.shards[shardOf(s)].byKey[s]
	return number, ok
}

// of is the string of a number. It is for the time when none are added.
func (n *names) of(number name) string { return n.shards[number&63].list[number>>6] }

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

// rank puts types before what runs, and that before values, where one name is several.
func (s *symbol) rank() int {
	switch kind := record.Kinds[s.kind]; {
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
}

type typing struct {
	symbol, name, value name
	line                int32
	signature           string
}

// maxSignature is the longest signature of a node, in characters.
const maxSignature = 200

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

// facts takes from a file record what the graph keeps, in the form in which it is read back from the file.
func (n *names) facts(r *record.File) *File {
	f := &File{Path: r.FilePath, Language: r.Language, Package: r.Package, Test: slices.Contains(r.Tags, "test"), names: n}
	f.Mappings = slices.Clone(r.Mappings)
	at := make(map[name]int, len(r.Symbols))
	for i := range r.Symbols {
		s := &r.Symbols[i]
		kind := slices.Index(record.Kinds, s.Kind)
		if kind < 0 || !isCode(s.Kind) || s.QualifiedName == "" || tooLong(s.QualifiedName, s.Name) {
			continue
		}
		now := symbol{kind: uint8(kind), start: int32(s.StartLine), end: int32(s.EndLine), qualified: n.text(valid(s.QualifiedName)), signature: valid(clip(s.Signature, maxSignature))}
		if s.Exported {
			now.flags |= exportedFlag
		}
		if s.Test {
			now.flags |= testFlag
		}
		last, parent := split(valid(s.QualifiedName), valid(s.Name))
		now.name, now.parent = n.text(last), n.text(parent)
		before, known := at[now.qualified]
		if !known {
			at[now.qualified] = len(f.symbols)
			f.symbols = append(f.symbols, now)
		} else if was := &f.symbols[before]; now.rank() > was.rank() || now.rank() == was.rank() && now.end-now.start > was.end-was.start {
			*was = now // one with a body, most likely
		}
	}
	known := func(qualified string) name {
		q := n.text(valid(qualified))
		if _, ok := at[q]; ok {
			return q
		}
		return 0
	}
	method := uint8(slices.Index(record.Kinds, record.Method))
	for i := range r.Typings {
		t := &r.Typings[i]
		if tooLong(t.Symbol, t.Name, t.Value) {
			continue
		}
		now := typing{symbol: known(t.Symbol), name: n.text(valid(t.Name)), value: n.text(valid(t.Value)), line: int32(t.Line), signature: valid(clip(t.Signature, maxSignature))}
		if now.symbol == 0 && t.Symbol != "" {
			continue // of a symbol that is no node
		}
		f.typings = append(f.typings, now)
		if t.Signature == "" || t.Name == "" || t.Symbol == "" {
			continue
		}
		s := symbol{kind: method, start: int32(t.Line), end: int32(t.Line), qualified: n.text(valid(t.Symbol + "." + t.Name)), parent: now.symbol, name: now.name, signature: now.signature}
		if _, ok := at[s.qualified]; !ok {
			owner := &f.symbols[at[now.symbol]]
			s.flags = owner.flags
			at[s.qualified] = len(f.symbols)
			f.symbols = append(f.symbols, s)
		}
	}
	for i := range r.References {
		ref := &r.References[i]
		relation := slices.Index(record.Relations, ref.Relation)
		if relation < 0 || len(ref.Lines) == 0 || tooLong(ref.Symbol, ref.Name, ref.Receiver, ref.Module, ref.Alias) {
			continue
		}
		now := reference{relation: uint8(relation), symbol: known(ref.Symbol), name: n.text(valid(ref.Name)), receiver: n.text(valid(ref.Receiver)),
			module: n.text(valid(ref.Module)), alias: n.text(valid(ref.Alias)), lines: make([]int32, len(ref.Lines))}
		for i, line := range ref.Lines {
			now.lines[i] = int32(line)
		}
		f.references = append(f.references, now)
	}
	return f
}

// tooLong reports whether there is anything among the texts that cortex-parse does not write.
func tooLong(texts ...string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return len(s) > maxText })
}

// valid makes s what it is after it was written and read.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// split gives the name and the parent of a symbol with a qualified name; last is its name if that is known.
func split[T string | []byte](qualified, last T) (name, parent T) {
	at := len(qualified) - len(last)
	if len(last) == 0 || at < 0 || string(qualified[at:]) != string(last) {
		for at = len(qualified); at > 0 && qualified[at-1] != '.'; at-- {
		}
	}
	parent = qualified[:at]
	if at > 0 && parent[at-1] == '.' {
		parent = parent[:at-1]
	}
	return qualified[at:], parent
}

// read is of for the time when numbers are added.
func (n *names) read(number name) string {
	shard := &n.shards[number&63]
	shard.mutex.RLock()
	defer shard.mutex.RUnlock()
	return shard.list[number>>6]
}

// sort brings the facts of a file into the order of the graph file. It is for the time when no names are added.
func (f *File) sort() {
	if f.sorted {
		return
	}
	f.sorted = true
	n := f.names
	text := func(a, b name) int {
		if a == b {
			return 0
		}
		return strings.Compare(n.of(a), n.of(b))
	}
	slices.SortFunc(f.symbols, func(a, b symbol) int { return text(a.qualified, b.qualified) })
	slices.SortFunc(f.typings, func(a, b typing) int {
		return cmp.Or(text(a.symbol, b.symbol), text(a.name, b.name), cmp.Compare(a.line, b.line), text(a.value, b.value), strings.Compare(a.signature, b.signature))
	})
	f.typings = slices.Compact(f.typings)
	slices.SortFunc(f.references, func(a, b reference) int {
		return cmp.Or(text(a.symbol, b.symbol), cmp.Compare(a.lines[0], b.lines[0]), cmp.Compare(a.relation, b.relation),
			text(a.name, b.name), text(a.receiver, b.receiver), text(a.module, b.module), text(a.alias, b.alias), slices.Compare(a.lines, b.lines))
	})
}

// seenByOthers reports whether references of the relation can matter to other files.
func seenByOthers(relation record.Relation) bool {
	switch relation {
	case record.Calls, record.Uses, record.Instantiates:
		return false
	}
	return true
}

// isInside reports whether the line of a graph file is an edge that only the nodes on its line care about.
func isInside(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte(`{"edge":"`))
	if !ok {
		return false
	}
	for _, relation := range [...]string{"calls\",\"from", "uses\",\"from", "instantiates\",\"from", "instantiates\",\"written\":\"calls\"", "uses\",\"written\":\"calls\""} {
		if bytes.HasPrefix(rest, []byte(relation)) {
			return true
		}
	}
	return false
}

// shows reports whether other files see the same in f as in g but for the symbols and typings: all that resolution looks at without the lines and without
// what is written within the code.
func (f *File) shows(g *File) bool {
	if f.Language != g.Language || f.Package != g.Package || f.Test != g.Test || !slices.Equal(f.Mappings, g.Mappings) {
		return false
	}
	seen := func(list []reference) (seen []reference) {
		for _, r := range list {
			if seenByOthers(record.Relations[r.relation]) {
				seen = append(seen, r)
			}
		}
		return seen
	}
	return slices.EqualFunc(seen(f.references), seen(g.references), func(a, b reference) bool {
		return a.relation == b.relation && a.symbol == b.symbol && a.name == b.name && a.receiver == b.receiver && a.module == b.module && a.alias == b.alias
	})
}

// retyped are the typings of what has others in f than in g, but for the lines.
func (f *File) retyped(g *File) (different []typing) {
	a, b := f.typings, g.typings
	of := func(t *typing) [2]name { return [2]name{t.symbol, t.name} }
	run := func(list []typing) int {
		n := 1
		for n < len(list) && of(&list[n]) == of(&list[0]) {
			n++
		}
		return n
	}
	rest := make(map[[2]name][]typing, len(b))
	for len(b) > 0 {
		n := run(b)
		rest[of(&b[0])], b = b[:n], b[n:]
	}
	for len(a) > 0 {
		n := run(a)
		now := rest[of(&a[0])]
		delete(rest, of(&a[0]))
		if !slices.EqualFunc(a[:n], now, func(x, y typing) bool {
			x.line = y.line
			return x == y
		}) {
			different = append(append(different, a[:n]...), now...)
		}
		a = a[n:]
	}
	for _, list := range rest {
		different = append(different, list...)
	}
	return different
}

// differences are the symbols that f or g alone has, or that differ in more than their lines.
func (f *File) differences(g *File) (different []symbol) {
	of := make(map[name]symbol, len(f.symbols))
	for _, s := range f.symbols {
		of[s.qualified] = s
	}
	for _, now := range g.symbols {
		was, known := of[now.qualified]
		if known {
			delete(of, now.qualified)
			was.start, was.end = now.start, now.end
			if was == now {
				continue
			}
			different = append(different, was)
		}
		different = append(different, now)
	}
	for _, s := range f.symbols {
		if _, left := of[s.qualified]; left {
			different = append(different, s)
		}
	}
	return different
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
