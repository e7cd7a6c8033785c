package index

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"cortex/lib/record"
	"cortex/lib/store"
)

// dir is the folder of the cache in that of the store.
const dir = "cache/index"

const lockName = "lock"

// How many generations and bases stay beside the newest. With the base of another branch, going back to it costs nothing.
const (
	keptGenerations = 4
	keptBases       = 2
)

// How far a generation may differ from its base: by so many chunks, or such a share of all.
const (
	freeDifference  = 1000
	differenceShare = 16
)

// An Effort says what Open may do.
type Effort int

const (
	// Ready opens what is there.
	Ready Effort = iota
	// Update makes an index as well that differs little from one that is there. It takes milliseconds.
	Update
	// Build makes what is missing, which takes a second for every few thousand chunks.
	Build
)

// Options say how Open works.
type Options struct {
	Effort Effort
	// Jobs is the number of workers, at least 1.
	Jobs int
	// Wait waits for another process that makes an index, instead of giving up.
	Wait bool
	// Progress is told how many chunks are indexed; nil is allowed.
	Progress func(done, total int)

	// step is told the name of each step of writing before it is taken.
	step func(name string)
}

var (
	// ErrNotReady says that there is no index that Open could have had with the effort that was allowed.
	ErrNotReady = errors.New("no index is ready")
	// ErrBusy says that another process makes an index.
	ErrBusy = errors.New("the index is being made by another process")
)

// Open opens the index of the generation of the store in the folder that is current. Where none can be had, the error is
// ErrNotReady or ErrBusy, or one of the store or of writing the cache. Whatever is wrong with a cache, it
// is made anew.
func Open(ctx context.Context, storeDir string, a *Analysis, opts Options) (*Generation, error) {
	opts.Jobs = max(opts.Jobs, 1)
	if opts.Progress == nil {
		opts.Progress = func(int, int) {}
	}
	if opts.step == nil {
		opts.step = func(string) {}
	}
	for attempt := 1; ; attempt++ {
		g, err := open(ctx, storeDir, a, opts)
		// A writer may have replaced the store meanwhile, or another process the cache.
		if err == nil || attempt == 3 || ctx.Err() != nil || !errors.Is(err, store.ErrChanged) && !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist) {
			return g, err
		}
	}
}

func open(ctx context.Context, storeDir string, a *Analysis, opts Options) (g *Generation, err error) {
	defer Guard(&err)()
	lines, err := store.OpenLines(ctx, storeDir)
	if err != nil {
		return nil, err
	}
	c := &cache{storeDir: storeDir, folder: dir, key: keyOf(&lines.Head, a), lines: lines, analysis: a, opts: opts}
	defer func() {
		if c.root != nil {
			c.root.Close()
		}
		if g == nil {
			lines.Close()
		}
	}()
	return c.open(ctx)
}

// A cache is the folder of generations and segments, at the time of one Open. Only the holder of its lock writes; what is
// written gets its name when it is whole.
type cache struct {
	storeDir string
	folder   string   // in that of the store
	root     *os.Root // nil if there is no folder
	key      string
	lines    *store.Lines
	analysis *Analysis
	opts     Options
}

func (c *cache) open(ctx context.Context) (*Generation, error) {
	var err error
	if c.root, err = os.OpenRoot(filepath.Join(c.storeDir, dir)); err == nil {
		if g, err := load(c.root, c.key, c.lines, c.analysis); err == nil {
			return g, nil
		}
	}
	if c.opts.Effort == Ready || c.lines.Head.Chunks() == 0 {
		return nil, ErrNotReady
	}
	g, err := c.update(ctx, nil)
	if err == nil || !errors.Is(err, ErrNotReady) || c.opts.Effort != Build {
		return g, err
	}
	return c.build(ctx)
}

// A basis is what a new generation may be made from: a base and what is known of it.
type basis struct {
	segment *segment
	folder  *folder
	sums    []uint64
}

