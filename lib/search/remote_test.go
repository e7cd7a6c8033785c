package search

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
)

// heldSource is a Source of one tree whose chunks are in memory. Its numbers are in the reverse order of the chunks.
type heldSource struct {
	chunks   []*record.Chunk // by number
	analysis *index.Analysis
	postings map[string]map[int]map[uint32][]index.Span // by term and dictionary
}

func newHeldSource(chunks []*record.Chunk, a *index.Analysis) (*heldSource, []index.Entry) {
	m := &heldSource{analysis: a, postings: map[string]map[int]map[uint32][]index.Span{}}
	m.chunks = slices.Clone(chunks)
	slices.SortFunc(m.chunks, func(a, b *record.Chunk) int { return cmp.Compare(b.ID, a.ID) })
	var entries []index.Entry
	for i, c := range m.chunks {
		number := uint32(i)
		e := index.Entry{Number: number, Chunk: &record.Chunk{ID: c.ID, ChunkType: c.ChunkType, Tags: c.Tags}, Traits: a.Traits(c), Lengths: make([]uint32, len(a.Dicts))}
		to, from := &e.Chunk.Metadata, &c.Metadata
		to.FilePath, to.Language, to.Package, to.Tree, to.StartLine, to.EndLine = from.FilePath, from.Language, from.Package, from.Tree, from.StartLine, from.EndLine
		to.Symbols = slices.Collect(a.Symbols(c))
		a.Terms(c, func(dict int, term string, from, to int) {
			e.Lengths[a.Dicts[dict].Length]++
			term = strings.Clone(term)
			if m.postings[term] == nil {
				m.postings[term] = map[int]map[uint32][]index.Span{}
			}
			if m.postings[term][dict] == nil {
				m.postings[term][dict] = map[uint32][]index.Span{}
			}
			m.postings[term][dict][number] = append(m.postings[term][dict][number], index.Span{From: from, To: to})
		})
		entries = append(entries, e)
	}
	return m, entries
}

