package status

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/source"
	"cortex/lib/store"
	"cortex/lib/store/shard"
	"cortex/lib/terminal"
)

// The states of sources.
const (
	UpToDate = "up to date"
	Changed  = "changed"
	Unknown  = "unknown"
)

// NotTold is why the state of a tree with a name is unknown.
const NotTold = "the index does not tell where the tree is"

// Sources tells what has changed in a tree since it was indexed: what cortex-parse --incremental would find with the settings as
// they are. Files that look as they did are not read; a change that came about while the run was reading may stay unseen.
type Sources struct {
	Tree string `json:"tree,omitempty"`
	// Root is the folder that was looked at; "" if none was.
	Root string `json:"root,omitempty"`
	// State is UpToDate, Changed or Unknown.
	State string `json:"state"`
	// Files is the number of files in the index, the skipped ones too.
	Files int `json:"files"`
	// Generation, GeneratedAt and Chunks are those of a tree that is written on its own, in a database.
	Generation  int64  `json:"generation,omitempty"`
	GeneratedAt string `json:"generated_at,omitempty"`
	Chunks      int    `json:"chunks,omitempty"`

	Changed int `json:"changed"`
	New     int `json:"new"`
	Deleted int `json:"deleted"`
	// First are the paths of the first of these files, at most mostFirst: those of deleted ones after the others.
	First []string `json:"first,omitempty"`
	// AtLeast tells that there may be more: the time was up, or there were too many files.
	AtLeast bool `json:"at_least,omitempty"`
	// Unknown says why the state is that.
	Unknown string `json:"unknown,omitempty"`
}

// mostFirst is how many files that have changed are named.
const mostFirst = 2

// bounds are how many files are listed and how long is looked, and what watches the folders from then on, if anything does.
type bounds struct {
	files   int
	time    time.Duration
	notices *source.Notices
}

