package read

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5"

	"cortex/lib/search"
	"cortex/lib/search/index"
)

// stateOf returns the state with these versions of the trees. It reads missing catalogues in the session's transaction.
func (r *Reader) stateOf(ctx context.Context, tx pgx.Tx, trees []tree) (*state, error) {
	r.mu.Lock()
	last := r.last
	r.mu.Unlock()
	if last != nil && last.is(trees) {
		return last, nil
	}
	s := &state{trees: trees, place: map[int32]int{}, facts: newKnown()}
	byModel := map[string]int{}
	for i, t := range trees {
		s.ids, s.place[t.id] = append(s.ids, t.id), i
		s.chunks += t.chunks
		if t.modelID != 0 {
			byModel[t.model] += t.chunks
		}
	}
	for _, t := range trees {
		// If the trees have several models, the one with most chunks is used; the chunks of the others are found by
		// their words.
		if t.modelID != 0 && (s.model == "" || byModel[t.model] > byModel[s.model]) {
			s.model, s.modelID, s.dimensions = t.model, t.modelID, t.dimensions
		}
	}
	var err error
	if s.catalogues, err = r.catalogues(ctx, tx, s); err != nil {
		return nil, err
	}
	vectors := 0
	for _, t := range trees {
		if s.modelID != 0 && t.modelID == s.modelID {
			vectors += t.chunks - t.unembedded
		}
	}
	remote, err := index.NewRemote(s.catalogues, s.model, s.dimensions, vectors, r.analysis)
	if err != nil {
		return nil, err
	}
	embedder, err := r.embedderOf(ctx, s.model)
	if err != nil {
		return nil, err
	}
	if s.remote, err = search.NewRemote(remote, embedder, r.opts.Settings); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil || r.last.generations() <= s.generations() {
		r.last = s
		maps.DeleteFunc(r.known, func(id int32, _ *catalogue) bool { _, ok := s.place[id]; return !ok })
	}
	return s, nil
}
