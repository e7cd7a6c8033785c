package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"slices"

	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// A Shard is one file of the store: the records of the files whose tree paths the hash puts there.
type Shard struct {
	// Name is that of the file in shards/.
	Name string `json:"name"`
	Size int64  `json:"size"`
	// Digest is the hex SHA-256 of the content.
	Digest string `json:"digest"`
	Files  int    `json:"files"`
	Chunks int    `json:"chunks"`
}

// An Entry is one record of a shard.
type Entry struct {
	// File is the file that the record belongs to, without its text.
	File *record.File
	// Chunk is nil for the record of the file itself.
	Chunk *record.Chunk
	// Tree is the name of the tree that the file is of.
	Tree string
	// Offset and Size are those of the line in the shard, with its end.
	Offset, Size int64
}

// A Generation is one committed state of a store, held open: commits replace files and do not change them. The methods may be called
// at once, except Close.
type Generation struct {
	manifest Manifest
	dir      string
	shards   [][]byte
}

// Open opens the generation that the manifest names.
func Open(ctx context.Context, dir string) (*Generation, error) {
	var g *Generation
	err := consistently(ctx, dir, func(root *safeopen.Root, m *Manifest) (err error) {
		g, err = makeGeneration(ctx, root, m)
		return err
	})
	return g, err
}

// makeGeneration makes shards of the chunk files and the graph.
func makeGeneration(ctx context.Context, root *safeopen.Root, m *Manifest) (*Generation, error) {
	stored, err := readStored(ctx, root, m)
	if err != nil {
		return nil, err
	}
	g := &Generation{manifest: *m, dir: root.Name()}
	number := 1
	for number < 256 && number*1000 < m.Stats.Chunks {
		number *= 2
	}
	g.shards = make([][]byte, number)
	g.manifest.Shards = make([]Shard, number)
	for _, path := range slices.Sorted(maps.Keys(m.Files)) {
		h := fnv.New64a()
		h.Write([]byte(path))
		n := int(h.Sum64() % uint64(number))
		f := m.file(m.Files[path].Tree, path)
		if stored.graph != nil {
			stored.graph.Fill(m.Files[path].Tree, f)
		}
		if g.shards[n], err = record.Append(g.shards[n], f); err != nil {
			return nil, err
		}
		chunks := stored.byPath[path]
		slices.SortFunc(chunks, func(a, b *chunk) int { return cmp.Compare(a.id, b.id) })
		for _, c := range chunks {
			g.shards[n] = c.appendLine(g.shards[n])
		}
		g.manifest.Shards[n].Files++
		g.manifest.Shards[n].Chunks += len(chunks)
	}
	for n, data := range g.shards {
		digest := sha256.Sum256(data)
		s := &g.manifest.Shards[n]
		s.Name, s.Size, s.Digest = fmt.Sprintf("%02x.jsonl", n), int64(len(data)), hex.EncodeToString(digest[:])
	}
	return g, nil
}

// Manifest is the manifest of the generation.
func (g *Generation) Manifest() *Manifest { return &g.manifest }

// Records gives the records of a shard, an index in Manifest.Shards, in order and in full: each file's own, then its chunks by identifier;
// files by tree path. The shard is compared with its digest: what was taken is right only if no error comes. An entry is valid until the next.
func (g *Generation) Records(ctx context.Context, shard int) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		data, e := g.shards[shard], Entry{}
		for at := int64(0); at < int64(len(data)); at += e.Size {
			rec, size, err := g.line(shard, at)
			if err != nil {
				yield(Entry{}, err)
				return
			}
			e.Offset, e.Size = at, size
			switch r := rec.(type) {
			case *record.File:
				e.File, e.Chunk = r, nil
			case *record.Chunk:
				e.Chunk, e.Tree = r, r.Metadata.Tree
				e.File.FilePath = record.SplitTreePath(e.Tree, r.Metadata.FilePath)
			}
			if e.Chunk == nil {
				for tree := range g.manifest.Trees {
					if f, ok := g.manifest.Files[record.TreePath(tree, e.File.FilePath)]; ok && f.Tree == tree {
						e.Tree = tree
					}
				}
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (g *Generation) line(shard int, at int64) (record.Record, int64, error) {
	data := g.shards[shard][at:]
	end := slices.Index(data, '\n')
	rec, err := record.Line{Name: g.manifest.Shards[shard].Name, Number: 1, Data: data[:end]}.Decode()
	return rec, int64(end) + 1, err
}

// ReadChunk reads one chunk in full: the record of size bytes at offset, and that of its file of fileSize bytes at fileOffset, as Records
// told them. What is not there is an error that ErrChanged is in.
func (g *Generation) ReadChunk(shard int, fileOffset, fileSize, offset, size int64) (*record.Chunk, error) {
	rec, _, err := g.line(shard, offset)
	if err != nil {
		return nil, err
	}
	return rec.(*record.Chunk), nil
}

// Close closes the files.
func (g *Generation) Close() error { return nil }