// basis finds the newest base that fits; nil if there is none.
func (c *cache) basis() *basis {
	if c.root == nil {
		return nil
	}
	names, err := generations(c.root)
	if err != nil {
		return nil
	}
	for _, name := range names {
		m, _, _, file, err := readGeneration(c.root, strings.TrimPrefix(name, generationPrefix))
		if err != nil {
			continue
		}
		head := &c.lines.Head
		if m.Analysis == c.analysis.Version && m.Model == head.Model && m.Dimensions == head.Dimensions && len(m.BaseSums) == len(c.analysis.Dicts) {
			s, err := openSegment(c.root, m.Base, len(c.analysis.Dicts), m.Dimensions)
			if err == nil {
				file.close()
				return &basis{s, m.Base, m.BaseSums}
			}
		}
		file.close()
	}
	return nil
}

// patience is how long update waits for another process, which probably makes the same.
const patience = 300 * time.Millisecond

// update makes the generation from a base that is there, ErrNotReady if none is near. When another process holds the lock, or the
// cache can't be written, the difference stays in memory. held is the lock if it is held already.
func (c *cache) update(ctx context.Context, held *lock) (g *Generation, err error) {
	b, lines, err := c.both(ctx)
	if err != nil {
		return nil, err
	}
	used := false
	defer func() {
		if !used {
			b.segment.close()
		}
	}()
	d := compare(b.segment.catalog, lines)
	if most := max(freeDifference, len(lines)/differenceShare); len(d.fresh) > most || len(d.gone) > most {
		return nil, ErrNotReady
	}
	if held == nil {
		wait := time.Duration(0)
		if c.opts.Wait {
			wait = patience
		}
		if held, err = c.lock(ctx, wait); err == nil {
			defer held.release()
		}
	}
	if held != nil {
		if g, err := load(c.root, c.key, c.lines, c.analysis); err == nil {
			return g, nil
		}
		if g, err = c.write(ctx, b, d); err == nil {
			used = true
			return g, nil
		} else if ctx.Err() != nil || errors.Is(err, store.ErrChanged) {
			return nil, err
		}
	}
	g = &Generation{meta: c.meta(b), numberOf: d.numberOf, offsets: d.offsets, base: b.segment}
	if len(d.fresh) > 0 {
		if g.delta, err = c.maker().memory(ctx, d.fresh); err != nil {
			return nil, err
		}
	}
	g.meta.Sums = d.sums(b.sums, b.segment.catalog, g.deltaCatalog())
	if err := g.assemble(c.lines, c.analysis, true); err != nil {
		return nil, err
	}
	used = true
	return g, nil
}

// both finds a base and the lines of the store at once. The error is ErrNotReady if there is no base.
func (c *cache) both(ctx context.Context) (b *basis, lines []store.Line, err error) {
	if c.root == nil {
		return nil, nil, ErrNotReady
	}
	if names, err := generations(c.root); err != nil || len(names) == 0 {
		return nil, nil, ErrNotReady
	}
	scanned := make(chan error, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		var err error
		lines, err = c.scan(ctx)
		scanned <- err
	}()
	if b = c.basis(); b == nil {
		cancel()
		err = ErrNotReady
	}
	if scanErr := <-scanned; err == nil && scanErr != nil {
		err = scanErr
		b.segment.close()
	}
	return b, lines, err
}

func (g *Generation) deltaCatalog() *catalog {
	if g.delta == nil {
		return nil
	}
	return g.delta.catalog
}

func (c *cache) maker() *maker {
	return &maker{lines: c.lines, analysis: c.analysis, jobs: c.opts.Jobs, progress: c.opts.Progress}
}

func (c *cache) meta(b *basis) meta {
	head := &c.lines.Head
	return meta{Key: c.key, Analysis: c.analysis.Version, Model: head.Model, Dimensions: head.Dimensions, Base: b.folder, BaseSums: b.sums}
}

