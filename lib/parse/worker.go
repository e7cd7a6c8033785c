package parse

import (
	"errors"
	"fmt"
	"io/fs"

	"cortex/lib/parse/extract"
	"cortex/lib/record"
	"cortex/lib/source"
)

// A worker makes the records of files. One goroutine at a time may use it.
type worker struct{ *extract.Extractor }

func newWorker() *worker { return &worker{extract.New()} }

// entry makes the record of one entry. It adds the file's state to the cache, if cache is not nil.
func (w *worker) entry(tree *source.Folder, e source.Entry, maxSize int64, cache *source.Cache) (*record.File, error) {
	f := &record.File{FilePath: e.Path, Size: e.Size}
	switch {
	case e.Deleted:
		f.Status = record.StatusDeleted
		return f, nil
	case e.Skip != "":
		f.Status, f.Reason = record.StatusSkipped, e.Skip
		return f, nil
	}
	data, lang, skip, stat, err := tree.ReadStat(e, maxSize)
	f.Language = lang.Name
	switch {
	case errors.Is(err, fs.ErrNotExist):
		// The file was removed after it was listed.
		f.Status = record.StatusDeleted
		return f, nil
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", e.Path, err)
	case skip != "":
		f.Status, f.Reason = record.StatusSkipped, skip
	default:
		f = w.file(e.Path, lang, data)
	}
	if cache != nil {
		cache.Put(e.Path, stat, source.Seen{Digest: f.SHA256, Skip: skip})
	}
	return f, nil
}

// A pool keeps idle workers.
type pool struct{ free chan *worker }

func (p pool) get() *worker {
	select {
	case w := <-p.free:
		return w
	default:
		return newWorker()
	}
}

func (p pool) put(w *worker) {
	select {
	case p.free <- w:
	default:
		w.Close()
	}
}

// Close closes the idle workers. No worker may be in use.
func (p pool) Close() {
	close(p.free)
	for w := range p.free {
		w.Close()
	}
}
