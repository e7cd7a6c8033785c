package update

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
	"cortex/lib/terminal"
)

// A plan decides what happens to each file of a store when a run is applied, and computes the next manifest except for
// what depends on the shards.
type plan struct {
	opts   Options
	change *change
	// now is the time of the change in the store's format.
	now string
	// isTree says that only the tree called name is planned, as for a Target, instead of all trees of the store.
	isTree bool
	name   string

	old  *layout.Manifest // nil for a new store
	next *layout.Manifest
	// heads has the files of the old shards; nil for shards that are not needed.
	heads [][]*shard.File
	// lost marks the old shards that are damaged, so that they are rebuilt.
	lost []bool
	// actions has, by tree path, what happens to a file; other files stay as they are.
	actions map[string]*action
	// touched marks the parts of the store (of shard.Most) that have actions.
	touched [shard.Most]bool
	// locked has the tree paths of folders that cannot be read, though files in them are in the store.
	locked map[string]bool
	// settings are those of the run. before is the store's entry of the run's tree, if known is set.
	settings map[string]string
	before   layout.Tree
	known    bool
	// renewed says that the tree was indexed with other settings before, so that none of its old files may stay.
	renewed bool
	// kept is the number of chunks that stay as they are stored, staying the number of indexed files of the run's tree
	// that stay.
	kept, staying int
	// gone is the number of indexed files of the run's tree that the run removes, come that of those it adds.
	gone, come int
	// dropUnembedded says that a file with a chunk without embedding must be indexed again.
	dropUnembedded bool
}

// An action says what happens to a file. Without a head the file is removed.
type action struct {
	// head is the file's next record; mergeFile sets its numbers of chunks and its times.
	head *shard.File
	// ownFacts says that the facts are those of the run, not of the store.
	ownFacts bool
	// stay says that stored chunks stay if the run does not bring them.
	stay bool
}

// newPlan returns a plan for the run, of a store with the manifest old, nil for a new store. The caller must set heads
// and lost before it calls decide.
func newPlan(opts Options, c *change, old *layout.Manifest) *plan {
	p := &plan{
		opts: opts, change: c, now: opts.Now().UTC().Format(layout.TimeLayout), old: old,
		next: &layout.Manifest{Version: layout.Version, Trees: map[string]layout.Tree{}}, actions: map[string]*action{}, settings: map[string]string{},
	}
	if old != nil {
		maps.Copy(p.next.Trees, old.Trees)
		p.next.Shards = slices.Clone(old.Shards)
		p.kept = old.Stats.Chunks
	}
	if c.begin != nil {
		maps.Copy(p.settings, c.begin.Settings)
		p.before, p.known = p.next.Trees[c.begin.Tree]
		p.renewed = p.known && c.whole && !maps.Equal(p.before.Settings, p.settings)
	}
	return p
}

// needsAll reports whether the plan needs all old files, since the run may affect files that it does not mention.
func (p *plan) needsAll() bool {
	c := p.change
	return p.before.Again || p.renewed || c.whole && c.begin.Mode == record.Full || slices.ContainsFunc(slices.Collect(c.files()), isUnreadable)
}

// A settingsError says that the run is refused since it would leave files in a tree which were indexed with other
// settings.
type settingsError struct {
	error
	// next is the old generation with Tree.Again set, so that the next run of the tree indexes all files. The caller
	// commits it.
	next *layout.Manifest
}

func (e *settingsError) Unwrap() error { return e.error }

// decide decides what happens to every file. It fails if files of two settings, or embeddings of two models, would be
// in one tree.
func (p *plan) decide() error {
	c := p.change
	p.findLocked()
	p.planFiles()
	if p.renewed && p.staying > 0 {
		return &settingsError{hint.Wrap(fmt.Errorf("the run was made with other settings than the index (%s), which would keep %s: the index is unchanged",
			differences(p.before.Settings, p.settings), terminal.Count(p.staying, "file", "files")), "index all files again, with the flags of this run: "+layout.InFolder(p.opts.Dir, layout.IndexAgain)+"; or set them in .cortex/config.yml, for all runs and for cortex-serve"), p.withoutChecksums()}
	}
	if err := cmp.Or(p.checkBase(), p.checkFolder()); err != nil {
		return err
	}
	if c.begin != nil && (!p.known || c.whole) {
		p.next.Trees[c.begin.Tree] = layout.Tree{Settings: p.settings, Again: p.before.Again && p.staying > 0, Files: p.before.Files, Chunks: p.before.Chunks}
	}
	return p.chooseModel()
}

// fewFiles is the number of files that any run may replace.
const fewFiles = 10

