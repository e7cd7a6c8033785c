package database

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// attempts is how often something is tried. With the pauses between them, a server that is started anew is waited for, some 20 seconds.
const attempts = 9

// firstPause is the pause after the first attempt; each is twice the one before, up to longestPause, and shortened by chance so that those who were in each
// other's way do not meet again.
const (
	firstPause   = 50 * time.Millisecond
	longestPause = 5 * time.Second
)

// Retry calls do, and again after a pause if the database says that it was in the way of another transaction or if the connection was lost. What do did in a transaction
// that was not committed is undone; what it did otherwise it must be able to do again.
func (db *DB) Retry(ctx context.Context, do func(ctx context.Context) error) error {
	pause := firstPause
	for attempt := 1; ; attempt++ {
		err := do(ctx)
		if err == nil || ctx.Err() != nil || attempt == attempts || !isTransient(err) {
			return err
		}
		select {
		case <-time.After(pause/2 + rand.N(pause/2)):
		case <-ctx.Done():
			return ctx.Err()
		}
		pause = min(2*pause, longestPause)
	}
}

// Read calls do in a transaction that sees one state of the database and changes nothing.
func (db *DB) Read(ctx context.Context, do func(tx pgx.Tx) error) error {
	return db.Explain(db.Retry(ctx, func(ctx context.Context) error {
		return pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, do)
	}))
}

// Write calls do in a transaction.
func (db *DB) Write(ctx context.Context, do func(tx pgx.Tx) error) error {
	return db.Explain(db.Retry(ctx, func(ctx context.Context) error { return pgx.BeginFunc(ctx, db.pool, do) }))
}

// isTransient reports whether the same may succeed a moment later.
func isTransient(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		switch server.Code {
		case "40001", "40P01", // serialization failure, deadlock
			"57P01", "57P02", "57P03", // the server stops, has crashed, starts
			"53300": // too many connections
			return true
		}
		return strings.HasPrefix(server.Code, "08")
	}
	var connect *pgconn.ConnectError
	return errors.As(err, &connect) || isLost(err)
}

// isLost reports whether the connection ended.
func isLost(err error) bool {
	var op *net.OpError
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE) || errors.As(err, &op) || strings.Contains(err.Error(), "conn closed") || pgconn.SafeToRetry(err)
}
