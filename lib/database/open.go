package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"

	"cortex/lib/hint"
)

// Options configure Open and Connect.
type Options struct {
	// Write says that the caller writes: missing tables are created, and statements may take longer.
	Write bool
	// Timeout bounds each statement; 0 stands for a default, and statement_timeout in the URL has precedence.
	Timeout time.Duration
	// Conns is the greatest number of connections; 0 stands for a default, and pool_max_conns in the URL has
	// precedence.
	Conns int
}

// readTimeout and writeTimeout are the default timeouts of statements. A statement of a writer may copy a whole tree.
const (
	readTimeout  = 30 * time.Second
	writeTimeout = time.Hour
)

// cancelDelay is the time that the server has to end a cancelled statement before the connection is closed.
const cancelDelay = 2 * time.Second

// Open connects to a database and checks that it has the tables of this version of Cortex.
func Open(ctx context.Context, url string, opts Options) (*DB, error) {
	db, err := Connect(ctx, url, opts)
	if err != nil {
		return nil, err
	}
	if err := db.check(ctx, opts.Write); err != nil {
		db.Close()
		return nil, db.Explain(err)
	}
	return db, nil
}

// Connect opens a connection pool for the database at the URL. Errors contain no passwords.
func Connect(ctx context.Context, url string, opts Options) (*DB, error) {
	db := &DB{secrets: secretsOf(url)}
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		// A text that is not a URL may contain a password anywhere.
		return nil, hint.Wrap(errors.New("the URL of the database cannot be read"), "write postgres://USER@HOST:PORT/NAME, and the password into ~/.pgpass or PGPASSWORD")
	}
	db.secrets.add(cfg.ConnConfig.Password)
	db.name = cfg.ConnConfig.Database
	db.address = fmt.Sprintf("%s:%d/%s", cfg.ConnConfig.Host, cfg.ConnConfig.Port, cfg.ConnConfig.Database)
	// Poolers and PGlite do not support prepared statements.
	cfg.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	// When a context ends, cancel the statement on the server and keep the connection.
	cfg.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelDelay}
	}
	timeout := cmp.Or(opts.Timeout, readTimeout)
	if opts.Write {
		timeout = cmp.Or(opts.Timeout, writeTimeout)
	}
	// Just-in-time compilation of a statement that names many partitions takes seconds, its execution a hundredth of
	// that.
	for name, value := range map[string]string{
		"jit": "off", "application_name": "cortex", "statement_timeout": fmt.Sprint(timeout.Milliseconds()), "idle_in_transaction_session_timeout": "600000", "timezone": "UTC",
	} {
		if _, set := cfg.ConnConfig.RuntimeParams[name]; !set {
			cfg.ConnConfig.RuntimeParams[name] = value
		}
	}
	if opts.Conns > 0 && !says(url, "pool_max_conns") {
		cfg.MaxConns = int32(opts.Conns)
	}
	if cfg.ConnConfig.ConnectTimeout == 0 {
		cfg.ConnConfig.ConnectTimeout = 10 * time.Second
	}
	if db.pool, err = pgxpool.NewWithConfig(ctx, cfg); err != nil {
		return nil, db.Explain(err)
	}
	return db, nil
}
