package update

import (
	"fmt"
	"iter"
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

// A plan says what becomes of the files of a store when a run is applied to it, and what the next manifest is as far as it follows from that.
type plan struct {
	opts   Options
	change *change
	// now is the time of the change, as the store writes it.
	now string
	// isTree tells that only the tree of this name is planned, as for a Target, instead of all that the store has.
	isTree bool
	name   string

	old  *layout.Manifest // nil for a new store
	next *layout.Manifest
	// heads are the files of the old shards, nil where they are not needed.
	heads [][]*shard.File
	// lost are the old shards that are damaged and made anew.
	lost []bool
	// actions say, by tree path, what becomes of a file; those that are not named stay as they are.
	actions map[string]*action
	// touched are the parts of the store (shard.Most of them) in which there are actions.
	touched [shard.Most]bool
	// locked are the tree paths of folders that could not be read.
	locked map[string]bool
	// settings are those of the run, and before is what the store has of its tree, if that is known.
	settings map[string]string
	before   layout.Tree
	known    bool
	// renewed tells that the tree was indexed with other settings before, so that nothing of it may stay.
	renewed bool
	// kept is how many chunks stay as stored, staying how many indexed files of the tree of the run.
	kept, staying int
	// dropUnembedded tells that a file without all its embeddings is to be done again.
	dropUnembedded bool
}

// An action is what becomes of a file. Without a head it is removed.
type action struct {
	// head is the record of the file, in which the numbers of chunks and the times are to be filled in.
	head *shard.File
	// ownFacts tells that the run has the facts; otherwise the store has.
	ownFacts bool
	// stay tells that stored chunks stay which the run does not bring.
	stay bool
}

// newPlan is a plan for the run, of a store whose manifest is old, which is nil for a new one. It needs the old files before it can decide.
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

// needsAll reports whether the run says something about files that it does not mention, so that all old ones must be known.
func (p *plan) needsAll() bool {
	c := p.change
	return p.before.Again || p.renewed || c.whole && c.begin.Mode == record.Full || slices.ContainsFunc(slices.Collect(c.files()), isUnreadable)
}

// A keepsError says that the run would leave files in a tree which were indexed with other settings.
type keepsError struct {
	error
	// next is the old generation, with the note that the next run of the tree is to bring all files again. It is to be committed.
	next *layout.Manifest
}

func (e *keepsError) Unwrap() error { return e.error }

// decide decides what becomes of every file. It fails if files of two settings or embeddings of two models would stand in one tree.
func (p *plan) decide() error {
	c := p.change
	p.findLocked()
	p.planFiles()
	if p.renewed && p.staying > 0 {
		return &keepsError{hint.Wrap(fmt.Errorf("the run was made with other settings than the index (%s), which would keep %s: the index is unchanged",
			differences(p.before.Settings, p.settings), terminal.Count(p.staying, "file", "files")), "index all files again: "+layout.IndexAgain), p.withoutChecksums()}
	}
	if c.begin != nil && (!p.known || c.whole) {
		p.next.Trees[c.begin.Tree] = layout.Tree{Settings: p.settings, Again: p.before.Again && p.staying > 0, Files: p.before.Files, Chunks: p.before.Chunks}
	}
	return p.chooseModel()
}

// withoutChecksums is the old generation with the note that the next run of the tree is to bring all files again.
func (p *plan) withoutChecksums() *layout.Manifest {
	next := *p.old
	next.Trees = maps.Clone(p.old.Trees)
	tree := next.Trees[p.change.begin.Tree]
	tree.Again = true
	next.Trees[p.change.begin.Tree] = tree
	return &next
}

// planFiles decides what becomes of every file.
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

// planFile decides what becomes of one file.
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
	// An indexed file stays if its chunks do.
	if c.begin != nil && old.Indexed() && old.Tree == c.begin.Tree && (a == nil || a.stay) && !(now != nil && now.Indexed()) {
		p.staying++
	}
}

