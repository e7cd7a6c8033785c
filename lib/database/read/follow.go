package read

import (
	"context"
	"time"

	"cortex/lib/database"
)

const (
	// quiet is how long changes are waited for that come after another one.
	quiet = 200 * time.Millisecond
	// pollInterval is how often it is looked for changes of which nothing was heard.
	pollInterval = 10 * time.Second
)

// Follow loads what changes in the database while nobody asks, so that the next question finds it ready, until ctx ends. It hears of changes by notifications, and looks now
// and then where these are lost. failed is told of what keeps it from that.
func (r *Reader) Follow(ctx context.Context, failed func(error)) {
	changed := make(chan struct{}, 1)
	go func() {
		err := r.db.Listen(ctx, func(database.Change) {
			select {
			case changed <- struct{}{}:
			default:
			}
		})
		if err != nil && ctx.Err() == nil {
			failed(err)
		}
	}()
	last := ""
	for {
		err := r.refresh(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			last = ""
		case err.Error() != last: // the same is told once
			last = err.Error()
			failed(err)
		}
		poll := time.NewTimer(pollInterval)
		select {
		case <-ctx.Done():
		case <-poll.C:
		case <-changed:
			rest := time.NewTimer(quiet)
			select {
			case <-ctx.Done():
			case <-rest.C:
			}
			rest.Stop()
			select {
			case <-changed: // seen by the look that follows
			default:
			}
		}
		poll.Stop()
	}
}

// refresh loads the present state.
func (r *Reader) refresh(ctx context.Context) error {
	s, err := r.Session(ctx)
	if err != nil {
		return err
	}
	err = s.Warm(ctx)
	if closed := s.Close(); err == nil {
		err = closed
	}
	return err
}
