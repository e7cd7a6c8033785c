package index

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"cortex/lib/record"
	"cortex/lib/search/cosine"
	"cortex/lib/store"
	"cortex/lib/store/shard"
)

// Chunk reads a chunk without embedding, and without the package and the times that its file's record holds. The error
// wraps store.ErrChanged if the chunk is no longer in the store.
func (g *Generation) Chunk(chunk int) (*record.Chunk, error) {
	if g.store == nil {
		return g.Record(chunk)
	}
	tree := g.Tree(chunk)
	f := &shard.File{Tree: tree, Record: record.File{FilePath: record.SplitTreePath(tree, g.FilePath(chunk)), Language: g.Language(chunk)}}
	_, at := g.places(chunk)
	c, err := g.store.ReadChunk(f, at)
	if err != nil {
		return nil, err
	}
	c.Tags = slices.Collect(g.Tags(chunk))
	return c, nil
}

// Record reads a chunk as Chunk does, with the package.
func (g *Generation) Record(chunk int) (*record.Chunk, error) {
	switch {
	case g.source != nil:
		list, err := g.records.read(g, []int{chunk})
		if err != nil {
			return nil, err
		}
		return list[0], nil
	case g.store == nil:
		return g.chunks[chunk], nil
	}
	file, at := g.places(chunk)
	f, err := g.store.ReadHead(file)
	if err != nil {
		return nil, err
	}
	return g.store.ReadChunk(f, at)
}

// places returns the places of the chunk's file and of the chunk in the store.
func (g *Generation) places(chunk int) (file, own store.Place) {
	i, row := g.at(chunk)
	fileOffset, fileSize, offset, size := g.segments[i].lines(row)
	return store.Place{Shard: g.shardOf[i], Offset: fileOffset, Size: fileSize}, store.Place{Shard: g.shardOf[i], Offset: offset, Size: size}
}

// EachVector visits those of the chunks that have an embedding, in any order. values times scale is the embedding
// scaled to length 1; values are valid during the call.
func (g *Generation) EachVector(chunks []int, visit func(chunk int, values []int8, scale float32)) error {
	if g.source == nil {
		var unpacked []int8
		for _, chunk := range chunks {
			if s, row := g.row(chunk); s.dimensions > 0 && s.scales[row] != 0 {
				unpacked = s.vector(unpacked, row)
				visit(chunk, unpacked[:s.dimensions], s.scales[row])
			}
		}
		return nil
	}
	refs := make([]Ref, len(chunks))
	for i, chunk := range chunks {
		refs[i] = g.ref(chunk)
	}
	return g.source.Vectors(refs, func(r Ref, values []int8) {
		if row, ok := g.segments[r.Tree].rowOf(r.Number); ok {
			visit(g.firsts[r.Tree]+row, values, cosine.InverseLength(values))
		}
	})
}

// A Near is a chunk with the cosine between its vector and another one.
type Near struct {
	Chunk  int
	Cosine float32
}

// IsRemote reports whether the vectors of the generation are read from a Source.
func (g *Generation) IsRemote() bool { return g.source != nil }

// maxListed is the number of allowed chunks up to which NearestOf names them to the Source; above, it filters itself.
const maxListed = 4096

// NearestOf lists the chunks nearest to the vector among the count allowed ones; allowed is nil for all. It is for
// remote generations. The Source may round differently, so the list has more than k where possible, in any order.
func (g *Generation) NearestOf(ctx context.Context, vector []float32, k int, allowed func(chunk int) bool, count int) (list []Near, err error) {
	p, ok := cosine.NewProbe(vector)
	if !ok {
		return nil, nil
	}
	k += k/8 + 16
	padded := make([]int8, p.Stride())
	var only []Ref
	if allowed != nil && count <= maxListed {
		only = make([]Ref, 0, count)
		for chunk := range g.Len() {
			if allowed(chunk) {
				only = append(only, g.ref(chunk))
			}
		}
		if len(only) == 0 {
			return nil, nil
		}
		allowed = nil
	}
	err = g.source.Nearest(vector, k, only, func(r Ref, values []int8) bool {
		if row, ok := g.segments[r.Tree].rowOf(r.Number); ok && cosine.Stride(len(values)) == len(padded) {
			if chunk := g.firsts[r.Tree] + row; allowed == nil || allowed(chunk) {
				clear(padded[copy(padded, values):])
				var sum [1]int32
				p.Products(sum[:], padded)
				list = append(list, Near{chunk, p.Cosine(sum[0], cosine.InverseLength(values))})
			}
		}
		return len(list) < k && ctx.Err() == nil
	})
	return list, cmp.Or(err, ctx.Err())
}

// Prepare reads chunks in one round trip to the Source, for later calls of Chunk and Record.
func (g *Generation) Prepare(chunks []int) error {
	if g.source == nil {
		return nil
	}
	_, err := g.records.read(g, chunks)
	return err
}

// minRecords and recordsPerShare bound the records that one request keeps. Shares prepare chunks at the same time, and
// none may displace those that another one is about to read.
const (
	minRecords      = 1000
	recordsPerShare = 500
)

// records holds the chunks that a request has read. When recent has most chunks, it becomes older and replaces it, so
// a chunk is kept until at least that many others were used.
type records struct {
	mu            sync.Mutex
	most          int
	recent, older map[int]*record.Chunk
}

func newRecords(shares int) *records {
	return &records{most: max(minRecords, recordsPerShare*shares), recent: map[int]*record.Chunk{}}
}

// read returns the chunks in the given order, and reads those that are not yet known.
func (r *records) read(g *Generation, chunks []int) ([]*record.Chunk, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]*record.Chunk, len(chunks))
	var refs []Ref
	var missing []int // places in the list
	for i, chunk := range chunks {
		if list[i] = cmp.Or(r.recent[chunk], r.older[chunk]); list[i] == nil {
			refs, missing = append(refs, g.ref(chunk)), append(missing, i)
		}
	}
	if len(missing) > 0 {
		read, err := g.source.Records(refs)
		if err != nil {
			return nil, err
		}
		for k, i := range missing {
			list[i] = read[k]
		}
	}
	if len(r.recent) >= r.most {
		r.recent, r.older = map[int]*record.Chunk{}, r.recent
	}
	for i, chunk := range chunks {
		r.recent[chunk] = list[i]
	}
	return list, nil
}

// ref returns the reference by which the Source knows a chunk.
func (g *Generation) ref(chunk int) Ref {
	i, row := g.at(chunk)
	return Ref{i, g.segments[i].numbers[row]}
}

// over returns the generation for a request that reads through the source.
func (g *Generation) over(source Source) *Generation {
	own := *g
	own.source, own.records = source, newRecords(g.inShares)
	t := g.text
	own.text = &Text{segments: t.segments, firsts: t.firsts, dicts: t.dicts, mean: t.mean, automaton: t.automaton, known: map[string][]postingsPlace{}, remote: &remoteText{source: source, fetched: g.fetched}}
	return &own
}
