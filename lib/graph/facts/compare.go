package facts

import (
	"slices"
)

// Shows reports whether f and g look equal to other files, apart from symbols and typings: same language, package, test
// flag, mappings and visible references. Lines, and references that no other file can see, do not count.
func (f *File) Shows(g *File) bool {
	if f.Language != g.Language || f.Package != g.Package || f.Test != g.Test || !slices.Equal(f.Mappings, g.Mappings) {
		return false
	}
	return slices.EqualFunc(f.References, g.References, Reference.says)
}

// Shifted returns the new line of each line on which a reference stands, if was and now differ only in lines; nil if
// they differ in more, or are damaged. Names resolve the same whatever their lines are.
func Shifted(was, now Facts) map[uint32]uint32 {
	names := NewNames()
	f, err := was.Read(names, true)
	g, errNow := now.Read(names, true)
	if err != nil || errNow != nil || !f.Shows(g) {
		return nil
	}
	same := slices.EqualFunc(f.Symbols, g.Symbols, func(a, b Symbol) bool {
		a.Start, a.End, a.Doc = b.Start, b.End, b.Doc
		return a == b
	})
	if !same || len(f.Retyped(g)) > 0 {
		return nil
	}
	before, err := f.All()
	after, errNow := g.All()
	if err != nil || errNow != nil || len(before) != len(after) {
		return nil
	}
	lines := map[uint32]uint32{}
	for i := range before {
		a, b := &before[i], &after[i]
		if !a.says(*b) || len(a.Lines) != len(b.Lines) {
			return nil
		}
		for k, line := range a.Lines {
			now := uint32(b.Lines[k])
			if known, ok := lines[uint32(line)]; ok && known != now {
				return nil
			}
			lines[uint32(line)] = now
		}
	}
	return lines
}

// Retyped returns all typings, of f and of g, of each symbol and name whose typings differ in more than their lines.
func (f *File) Retyped(g *File) (different []typing) {
	a, b := f.Typings, g.Typings
	of := func(t *typing) [2]Name { return [2]Name{t.Symbol, t.Name} }
	run := func(list []typing) int {
		n := 1
		for n < len(list) && of(&list[n]) == of(&list[0]) {
			n++
		}
		return n
	}
	rest := make(map[[2]Name][]typing, len(b))
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

// Differences returns the symbols that only one of f and g has, and both versions of those that differ in more than lines.
func (f *File) Differences(g *File) (different []Symbol) {
	of := make(map[Name]Symbol, len(f.Symbols))
	for _, s := range f.Symbols {
		of[s.Qualified] = s
	}
	for _, now := range g.Symbols {
		was, known := of[now.Qualified]
		if known {
			delete(of, now.Qualified)
			was.Start, was.End, was.Doc = now.Start, now.End, now.Doc
			if was == now {
				continue
			}
			different = append(different, was)
		}
		different = append(different, now)
	}
	for _, s := range f.Symbols {
		if _, left := of[s.Qualified]; left {
			different = append(different, s)
		}
	}
	return different
}

// LooksAs reports whether both headers have the same test flag, language, package and mappings.
func (h *Header) LooksAs(o *Header) bool {
	return h.Test == o.Test && h.Language == o.Language && h.Pkg == o.Pkg && slices.Equal(h.Mappings, o.Mappings)
}
