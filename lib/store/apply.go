package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"cortex/lib/hint"
	"cortex/lib/record"
)

// A writer applies one change to the store whose lock it holds.
type writer struct {
	lock   *lock
	opts   Options
	change *change

	old  *Manifest // nil for a new store
	next *Manifest
	// plans hold, by chunk type, what becomes of the stored chunks.
	plans [kinds]plan
	graph graphPlan
	// marking has what is known of the digests.
	marking marking
	now     string
	// files is the part of the next manifest that encodeFiles writes, nil if that is not settled yet.
	files []byte
	// locked are the tree paths of folders that could not be read.
	locked map[string]bool
	// renewed tells that the tree was indexed with other settings before, so that nothing of it may stay.
	renewed bool
	// tally counts the chunks of the next generation, kept those of them that stay as stored.
	tally  tally
	kept   int
	result Result
}

// A plan is what a change does to one chunk file.
type plan struct {
	// edits make the next content of the stored one, in the order of their offsets.
	edits []edit
	// rest are the new chunks that sort after all stored ones.
	rest []*chunk
	// kept is the number of stored chunks that stay.
	kept int
	// pieces are those of the written file, if any are kept.
	pieces pieces
	// changed tells that the file's content will differ.
	changed bool
	// damaged tells that the file must be written even if its content will be as before.
	damaged bool
}

// An edit is one difference between the stored content of a chunk file and the next: the new chunks stand
// where drop bytes of the stored ones were.
type edit struct {
	at, drop int64
	insert   []*chunk
}

// A tally counts chunks.
type tally struct {
	total int
	// unembedded are those without an embedding.
	unembedded int
	types      map[record.ChunkType]int
	languages  map[string]int
	trees      map[string]int
}

func newTally() tally {
	return tally{types: map[record.ChunkType]int{}, languages: map[string]int{}, trees: map[string]int{}}
}

func (t *tally) count(ch *chunk) {
	t.total++
	if ch.dimensions == 0 {
		t.unembedded++
	}
	t.types[record.ChunkTypes[ch.kind]]++
	t.languages[languageKey(ch.language)]++
	t.trees[ch.tree]++
}

func (t *tally) add(other tally) {
	t.total += other.total
	t.unembedded += other.unembedded
	addCounts(t.types, other.types)
	addCounts(t.languages, other.languages)
	addCounts(t.trees, other.trees)
}

func addCounts[K comparable](to, from map[K]int) {
	for key, n := range from {
		to[key] += n
	}
}

// subtract takes away what other counted.
func (t *tally) subtract(other tally) {
	t.total -= other.total
	t.unembedded -= other.unembedded
	subtractCounts(t.types, other.types)
	subtractCounts(t.languages, other.languages)
	subtractCounts(t.trees, other.trees)
}

func subtractCounts[K comparable](from, what map[K]int) {
	for key, n := range what {
		if from[key] -= n; from[key] == 0 {
			delete(from, key)
		}
	}
}

// apply works out the next generation and commits it if it differs from the last.
func (w *writer) apply(ctx context.Context) (Result, error) {
	w.now = w.opts.Now().UTC().Format(timeLayout)
	old, err := w.change.stored()
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return Result{}, err
	default:
		w.old = old
	}
	if err := w.recover(); err != nil {
		return Result{}, commitError(w.lock.root.Name(), err)
	}
	w.tally = newTally()
	w.result = Result{Tree: w.change.tree(), Files: w.change.byStatus}
	if w.change.begin != nil {
		w.result.Mode = w.change.begin.Mode
	}
	if err := w.plan(); err != nil {
		return Result{}, cmp.Or(w.forgetChecksums(ctx), err)
	}
	defer w.readGraphAhead(ctx)()
	if err := w.survey(ctx); err != nil {
		return Result{}, err
	}
	if err := w.chooseModel(); err != nil {
		return Result{}, err
	}
	w.markUnembedded()
	for _, list := range w.change.chunks {
		for _, ch := range list {
			w.tally.count(ch)
		}
	}
	w.next.derive(w.tally)
	if err := w.commit(ctx); err != nil {
		return Result{}, err
	}
	w.result.Chunks = w.next.Stats.Chunks
	w.result.Generation = w.next.Generation
	return w.result, nil
}

