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

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/graph/resolve"
	"cortex/lib/graph/table"
	"cortex/lib/parallel"
	"cortex/lib/record"
)

// Build makes the graph of all files. The tables depend only on the facts of the files: the previous graph before, which
// may be nil, only saves resolving files that a change does not affect. The sources must not change during the call.
func Build(ctx context.Context, sources []Source, before *table.Graph, opts Options) (*table.Graph, error) {
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

// assemble makes the tables from the new edges of linked files and, for all other files, from the previous graph.
func (b *builder) assemble(ctx context.Context) (*table.Graph, error) {
	files := make([]*table.SourceFile, len(b.files))
	for i := range b.files {
		files[i] = &b.files[i].SourceFile
	}
	return table.Assemble(ctx, b.before, files, b.outside, b.opts.anew)
}

func newBuilder(ctx context.Context, sources []Source, before *table.Graph, opts Options) (*builder, error) {
	b := &builder{opts: opts, rules: opts.rules, before: before, outside: edge.NewOutsiders()}
	if b.rules == nil {
		b.rules = language.All()
	}
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
	b.files = make([]treeFile, 0, len(sources))
	for i := range sources {
		s := &sources[i]
		if len(s.Facts) == 0 {
			if was, ok := s.Was.Header(); ok {
				treeOf(s.Tree).move(b, &was, nil)
			}
			continue
		}
		h, ok := s.Facts.Header()
		if !ok {
			return nil, facts.ErrFacts
		}
		f := treeFile{SourceFile: table.SourceFile{Header: h, Tree: s.Tree, TreePath: record.TreePath(s.Tree, h.Path), Old: table.None}, facts: s.Facts}
		f.family = b.familyOf(h.Language)
		if before != nil && len(s.Was) > 0 && !same(s.Was, s.Facts) {
			f.was, f.Renewed, f.Shifted = s.Was, true, facts.Shifted(s.Was, s.Facts)
		}
		b.files = append(b.files, f)
	}
	b.sort()
	if before != nil {
		b.numberOf = make([]int32, before.FileCount())
		for i := range b.numberOf {
			b.numberOf[i] = -1
		}
	}
	at := 0
	for i := range b.files {
		f := &b.files[i]
		t := treeOf(f.Tree)
		f.number = int32(len(t.files))
		t.files = append(t.files, int32(i))
		if before == nil {
			t.all = true
			continue
		}
		for at < before.FileCount() && before.PathOf(at) < f.TreePath {
			at++
		}
		if at < before.FileCount() && before.PathOf(at) == f.TreePath {
			f.Old = uint32(at)
			b.numberOf[at] = int32(i)
			at++
		}
		if f.Old == table.None {
			t.move(b, nil, &f.Header)
		} else if was, ok := f.was.Header(); ok && !f.LooksAs(&was) {
			t.move(b, &was, &f.Header)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		b.trees = append(b.trees, trees[name])
	}
	return b, ctx.Err()
}

// sort sorts the files by tree path and removes duplicates.
func (b *builder) sort() {
	type pathAt struct {
		path string
		at   int
	}
	places := make([]pathAt, len(b.files))
	for i := range b.files {
		places[i] = pathAt{b.files[i].TreePath, i}
	}
	slices.SortFunc(places, func(a, b pathAt) int { return strings.Compare(a.path, b.path) })
	places = slices.CompactFunc(places, func(a, b pathAt) bool { return a.path == b.path })
	files := make([]treeFile, len(places))
	for i, p := range places {
		files[i] = b.files[p.at]
	}
	b.files = files
}

// same reports whether a and b are equal bytes.
func same(a, b facts.Facts) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || bytes.Equal(a, b))
}

// units returns the units of all trees, sorted by tree and family.
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

// Bounds of an incremental run. If a change exceeds one of them, the whole unit is resolved again.
const (
	maxChanged   = 256 // changed files
	maxNews      = 32  // names whose declarations were added, changed or removed
	maxConcerned = 100 // unchanged files that use these names; in a large unit, a sixteenth of its files if that is more
)

