package read

import (
	"context"
	"time"

	"cortex/lib/database"
)

const (
	// quiet is the time after a change in which further changes are collected.
	quiet = 200 * time.Millisecond
	// pollInterval is the interval at which Follow looks for changes without a notification.
	pollInterval = 10 * time.Second
)

// Follow loads changes of the database in the background until ctx ends, so that the next question need not wait. It
// learns of changes by notifications, and polls in case these are lost. It passes errors to failed.
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
		case err.Error() != last: // an unchanged error is reported once
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
			case <-changed: // the next refresh sees this change
			default:
			}
		}
		poll.Stop()
	}
}

// refresh loads the current state.
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
