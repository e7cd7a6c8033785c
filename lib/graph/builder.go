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
	families map[string]string // of languages
	before   *table.Graph
	// files are all files of the graph, by tree path.
	files []treeFile
	trees []*sourceTree
	// numberOf is the number of each file of the graph before, -1 if it is gone.
	numberOf []int32
	outside  *edge.Outsiders
	// total files are resolved, of which done are.
	total, done int
}

// A treeFile is a file of the graph in its tree.
type treeFile struct {
	table.SourceFile
	facts  facts.Facts
	family string
	// number is its place in its tree.
	number int32
	// was are its facts in the graph before, if they are others.
	was facts.Facts
}

// changed reports whether the file has other facts than in the graph before, but for lines.
func (s *treeFile) changed() bool { return s.was != nil && s.Shifted == nil }

// A sourceTree is a tree of files, by path.
type sourceTree struct {
	name  string
	files []int32
	// moved are the files that came, went or look different to others; all tells that manifests are among them, or that there is no graph before.
	moved []movedFile
	all   bool
}

// A movedFile is a file with its family before and now, "" where it is not there.
type movedFile struct{ path, before, now string }

// move notes a file that is or was in the tree.
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

// familyOf is the family of a language.
func (b *builder) familyOf(language string) string { return cmp.Or(b.families[language], language) }

// A Source is a file of which a graph is made.
type Source struct {
	Tree string
	// Facts are those of the file; empty if it is no node, or gone.
	Facts facts.Facts
	// Was are the facts of the file in the graph before; empty if that does not have it.
	Was facts.Facts
}

// Options say how a graph is made.
type Options struct {
	// Jobs is the number of workers, at least 1.
	Jobs int
	// Progress, if it is not nil, is told how many of the files that are resolved are done.
	Progress func(done, total int)

	// rules are those of languages; nil for the table.
	rules []language.Rules
	// anew puts strings together from all facts.
	anew bool
	// told is told how each family of each tree was resolved.
	told func(tree, family string, how how)
}

// how much of a unit is resolved again.
type how int

const (
	kept how = iota
	partly
	wholly
)

// A unit is what is resolved at a time: the files of one family of languages in a tree. They may refer to each other, and of all other files they see no more than
// what stands in front of their facts.
type unit struct {
	tree    *sourceTree
	family  string
	files   []int32
	changed []int32
	how     how
	// linked are the files whose edges are found.
	linked []int32
}

func (b *builder) treeOf(s *treeFile) *sourceTree {
	i, _ := slices.BinarySearchFunc(b.trees, s.Tree, func(t *sourceTree, name string) int { return strings.Compare(t.name, name) })
	return b.trees[i]
}
