package resolve

import (
	"context"
	"slices"
	"strings"

	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/record"
	"cortex/lib/shorten"
)

// resolveImports fills r.imports with the targets of all imports. It is the last step that may add to r.Names.
func (r *Resolution) resolveImports(ctx context.Context) error {
	r.imports = make([]fileImports, len(r.Files))
	imports := uint8(slices.Index(record.Relations, record.Imports))
	raw := make([][][]language.Import, len(r.Files))
	err := r.each(ctx, func(f *facts.File) {
		rules := &r.rules[f.Family]
		if rules.Import == nil {
			return
		}
		for i := range f.References {
			if f.References[i].Relation != imports {
				continue
			}
			if raw[f.Number] == nil {
				raw[f.Number] = make([][]language.Import, len(f.References))
			}
			raw[f.Number][i] = rules.Import(r.Tree, f, f.ReferenceOf(&f.References[i]))
		}
	})
	if err != nil {
		return err
	}
	// The rules above read names in parallel. Only now, in one goroutine, may names be added.
	for n, list := range raw {
		f, known := r.Files[n], &r.imports[n]
		for i, meanings := range list {
			for _, m := range meanings {
				target := r.target(f, m)
				if known.each == nil {
					known.each = map[int32][]*importTarget{}
					known.local = map[facts.Name][]*importTarget{}
				}
				known.each[int32(i)] = append(known.each[int32(i)], target)
				if m.Local != "" {
					local := r.Names.Text(m.Local)
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

// target converts an Import of the rules, with names as numbers.
func (r *Resolution) target(f *facts.File, m language.Import) *importTarget {
	t := &importTarget{rest: m.Name}
	switch {
	case m.External != "":
		t.outside = shorten.Characters(m.External, maxExternal)
		if m.Name != "" {
			t.outside = shorten.Characters(t.outside+"."+m.Name, maxExternal)
		}
		return t
	case m.Package != "":
		space, ok := r.packages[packageKey{f.Family, m.Package}]
		if !ok {
			t.missing = true
			return t
		}
		t.keyed, t.space = true, space
		t.modules = []meaning{{sort: module, space: space, file: -1}}
	default:
		for _, file := range m.Files {
			t.modules = append(t.modules, meaning{sort: module, space: file.Space, file: file.Number})
		}
	}
	if m.Name == "" {
		return t
	}
	if whole := r.Names.Text(m.Name); t.keyed && r.lookup(t.space, 0, whole) != noEntry {
		t.path = []facts.Name{whole} // the name of a module, with dots
		return t
	}
	for part := range strings.SplitSeq(m.Name, ".") {
		t.path = append(t.path, r.Names.Text(part))
	}
	return t
}

// maxExternal is the longest name of a symbol outside of the tree, in characters.
const maxExternal = 200
