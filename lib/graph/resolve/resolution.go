package resolve

import (
	"context"
	"io"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/parallel"
	"cortex/lib/record"
)

// Resolution is the work on one tree.
type Resolution struct {
	*facts.Tree
	rules []language.Rules
	// packages are the spaces of packages.
	packages map[packageKey]int32
	Jobs     int
	entries  []entry
	index    map[entryKey]int32
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
	Implied map[facts.Decl]*impliedLines
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
	local map[facts.Name][]importTarget
	// dotted tells that some names have several parts.
	dotted bool
	all    []importTarget
	// each are the targets by the number of the reference.
	each map[int32][]importTarget
}

// An importTarget is where an Import leads.
type importTarget struct {
	modules []meaning
	path    []facts.Name // in the module
	missing bool         // a part of path that is nowhere in the tree
	rest    string       // path as it stands
	outside string
	keyed   bool
	space   int32
}

func (r *Resolution) newSpace() int32 {
	r.spaces++
	return r.spaces - 1
}

func (r *Resolution) lookup(space int32, parent, n facts.Name) int32 {
	if number, ok := r.index[entryKey{space, parent, n}]; ok {
		return number
	}
	return noEntry
}

func (r *Resolution) entryOf(space int32, qualified facts.Name) int32 {
	if number, ok := r.qualified[qualifiedKey{space, qualified}]; ok {
		return number
	}
	return noEntry
}

// folderIDs are those of the folders in which the package of a space lies; none if there are too many to say anything.
func (r *Resolution) folderIDs(space int32) []string { return r.folderOf[space] }

func (r *Resolution) isTest(d facts.Decl) bool {
	f := r.Files[d.File]
	return f.Test || f.Symbols[d.Symbol].Flags&facts.TestFlag != 0
}

// FilesAtOnce is how many files one worker gets at a time.
const FilesAtOnce = 16

// each calls work on every file.
func (r *Resolution) each(ctx context.Context, work func(f *facts.File)) error {
	next := 0
	return parallel.Map(ctx, r.Jobs, func() ([]*facts.File, error) {
		if next >= len(r.Files) {
			return nil, io.EOF
		}
		files := r.Files[next:min(next+FilesAtOnce, len(r.Files))]
		next += len(files)
		return files, nil
	}, func(_ context.Context, files []*facts.File) (struct{}, error) {
		for _, f := range files {
			work(f)
		}
		return struct{}{}, nil
	}, func(struct{}) error { return nil })
}

// Bounds of inheritance: of the bases of a type, and of types that are asked for one member.
const (
	maxBases    = 64
	maxAncestry = 256
)

// impliedLines are the lines of a symbol that follow from declarations.
type impliedLines struct {
	Edges     []ImpliedEdge
	Omissions []edge.Omission
}

// An ImpliedEdge is one that follows from declarations.
type ImpliedEdge struct {
	Relation record.Relation
	To       edge.Place
}

// ImpliedAt are the lines of a symbol that follow from declarations, to be added to.
func (r *Resolution) ImpliedAt(d facts.Decl) *impliedLines {
	lines := r.Implied[d]
	if lines == nil {
		lines = &impliedLines{}
		r.Implied[d] = lines
	}
	return lines
}

// The families of a Tree that resolution tells apart: its own, and all others.
const (
	ForeignFamily = iota
	OwnFamily
)

// packageKey is a key as Rules.Package gives, of a family.
type packageKey struct {
	family int
	key    string
}
