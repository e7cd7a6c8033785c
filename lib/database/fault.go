package database

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"cortex/lib/hint"
)

// Explain adds a hint to an error of the database, and hides passwords. Explain(nil) is nil.
func (db *DB) Explain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var done *hidden
	if errors.As(err, &done) {
		return err
	}
	advice := hint.Of(err)
	var server *pgconn.PgError
	var connect *pgconn.ConnectError
	text := err.Error()
	switch {
	case advice != "":
	case errors.As(err, &server):
		text, advice = db.explainServer(server)
	case errors.As(err, &connect):
		text = "connect to database " + db.described() + ": " + causeOf(err)
		advice = "start the server, or name another with --database URL or CORTEX_DATABASE"
	case isLost(err):
		text = "the connection to database " + db.described() + " was lost: " + causeOf(err)
		advice = "run it again: what was committed stays, what was not changes nothing"
	}
	h := &hidden{err, db.secrets.hide(text)}
	if advice == "" {
		return h
	}
	return hint.Wrap(h, db.secrets.hide(advice))
}

// causeOf returns the text of the innermost error; the outer ones repeat the user and the host.
func causeOf(err error) string {
	for {
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			inner := e.Unwrap()
			if inner == nil { // as in an error of a name that is not found
				return err.Error()
			}
			err = inner
		case interface{ Unwrap() []error }:
			if list := e.Unwrap(); len(list) > 0 {
				err = list[0]
				continue
			}
			return err.Error()
		default:
			return err.Error()
		}
	}
}

// explainServer returns the text and the hint for an error that the server returned.
func (db *DB) explainServer(e *pgconn.PgError) (message, advice string) {
	message = "database " + db.described() + ": " + e.Message
	switch e.Code {
	case "28P01", "28000":
		return message, "put the password into ~/.pgpass or PGPASSWORD, or name another user in the URL"
	case "3D000":
		return message, "make it: CREATE DATABASE " + quote(db.name) + " TEMPLATE template0 ENCODING 'UTF8'"
	case "42501":
		switch {
		case strings.Contains(e.Message, "extension"):
			return message, "have a superuser run: CREATE EXTENSION vector"
		case strings.Contains(e.Message, "for database"):
			return message, "have its owner run: GRANT CREATE ON DATABASE " + quote(db.name) + " TO the user who writes first; or make the tables as the owner: cortex-store schema | psql URL"
		}
		return message, "the user needs a role: GRANT cortex_read TO the user who searches, GRANT cortex_write TO the one who writes; the owner of the database makes the tables"
	case "42704":
		if strings.Contains(e.Message, "halfvec") {
			return message, "the extension vector is in a schema that is not searched: ALTER EXTENSION vector SET SCHEMA public"
		}
	case "3F000", "42P01":
		return (&noIndexError{db.name}).Error(), makeIndex
	case "53300":
		return message, "raise max_connections, use a pooler, or add pool_max_conns=2 to the URL"
	case "53100", "53200":
		return message, "the server is out of room; the index is as it was"
	case "57014":
		return message, "add statement_timeout=MILLISECONDS to the URL to wait for longer"
	case "08P01":
		if strings.Contains(e.Message, "startup parameter") {
			return message, "have the pooler pass it over: ignore_startup_parameters = jit, statement_timeout, idle_in_transaction_session_timeout"
		}
	case "25006":
		return message, "the server is a copy that only reads: name the one that writes"
	}
	return message, ""
}

const makeIndex = "write one: cortex-parse --tree NAME . | cortex-chunk | cortex-embed | cortex-store --database URL"

// A noIndexError is the error of a database without tables. errors.Is matches it with fs.ErrNotExist.
type noIndexError struct{ name string }

func (e *noIndexError) Error() string        { return fmt.Sprintf("no index in database %q", e.name) }
func (e *noIndexError) Is(target error) bool { return target == fs.ErrNotExist }

func (db *DB) noIndex() error { return hint.Wrap(&noIndexError{db.name}, makeIndex) }

// quote quotes an identifier for SQL.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
