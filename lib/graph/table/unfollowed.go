package table

import (
	"fmt"
	"path"
	"slices"

	"cortex/lib/graph/excerpt"
	"cortex/lib/language"
)

// unfollowed returns a text that says that the graph knows nothing of uses in the language of the target, or of a file
// that is not in the graph; "" if it knows of some.
func (q *question) unfollowed() string {
	a, g := q.answer, q.g
	lang := ""
	switch {
	case a.Target != nil:
		i := slices.IndexFunc(g.files, func(f fileRow) bool { return g.strings.Get(f.path) == a.Target.FilePath })
		if i >= 0 {
			lang = g.strings.Get(g.files[i].language)
		}
	case path.Ext(a.NotFound) != "":
		if lang = language.Detect(a.NotFound, nil).Name; lang == "other" {
			return ""
		}
	}
	if lang == "" || g.hasUses(lang) {
		return ""
	}
	if a.NotFound != "" && q.req.Lines != nil {
		if lines, err := q.req.Lines(a.NotFound, 1, 1); err == nil && len(lines) > 0 {
			a.Document, a.Near = true, nil
			return fmt.Sprintf("%s is a file of the tree, but files in %s have no relations%s", a.NotFound, lang, searchInstead)
		}
	}
	return fmt.Sprintf("uses in %s are not followed%s", lang, searchInstead)
}

// hasUses reports whether the graph follows a language: whether a node in a file of it refers to another or can be
// called.
func (g *Graph) hasUses(lang string) bool {
	for n := range uint32(len(g.nodes)) {
		if g.language(n) == lang && (g.kind(n).IsCallable() || len(g.linksOf(n, true)) > 0) {
			return true
		}
	}
	return false
}

// marks returns the marks through which other code may call the target, if the target is a callable and a question about its
// callers has no results.
func (q *question) marks() []string {
	n := q.answer.target
	if n == None || q.req.Lines == nil || q.answer.TotalFound+q.answer.TestsFound > 0 || !slices.Contains([]Operation{Callers, References, Impact}, q.req.Operation) {
		return nil
	}
	row := &q.g.nodes[n]
	if row.file == None || !q.g.kind(n).IsCallable() {
		return nil
	}
	lines, err := q.req.Lines(q.g.path(n), int(row.start), int(min(row.end, row.start+excerpt.MaxMarkLines-1)))
	if err != nil {
		return nil
	}
	return excerpt.Marks(lines, q.g.language(n))
}
