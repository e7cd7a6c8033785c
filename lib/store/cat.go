package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// CatOptions selects what Cat writes.
type CatOptions struct {
	// Types selects the types of chunks to write, without begin, file and end records; empty stands for the whole
	// store.
	Types []record.ChunkType
	// Floats says that embeddings are written as arrays of numbers, for readers such as jq.
	Floats bool
}

// Cat writes the store as a stream of records from which cortex-store makes the same store again: a full run for every
// tree, with complete records, embeddings and times. Chunks without a file record follow the run of their tree.
func Cat(ctx context.Context, dir string, w *jsonl.Writer, opts CatOptions) error {
	g, err := Open(ctx, dir)
	if err != nil {
		return err
	}
	defer g.Close()
	c := &cat{g: g, w: w, opts: opts}
	for i := range g.files {
		list, err := g.heads(ctx, i)
		if err != nil {
			return err
		}
		for _, h := range list {
			c.extents = append(c.extents, extent{h.Path(), h.Tree, i, h.offset, h.size, h.Record.Status == ""})
		}
	}
	slices.SortFunc(c.extents, func(a, b extent) int { return strings.Compare(a.path, b.path) })
	for _, tree := range slices.Sorted(maps.Keys(g.manifest.Trees)) {
		if err := c.tree(ctx, tree); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// An extent is the place in a shard of the lines of a file.
type extent struct {
	path, tree   string
	shard        int
	offset, size int64
	// stray says that the store has no record of the file.
	stray bool
}

type cat struct {
	g       *Generation
	w       *jsonl.Writer
	opts    CatOptions
	extents []extent
	buf     []byte
}

func (c *cat) tree(ctx context.Context, tree string) error {
	files := 0
	for _, p := range c.extents {
		if p.tree == tree && !p.stray {
			files++
		}
	}
	whole := len(c.opts.Types) == 0
	if whole {
		begin := &record.Begin{Schema: record.Schema, Tree: tree, Mode: record.Full, Files: files, Settings: c.g.manifest.Trees[tree].Settings}
		if err := c.w.Write(begin); err != nil {
			return err
		}
	}
	for _, stray := range []bool{false, true} {
		for _, p := range c.extents {
			if p.tree != tree || p.stray != stray {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := c.file(p); err != nil {
				return err
			}
		}
		if whole && !stray {
			if err := c.w.Write(&record.End{Files: files}); err != nil {
				return err
			}
		}
	}
	return nil
}

// file writes the records of one file.
func (c *cat) file(e extent) error {
	var data []byte
	err := c.g.readLines(&data, Place{e.shard, e.offset, e.size})
	if err != nil {
		return layout.WithCure(c.g.dir, err)
	}
	var f *shard.File
	for line := range strings.Lines(string(data)) {
		line := []byte(strings.TrimSuffix(line, "\n"))
		if f == nil {
			if f, err = shard.DecodeFile(line); err != nil {
				return layout.WithCure(c.g.dir, &layout.Damage{File: c.g.files[e.shard].Name(), What: err.Error()})
			}
			if !e.stray && len(c.opts.Types) == 0 {
				if err := c.w.Write(&f.Record); err != nil {
					return err
				}
			}
			continue
		}
		chunk, err := c.g.decodeChunk(line, f)
		if err != nil {
			return layout.WithCure(c.g.dir, &layout.Damage{File: c.g.files[e.shard].Name(), What: err.Error()})
		}
		if len(c.opts.Types) > 0 && !slices.Contains(c.opts.Types, chunk.ChunkType) {
			continue
		}
		if c.buf, err = c.append(c.buf[:0], chunk); err != nil {
			return err
		}
		if err := c.w.WriteLines(c.buf); err != nil {
			return err
		}
	}
	return nil
}

func (c *cat) append(dst []byte, chunk *record.Chunk) ([]byte, error) {
	if c.opts.Floats {
		return jsonl.AppendFloats(dst, chunk)
	}
	return jsonl.Append(dst, chunk)
}
