package write

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database"
	"cortex/lib/database/schema"
	"cortex/lib/database/tree"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// limits are numbers that tests reduce; 0 stands for the default.
type limits struct {
	// perBlock is the number of chunks that one row of postings covers.
	perBlock int
	// leastRewritten is the number of chunks in postings above which postings are rewritten to drop removed chunks.
	leastRewritten int
}

// A change is a transaction that changes one tree. It implements update.Tree.
type change struct {
	limits
	tx       pgx.Tx
	analysis *index.Analysis
	// stemmer is the language of the analysis's stems, "" for the default.
	stemmer string
	by      writeMethod
	old     *tree.Tree
	known   bool
	// model is the number of the model of all embeddings.
	model     int
	committed bool

	// read has the files that the last call of Lines returned.
	read map[string]*tree.File
	// next is the number for the next chunk; posted is the number of chunks in postings.
	next, posted int
	id           string // the tree's identifier as text
	words        *words
	files        table
	chunks       table
	embeddings   table
	postings     table
	counts       table
	// gone has the numbers of chunks, gonePaths the paths of files whose rows are to be deleted.
	gone      []int32
	gonePaths []string
}

// most is the number of bytes of rows that are held in memory.
const most = 16 << 20

// start initializes the counters and empties the tables.
func (t *change) start() {
	t.id, t.next, t.posted = strconv.Itoa(int(t.old.ID)), t.old.Next, t.old.Posted
	t.files = table{name: "cortex.files", columns: columnsOf("tree_id integer, path text, status text, language text, package text, sha256 text, size bigint, head text, facts text")}
	t.chunks = table{name: "cortex.chunks", columns: columnsOf("tree_id integer, number integer, path text, id text, chunk_type text, title text, language text, package text, tags text[], " +
		"symbols jsonb, start_line integer, end_line integer, traits integer, lengths integer[], text text, record text, created_at timestamptz, updated_at timestamptz")}
	t.embeddings = table{name: "cortex.embeddings", columns: columnsOf("tree_id integer, number integer, model_id integer, embedding halfvec, scale real, exact bytea")}
	t.postings = table{name: "cortex.postings", columns: columnsOf("tree_id integer, lexeme text, first integer, data bytea, places bytea")}
	t.counts = table{name: "cortex_counts", columns: columnsOf("lexeme text, chunks integer")}
}

// Manifest implements update.Tree.
func (t *change) Manifest() *layout.Manifest {
	if !t.known {
		return nil
	}
	m := t.old.Manifest
	return &m
}

// Files implements update.Tree.
func (t *change) Files(ctx context.Context, paths []string) ([]*shard.File, error) {
	return tree.Heads(ctx, t.tx, t.old.ID, paths)
}

