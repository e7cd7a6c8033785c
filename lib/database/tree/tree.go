// Package tree reads whole trees from a database: their files, chunks and settings, in the types of a store on disk.
// Begin with tree.go; cat.go writes trees as records, verify.go checks them.
package tree

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database/schema"
	"cortex/lib/record"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A Queryer runs queries: a transaction or a pool.
type Queryer interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// A Tree is a row of the table trees.
type Tree struct {
	ID   int32
	Name string
	// Analyser is the version of the analysis by which the words are indexed, Stemmer the language of their stems.
	Analyser, Stemmer string
	// ModelID is the number of the embedding model, 0 for none.
	ModelID int
	// Next is the number for the next chunk. Posted is the number of chunks in postings, including removed ones.
	Next, Posted int
	// Manifest is the manifest of a store with this tree alone, without shards.
	Manifest layout.Manifest
}

const columns = `t.id, t.name, t.generation, t.generated_at, t.settings::text, t.again, coalesce(t.model_id, 0), coalesce(m.name, ''), coalesce(m.dimensions, 0),
	t.analyser, t.stemmer, t.stats::text, t.files, t.chunks, t.next_number, t.posted FROM cortex.trees t LEFT JOIN cortex.models m ON m.id = t.model_id`

// All returns the trees with the given names, or all trees if names is nil, sorted by name. It omits trees that were
// never committed.
func All(ctx context.Context, q Queryer, names []string) ([]*Tree, error) {
	sql := `SELECT ` + columns + ` WHERE t.generation > 0 ORDER BY t.name`
	args := []any{}
	if names != nil {
		sql = `SELECT ` + columns + ` WHERE t.name = ANY($1) AND t.generation > 0 ORDER BY t.name`
		args = append(args, names)
	}
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

func scan(row pgx.CollectableRow) (*Tree, error) {
	t := &Tree{}
	m := &t.Manifest
	own := layout.Tree{}
	var settings, stats string
	err := row.Scan(&t.ID, &t.Name, &m.Generation, &m.GeneratedAt, &settings, &own.Again, &t.ModelID, &m.Model, &m.Dimensions,
		&t.Analyser, &t.Stemmer, &stats, &own.Files, &own.Chunks, &t.Next, &t.Posted)
	if err == nil {
		err = json.Unmarshal([]byte(settings), &own.Settings)
	}
	if err == nil {
		err = json.Unmarshal([]byte(stats), &m.Stats)
	}
	if err != nil {
		return nil, fmt.Errorf("read tree %q: %w", t.Name, err)
	}
	m.Version, m.Trees, m.Settings = layout.Version, map[string]layout.Tree{t.Name: own}, maps.Clone(own.Settings)
	return t, nil
}

// A File is a file with its chunks.
type File struct {
	// Path is the tree path.
	Path string
	// Head and Facts are the columns of these names.
	Head, Facts string
	// File is Head, decoded.
	File *shard.File
	// Chunks are sorted by identifier.
	Chunks []Chunk
}

// A Chunk is a row of the table chunks with its embedding.
type Chunk struct {
	Number int
	Row    schema.Chunk
	Vector *schema.Vector
	// Record is decoded from Row and Vector.
	Record *record.Chunk
}

// Full returns the file's record with its facts.
func (f *File) Full() (*record.File, error) {
	full, err := schema.FileWithFacts(f.Head, f.Facts)
	if err != nil {
		return nil, err
	}
	return &full.Record, nil
}

// Lines returns the lines of the file and its chunks as in a shard of a store.
func (f *File) Lines() ([]byte, error) {
	var facts []byte
	if f.Facts != "" {
		facts = []byte(f.Facts)
	}
	lines, err := f.File.Append(nil, facts)
	for i := 0; i < len(f.Chunks) && err == nil; i++ {
		lines, err = shard.AppendChunk(lines, f.File, f.Chunks[i].Record)
	}
	return lines, err
}

// Heads returns the files of a tree without facts, by path; if paths is not nil, only those with these paths.
func Heads(ctx context.Context, q Queryer, id int32, paths []string) ([]*shard.File, error) {
	sql, args := `SELECT head FROM cortex.files WHERE tree_id = $1 ORDER BY path`, []any{id}
	if paths != nil {
		sql, args = `SELECT head FROM cortex.files WHERE tree_id = $1 AND path = ANY($2) ORDER BY path`, []any{id, paths}
	}
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (*shard.File, error) {
		var head string
		if err := row.Scan(&head); err != nil {
			return nil, err
		}
		return schema.File(head)
	})
}

