package read

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"cortex/lib/hint"
)

// readTrees reads the rows of the reader's trees, sorted by name.
func (r *Reader) readTrees(ctx context.Context, tx pgx.Tx) ([]tree, error) {
	rows, err := tx.Query(ctx, `SELECT t.id, t.generation, t.name, t.analyser, t.stemmer, coalesce(m.id, 0), coalesce(m.name, ''), coalesce(m.dimensions, 0), t.chunks, t.files,
		coalesce((t.stats->>'unembedded')::int, 0), t.written::text
		FROM cortex.trees t LEFT JOIN cortex.models m ON m.id = t.model_id WHERE cardinality($1::text[]) = 0 OR t.name = ANY($1) ORDER BY t.name`, append([]string{}, r.opts.Trees...))
	if err != nil {
		return nil, err
	}
	trees, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (t tree, err error) {
		err = row.Scan(&t.id, &t.generation, &t.name, &t.analyser, &t.stemmer, &t.modelID, &t.model, &t.dimensions, &t.chunks, &t.files, &t.unembedded, &t.written)
		return t, err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range r.opts.Trees {
		if !slices.ContainsFunc(trees, func(t tree) bool { return t.name == name }) {
			return nil, r.noTree(ctx, tx, name)
		}
	}
	for _, t := range trees {
		if t.chunks > 0 && t.analyser != r.analysis.Version {
			return nil, hint.Wrap(fmt.Errorf("read tree %q: its words were analysed in another way than they are asked for (%q, not %q)", t.name, t.analyser, r.analysis.Version),
				"index it again with this version of Cortex, or set search.stemmer to "+t.stemmer)
		}
	}
	return trees, nil
}

// noTree returns the error of a tree that does not exist or is not visible.
func (r *Reader) noTree(ctx context.Context, tx pgx.Tx, name string) error {
	rows, err := tx.Query(ctx, `SELECT name FROM cortex.trees ORDER BY name`)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	const most = 20
	advice := "index it: cortex-parse . | cortex-chunk | cortex-embed | cortex-store --database URL --tree " + name
	switch near := hint.Nearest(name, names); {
	case near != "":
		advice = fmt.Sprintf("did you mean %q?", near)
	case len(names) > most:
		advice = fmt.Sprintf("it has %d trees, such as %s", len(names), strings.Join(names[:most], ", "))
	case len(names) > 0:
		advice = "it has " + strings.Join(names, ", ")
	}
	return hint.Wrap(fmt.Errorf("tree %q: the database has none of that name", name), advice)
}
