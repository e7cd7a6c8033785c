package index

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"cortex/lib/derived"
	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/store"
)

// dir is the folder of the index among the derived files of a store.
const dir = "index"

const (
	lockName = "lock"
	// rebaseName is the lock of who makes another base.
	rebaseName = "rebase"
	// rebaseTemp begins the name of what that one has not finished.
	rebaseTemp = tempPrefix + "base-"
)

// How many generations and bases stay beside the newest. With the base of another branch, going back to it costs nothing.
const (
	keptGenerations = 4
	keptBases       = 2
)

// How far a generation may differ from its base: by so many chunks, or such a share of all. Before it comes to that, another base is due.
const (
	freeDifference  = 4000
	differenceShare = 8
	freeDue         = 1000
	dueShare        = 16
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
	// Rebase makes another base if one is due, from which further updates differ less. It takes as long, and keeps nobody from updating meanwhile.
	Rebase
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
	folder   string   // among the derived files of the store
	root     *os.Root // nil if there is no folder
	key      string
	lines    *store.Lines
	analysis *Analysis
	opts     Options
}

func (c *cache) open(ctx context.Context) (*Generation, error) {
	var err error
	if c.root, err = derived.Open(c.storeDir, dir); err == nil && (c.opts.Effort != Rebase || !c.due()) {
		if g, err := load(ctx, c.root, c.key, c.lines, c.analysis); err == nil {
			return g, nil
		}
	}
	if c.opts.Effort == Ready || c.lines.Head.Chunks() == 0 {
		return nil, ErrNotReady
	}
	if c.opts.Effort == Rebase {
		return c.rebase(ctx)
	}
	g, err := c.update(ctx, nil)
	if err == nil || !errors.Is(err, ErrNotReady) || c.opts.Effort != Build {
		return g, err
	}
	return c.build(ctx)
}

// older finds the newest generation that the current one may be made from, without what requests need; nil if there is none.
func (c *cache) older() *Generation {
	if c.root == nil {
		return nil
	}
	names, err := generations(c.root)
	if err != nil {
		return nil
	}
	head := &c.lines.Head
	for _, name := range names {
		g, err := loadTables(c.root, strings.TrimPrefix(name, generationPrefix), c.analysis)
		if err != nil {
			continue
		}
		if g.meta.Model == head.Model && g.meta.Dimensions == head.Dimensions {
			return g
		}
		g.Close()
	}
	return nil
}

// patience is how long update waits for another process, which probably makes the same.
const patience = 300 * time.Millisecond

// update makes the generation from an older one, ErrNotReady if none is near. When another process holds the lock, or the
// cache can't be written, the difference stays in memory. held is the lock if it is held already.
func (c *cache) update(ctx context.Context, held *lock) (*Generation, error) {
	old := c.older()
	if old == nil {
		return nil, ErrNotReady
	}
	defer func() { old.Close() }()
	if held == nil {
		wait := time.Duration(0)
		if c.opts.Wait {
			wait = patience
		}
		var err error
		if held, err = c.lock(ctx, wait); err == nil {
			defer held.release()
			if g, err := load(ctx, c.root, c.key, c.lines, c.analysis); err == nil {
				return g, nil
			}
		}
	}
	d, err := old.follow(ctx, c.lines)
	if err == nil {
		g, err := c.succeed(ctx, old, d, held)
		if err == nil || ctx.Err() != nil || !errors.Is(err, store.ErrChanged) {
			return g, err
		}
	}
	// What was said to have changed is not known, or is not so.
	lines, err := c.scan(ctx)
	if err != nil {
		return nil, err
	}
	return c.succeed(ctx, old, old.compare(lines), held)
}

// succeed makes the generation that differs so from the older one, of which it takes segments.
func (c *cache) succeed(ctx context.Context, old *Generation, d *difference, held *lock) (*Generation, error) {
	plan := old.succeed(ctx, d)
	if plan == nil {
		return nil, ErrNotReady
	}
	var delta *segment
	var written *folder
	if len(plan.rows) > 0 {
		var err error
		if delta, err = c.maker(true).memory(ctx, plan.rows); err != nil {
			return nil, err
		}
		if held != nil {
			delta, written = c.keep(ctx, delta)
		}
	}
	g := &Generation{meta: c.meta(), numberOf: plan.numberOf, offsets: d.offsets}
	folders := old.meta.folders()
	for i, s := range old.segments {
		if plan.stays[i] {
			old.segments[i] = nil // it has another owner
			g.add(s)
			g.meta.add(folders[i])
		}
	}
	if delta != nil {
		g.add(delta)
		g.meta.add(written)
	}
	g.meta.Sums = g.sums(ctx)
	if held != nil && (delta == nil || written != nil) {
		// Without the file, it is made again the next time.
		_ = c.write(ctx, g)
	}
	if err := ctx.Err(); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g.assemble(ctx, c.lines)
}

