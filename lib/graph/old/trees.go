package graph

// HasSeveralTrees reports whether the graph has files of more than one tree.
func (g *Graph) HasSeveralTrees() bool {
	for i := 1; i < len(g.files); i++ {
		if g.strings.get(g.files[i].tree) != g.strings.get(g.files[0].tree) {
			return true
		}
	}
	return false
}