// compareAll looks at the trees one after the other. Where a tree with a name is, a store does not know.
func compareAll(ctx context.Context, dir, root string, m *store.Manifest, indexed map[string]*shard.File, list Lister, most bounds) ([]Sources, error) {
	all := []Sources{}
	for _, name := range slices.Sorted(maps.Keys(m.Trees)) {
		s := Sources{Tree: name, State: Unknown, Files: m.Trees[name].Files}
		switch {
		case name != "":
			s.Unknown = NotTold
		case list == nil:
			s.Unknown = "nobody looked"
		default:
			if err := s.compare(ctx, dir, root, m, indexed, list, most); err != nil {
				if ctx.Err() != nil {
					return nil, err
				}
				s.State, s.Unknown = Unknown, hint.Text(err)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

func (s *Sources) compare(ctx context.Context, dir, root string, m *store.Manifest, indexed map[string]*shard.File, list Lister, most bounds) error {
	until := time.Now().Add(most.time)
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	opts, err := list(root)
	if err != nil {
		return err
	}
	opts.Root = root
	s.Root = root
	found, err := source.NewSurvey(ctx, opts, most.files, until, most.notices)
	if err != nil {
		return err
	}
	tree, err := source.OpenFolder(root)
	if err != nil {
		return err
	}
	defer tree.Close()
	c := comparison{Sources: s, again: m.Trees[""].Again, indexed: indexed, tree: tree, maxSize: opts.MaxSize, since: settled(dir, m, len(indexed)), until: until}
	c.seen = source.OpenCache(dir, source.CacheName(""), m.Trees[""].Settings["parse"])
	return c.run(ctx, found)
}

// settled is the time before which changes of files were seen by the run: it began some time before the commit, how long its files
// let us guess. It is the earliest time if clocks tell nothing.
func settled(dir string, m *store.Manifest, files int) time.Time {
	at := committed(dir, m)
	if at.IsZero() {
		return at
	}
	const least, perFile = 30 * time.Second, 2 * time.Millisecond
	return at.Add(-least - time.Duration(files)*perFile)
}

// committed is when the manifest was written, the earliest time if clocks tell nothing.
func committed(dir string, m *store.Manifest) time.Time {
	at, err := time.Parse(time.RFC3339, m.GeneratedAt)
	info, statErr := os.Stat(filepath.Join(dir, store.ManifestName))
	if err != nil || statErr != nil || at.After(time.Now()) {
		return time.Time{}
	}
	// SOURCE_DATE_EPOCH, a copy, or a clock that was set: the earlier is the safe one.
	if written := info.ModTime(); written.Before(at) {
		at = written
	}
	return at
}

// A comparison is one look at a tree.
type comparison struct {
	*Sources
	indexed map[string]*shard.File
	// again tells that the checksums of the store count for nothing.
	again   bool
	tree    *source.Folder
	maxSize int64
	// seen is what cortex-parse has read, if it left that behind; what is not in it and was changed before since was seen, too.
	seen  *source.Cache
	since time.Time
	until time.Time
	// kept is the number of files that are there still.
	kept int
}

func (c *comparison) run(ctx context.Context, found *source.Survey) error {
	listed := make(map[string]bool, len(found.Entries))
	locked := map[string]bool{}
	for i := range found.Entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		e := &found.Entries[i]
		listed[e.Path] = true
		if source.Reason(e.Skip) == source.Unreadable {
			locked[e.Path] = true
		}
		if err := c.entry(e); err != nil {
			return err
		}
	}
	var deleted []string
	for name, f := range c.indexed {
		if f.Tree == "" && f.Record.Status != "" && !listed[name] && !isInside(name, locked) {
			if found.Whole || found.Folders[folderOf(name)] {
				deleted = append(deleted, name)
			}
		}
	}
	slices.Sort(deleted)
	for _, name := range deleted {
		c.count(&c.Deleted, name)
	}
	c.AtLeast = c.AtLeast || !found.Whole
	switch {
	case c.kept == 0 && c.Files > 0 && found.Whole:
		// The store is elsewhere than its tree, which nothing but that shows.
		c.Changed, c.New, c.Deleted, c.First, c.AtLeast = 0, 0, 0, nil, false
		c.Unknown = fmt.Sprintf("none of %s of the index is in %s", terminal.Count(c.Files, "file", "files"), c.Root)
	case c.Changed+c.New+c.Deleted > 0:
		c.State = Changed
	case c.AtLeast:
		c.Unknown = fmt.Sprintf("no change among the files that there was time to look at, of %s in %s", terminal.Count(c.Files, "file", "files"), c.Root)
	default:
		c.State = UpToDate
	}
	return nil
}

func folderOf(name string) string {
	if dir := path.Dir(name); dir != "." {
		return dir
	}
	return ""
}

// isInside reports whether the path lies in one of the folders.
func isInside(name string, folders map[string]bool) bool {
	for dir := range record.Folders(name) {
		if folders[dir] {
			return true
		}
	}
	return false
}

// count counts a file in one of the numbers.
func (c *comparison) count(number *int, path string) {
	*number++
	if len(c.First) < mostFirst {
		c.First = append(c.First, path)
	}
}

// entry counts one file that is there.
func (c *comparison) entry(e *source.Entry) error {
	f, known := c.indexed[e.Path]
	if !known || f.Record.Status == "" || f.Tree != "" {
		if source.Reason(e.Skip) != source.Unreadable {
			c.count(&c.New, e.Path)
		}
		return nil
	}
	c.kept++
	sum := f.Record.SHA256
	if c.again {
		sum = ""
	}
	last := time.Unix(0, max(e.Stat.Modified, e.Stat.Changed))
	seen, isKnown := c.seen.Get(*e)
	switch {
	case e.Skip != "":
		seen.Skip = e.Skip
	case isKnown:
	case f.Indexed() && (sum == "" || f.Record.Size != e.Size):
		c.count(&c.Changed, e.Path)
		return nil
	case f.Record.Size == e.Size && last.Before(c.since):
		return nil
	case !time.Now().Before(c.until):
		c.AtLeast = true
		return nil
	default:
		data, _, skip, err := c.tree.Read(*e, c.maxSize)
		if errors.Is(err, fs.ErrNotExist) {
			c.kept--
			c.count(&c.Deleted, e.Path)
			return nil
		}
		if err != nil {
			return err
		}
		digest := sha256.Sum256(data)
		seen = source.Seen{Digest: hex.EncodeToString(digest[:]), Skip: skip}
	}
	switch {
	case source.Reason(seen.Skip) == source.Unreadable:
		// What can't be read stays in the index as it is.
	case seen.Skip != "":
		if f.Record.Status != record.StatusSkipped || f.Record.Reason != seen.Skip {
			c.count(&c.Changed, e.Path)
		}
	case seen.Digest != sum:
		c.count(&c.Changed, e.Path)
	}
	return nil
}

// A Newest tells what has changed since a store was written, as far as it was looked for.
type Newest struct {
	// Files is how many files have changed, come or gone, and First the paths of the first two.
	Files int
	First []string
	// Whole tells that there was time to look at all files.
	Whole bool
}

// A Glance compares the tree of a store with it again and again, within a short time each, and remembers what it can of the store.
type Glance struct {
	mu        sync.Mutex
	dir, root string
	seen      os.FileInfo
	manifest  *store.Manifest
	indexed   map[string]*shard.File
	// notices are of the folders that the last look went through, nil where the system gives none; still is when that look found that all files are as the
	// store has them, zero if it did not.
	notices *source.Notices
	still   time.Time
	// took is how long the last look took, and ended when it was over.
	took  atomic.Int64
	ended time.Time
}

// TakesLonger reports whether the last look took longer than that.
func (g *Glance) TakesLonger(than time.Duration) bool { return time.Duration(g.took.Load()) > than }

const (
	// mostStill is how long nothing is looked at while the system tells of no change: those that other machines make in a network file system it does not
	// tell of. Where looks take long it is longer, stillFactor times what one takes.
	mostStill   = 30 * time.Second
	stillFactor = 50
	// restFactor is how many times what it took a look that takes long is not repeated for. Where the system tells of changes, so that a look is taken only
	// after one, long is more than longLook.
	restFactor = 4
	longLook   = 500 * time.Millisecond
	// watchedFiles and watchedTime bound a look after which the system tells of changes, so that it pays to go through all files once.
	watchedFiles = 500_000
	watchedTime  = 10 * time.Second
)

// Look returns which files of the tree at root have changed, come or gone since the store in dir was written. It takes no longer than most, where it must be
// done again each time. Where the system tells of changes it may take longer, but rarely looks again.
func (g *Glance) Look(ctx context.Context, dir, root string, list Lister, most time.Duration) (Newest, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return Newest{}, err
	}
	info, err := os.Stat(filepath.Join(dir, store.ManifestName))
	if err != nil {
		return Newest{}, err
	}
	same := g.manifest != nil && g.dir == dir && os.SameFile(info, g.seen) && info.ModTime().Equal(g.seen.ModTime())
	if root != g.root {
		g.end()
		g.root = root
		g.notices, _ = source.NewNotices(root)
	}
	took := time.Duration(g.took.Load())
	// They are taken in any case: what happened before is seen by the look that follows.
	if happened := g.notices == nil || g.notices.Any(); same && !happened && time.Since(g.still) < max(mostStill, stillFactor*took) {
		return Newest{Whole: true}, nil
	}
	g.still = time.Time{}
	long := most
	if g.notices.Tell() {
		long = max(most, longLook)
	}
	if took > long && time.Since(g.ended) < restFactor*took {
		return Newest{}, nil
	}
	now := time.Now()
	defer func() {
		g.ended = time.Now()
		g.took.Store(int64(g.ended.Sub(now)))
	}()
	if !same || g.indexed == nil {
		m, files, err := store.ReadFiles(ctx, dir)
		if err != nil {
			return Newest{}, err
		}
		g.dir, g.seen, g.manifest, g.indexed = dir, info, m, files
	}
	within := bounds{files: mostFiles, time: most, notices: g.notices}
	if g.notices.Tell() {
		within.files, within.time = watchedFiles, watchedTime
	}
	all, err := compareAll(ctx, dir, root, g.manifest, g.indexed, list, within)
	if len(g.indexed) > mostFiles {
		g.indexed = nil // looks are so rare that it is not worth the memory
	}
	newest := Newest{Whole: true}
	known := err == nil
	for i := range all {
		newest.Files += all[i].Changed + all[i].New + all[i].Deleted
		newest.First = append(newest.First, all[i].First...) // one tree at most is looked at
		newest.Whole = newest.Whole && !all[i].AtLeast
		known = known && all[i].State == UpToDate
	}
	if known {
		g.still = now
	}
	return newest, err
}

// Close ends what the system keeps for the glance. Looks that come later must have a context that is done.
func (g *Glance) Close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.end()
}

func (g *Glance) end() {
	if g.notices != nil {
		g.notices.Close()
	}
	g.notices, g.root, g.still = nil, "", time.Time{}
}

// A Lister says how the files of the tree at root are listed.
type Lister func(root string) (source.Options, error)

const mostFiles = 20_000