// Files returns the files of the tree with these paths, with their chunks, by path.
func (t *Tree) Files(ctx context.Context, q Queryer, paths []string) ([]*File, error) {
	rows, err := q.Query(ctx, `SELECT path, head, facts FROM cortex.files WHERE tree_id = $1 AND path = ANY($2) ORDER BY path`, t.ID, paths)
	if err != nil {
		return nil, err
	}
	files, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*File, error) {
		f := &File{}
		if err := row.Scan(&f.Path, &f.Head, &f.Facts); err != nil {
			return nil, err
		}
		var err error
		if f.File, err = schema.File(f.Head); err != nil {
			return nil, fmt.Errorf("file %q: %w", f.Path, err)
		}
		return f, nil
	})
	if err != nil {
		return nil, err
	}
	return files, t.addChunks(ctx, q, files)
}

// Time is the format in which queries return times.
const Time = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`

func (t *Tree) addChunks(ctx context.Context, q Queryer, files []*File) error {
	byPath := make(map[string]*File, len(files))
	paths := make([]string, len(files))
	for i, f := range files {
		byPath[f.Path], paths[i] = f, f.Path
	}
	rows, err := q.Query(ctx, `SELECT c.path, c.number, c.record, c.text, to_char(c.created_at AT TIME ZONE 'UTC', `+Time+`), to_char(c.updated_at AT TIME ZONE 'UTC', `+Time+`),
		coalesce(e.embedding::text, ''), coalesce(e.scale, 0), e.exact
		FROM cortex.chunks c LEFT JOIN cortex.embeddings e ON e.tree_id = c.tree_id AND e.number = c.number
		WHERE c.tree_id = $1 AND c.path = ANY($2)`, t.ID, paths)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var path, vector string
		c := Chunk{Vector: &schema.Vector{}}
		if err := rows.Scan(&path, &c.Number, &c.Row.Record, &c.Row.Text, &c.Row.Created, &c.Row.Updated, &vector, &c.Vector.Scale, &c.Vector.Exact); err != nil {
			return err
		}
		if vector == "" {
			c.Vector = nil
		} else if c.Vector.Values, err = schema.Values(vector); err != nil {
			return fmt.Errorf("chunk %d of tree %q: %w", c.Number, t.Name, err)
		}
		f := byPath[path]
		if c.Record, err = c.Row.Chunk(f.File, c.Vector.Embedding(), t.Manifest.Model); err != nil {
			return fmt.Errorf("chunk %d of tree %q: %w", c.Number, t.Name, err)
		}
		f.Chunks = append(f.Chunks, c)
	}
	for _, f := range files {
		slices.SortFunc(f.Chunks, func(a, b Chunk) int { return strings.Compare(a.Record.ID, b.Record.ID) })
	}
	return rows.Err()
}

// batch is the number of files that one query reads.
const batch = 200

// Each visits the files of the tree by path, with their chunks.
func (t *Tree) Each(ctx context.Context, q Queryer, visit func(f *File) error) error {
	last, more := "", true
	for more {
		rows, err := q.Query(ctx, `SELECT path FROM cortex.files WHERE tree_id = $1 AND path > $2 ORDER BY path LIMIT $3`, t.ID, last, batch)
		if err != nil {
			return err
		}
		paths, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		if more = len(paths) == batch; len(paths) == 0 {
			return nil
		}
		last = paths[len(paths)-1]
		files, err := t.Files(ctx, q, paths)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := visit(f); err != nil {
				return err
			}
		}
	}
	return nil
}