// checkBase returns an error if the run was compared with another store: it has found more files unchanged than there
// are.
func (p *plan) checkBase() error {
	c := p.change
	if c.begin == nil || c.begin.Unchanged <= p.before.Files {
		return nil
	}
	advice := "cortex-parse and cortex-store must name the same store: " + layout.InFolder(p.opts.Dir, layout.IndexAgain)
	if p.isTree {
		advice = "cortex-parse and cortex-store must name the same database and tree"
	}
	return hint.Wrap(fmt.Errorf("the run left out %s as unchanged, of which the index has %d: the index is unchanged",
		terminal.Count(c.begin.Unchanged, "file", "files"), p.before.Files), advice)
}

// checkFolder returns an error if the run is probably of another folder than the index (see Options.OutsideTree).
func (p *plan) checkFolder() error {
	if !p.opts.OutsideTree || p.come == 0 || p.gone < fewFiles || p.change.begin.Tree != "" {
		return nil
	}
	had := min(p.before.Files, p.old.Stats.Files) // the former counts skipped files too, the latter those of other trees
	if p.gone <= had*9/10 {
		return nil
	}
	return hint.Wrap(fmt.Errorf("the run has %d of the %s of the index, which is probably of another folder: the index is unchanged", had-p.gone, terminal.Count(had, "file", "files")),
		"run the pipeline in that folder; or remove the index, to replace it: rm -r "+layout.ShellWord(p.opts.Dir)+"; or give each folder a name with cortex-parse --tree")
}

// withoutChecksums returns the old generation with Tree.Again set for the tree of the run.
func (p *plan) withoutChecksums() *layout.Manifest {
	next := *p.old
	next.Trees = maps.Clone(p.old.Trees)
	tree := next.Trees[p.change.begin.Tree]
	tree.Again = true
	next.Trees[p.change.begin.Tree] = tree
	return &next
}

// planFiles decides what happens to every file.
func (p *plan) planFiles() {
	c := p.change
	n := 1
	if p.old != nil {
		n = len(p.old.Shards)
	}
	for i := range n {
		news := map[string]*shard.File{}
		for part := i * shard.Most / n; part < (i+1)*shard.Most/n; part++ {
			for _, f := range c.heads[part] {
				if !p.isTree || f.Tree == p.name {
					news[f.Path()] = f
				}
			}
		}
		olds := map[string]*shard.File{}
		if p.old != nil {
			for _, f := range p.heads[i] {
				if p.before.Again && c.begin != nil && f.Tree == c.begin.Tree {
					f.Record.SHA256 = ""
				}
				olds[f.Path()] = f
			}
		}
		paths := slices.Collect(maps.Keys(news))
		for path := range olds {
			if news[path] == nil {
				paths = append(paths, path)
			}
		}
		slices.Sort(paths)
		for _, path := range paths {
			p.planFile(path, olds[path], news[path])
		}
	}
}

// planFile decides what happens to one file.
func (p *plan) planFile(path string, old, now *shard.File) {
	c := p.change
	a := p.actionFor(path, old, now)
	if a != nil {
		p.actions[path] = a
		p.touched[shard.Of(path, shard.Most)] = true
		if old != nil && !a.stay {
			p.kept -= old.Total()
		}
	}
	if c.begin == nil || old != nil && old.Tree != c.begin.Tree {
		return
	}
	switch {
	case old.Indexed() == now.Indexed():
	case now.Indexed():
		p.come++
	case a == nil || a.stay: // an indexed file stays if its chunks stay
		p.staying++
	default:
		p.gone++
	}
}

