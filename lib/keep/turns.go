package keep

import (
	"context"
	"os"
	"time"
)

const (
	// settled is how long a pipeline runs without a change to its tree until its index is taken for up to date, and lost how long after the last record of
	// a run that was not written.
	settled = 3 * time.Second
	lost    = time.Minute
	// unwanted is how long a turn lasts when nobody asks for the index.
	unwanted = 10 * time.Minute
)

// take waits for a turn. It ends with the context that is returned, nil if ctx ended before; over gives it back.
func (t *Turns) take(ctx context.Context, k *Keeper) (running context.Context, over func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting++
	defer func() { t.waiting-- }()
	for len(t.turns) >= t.most {
		t.endOne()
		t.mu.Unlock()
		sleep(ctx, tick)
		t.mu.Lock()
		if ctx.Err() != nil {
			return nil, nil
		}
	}
	running, stop := context.WithCancel(ctx)
	t.turns[k] = &turn{stop: stop}
	return running, func() {
		stop()
		t.mu.Lock()
		delete(t.turns, k)
		t.mu.Unlock()
	}
}

// endOne ends the turn of the keeper whose index was asked for least recently, of those that are up to date, unless enough of them are ending.
func (t *Turns) endOne() {
	var least *turn
	var since time.Time
	ending := 0
	for k, turn := range t.turns {
		if turn.ending {
			ending++
			continue
		}
		if wanted, content := k.state(); content && (least == nil || wanted.Before(since)) {
			least, since = turn, wanted
		}
	}
	if least != nil && ending < t.waiting {
		least.ending = true
		least.stop()
	}
}

// takeTurns keeps the index when it is wanted.
func (k *Keeper) takeTurns(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.wants:
		}
		running, over := k.opts.Turns.take(ctx, k)
		if over == nil {
			return
		}
		k.begin()
		go k.endUnwanted(running, over)
		k.turn(running)
		k.mu.Lock()
		k.running = false
		k.mu.Unlock()
		over()
	}
}

// turn keeps the index until ctx ends, another process does, or something goes wrong.
func (k *Keeper) turn(ctx context.Context) {
	_, err := k.once(ctx)
	if err == nil || ctx.Err() != nil {
		return
	}
	final := k.fail(err)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refuses = final
	k.wait = min(max(2*k.wait, firstAttempt), lastAttempt)
	k.notBefore = time.Now().Add(k.wait)
}

func (k *Keeper) endUnwanted(ctx context.Context, over func()) {
	for ctx.Err() == nil {
		sleep(ctx, time.Second)
		if wanted, content := k.state(); content && time.Since(wanted) > unwanted {
			k.opts.Turns.mu.Lock()
			if turn := k.opts.Turns.turns[k]; turn != nil {
				turn.stop()
			}
			k.opts.Turns.mu.Unlock()
			return
		}
	}
}

// Want asks for the index to be kept from now on. A keeper that does not take turns always keeps it.
func (k *Keeper) Want() {
	if k.opts.Turns == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wanted = time.Now()
	if k.running || k.refuses || k.err != nil && k.wanted.Before(k.notBefore) {
		return
	}
	k.err = nil
	select {
	case k.wants <- struct{}{}:
	default: // it is asked already
	}
}

// begin notes how the store is before a run that may change it.
func (k *Keeper) begin() {
	seen := k.manifest()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running, k.seen, k.active, k.writes = true, seen, time.Now(), false
	select {
	case <-k.wants: // while it waited for the turn
	default:
	}
}

// state is when the index was asked for last, and whether its pipeline has nothing to do.
func (k *Keeper) state() (wanted time.Time, content bool) {
	now := k.manifest()
	k.mu.Lock()
	defer k.mu.Unlock()
	written := now != nil && (k.seen == nil || !os.SameFile(now, k.seen) || !now.ModTime().Equal(k.seen.ModTime()))
	if written || now == nil {
		return k.wanted, written
	}
	quiet := settled
	if k.writes {
		quiet = lost
	}
	return k.wanted, time.Since(k.active) > quiet
}
