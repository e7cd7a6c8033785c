// Package keep keeps an index up to date with its tree: it runs the pipeline, with cortex-parse watching, as child
// processes.
//
// Several processes may want to keep the same index. The process that holds a lock in the folder of derived files keeps
// it; the others check from time to time whether that process has ended. All records pass through this process on their
// way to cortex-store, so it knows the progress of a run. It also means that all stages end when this process ends for
// any reason: the first stages lose their reader, cortex-store its input.
//
// Begin with Keeper in keep.go; pipeline.go runs the pipeline, stages.go starts its processes, slots.go limits how many
// pipelines run at once, worktree.go takes over the index of another worktree.
package keep

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"cortex/lib/derived"
	"cortex/lib/flock"
	"cortex/lib/hint"
	"cortex/lib/safeopen"
	"cortex/lib/store"
)

// Options says what to keep.
type Options struct {
	// Bin is the folder of the commands.
	Bin string
	// Location returns the folders of the tree and of its store. They may change between calls.
	Location func() (root, dir string)
	// MayMake returns an error if no index may be created for the tree at root.
	MayMake func(root string) error
	// Settings, if not nil, returns the present settings of indexing in any form, "" if they cannot be read. When they
	// change, the pipeline starts again with the new ones.
	Settings func(root string) string
	// Outdated reports whether a model was built into an earlier version of Cortex. An index with such a model is made
	// again.
	Outdated func(model string) bool
	// Embed are further flags for cortex-embed.
	Embed []string
	// Slots limit how many keepers run at the same time, and let a keeper run only while its index is wanted. A keeper
	// without Slots always runs.
	Slots *Slots
	// Warn receives messages for the person who runs the server.
	Warn func(format string, args ...any)
}

// Times between checks and between attempts.
const (
	lookAgain    = 500 * time.Millisecond
	lookSettings = 2 * time.Second
	firstAttempt = time.Second
	lastAttempt  = time.Minute
	// askedAttempt is the longest pause before an attempt if a client asks for the index.
	askedAttempt = 5 * time.Second
	// lastWords is how long the stages may take to end after SIGTERM.
	lastWords = 100 * time.Millisecond
	tick      = 50 * time.Millisecond
)

// A Keeper keeps one index.
type Keeper struct {
	opts Options

	mu sync.Mutex
	// done and total count the files of the current run; total is 0 if unknown.
	done, total int
	// follows says that another process keeps the index.
	follows bool
	// err is why the index is not kept up to date; nil while an attempt runs. told is the error that the user was last
	// told of.
	err, told error
	// started is when the last attempt began or was asked for. After an error the next attempt begins when wait is
	// over, or at notBefore if a client asks for the index. If refuses is set, there is no next attempt.
	started, notBefore time.Time
	wait               time.Duration
	refuses            bool
	// wants holds an element while an attempt is wanted.
	wants chan struct{}

	// The fields below are for keepers with Slots. wanted is when Want was last called.
	wanted time.Time
	// running says that the keeper holds a slot. seen is the manifest when the slot, or the current run, began. writes
	// says that a run has begun during the slot. active is when the last record passed, or when the slot began.
	running bool
	seen    os.FileInfo
	writes  bool
	active  time.Time
}

// New returns a keeper. The error says which command is missing.
func New(opts Options) (*Keeper, error) {
	for _, name := range Stages() {
		if _, err := exec.LookPath(filepath.Join(opts.Bin, name)); err != nil {
			return nil, fmt.Errorf("%s is not beside cortex-serve in %s", name, opts.Bin)
		}
	}
	return &Keeper{opts: opts, wants: make(chan struct{}, 1)}, nil
}

