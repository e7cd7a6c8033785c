package resolve

import (
	"slices"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// imported returns the meaning of the name last if receiver is, or begins with, the dotted name of an import.
func (q *nameResolver) imported(last, receiver string) (meaning, edge.By) {
	m, rest := q.dotted(receiver + "." + last)
	if rest != "" || m.sort == unknown {
		return meaning{}, ""
	}
	return m, edge.ByImport
}

// dotted returns the meaning of the longest beginning of path that is an imported name of several parts, and the rest.
func (q *nameResolver) dotted(path string) (meaning, string) {
	known := &q.imports[q.File.Number]
	end := len(path)
	if i := strings.IndexAny(path, "(["); i >= 0 {
		end = i
	}
	for ; end > 0; end = strings.LastIndexByte(path[:end], '.') {
		if strings.IndexByte(path[:end], '.') < 0 {
			break
		}
		if n, ok := q.Names.Find(path[:end]); ok {
			for _, target := range known.local[n] {
				if m := q.follow(target); m.sort != unknown {
					return m, path[end:]
				}
			}
		}
	}
	return meaning{}, ""
}

// absolute resolves a path with Rules.Absolute, for paths whose first name is not declared. It returns the meaning and the
// rest of the path.
func (q *nameResolver) absolute(path string) (meaning, string) {
	rules := &q.rules[q.File.Family]
	if rules.Absolute == nil {
		return meaning{}, ""
	}
	whole, rest := path, ""
	if i := strings.IndexAny(path, "(["); i >= 0 {
		whole, rest = path[:i], path[i:]
	}
	parts := strings.Split(whole, ".")
	found, n := rules.Absolute(q.Tree, q.File, parts)
	if n <= 0 || n > len(parts) {
		return meaning{}, ""
	}
	target, ok := q.lookedUp(found)
	if !ok {
		return meaning{}, ""
	}
	m := q.follow(target)
	if n < len(parts) {
		rest = "." + strings.Join(parts[n:], ".") + rest
	}
	return m, rest
}

// outwards returns the meaning of the start of a path that begins with Rules.Outer, in a module that is part of a file, and
// the rest of the path.
func (q *nameResolver) outwards(scope facts.Name, path string) (meaning, string) {
	outer := q.rules[q.File.Family].Outer
	rest, ok := behindOuter(path, outer)
	if !ok {
		return meaning{}, ""
	}
	for s := scope; s != 0; s = q.outer(s) {
		e := q.entryOf(q.File.Space, s)
		if e == noEntry || q.entries[e].sorts&moduleSorts == 0 {
			continue
		}
		parent, further := q.entries[e].parent, record.Owner(outer)+rest
		_, again := behindOuter(further, outer)
		switch {
		case parent == 0 && again:
			return q.absolute(further)
		case parent == 0:
			return meaning{sort: module, space: q.File.Space, file: q.File.Number}, rest
		case again:
			return q.outwards(parent, further)
		}
		return meaning{sort: module, space: q.File.Space, file: q.File.Number, prefix: parent}, rest
	}
	return meaning{}, ""
}

// behindOuter returns what follows Rules.Outer in a path; ok is false if the path does not begin with it.
func behindOuter(path, outer string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, outer)
	return rest, ok && outer != "" && (rest == "" || rest[0] == '.')
}

// lookedUp does the same as target without adding names; ok is false if the tree lacks the package or a part of the name.
func (q *nameResolver) lookedUp(m language.Import) (t *importTarget, ok bool) {
	path := m.Name
	m.Name = ""
	t = q.target(q.File, m)
	if path == "" {
		return t, !t.missing
	}
	if t.outside != "" {
		t.outside = shorten.Characters(t.outside+"."+path, maxExternal)
		return t, true
	}
	if whole, known := q.Names.Find(path); known && t.keyed && q.lookup(t.space, 0, whole) != noEntry {
		t.path = []facts.Name{whole}
		return t, true
	}
	for part := range strings.SplitSeq(path, ".") {
		n, known := q.Names.Find(part)
		if !known {
			return t, false
		}
		t.path = append(t.path, n)
	}
	t.rest = path
	return t, !t.missing
}

// follow returns the meaning of an import.
func (q *nameResolver) follow(t *importTarget) meaning {
	if t.outside != "" {
		return meaning{sort: outside, external: t.outside}
	}
	if q.depth >= maxDepth {
		return meaning{}
	}
	if q.depth == 0 {
		q.visited = q.visited[:0]
	}
	q.depth++
	defer func() { q.depth-- }()
	for _, m := range t.modules {
		for _, part := range t.path {
			if m, _ = q.member(m, part); m.sort == unknown {
				break
			}
		}
		if m.sort != unknown {
			return m
		}
	}
	switch {
	case t.keyed && len(t.path) > 1:
		return q.qualifiedIn(t.space, t.rest)
	case t.keyed && len(t.path) == 1:
		return q.extending(t.space, t.path[0])
	}
	return meaning{}
}

