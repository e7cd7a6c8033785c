package ask

import (
	"context"
	"errors"

	"cortex/lib/database"
	"cortex/lib/database/read"
	"cortex/lib/embed"
	"cortex/lib/search"
	"cortex/lib/status"
	"cortex/lib/terminal"
)

// openIndex opens the index of the folder or of the database. embedder opens the embedder for a model. done closes
// both.
func (a *Asker) openIndex(ctx context.Context, embedder func(ctx context.Context, model string) (embed.Embedder, error)) (x *search.Index, done func() error, err error) {
	settings, err := a.settings()
	if err != nil {
		return nil, nil, err
	}
	if a.Database != "" {
		s, done, err := a.session(ctx, settings, embedder)
		if err != nil {
			return nil, nil, err
		}
		return s.Index, done, nil
	}
	var opened embed.Embedder
	closeEmbedder := func() error {
		if opened == nil {
			return nil
		}
		return opened.Close()
	}
	x, err = search.Open(ctx, a.dir(), func(model string) (_ embed.Embedder, err error) {
		opened, err = embedder(ctx, model)
		return opened, err
	}, settings, a.Making, nil)
	if err != nil {
		return nil, nil, errors.Join(err, closeEmbedder())
	}
	return x, func() error { return errors.Join(x.Close(), closeEmbedder()) }, nil
}

// session connects to the database and begins a session.
func (a *Asker) session(ctx context.Context, settings search.Settings, embedder func(ctx context.Context, model string) (embed.Embedder, error)) (*read.Session, func() error, error) {
	db, err := database.Open(ctx, a.Database, database.Options{Conns: 1})
	if err != nil {
		return nil, nil, err
	}
	r, err := read.New(db, read.Options{Trees: a.Trees, Settings: settings, Embedder: embedder, Jobs: a.Making.Jobs, Progress: a.Making.Progress})
	if err != nil {
		db.Close()
		return nil, nil, err
	}
	closeAll := func(s *read.Session) error {
		var err error
		if s != nil {
			err = s.Close()
		}
		err = errors.Join(err, r.Close())
		db.Close()
		return err
	}
	s, err := r.Session(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, closeAll(nil))
	}
	return s, func() error { return closeAll(s) }, nil
}

// newerFiles bounds the search for a newer file to some 5 ms. A request takes a few times as long.
const newerFiles = 2500

// tellNewer warns of a file that is newer than the index, for a request without results. It is silent on errors.
func (a *Asker) tellNewer(ctx context.Context, x *search.Index) {
	if a.Database != "" || a.Sources == nil {
		return
	}
	paths, err := x.Paths()
	if err != nil {
		return
	}
	newer, err := status.FindNewer(ctx, x.Store(), a.dir(), a.Root, paths, a.Sources, newerFiles)
	if err != nil || newer.Path == "" {
		return
	}
	since := "has changed"
	if newer.New {
		since = "is new"
	}
	a.Warn("%s %s since the index was made; cortex-query status counts all such files", terminal.Clean(a.standpoint().View().Path("", newer.Path)), since)
}

// noEmbedder is the embedder function of requests that need no model.
func noEmbedder(context.Context, string) (embed.Embedder, error) { return nil, nil }