// plan makes the next manifest as far as it follows from the file records. It fails if files of two
// settings would stand in one tree.
func (w *writer) plan() error {
	c := w.change
	files := len(c.files)
	if w.old != nil {
		files = max(files, len(w.old.Files))
	}
	w.next = &Manifest{
		Version:       Version,
		Trees:         map[string]Tree{},
		Files:         make(map[string]File, files),
		FileChecksums: make(map[string]string, files),
		ChunkFiles:    map[string]ChunkFile{},
	}
	if w.old != nil {
		for name, tree := range w.old.Trees {
			w.next.Trees[name] = Tree{Settings: tree.Settings}
		}
		maps.Copy(w.next.Files, w.old.Files)
		maps.Copy(w.next.FileChecksums, w.old.FileChecksums)
		maps.Copy(w.next.ChunkFiles, w.old.ChunkFiles)
	}
	if c.begin == nil {
		w.planGraph()
		return nil
	}
	settings := maps.Clone(c.begin.Settings)
	if settings == nil {
		settings = map[string]string{}
	}
	before, known := w.next.Trees[c.begin.Tree]
	w.renewed = known && c.whole && !maps.Equal(before.Settings, settings)
	w.findLocked()
	if c.whole && c.begin.Mode == record.Full {
		for path, f := range w.next.Files {
			if f.Tree == c.begin.Tree && c.files[path] == nil && !w.isLocked(path) {
				w.forget(path)
			}
		}
	}
	for _, path := range c.paths() {
		w.planFile(path, c.files[path])
	}
	if w.renewed {
		if err := w.checkRenewed(before.Settings); err != nil {
			return err
		}
	}
	if !known || c.whole {
		w.next.Trees[c.begin.Tree] = Tree{Settings: settings}
	}
	w.planGraph()
	return nil
}

func (w *writer) forget(path string) {
	delete(w.next.Files, path)
	delete(w.next.FileChecksums, path)
}

// planFile applies one file record to the next manifest.
func (w *writer) planFile(path string, f *record.File) {
	c := w.change
	before, known := w.next.Files[path]
	if known && before.Tree != c.begin.Tree {
		w.opts.Report(fmt.Errorf("file %q is of tree %q in the store, and of tree %q in the run: left out", path, before.Tree, c.begin.Tree))
		c.leaveOut(path)
		return
	}
	entry := File{Tree: c.begin.Tree, Status: f.Status, Language: f.Language, Size: f.Size, ErrorCount: f.ErrorCount, Reason: f.Reason}
	switch {
	case f.Status == record.StatusUnchanged:
		if !known {
			w.opts.Report(hint.Wrap(fmt.Errorf("file %q is said to be unchanged, but the index does not have it", path),
				"index all files again: "+indexAll))
		} else if f.SHA256 != "" && f.SHA256 != w.next.FileChecksums[path] {
			// Another run came between.
			delete(w.next.FileChecksums, path)
			w.opts.Report(hint.Wrap(fmt.Errorf("file %q is said to be unchanged, but the index has another version of it", path),
				"run it again: "+indexAgain))
		}
	case f.Status.Indexed():
		w.next.Files[path] = entry
		delete(w.next.FileChecksums, path)
		// Some of its chunks may be lost in a run that is not whole: without a checksum
		// the next run does the file again.
		if c.whole && validDigest(f.SHA256) {
			w.next.FileChecksums[path] = f.SHA256
		}
	case !c.whole && known:
	case f.Status == record.StatusDeleted:
		w.forget(path)
	case w.keepsUnreadable(path, f):
		w.opts.Warn("%s: %s: its old chunks stay", path, f.Reason)
	case w.renewed && isUnreadable(f) && known:
		w.opts.Warn("%s: %s: its old chunks go, since they were made with other settings", path, f.Reason)
		w.next.Files[path] = entry
		delete(w.next.FileChecksums, path)
	case w.locked[path]:
		w.opts.Warn("%s: %s: its old chunks stay", path, f.Reason)
		w.next.Files[path] = entry
	default:
		w.forget(path)
		w.next.Files[path] = entry
	}
}

// keepsUnreadable reports whether the file is one that could be read before and
// cannot now; for that it need not vanish from the index.
func (w *writer) keepsUnreadable(path string, f *record.File) bool {
	if !isUnreadable(f) || w.old == nil || w.renewed {
		return false
	}
	before, known := w.old.Files[path]
	return known && before.Status.Indexed()
}

func isUnreadable(f *record.File) bool {
	// The reason itself may follow, as in "unreadable: permission denied".
	reason, _, _ := strings.Cut(f.Reason, ":")
	return f.Status == record.StatusSkipped && reason == "unreadable"
}

