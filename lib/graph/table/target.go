package table

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/graph/names"
	"cortex/lib/graph/paths"
	"cortex/lib/record"
)

// A target is the meaning of a query: one node, or all nodes of files.
type target struct {
	node uint32
	// files is set if the query names a file, folder or package. A folder that is no package has node None.
	files []uint32
}

func (t *target) isPath() bool { return t.files != nil }

// resolve sets *into to what the query names. If that is nothing or several nodes, the answer gets names to choose from.
func (q *question) resolve(query string, into **Symbol) (target, bool) {
	t, found := q.g.find(query, q.req.Operation)
	if len(found) > 1 && q.req.Match != nil {
		if within := slices.DeleteFunc(slices.Clone(found), func(n uint32) bool { return !q.req.Match(q.g.place(n)) }); len(within) > 0 {
			found = within
		}
	}
	a := q.answer
	var tests []uint32
	if len(found) > 1 {
		found = q.g.withoutDeclared(found)
	}
	if len(found) > 1 {
		// The node with the most references is the likeliest.
		q.g.sortByUses(found)
		if q.g.isLikeliest(found) {
			found = found[:1]
		} else if code := slices.DeleteFunc(slices.Clone(found), q.g.isTestCode); len(code) == 1 {
			// Test code makes no name ambiguous.
			found, tests = code, slices.DeleteFunc(found, func(n uint32) bool { return n == code[0] || !q.g.kind(n).IsType() && !q.g.kind(n).IsCallable() })
		}
	}
	switch {
	case t.files != nil:
		s := q.g.fileSymbol(t)
		*into = &s
		return t, true
	case len(found) == 1:
		s := q.g.symbol(found[0])
		*into = &s
		q.also(query, found[0], tests)
		a.Namespace = strings.TrimSuffix(q.g.title(found[0]), q.g.local(found[0]))
		return q.g.targetOf(found[0]), true
	case len(found) == 0:
		a.NotFound = query
		for _, n := range q.g.near(query) {
			s := q.g.symbol(n)
			s.Signature = ""
			a.Near = append(a.Near, s)
		}
		return target{}, false
	}
	a.Ambiguous, a.TotalFound = query, len(found)
	for _, n := range found[:min(len(found), maxNamed)] {
		s := q.g.symbol(n)
		s.Signature = ""
		a.Candidates = append(a.Candidates, s)
	}
	return target{}, false
}

// isTestCode reports whether a node is in test code.
func (g *Graph) isTestCode(n uint32) bool { return g.nodes[n].flags&flagTest != 0 }

// uses returns the number of nodes outside of tests that refer to a node, not counting imports and unsure edges.
func (g *Graph) uses(n uint32) int {
	count, last := 0, uint32(None)
	for _, l := range g.linksOf(n, false) {
		if s := &g.sites[l.Site]; l.Node != last && l.Node != n && g.nodes[l.Node].flags&flagTest == 0 && s.confidence >= DefaultMinConfidence*ShareUnit && record.Relations[s.relation] != record.Imports {
			count, last = count+1, l.Node
		}
	}
	return count
}

// mostUses returns the uses of the most used node, -1 if there are no nodes.
func (g *Graph) mostUses(nodes []uint32) int {
	most := -1
	for _, n := range nodes {
		most = max(most, g.uses(n))
	}
	return most
}

// sortByUses sorts nodes by uses, then test code last, then by incoming edges, then those outside of namespaces first.
func (g *Graph) sortByUses(nodes []uint32) {
	uses := make(map[uint32]int, len(nodes))
	for _, n := range nodes {
		uses[n] = g.uses(n)
	}
	slices.SortStableFunc(nodes, func(m, n uint32) int {
		return cmp.Or(cmp.Compare(uses[n], uses[m]), order(g.isTestCode(m))-order(g.isTestCode(n)), cmp.Compare(g.in.Count(n), g.in.Count(m)), order(g.isInNamespace(m))-order(g.isInNamespace(n)))
	})
}

