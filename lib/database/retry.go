package database

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
)

// attempts is the number of attempts of Retry. With the pauses between them, Retry waits some ten seconds for a server
// that restarts.
const attempts = 9

// firstPause is the pause after the first attempt. Each pause is twice the one before, up to longestPause, and is
// shortened by a random amount, so that conflicting clients do not retry at the same time.
const (
	firstPause   = 50 * time.Millisecond
	longestPause = 5 * time.Second
)

// Retry calls do, and calls it again after a pause if its error is transient, such as a serialization failure or a lost
// connection. A transaction that was not committed is undone; other effects of do must be repeatable.
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

// Read calls do in a read-only transaction that sees a single state of the database.
func (db *DB) Read(ctx context.Context, do func(tx pgx.Tx) error) error {
	return db.Explain(db.Retry(ctx, func(ctx context.Context) error {
		return pgx.BeginTxFunc(ctx, db.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, do)
	}))
}

// Write calls do in a transaction.
func (db *DB) Write(ctx context.Context, do func(tx pgx.Tx) error) error {
	return db.Explain(db.Retry(ctx, func(ctx context.Context) error { return pgx.BeginFunc(ctx, db.pool, do) }))
}
