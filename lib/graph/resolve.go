package graph

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"cortex/lib/parallel"
	"cortex/lib/record"
)

// An entry is all declarations of one qualified name in one space. A space is a package, or a file that shares its names with no other.
type entry struct {
	space     int32
	parent    name
	qualified name
	// sorts tell what is declared under the name.
	sorts sorts
	// family is the number of the rules.
	family int16
	decls  []decl
}

// A decl is one declaration: a symbol of a file, both by number.
type decl struct{ file, symbol int32 }

type sorts uint8

const (
	typeSorts sorts = 1 << iota
	callableSorts
	dataSorts
	moduleSorts
)

func sortsOf(kind record.Kind) sorts {
	switch {
	case kind.IsType():
		return typeSorts
	case kind.IsCallable():
		return callableSorts
	case kind == record.Module:
		return moduleSorts
	}
	return dataSorts
}

type entryKey struct {
	space        int32
	parent, name name
}

type qualifiedKey struct {
	space     int32
	qualified name
}

// noEntry is what is not declared.
const noEntry = -1

// A meaning is what an expression stands for.
type meaning struct {
	sort meaningSort
	// lists tells how many times it is a list of that.
	lists uint8
	// weak tells that it was found by nothing but its name.
	weak bool
	// entry is that of a thing, value or base.
	entry int32
	// space, prefix and file say where a module is: what is declared under the prefix in the space, and if file is not negative, in that file.
	space, file int32
	prefix      name
	// only is one more than the number of the file whose declaration of a thing is meant, 0 if it is any.
	only int32
	// external names it if it is outside of the tree.
	external string
}

type meaningSort uint8

const (
	unknown meaningSort = iota
	// thing is what is declared itself.
	thing
	// instance is a value of a type that is declared.
	instance
	// base is the object or type itself as what it inherits from.
	base
	module
	outside
)

// resolution is the work on one tree.
type resolution struct {
	*Tree
	rules   []Rules
	jobs    int
	entries []entry
	index   map[entryKey]int32
	// qualified finds entries by their whole name.
	qualified map[qualifiedKey]int32
	// last finds them by the last part, within a family.
	last map[entryKey][]int32
	// imports are those of each file.
	imports []fileImports
	// bases are the entries from which each entry inherits, and foreign the first that is outside of the tree.
	bases   [][]int32
	foreign []string
	// demands are the interfaces that each says it implements.
	demands [][]int32
	// typings finds values by what they are of; values are their meanings so far.
	typings map[entryKey][]int32
	typed   []typed
	values  []meaning
	spaces  int32
	implied map[decl]*impliedLines
	// folderOf are the folders of each space.
	folderOf [][]string
}

// typed is a typing and where it stands.
type typed struct {
	file  int32
	index int32
	// settled typings can't come to mean more.
	settled bool
}

// fileImports are what the imports of a file mean.
type fileImports struct {
	local map[name][]importTarget
	// dotted tells that some names have several parts.
	dotted bool
	all    []importTarget
	// each are the targets by the number of the reference.
	each map[int32][]importTarget
}

// An importTarget is where an Import leads.
type importTarget struct {
	modules []meaning
	path    []name // in the module
	missing bool   // a part of path that is nowhere in the tree
	rest    string // path as it stands
	outside string
	keyed   bool
	space   int32
}

// resolve finds out what the facts of the tree mean, but for the edges that the rules find.
func (t *Tree) resolve(ctx context.Context, jobs int) (*resolution, error) {
	r := &resolution{Tree: t, rules: slices.Clone(t.rules), jobs: max(jobs, 1)}
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	if err := r.resolveImports(ctx); err != nil {
		return nil, err
	}
	r.indexTypings()
	// Names of files that stand for others come first, since a class may inherit from one.
	if err := r.evaluate(ctx, 2, true); err != nil {
		return nil, err
	}
	if err := r.inherit(ctx); err != nil {
		return nil, err
	}
	for i := range r.typed {
		r.typed[i].settled = false
	}
	if err := r.evaluate(ctx, maxRounds, false); err != nil {
		return nil, err
	}
	return r, nil
}

// maxRounds bounds how many typings a value may follow.
const maxRounds = 6

// filesAtOnce is how many files one worker gets at a time.
const filesAtOnce = 16

