package search

import (
	"cortex/lib/embed"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// A Remote is an index of trees whose chunks are stored elsewhere, such as in a database.
type Remote struct {
	remote *index.Remote
	base   *Index
}

// NewRemote makes an index of trees that are stored elsewhere. r must have catalogues for the Analysis of the settings.
// e embeds questions, and may be nil; the index does not close it.
func NewRemote(r *index.Remote, e embed.Embedder, s Settings) (*Remote, error) {
	stemmer, err := corpus.NewStemmer(s.Stemmer)
	if err != nil {
		return nil, err
	}
	return &Remote{r, newIndexOf(r.Over(nil), e, s, stemmer)}, nil
}

// Over returns an index for one request, which reads from source. All requests share the tables that are built once,
// and the cache of answers.
func (r *Remote) Over(source index.Source) *Index {
	x := *r.base
	x.corpus = x.corpus.Over(r.remote.Over(source))
	x.exact, x.ranker = x.exact.Over(x.corpus), x.ranker.Over(x.corpus)
	return &x
}