// keep writes a delta to disk, under the lock, and returns it as it is opened from there. If that can't be, it returns the delta itself, and no
// folder.
func (c *cache) keep(ctx context.Context, delta *segment) (*segment, *folder) {
	f, err := c.draft(ctx, tempName(), false, func(dir string) (*folder, error) { return delta.write(ctx, c.root, dir) })
	if err != nil {
		return delta, nil
	}
	if err := c.publish(f, deltaPrefix); err != nil {
		return delta, nil
	}
	mapped, err := openSegment(c.root, f, c.analysis.Dicts, c.lines.Head.Dimensions)
	if err != nil {
		return delta, nil
	}
	return mapped, f
}

func (c *cache) maker(few bool) *maker {
	return &maker{lines: c.lines, analysis: c.analysis, jobs: c.opts.Jobs, progress: c.opts.Progress, few: few}
}

func (c *cache) meta() meta {
	head := &c.lines.Head
	return meta{Key: c.key, Analysis: c.analysis.Version, Model: head.Model, Dimensions: head.Dimensions, Chunks: head.ChunkFiles}
}

// add adds the folder of a segment, the base first.
func (m *meta) add(f *folder) {
	if m.Base == nil {
		m.Base = f
	} else {
		m.Deltas = append(m.Deltas, f)
	}
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
	if g, err := load(ctx, c.root, c.key, c.lines, c.analysis); err == nil {
		return g, nil
	}
	if g, err := c.update(ctx, l); err == nil || !errors.Is(err, ErrNotReady) {
		return g, err
	}
	b, err := c.draftBase(ctx, tempName())
	if err != nil {
		return nil, err
	}
	return c.publishBase(ctx, b)
}

// due reports whether another base is due for the generation.
func (c *cache) due() bool {
	g, err := loadTables(c.root, c.key, c.analysis)
	if err != nil {
		return false
	}
	defer g.Close()
	return g.Due()
}

// rebasePatience is how long rebase waits for those who update.
const rebasePatience = 10 * time.Second

// rebase makes another base of the generation. Only when that is finished it takes the lock.
func (c *cache) rebase(ctx context.Context) (*Generation, error) {
	if c.root == nil {
		return nil, ErrNotReady
	}
	rebasing, err := c.flock(ctx, rebaseName, 0)
	if err != nil {
		return nil, err
	}
	defer rebasing.release()
	b, err := c.draftBase(ctx, rebaseTemp+randomName(8))
	if err != nil {
		return nil, err
	}
	l, err := c.lock(ctx, rebasePatience)
	if err != nil {
		c.root.RemoveAll(b.folder.Name)
		return nil, err
	}
	defer l.release()
	return c.publishBase(ctx, b)
}

// A base is a segment of all chunks, whose lines these are.
type base struct {
	folder *folder
	lines  []store.Line
}

// draftBase makes a base that goes by the name temp.
func (c *cache) draftBase(ctx context.Context, temp string) (*base, error) {
	lines, err := c.scan(ctx)
	if err != nil {
		return nil, err
	}
	f, err := c.draft(ctx, temp, true, func(dir string) (*folder, error) { return c.maker(false).write(ctx, c.root, dir, lines) })
	if err != nil {
		return nil, err
	}
	return &base{f, lines}, nil
}

// publishBase makes the generation that is the base alone, under the lock.
func (c *cache) publishBase(ctx context.Context, b *base) (*Generation, error) {
	if err := c.publish(b.folder, basePrefix); err != nil {
		return nil, err
	}
	s, err := openSegment(c.root, b.folder, c.analysis.Dicts, c.lines.Head.Dimensions)
	if err != nil {
		return nil, err
	}
	g := &Generation{meta: c.meta(), numberOf: make([]uint32, len(b.lines)), offsets: make([]uint64, len(b.lines))}
	for i, line := range b.lines {
		g.numberOf[i], g.offsets[i] = uint32(i), uint64(line.Offset)
	}
	g.add(s)
	g.meta.add(b.folder)
	g.meta.Sums = s.sums
	if err := c.write(ctx, g); err != nil {
		return nil, errors.Join(err, g.Close())
	}
	return g.assemble(ctx, c.lines)
}

