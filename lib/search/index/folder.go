package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"cortex/lib/derived"
	"cortex/lib/hint"
	"cortex/lib/parallel"
	"cortex/lib/store"
)

// Options configure Open and Build.
type Options struct {
	// Jobs is the number of goroutines that open and build segments.
	Jobs int
	// Progress, unless nil, is called with the number of indexed chunks and their total while segments are built.
	Progress func(done, total int)
	// Old is an open generation whose segments are reused if they are still valid. It may be nil.
	Old *Generation
	// Aside, unless nil, is called with the reason if the cache folder cannot be written.
	Aside func(why error)
}

// folderName is the folder for segments among the store's derived files. A process that writes to it holds its lock.
const folderName = "index"

// isOurs reports whether the name is that of a segment, or of a temporary file that a killed process left behind.
func isOurs(name string) bool { return len(name) == 32 || strings.HasPrefix(name, ".tmp-") }

// nameOf returns the name of a shard's segment: a digest of everything that the segment depends on.
func nameOf(m *store.Manifest, shard int, a *Analysis) string {
	h := sha256.New()
	var one [4]byte
	order.PutUint32(one[:], 1) // the byte order
	fmt.Fprintf(h, "%x %d %q %+v %q %d %s\n", one, formatVersion, a.Version, a.Dicts, m.Model, m.Dimensions, m.Shards[shard].Digest)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// maxOpened is how many times Open tries to open the current generation while commits replace it.
const maxOpened = 10

// Open opens the index of the store's current generation. It builds the missing segments, or waits for another process
// that builds them. If the cache folder cannot be written, it builds them for this generation alone.
func Open(ctx context.Context, storeDir string, a *Analysis, opts Options) (g *Generation, err error) {
	for attempt := 1; ; attempt++ {
		g, err := open(ctx, storeDir, a, opts)
		if err == nil || ctx.Err() != nil || attempt == maxOpened || !errors.Is(err, store.ErrChanged) {
			return g, err
		}
	}
}

func open(ctx context.Context, storeDir string, a *Analysis, opts Options) (*Generation, error) {
	of, err := store.Open(ctx, storeDir)
	if err != nil {
		return nil, err
	}
	w := &opener{storeDir: storeDir, of: of, analysis: a, opts: opts}
	g, err := w.generation(ctx)
	if err != nil {
		return nil, errors.Join(err, of.Close())
	}
	return g, nil
}

// Build builds the missing segments of a generation that was just committed, and removes the segments that the store's
// current generation does not need. If the cache folder cannot be written, it only calls Options.Aside.
func Build(ctx context.Context, storeDir string, of *store.Generation, a *Analysis, opts Options) error {
	w := &opener{storeDir: storeDir, of: of, analysis: a, opts: opts, forOthers: true}
	segments, err := w.open(ctx)
	return errors.Join(err, closeAll(segments))
}

// An opener holds the state of opening the segments of one generation.
type opener struct {
	storeDir string
	of       *store.Generation
	analysis *Analysis
	opts     Options
	names    []string // of the segments, by shard; "" for a shard without chunks
	// forOthers says that the segments are for later searches, so an unwritable cache folder is no error.
	forOthers bool
}

func (w *opener) generation(ctx context.Context) (*Generation, error) {
	segments, err := w.open(ctx)
	if err != nil {
		return nil, errors.Join(err, closeAll(segments))
	}
	var present []*segment
	var shards []int
	for shard, s := range segments {
		if s != nil {
			present, shards = append(present, s), append(shards, shard)
		}
	}
	g, err := assemble(present, shards, len(segments), w.analysis)
	if err != nil {
		return nil, err
	}
	g.store, g.model = w.of, w.of.Manifest().Model
	return g, nil
}

func closeAll(segments []*segment) error {
	var all []error
	for _, s := range segments {
		if s != nil {
			all = append(all, s.close())
		}
	}
	return errors.Join(all...)
}

// open opens the segment of each shard that has chunks. If it fails, it also returns the segments that are open.
func (w *opener) open(ctx context.Context) ([]*segment, error) {
	m := w.of.Manifest()
	w.names = make([]string, len(m.Shards))
	for i, shard := range m.Shards {
		if shard.Chunks > 0 {
			w.names[i] = nameOf(m, i, w.analysis)
		}
	}
	segments := make([]*segment, len(m.Shards))
	w.takeOld(segments)
	if root, err := derived.Open(w.storeDir, folderName); err == nil {
		err = errors.Join(w.openAll(ctx, root, segments), root.Close())
		if err != nil {
			return segments, err
		}
	}
	if w.isWhole(segments) {
		return segments, nil
	}
	return segments, w.makeMissing(ctx, segments)
}

func (w *opener) takeOld(segments []*segment) {
	if w.opts.Old == nil {
		return
	}
	known := map[string]*segment{}
	for _, s := range w.opts.Old.segments {
		known[s.name] = s
	}
	for i, name := range w.names {
		if s := known[name]; s != nil && name != "" {
			s.users.Add(1)
			segments[i] = s
		}
	}
}

func (w *opener) isWhole(segments []*segment) bool {
	for i, name := range w.names {
		if name != "" && segments[i] == nil {
			return false
		}
	}
	return true
}

// each calls do, on several goroutines, for all shards whose segments are not open.
func (w *opener) each(ctx context.Context, segments []*segment, do func(ctx context.Context, shard int) error) error {
	group, ctx := parallel.NewGroup(ctx)
	group.SetLimit(max(w.opts.Jobs, 1))
	for i, name := range w.names {
		if name != "" && segments[i] == nil {
			group.Go(func() error {
				if err := ctx.Err(); err != nil {
					return err
				}
				return do(ctx, i)
			})
		}
	}
	return group.Wait()
}

// openAll opens the segments that exist and are intact.
func (w *opener) openAll(ctx context.Context, root *os.Root, segments []*segment) error {
	return w.each(ctx, segments, func(_ context.Context, shard int) error {
		s, err := openSegment(root, w.names[shard], w.analysis)
		if err == nil && s.rows != w.of.Manifest().Shards[shard].Chunks {
			err = errors.Join(fmt.Errorf("open segment: %w: %d chunks", ErrDamaged, s.rows), s.close())
		}
		// A segment that cannot be opened is built again.
		if err == nil {
			segments[shard] = s
		}
		return nil
	})
}

func openSegment(root *os.Root, name string, a *Analysis) (s *segment, err error) {
	m, err := derived.Map(root, name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s, err = nil, errors.Join(err, m.Close())
		}
	}()
	defer guardTables(&err)()
	if s, err = newSegment(name, m.Data, a); err == nil {
		s.mapped = m
	}
	return s, err
}