// isLikeliest reports whether the first node, by uses, is the target. All must be equal in local. The first must have more
// uses than the second, or have uses if the answer can name the others, or alone be outside of namespaces.
func (g *Graph) isLikeliest(nodes []uint32) bool {
	first := nodes[0]
	name := g.local(first)
	if g.nodes[first].qualified == 0 || slices.ContainsFunc(nodes, func(n uint32) bool { return g.nodes[n].file == None || g.local(n) != name }) {
		return false
	}
	uses := g.uses(first)
	return uses > g.uses(nodes[1]) || uses > 0 && len(nodes)-1 <= maxAlso || !g.isInNamespace(first) && g.isInNamespace(nodes[1])
}

func (g *Graph) isInNamespace(n uint32) bool {
	return g.local(n) != g.strings.Get(g.nodes[n].qualified)
}

// local returns the qualified name of a node without its namespaces. A module with methods is no namespace.
func (g *Graph) local(n uint32) string {
	const deepest = 100 // owners in damaged tables may form a cycle
	outermost, qualified := n, g.strings.Get(g.nodes[n].qualified)
	for range deepest {
		owner := g.owner(outermost)
		switch {
		case owner == None || g.kind(owner) == PackageKind:
			return qualified
		case g.kind(owner) == record.Module && g.kind(outermost) == record.Method:
			return qualified
		case g.kind(owner) == record.Module:
			if rest, ok := strings.CutPrefix(qualified, g.strings.Get(g.nodes[owner].qualified)); ok {
				return strings.TrimLeft(rest, ".:#/\\")
			}
			return qualified
		}
		outermost = owner
	}
	return qualified
}

// also adds other nodes that the query may mean to a.Also, and the candidates in test code.
func (q *question) also(query string, found uint32, tests []uint32) {
	g, a := q.g, q.answer
	nodes := slices.DeleteFunc(append(g.namesakes(query, found), tests...), func(n uint32) bool { return q.req.Match != nil && !q.req.Match(g.place(n)) })
	g.sortByUses(nodes)
	a.AlsoFound += len(nodes)
	for _, n := range nodes[:min(len(nodes), maxAlso)] {
		s := g.symbol(n)
		s.Signature = ""
		a.Also = append(a.Also, s)
	}
}

// namesakes returns the other types and callables that the query may mean. If the parts before the name were taken for a
// package, folder or file, it includes symbols in types whose names contain the part before the name.
func (g *Graph) namesakes(query string, found uint32) []uint32 {
	row := &g.nodes[found]
	wanted, own := names.Parts(strings.TrimSuffix(query, "()"), true), names.Parts(g.title(found), true)
	if row.file == None || len(own) == 0 || len(wanted) == 0 || wanted[len(wanted)-1] != own[len(own)-1] || g.byID(query) != None || len(g.inFile(query, true)) > 0 {
		return nil
	}
	var nodes []uint32
	for _, n := range g.named[g.nameRow[row.name]:g.nameRow[row.name+1]] {
		if other := &g.nodes[n]; n == found || other.file == None || other.name != row.name || g.isTestCode(n) && !g.isTestCode(found) || !g.kind(n).IsType() && !g.kind(n).IsCallable() || other.owner == found {
			continue
		}
		all := names.Parts(g.title(n), true)
		if g.rank(n, wanted, true) == names.NoMatch && (len(own) >= len(wanted) || len(all) < 2 || !strings.Contains(all[len(all)-2], wanted[len(wanted)-2])) {
			continue
		}
		nodes = append(nodes, n)
	}
	return g.withoutForwards(g.withoutConstructors(nodes))
}

// targetOf returns the target of a node, with files set if the node is a file or package.
func (g *Graph) targetOf(n uint32) target {
	switch row := &g.nodes[n]; {
	case row.file != None && row.qualified == 0:
		return target{node: n, files: []uint32{row.file}}
	case g.kind(n) == PackageKind:
		return target{node: n, files: g.paths().Below(g.strings.Get(row.qualified))}
	}
	return target{node: n}
}