// findLocked finds the folders that could be read before, since files in them are known, and
// cannot now.
func (w *writer) findLocked() {
	unreadable := map[string]bool{}
	for path, f := range w.change.files {
		if isUnreadable(f) {
			unreadable[path] = true
		}
	}
	w.locked = map[string]bool{}
	if len(unreadable) == 0 || w.renewed {
		return
	}
	for path, f := range w.next.Files {
		if f.Tree != w.change.begin.Tree || w.change.files[path] != nil {
			continue
		}
		for folder := range folders(path) {
			if unreadable[folder] {
				w.locked[folder] = true
			}
		}
	}
}

// isLocked reports whether the file lies in a folder that cannot be read.
func (w *writer) isLocked(path string) bool {
	if len(w.locked) == 0 {
		return false
	}
	for folder := range folders(path) {
		if w.locked[folder] {
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

// checkRenewed makes sure that no file of the tree stays as it was made with other settings.
func (w *writer) checkRenewed(before map[string]string) error {
	c := w.change
	stay := 0
	for path, f := range w.next.Files {
		if now := c.files[path]; f.Tree == c.begin.Tree && f.Status.Indexed() && (now == nil || !now.Status.Indexed()) {
			stay++
		}
	}
	if stay == 0 {
		return nil
	}
	return hint.Wrap(fmt.Errorf("the run was made with other settings than the index (%s), which would keep %s: the index is unchanged",
		differences(before, c.begin.Settings), count(stay, "file")),
		"index all files again: "+indexAgain)
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

// forgetChecksums commits the generation as it is without the checksums of the tree, so that the next
// incremental run does all its files again.
func (w *writer) forgetChecksums(ctx context.Context) error {
	next := *w.old
	next.FileChecksums = maps.Clone(w.old.FileChecksums)
	for path := range next.FileChecksums {
		if w.old.Files[path].Tree == w.change.begin.Tree {
			delete(next.FileChecksums, path)
		}
	}
	w.next = &next
	return w.commit(ctx)
}

// stays reports whether a stored chunk that the run does not bring again stays.
func (w *writer) stays(ch *chunk) bool {
	c := w.change
	if !c.whole || ch.tree != c.begin.Tree {
		return true
	}
	f := c.files[ch.path]
	switch {
	case f == nil:
		return c.begin.Mode == record.Incremental || w.isLocked(ch.path)
	case f.Status == record.StatusUnchanged:
		return true
	}
	return w.keepsUnreadable(ch.path, f)
}

// chooseModel sets the model of the next generation. Embeddings of two models never
// stand in one store, since no query could be compared with both.
func (w *writer) chooseModel() error {
	first := w.change.first
	switch {
	case w.kept > 0 && first == nil:
		w.next.Model, w.next.Dimensions = w.old.Model, w.old.Dimensions
	case w.kept > 0 && w.old.Dimensions > 0 && (first.model != w.old.Model || first.dimensions != w.old.Dimensions):
		return hint.Wrap(fmt.Errorf("the run brings chunks with %s, the index keeps %s with %s: the index is unchanged",
			describeModel(first.model, first.dimensions), count(w.kept, "chunk"), describeModel(w.old.Model, w.old.Dimensions)),
			"embed with the model of the index, or index everything again: "+indexAll)
	case first != nil:
		w.next.Model, w.next.Dimensions = first.model, first.dimensions
	}
	if w.old != nil && w.old.Dimensions > 0 && w.next.Dimensions == 0 && w.change.count > 0 {
		w.opts.Warn("the index loses its embeddings by %q, since the run brings none: search goes by words alone", w.old.Model)
	}
	if w.old != nil && (w.next.Model != w.old.Model || w.next.Dimensions != w.old.Dimensions) {
		for kind := range w.plans {
			w.plans[kind].changed = true
		}
	}
	return nil
}

// embedStage is the name of the stage that adds embeddings in the settings of a run.
const embedStage = "embed"

// markUnembedded takes the checksums of files that were to get embeddings and did not, so that the next
// incremental run does them again.
func (w *writer) markUnembedded() {
	c := w.change
	if w.next.Dimensions == 0 && (c.begin == nil || c.begin.Settings[embedStage] == "") {
		return
	}
	for _, list := range c.chunks {
		for _, ch := range list {
			if ch.dimensions == 0 {
				delete(w.next.FileChecksums, ch.path)
			}
		}
	}
}
