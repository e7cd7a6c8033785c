package corpus

import (
	"golang.org/x/sync/errgroup"

	"cortex/lib/search/index"
)

// InShares calls do for each share of the chunks, several at once, with the chunks: those from first on and before end, which are all chunks of their files.
func InShares(gen *index.Generation, do func(share index.Share, first, end int) error) error {
	var group errgroup.Group
	for number := range gen.Shares() {
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			share := index.Share{Number: number, Of: gen.Shares()}
			first, end := gen.Share(share)
			return do(share, first, end)
		})
	}
	return group.Wait()
}