// fileSymbol returns the symbol of a target that is a file or folder.
func (g *Graph) fileSymbol(t target) Symbol {
	if t.node != None {
		return g.symbol(t.node)
	}
	all := make([]string, 0, len(t.files))
	for _, f := range t.files {
		all = append(all, g.strings.Get(g.files[f].path))
	}
	return Symbol{Symbol: names.CommonFolder(all), Kind: PackageKind}
}

// find returns a target if the query names files, or else the nodes that it may mean, in order. Callables come before
// modules for Callers and Callees, folders before callables for Dependencies and Dependents.
func (g *Graph) find(query string, op Operation) (target, []uint32) {
	query = strings.TrimPrefix(strings.TrimSpace(query), "…") // as answers show names
	calls, files := op == Callers || op == Callees, op == Dependencies || op == Dependents
	if n := g.byID(query); n != None {
		return target{}, []uint32{n}
	}
	if file, ok := g.paths().Find(query); ok {
		return target{node: g.files[file].first, files: []uint32{file}}, nil
	}
	if !strings.Contains(query, "/") {
		if found := g.byName(query, false, calls); len(found) > 0 {
			if !slices.ContainsFunc(found, func(n uint32) bool { return g.kind(n).IsType() || g.kind(n).IsCallable() && !files }) {
				// A folder may have the name of a namespace, as in C#, of a variable, or of a module outside of the tree.
				if t := g.folder(g.paths().Folder(query)); t.files != nil {
					return t, nil
				}
			}
			return target{}, found
		}
	}
	if t, files := g.byPath(query); t.files != nil || files != nil {
		return t, files
	}
	if found := g.byPlace(query); found != nil {
		return target{}, found
	}
	for _, fold := range []bool{false, true} {
		if found := g.inFile(query, fold); len(found) > 0 {
			return target{}, found
		}
	}
	for _, fold := range []bool{false, true} {
		if found := g.byName(query, fold, calls); len(found) > 0 {
			return target{}, found
		}
	}
	for _, fold := range []bool{false, true} {
		if found := g.inherited(query, fold); len(found) > 0 {
			return target{}, found
		}
	}
	if name, ok := facts.WithoutKeyword(query); ok {
		return g.find(name, op)
	}
	return target{}, nil
}

