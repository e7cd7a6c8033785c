package database

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// Channel is the channel on which writers notify readers. The payload is the number of the tree and its generation.
const Channel = "cortex"

// A Change says that a tree has a new generation. The zero value says that any tree may have one, as after a lost
// connection.
type Change struct {
	Tree       int
	Generation int64
}

// Listen calls changed for every commit of a writer until the context ends. It reconnects if the connection is lost. It
// needs a connection of its own. Poolers that share connections between transactions pass no notifications on, so
// callers that rely on changes must also poll.
func (db *DB) Listen(ctx context.Context, changed func(Change)) error {
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		heard, err := db.listen(ctx, changed)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !isTransient(err) {
			return db.Explain(err)
		}
		if heard {
			pause = firstPause
		}
		select {
		case <-time.After(pause/2 + rand.N(pause/2)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// listen is Listen on one connection. It reports whether it connected.
func (db *DB) listen(ctx context.Context, changed func(Change)) (heard bool, err error) {
	pooled, err := db.pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	conn := pooled.Hijack()
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := conn.Exec(ctx, "LISTEN "+Channel); err != nil {
		return false, err
	}
	changed(Change{})
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return true, err
		}
		var c Change
		if _, err := fmt.Sscanf(n.Payload, "%d %d", &c.Tree, &c.Generation); err != nil {
			c = Change{}
		}
		changed(c)
	}
}
