package update

import (
	"cortex/lib/record"
	"cortex/lib/store/layout"
	"cortex/lib/store/shard"
)

// A writer applies one change to the store whose lock it holds.
type writer struct {
	lock *lock
	// tree is what is changed instead of a folder, called name; nil for a folder.
	tree   Tree
	name   string
	opts   Options
	change *change

	old    *layout.Manifest // nil for a new store
	next   *layout.Manifest
	tables *layout.Tables
	now    string
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
	// renewed tells that the tree was indexed with other settings before, so that nothing of it may stay.
	renewed bool
	// kept is how many chunks stay as stored, staying how many indexed files of the tree of the run.
	kept, staying int
	// dropUnembedded tells that a file without all its embeddings is to be done again.
	dropUnembedded bool
	result         Result
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

// replacesTree reports whether all of the tree that could be read comes anew.
func (w *writer) replacesTree() bool {
	c := w.change
	return c.begin != nil && c.whole && c.begin.Mode == record.Full && c.byStatus[record.StatusUnchanged] == 0
}
