package read

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"cortex/lib/database/schema"
	"cortex/lib/record"
	"cortex/lib/search/index"
)

// maxTogether bounds the number of chunks whose entries are in memory at once while catalogues are made.
const maxTogether = 50_000

// catalogues returns the catalogues of the trees of a state. It reads those that are missing, or waits if another
// session is reading them.
func (r *Reader) catalogues(ctx context.Context, tx pgx.Tx, s *state) ([]*index.Catalogue, error) {
	list := make([]*index.Catalogue, len(s.trees))
	var waits []chan struct{}
	var mine []int
	total := 0
	r.mu.Lock()
	for i, t := range s.trees {
		if known := r.known[t.id]; known != nil && known.generation == t.generation {
			list[i] = known.Catalogue
			continue
		}
		if wait := r.loading[t.treeVersion]; wait != nil {
			waits = append(waits, wait)
			continue
		}
		r.loading[t.treeVersion] = make(chan struct{})
		mine = append(mine, i)
		total += t.chunks
	}
	r.mu.Unlock()
	done := func(i int) {
		r.mu.Lock()
		defer r.mu.Unlock()
		close(r.loading[s.trees[i].treeVersion])
		delete(r.loading, s.trees[i].treeVersion)
	}
	left := mine
	defer func() {
		for _, i := range left {
			done(i)
		}
	}()
	keep := func(i int, c *index.Catalogue) {
		t := s.trees[i]
		list[i] = c
		r.mu.Lock()
		defer r.mu.Unlock()
		if known := r.known[t.id]; known == nil || known.generation < t.generation {
			r.known[t.id] = &catalogue{t.treeVersion, c}
		}
	}
	kept := r.openKept(s, left)
	left = slices.DeleteFunc(left, func(i int) bool {
		if kept[i] == nil {
			return false
		}
		keep(i, kept[i])
		done(i)
		total -= s.trees[i].chunks
		return true
	})
	read := 0
	for len(left) > 0 {
		n, chunks := 0, 0
		for n < len(left) && (n == 0 || chunks+s.trees[left[n]].chunks <= maxTogether) {
			chunks += s.trees[left[n]].chunks
			n++
		}
		made, err := r.readCatalogues(ctx, tx, s, left[:n])
		if err != nil {
			return nil, err
		}
		opened := make([]*index.Catalogue, n)
		for k, i := range left[:n] {
			if opened[k], err = index.CatalogueOf(made[k], r.analysis); err != nil {
				return nil, fmt.Errorf("tree %q: %w", s.trees[i].name, err)
			}
		}
		r.keep(s, left[:n], made)
		for k, i := range left[:n] {
			keep(i, opened[k])
			done(i)
		}
		left = left[n:]
		if read += chunks; r.opts.Progress != nil {
			r.opts.Progress(read, total)
		}
	}
	for _, wait := range waits {
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	if len(waits) > 0 {
		return r.catalogues(ctx, tx, s) // the other session may have failed, or read a newer generation
	}
	return list, nil
}

// readCatalogues makes the encoded catalogues of some trees of the state, for index.CatalogueOf.
func (r *Reader) readCatalogues(ctx context.Context, tx pgx.Tx, s *state, which []int) ([][]byte, error) {
	ids := make([]int32, 0, len(which))
	entries := map[int32][]index.Entry{}
	for _, i := range which {
		ids = append(ids, s.trees[i].id)
		entries[s.trees[i].id] = make([]index.Entry, 0, s.trees[i].chunks)
	}
	rows, err := tx.Query(ctx, `SELECT tree_id, number, path, id, chunk_type, language, package, tags, symbols::text, start_line, end_line, traits, lengths
		FROM cortex.chunks WHERE tree_id = ANY($1)`, inBinary([]any{ids})...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	words := intern{}
	var scanned struct {
		tree, number, start, end, traits int32
		path, kind, language, pkg        pgtype.DriverBytes // valid until the next row
		symbols                          pgtype.DriverBytes
		id                               string
		tags                             []string
		lengths                          []uint32
	}
	for rows.Next() {
		x := &scanned
		x.tags, x.lengths = nil, nil
		if err := rows.Scan(&x.tree, &x.number, &x.path, &x.id, &x.kind, &x.language, &x.pkg,
			&x.tags, &x.symbols, &x.start, &x.end, &x.traits, &x.lengths); err != nil {
			return nil, fmt.Errorf("read catalogue: %w", err)
		}
		c := &record.Chunk{ID: x.id, ChunkType: record.ChunkType(words.of(x.kind)), Tags: x.tags}
		m := &c.Metadata
		m.FilePath, m.Language, m.Package, m.Tree = words.of(x.path), words.of(x.language), words.of(x.pkg), s.trees[s.place[x.tree]].name
		m.StartLine, m.EndLine = int(x.start), int(x.end)
		if m.Symbols, err = schema.Symbols(x.symbols); err != nil {
			return nil, fmt.Errorf("read catalogue: chunk %d of tree %q: %w", x.number, m.Tree, err)
		}
		entries[x.tree] = append(entries[x.tree], index.Entry{Number: uint32(x.number), Chunk: c, Traits: uint32(x.traits), Lengths: x.lengths})
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read catalogue: %w", err)
	}
	made := make([][]byte, len(which))
	for k, i := range which {
		t := &s.trees[i]
		if made[k], err = index.NewCatalogue(entries[t.id], r.analysis); err != nil {
			return nil, fmt.Errorf("tree %q: %w", t.name, err)
		}
		delete(entries, t.id)
	}
	return made, nil
}

// An intern stores each of some texts once.
type intern map[string]string

func (n intern) of(text []byte) string {
	if s, ok := n[string(text)]; ok {
		return s
	}
	s := string(slices.Clone(text))
	n[s] = s
	return s
}
