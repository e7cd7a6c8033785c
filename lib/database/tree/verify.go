package tree

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"cortex/lib/database"
	"cortex/lib/database/schema"
	"cortex/lib/hint"
	"cortex/lib/search/corpus"
	"cortex/lib/search/index"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
	"cortex/lib/terminal"
)

// maxFaults is the number of faults that are reported for one tree.
const maxFaults = 20

// Verify checks that the rows of trees are consistent with their chunks: records in canonical form, counts, embeddings,
// lexemes and postings. It passes each fault to report. The error says how many faults there are, or why the check
// could not finish.
func Verify(ctx context.Context, db *database.DB, names []string, report func(error)) error {
	faults := 0
	err := pgx.BeginTxFunc(ctx, db.Pool(), pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		list, err := Named(ctx, db, tx, names)
		if err != nil {
			return err
		}
		for _, t := range list {
			v := &verification{t: t, report: report}
			if err := v.run(ctx, tx); err != nil {
				return err
			}
			faults += v.faults
		}
		return nil
	})
	if err == nil && faults > 0 {
		err = hint.Wrap(fmt.Errorf("database %q: %s", db.Name(), terminal.Count(faults, "fault", "faults")), "remove the tree and index it again: SELECT cortex.forget('NAME')")
	}
	return db.Explain(err)
}

// A verification is the state of checking one tree.
type verification struct {
	t      *Tree
	report func(error)
	faults int
	// counts has the number of chunks by lexeme; vectors is the number of chunks with an embedding.
	counts  map[string]int
	vectors int
	// columns has the sum of the columns that each chunk must have, by the chunk's number.
	columns map[int]uint64
	seed    maphash.Seed
	tally   *layout.Tally
}

func (v *verification) fault(format string, args ...any) {
	if v.faults++; v.faults <= maxFaults {
		v.report(fmt.Errorf("tree %q: %w", v.t.Name, fmt.Errorf(format, args...)))
	}
}

func (v *verification) run(ctx context.Context, tx pgx.Tx) error {
	v.counts, v.columns, v.seed, v.tally = map[string]int{}, map[int]uint64{}, maphash.MakeSeed(), layout.NewTally()
	stemmer, err := corpus.NewStemmer(v.t.Stemmer)
	if err != nil {
		return err
	}
	a := corpus.Analysis(stemmer)
	if a.Version != v.t.Analyser {
		v.fault("its words were analysed by another version of Cortex (%s, this one has %s): the next run does them again", v.t.Analyser, a.Version)
		a = nil
	}
	if err := v.t.Each(ctx, tx, func(f *File) error { v.file(f, a); return nil }); err != nil {
		return err
	}
	v.checkCounts()
	if a == nil {
		return nil
	}
	if err := v.checkColumns(ctx, tx); err != nil {
		return err
	}
	if err := v.checkVectors(ctx, tx); err != nil {
		return err
	}
	return v.checkWords(ctx, tx)
}

// file checks the rows of a file.
func (v *verification) file(f *File, a *index.Analysis) {
	have := shard.File{}
	for i := range f.Chunks {
		c := &f.Chunks[i]
		row, err := schema.ChunkOf(f.File, c.Record)
		switch {
		case err != nil || row != c.Row:
			v.fault("chunk %q is not in canonical form", c.Record.ID)
		case i > 0 && f.Chunks[i-1].Record.ID == c.Record.ID:
			v.fault("chunk %q is there twice", c.Record.ID)
		case c.Number >= v.t.Next:
			v.fault("chunk %q has number %d, the next one is %d", c.Record.ID, c.Number, v.t.Next)
		}
		have.Chunks[shard.TypeNumber(c.Record.ChunkType)]++
		if c.Vector == nil {
			have.Unembedded++
		} else if v.vectors++; len(c.Vector.Values) != v.t.Manifest.Dimensions {
			v.fault("chunk %q has %s, the tree %s", c.Record.ID, layout.DescribeModel(v.t.Manifest.Model, len(c.Vector.Values)), layout.DescribeModel(v.t.Manifest.Model, v.t.Manifest.Dimensions))
		}
		if a != nil {
			seen, lengths := map[string]bool{}, make([]int, len(a.Dicts))
			a.Terms(c.Record, func(dict int, term string, _, _ int) {
				lengths[a.Dicts[dict].Length]++
				if lexeme := schema.Lexeme(dict, term); !seen[lexeme] {
					seen[lexeme] = true
					v.counts[lexeme]++
				}
			})
			v.columns[c.Number] = ColumnsOf(a, c.Record, lengths).sum(v.seed)
		}
	}
	if have.Chunks != f.File.Chunks || have.Unembedded != f.File.Unembedded {
		v.fault("file %q has other chunks than its record says", f.Path)
	}
	line, err := f.File.Append(nil, nil)
	if err != nil || string(bytes.TrimSuffix(line, []byte("\n"))) != f.Head {
		v.fault("file %q is not in canonical form", f.Path)
	}
	v.tally.Count(f.File, 1)
}