// plan sets u.how and u.linked: how much of the unit is resolved again, and which files.
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
			if bytes.Contains(f.Lists[0], []byte(n)) {
				return nil
			}
			if bytes.Contains(f.Lists[1], []byte(n)) {
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

// concerns reports whether the moved file m can change how names in the files of u are resolved: if m belongs to their
// family, or if they can import m by its name.
func (b *builder) concerns(u *unit, m movedFile) bool {
	if m.before == u.family || m.now == u.family {
		return true
	}
	stem, _, _ := strings.Cut(path.Base(m.path), ".")
	return b.ruleOf(u.family).Foreign && (stem == "" || stem == "index" || slices.ContainsFunc(u.tree.files, func(i int32) bool {
		f := &b.files[i]
		return f.family == u.family && (bytes.Contains(f.Lists[0], []byte(stem)) || bytes.Contains(f.Lists[1], []byte(stem))) ||
			slices.ContainsFunc(f.Mappings, func(mapping record.Mapping) bool { return strings.Contains(mapping.Path, stem) })
	}))
}

// news returns the names of declarations that the changed files of u added, changed or removed. It adds the other files
// that have edges to these declarations to concerned. ok is false if the whole unit must be resolved: if the change
// concerns more than functions, values and their types, or too many names.
func (b *builder) news(u *unit, concerned map[int32]bool) (news []string, ok bool, err error) {
	n := facts.NewNames()
	implied := b.ruleOf(u.family).Implied != nil
	for _, i := range u.changed {
		f := &b.files[i]
		was, err := f.was.Read(n, false)
		if err != nil {
			return nil, false, err
		}
		now, err := f.facts.Read(n, false)
		if err != nil {
			return nil, false, err
		}
		if !was.Shows(now) {
			return nil, false, nil
		}
		for _, s := range was.Differences(now) {
			kind := record.Kinds[s.Kind]
			if kind.IsType() || kind == record.Module || kind == record.Method && implied {
				return nil, false, nil
			}
			news = append(news, n.Of(s.Name))
			if !b.referring(f.Old, n.Of(s.Qualified), concerned) {
				return nil, false, nil
			}
		}
		for _, t := range was.Retyped(now) {
			told := n.Of(t.Name)
			if told == record.Base {
				return nil, false, nil
			}
			if t.Name == 0 || told == record.Extended {
				// The typing is the result of a function, or what it extends: it matters wherever the function is named.
				s := cmp.Or(now.Find(n.Of(t.Symbol)), was.Find(n.Of(t.Symbol)))
				if s == nil || !record.Kinds[s.Kind].IsCallable() {
					return nil, false, nil
				}
				told = n.Of(s.Name)
			}
			if t.Signature != "" && implied {
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

// referring adds the other files that refer to a symbol in the previous graph to concerned. It reports false if one of
// these references is visible to further files (facts.SeenByOthers).
func (b *builder) referring(file uint32, qualified string, concerned map[int32]bool) bool {
	return b.before.Referring(file, qualified, func(other uint32, relation record.Relation) bool {
		concerned[b.numberOf[other]] = true
		return !facts.SeenByOthers(relation)
	})
}

// ruleOf returns the rules of the family; if the table has none, rules with only the family's name.
func (b *builder) ruleOf(family string) language.Rules {
	for _, r := range b.rules {
		if r.Languages[0] == family {
			return r
		}
	}
	return language.Rules{Languages: []string{family}}
}

// makeTree makes the tree in which u is resolved. Files of other families have at most their headers there.
func (b *builder) makeTree(ctx context.Context, u *unit, rules *language.Rules) (*facts.Tree, error) {
	t := &facts.Tree{Name: u.tree.name, ByPath: make(map[string]*facts.File, len(u.tree.files)), Files: make([]*facts.File, len(u.tree.files)), Names: facts.NewNames()}
	whole := make(map[int32]bool, len(u.linked))
	for _, i := range u.linked {
		whole[i] = true
	}
	next := 0
	err := parallel.Map(ctx, max(b.opts.Jobs, 1), func() ([]int32, error) {
		if next == len(u.tree.files) {
			return nil, io.EOF
		}
		batch := u.tree.files[next:min(next+resolve.FilesAtOnce, len(u.tree.files))]
		next += len(batch)
		return batch, nil
	}, func(_ context.Context, batch []int32) ([]*facts.File, error) {
		files := make([]*facts.File, len(batch))
		for k, i := range batch {
			s := &b.files[i]
			if s.family != u.family {
				if !rules.Foreign && len(s.Mappings) == 0 {
					files[k] = &facts.File{Names: t.Names, Number: s.number, Family: resolve.ForeignFamily}
					continue
				}
				files[k] = &facts.File{Path: s.Path, Language: s.Language, Package: s.Pkg, Test: s.Test, Mappings: s.Mappings, Names: t.Names, Number: s.number, Family: resolve.ForeignFamily}
				continue
			}
			f, err := s.facts.Read(t.Names, whole[i])
			if err != nil {
				return nil, err
			}
			f.Number, f.Family = s.number, resolve.OwnFamily
			files[k] = f
		}
		return files, nil
	}, func(files []*facts.File) error {
		for _, f := range files {
			if t.Files[f.Number] = f; f.Path != "" {
				t.ByPath[f.Path] = f
			}
		}
		return nil
	})
	return t, err
}

// resolve resolves a unit and calls link for each file of u.linked, from several goroutines.
func (b *builder) resolve(ctx context.Context, u *unit, link func(*resolve.Linker, *treeFile) error) error {
	rules := []language.Rules{resolve.ForeignFamily: {}, resolve.OwnFamily: b.ruleOf(u.family)}
	t, err := b.makeTree(ctx, u, &rules[resolve.OwnFamily])
	if err != nil {
		return err
	}
	r, err := resolve.Resolve(ctx, t, rules, b.opts.Jobs)
	if err != nil {
		return err
	}
	if u.how == wholly {
		r.Imply()
	} else {
		// news allows a partial run only if the methods of all types are unchanged.
		for _, i := range u.linked {
			b.takeImplied(r, &b.files[i])
		}
	}
	next := 0
	return parallel.Map(ctx, r.Jobs, func() ([]int32, error) {
		if next == len(u.linked) {
			return nil, io.EOF
		}
		batch := u.linked[next:min(next+resolve.FilesAtOnce, len(u.linked))]
		next += len(batch)
		return batch, nil
	}, func(_ context.Context, batch []int32) (int, error) {
		for _, i := range batch {
			s := &b.files[i]
			if err := link(r.Linker(t.Files[s.number]), s); err != nil {
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

// takeImplied copies the implied edges and omissions of a file from the previous graph.
func (b *builder) takeImplied(r *resolve.Resolution, s *treeFile) {
	f := r.Files[s.number]
	b.before.Implied(s.Old, func(from string, relation record.Relation, file uint32, name string) {
		symbol := b.symbolOf(f, from)
		if symbol < 0 {
			return
		}
		to := &b.files[b.numberOf[file]]
		target := edge.Place{File: to.number, Symbol: b.symbolOf(r.Files[to.number], name), Folder: ""}
		if target.Symbol >= 0 {
			lines := r.ImpliedAt(facts.Decl{File: f.Number, Symbol: symbol})
			lines.Edges = append(lines.Edges, resolve.ImpliedEdge{Relation: relation, To: target})
		}
	}, func(of string, o edge.Omission) {
		if symbol := b.symbolOf(f, of); symbol >= 0 {
			lines := r.ImpliedAt(facts.Decl{File: f.Number, Symbol: symbol})
			lines.Omissions = append(lines.Omissions, o)
		}
	})
}

// symbolOf returns the position of a symbol in f.Symbols, -1 if the file has none of that name.
func (b *builder) symbolOf(f *facts.File, qualified string) int32 {
	i, ok := slices.BinarySearchFunc(f.Symbols, qualified, func(s facts.Symbol, q string) int { return strings.Compare(f.Names.Of(s.Qualified), q) })
	if !ok {
		return -1
	}
	return int32(i)
}
