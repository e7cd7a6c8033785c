package corpus

import (
	"context"

	"cortex/lib/parallel"
	"cortex/lib/search/index"
)

// InShares calls do for each share of the chunks, in several goroutines, with the chunks of the share, [first, end).
// All chunks of a file are in one share.
func InShares(gen *index.Generation, do func(share index.Share, first, end int) error) error {
	one := func(number int) (err error) {
		defer index.Guard(&err)()
		share := index.Share{Number: number, Of: gen.Shares()}
		first, end := gen.Share(share)
		return do(share, first, end)
	}
	if gen.Shares() == 1 {
		return one(0) // a goroutine would cost more than it saves
	}
	group, _ := parallel.NewGroup(context.Background())
	for number := range gen.Shares() {
		group.Go(func() error { return one(number) })
	}
	return group.Wait()
}
