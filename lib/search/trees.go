package search

import "cortex/lib/search/index"

// HasSeveralTrees reports whether the index has files of more than one tree.
func (x *Index) HasSeveralTrees() (several bool, err error) {
	defer index.Guard(&err)()
	several = len(x.corpus.Generation.Values(index.Tree)) > 1
	return several, nil
}
