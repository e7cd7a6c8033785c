package table

import (
	"cmp"
	"fmt"
	"slices"

	"cortex/lib/record"
)

// notHeld returns a text about omitted edges that the operation would follow: those of the target, of the type of a
// method, or of the types in files. It returns "" if there are none.
func (q *question) notHeld(t target) string {
	g := q.g
	set := relations(q.req.Operation)
	switch q.req.Operation {
	case Callees:
		return ""
	case Callers:
		set |= inheritance // callers of an interface's method call its implementations
	}
	var first *omissionRow
	found := 0
	look := func(from, end uint32) {
		at, _ := slices.BinarySearchFunc(g.omissions, from, func(o omissionRow, n uint32) int { return cmp.Compare(o.node, n) })
		for ; at < len(g.omissions) && g.omissions[at].node < end; at++ {
			if o := &g.omissions[at]; set.Has(o.relation) {
				if found++; first == nil {
					first = o
				}
			}
		}
	}
	for _, f := range t.files {
		look(g.files[f].first, g.files[f].end)
	}
	if t.files == nil {
		look(t.node, t.node+1)
		if owner := g.owner(t.node); owner != None && g.kind(t.node) == record.Method {
			look(owner, owner+1)
		}
	}
	if first == nil {
		return ""
	}
	text := fmt.Sprintf("not all types that %s implements are held", g.title(first.node))
	if first.incoming != 0 {
		text = fmt.Sprintf("not all implementations of %s are held", g.title(first.node))
	}
	if first.found > 0 {
		text += fmt.Sprintf(": %d of %d", first.held, first.found)
	}
	if found > 1 {
		text += fmt.Sprintf(" (and of %d other types in it)", found-1)
	}
	return text
}
