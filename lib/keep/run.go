package keep

import (
	"context"
	"fmt"
	"time"

	"cortex/lib/hint"
	"cortex/lib/terminal"
)

// Run keeps the index up to date until ctx ends.
func (k *Keeper) Run(ctx context.Context) {
	if k.opts.Slots != nil {
		k.keepWanted(ctx)
		return
	}
	for ctx.Err() == nil {
		again, err := k.once(ctx)
		if err == nil {
			sleep(ctx, again)
			continue
		}
		if ctx.Err() != nil {
			return
		}
		wait, final := k.fail(err)
		if final {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		case <-k.wants:
		}
	}
}

// Await waits until there is an index, for at most the time most, and reports the progress. The error says why there
// will be no index, or that it takes longer.
func (k *Keeper) Await(ctx context.Context, most time.Duration, progress func(done, total int)) error {
	until := time.Now().Add(most)
	was := -1
	for {
		root, dir := k.opts.Location()
		if Exists(dir) && damageOf(dir) == nil {
			return nil
		}
		k.Want() // repeatedly, since the slot may just be ending
		k.mu.Lock()
		done, total, follows, err := k.done, k.total, k.follows, k.err
		k.mu.Unlock()
		if err != nil {
			return err
		}
		if done != was {
			was = done
			progress(done, total)
		}
		if time.Now().After(until) {
			how := fmt.Sprintf("%d of %s", done, terminal.Count(total, "file", "files"))
			switch {
			case follows:
				how = "by another cortex-serve"
			case total == 0 && k.opts.Slots != nil:
				how = "others come first"
			}
			return hint.Wrap(fmt.Errorf("the index of %s is being made: %s", root, how), "ask again in a moment")
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(tick):
		}
	}
}
