package keep

import (
	"context"
	"os"
	"sync"
	"time"
)

// Slots limit how many keepers run their pipelines at the same time. A keeper holds its slot until its index is up to
// date and another keeper wants the slot, or until nobody has asked for its index for a while.
type Slots struct {
	most int

	mu      sync.Mutex
	slots   map[*Keeper]*slot
	waiting int
}

// NewSlots returns slots for most keepers.
func NewSlots(most int) *Slots { return &Slots{most: most, slots: map[*Keeper]*slot{}} }

// A slot lets one keeper run. ending says that the keeper was told to stop.
type slot struct {
	stop   context.CancelFunc
	ending bool
}

const (
	// settled is how long a pipeline must be idle before its index counts as up to date. lost is the same after the
	// last record of a run that the store has not written yet.
	settled = 3 * time.Second
	lost    = time.Minute
	// unwanted is how long a keeper holds its slot after the last request for its index.
	unwanted = 10 * time.Minute
)

// take waits for a slot. Cancelling the returned context ends the slot; it is nil if ctx ends first. over gives the
// slot back.
func (t *Slots) take(ctx context.Context, k *Keeper) (running context.Context, over func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting++
	defer func() { t.waiting-- }()
	for len(t.slots) >= t.most {
		t.endOne()
		t.mu.Unlock()
		sleep(ctx, tick)
		t.mu.Lock()
		if ctx.Err() != nil {
			return nil, nil
		}
	}
	running, stop := context.WithCancel(ctx)
	t.slots[k] = &slot{stop: stop}
	return running, func() {
		stop()
		t.mu.Lock()
		delete(t.slots, k)
		t.mu.Unlock()
	}
}

// endOne ends the slot of the keeper whose index is up to date and was wanted least recently. It ends none if enough
// slots are ending already.
func (t *Slots) endOne() {
	var least *slot
	var since time.Time
	ending := 0
	for k, slot := range t.slots {
		if slot.ending {
			ending++
			continue
		}
		if wanted, content := k.state(); content && (least == nil || wanted.Before(since)) {
			least, since = slot, wanted
		}
	}
	if least != nil && ending < t.waiting {
		least.ending = true
		least.stop()
	}
}

// keepWanted keeps the index up to date while it is wanted.
func (k *Keeper) keepWanted(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-k.wants:
		}
		running, over := k.opts.Slots.take(ctx, k)
		if over == nil {
			return
		}
		k.begin()
		go k.endUnwanted(running)
		k.hold(running)
		k.mu.Lock()
		k.running = false
		k.mu.Unlock()
		over()
	}
}

// hold keeps the index up to date until ctx ends, another process keeps it, or an error occurs.
func (k *Keeper) hold(ctx context.Context) {
	_, err := k.once(ctx)
	if err == nil || ctx.Err() != nil {
		return
	}
	k.fail(err)
}

func (k *Keeper) endUnwanted(ctx context.Context) {
	for ctx.Err() == nil {
		sleep(ctx, time.Second)
		if wanted, content := k.state(); content && time.Since(wanted) > unwanted {
			k.opts.Slots.mu.Lock()
			if slot := k.opts.Slots.slots[k]; slot != nil {
				slot.stop()
			}
			k.opts.Slots.mu.Unlock()
			return
		}
	}
}

// Want asks to keep the index up to date from now on. For a keeper without Slots it only brings forward the next
// attempt after an error.
func (k *Keeper) Want() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.wanted = time.Now()
	if k.running || k.refuses || k.err == nil && k.opts.Slots == nil || k.err != nil && k.wanted.Before(k.notBefore) {
		return
	}
	k.err, k.started = nil, k.wanted
	select {
	case k.wants <- struct{}{}:
	default: // an attempt is wanted already
	}
}

// begin records the state of the store at the beginning of a slot.
func (k *Keeper) begin() {
	seen := k.manifest()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.running, k.seen, k.active, k.writes = true, seen, time.Now(), false
	select {
	case <-k.wants: // a request that came while the keeper waited for the slot
	default:
	}
}

// state returns when the index was last wanted, and whether it counts as up to date.
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
