package database

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
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