// Exists reports whether the store in dir has an index.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, store.ManifestName))
	return err == nil
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// fail records why an attempt failed, and warns once of each reason. It returns the pause before the next attempt, and
// whether this error is final.
func (k *Keeper) fail(err error) (wait time.Duration, final bool) {
	var settings *settingsError
	final = errors.As(err, &settings)
	k.mu.Lock()
	now := time.Now()
	if now.Sub(k.started) > lastAttempt { // the attempt had worked for a while
		k.wait, k.told = 0, nil
	}
	said := k.told != nil && k.told.Error() == err.Error()
	k.err, k.told, k.done, k.total = err, err, 0, 0
	k.wait = min(max(2*k.wait, firstAttempt), lastAttempt)
	k.notBefore, k.refuses = now.Add(min(k.wait, askedAttempt)), final
	wait = k.wait
	k.mu.Unlock()
	switch {
	case said:
	case final:
		k.opts.Warn("the index is not kept up to date: %v", err)
	default:
		k.opts.Warn("keep the index up to date: %v", hint.Text(err))
	}
	return wait, final
}

// Problem returns why the index is not kept up to date. It still returns the last error shortly after a new attempt
// began. It returns nil if the index is kept.
func (k *Keeper) Problem() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err == nil && time.Since(k.started) < askedAttempt {
		return k.told
	}
	return k.err
}

// watchName is the folder of derived files that the process that keeps the index has locked.
const watchName = "watch"

func acquire(dir string) (*flock.Lock, error) {
	root, err := derived.Create(dir, watchName)
	if err != nil {
		return nil, fmt.Errorf("lock the index: %w", err)
	}
	defer root.Close()
	return derived.TryAcquire(root)
}

// Held reports whether any process keeps the index of the store.
func Held(dir string) bool {
	root, err := derived.Open(dir, watchName)
	if err != nil {
		return false
	}
	defer root.Close()
	held, err := derived.TryAcquire(root)
	if err != nil {
		return errors.Is(err, flock.ErrHeld)
	}
	held.Release()
	return false
}

// hide creates the store's folder, if it is missing, and a .gitignore that makes git ignore the folder, if there is
// none. undo removes what hide has created.
func hide(dir string) (undo func(), err error) {
	var made []string
	const elsewhere = "make the index elsewhere: cortex-serve --store DIR"
	switch err := os.Mkdir(dir, 0o777); {
	case err == nil:
		made = append(made, dir)
	case errors.Is(err, fs.ErrNotExist):
		return nil, hint.Wrap(fmt.Errorf("make the store: %w", err), "make the folder first: mkdir -p "+filepath.Dir(dir))
	case !errors.Is(err, fs.ErrExist):
		return nil, hint.Wrap(fmt.Errorf("make the store: %w", err), elsewhere)
	}
	root, err := safeopen.OpenFolder(dir)
	if err != nil {
		return nil, hint.Wrap(fmt.Errorf("make the store: %w", err), "remove what is in its place, or "+elsewhere)
	}
	defer root.Close()
	const name = ".gitignore"
	f, err := root.CreateNew(name)
	switch {
	case err == nil:
		made = append(made, filepath.Join(dir, name))
		_, err = io.WriteString(f, "*\n")
		err = errors.Join(err, f.Close())
	case errors.Is(err, fs.ErrExist):
		err = nil
	}
	undo = func() {
		for i := len(made) - 1; i >= 0; i-- {
			os.Remove(made[i])
		}
	}
	if err != nil {
		undo()
		return nil, fmt.Errorf("make the store: %w", err)
	}
	return undo, nil
}

// isOutdated reports whether the embeddings of an index are of a model that this version does not have.
func (k *Keeper) isOutdated(m *store.Manifest) bool {
	return k.opts.Outdated != nil && k.opts.Outdated(m.Model)
}

// Active reports whether the pipeline runs, in this or another process.
func (k *Keeper) Active() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err == nil
}

// manifest returns the file information of the store's manifest, nil if there is none.
func (k *Keeper) manifest() os.FileInfo {
	_, dir := k.opts.Location()
	info, err := os.Stat(filepath.Join(dir, store.ManifestName))
	if err != nil {
		return nil
	}
	return info
}
