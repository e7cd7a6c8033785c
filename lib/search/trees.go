package search

// HasSeveralTrees reports whether the index has files of more than one tree.
func (x *Index) HasSeveralTrees() (several bool, err error) {
	defer x.guard(&err)()
	for i := 1; i < x.cat.Len() && !several; i++ {
		several = x.cat.Tree(i) != x.cat.Tree(0)
	}
	return several, nil
}