// build makes a base of the generation and that alone.
func (c *cache) build(ctx context.Context) (*Generation, error) {
	wait := time.Duration(0)
	if c.opts.Wait {
		wait = 1 << 62
	}
	l, err := c.lock(ctx, wait)
	if err != nil {
		return nil, err
	}
	defer l.release()
	// Another process may have made it, or something near, meanwhile.
	if g, err := load(c.root, c.key, c.lines, c.analysis); err == nil {
		return g, nil
	}
	if g, err := c.update(ctx, l); err == nil || !errors.Is(err, ErrNotReady) {
		return g, err
	}
	lines, err := c.scan(ctx)
	if err != nil {
		return nil, err
	}
	f, err := c.segment(ctx, basePrefix, lines, true)
	if err != nil {
		return nil, err
	}
	s, err := openSegment(c.root, f, len(c.analysis.Dicts), c.lines.Head.Dimensions)
	if err != nil {
		return nil, err
	}
	b := &basis{segment: s, folder: f, sums: s.catalog.sums()}
	g, err := c.write(ctx, b, compare(s.catalog, lines))
	if err != nil {
		s.close()
	}
	return g, err
}

// write writes the generation that differs so from the base, under the lock, and returns it. It closes what it has opened if
// it fails, and the generation closes the base otherwise.
func (c *cache) write(ctx context.Context, b *basis, d *difference) (g *Generation, err error) {
	g = &Generation{meta: c.meta(b), numberOf: d.numberOf, offsets: d.offsets}
	defer func() {
		if err != nil {
			g.delta.close()
			g = nil
		}
	}()
	if len(d.fresh) > 0 {
		if g.meta.Delta, err = c.segment(ctx, deltaPrefix, d.fresh, false); err != nil {
			return g, err
		}
		if g.delta, err = openSegment(c.root, g.meta.Delta, len(c.analysis.Dicts), c.lines.Head.Dimensions); err != nil {
			return g, err
		}
	}
	g.meta.Sums = d.sums(b.sums, b.segment.catalog, g.deltaCatalog())
	data, err := g.encode()
	if err != nil {
		return g, err
	}
	temp := tempName()
	err = writeFile(c.root, temp, data, false)
	if err == nil {
		c.opts.step("generation")
		err = c.root.Rename(temp, generationPrefix+c.key)
	}
	if err != nil {
		c.root.Remove(temp)
		return g, err
	}
	c.opts.step("clean")
	if err = c.clean(); err != nil {
		return g, err
	}
	g.base = b.segment
	return g, g.assemble(c.lines, c.analysis, true)
}

// segment writes a segment of the lines and seals it.
func (c *cache) segment(ctx context.Context, prefix string, lines []store.Line, lasting bool) (f *folder, err error) {
	temp := tempName()
	defer func() {
		if err != nil {
			c.root.RemoveAll(temp)
		}
	}()
	if err := c.root.Mkdir(temp, 0o777); err != nil {
		return nil, err
	}
	c.opts.step("segment")
	if f, err = c.maker().write(ctx, c.root, temp, lines, lasting); err != nil {
		return nil, err
	}
	c.opts.step("seal")
	seals := map[string]*seal{catalogName: &f.Catalog, vectorsName: &f.Vectors}
	for i := range f.Texts {
		seals[textName(i)] = &f.Texts[i]
	}
	for name, seal := range seals {
		if *seal, err = c.sealed(ctx, temp+"/"+name, lasting); err != nil {
			return nil, err
		}
	}
	name := prefix + c.key
	if err := c.root.RemoveAll(name); err != nil {
		return nil, err
	}
	c.opts.step("rename")
	if err := c.root.Rename(temp, name); err != nil {
		return nil, err
	}
	f.Name = name
	return f, nil
}

// settling is the time after which a change of a file has another time than the last: clocks of filesystems tick in steps of
// at most 10 ms.
const settling = 50 * time.Millisecond

// sealed seals a file that nobody will write again; a lasting one when its last change has settled.
func (c *cache) sealed(ctx context.Context, name string, lasting bool) (seal, error) {
	f, err := c.root.Open(name)
	if err != nil {
		return seal{}, err
	}
	defer f.Close()
	s, err := sealOf(f)
	if err != nil {
		return seal{}, err
	}
	if s.CRC32C, err = checksum(f); err != nil {
		return seal{}, err
	}
	if lasting {
		if rest := settling - time.Since(time.Unix(0, s.Change)); rest > 0 {
			select {
			case <-time.After(min(rest, settling)):
			case <-ctx.Done():
				return seal{}, ctx.Err()
			}
		}
		s.Settled = true
	}
	return s, nil
}

