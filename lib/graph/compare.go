package graph

import (
	"slices"
)

// shows reports whether other files see the same in f as in g but for the symbols and typings: all that resolution looks at without the lines and without
// what is written within the code.
func (f *File) shows(g *File) bool {
	if f.Language != g.Language || f.Package != g.Package || f.Test != g.Test || !slices.Equal(f.Mappings, g.Mappings) {
		return false
	}
	return slices.EqualFunc(f.references, g.references, reference.says)
}

// says reports whether two references differ in no more than lines.
func (r reference) says(other reference) bool {
	return r.relation == other.relation && r.symbol == other.symbol && r.name == other.name && r.receiver == other.receiver && r.module == other.module && r.alias == other.alias
}

// shifted are the lines of references in facts, and where these are in others, if both differ in nothing but lines; nil if they differ in more.
// What names mean does not depend on lines.
func shifted(was, now Facts) map[uint32]uint32 {
	names := newNames()
	f, err := was.file(names, true)
	g, errNow := now.file(names, true)
	if err != nil || errNow != nil || !f.shows(g) {
		return nil
	}
	same := slices.EqualFunc(f.symbols, g.symbols, func(a, b symbol) bool {
		a.start, a.end = b.start, b.end
		return a == b
	})
	if !same || len(f.retyped(g)) > 0 {
		return nil
	}
	before, err := f.all()
	after, errNow := g.all()
	if err != nil || errNow != nil || len(before) != len(after) {
		return nil
	}
	lines := map[uint32]uint32{}
	for i := range before {
		a, b := &before[i], &after[i]
		if !a.says(*b) || len(a.lines) != len(b.lines) {
			return nil
		}
		for k, line := range a.lines {
			now := uint32(b.lines[k])
			if known, ok := lines[uint32(line)]; ok && known != now {
				return nil
			}
			lines[uint32(line)] = now
		}
	}
	return lines
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