func (v *verification) checkCounts() {
	derived := v.t.Manifest
	derived.Trees = maps.Clone(derived.Trees)
	own := derived.Trees[v.t.Name]
	own.Files, own.Chunks = 0, 0
	derived.Trees[v.t.Name] = own
	derived.SetCounts(v.tally)
	if !layout.SameContent(&derived, &v.t.Manifest) {
		v.fault("its counts do not follow from what it holds")
	}
}

// checkColumns checks that each row of chunks belongs to a file, and that its columns follow from its record.
func (v *verification) checkColumns(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, `SELECT number, id, chunk_type, title, language, package, tags, symbols::text, start_line, end_line, traits, lengths
		FROM cortex.chunks WHERE tree_id = $1`, v.t.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var number int
		var symbols string
		var c Columns
		if err := rows.Scan(&number, &c.ID, &c.Type, &c.Title, &c.Language, &c.Package, &c.Tags, &symbols, &c.StartLine, &c.EndLine, &c.Traits, &c.Lengths); err != nil {
			return err
		}
		want, known := v.columns[number]
		if !known {
			v.fault("chunk %q belongs to no file", c.ID)
			continue
		}
		if c.Symbols, err = schema.Symbols([]byte(symbols)); err != nil || c.sum(v.seed) != want {
			v.fault("chunk %q: its columns do not follow from its record", c.ID)
		}
	}
	return rows.Err()
}

func (v *verification) checkVectors(ctx context.Context, tx pgx.Tx) error {
	n, others := 0, 0
	err := tx.QueryRow(ctx, `SELECT count(*), count(*) FILTER (WHERE model_id <> $2) FROM cortex.embeddings WHERE tree_id = $1`, v.t.ID, v.t.ModelID).Scan(&n, &others)
	if err != nil {
		return err
	}
	if n != v.vectors {
		v.fault("it has %s, of which %d belong to chunks", terminal.Count(n, "embedding", "embeddings"), v.vectors)
	}
	if others > 0 {
		v.fault("%s of another model than the tree", terminal.Count(others, "embedding", "embeddings"))
	}
	return nil
}

// checkWords compares the tables lexemes and postings with the words of the chunks.
func (v *verification) checkWords(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, `SELECT lexeme, chunks FROM cortex.lexemes WHERE tree_id = $1`, v.t.ID)
	if err != nil {
		return err
	}
	stored := map[string]int{}
	var lexeme string
	var chunks int
	if _, err := pgx.ForEachRow(rows, []any{&lexeme, &chunks}, func() error { stored[lexeme] = chunks; return nil }); err != nil {
		return err
	}
	for lexeme, n := range v.counts {
		if stored[lexeme] != n {
			v.fault("lexeme %q: %s, the table says %d", lexeme, terminal.Count(n, "chunk", "chunks"), stored[lexeme])
		}
	}
	for lexeme, n := range stored {
		if v.counts[lexeme] != n || n == 0 {
			v.fault("lexeme %q: %s, the table says %d", lexeme, terminal.Count(v.counts[lexeme], "chunk", "chunks"), n)
		}
	}
	// The index finds postings by lexeme.
	names := slices.Sorted(maps.Keys(stored))
	for part := range slices.Chunk(names, 2000) {
		if err := v.checkPostings(ctx, tx, part); err != nil {
			return err
		}
	}
	return nil
}

func (v *verification) checkPostings(ctx context.Context, tx pgx.Tx, lexemes []string) error {
	rows, err := tx.Query(ctx, `SELECT lexeme, first, data, places FROM cortex.postings WHERE tree_id = $1 AND lexeme = ANY($2)`, v.t.ID, lexemes)
	if err != nil {
		return err
	}
	found := map[string]int{}
	var lexeme string
	var first int
	var data, places []byte
	_, err = pgx.ForEachRow(rows, []any{&lexeme, &first, &data, &places}, func() error {
		err := schema.EachPosting(first, data, func(number, _ int) {
			if _, live := v.columns[number]; live {
				found[lexeme]++
			}
		})
		if err == nil && len(places) > 0 {
			err = schema.EachPlace(first, data, places, func(int, []schema.Place) {})
		}
		if err != nil {
			v.fault("lexeme %q: %w", lexeme, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, lexeme := range lexemes {
		if found[lexeme] != v.counts[lexeme] {
			v.fault("lexeme %q: %s in postings, %d have it", lexeme, terminal.Count(found[lexeme], "chunk", "chunks"), v.counts[lexeme])
		}
	}
	return nil
}
