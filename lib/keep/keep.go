// Package keep keeps an index up to date with its tree: it runs the pipeline, with cortex-parse watching, as child processes.
//
// Several processes may want to keep the same index. The one that holds a lock in the folder of derived files does it; the others check now and then
// whether that one has ended. The records pass through this process on their way to cortex-store. So it knows how far a run is, and all stages
// end with it, however it ends: one stage loses its reader, the other its input.
//
// Begin with Keeper in keep.go; pipeline.go starts the processes, slots.go limits how many pipelines run at once, worktree.go takes over the index of another worktree.
package keep

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"cortex/lib/derived"
	"cortex/lib/flock"
	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/safeopen"
	"cortex/lib/store"
)

// Options says what to keep.
type Options struct {
	// Bin is the folder of the commands.
	Bin string
	// Location returns the folder of the tree and that of its store as they are now.
	Location func() (root, dir string)
	// MayMake says why no index is to be made of a tree that has none; nil if one may.
	MayMake func(root string) error
	// Outdated tells of the embedding model of an index that it is one which an earlier version of Cortex had built in: such an index is made anew.
	Outdated func(model string) bool
	// Embed are flags for cortex-embed.
	Embed []string
	// Slots limit how many of several keepers run at once, and let them run only when their indexes are wanted. A keeper without Slots always runs.
	Slots *Slots
	// Warn takes what a person may want to know.
	Warn func(format string, args ...any)
}

// Times between looks and attempts.
const (
	lookAgain    = 500 * time.Millisecond
	firstAttempt = time.Second
	lastAttempt  = time.Minute
	// askedAttempt is the longest pause before an attempt if somebody asks.
	askedAttempt = 5 * time.Second
	// lastWords is how long the stages have to end when they are told.
	lastWords = 100 * time.Millisecond
	tick      = 50 * time.Millisecond
)

// Stages are the commands of the pipeline.
func Stages() []string {
	return []string{"cortex-parse", "cortex-chunk", "cortex-embed", "cortex-store"}
}

// A Keeper keeps one index.
type Keeper struct {
	opts Options

	mu sync.Mutex
	// done of total files of the run under way were passed on; total is 0 if it is not known.
	done, total int
	// follows tells that another process keeps the index.
	follows bool
	// err is why the index is not kept, nor will be before another attempt; told is what was said of it last.
	err, told error
	// started is when the last attempt began or was asked for. After an error there is another when wait is over, or after notBefore if somebody asks, unless refuses is set.
	started, notBefore time.Time
	wait               time.Duration
	refuses            bool
	// wants has an element while somebody wants an attempt.
	wants chan struct{}

	// The fields below are for keepers with Slots. wanted is the time of the last Want.
	wanted time.Time
	// running tells that the keeper holds a slot. seen is the manifest at the beginning of the slot or of the run in progress, writes tells that a run has begun
	// in the slot, and active is the time of the last record, or of the beginning of the slot.
	running bool
	seen    os.FileInfo
	writes  bool
	active  time.Time
}

// New returns a keeper, or why there can be none.
func New(opts Options) (*Keeper, error) {
	for _, name := range Stages() {
		if _, err := exec.LookPath(filepath.Join(opts.Bin, name)); err != nil {
			return nil, fmt.Errorf("%s is not beside cortex-serve in %s", name, opts.Bin)
		}
	}
	return &Keeper{opts: opts, wants: make(chan struct{}, 1)}, nil
}

// Exists reports whether there is an index in the store.
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

