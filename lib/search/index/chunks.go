package index

import (
	"cmp"
	"slices"
	"sync"

	"cortex/lib/record"
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