// inherited returns the inherited members that the query names: for each type named by all parts but the last, the members
// with the name of the last part in the nearest base types that have one.
func (g *Graph) inherited(query string, fold bool) []uint32 {
	wanted := names.Parts(strings.TrimSuffix(query, "()"), fold)
	if len(wanted) < 2 {
		return nil
	}
	name := wanted[len(wanted)-1]
	var found []uint32
	for _, owner := range g.byName(strings.Join(wanted[:len(wanted)-1], "."), fold, false) {
		seen := map[uint32]bool{owner: true}
		for level := []uint32{owner}; len(level) > 0 && len(seen) < maxHierarchy; {
			var above, members []uint32
			for _, t := range level {
				for _, l := range g.linksOf(t, true) {
					if s := &g.sites[l.Site]; inheritance.Has(s.relation) && float64(s.confidence) >= DefaultMinConfidence*ShareUnit && !seen[l.Node] {
						seen[l.Node] = true
						above = append(above, l.Node)
					}
				}
			}
			for _, t := range above {
				for _, n := range g.membersOf(t) {
					if own := g.name(n); own == name || fold && strings.EqualFold(own, name) {
						members = append(members, n)
					}
				}
			}
			if level = above; len(members) > 0 {
				found = append(found, members...)
				break
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// byID returns the node with the identifier PATH#NAME, None if there is none.
func (g *Graph) byID(id string) uint32 {
	for at := strings.IndexByte(id, '#'); at >= 0; {
		if file, ok := g.paths().Find(id[:at]); ok {
			if qualified := g.strings.Find(id[at+1:]); qualified != 0 {
				for n := g.files[file].first; n < g.files[file].end; n++ {
					if g.nodes[n].qualified == qualified {
						return n
					}
				}
			}
		}
		next := strings.IndexByte(id[at+1:], '#')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return None
}

// byPath finds a file or folder by its path or a unique end of it. If several files have that end, it returns their nodes.
func (g *Graph) byPath(query string) (target, []uint32) {
	found := g.match(query)
	switch {
	case found.IsFolder:
		return g.folder(found), nil
	case len(found.Files) == 1:
		return target{node: g.files[found.Files[0]].first, files: found.Files}, nil
	}
	var nodes []uint32
	for _, f := range found.Files {
		nodes = append(nodes, g.files[f].first)
	}
	return target{}, nodes
}

// match returns the files that a path means, see paths.List.Match.
func (g *Graph) match(query string) paths.Match {
	return g.paths().Match(query, func(name string) bool { return g.strings.Find(name) != 0 })
}

// folder returns the target for a folder; it has no files if the folder has none.
func (g *Graph) folder(found paths.Match) target {
	if len(found.Files) == 0 {
		return target{}
	}
	t := target{node: None, files: found.Files}
	// A folder that is a package has a node of its own.
	if n := g.packageNode(g.fileSymbol(t).Symbol); n != None && g.strings.Get(g.nodes[n].qualified) == found.Folder {
		t.node = n
	}
	return t
}

// packageNode returns the node of the package with the identifier, None if there is none.
func (g *Graph) packageNode(id string) uint32 {
	s := g.strings.Find(id)
	if s == 0 {
		return None
	}
	for _, n := range g.named[g.nameRow[s]:g.nameRow[s+1]] {
		if g.kind(n) == PackageKind {
			return n
		}
	}
	return None
}

// byPlace returns the innermost node at path:line, or at the first line of path:start-end, where the documentation
// comment of a symbol counts as part of the symbol. It returns several nodes if the path may mean several files.
func (g *Graph) byPlace(query string) []uint32 {
	place, line, ok := names.Place(query)
	if !ok {
		return nil
	}
	in := g.match(place)
	if in.IsFolder {
		return nil
	}
	var found []uint32
	for _, file := range in.Files {
		first, end := g.files[file].first, g.files[file].end
		best, span := first, uint32(None)
		look := func(d declarationRow) {
			if d.start <= line+d.doc && line <= d.end && d.end-d.start < span {
				best, span = d.node, d.end-d.start
			}
		}
		for n := first + 1; n < end; n++ {
			row := &g.nodes[n]
			look(declarationRow{n, row.start, row.end, uint32(row.doc)})
		}
		for _, d := range g.declarationsOf(first, end) {
			look(d)
		}
		found = append(found, best)
	}
	return found
}

// inFile returns the nodes for a query FILE:NAME or FILE#NAME, where FILE may be the end of a path: those whose qualified
// name is NAME, with or without namespaces, or else those whose qualified name ends with NAME.
func (g *Graph) inFile(query string, fold bool) []uint32 {
	at := strings.LastIndexAny(query, ":#")
	if at < 1 {
		return nil
	}
	wanted := names.Parts(strings.TrimSuffix(query[at+1:], "()"), fold)
	in := g.match(strings.TrimRight(query[:at], ":"))
	if len(wanted) == 0 || in.IsFolder {
		return nil
	}
	var found [names.Ranks][]uint32
	for _, file := range in.Files {
		for n := g.files[file].first + 1; n < g.files[file].end; n++ {
			if rank := g.rank(n, wanted, fold); rank != names.NoMatch {
				found[rank] = append(found[rank], n)
			}
		}
	}
	if named := slices.Concat(found[names.Whole], found[names.InNamespace]); len(named) > 0 {
		return named
	}
	return found[names.End]
}

// byName returns the nodes of the best rank that a name can have, in order; those of the next rank too if they are all test
// code. A match without namespace is as good as a full one, or no better than a partial one with more uses. Nodes outside
// of the tree are the last choice. If calls is set, modules and packages give way to callables.
func (g *Graph) byName(query string, fold, calls bool) []uint32 {
	wanted := names.Parts(strings.TrimSuffix(query, "()"), fold)
	if len(wanted) == 0 {
		return nil
	}
	var found [names.Ranks][]uint32
	var outside []uint32 // nodes outside of the tree
	visit := func(n uint32) {
		switch rank := g.rank(n, wanted, fold); {
		case rank != names.NoMatch && g.kind(n) == ExternalKind:
			outside = append(outside, n)
		case rank != names.NoMatch:
			found[rank] = append(found[rank], n)
		}
	}
	rows := func(s uint32) {
		if s == 0 {
			return
		}
		for _, n := range g.named[g.nameRow[s]:g.nameRow[s+1]] {
			visit(n)
		}
	}
	if last := wanted[len(wanted)-1]; !fold {
		rows(g.strings.Find(query))
		rows(g.strings.Find(last))
	} else {
		for s := 1; s < g.strings.Len(); s++ {
			if g.nameRow[s] < g.nameRow[s+1] && len(g.strings.Get(uint32(s))) == len(last) && strings.EqualFold(g.strings.Get(uint32(s)), last) {
				rows(uint32(s))
			}
		}
	}
	if calls && slices.ContainsFunc(slices.Concat(found[:]...), func(n uint32) bool { return g.kind(n).IsCallable() }) {
		for i := range found {
			found[i] = slices.DeleteFunc(found[i], func(n uint32) bool { return g.kind(n) == record.Module || g.kind(n) == PackageKind })
		}
	}
	switch {
	case len(found[names.Whole]) > 0:
		found[names.Whole] = append(found[names.Whole], found[names.InNamespace]...)
		found[names.InNamespace] = nil
	case g.mostUses(found[names.InNamespace]) < g.mostUses(g.withoutConstructors(slices.Concat(found[names.InNamespace], found[names.End]))):
		// Such a match does not hide a partial match with more uses.
		found[names.End] = append(found[names.End], found[names.InNamespace]...)
		found[names.InNamespace] = nil
	}
	var tests []uint32
	for _, list := range found {
		if list = slices.Concat(tests, list); len(list) == 0 {
			continue
		}
		slices.Sort(list)
		list = g.withoutForwards(g.withoutConstructors(slices.Compact(list)))
		if slices.ContainsFunc(list, func(n uint32) bool { return !g.isTestCode(n) }) {
			return list
		}
		tests = list // matches in test code do not hide worse matches elsewhere
	}
	if len(tests) == 0 {
		slices.Sort(outside)
		return slices.Compact(outside)
	}
	return tests
}

// withoutConstructors removes constructors that have the names of their classes, if the classes are among the nodes.
func (g *Graph) withoutConstructors(nodes []uint32) []uint32 {
	all := slices.Clone(nodes)
	return slices.DeleteFunc(nodes, func(n uint32) bool {
		owner := g.owner(n)
		return owner != None && g.nodes[owner].name == g.nodes[n].name && g.kind(n).IsCallable() && g.kind(owner).IsType() && slices.Contains(all, owner)
	})
}

// withoutForwards removes typedefs of C that only give a struct its own name, if there are other types among the nodes.
func (g *Graph) withoutForwards(nodes []uint32) []uint32 {
	isForward := func(n uint32) bool { return facts.IsForward(g.strings.Get(g.nodes[n].signature), g.name(n)) }
	if !slices.ContainsFunc(nodes, func(n uint32) bool { return g.kind(n).IsType() && !isForward(n) }) {
		return nodes
	}
	return slices.DeleteFunc(nodes, isForward)
}

// rank returns how well the wanted parts match a node. A package, or a node outside of the tree, must match in full.
func (g *Graph) rank(n uint32, wanted []string, fold bool) names.Rank {
	row := &g.nodes[n]
	own := names.Parts(g.strings.Get(row.qualified), fold)
	switch {
	case row.file == None && slices.Equal(own, wanted):
		return names.Whole
	case row.file == None || len(own) == 0 || own[len(own)-1] != wanted[len(wanted)-1]:
		return names.NoMatch
	}
	f := &g.files[row.file]
	return names.Match(wanted, own, names.Parts(g.local(n), fold), g.strings.Get(f.pkg), g.strings.Get(f.path), fold)
}

// maxNear is the most nodes with similar names that an answer lists.
const maxNear = 5

// near returns nodes with names similar to the last part of the query, or of a path to the file's name, best first. Members
// of the type that precedes the last part, or of one with a similar name, come before others.
func (g *Graph) near(query string) []uint32 {
	if strings.Contains(query, "/") {
		file, name, _ := strings.Cut(names.PathBase(query), ":")
		if members := g.nearMembers(name); len(members) > 0 {
			return members
		}
		file = strings.ToLower(file)
		if found := g.nearTo(file); len(found) > 0 {
			return found
		}
	}
	query = strings.ReplaceAll(strings.TrimSuffix(query, "()"), "->", ".")
	found := g.nearTo(names.LastPart(strings.ToLower(query)))
	if members := g.nearMembers(query[strings.LastIndexByte(query, '/')+1:]); len(members) > 0 {
		members = append(members, slices.DeleteFunc(found, func(n uint32) bool { return slices.Contains(members, n) })...)
		found = members[:min(len(members), maxNear)]
	}
	return found
}

// nearMembers returns members whose names are similar to the last part of a name, of the types with the name before it. If
// there are no such types, the types are those with a similar name.
func (g *Graph) nearMembers(name string) []uint32 {
	parts := names.Parts(name, true)
	if len(parts) < 2 {
		return nil
	}
	wanted, ok := names.NewNear(parts[len(parts)-1])
	if !ok {
		return nil
	}
	before := parts[:len(parts)-1]
	types := g.byName(strings.Join(before, "."), true, false)
	if len(types) == 0 {
		types = g.nearTo(before[len(before)-1])
	}
	for _, t := range types {
		if g.nodes[t].file == None || g.nodes[t].qualified == 0 {
			continue
		}
		for _, n := range g.membersOf(t) {
			if distance, ok := wanted.Distance(g.name(n)); ok {
				wanted.Keep(n, g.name(n), distance)
			}
		}
	}
	return wanted.Best(maxNear)
}

// nearTo returns nodes whose names contain last, which is in lower case, or are within a small edit distance.
func (g *Graph) nearTo(last string) []uint32 {
	wanted, ok := names.NewNear(last)
	if !ok {
		return nil
	}
	for s := uint32(1); s < uint32(g.strings.Len()); s++ {
		nodes, name := g.named[g.nameRow[s]:g.nameRow[s+1]], g.strings.Get(s)
		if len(nodes) == 0 {
			continue
		}
		if distance, ok := wanted.Distance(name); ok {
			if i := slices.IndexFunc(nodes, func(n uint32) bool { return g.nodes[n].file != None && g.nodes[n].name == s }); i >= 0 {
				wanted.Keep(nodes[i], name, distance)
			}
		}
	}
	return wanted.Best(maxNear)
}

// withoutDeclared removes methods that a header of Objective-C declares and another file defines: both are one thing.
func (g *Graph) withoutDeclared(found []uint32) []uint32 {
	defined := map[string]bool{}
	for _, n := range found {
		if g.kind(n).IsCallable() && !strings.HasSuffix(g.path(n), ".h") {
			defined[g.symbol(n).Symbol] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(found), func(n uint32) bool {
		return g.language(n) == "objectivec" && strings.HasSuffix(g.path(n), ".h") && defined[g.symbol(n).Symbol]
	})
}