// Lines implements update.Tree.
func (t *change) Lines(ctx context.Context, paths []string) (map[string][]byte, error) {
	list, err := t.old.Files(ctx, t.tx, paths)
	if err != nil {
		return nil, err
	}
	lines := make(map[string][]byte, len(list))
	t.read = make(map[string]*tree.File, len(list))
	for _, f := range list {
		t.read[f.Path] = f
		if lines[f.Path], err = f.Lines(); err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// Put implements update.Tree.
func (t *change) Put(ctx context.Context, path string, was, now []byte) error {
	old := t.read[path]
	stored := map[string]*tree.Chunk{}
	if old != nil {
		for i := range old.Chunks {
			stored[old.Chunks[i].Record.ID] = &old.Chunks[i]
		}
		t.gonePaths = append(t.gonePaths, path)
	}
	if len(now) > 0 {
		f, err := decode(now)
		if err != nil {
			return err
		}
		t.addFile(f)
		same := old != nil && old.File.SameForChunks(f.File)
		for i := range f.Chunks {
			c := &f.Chunks[i]
			before := stored[c.Record.ID]
			if same && before != nil && before.Row == c.Row && sameVector(before.Vector, c.Vector) {
				delete(stored, c.Record.ID)
				continue
			}
			if err := t.addChunk(ctx, f, c); err != nil {
				return err
			}
		}
	}
	for _, c := range stored {
		t.remove(c)
	}
	return t.flush(ctx, false)
}

// decode decodes the lines of a file and its chunks.
func decode(lines []byte) (*tree.File, error) {
	f := &tree.File{}
	for line := range bytes.Lines(lines) {
		if f.File == nil {
			head, facts, err := shard.DecodeHead(line)
			if err != nil {
				return nil, err
			}
			bare, err := head.Append(nil, nil)
			if err != nil {
				return nil, err
			}
			f.File, f.Path, f.Head, f.Facts = head, head.Path(), string(bytes.TrimSuffix(bare, []byte("\n"))), string(facts)
			continue
		}
		r, err := shard.DecodeChunk(bytes.TrimSuffix(line, []byte("\n")), f.File, "")
		if err != nil {
			return nil, err
		}
		c := tree.Chunk{Record: r, Vector: schema.VectorOf(r.Embedding)}
		if c.Row, err = schema.ChunkOf(f.File, r); err != nil {
			return nil, err
		}
		f.Chunks = append(f.Chunks, c)
	}
	return f, nil
}

func sameVector(a, b *schema.Vector) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Scale == b.Scale && slices.Equal(a.Values, b.Values) && bytes.Equal(a.Exact, b.Exact)
}

func (t *change) addFile(f *tree.File) {
	r := &f.File.Record
	t.files.add(t.id, f.Path, string(r.Status), r.Language, schema.Clean(r.Package), r.SHA256, strconv.FormatInt(r.Size, 10), f.Head, f.Facts)
}

// addChunk adds the rows of a chunk under the next number.
func (t *change) addChunk(ctx context.Context, f *tree.File, c *tree.Chunk) error {
	if t.words != nil && t.words.count >= cmp.Or(t.perBlock, schema.Block) {
		t.endBlock()
		if err := t.flush(ctx, true); err != nil {
			return err
		}
	}
	if t.words == nil {
		t.words = newWords(t.analysis, t.next)
	}
	number := t.next
	t.next++
	t.posted++
	lengths := t.words.add(number, c.Record)
	r := tree.ColumnsOf(t.analysis, c.Record, lengths)
	symbols, err := schema.SymbolsText(r.Symbols)
	if err != nil {
		return err
	}
	n := strconv.Itoa(number)
	t.chunks.add(t.id, n, f.Path, r.ID, r.Type, r.Title, r.Language, r.Package, texts(r.Tags), symbols,
		strconv.Itoa(r.StartLine), strconv.Itoa(r.EndLine), strconv.Itoa(int(r.Traits)), integers(r.Lengths), c.Row.Text, c.Row.Record, c.Row.Created, c.Row.Updated)
	if v := c.Vector; v != nil {
		exact := null
		if len(v.Exact) > 0 {
			exact = bytea(v.Exact)
		}
		t.embeddings.add(t.id, n, strconv.Itoa(t.model), v.Text(), strconv.FormatFloat(float64(v.Scale), 'g', -1, 32), exact)
	}
	return nil
}

// remove marks a chunk for deletion, and subtracts its lexemes.
func (t *change) remove(c *tree.Chunk) {
	t.gone = append(t.gone, int32(c.Number))
	// Words of another analysis are rewritten before the commit.
	if t.old.Analyser == t.analysis.Version {
		for lexeme := range lexemesOf(t.analysis, c.Record) {
			t.counts.add(lexeme, "-1")
		}
	}
}

// endBlock adds the rows of the current block of postings.
func (t *change) endBlock() {
	if t.words != nil {
		t.words.rows(t.id, &t.postings, &t.counts)
		t.words = nil
	}
}

// flush writes the rows into the database if there are many, or if all is set.
func (t *change) flush(ctx context.Context, all bool) error {
	if !all && t.files.bytes+t.chunks.bytes+t.embeddings.bytes+t.counts.bytes < most {
		return nil
	}
	if len(t.gonePaths) > 0 {
		if _, err := t.tx.Exec(ctx, `DELETE FROM cortex.files WHERE tree_id = $1 AND path = ANY($2)`, t.old.ID, t.gonePaths); err != nil {
			return fmt.Errorf("remove files: %w", err)
		}
		t.gonePaths = t.gonePaths[:0]
	}
	if len(t.gone) > 0 {
		for _, sql := range []string{`DELETE FROM cortex.chunks WHERE tree_id = $1 AND number = ANY($2)`, `DELETE FROM cortex.embeddings WHERE tree_id = $1 AND number = ANY($2)`} {
			if _, err := t.tx.Exec(ctx, sql, t.old.ID, t.gone); err != nil {
				return fmt.Errorf("remove chunks: %w", err)
			}
		}
		t.gone = t.gone[:0]
	}
	for _, rows := range []*table{&t.files, &t.chunks, &t.embeddings, &t.postings, &t.counts} {
		if err := rows.flush(ctx, t.tx, t.by); err != nil {
			return err
		}
	}
	return nil
}

// leastRewritten is the default of limits.leastRewritten.
const leastRewritten = 1000

// Commit implements update.Tree.
func (t *change) Commit(ctx context.Context, next *layout.Manifest) error {
	t.endBlock()
	if err := t.flush(ctx, true); err != nil {
		return err
	}
	otherwise := t.known && t.old.Analyser != t.analysis.Version
	if live := next.Stats.Chunks; otherwise || t.posted > cmp.Or(t.leastRewritten, leastRewritten) && t.posted > 2*live {
		if err := t.rewrite(ctx, next); err != nil {
			return err
		}
	}
	own := next.Trees[t.old.Name]
	settings, err := json.Marshal(own.Settings)
	if err != nil {
		return err
	}
	stats, err := json.Marshal(next.Stats)
	if err != nil {
		return err
	}
	if _, err := t.tx.Exec(ctx, `INSERT INTO cortex.lexemes (tree_id, lexeme, chunks)
		SELECT $1::integer, lexeme, sum(chunks) FROM cortex_counts GROUP BY lexeme HAVING sum(chunks) <> 0 ORDER BY lexeme
		ON CONFLICT (lexeme, tree_id) DO UPDATE SET chunks = lexemes.chunks + excluded.chunks`, t.old.ID); err != nil {
		return fmt.Errorf("write cortex.lexemes: %w", err)
	}
	if err := t.forgetLexemes(ctx); err != nil {
		return err
	}
	var model *int
	if next.Dimensions > 0 {
		model = &t.model
		if t.old.ModelID != 0 && t.old.ModelID != t.model {
			if _, err := t.tx.Exec(ctx, `UPDATE cortex.embeddings SET model_id = $2 WHERE tree_id = $1 AND model_id <> $2`, t.old.ID, t.model); err != nil {
				return fmt.Errorf("write cortex.embeddings: %w", err)
			}
		}
	}
	stemmer := cmp.Or(strings.ToLower(strings.TrimSpace(t.stemmer)), corpus.DefaultStemmer)
	_, err = t.tx.Exec(ctx, `UPDATE cortex.trees SET generation = $2, generated_at = $3, settings = $4::text::jsonb, again = $5, model_id = $6, analyser = $7, stemmer = $8,
		stats = $9::text::jsonb, files = $10, chunks = $11, next_number = $12, posted = $13, written = gen_random_uuid() WHERE id = $1`,
		t.old.ID, next.Generation, next.GeneratedAt, string(settings), own.Again, model, t.analysis.Version, stemmer, string(stats), own.Files, own.Chunks, t.next, t.posted)
	if err != nil {
		return fmt.Errorf("write cortex.trees: %w", err)
	}
	if _, err := t.tx.Exec(ctx, `SELECT pg_notify($1, $2)`, database.Channel, fmt.Sprintf("%d %d", t.old.ID, next.Generation)); err != nil {
		return err
	}
	t.committed = true
	return t.tx.Commit(ctx)
}

// forgetLexemes deletes the lexemes that only removed chunks had, with their postings.
func (t *change) forgetLexemes(ctx context.Context) error {
	rows, err := t.tx.Query(ctx, `DELETE FROM cortex.lexemes WHERE tree_id = $1 AND chunks <= 0 AND lexeme = ANY(ARRAY(SELECT DISTINCT lexeme FROM cortex_counts WHERE chunks < 0)) RETURNING lexeme`, t.old.ID)
	if err != nil {
		return fmt.Errorf("remove lexemes: %w", err)
	}
	gone, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(gone) == 0 {
		return err
	}
	if _, err := t.tx.Exec(ctx, `DELETE FROM cortex.postings WHERE tree_id = $1 AND lexeme = ANY($2)`, t.old.ID, gone); err != nil {
		return fmt.Errorf("remove postings: %w", err)
	}
	return nil
}

// rewrite gives every chunk of the tree a new number and writes all postings again.
func (t *change) rewrite(ctx context.Context, next *layout.Manifest) error {
	if _, err := t.tx.Exec(ctx, `DELETE FROM cortex.postings p USING cortex.lexemes l WHERE l.tree_id = $1 AND p.tree_id = $1 AND p.lexeme = l.lexeme`, t.old.ID); err != nil {
		return fmt.Errorf("remove postings: %w", err)
	}
	// The lexemes of this run are not yet in the table lexemes.
	if _, err := t.tx.Exec(ctx, `DELETE FROM cortex.postings p USING (SELECT DISTINCT lexeme FROM cortex_counts) l WHERE p.tree_id = $1 AND p.lexeme = l.lexeme`, t.old.ID); err != nil {
		return fmt.Errorf("remove postings: %w", err)
	}
	for _, sql := range []string{`DELETE FROM cortex.lexemes WHERE tree_id = $1`, `DELETE FROM cortex_counts WHERE $1::integer IS NOT NULL`} {
		if _, err := t.tx.Exec(ctx, sql, t.old.ID); err != nil {
			return fmt.Errorf("remove lexemes: %w", err)
		}
	}
	t.posted = 0
	now := *t.old
	now.Manifest.Model = next.Model
	err := now.Each(ctx, t.tx, func(f *tree.File) error {
		for i := range f.Chunks {
			t.gone = append(t.gone, int32(f.Chunks[i].Number))
			if err := t.addChunk(ctx, f, &f.Chunks[i]); err != nil {
				return err
			}
		}
		return t.flush(ctx, false)
	})
	t.endBlock()
	if err != nil {
		return err
	}
	return t.flush(ctx, true)
}
