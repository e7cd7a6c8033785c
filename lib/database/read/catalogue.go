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
	l := &loader{Reader: r, state: s, list: make([]*index.Catalogue, len(s.trees))}
	waits := l.claim()
	defer l.release()
	l.takeKept()
	if err := l.readClaimed(ctx, tx); err != nil {
		return nil, err
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
	return l.list, nil
}

// A loader is the state of one call of catalogues.
type loader struct {
	*Reader
	state *state
	list  []*index.Catalogue // by tree
	// claimed are the trees that this session reads and others wait for.
	claimed []int
}

// claim takes the catalogues that the reader has, and claims the others that no session reads. It returns channels that
// are closed when other sessions are done.
func (l *loader) claim() (waits []chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, t := range l.state.trees {
		if known := l.known[t.id]; known != nil && known.generation == t.generation {
			l.list[i] = known.Catalogue
			continue
		}
		if wait := l.loading[t.treeVersion]; wait != nil {
			waits = append(waits, wait)
			continue
		}
		l.loading[t.treeVersion] = make(chan struct{})
		l.claimed = append(l.claimed, i)
	}
	return waits
}

// release ends the claims to trees that were not read.
func (l *loader) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, i := range l.claimed {
		l.unclaim(i)
	}
}

// unclaim ends the claim to a tree. The caller holds mu.
func (l *loader) unclaim(i int) {
	version := l.state.trees[i].treeVersion
	close(l.loading[version])
	delete(l.loading, version)
}

// set keeps the catalogue of a tree and ends the claim to it.
func (l *loader) set(i int, c *index.Catalogue) {
	t := l.state.trees[i]
	l.list[i] = c
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.known[t.id]; known == nil || known.generation < t.generation {
		l.known[t.id] = &catalogue{t.treeVersion, c}
	}
	l.unclaim(i)
}

// takeKept sets the claimed catalogues that are among the user's derived files.
func (l *loader) takeKept() {
	kept := l.openKept(l.state, l.claimed)
	l.claimed = slices.DeleteFunc(l.claimed, func(i int) bool {
		if kept[i] != nil {
			l.set(i, kept[i])
		}
		return kept[i] != nil
	})
}

// readClaimed reads the claimed catalogues from the database, several together.
func (l *loader) readClaimed(ctx context.Context, tx pgx.Tx) error {
	trees, read, total := l.state.trees, 0, 0
	for _, i := range l.claimed {
		total += trees[i].chunks
	}
	for len(l.claimed) > 0 {
		n, chunks := 0, 0
		for n < len(l.claimed) && (n == 0 || chunks+trees[l.claimed[n]].chunks <= maxTogether) {
			chunks += trees[l.claimed[n]].chunks
			n++
		}
		batch := l.claimed[:n]
		made, err := l.readCatalogues(ctx, tx, l.state, batch)
		if err != nil {
			return err
		}
		opened := make([]*index.Catalogue, n)
		for k, i := range batch {
			if opened[k], err = index.CatalogueOf(made[k], l.analysis); err != nil {
				return fmt.Errorf("tree %q: %w", trees[i].name, err)
			}
		}
		l.keep(l.state, batch, made)
		l.claimed = l.claimed[n:]
		for k, i := range batch {
			l.set(i, opened[k])
		}
		if read += chunks; l.opts.Progress != nil {
			l.opts.Progress(read, total)
		}
	}
	return nil
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
