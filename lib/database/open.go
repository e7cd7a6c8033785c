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

// Options shape Open.
type Options struct {
	// Write is set by who writes: missing tables are made.
	Write bool
	// Timeout bounds each statement; 0 is a default, and statement_timeout in the URL wins.
	Timeout time.Duration
	// Conns is the greatest number of connections; 0 is a default, and pool_max_conns in the URL wins.
	Conns int
}

// readTimeout and writeTimeout bound statements where nothing else is said. A statement of a writer may copy a whole tree.
const (
	readTimeout  = 30 * time.Second
	writeTimeout = time.Hour
)

// cancelDelay is how long the server has to end a statement that nobody wants any more, before the connection is closed.
const cancelDelay = 2 * time.Second

// Open is Connect to a database that has the tables that this version of Cortex knows.
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

// Connect makes connections to the database at the URL. No error holds a password.
func Connect(ctx context.Context, url string, opts Options) (*DB, error) {
	db := &DB{secrets: secretsOf(url)}
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		// What is no URL may hold a password anywhere.
		return nil, hint.Wrap(errors.New("the URL of the database cannot be read"), "write postgres://USER@HOST:PORT/NAME, and the password into ~/.pgpass or PGPASSWORD")
	}
	db.secrets.add(cfg.ConnConfig.Password)
	db.name = cfg.ConnConfig.Database
	db.address = fmt.Sprintf("%s:%d/%s", cfg.ConnConfig.Host, cfg.ConnConfig.Port, cfg.ConnConfig.Database)
	// Neither poolers nor PGlite keep prepared statements.
	cfg.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	// Who is interrupted ends the statement on the server, and the connection stays.
	cfg.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelDelay}
	}
	timeout := cmp.Or(opts.Timeout, readTimeout)
	if opts.Write {
		timeout = cmp.Or(opts.Timeout, writeTimeout)
	}
	// Compiling a statement to machine code takes seconds where it names many parts of tables, and its run a hundredth of that.
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