func (m *heldSource) Postings(terms []string, dicts uint64, _ bool, visit func(index.Postings) error) error {
	for i, term := range terms {
		for dict, found := range m.postings[term] {
			if dicts&(1<<dict) == 0 {
				continue
			}
			err := visit(index.Postings{Term: i, Dict: dict, Each: func(visit func(uint32, int, []index.Span)) error {
				visit(uint32(len(m.chunks)+7), 1, nil) // a chunk that is gone
				for number, spans := range found {
					visit(number, len(spans), spans)
				}
				return nil
			}})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *heldSource) Counts(terms []string, dicts uint64, visit func(term, dict, count int)) error {
	for i, term := range terms {
		for dict := range m.analysis.Dicts {
			if dicts&(1<<dict) != 0 {
				visit(i, dict, len(m.postings[term][dict]))
			}
		}
	}
	return nil
}

func (m *heldSource) Terms(dicts uint64, prefix string, visit func(term string, in uint64) bool) error {
	for term, in := range m.postings {
		for dict := range in {
			if strings.HasPrefix(term, prefix) && dicts&(1<<dict) != 0 && !visit(term, 1<<dict) {
				return nil
			}
		}
	}
	return nil
}

func (m *heldSource) Near(dict int, term string, edits int, visit func(string) bool) error {
	var list []string
	for other, in := range m.postings {
		if in[dict] != nil && hint.Distance(term, other, edits) <= edits {
			list = append(list, other)
		}
	}
	slices.Sort(list)
	for _, other := range list {
		if !visit(other) {
			break
		}
	}
	return nil
}

func (m *heldSource) Nearest(vector []float32, wanted int, only []index.Ref, visit func(index.Ref, []int8) bool) error {
	type near struct {
		ref    index.Ref
		values []int8
		cosine float64
	}
	var list []near
	for i, c := range m.chunks {
		ref := index.Ref{Number: uint32(i)}
		if only != nil && !slices.Contains(only, ref) {
			continue
		}
		q := record.Quantize(nil, c.Embedding)
		sum, length := 0.0, 0.0
		for k, v := range q.Values {
			sum, length = sum+float64(v)*float64(vector[k]), length+float64(v)*float64(v)
		}
		list = append(list, near{ref, q.Values, sum * sum / max(length, 1) * float64(cmp.Compare(sum, 0))})
	}
	slices.SortFunc(list, func(a, b near) int { return cmp.Compare(b.cosine, a.cosine) })
	for _, n := range list {
		if !visit(n.ref, n.values) {
			break
		}
	}
	return nil
}

func (m *heldSource) Vectors(refs []index.Ref, visit func(r index.Ref, values []int8)) error {
	for _, r := range refs {
		visit(r, record.Quantize(nil, m.chunks[r.Number].Embedding).Values)
	}
	return nil
}

func (m *heldSource) Records(refs []index.Ref) (list []*record.Chunk, err error) {
	for _, r := range refs {
		list = append(list, m.chunks[r.Number])
	}
	return list, nil
}

// TestRemoteAnswersAlike compares an index whose words, vectors and records are elsewhere with one that has them.
func TestRemoteAnswersAlike(t *testing.T) {
	e := builtin()
	snap := snapshot(t, storeOf(), e)
	own, err := newInMemory(snap, e, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	stemmer, err := corpus.NewStemmer("")
	if err != nil {
		t.Fatal(err)
	}
	source, entries := newHeldSource(snap.chunks, corpus.Analysis(stemmer))
	data, err := index.NewCatalogue(entries, corpus.Analysis(stemmer))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := index.CatalogueOf(data, corpus.Analysis(stemmer))
	if err != nil {
		t.Fatal(err)
	}
	joined, err := index.NewRemote([]*index.Catalogue{tree}, e.Model(), e.Dimensions(), len(entries), corpus.Analysis(stemmer))
	if err != nil {
		t.Fatal(err)
	}
	remote, err := NewRemote(joined, e, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	text := func(r *answer.Response, err error) string {
		if err != nil {
			return err.Error()
		}
		r.Metadata.TookMS = 0
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for range 2 { // again with what is kept
		for _, q := range []string{"handler", `"error handling"`, "prov*", "*ck", "providr~1", "/^l.*r$/", "text:*", "NOT lang:go", "symbol:Provider", "path:auth", "sync.RWMutex", "mutex OR vector", "tags:test", "nowhere", "Lock^2 mutex", "title:*"} {
			req := answer.Request{Queries: []string{q}, Limit: -1, Counts: true, Context: answer.Around{Full: true}}
			if want, have := text(own.Exact(t.Context(), req)), text(remote.Over(source).Exact(t.Context(), req)); want != have {
				t.Errorf("%s:\n%s\nwant\n%s", q, have, want)
			}
		}
		for _, mode := range answer.Modes {
			for _, req := range []answer.Request{
				{Queries: []string{"how are errors of logins handled"}}, {Queries: []string{"Provider"}}, {Queries: []string{"lokc of a mutex"}}, {Queries: []string{"include a vector"}, Filter: answer.Filter{Languages: []string{"cpp"}}},
				{Queries: []string{"test of a handler"}, Filter: answer.Filter{Path: "lib/**"}, Explain: true}, {Like: "lib/provider.go:1"},
			} {
				if req.Mode, req.Limit = mode, 10; req.Like != "" && mode == answer.Fusion {
					continue
				}
				if want, have := text(own.Search(t.Context(), req)), text(remote.Over(source).Search(t.Context(), req)); want != have {
					t.Errorf("%s %q %s:\n%s\nwant\n%s", mode, req.Queries, req.Like, have, want)
				}
			}
		}
	}
	lines, err := remote.Over(source).Lines("lib/provider.go", 1, 1)
	want, _ := own.Lines("lib/provider.go", 1, 1)
	if err != nil || !slices.Equal(lines, want) {
		t.Errorf("lines %q, %v, want %q", lines, err, want)
	}
}
