package graph

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"cortex/lib/parallel"
	"cortex/lib/record"
)

// A Source is a file of which a graph is made.
type Source struct {
	Tree string
	// Facts are those of the file; empty if it is no node, or gone.
	Facts Facts
	// Was are the facts of the file in the graph before; empty if that does not have it.
	Was Facts
}

// Options say how a graph is made.
type Options struct {
	// Jobs is the number of workers, at least 1.
	Jobs int
	// Progress, if it is not nil, is told how many of the files that are resolved are done.
	Progress func(done, total int)

	// rules are those of languages; nil for the table.
	rules []Rules
	// anew puts strings together from all facts.
	anew bool
	// told is told how each family of each tree was resolved.
	told func(tree, family string, how how)
}

// Build makes the graph of all files. Which tables come out depends on their facts alone: the graph before, which may be nil, spares the work on what is not
// concerned by a change. The sources must not change while the graph is made.
func Build(ctx context.Context, sources []Source, before *Graph, opts Options) (*Graph, error) {
	b, err := newBuilder(ctx, sources, before, opts)
	if err != nil {
		return nil, err
	}
	units := b.units()
	for _, u := range units {
		if err := b.plan(u); err != nil {
			return nil, err
		}
	}
	for _, u := range units {
		if u.how != kept {
			b.total += len(u.linked)
		}
	}
	for _, u := range units {
		if opts.told != nil {
			opts.told(u.tree.name, u.family, u.how)
		}
		if u.how == kept {
			continue
		}
		if err := b.resolve(ctx, u, b.link); err != nil {
			return nil, err
		}
	}
	return b.assemble(ctx)
}

// A builder makes a graph.
type builder struct {
	opts     Options
	rules    []Rules
	families map[string]string // of languages
	before   *Graph
	// files are all files of the graph, by tree path.
	files []sourceFile
	trees []*sourceTree
	// numberOf is the number of each file of the graph before, -1 if it is gone.
	numberOf []int32
	outside  outsiders
	// total files are resolved, of which done are.
	total, done int
}

// A sourceFile is a file of the graph.
type sourceFile struct {
	header
	facts    Facts
	treePath string
	tree     string
	family   string
	// number is its place in its tree.
	number int32
	// old is its number in the graph before, none if that does not have it. was are its facts there, if they are others.
	old uint32
	was Facts
	// shifted are the lines that its references stood at, and those that they stand at now, if the facts differ in nothing but lines.
	shifted map[uint32]uint32
	// fresh tells that edges, as a linker writes them, are in place of those of the graph before.
	fresh bool
	edges []byte
}

// changed reports whether the file has other facts than in the graph before, but for lines.
func (s *sourceFile) changed() bool { return s.was != nil && s.shifted == nil }

// A sourceTree is a tree of files, by path.
type sourceTree struct {
	name  string
	files []int32
	// moved are the files that came, went or look different to others; all tells that manifests are among them, or that there is no graph before.
	moved []movedFile
	all   bool
}

// A movedFile is a file with its family before and now, "" where it is not there.
type movedFile struct{ path, before, now string }

// move notes a file that is or was in the tree.
func (t *sourceTree) move(b *builder, was, now *header) {
	m := movedFile{}
	for _, h := range [...]*header{was, now} {
		if h != nil {
			m.path, t.all = h.path, t.all || len(h.mappings) > 0
		}
	}
	if was != nil {
		m.before = b.familyOf(was.language)
	}
	if now != nil {
		m.now = b.familyOf(now.language)
	}
	t.moved = append(t.moved, m)
}

// A unit is what is resolved at a time: the files of one family of languages in a tree. They may refer to each other, and of all other files they see no more than
// what stands in front of their facts.
type unit struct {
	tree    *sourceTree
	family  string
	files   []int32
	changed []int32
	how     how
	// linked are the files whose edges are found.
	linked []int32
}

// how much of a unit is resolved again.
type how int

const (
	kept how = iota
	partly
	wholly
)

