package store

import (
	"context"
	"maps"
	"slices"

	graph "cortex/lib/graph/old"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// Cat writes the store as a stream of which Run makes the same store again: a full run
// for every tree, with embeddings and times. A file record carries what the manifest
// keeps of it. Chunks that were put into the store without their file follow each run.
func Cat(ctx context.Context, dir string, w *record.Writer) error {
	return cat(ctx, dir, w, func(dst []byte, c *chunk) ([]byte, error) { return c.appendLine(dst), nil })
}

// CatFloats is Cat with embeddings as arrays of numbers, for readers such as jq.
func CatFloats(ctx context.Context, dir string, w *record.Writer) error {
	return cat(ctx, dir, w, appendFloats)
}

func appendFloats(dst []byte, c *chunk) ([]byte, error) {
	rec, err := record.Line{Data: c.appendLine(nil)}.Decode()
	if err != nil {
		return dst, err
	}
	return record.AppendFloats(dst, rec.(*record.Chunk))
}

func cat(ctx context.Context, dir string, w *record.Writer, encode func([]byte, *chunk) ([]byte, error)) error {
	var stored *storedChunks
	err := consistently(ctx, dir, func(root *safeopen.Root, m *Manifest) (err error) {
		stored, err = readStored(ctx, root, m)
		return err
	})
	if err != nil {
		return err
	}
	for _, tree := range slices.Sorted(maps.Keys(stored.manifest.Trees)) {
		if err := stored.writeTree(ctx, tree, w, encode); err != nil {
			return err
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// storedChunks are the chunks of one generation, by the tree path of their file: in the
// order of record.ChunkTypes and within a type by identifier.
type storedChunks struct {
	manifest *Manifest
	byPath   map[string][]*chunk
	// graph has what the file records carried for it; nil if the store has none.
	graph *graph.Builder
}

func readStored(ctx context.Context, root *safeopen.Root, m *Manifest) (*storedChunks, error) {
	stored := &storedChunks{manifest: m, byPath: map[string][]*chunk{}}
	if m.Graph != nil {
		var err error
		if stored.graph, err = loadFacts(ctx, root, m.Graph, false, func(string) bool { return true }); err != nil {
			return nil, err
		}
	}
	for kind := range kinds {
		var all []*chunk
		err := readChunkFile(ctx, root, m, kind, 2, false,
			func() { all = nil },
			func(b block) ([]*chunk, error) { return scanBlock(m, kind, b) },
			func(chunks []*chunk) error { all = append(all, chunks...); return nil })
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			stored.byPath[c.path] = append(stored.byPath[c.path], c)
		}
	}
	return stored, nil
}

func (s *storedChunks) writeTree(ctx context.Context, tree string, w *record.Writer, encode func([]byte, *chunk) ([]byte, error)) error {
	var files, strays []string
	for path, f := range s.manifest.Files {
		if f.Tree == tree {
			files = append(files, path)
		}
	}
	for path, chunks := range s.byPath {
		// Chunks that were picked into the store without their file.
		if f, known := s.manifest.Files[path]; chunks[0].tree == tree && !(known && f.Tree == tree) {
			strays = append(strays, path)
		}
	}
	slices.Sort(files)
	slices.Sort(strays)
	err := w.Write(&record.Begin{Schema: record.Schema, Tree: tree, Mode: record.Full, Files: len(files), Settings: s.manifest.Trees[tree].Settings})
	if err != nil {
		return err
	}
	for _, path := range files {
		f := s.manifest.file(tree, path)
		if s.graph != nil {
			s.graph.Fill(tree, f)
		}
		if err := w.Write(f); err != nil {
			return err
		}
		if err := s.writeChunks(ctx, path, w, encode); err != nil {
			return err
		}
	}
	if err := w.Write(&record.End{Files: len(files)}); err != nil {
		return err
	}
	for _, path := range strays {
		if err := s.writeChunks(ctx, path, w, encode); err != nil {
			return err
		}
	}
	return nil
}

func (s *storedChunks) writeChunks(ctx context.Context, path string, w *record.Writer, encode func([]byte, *chunk) ([]byte, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	var buf []byte
	for _, c := range s.byPath[path] {
		var err error
		if buf, err = encode(buf[:0], c); err != nil {
			return err
		}
		if err := w.WriteLines(buf); err != nil {
			return err
		}
	}
	return nil
}
