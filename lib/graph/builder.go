package graph

import (
	"cmp"
	"slices"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/language"
	"cortex/lib/graph/table"
)

// A builder makes a graph.
type builder struct {
	opts     Options
	rules    []language.Rules
	families map[string]string // family by language
	before   *table.Graph
	// files are all files of the graph, by tree path.
	files []treeFile
	trees []*sourceTree
	// numberOf maps file numbers of the previous graph to positions in files; -1 if the file is gone.
	numberOf []int32
	outside  *edge.Outsiders
	// total is the number of files to link, done the number linked so far.
	total, done int
}

// A treeFile is one file of the new graph.
type treeFile struct {
	table.SourceFile
	facts  facts.Facts
	family string
	// number is its place in its tree.
	number int32
	// was has the facts of the file in the previous graph; nil if they are equal or there are none.
	was facts.Facts
}

// changed reports whether the facts of the file differ from those in the previous graph in more than line numbers.
func (s *treeFile) changed() bool { return s.was != nil && s.Shifted == nil }

// A sourceTree has the files of one tree, as positions in builder.files, sorted by path.
type sourceTree struct {
	name  string
	files []int32
	// moved lists the files that were added, removed, or changed in their header. all is set if one of them is a manifest,
	// or if there is no previous graph: then every unit of the tree is resolved wholly.
	moved []movedFile
	all   bool
}

// A movedFile has the family of a file before and now, "" where the file does not exist.
type movedFile struct{ path, before, now string }

// move appends a file to t.moved. was is nil for an added file, now for a removed one.
func (t *sourceTree) move(b *builder, was, now *facts.Header) {
	m := movedFile{}
	for _, h := range [...]*facts.Header{was, now} {
		if h != nil {
			m.path, t.all = h.Path, t.all || len(h.Mappings) > 0
		}
	}
	if was != nil {
		m.before = b.familyOf(was.Language)
	}
	if now != nil {
		m.now = b.familyOf(now.Language)
	}
	t.moved = append(t.moved, m)
}

// familyOf returns the family of a language: the language itself if no rules name it.
func (b *builder) familyOf(language string) string { return cmp.Or(b.families[language], language) }

// A Source is one file of the graph to be made, now and in the previous graph.
type Source struct {
	Tree string
	// Facts are empty if the file is no node of the new graph, or is gone.
	Facts facts.Facts
	// Was has the facts of the file in the previous graph; empty if that has no such file.
	Was facts.Facts
}

// Options say how a graph is made.
type Options struct {
	// Jobs is the number of workers, at least 1.
	Jobs int
	// Progress, if not nil, is called with the numbers of linked files and of files to link.
	Progress func(done, total int)

	// rules replace language.All() in tests; nil otherwise.
	rules []language.Rules
	// anew makes the table of strings again instead of adding to the previous one.
	anew bool
	// told, if not nil, is called with how much of each family of each tree is resolved.
	told func(tree, family string, how how)
}

// how says how much of a unit is resolved again: nothing, some files, or all.
type how int

const (
	kept how = iota
	partly
	wholly
)

// A unit is resolved at a time: the files of one family of languages in one tree. They may refer to each other. Of all
// other files they see only the headers of their facts.
type unit struct {
	tree    *sourceTree
	family  string
	files   []int32
	changed []int32
	how     how
	// linked lists the files whose edges are made again.
	linked []int32
}

func (b *builder) treeOf(s *treeFile) *sourceTree {
	i, _ := slices.BinarySearchFunc(b.trees, s.Tree, func(t *sourceTree, name string) int { return strings.Compare(t.name, name) })
	return b.trees[i]
}