func newBuilder(ctx context.Context, sources []Source, before *Graph, opts Options) (*builder, error) {
	b := &builder{opts: opts, rules: opts.rules, before: before}
	if b.rules == nil {
		b.rules = rules()
	}
	b.outside.external, b.outside.folders = map[string]uint32{}, map[string]uint32{}
	b.families = map[string]string{}
	for _, r := range b.rules {
		for _, language := range r.Languages {
			b.families[language] = r.Languages[0]
		}
	}
	trees := map[string]*sourceTree{}
	treeOf := func(name string) *sourceTree {
		if trees[name] == nil {
			trees[name] = &sourceTree{name: name}
		}
		return trees[name]
	}
	b.files = make([]sourceFile, 0, len(sources))
	for i := range sources {
		s := &sources[i]
		if len(s.Facts) == 0 {
			if was, ok := s.Was.header(); ok {
				treeOf(s.Tree).move(b, &was, nil)
			}
			continue
		}
		h, ok := s.Facts.header()
		if !ok {
			return nil, errFacts
		}
		f := sourceFile{header: h, facts: s.Facts, tree: s.Tree, treePath: record.TreePath(s.Tree, h.path), old: none}
		f.family = b.familyOf(h.language)
		if before != nil && len(s.Was) > 0 && !same(s.Was, s.Facts) {
			f.was, f.shifted = s.Was, shifted(s.Was, s.Facts)
		}
		b.files = append(b.files, f)
	}
	b.sort()
	if before != nil {
		b.numberOf = make([]int32, len(before.files))
		for i := range b.numberOf {
			b.numberOf[i] = -1
		}
	}
	at := 0
	for i := range b.files {
		f := &b.files[i]
		t := treeOf(f.tree)
		f.number = int32(len(t.files))
		t.files = append(t.files, int32(i))
		if before == nil {
			t.all = true
			continue
		}
		for at < len(before.files) && before.strings.get(before.files[at].path) < f.treePath {
			at++
		}
		if at < len(before.files) && before.strings.get(before.files[at].path) == f.treePath {
			f.old = uint32(at)
			b.numberOf[at] = int32(i)
			at++
		}
		if f.old == none {
			t.move(b, nil, &f.header)
		} else if was, ok := f.was.header(); ok && !f.looksAs(&was) {
			t.move(b, &was, &f.header)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		b.trees = append(b.trees, trees[name])
	}
	return b, ctx.Err()
}

// sort puts the files in the order of their tree paths, each once.
func (b *builder) sort() {
	type place struct {
		path string
		at   int
	}
	places := make([]place, len(b.files))
	for i := range b.files {
		places[i] = place{b.files[i].treePath, i}
	}
	slices.SortFunc(places, func(a, b place) int { return strings.Compare(a.path, b.path) })
	places = slices.CompactFunc(places, func(a, b place) bool { return a.path == b.path })
	files := make([]sourceFile, len(places))
	for i, p := range places {
		files[i] = b.files[p.at]
	}
	b.files = files
}

// same reports whether two facts are the same.
func same(a, b Facts) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || bytes.Equal(a, b))
}

// looksAs reports whether what stands in front of the facts is the same as in others.
func (h *header) looksAs(o *header) bool {
	return h.test == o.test && h.language == o.language && h.pkg == o.pkg && slices.Equal(h.mappings, o.mappings)
}

// familyOf is the family of a language.
func (b *builder) familyOf(language string) string { return cmp.Or(b.families[language], language) }

// units are those of all trees, in an order that follows from the files.
func (b *builder) units() []*unit {
	var all []*unit
	for _, t := range b.trees {
		byFamily := map[string]*unit{}
		for _, i := range t.files {
			f := &b.files[i]
			u := byFamily[f.family]
			if u == nil {
				u = &unit{tree: t, family: f.family}
				byFamily[f.family] = u
			}
			u.files = append(u.files, i)
			if f.changed() {
				u.changed = append(u.changed, i)
			}
		}
		for _, family := range slices.Sorted(maps.Keys(byFamily)) {
			all = append(all, byFamily[family])
		}
	}
	return all
}

// Bounds of what a change may concern before all is resolved again: files that changed, the names of what is declared anew or no more, and files that refer to them.
const (
	maxChanged   = 256
	maxNews      = 32
	maxConcerned = 100
)

// plan decides how much of a unit is resolved again.
func (b *builder) plan(u *unit) error {
	u.how, u.linked = wholly, u.files
	if u.tree.all || len(u.changed) > maxChanged || slices.ContainsFunc(u.tree.moved, func(m movedFile) bool { return b.concerns(u, m) }) {
		return nil
	}
	if len(u.changed) == 0 {
		u.how, u.linked = kept, nil
		return nil
	}
	concerned := map[int32]bool{}
	news, ok, err := b.news(u, concerned)
	if err != nil || !ok {
		return err
	}
	for _, i := range u.files {
		f := &b.files[i]
		if f.changed() || concerned[i] {
			continue
		}
		for _, n := range news {
			if bytes.Contains(f.lists[0], []byte(n)) {
				return nil
			}
			if bytes.Contains(f.lists[1], []byte(n)) {
				concerned[i] = true
			}
		}
	}
	if len(concerned) > max(maxConcerned, len(u.files)/16) {
		return nil
	}
	for _, i := range u.changed {
		concerned[i] = true
	}
	u.how, u.linked = partly, slices.Sorted(maps.Keys(concerned))
	return nil
}

