package database

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"cortex/lib/database/schema"
	"cortex/lib/hint"
)

// leastVector is the oldest usable version of pgvector: halfvec needs 0.7, and iterative scans, which continue if
// filters leave too few results, need 0.8.
var leastVector = [2]int{0, 8}

// leastServer is the oldest version of PostgreSQL that pgvector 0.8 supports.
const leastServer = 130000

// check checks that the database has what Cortex needs. If make is set, it creates and migrates the tables.
func (db *DB) check(ctx context.Context, make bool) error {
	var version int
	var encoding, installed, available string
	err := db.pool.QueryRow(ctx, `SELECT current_setting('server_version_num')::int, current_setting('server_encoding'),
		coalesce((SELECT extversion FROM pg_extension WHERE extname = 'vector'), ''),
		coalesce((SELECT default_version FROM pg_available_extensions WHERE name = 'vector'), '')`).Scan(&version, &encoding, &installed, &available)
	if err == nil {
		err = db.require(version, encoding, installed, available, make)
	}
	if err != nil {
		return err
	}
	missing, err := db.Missing(ctx)
	switch {
	case err != nil:
		return err
	case len(missing) == 0:
		return nil
	case make:
		return db.migrate(ctx)
	case missing[0].Number == 1:
		return db.noIndex()
	}
	return hint.Wrap(fmt.Errorf("database %s: its tables are of an earlier version of Cortex", db.described()), "bring them up to date as their owner: cortex-store schema --database URL | psql --single-transaction URL")
}

// require returns an error if the server's version, the database's encoding or the extension's versions ("" for none)
// do not suffice.
func (db *DB) require(version int, encoding, installed, available string, make bool) error {
	switch {
	case version < leastServer:
		return hint.Wrap(fmt.Errorf("database %s: PostgreSQL %d is too old", db.described(), version/10000), "use PostgreSQL 13 or later")
	case encoding != "UTF8":
		return hint.Wrap(fmt.Errorf("database %s: its encoding is %s, texts need UTF8", db.described(), encoding),
			"make another: CREATE DATABASE cortex TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'")
	case installed == "" && available == "":
		return hint.Wrap(fmt.Errorf("database %s: the server has no extension \"vector\"", db.described()),
			"install pgvector 0.8 or later on the server (https://github.com/pgvector/pgvector), then: CREATE EXTENSION vector")
	case installed == "" && !make:
		return db.noIndex()
	case installed != "" && isOlder(installed):
		return oldVector(db, installed, available)
	case installed == "" && isOlder(available):
		return oldVector(db, available, available)
	}
	return nil
}

func oldVector(db *DB, installed, available string) error {
	advice := "ALTER EXTENSION vector UPDATE"
	if isOlder(available) {
		advice = "install pgvector 0.8 or later on the server, then: " + advice
	}
	return hint.Wrap(fmt.Errorf("database %s: extension \"vector\" %s is too old, expected 0.8 or later", db.described(), installed), advice)
}

// isOlder reports whether the version of the extension is older than leastVector.
func isOlder(version string) bool {
	var v [2]int
	if n, _ := fmt.Sscanf(version, "%d.%d", &v[0], &v[1]); n < 2 {
		return false
	}
	return v[0] < leastVector[0] || v[0] == leastVector[0] && v[1] < leastVector[1]
}

// Missing returns the migrations that have not run.
func (db *DB) Missing(ctx context.Context) ([]schema.Migration, error) {
	all, err := schema.Migrations()
	if err != nil {
		return nil, err
	}
	n := 0
	err = db.pool.QueryRow(ctx, `SELECT coalesce(max(number), 0) FROM cortex.migrations`).Scan(&n)
	var server *pgconn.PgError
	switch {
	case errors.As(err, &server) && (server.Code == "42P01" || server.Code == "3F000"):
		return all, nil
	case err != nil:
		return nil, err
	case n > len(all):
		return nil, hint.Wrap(fmt.Errorf("database %s: its tables have version %d, this cortex knows %d", db.described(), n, len(all)), "use the newer cortex")
	}
	return all[n:], nil
}

// migrate runs the missing migrations in one transaction. If several processes do so at once, one of them runs the
// migrations, and the others find nothing missing.
func (db *DB) migrate(ctx context.Context) error {
	return db.Retry(ctx, func(ctx context.Context) error {
		return pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended('cortex migrations', 0))`); err != nil {
				return err
			}
			missing, err := db.missingIn(ctx, tx)
			if err != nil || len(missing) == 0 {
				return err
			}
			return run(ctx, tx, Script(missing))
		})
	})
}

// missingIn is Missing within a transaction, where no statement may fail.
func (db *DB) missingIn(ctx context.Context, tx pgx.Tx) ([]schema.Migration, error) {
	all, err := schema.Migrations()
	if err != nil {
		return nil, err
	}
	known, n := false, 0
	if err := tx.QueryRow(ctx, `SELECT to_regclass('cortex.migrations') IS NOT NULL`).Scan(&known); err != nil || !known {
		return all, err
	}
	if err := tx.QueryRow(ctx, `SELECT coalesce(max(number), 0) FROM cortex.migrations`).Scan(&n); err != nil {
		return nil, err
	}
	return all[min(n, len(all)):], nil
}

// run executes statements without parameters.
func run(ctx context.Context, tx pgx.Tx, sql string) error {
	_, err := tx.Conn().PgConn().Exec(ctx, sql).ReadAll()
	return err
}

// Script returns the statements of the migrations, to be run in one transaction.
func Script(list []schema.Migration) string {
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	if list[0].Number == 1 {
		b.WriteString("CREATE EXTENSION IF NOT EXISTS vector;\n" + schema.Base)
	}
	for _, m := range list {
		fmt.Fprintf(&b, "\n-- %s\n%s\nINSERT INTO cortex.migrations (number, name) VALUES (%d, '%s');\n", m.Name, strings.TrimSpace(m.SQL), m.Number, m.Name)
	}
	return b.String()
}