// actionFor returns nil if the file stays as it is.
func (p *plan) actionFor(path string, old, now *shard.File) *action {
	c := p.change
	// A file that is known by chunks alone has no record.
	known := old != nil && old.Record.Status != ""
	switch {
	case c.begin == nil:
		head := now
		if old != nil {
			head = clone(old)
		}
		return &action{head: head, stay: true}
	case now == nil:
		if !c.whole || c.begin.Mode != record.Full || old.Tree != c.begin.Tree || p.isLocked(path) {
			return nil
		}
		return &action{}
	case old != nil && old.Tree != c.begin.Tree:
		p.opts.Report(fmt.Errorf("file %q is of tree %q in the store, and of tree %q in the run: left out", path, old.Tree, c.begin.Tree))
		return nil
	case now.Record.Status == record.StatusUnchanged:
		if !known {
			p.opts.Report(hint.Wrap(fmt.Errorf("file %q is said to be unchanged, but the index does not have it", path),
				"index all files again: "+layout.IndexAll))
		} else if sum := now.Record.SHA256; sum != "" && sum != old.Record.SHA256 {
			// Another run came between.
			p.opts.Report(hint.Wrap(fmt.Errorf("file %q is said to be unchanged, but the index has another version of it", path),
				"run it again: "+layout.IndexAgain))
			head := clone(old)
			head.Record.SHA256 = ""
			return &action{head: head, stay: true}
		}
		return nil
	case now.Indexed():
		head := now
		if !c.whole {
			// Some of its chunks may be lost: without a checksum the next run does the file again.
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
		// That it could be read before and cannot now is no reason for it to vanish from the index.
		if !p.renewed {
			p.opts.Warn("%s: %s: its old chunks stay", path, now.Record.Reason)
			return nil
		}
		p.opts.Warn("%s: %s: its old chunks go, since they were made with other settings", path, now.Record.Reason)
	case p.locked[path]:
		p.opts.Warn("%s: %s: its old chunks stay", path, now.Record.Reason)
	}
	head := clone(now)
	head.Record.SHA256 = ""
	if known && old.Total() == 0 && reflect.DeepEqual(old.Record, head.Record) {
		return nil // skipped as before
	}
	return &action{head: head, ownFacts: true}
}

func clone(f *shard.File) *shard.File {
	copied := *f
	return &copied
}

func isUnreadable(f *shard.File) bool {
	// The reason itself may follow, as in "unreadable: permission denied".
	reason, _, _ := strings.Cut(f.Record.Reason, ":")
	return f.Record.Status == record.StatusSkipped && reason == "unreadable"
}

// findLocked finds the folders that could be read before, since files in them are known, and
// cannot now.
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
			for folder := range folders(path) {
				if unreadable[folder] {
					p.locked[folder] = true
				}
			}
		}
	}
}

// isLocked reports whether the file lies in a folder that cannot be read.
func (p *plan) isLocked(path string) bool {
	if len(p.locked) == 0 {
		return false
	}
	for folder := range folders(path) {
		if p.locked[folder] {
			return true
		}
	}
	return false
}

// folders yields the paths of the folders that the file lies in.
func folders(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range len(path) {
			if path[i] == '/' && !yield(path[:i]) {
				return
			}
		}
	}
}

// differences names the stages whose settings differ.
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

// embedStage is the name of the stage that adds embeddings in the settings of a run.
const embedStage = "embed"

// chooseModel sets the model of the next generation. Embeddings of two models never
// stand in one store, since no query could be compared with both.
func (p *plan) chooseModel() error {
	c := p.change
	first := c.first
	switch {
	case p.kept > 0 && first == nil:
		p.next.Model, p.next.Dimensions = p.old.Model, p.old.Dimensions
	case p.kept > 0 && p.old.Dimensions > 0 && (first.model != p.old.Model || first.dimensions != p.old.Dimensions):
		return hint.Wrap(fmt.Errorf("the run brings chunks with %s, the index keeps %s with %s: the index is unchanged",
			layout.DescribeModel(first.model, first.dimensions), terminal.Count(p.kept, "chunk", "chunks"), layout.DescribeModel(p.old.Model, p.old.Dimensions)),
			"embed with the model of the index, or index everything again: "+layout.IndexAll)
	case first != nil:
		p.next.Model, p.next.Dimensions = first.model, first.dimensions
	}
	if p.old != nil && p.old.Dimensions > 0 && p.next.Dimensions == 0 && c.count > 0 {
		p.opts.Warn("the index loses its embeddings by %q, since the run brings none: search goes by words alone", p.old.Model)
	}
	p.dropUnembedded = p.next.Dimensions > 0 || c.begin != nil && c.begin.Settings[embedStage] != ""
	return nil
}