// concerns reports whether a file that moved can change what the files of a unit mean: if it is of their family, or if they can import it by its name.
func (b *builder) concerns(u *unit, m movedFile) bool {
	if m.before == u.family || m.now == u.family {
		return true
	}
	stem, _, _ := strings.Cut(path.Base(m.path), ".")
	return b.ruleOf(u.family).Foreign && (stem == "" || stem == "index" || slices.ContainsFunc(u.tree.files, func(i int32) bool {
		f := &b.files[i]
		return f.family == u.family && (bytes.Contains(f.lists[0], []byte(stem)) || bytes.Contains(f.lists[1], []byte(stem))) ||
			slices.ContainsFunc(f.mappings, func(mapping record.Mapping) bool { return strings.Contains(mapping.Path, stem) })
	}))
}

// news are the names of what changed files declare anew, otherwise or no more. It adds the files with edges to that to those that are concerned. ok is false if there
// is more to it than functions, values and what these are of.
func (b *builder) news(u *unit, concerned map[int32]bool) (news []string, ok bool, err error) {
	n := newNames()
	implied := b.ruleOf(u.family).Implied != nil
	for _, i := range u.changed {
		f := &b.files[i]
		was, err := f.was.file(n, false)
		if err != nil {
			return nil, false, err
		}
		now, err := f.facts.file(n, false)
		if err != nil {
			return nil, false, err
		}
		if !was.shows(now) {
			return nil, false, nil
		}
		for _, s := range was.differences(now) {
			kind := record.Kinds[s.kind]
			if kind.IsType() || kind == record.Module || kind == record.Method && implied {
				return nil, false, nil
			}
			news = append(news, n.of(s.name))
			if !b.referring(f.old, n.of(s.qualified), concerned) {
				return nil, false, nil
			}
		}
		for _, t := range was.retyped(now) {
			told := n.of(t.name)
			if t.name == 0 {
				// The result of a function counts where the function is named.
				s := cmp.Or(now.find(n.of(t.symbol)), was.find(n.of(t.symbol)))
				if s == nil || !record.Kinds[s.kind].IsCallable() {
					return nil, false, nil
				}
				told = n.of(s.name)
			}
			if t.signature != "" && implied {
				return nil, false, nil
			}
			news = append(news, told)
		}
		if len(news) > maxChanged*maxNews {
			return nil, false, nil
		}
	}
	slices.Sort(news)
	news = slices.Compact(news)
	return news, len(news) <= maxNews, nil
}

// referring adds the other files that refer to a symbol in the graph before. It is false if they do so by what other files can see.
func (b *builder) referring(file uint32, qualified string, concerned map[int32]bool) bool {
	g := b.before
	n := g.nodeIn(file, qualified)
	if n == none {
		return true
	}
	for _, l := range g.in[g.inRow[n]:g.inRow[n+1]] {
		other := g.nodes[l.node].file
		if other == file || other == none || len(g.linesOf(l.site)) == 0 {
			continue
		}
		if seenByOthers(record.Relations[g.sites[l.site].relation]) {
			return false
		}
		concerned[b.numberOf[other]] = true
	}
	return true
}

// ruleOf is the row of the family, which is the zero value if there is none.
func (b *builder) ruleOf(family string) Rules {
	for _, r := range b.rules {
		if r.Languages[0] == family {
			return r
		}
	}
	return Rules{Languages: []string{family}}
}

// The families of a Tree that resolution tells apart: its own, and all others.
const (
	foreignFamily = iota
	ownFamily
)