// each calls work on every file.
func (r *resolution) each(ctx context.Context, work func(f *File)) error {
	next := 0
	return parallel.Map(ctx, r.jobs, func() ([]*File, error) {
		if next >= len(r.files) {
			return nil, io.EOF
		}
		files := r.files[next:min(next+filesAtOnce, len(r.files))]
		next += len(files)
		return files, nil
	}, func(_ context.Context, files []*File) (struct{}, error) {
		for _, f := range files {
			work(f)
		}
		return struct{}{}, nil
	}, func(struct{}) error { return nil })
}

// prepare finds the spaces and fills the indexes of what is declared.
func (r *resolution) prepare(ctx context.Context) error {
	var members []*File
	for _, f := range r.files {
		if f.family == ownFamily || len(f.Mappings) > 0 {
			members = append(members, f)
		}
	}
	r.prepared = make([]any, len(r.rules))
	if own := &r.rules[ownFamily]; own.Prepare != nil {
		r.prepared[ownFamily] = own.Prepare(r.Tree, members)
	}
	keys := make([]string, len(r.files))
	err := r.each(ctx, func(f *File) {
		if rules := &r.rules[f.family]; rules.Package != nil {
			keys[f.number] = rules.Package(r.Tree, f)
		}
	})
	if err != nil {
		return err
	}
	r.packages = map[packageKey]int32{}
	for i, f := range r.files {
		if keys[i] == "" {
			f.space = r.newSpace()
			continue
		}
		key := packageKey{f.family, keys[i]}
		space, ok := r.packages[key]
		if !ok {
			space = r.newSpace()
			r.packages[key] = space
		}
		f.space = space
	}
	r.declare()
	r.findFolders()
	return nil
}

func (r *resolution) newSpace() int32 {
	r.spaces++
	return r.spaces - 1
}

// declare makes the entries.
func (r *resolution) declare() {
	total := 0
	for _, f := range r.files {
		total += len(f.symbols)
	}
	r.entries = make([]entry, 0, total)
	r.index = make(map[entryKey]int32, total)
	r.qualified = make(map[qualifiedKey]int32, total)
	r.last = map[entryKey][]int32{}
	decls := make([]decl, total)
	for _, f := range r.files {
		for i := range f.symbols {
			s := &f.symbols[i]
			key := entryKey{f.space, s.parent, s.name}
			if s.isTitled(r.names.of(s.name)) {
				key.name = r.names.text("\x00" + r.names.of(s.name)) // no name that code could mention
			}
			number, ok := r.index[key]
			if !ok {
				number = int32(len(r.entries))
				r.index[key] = number
				r.qualified[qualifiedKey{f.space, s.qualified}] = number
				// What is declared once, as most things are, has its place in one array.
				r.entries = append(r.entries, entry{space: f.space, parent: s.parent, qualified: s.qualified, family: int16(f.family), decls: decls[:0:1]})
				decls = decls[1:]
				last := entryKey{int32(f.family), 0, key.name}
				r.last[last] = append(r.last[last], number)
			}
			e := &r.entries[number]
			e.sorts |= sortsOf(record.Kinds[s.kind])
			e.decls = append(e.decls, decl{f.number, int32(i)})
		}
	}
}

// isTitled reports whether the symbol is a test whose name is a text, which is no name of anything.
func (s *symbol) isTitled(name string) bool {
	if s.flags&testFlag == 0 {
		return false
	}
	_, rest, found := strings.Cut(s.signature, name)
	i := len(s.signature) - len(rest) - len(name)
	return found && i > 0 && rest != "" && rest[0] == s.signature[i-1] && strings.IndexByte("\"'`", rest[0]) >= 0
}

func (r *resolution) lookup(space int32, parent, n name) int32 {
	if number, ok := r.index[entryKey{space, parent, n}]; ok {
		return number
	}
	return noEntry
}

func (r *resolution) entryOf(space int32, qualified name) int32 {
	if number, ok := r.qualified[qualifiedKey{space, qualified}]; ok {
		return number
	}
	return noEntry
}

