package read

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database/schema"
	"cortex/lib/record"
	"cortex/lib/store"
	"cortex/lib/store/layout"
)

// Status returns the combined status of the trees. Its generation is the sum of theirs.
func (s *Session) Status() (*store.Status, error) {
	all := &store.Status{}
	all.Generation, all.Model, all.Dimensions = s.state.generations(), s.state.model, s.state.dimensions
	all.Stats = layout.Stats{FilesByStatus: map[record.Status]int{}, ChunksByType: map[record.ChunkType]int{}, Languages: map[string]layout.LanguageStats{}}
	err := s.query(`SELECT generated_at, stats::text FROM cortex.trees WHERE id = ANY($1)`, func(rows pgx.Rows) error {
		var at, text string
		var one layout.Stats
		if err := rows.Scan(&at, &text); err != nil {
			return err
		}
		if err := json.Unmarshal([]byte(text), &one); err != nil {
			return fmt.Errorf("read status: %w", err)
		}
		all.GeneratedAt = max(all.GeneratedAt, at)
		add(&all.Stats, &one)
		return nil
	}, s.state.ids)
	if err != nil {
		return nil, err
	}
	if err := s.query(schema.DiskBytes, func(rows pgx.Rows) error { return rows.Scan(&all.DiskBytes) }); err != nil {
		return nil, err
	}
	return all, nil
}

// add adds the statistics of one tree to those of others.
func add(to, from *layout.Stats) {
	to.Files, to.Bytes, to.Chunks, to.Unembedded = to.Files+from.Files, to.Bytes+from.Bytes, to.Chunks+from.Chunks, to.Unembedded+from.Unembedded
	for status, n := range from.FilesByStatus {
		to.FilesByStatus[status] += n
	}
	for kind, n := range from.ChunksByType {
		to.ChunksByType[kind] += n
	}
	for name, l := range from.Languages {
		sum := to.Languages[name]
		to.Languages[name] = layout.LanguageStats{Files: sum.Files + l.Files, Bytes: sum.Bytes + l.Bytes, Chunks: sum.Chunks + l.Chunks, Partial: sum.Partial + l.Partial, Error: sum.Error + l.Error}
	}
}

// File returns the record of a file by its tree path, then those of its chunks; nothing if the file does not exist. An
// entry is valid until the next one.
func (s *Session) File(ctx context.Context, path string) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		var list []store.Entry
		err := s.query(`SELECT f.head, f.facts, c.text, c.record FROM cortex.files f LEFT JOIN cortex.chunks c ON c.tree_id = f.tree_id AND c.path = f.path
			WHERE f.tree_id = ANY($1) AND f.path = $2 ORDER BY c.id`, func(rows pgx.Rows) error {
			var head, facts string
			var text, line *string
			if err := rows.Scan(&head, &facts, &text, &line); err != nil {
				return err
			}
			if list == nil {
				file, err := schema.FileWithFacts(head, facts)
				if err != nil {
					return err
				}
				list = append(list, store.Entry{File: &file.Record, Tree: file.Tree})
			}
			if line == nil {
				return nil
			}
			file, err := schema.File(head)
			if err != nil {
				return err
			}
			row := schema.Chunk{Text: *text, Record: *line}
			c, err := row.Chunk(file, nil, "")
			list = append(list, store.Entry{File: list[0].File, Chunk: c, Tree: file.Tree})
			return err
		}, s.state.ids, path)
		if err != nil {
			yield(store.Entry{}, fmt.Errorf("read file %q: %w", path, err))
			return
		}
		for _, e := range list {
			if ctx.Err() != nil || !yield(e, ctx.Err()) {
				return
			}
		}
	}
}
