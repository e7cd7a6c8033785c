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
	c := &cat{g: g, w: w, opts: opts, files: map[string][]extent{}, strays: map[string][]extent{}}
	for i := range g.files {
		list, err := g.heads(ctx, i)
		if err != nil {
			return err
		}
		for _, h := range list {
			of := c.files
			if h.Record.Status == "" {
				of = c.strays
			}
			of[h.Tree] = append(of[h.Tree], extent{h.Path(), Place{i, h.offset, h.size}})
		}
	}
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

// An extent is the place of the lines of a file.
type extent struct {
	path string
	Place
}

type cat struct {
	g    *Generation
	w    *jsonl.Writer
	opts CatOptions
	// files and strays have the extents of each tree. The store has no record of a stray file.
	files, strays map[string][]extent
	buf           []byte
}

func (c *cat) tree(ctx context.Context, tree string) error {
	files := len(c.files[tree])
	whole := len(c.opts.Types) == 0
	if whole {
		begin := &record.Begin{Schema: record.Schema, Tree: tree, Mode: record.Full, Files: files, Settings: c.g.manifest.Trees[tree].Settings}
		if err := c.w.Write(begin); err != nil {
			return err
		}
	}
	if err := c.list(ctx, c.files[tree]); err != nil {
		return err
	}
	if whole {
		if err := c.w.Write(&record.End{Files: files}); err != nil {
			return err
		}
	}
	return c.list(ctx, c.strays[tree])
}

// list writes the records of files in order of their paths.
func (c *cat) list(ctx context.Context, files []extent) error {
	slices.SortFunc(files, func(a, b extent) int { return strings.Compare(a.path, b.path) })
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.file(f.Place); err != nil {
			return err
		}
	}
	return nil
}

// file writes the records of one file.
func (c *cat) file(at Place) error {
	var data []byte
	err := c.g.readLines(&data, at)
	if err != nil {
		return layout.WithCure(c.g.dir, err)
	}
	var f *shard.File
	for line := range strings.Lines(string(data)) {
		line := []byte(strings.TrimSuffix(line, "\n"))
		if f == nil {
			if f, err = shard.DecodeFile(line); err != nil {
				return layout.WithCure(c.g.dir, &layout.Damage{File: c.g.files[at.Shard].Name(), What: err.Error()})
			}
			if f.Record.Status != "" && len(c.opts.Types) == 0 {
				if err := c.w.Write(&f.Record); err != nil {
					return err
				}
			}
			continue
		}
		chunk, err := c.g.decodeChunk(line, f)
		if err != nil {
			return layout.WithCure(c.g.dir, &layout.Damage{File: c.g.files[at.Shard].Name(), What: err.Error()})
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