func tempName() string {
	var random [8]byte
	rand.Read(random[:]) // never fails
	return tempPrefix + hex.EncodeToString(random[:])
}

// scan finds all lines of the store, in the order of identifiers.
func (c *cache) scan(ctx context.Context) ([]store.Line, error) {
	parts := make([][]store.Line, len(record.ChunkTypes))
	group, groupCtx := errgroup.WithContext(ctx)
	for file := range parts {
		group.Go(func() (err error) {
			parts[file], err = c.lines.Scan(groupCtx, file, c.opts.Jobs)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	total := 0
	for _, lines := range parts {
		total += len(lines)
	}
	all := make([]store.Line, 0, total)
	for len(all) < total {
		least := -1
		for i, part := range parts {
			if len(part) > 0 && (least < 0 || part[0].ID < parts[least][0].ID) {
				least = i
			}
		}
		line := parts[least][0]
		if n := len(all); n > 0 && all[n-1].ID == line.ID {
			return nil, fmt.Errorf("index: chunk %q is in the store twice", line.ID)
		}
		all = append(all, line)
		parts[least] = parts[least][1:]
	}
	return all, nil
}

// generations lists the files of generations, the newest first.
func generations(root *os.Root) ([]string, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	type dated struct {
		name string
		at   time.Time
	}
	var list []dated
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), generationPrefix) || !ours.MatchString(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			list = append(list, dated{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b dated) int {
		if d := b.at.Compare(a.at); d != 0 {
			return d
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, d := range list {
		names = append(names, d.name)
	}
	return names, nil
}

// clean removes all but the current generation and the newest few, with what they need, and what builders that died left behind. Who has a
// file mapped keeps it.
func (c *cache) clean() error {
	names, err := generations(c.root)
	if err != nil {
		return err
	}
	current := generationPrefix + c.key
	names = append([]string{current}, slices.DeleteFunc(names, func(name string) bool { return name == current })...)
	keep := map[string]bool{lockName: true}
	bases := map[string]bool{}
	for i, name := range names {
		if i == keptGenerations {
			break
		}
		m, _, _, file, err := readGeneration(c.root, strings.TrimPrefix(name, generationPrefix))
		if err != nil {
			continue
		}
		file.close()
		if bases[m.Base.Name] = true; len(bases) > keptBases {
			break
		}
		keep[name], keep[m.Base.Name] = true, true
		if m.Delta != nil {
			keep[m.Delta.Name] = true
		}
	}
	entries, err := fs.ReadDir(c.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !keep[e.Name()] && ours.MatchString(e.Name()) {
			if err := c.root.RemoveAll(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// A lock is the right to write to the cache. The system releases it when the process dies.
type lock struct{ file *os.File }

// lock makes the cache's folder if it is missing and waits for the lock so long; then the error is ErrBusy.
func (c *cache) lock(ctx context.Context, wait time.Duration) (*lock, error) {
	if c.root == nil {
		if err := c.create(); err != nil {
			return nil, err
		}
	}
	f, err := c.root.OpenFile(lockName, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, fmt.Errorf("lock cache: %w", err)
	}
	end := time.Now().Add(wait)
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return &lock{f}, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) {
			f.Close()
			return nil, fmt.Errorf("lock cache: %w", err)
		}
		if wait == 0 || wait < 1<<62 && time.Now().After(end) {
			f.Close()
			return nil, ErrBusy
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		}
	}
}

func (l *lock) release() { l.file.Close() }

// create makes the folder of the cache, inside the store whatever links a repository may hold.
func (c *cache) create() error {
	info, err := os.Lstat(c.storeDir)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("write cache: %s is a symbolic link", c.storeDir)
	}
	root, err := os.OpenRoot(c.storeDir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(c.folder, 0o777); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	c.root, err = root.OpenRoot(c.folder)
	return err
}