// actionFor returns what happens to a file; nil if it stays as it is. old is nil if the store does not have the file,
// now if the run does not.
func (p *plan) actionFor(path string, old, now *shard.File) *action {
	c := p.change
	// A file of which the store has only chunks has no record.
	known := old != nil && old.Record.Status != ""
	switch {
	case c.begin == nil:
		head := now
		if old != nil {
			head = clone(old)
		}
		return &action{head: head, stay: true}
	case now == nil:
		if !c.whole || c.begin.Mode != record.Full || old.Tree != c.begin.Tree || record.IsInside(path, p.locked) {
			return nil
		}
		return &action{}
	case old != nil && old.Tree != c.begin.Tree:
		p.opts.Report(fmt.Errorf("file %q is of tree %q in the store, and of tree %q in the run: left out", path, old.Tree, c.begin.Tree))
		return nil
	case now.Record.Status == record.StatusUnchanged:
		if !known {
			p.opts.Report(hint.Wrap(fmt.Errorf("file %q is said to be unchanged, but the index does not have it", path),
				"index all files again: "+layout.InFolder(p.opts.Dir, layout.IndexAll)))
		} else if sum := now.Record.SHA256; sum != "" && sum != old.Record.SHA256 {
			// Another run was applied in between.
			p.opts.Report(hint.Wrap(fmt.Errorf("file %q is said to be unchanged, but the index has another version of it", path),
				"run it again: "+layout.InFolder(p.opts.Dir, layout.IndexAgain)))
			head := clone(old)
			head.Record.SHA256 = ""
			return &action{head: head, stay: true}
		}
		return nil
	case now.Indexed():
		head := now
		if !c.whole {
			// Some of its chunks may be missing; without a checksum the next run indexes the file again.
			head = clone(now)
			head.Record.SHA256 = ""
		}
		return &action{head: head, ownFacts: true, stay: !c.whole}
	case !c.whole && known:
		return nil
	case now.Record.Status == record.StatusDeleted:
		if old == nil {
			return nil
		}
		return &action{}
	case isUnreadable(now) && old.Indexed():
		// A file that could be read before does not vanish from the index because it cannot be read now.
		if !p.renewed {
			p.opts.Warn("%s: %s: its old chunks stay", path, now.Record.Reason)
			return nil
		}
		p.opts.Warn("%s: %s: its old chunks are removed, since they were made with other settings", path, now.Record.Reason)
	case p.locked[path]:
		p.opts.Warn("%s: %s: its old chunks stay", path, now.Record.Reason)
	}
	head := clone(now)
	head.Record.SHA256 = ""
	if known && old.Total() == 0 && reflect.DeepEqual(old.Record, head.Record) {
		return nil // as stored
	}
	return &action{head: head, ownFacts: true}
}

func clone(f *shard.File) *shard.File {
	copied := *f
	return &copied
}

func isUnreadable(f *shard.File) bool {
	return f.Record.Status == record.StatusSkipped && record.ReasonOf(f.Record.Reason) == record.SkippedUnreadable
}

// findLocked finds the folders that cannot be read although the store has files in them.
func (p *plan) findLocked() {
	p.locked = map[string]bool{}
	unreadable, mentioned := map[string]bool{}, map[string]bool{}
	for f := range p.change.files() {
		if isUnreadable(f) {
			unreadable[f.Path()] = true
		}
	}
	if len(unreadable) == 0 || p.renewed {
		return
	}
	for f := range p.change.files() {
		mentioned[f.Path()] = true
	}
	for _, list := range p.heads {
		for _, f := range list {
			path := f.Path()
			if f.Tree != p.change.begin.Tree || mentioned[path] {
				continue
			}
			for folder := range record.Folders(path) {
				if unreadable[folder] {
					p.locked[folder] = true
				}
			}
		}
	}
}

// differences returns the sorted names of the stages whose settings differ.
func differences(before, now map[string]string) string {
	var names []string
	for _, list := range []map[string]string{before, now} {
		for stage := range list {
			if before[stage] != now[stage] && !slices.Contains(names, stage) {
				names = append(names, stage)
			}
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// embedStage is the stage that adds embeddings, as the settings of a run name it.
const embedStage = "embed"

// chooseModel sets the model of the next generation. A store never has embeddings of two models, since no query could
// be compared with both.
func (p *plan) chooseModel() error {
	c := p.change
	first := c.first
	if first != nil && first.dimensions > layout.MaxDimensions {
		return fmt.Errorf("the run brings embeddings of %d dimensions, at most %d are allowed: the index is unchanged", first.dimensions, layout.MaxDimensions)
	}
	switch {
	case p.kept > 0 && first == nil:
		p.next.Model, p.next.Dimensions = p.old.Model, p.old.Dimensions
	case p.kept > 0 && p.old.Dimensions > 0 && (first.model != p.old.Model || first.dimensions != p.old.Dimensions):
		return hint.Wrap(fmt.Errorf("the run brings chunks with %s, the index keeps %s with %s: the index is unchanged",
			layout.DescribeModel(first.model, first.dimensions), terminal.Count(p.kept, "chunk", "chunks"), layout.DescribeModel(p.old.Model, p.old.Dimensions)),
			"embed with the model of the index, or index everything again: "+layout.InFolder(p.opts.Dir, layout.IndexAll))
	case first != nil:
		p.next.Model, p.next.Dimensions = first.model, first.dimensions
	}
	if p.old != nil && p.old.Dimensions > 0 && p.next.Dimensions == 0 && c.count > 0 {
		p.opts.Warn("the index loses its embeddings by %q, since the run brings none: search goes by words alone", p.old.Model)
	}
	p.dropUnembedded = p.next.Dimensions > 0 || c.begin != nil && c.begin.Settings[embedStage] != ""
	return nil
}