// fail notes why an attempt to keep the index has failed, and tells of it once. It returns the pause before the next attempt, and whether there is none.
func (k *Keeper) fail(err error) (wait time.Duration, final bool) {
	var settings *settingsError
	final = errors.As(err, &settings)
	k.mu.Lock()
	now := time.Now()
	if now.Sub(k.started) > lastAttempt { // it had worked
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

// Problem is why the index is not kept up to date, or was not until just now; nil if it is.
func (k *Keeper) Problem() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err == nil && time.Since(k.started) < askedAttempt {
		return k.told
	}
	return k.err
}

// watchName is the folder of derived files whose lock the process holds that keeps the index.
const watchName = "watch"

func acquire(dir string) (*flock.Lock, error) {
	root, err := derived.Create(dir, watchName)
	if err != nil {
		return nil, fmt.Errorf("lock the index: %w", err)
	}
	defer root.Close()
	return derived.TryAcquire(root)
}

// Held reports whether a process keeps the index of the store.
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

// hide makes the store's folder with a file that keeps git from seeing it, unless there is one. Undo takes away what was made.
func hide(dir string) (undo func(), err error) {
	var made []string
	if err := os.Mkdir(dir, 0o777); err == nil {
		made = append(made, dir)
	} else if !errors.Is(err, fs.ErrExist) {
		return nil, hint.Wrap(fmt.Errorf("make the store: %w", err), "make the index elsewhere: cortex-serve --store DIR")
	}
	root, err := safeopen.OpenFolder(dir)
	if err != nil {
		return nil, err
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

// A stage is a process of the pipeline.
type stage struct {
	*exec.Cmd
	said  *tail
	ended time.Time
}

// killed says which signal has ended the stage, "" if none did or the keeper sent it after end.
func (s *stage) killed(end time.Time) string {
	status, ok := s.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case !ok || !status.Signaled():
	case status.Signal() == syscall.SIGTERM, status.Signal() == syscall.SIGPIPE:
	case status.Signal() == syscall.SIGKILL && s.ended.After(end.Add(lastWords)):
	default:
		return fmt.Sprintf("%s was ended by a signal: %v", filepath.Base(s.Path), status.Signal())
	}
	return ""
}

// isOutdated reports whether an index has embeddings that this version cannot ask.
func (k *Keeper) isOutdated(m *store.Manifest) bool {
	return k.opts.Outdated != nil && k.opts.Outdated(m.Model)
}

// A pipelineMode says what cortex-parse does.
type pipelineMode int

const (
	// indexAll makes one full run.
	indexAll pipelineMode = iota
	// indexChanges brings what the store lacks, and then goes on with what changes.
	indexChanges
)

// pipeline runs the stages until they end, which they do when one of them does.
func (k *Keeper) pipeline(ctx context.Context, root, dir string, mode pipelineMode) error {
	parse := []string{"--quiet", "."}
	if mode == indexChanges {
		parse = []string{"--watch", "--store", dir, "--quiet", "."}
	}
	args := [][]string{
		parse,
		{"--quiet"},
		append([]string{"--quiet"}, k.opts.Embed...),
		{"--quiet", "--fail-fast", "--store", dir},
	}
	// The stages are told to end, and killed after lastWords.
	ending, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	stages := make([]*stage, len(args))
	for i, name := range Stages() {
		cmd := exec.CommandContext(ending, filepath.Join(k.opts.Bin, name), args[i]...)
		cmd.Dir = root
		stages[i] = &stage{Cmd: cmd, said: &tail{}}
		cmd.Stderr = stages[i].said
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
		cmd.WaitDelay = lastWords
	}
	var ends []io.Closer
	defer func() {
		for _, pipe := range ends {
			pipe.Close()
		}
	}()
	var from *os.File
	for i := range 3 {
		out, in, err := os.Pipe()
		if err != nil {
			return err
		}
		stages[i].Stdout = in
		ends = append(ends, in)
		if from = out; i < 2 {
			stages[i+1].Stdin = out
			ends = append(ends, out)
		}
	}
	defer from.Close()
	to, err := stages[3].StdinPipe()
	if err != nil {
		return err
	}
	running := 0
	for _, s := range stages {
		if err = s.Start(); err != nil {
			break
		}
		running++
	}
	for _, pipe := range ends {
		pipe.Close()
	}
	ends = nil
	var waiting sync.WaitGroup
	for i, s := range stages[:running] {
		waiting.Go(func() {
			_ = s.Wait() // how it ended is told by what it said
			s.ended = time.Now()
			if i == len(stages)-1 {
				from.Close() // the next record may come in an hour
			}
		})
	}
	if err == nil {
		stop := context.AfterFunc(ctx, func() { from.Close() })
		err = k.pass(dir, from, to)
		stop()
	}
	to.Close()
	from.Close()
	at := time.Now()
	if err != nil || mode == indexChanges {
		end()
	} else { // a full run ends by itself, when the store has it
		defer context.AfterFunc(ctx, end)()
	}
	waiting.Wait()
	var said []string
	for i, s := range stages[:running] {
		text := cmp.Or(s.said.String(), s.killed(at))
		if text == "" || len(said) > 0 && strings.HasPrefix(text, Stages()[i]+": stdin: ") { // it got no record, since an earlier stage failed
			continue
		}
		said = append(said, text)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil: // what the stages said follows from it
		return err
	case len(said) > 0:
		return errors.New(strings.Join(said, "; "))
	}
	return errors.New("the pipeline has ended")
}

// A settingsError says that the settings name another embedder than the one that made the index.
type settingsError struct{}

func (*settingsError) Error() string {
	return "it was made with another embedder than the settings name, so a run would embed everything again"
}

// pass hands the records on and counts them.
func (k *Keeper) pass(dir string, from io.Reader, to io.Writer) error {
	in := bufio.NewReaderSize(from, 256<<10)
	for begins := true; ; {
		block, err := in.ReadSlice('\n')
		if begins {
			if err := k.note(dir, block); err != nil {
				return err
			}
		}
		if len(block) > 0 {
			if _, err := to.Write(block); err != nil {
				return nil // cortex-store has said why
			}
		}
		switch begins = err == nil; {
		case err == io.EOF:
			return nil
		case err != nil && err != bufio.ErrBufferFull:
			return nil // closed at the end
		}
	}
}

// note reads the beginning of a record, which is the whole record if it is a Begin.
func (k *Keeper) note(dir string, block []byte) error {
	line := jsonl.Line{Data: bytes.TrimSuffix(block, []byte("\n"))}
	kind, _ := line.Type()
	switch kind {
	case record.TypeBegin:
		rec, err := line.Decode()
		if err != nil {
			return nil // cortex-store says what is wrong with it
		}
		begin := rec.(*record.Begin)
		if m, err := store.ReadManifest(dir); err == nil {
			// Another run of the user's own had other flags: whether to embed everything again is the user's decision.
			if had := m.Settings["embed"]; had != "" && had != begin.Settings["embed"] && !k.isOutdated(&m) {
				return &settingsError{}
			}
		}
		seen := k.manifest()
		k.mu.Lock()
		k.done, k.total, k.seen, k.writes, k.active = 0, begin.Files, seen, true, time.Now()
		k.mu.Unlock()
	case record.TypeFile:
		k.mu.Lock()
		k.done, k.active = k.done+1, time.Now()
		k.mu.Unlock()
	}
	return nil
}

// Active reports whether the pipeline runs, here or in another process.
func (k *Keeper) Active() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err == nil
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// maxTail is how much is kept in bytes.
const maxTail = 1000

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, data...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(data), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

// Slots limit how many of several keepers run their pipelines at once. A keeper holds its slot until its index is up to date and another keeper wants
// the slot, or until nobody has asked for its index for a while.
type Slots struct {
	most int

	mu      sync.Mutex
	slots   map[*Keeper]*slot
	waiting int
}

// NewSlots returns slots for most keepers at once.
func NewSlots(most int) *Slots { return &Slots{most: most, slots: map[*Keeper]*slot{}} }

// manifest is that of the store as it is now, nil if there is none.
func (k *Keeper) manifest() os.FileInfo {
	_, dir := k.opts.Location()
	info, err := os.Stat(filepath.Join(dir, store.ManifestName))
	if err != nil {
		return nil
	}
	return info
}

// A slot lets one keeper run. ending tells that the keeper was told to stop.
type slot struct {
	stop   context.CancelFunc
	ending bool
}
