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

// A Resolution has the state of resolving one family of a tree. After Resolve, only Imply changes it.
type Resolution struct {
	*facts.Tree
	rules []language.Rules
	// packages has the space of each package.
	packages map[packageKey]int32
	Jobs     int
	entries  []entry
	index    map[entryKey]int32
	// qualified has entries by qualified name.
	qualified map[qualifiedKey]int32
	// last has entries by the last part of their name, within a family.
	last map[entryKey][]int32
	// imports has the imports of each file.
	imports []fileImports
	// bases has the entries from which each entry inherits, foreign the name of its first base outside of the tree.
	bases   [][]int32
	foreign []string
	// demands has the interfaces that each entry declares to implement.
	demands [][]int32
	// partial is set for an entry with a base that is unknown, library for one with an unknown base of the standard library.
	partial, library []bool
	// typings has the positions in typed by symbol and name; values has the meanings so far, by the same positions.
	typings map[entryKey][]int32
	typed   []typed
	values  []meaning
	spaces  int32
	Implied map[facts.Decl]*impliedLines
	// folderOf has the folders of each space, as identifiers.
	folderOf [][]string
}

// A typed is a typing: the number of its file and its position in File.Typings.
type typed struct {
	file  int32
	index int32
	// settled is set once the value of the typing can no longer change.
	settled bool
}

// fileImports has the targets of a file's imports: local by the name in the file, all for imports of all names.
type fileImports struct {
	local map[facts.Name][]*importTarget
	// dotted is set if a name in local has several parts.
	dotted bool
	all    []*importTarget
	// each has the targets by Reference.Visible.
	each map[int32][]*importTarget
}

// An importTarget is a language.Import with numbers in place of names.
type importTarget struct {
	modules []meaning
	path    []facts.Name // within the modules
	missing bool         // the tree has no such package
	rest    string       // path as a text
	outside string       // name outside of the tree
	keyed   bool         // the target is the package with number space
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

// folderIDs returns the identifiers of the folders of a package, nil if there are more than maxTargets.
func (r *Resolution) folderIDs(space int32) []string { return r.folderOf[space] }

func (r *Resolution) isTest(d facts.Decl) bool {
	f := r.Files[d.File]
	return f.Test || f.Symbols[d.Symbol].Flags&facts.TestFlag != 0
}

// FilesAtOnce is the number of files that a worker gets at a time.
const FilesAtOnce = 16

// each calls work for every file, from several goroutines.
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

// Bounds of inheritance: direct bases of a type, and types searched for one member.
const (
	maxBases    = 64
	maxAncestry = 256
)

// impliedLines has the edges and omissions of a symbol that follow from declarations alone.
type impliedLines struct {
	Edges     []ImpliedEdge
	Omissions []edge.Omission
}

// An ImpliedEdge is an edge that follows from declarations alone.
type ImpliedEdge struct {
	Relation record.Relation
	To       edge.Place
}

// ImpliedAt returns the impliedLines of a symbol for the caller to add to. It makes them if there are none.
func (r *Resolution) ImpliedAt(d facts.Decl) *impliedLines {
	lines := r.Implied[d]
	if lines == nil {
		lines = &impliedLines{}
		r.Implied[d] = lines
	}
	return lines
}

// Values of File.Family: the family that is resolved, and all others.
const (
	ForeignFamily = iota
	OwnFamily
)

// A packageKey is a key that Rules.Package returned, with its family.
type packageKey struct {
	family int
	key    string
}