// resolveImports asks the rules what the imports mean. Names may be added here for the last time.
func (r *resolution) resolveImports(ctx context.Context) error {
	r.imports = make([]fileImports, len(r.files))
	imports := uint8(slices.Index(record.Relations, record.Imports))
	raw := make([][][]Import, len(r.files))
	err := r.each(ctx, func(f *File) {
		rules := &r.rules[f.family]
		if rules.Import == nil {
			return
		}
		for i := range f.references {
			if f.references[i].relation != imports {
				continue
			}
			if raw[f.number] == nil {
				raw[f.number] = make([][]Import, len(f.references))
			}
			raw[f.number][i] = rules.Import(r.Tree, f, f.reference(&f.references[i]))
		}
	})
	if err != nil {
		return err
	}
	// The rules have read names; from here on they are only added.
	for n, list := range raw {
		f, known := r.files[n], &r.imports[n]
		for i, meanings := range list {
			for _, m := range meanings {
				target := r.target(f, m)
				if known.each == nil {
					known.each = map[int32][]importTarget{}
					known.local = map[name][]importTarget{}
				}
				known.each[int32(i)] = append(known.each[int32(i)], target)
				if m.Local != "" {
					local := r.names.text(m.Local)
					known.local[local] = append(known.local[local], target)
					known.dotted = known.dotted || strings.Contains(m.Local, ".")
				}
				if m.All {
					known.all = append(known.all, target)
				}
			}
		}
	}
	return nil
}

// target puts an Import into numbers.
func (r *resolution) target(f *File, m Import) importTarget {
	t := importTarget{rest: m.Name}
	switch {
	case m.External != "":
		t.outside = clip(m.External, maxExternal)
		if m.Name != "" {
			t.outside = clip(t.outside+"."+m.Name, maxExternal)
		}
		return t
	case m.Package != "":
		space, ok := r.packages[packageKey{f.family, m.Package}]
		if !ok {
			t.missing = true
			return t
		}
		t.keyed, t.space = true, space
		t.modules = []meaning{{sort: module, space: space, file: -1}}
	default:
		for _, file := range m.Files {
			t.modules = append(t.modules, meaning{sort: module, space: file.space, file: file.number})
		}
	}
	if m.Name == "" {
		return t
	}
	if whole := r.names.text(m.Name); t.keyed && r.lookup(t.space, 0, whole) != noEntry {
		t.path = []name{whole} // a module whose name has dots
		return t
	}
	for part := range strings.SplitSeq(m.Name, ".") {
		t.path = append(t.path, r.names.text(part))
	}
	return t
}

// maxExternal is the longest name of what is outside of the tree, in characters.
const maxExternal = 200

// indexTypings numbers the typings.
func (r *resolution) indexTypings() {
	total := 0
	for _, f := range r.files {
		total += len(f.typings)
	}
	r.typed = make([]typed, 0, total)
	r.typings = make(map[entryKey][]int32, total)
	numbers := make([]int32, total)
	for _, f := range r.files {
		for i := range f.typings {
			t := &f.typings[i]
			if t.value == 0 {
				continue
			}
			key := entryKey{f.space, t.symbol, t.name}
			list, ok := r.typings[key]
			if !ok {
				list, numbers = numbers[:0:1], numbers[1:]
			}
			r.typings[key] = append(list, int32(len(r.typed)))
			r.typed = append(r.typed, typed{file: f.number, index: int32(i)})
		}
	}
	r.values = make([]meaning, len(r.typed))
}

// evaluate finds the meanings of typings in rounds: in each from those of the round before, so that the order in which they
// are looked at does not matter. If top is set, only those of files themselves.
func (r *resolution) evaluate(ctx context.Context, rounds int, top bool) error {
	var open []int32
	for i := range r.typed {
		t := &r.typed[i]
		if !top || r.files[t.file].typings[t.index].symbol == 0 {
			open = append(open, int32(i))
		}
	}
	for range rounds {
		if len(open) == 0 {
			return nil
		}
		found, settled := make([]meaning, len(open)), make([]bool, len(open))
		const atOnce = 256
		next := 0
		err := parallel.Map(ctx, r.jobs, func() (int, error) {
			if next >= len(open) {
				return 0, io.EOF
			}
			next += atOnce
			return next - atOnce, nil
		}, func(_ context.Context, start int) (struct{}, error) {
			var q inquiry
			for i := start; i < min(start+atOnce, len(open)); i++ {
				t := &r.typed[open[i]]
				f := r.files[t.file]
				typing := &f.typings[t.index]
				if q.file != f {
					q = inquiry{resolution: r, file: f, tops: map[name]topMeaning{}}
				}
				q.open = false
				found[i] = q.value(typing.symbol, r.names.of(typing.value))
				settled[i] = !q.open
			}
			return struct{}{}, nil
		}, func(struct{}) error { return nil })
		if err != nil {
			return err
		}
		changed := false
		rest := open[:0]
		for i, number := range open {
			if found[i].sort != unknown {
				changed = true
				r.values[number] = found[i]
				r.typed[number].settled = true
			} else if r.typed[number].settled = settled[i]; !settled[i] {
				rest = append(rest, number)
			}
		}
		if open = rest; !changed {
			return nil
		}
	}
	return nil
}

