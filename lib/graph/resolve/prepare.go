package resolve

import (
	"context"
	"path"
	"slices"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/record"
)

// prepare runs Rules.Prepare, assigns a space to each file, and makes the entries and their indexes.
func (r *Resolution) prepare(ctx context.Context) error {
	var members []*facts.File
	for _, f := range r.Files {
		if f.Family == OwnFamily || len(f.Mappings) > 0 {
			members = append(members, f)
		}
	}
	prepared := make([]any, len(r.rules))
	r.SetPrepared(prepared)
	if own := &r.rules[OwnFamily]; own.Prepare != nil {
		prepared[OwnFamily] = own.Prepare(r.Tree, members)
	}
	keys := make([]string, len(r.Files))
	err := r.each(ctx, func(f *facts.File) {
		if rules := &r.rules[f.Family]; rules.Package != nil {
			keys[f.Number] = rules.Package(r.Tree, f)
		}
	})
	if err != nil {
		return err
	}
	r.packages = map[packageKey]int32{}
	for i, f := range r.Files {
		if keys[i] == "" {
			f.Space = r.newSpace()
			continue
		}
		key := packageKey{f.Family, keys[i]}
		space, ok := r.packages[key]
		if !ok {
			space = r.newSpace()
			r.packages[key] = space
		}
		f.Space = space
	}
	r.declare()
	r.findFolders()
	return nil
}

// declare makes the entries and the indexes r.index, r.qualified and r.last.
func (r *Resolution) declare() {
	total := 0
	for _, f := range r.Files {
		total += len(f.Symbols)
	}
	r.entries = make([]entry, 0, total)
	r.index = make(map[entryKey]int32, total)
	r.qualified = make(map[qualifiedKey]int32, total)
	r.last = map[entryKey][]int32{}
	decls := make([]facts.Decl, total)
	for _, f := range r.Files {
		for i := range f.Symbols {
			s := &f.Symbols[i]
			key := entryKey{f.Space, s.Parent, s.Name}
			if isTitled(s, r.Names.Of(s.Name)) {
				key.name = r.Names.Text("\x00" + r.Names.Of(s.Name)) // a name that no code can contain
			}
			number, ok := r.index[key]
			if !ok {
				number = int32(len(r.entries))
				r.index[key] = number
				r.qualified[qualifiedKey{f.Space, s.Qualified}] = number
				// Most entries have one declaration. All first declarations share one array.
				r.entries = append(r.entries, entry{space: f.Space, parent: s.Parent, qualified: s.Qualified, family: int16(f.Family), decls: decls[:0:1]})
				decls = decls[1:]
				last := entryKey{int32(f.Family), 0, key.name}
				r.last[last] = append(r.last[last], number)
			}
			e := &r.entries[number]
			e.sorts |= sortsOf(record.Kinds[s.Kind])
			e.decls = append(e.decls, facts.Decl{File: f.Number, Symbol: int32(i)})
		}
	}
}

// isTitled reports whether the symbol is a test whose name is a quoted text, to which code cannot refer.
func isTitled(s *facts.Symbol, name string) bool {
	if s.Flags&facts.TestFlag == 0 {
		return false
	}
	_, rest, found := strings.Cut(s.Signature, name)
	i := len(s.Signature) - len(rest) - len(name)
	return found && i > 0 && rest != "" && rest[0] == s.Signature[i-1] && strings.IndexByte("\"'`", rest[0]) >= 0
}

// findFolders fills r.folderOf. A package in more than maxTargets folders gets none.
func (r *Resolution) findFolders() {
	r.folderOf = make([][]string, r.spaces)
	for _, f := range r.Files {
		list := r.folderOf[f.Space]
		if f.Family != OwnFamily || len(list) > maxTargets {
			continue
		}
		folder := record.TreePath(r.Name, path.Dir(f.Path)+"/")
		if !slices.Contains(list, folder) {
			r.folderOf[f.Space] = append(list, folder)
		}
	}
	for i, list := range r.folderOf {
		if len(list) > maxTargets {
			r.folderOf[i] = nil
		}
	}
}

// maxTargets is the most targets of an edge.
const maxTargets = edge.MaxCandidates