// tree makes the tree in which the unit is resolved. Of other families it has no more than the files.
func (b *builder) makeTree(ctx context.Context, u *unit) (*Tree, error) {
	t := &Tree{name: u.tree.name, rules: []Rules{{}, b.ruleOf(u.family)}, byPath: make(map[string]*File, len(u.tree.files)), files: make([]*File, len(u.tree.files)), names: newNames()}
	whole := make(map[int32]bool, len(u.linked))
	for _, i := range u.linked {
		whole[i] = true
	}
	next := 0
	err := parallel.Map(ctx, max(b.opts.Jobs, 1), func() ([]int32, error) {
		if next == len(u.tree.files) {
			return nil, io.EOF
		}
		batch := u.tree.files[next:min(next+filesAtOnce, len(u.tree.files))]
		next += len(batch)
		return batch, nil
	}, func(_ context.Context, batch []int32) ([]*File, error) {
		files := make([]*File, len(batch))
		for k, i := range batch {
			s := &b.files[i]
			if s.family != u.family {
				if !t.rules[ownFamily].Foreign && len(s.mappings) == 0 {
					files[k] = &File{names: t.names, number: s.number, family: foreignFamily}
					continue
				}
				files[k] = &File{Path: s.path, Language: s.language, Package: s.pkg, Test: s.test, Mappings: s.mappings, names: t.names, number: s.number, family: foreignFamily}
				continue
			}
			f, err := s.facts.file(t.names, whole[i])
			if err != nil {
				return nil, err
			}
			f.number, f.family = s.number, ownFamily
			files[k] = f
		}
		return files, nil
	}, func(files []*File) error {
		for _, f := range files {
			if t.files[f.number] = f; f.Path != "" {
				t.byPath[f.Path] = f
			}
		}
		return nil
	})
	return t, err
}

// resolve resolves a unit and links each of its files, in their order and by several goroutines.
func (b *builder) resolve(ctx context.Context, u *unit, link func(*linker, *sourceFile) error) error {
	t, err := b.makeTree(ctx, u)
	if err != nil {
		return err
	}
	r, err := t.resolve(ctx, b.opts.Jobs)
	if err != nil {
		return err
	}
	r.implied = map[decl]*impliedLines{}
	if u.how == wholly {
		r.imply()
	} else {
		// No type has other methods than before.
		for _, i := range u.linked {
			b.takeImplied(r, &b.files[i])
		}
	}
	next := 0
	return parallel.Map(ctx, r.jobs, func() ([]int32, error) {
		if next == len(u.linked) {
			return nil, io.EOF
		}
		batch := u.linked[next:min(next+filesAtOnce, len(u.linked))]
		next += len(batch)
		return batch, nil
	}, func(_ context.Context, batch []int32) (int, error) {
		for _, i := range batch {
			s := &b.files[i]
			if err := link(r.linker(t.files[s.number]), s); err != nil {
				return 0, err
			}
		}
		return len(batch), nil
	}, func(done int) error {
		b.done += done
		if b.opts.Progress != nil {
			b.opts.Progress(b.done, b.total)
		}
		return nil
	})
}

// takeImplied lets a file keep its edges that follow from declarations.
func (b *builder) takeImplied(r *resolution, s *sourceFile) {
	g, f := b.before, r.files[s.number]
	old := &g.files[s.old]
	at, _ := slices.BinarySearchFunc(g.omissions, old.first, func(o omissionRow, n uint32) int { return cmp.Compare(o.node, n) })
	for n := old.first; n < old.end; n++ {
		symbol := b.symbolOf(f, g.strings.get(g.nodes[n].qualified))
		for _, l := range g.out[g.outRow[n]:g.outRow[n+1]] {
			if len(g.linesOf(l.site)) > 0 || symbol < 0 {
				continue
			}
			to := &b.files[b.numberOf[g.nodes[l.node].file]]
			target := place{to.number, b.symbolOf(r.files[to.number], g.strings.get(g.nodes[l.node].qualified)), ""}
			if target.symbol >= 0 {
				lines := r.impliedAt(decl{f.number, symbol})
				lines.edges = append(lines.edges, impliedEdge{record.Relations[g.sites[l.site].relation], target})
			}
		}
		for ; at < len(g.omissions) && g.omissions[at].node == n; at++ {
			if symbol >= 0 {
				lines, o := r.impliedAt(decl{f.number, symbol}), &g.omissions[at]
				lines.omissions = append(lines.omissions, o.omission())
			}
		}
	}
}

// symbolOf is the number of a symbol of the file, -1 if there is none.
func (b *builder) symbolOf(f *File, qualified string) int32 {
	i, ok := slices.BinarySearchFunc(f.symbols, qualified, func(s symbol, q string) int { return strings.Compare(f.names.of(s.qualified), q) })
	if !ok {
		return -1
	}
	return int32(i)
}