// qualifiedIn returns the meaning of a path in a package, if it begins with a qualified name of several parts, such as that
// of a namespace.
func (q *nameResolver) qualifiedIn(space int32, path string) meaning {
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '.') {
		n, known := q.Names.Find(path[:end])
		if !known {
			continue
		}
		e := q.entryOf(space, n)
		if e == noEntry {
			continue
		}
		m := meaning{sort: thing, entry: e}
		for rest := strings.TrimPrefix(path[end:], "."); rest != "" && m.sort != unknown; {
			var part string
			part, rest, _ = strings.Cut(rest, ".")
			m = q.memberText(m, part)
		}
		if m.sort != unknown {
			return m
		}
	}
	return meaning{}
}

// inModule returns the meaning of a name in a module: a declaration, a value, or an import of the module.
func (q *nameResolver) inModule(m meaning, n facts.Name) (meaning, edge.By) {
	if e := q.lookup(m.space, m.prefix, n); e != noEntry {
		// "mod x;" declares a module in another file: follow its import instead.
		elsewhere := m.file >= 0 && m.prefix == 0 && q.entries[e].sorts == moduleSorts && len(q.imports[m.file].local[n]) > 0
		if !elsewhere && (m.file < 0 || q.declaredIn(e, m.file)) {
			if found := q.assigned(m, e, n); found.sort != unknown {
				return found, edge.ByImport
			}
			by := edge.ByImport
			if m.prefix != 0 {
				by = edge.ByReceiver
			}
			return meaning{sort: thing, entry: e, only: m.file + 1}, by
		}
	}
	if v := q.variable(entryKey{m.space, m.prefix, n}, m.file); v.sort != unknown {
		return v, edge.ByImport
	}
	if m.file < 0 || m.prefix != 0 || q.depth >= maxDepth {
		return meaning{}, ""
	}
	// Search the imports of the module. They may form cycles, which visited ends.
	if q.depth == 0 {
		q.visited = q.visited[:0]
	}
	now := visit{m.file, n}
	if q.asked == maxAsked || len(q.visited) == maxVisits || slices.Contains(q.visited, now) {
		return meaning{}, ""
	}
	q.asked++
	q.visited = append(q.visited, now)
	q.depth++
	defer func() { q.depth-- }()
	known := &q.imports[m.file]
	for _, target := range known.local[n] {
		if found := q.follow(target); found.sort != unknown {
			return found, edge.ByImport
		}
	}
	other := q.Files[m.file]
	if submodule := q.rules[other.Family].Submodule; submodule != nil {
		if f := submodule(q.Tree, other, q.Names.Of(n)); f != nil {
			return meaning{sort: module, space: f.Space, file: f.Number}, edge.ByImport
		}
	}
	for _, target := range known.all {
		if target.outside != "" {
			continue
		}
		if inner := q.follow(target); inner.sort != unknown {
			if found, by := q.member(inner, n); found.sort != unknown {
				return found, by
			}
		}
	}
	return meaning{}, ""
}

func (q *nameResolver) declaredIn(e, file int32) bool {
	for _, d := range q.entries[e].decls {
		if d.File == file {
			return true
		}
	}
	return false
}

// assigned returns what the import of a module means that assigns it to its own name n, as module.exports.default = f does;
// unknown if the entry of the name is more than a value.
func (q *nameResolver) assigned(m meaning, e int32, n facts.Name) meaning {
	if m.file < 0 || m.prefix != 0 || q.entries[e].sorts != dataSorts || q.depth >= maxDepth {
		return meaning{}
	}
	q.depth++
	defer func() { q.depth-- }()
	for _, target := range q.imports[m.file].local[n] {
		if found := q.follow(target); found.sort != unknown {
			return found
		}
	}
	return meaning{}
}

// besideDefault returns the name n of the module whose default export (Rules.Default) is m: after module.exports = f;
// module.exports.g = ..., importers write f.g.
func (q *nameResolver) besideDefault(m meaning, n facts.Name) (meaning, edge.By) {
	e := &q.entries[m.entry]
	name, known := q.Names.Find(q.rules[q.File.Family].Default)
	if !known || e.parent != 0 || q.depth >= maxDepth {
		return meaning{}, ""
	}
	file := e.decls[0].File
	if e.qualified == name {
		return q.inModule(meaning{sort: module, space: e.space, file: file}, n)
	}
	for _, target := range q.imports[file].local[name] {
		if whole := q.follow(target); whole.sort == thing && whole.entry == m.entry {
			return q.inModule(meaning{sort: module, space: e.space, file: file}, n)
		}
	}
	return meaning{}, ""
}
