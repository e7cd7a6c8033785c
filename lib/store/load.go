package store

import (
	"context"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"cortex/lib/record"
	"cortex/lib/store/layout"
)

// Contents are the manifest and the chunks of one generation of a store, in memory.
type Contents struct {
	Manifest layout.Manifest
	// Chunks are sorted by ID, bytewise.
	Chunks []*record.Chunk
}

// Load reads one generation of the store in dir into memory, whatever writers do meanwhile. A store
// that does not exist is fs.ErrNotExist; that and damage carry a hint.
func Load(ctx context.Context, dir string) (*Contents, error) {
	g, err := Open(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	parts := make([][]*record.Chunk, len(g.files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range parts {
		group.Go(func() error {
			for e, err := range g.Records(ctx, i) {
				if err != nil {
					return err
				}
				if e.Chunk != nil {
					parts[i] = append(parts[i], e.Chunk)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	c := &Contents{Manifest: g.manifest, Chunks: slices.Concat(parts...)}
	slices.SortFunc(c.Chunks, func(a, b *record.Chunk) int { return strings.Compare(a.ID, b.ID) })
	return c, nil
}