// write writes the file of a generation whose segments are on disk, under the lock.
func (c *cache) write(ctx context.Context, g *Generation) error {
	data, err := g.encode()
	if err != nil {
		return err
	}
	temp := tempName()
	err = writeFile(ctx, c.root, temp, data, false)
	if err == nil {
		c.opts.step("generation")
		err = c.root.Rename(temp, generationPrefix+c.key)
	}
	if err != nil {
		c.root.Remove(temp)
		return err
	}
	c.opts.step("clean")
	parallel.Yield(ctx)
	return c.clean()
}

// draft makes the folder of a segment, by the name temp, and seals what write writes into it. It is to be published.
func (c *cache) draft(ctx context.Context, temp string, lasting bool, write func(dir string) (*folder, error)) (f *folder, err error) {
	defer func() {
		if err != nil {
			c.root.RemoveAll(temp)
		}
	}()
	if err := c.root.Mkdir(temp, 0o777); err != nil {
		return nil, err
	}
	c.opts.step("segment")
	if f, err = write(temp); err != nil {
		return nil, err
	}
	c.opts.step("seal")
	for name, seal := range f.files() {
		parallel.Yield(ctx)
		if *seal, err = c.sealed(ctx, temp+"/"+name, lasting); err != nil {
			return nil, err
		}
	}
	f.Name = temp
	return f, nil
}

// publish gives a draft its name, under the lock. Generations may share it, so that is its own.
func (c *cache) publish(f *folder, prefix string) error {
	name := prefix + randomName(16)
	c.opts.step("rename")
	if err := c.root.Rename(f.Name, name); err != nil {
		c.root.RemoveAll(f.Name)
		return err
	}
	f.Name = name
	return nil
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

func tempName() string { return tempPrefix + randomName(8) }

// randomName is so many random bytes in hexadecimal.
func randomName(size int) string {
	random := make([]byte, size)
	rand.Read(random) // never fails
	return hex.EncodeToString(random)
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
	return newestFirst(root, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), generationPrefix) && ours.MatchString(e.Name()) && e.Type().IsRegular()
	})
}

// newestFirst lists the names in the folder that are wanted, those that changed last first.
func newestFirst(root *os.Root, wanted func(e fs.DirEntry) bool) ([]string, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	changed := map[string]time.Time{}
	var names []string
	for _, e := range entries {
		if !wanted(e) {
			continue
		}
		if info, err := e.Info(); err == nil {
			changed[e.Name()] = info.ModTime()
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(changed[b].Compare(changed[a]), strings.Compare(a, b))
	})
	return names, nil
}

// Forget takes away what is known of any generation of the store in the folder, so that the next index is made of the chunks alone.
func Forget(storeDir string) error {
	root, err := derived.Open(storeDir, dir)
	if err != nil {
		return err
	}
	defer root.Close()
	names, err := generations(root)
	for _, name := range names {
		err = errors.Join(err, root.Remove(name))
	}
	return err
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
		keep[name] = true
		for _, f := range m.folders() {
			keep[f.Name] = true
		}
	}
	entries, err := fs.ReadDir(c.root.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), rebaseTemp) && c.rebasing() {
			continue
		}
		if !keep[e.Name()] && ours.MatchString(e.Name()) {
			if err := c.root.RemoveAll(e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// rebasing reports whether somebody makes another base.
func (c *cache) rebasing() bool {
	l, err := c.flock(context.Background(), rebaseName, 0)
	if err == nil {
		l.release()
	}
	return errors.Is(err, ErrBusy)
}

// A lock is the right to write to the cache, or to a part of it. The system releases it when the process dies.
type lock struct{ file *os.File }

// lock makes the cache's folder if it is missing and waits for the lock so long; then the error is ErrBusy.
func (c *cache) lock(ctx context.Context, wait time.Duration) (*lock, error) {
	if c.root == nil {
		if err := c.create(); err != nil {
			return nil, err
		}
	}
	return c.flock(ctx, lockName, wait)
}

// flock waits for the lock of that name.
func (c *cache) flock(ctx context.Context, name string, wait time.Duration) (*lock, error) {
	f, err := c.root.OpenFile(name, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o666)
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

// create makes the folder of the cache.
func (c *cache) create() (err error) {
	if c.root, err = derived.Create(c.storeDir, c.folder); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	return nil
}
