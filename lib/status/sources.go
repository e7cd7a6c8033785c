package status

import (
	"cmp"
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

// NotTold is the reason why the state of a named tree is unknown.
const NotTold = "the index does not tell where the tree is"

// Sources says what has changed in a tree since it was indexed, as cortex-parse --incremental would find it with the
// current settings. Files with unchanged size and times are not read. A change made during the indexing run may stay
// unnoticed.
type Sources struct {
	Tree string `json:"tree,omitempty"`
	// Root is the folder that was checked; "" if none was.
	Root string `json:"root,omitempty"`
	// State is UpToDate, Changed or Unknown.
	State string `json:"state"`
	// Files is the number of files in the index, including skipped ones.
	Files int `json:"files"`
	// Generation, GeneratedAt and Chunks are set for a tree in a database, where each tree is written separately.
	Generation  int64  `json:"generation,omitempty"`
	GeneratedAt string `json:"generated_at,omitempty"`
	Chunks      int    `json:"chunks,omitempty"`

	Changed int `json:"changed"`
	New     int `json:"new"`
	Deleted int `json:"deleted"`
	// First are the paths of at most mostFirst of these files, deleted ones last.
	First []string `json:"first,omitempty"`
	// AtLeast says that there may be more changes: the check ran out of time, or there were too many files.
	AtLeast bool `json:"at_least,omitempty"`
	// Unknown is the reason if State is Unknown.
	Unknown string `json:"unknown,omitempty"`
	// fault is the error behind Unknown.
	fault error
}

// mostFirst is the number of changed files that are named.
const mostFirst = 2

// bounds limit a check: the number of files listed, and the time. If notices is set, it watches the folders from then
// on.
type bounds struct {
	files   int
	time    time.Duration
	notices *source.Notices
}

// compareAll checks the trees one after the other. A store does not record where a named tree is, so the state of such
// a tree is unknown.
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
				s.State, s.Unknown, s.fault = Unknown, hint.Text(err), err
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
	opts.Root, opts.Store = root, dir
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

// settled returns the time up to which all changes of files were seen by the run that wrote the store. The run began
// some time before its commit; the number of files gives a guess how long. settled returns the zero time if the clocks
// are unreliable.
func settled(dir string, m *store.Manifest, files int) time.Time {
	at := committed(dir, m)
	if at.IsZero() {
		return at
	}
	const least, perFile = 30 * time.Second, 2 * time.Millisecond
	return at.Add(-least - time.Duration(files)*perFile)
}

// committed returns when the manifest was written, or the zero time if the clocks are unreliable.
func committed(dir string, m *store.Manifest) time.Time {
	at, err := time.Parse(time.RFC3339, m.GeneratedAt)
	info, statErr := os.Stat(filepath.Join(dir, store.ManifestName))
	if err != nil || statErr != nil || at.After(time.Now()) {
		return time.Time{}
	}
	// The times differ after a copy, a change of the clock, or with SOURCE_DATE_EPOCH. The earlier one is safe.
	if written := info.ModTime(); written.Before(at) {
		at = written
	}
	return at
}

// A comparison is one check of a tree.
type comparison struct {
	*Sources
	indexed map[string]*shard.File
	// again says that the checksums in the store must be ignored.
	again   bool
	tree    *source.Folder
	maxSize int64
	// seen are the results of cortex-parse reading files, if it saved them. A file not in seen is unchanged if it was
	// last changed before since.
	seen  *source.Cache
	since time.Time
	until time.Time
	// kept is the number of files in the index that still exist.
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
		if record.ReasonOf(e.Skip) == source.Unreadable {
			locked[e.Path] = true
		}
		if err := c.entry(e); err != nil {
			return err
		}
	}
	var deleted []string
	for name, f := range c.indexed {
		if f.Tree == "" && f.Record.Status != "" && !listed[name] && !record.IsInside(name, locked) {
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
		// The tree of this store is elsewhere; nothing else shows that.
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

// count adds a file to one of the counts.
func (c *comparison) count(number *int, path string) {
	*number++
	if len(c.First) < mostFirst {
		c.First = append(c.First, path)
	}
}

// entry counts one existing file.
func (c *comparison) entry(e *source.Entry) error {
	f, known := c.indexed[e.Path]
	if !known || f.Record.Status == "" || f.Tree != "" {
		if record.ReasonOf(e.Skip) != source.Unreadable {
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
	case record.ReasonOf(seen.Skip) == source.Unreadable:
		// A file that cannot be read stays in the index as it is.
	case seen.Skip != "":
		if f.Record.Status != record.StatusSkipped || f.Record.Reason != seen.Skip {
			c.count(&c.Changed, e.Path)
		}
	case seen.Digest != sum:
		c.count(&c.Changed, e.Path)
	}
	return nil
}

// A Newest says which files have changed since a store was written, as far as they were checked.
type Newest struct {
	// Files is the number of files that are changed, new or deleted. First are the paths of the first two.
	Files int
	First []string
	// Whole says that all files were checked.
	Whole bool
}

// A Glance compares a tree with its store again and again, for a short time each, and caches parts of the store.
type Glance struct {
	mu        sync.Mutex
	dir, root string
	seen      os.FileInfo
	manifest  *store.Manifest
	indexed   map[string]*shard.File
	// notices watch the folders of the last look; nil if the system has none. still is when that look found all files
	// up to date, the zero time if it did not.
	notices *source.Notices
	still   time.Time
	// took is the duration of the last look, and ended the time of its end.
	took  atomic.Int64
	ended time.Time
}

// TakesLonger reports whether the last look took longer than the duration than.
func (g *Glance) TakesLonger(than time.Duration) bool { return time.Duration(g.took.Load()) > than }

const (
	// mostStill is how long Look trusts notices that report no change, since they do not report changes that other
	// machines make in a network file system. If looks take long, the time is stillFactor times the duration of a look.
	mostStill   = 30 * time.Second
	stillFactor = 50
	// After a slow look, Look does not check again for restFactor times its duration. With notices, a look is slow if
	// it takes more than longLook; then it only runs after a change.
	restFactor = 4
	longLook   = 500 * time.Millisecond
	// watchedFiles and watchedTime bound a look with notices. They are generous, since such a look is rarely repeated.
	watchedFiles = 500_000
	watchedTime  = 10 * time.Second
)

// Look returns the files of the tree at root that are changed, new or deleted since the store in dir was written.
// Without notices of the system it takes no longer than most. With notices it may take longer, but rarely checks the
// files again.
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
	// Any is called in any case: this look will see all changes before the call.
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
		g.indexed = nil // slow looks are so rare that the cache does not pay
	}
	newest := Newest{Whole: true}
	known := err == nil
	for i := range all {
		newest.Files += all[i].Changed + all[i].New + all[i].Deleted
		newest.First = append(newest.First, all[i].First...) // compareAll checks at most one tree
		newest.Whole = newest.Whole && !all[i].AtLeast
		known = known && all[i].State == UpToDate
		err = cmp.Or(err, all[i].fault)
	}
	if known {
		g.still = now
	}
	return newest, err
}

// Close releases the notices. The context of later calls of Look must be done.
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

// A Lister returns the options to list the files of the tree at root.
type Lister func(root string) (source.Options, error)

const mostFiles = 20_000
