package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// A Snapshot is one whole generation of a store.
type Snapshot struct {
	Manifest Manifest
	// Chunks are sorted by ID, bytewise.
	Chunks []*record.Chunk
}

// Load reads one generation of the store in dir, whatever writers do meanwhile. A store
// that does not exist is fs.ErrNotExist; that and damage carry a hint.
func Load(ctx context.Context, dir string) (*Snapshot, error) {
	snap := &Snapshot{}
	err := consistently(ctx, dir, func(root *safeopen.Root, m *Manifest) error {
		chunks, err := loadChunks(ctx, root, m)
		snap.Manifest, snap.Chunks = *m, chunks
		return err
	})
	if err != nil {
		return nil, err
	}
	return snap, nil
}

// consistently calls read with the current manifest, and again with a newer one if a
// writer has replaced files under it.
func consistently(ctx context.Context, dir string, read func(*safeopen.Root, *Manifest) error) error {
	root, err := openStore(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var seen []byte
	for same := 0; ; {
		m, data, err := readManifest(root)
		if err != nil {
			return err
		}
		if err = read(root, m); err == nil || ctx.Err() != nil {
			return err
		}
		if bytes.Equal(data, seen) {
			same++
		}
		// A writer that recovers from a crash moves files under one manifest, but
		// only once; what fails thrice is damaged.
		if same == 2 {
			return withCure(root.Name(), err)
		}
		seen = data
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// withCure adds to damage what mends it, and to what cannot be read what helps.
func withCure(dir string, err error) error {
	var d *damage
	if errors.As(err, &d) {
		return hint.Wrap(err, cureOfDamage)
	}
	if errors.Is(err, syscall.EIO) {
		return hint.Wrap(err, "the disk may be failing: if it says so again, remove the file and index again in full: "+indexAll)
	}
	if errors.Is(err, syscall.ENOTDIR) {
		return hint.Wrap(err, "remove what stands in the place of a folder in "+dir+" and index again in full: "+indexAll)
	}
	if errors.Is(err, fs.ErrPermission) {
		return hint.Wrap(err, "make the files in "+dir+" readable")
	}
	return err
}

const cureOfDamage = "index again in full, which replaces what is damaged: " + indexAll

func loadChunks(ctx context.Context, root *safeopen.Root, m *Manifest) ([]*record.Chunk, error) {
	var parts [kinds][]*record.Chunk
	decoders := sync.Pool{New: func() any { return newDecoder() }}
	group, ctx := errgroup.WithContext(ctx)
	for kind := range kinds {
		group.Go(func() error {
			return readChunkFile(ctx, root, m, kind, runtime.GOMAXPROCS(0), false,
				func() { parts[kind] = make([]*record.Chunk, 0, min(m.ChunkFiles[fileNames[kind]].Chunks, maxForeseen)) },
				func(b block) ([]*record.Chunk, error) {
					d := decoders.Get().(*decoder)
					defer decoders.Put(d)
					return d.block(m, kind, b)
				},
				func(chunks []*record.Chunk) error {
					parts[kind] = append(parts[kind], chunks...)
					return nil
				})
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return merge(parts), nil
}

// block decodes the lines of a block and gives that back.
func (d *decoder) block(m *Manifest, kind int, b block) ([]*record.Chunk, error) {
	defer b.from.release(b)
	chunks := make([]*record.Chunk, 0, len(b.data)/1024+1)
	err := b.lines(func(number int, data []byte) error {
		if number == 1 {
			return checkMetadataLine(m, kind, data)
		}
		rec, err := d.decode(data)
		if err != nil {
			return &damage{line: number, what: errors.Unwrap(err).Error()}
		}
		chunk, ok := rec.(*record.Chunk)
		if !ok {
			return &damage{line: number, what: fmt.Sprintf("it is a %s record", rec.RecordType())}
		}
		if n := len(chunk.Embedding); n != m.Dimensions && n != 0 {
			return &damage{line: number, what: fmt.Sprintf("the embedding has %d dimensions, the manifest says %d",
				len(chunk.Embedding), m.Dimensions)}
		}
		chunks = append(chunks, chunk)
		return nil
	})
	return chunks, err
}

// merge merges lists that are each sorted by ID.
func merge(parts [kinds][]*record.Chunk) []*record.Chunk {
	total := 0
	for _, part := range parts {
		total += len(part)
	}
	all := make([]*record.Chunk, 0, total)
	for len(all) < total {
		least := -1
		for i, part := range parts {
			if len(part) > 0 && (least < 0 || part[0].ID < parts[least][0].ID) {
				least = i
			}
		}
		all = append(all, parts[least][0])
		parts[least] = parts[least][1:]
	}
	return all
}