// inherit finds what each type inherits from.
func (r *resolution) inherit(ctx context.Context) error {
	r.bases = make([][]int32, len(r.entries))
	r.foreign = make([]string, len(r.entries))
	r.demands = make([][]int32, len(r.entries))
	type found struct {
		of   int32
		rank int
		base meaning
	}
	byFile := make([][]found, len(r.files))
	ranks := map[record.Relation]int{record.Extends: 1, record.Embeds: 2, record.Implements: 3}
	var rank [16]int
	for i, relation := range record.Relations {
		rank[i] = ranks[relation]
	}
	err := r.each(ctx, func(f *File) {
		q := inquiry{resolution: r, file: f, tops: map[name]topMeaning{}}
		for i := range f.references {
			ref := &f.references[i]
			if rank[ref.relation] == 0 || ref.symbol == 0 {
				continue
			}
			of := r.entryOf(f.space, ref.symbol)
			if of == noEntry {
				continue
			}
			m, _ := q.named(ref.symbol, r.names.of(ref.receiver), ref.name, true)
			switch {
			case m.sort == thing && m.entry != of, m.sort == outside:
				byFile[f.number] = append(byFile[f.number], found{of, rank[ref.relation], m})
			}
		}
	})
	if err != nil {
		return err
	}
	for level := 1; level <= len(ranks); level++ {
		for _, list := range byFile {
			for _, b := range list {
				switch {
				case b.rank != level:
				case b.base.sort == thing:
					list := &r.bases[b.of]
					if level == len(ranks) {
						list = &r.demands[b.of]
					}
					if !slices.Contains(*list, b.base.entry) && len(*list) < maxBases {
						*list = append(*list, b.base.entry)
					}
				case r.foreign[b.of] == "":
					r.foreign[b.of] = b.base.external
				}
			}
		}
	}
	return nil
}

// Bounds of inheritance: of the bases of a type, and of types that are asked for one member.
const (
	maxBases    = 64
	maxAncestry = 256
)

// imply adds the edges that the rules find.
func (r *resolution) imply() {
	r.implied = map[decl]*impliedLines{}
	find := func(d *Declaration) (decl, bool) {
		i, ok := slices.BinarySearchFunc(d.File.symbols, d.Qualified, func(s symbol, q string) int { return strings.Compare(r.names.of(s.qualified), q) })
		return decl{d.File.number, int32(i)}, ok
	}
	rules := &r.rules[ownFamily]
	if rules.Implied == nil {
		return
	}
	var files []*File
	for _, f := range r.files {
		if f.family == ownFamily {
			files = append(files, f)
		}
	}
	edges, omitted := rules.Implied(r.Tree, files)
	for _, edge := range edges {
		from, ok := find(edge.From)
		to, known := find(edge.To)
		if ok && known {
			lines := r.impliedAt(from)
			lines.edges = append(lines.edges, impliedEdge{edge.Relation, placeOf(to)})
		}
	}
	for _, o := range omitted {
		if at, ok := find(o.Declaration); ok {
			lines := r.impliedAt(at)
			lines.omissions = append(lines.omissions, Omission{Relation: o.Relation, Incoming: o.Incoming, Held: o.Held, Found: o.Found})
		}
	}
	for _, lines := range r.implied {
		slices.SortFunc(lines.edges, func(a, b impliedEdge) int {
			return cmp.Or(strings.Compare(string(a.relation), string(b.relation)), cmp.Compare(a.to.file, b.to.file), cmp.Compare(a.to.symbol, b.to.symbol))
		})
	}
}

// impliedLines are the lines of a symbol that follow from declarations.
type impliedLines struct {
	edges     []impliedEdge
	omissions []Omission
}

// An impliedEdge is one that follows from declarations.
type impliedEdge struct {
	relation record.Relation
	to       place
}

func (r *resolution) impliedAt(d decl) *impliedLines {
	lines := r.implied[d]
	if lines == nil {
		lines = &impliedLines{}
		r.implied[d] = lines
	}
	return lines
}