// makeMissing builds and opens the missing segments, in the cache folder if possible.
func (w *opener) makeMissing(ctx context.Context, segments []*segment) error {
	root, err := derived.Create(w.storeDir, folderName)
	if err == nil {
		defer root.Close()
		held, noLock := derived.Acquire(ctx, root)
		if err = noLock; err == nil {
			defer held.Release()
			// Another process may have made them while this one waited.
			if err := w.openAll(ctx, root, segments); err != nil || w.isWhole(segments) {
				return err
			}
			if err = w.make(ctx, root, segments); err == nil {
				w.clean(root)
				return nil
			}
		}
	}
	if ctx.Err() != nil || errors.As(err, new(*sourceError)) {
		return err
	}
	if w.opts.Aside != nil {
		w.opts.Aside(err)
	}
	if w.forOthers {
		return nil
	}
	return w.makeAside(ctx, segments)
}

// A sourceError is an error in reading the store, not in writing the cache folder.
type sourceError struct{ error }

func (e *sourceError) Unwrap() error { return e.error }

// makeAside builds the missing segments in a temporary folder, maps them, and removes the folder.
func (w *opener) makeAside(ctx context.Context, segments []*segment) error {
	dir, err := os.MkdirTemp("", "cortex-index-")
	if err != nil {
		return hint.Wrap(fmt.Errorf("make index: %w", err), "set TMPDIR or "+derived.Variable+" to a folder that can be written")
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("make index: %w", err)
	}
	defer root.Close()
	if err := w.make(ctx, root, segments); err != nil {
		if ctx.Err() != nil || errors.As(err, new(*sourceError)) {
			return err
		}
		return hint.Wrap(err, "make room in the folder of temporary files, or set TMPDIR or "+derived.Variable+" to a folder on a disk with room")
	}
	return nil
}

// make builds and opens the missing segments.
func (w *opener) make(ctx context.Context, root *os.Root, segments []*segment) error {
	m := w.of.Manifest()
	total := 0
	for i, name := range w.names {
		if name != "" && segments[i] == nil {
			total += m.Shards[i].Chunks
		}
	}
	var mu sync.Mutex
	done := 0
	progress := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		if done += n; w.opts.Progress != nil {
			w.opts.Progress(done, total)
		}
	}
	progress(0)
	return w.each(ctx, segments, func(ctx context.Context, shard int) error {
		data, err := w.build(ctx, shard, progress)
		if err != nil {
			return &sourceError{fmt.Errorf("make index of %s: %w", m.Shards[shard].Name, err)}
		}
		if err := derived.Write(root, w.names[shard], data); err != nil {
			return fmt.Errorf("write index: %w", err)
		}
		segments[shard], err = openSegment(root, w.names[shard], w.analysis)
		return err
	})
}

// progressStep is the number of chunks between two progress reports.
const progressStep = 128

// build returns the content of a shard's segment.
func (w *opener) build(ctx context.Context, shard int, progress func(n int)) ([]byte, error) {
	m := w.of.Manifest()
	b := newBuilder(w.analysis, m.Model, m.Dimensions)
	b.expect(m.Shards[shard].Chunks, m.Shards[shard].Size)
	r, told := row{}, 0
	for e, err := range w.of.Records(ctx, shard) {
		if err != nil {
			return nil, err
		}
		if e.Chunk == nil {
			r.fileOffset, r.fileSize = e.Offset, e.Size
			continue
		}
		r.chunk, r.offset, r.size = e.Chunk, e.Offset, e.Size
		if err := b.add(r); err != nil {
			return nil, err
		}
		if b.rows()-told == progressStep {
			progress(progressStep)
			told = b.rows()
		}
	}
	progress(b.rows() - told)
	return b.finish()
}

// clean removes the segments that the current generation does not need, and ignores errors: the next process retries.
func (w *opener) clean(root *os.Root) {
	now, err := store.ReadManifest(w.storeDir)
	if err != nil || !slices.Equal(now.Shards, w.of.Manifest().Shards) {
		return
	}
	derived.Keep(root, ".", func(name string) bool { return !isOurs(name) || slices.Contains(w.names, name) })
}

// Forget removes the index of the store in storeDir, so that the next Open builds it anew. It is for a damaged index.
func Forget(storeDir string) error {
	root, err := derived.Open(storeDir, folderName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	for _, e := range entries {
		if isOurs(e.Name()) {
			err = errors.Join(err, root.Remove(e.Name()))
		}
	}
	return err
}
