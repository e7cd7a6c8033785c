package corpus

import (
	"runtime"

	"golang.org/x/sync/errgroup"

	"cortex/lib/search/index"
)

// leastShare is the least number of chunks for which another goroutine pays that goes over them.
const leastShare = 20_000

// Shares is the number of shares in which all chunks are gone over at once.
func Shares(gen *index.Generation) int { return min(runtime.GOMAXPROCS(0), 1+gen.Len()/leastShare) }

// InShares calls do for each share of the chunks, several at once: those from first on and before end, which are all chunks of their files.
func InShares(gen *index.Generation, do func(share, first, end int)) error {
	shares := Shares(gen)
	var group errgroup.Group
	for share := range shares {
		group.Go(func() (err error) {
			defer index.Guard(&err)()
			first, end := gen.Share(share, shares)
			do(share, first, end)
			return nil
		})
	}
	return group.Wait()
}
