package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// Walk lists the files of the tree, sorted by the bytes of their paths. It leaves out ignored files. A file that is
// known to be unfit is listed with Skip. A folder that cannot be read, or that has paths that are too long, is listed
// as one entry. Walk fails if the root cannot be read, a pattern is invalid, or ctx is done.
func Walk(ctx context.Context, opts Options) ([]Entry, error) {
	return walkTree(ctx, opts, visitor{})
}

// A Survey is the result of a Walk that may have ended early.
type Survey struct {
	Entries []Entry
	// Folders are the folders that were read, by path, "" for the root.
	Folders map[string]bool
	// Whole says that the walk was complete.
	Whole bool
}

// NewSurvey is Walk that stops reading folders once it has listed most files, or at the time until. If notices is not
// nil, it watches all folders that were read.
func NewSurvey(ctx context.Context, opts Options, most int, until time.Time, notices *Notices) (*Survey, error) {
	s := &Survey{Folders: map[string]bool{}, Whole: true}
	var err error
	s.Entries, err = walkTree(ctx, opts, visitor{
		before: func(path string) {
			if notices != nil {
				notices.watch(path)
			}
		},
		after: func(path string, _ *scope) { s.Folders[path] = true },
		enough: func(entries int) bool {
			s.Whole = entries < most && time.Now().Before(until)
			return !s.Whole
		},
	})
	return s, err
}

// A visitor is told of the folders of a walk by their paths, "" for the root. Its functions are never called
// concurrently.
type visitor struct {
	// before is called before the folder is read, after when its scope is known.
	before func(path string)
	after  func(path string, in *scope)
	// enough is asked before each folder, with the number of entries so far, whether the walk is to end.
	enough func(entries int) bool
}

// walkers is the number of folders read at the same time. It exceeds the usual number of processors, since folders may
// have to come from a disk.
const walkers = 8

// walkTree is Walk with a visitor.
func walkTree(ctx context.Context, opts Options, v visitor) ([]Entry, error) {
	w, err := newWalker(opts)
	if err != nil {
		return nil, err
	}
	defer w.root.Close()
	w.visitor = v
	around, err := rootScope(opts.Root, w.report)
	if err != nil {
		return nil, treeError(opts.Root, err)
	}
	group, ctx := parallel.NewGroup(ctx)
	group.SetLimit(walkers)
	group.Go(func() error { return w.walk(ctx, group, folder{scope: around}) })
	if err := group.Wait(); err != nil {
		return nil, err
	}
	slices.SortFunc(w.warnings, func(a, b warning) int { return strings.Compare(a.folder, b.folder) })
	for _, warning := range w.warnings {
		w.report(warning.err)
	}
	return inOrder(w.entries), nil
}

// walk reads a folder and the folders in it, each in another goroutine of the group if one is free.
func (w *walker) walk(ctx context.Context, group *parallel.Group, f folder) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !w.begin(f) {
		return nil
	}
	found, err := w.readFolder(f)
	if err != nil && (f.path == "" || isEnvironment(err)) {
		return treeError(w.root.Name(), err)
	}
	w.take(f, found, err)
	for _, inner := range found.inner {
		if group.TryGo(func() error { return w.walk(ctx, group, inner) }) {
			continue
		}
		if err := w.walk(ctx, group, inner); err != nil {
			return err
		}
	}
	return nil
}

// begin reports whether to read a folder.
func (w *walker) begin(f folder) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended = w.ended || w.visitor.enough != nil && w.visitor.enough(len(w.entries)); w.ended {
		return false
	}
	if w.visitor.before != nil {
		w.visitor.before(f.path)
	}
	return true
}

// take adds the results of a folder, or an entry for one that could not be read.
func (w *walker) take(f folder, found found, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && !isGone(err) {
		w.entries = append(w.entries, Entry{Path: f.path, Skip: unreadable(err)})
	}
	if found.scope != nil && w.visitor.after != nil {
		w.visitor.after(f.path, found.scope)
	}
	w.entries = append(w.entries, found.entries...)
	w.warnings = append(w.warnings, found.warnings...)
}

// inOrder sorts the entries and removes duplicate paths. If an escaped path equals a real one, the real one stays.
func inOrder(entries []Entry) []Entry {
	slices.SortFunc(entries, func(a, b Entry) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.Skip, b.Skip)
	})
	return slices.CompactFunc(entries, func(a, b Entry) bool { return a.Path == b.Path })
}

// A walker looks up the files of one tree, and collects the entries of a walk.
type walker struct {
	root    *safeopen.Root
	globs   globs
	secrets bool
	report  func(error)
	visitor visitor

	mu       sync.Mutex
	entries  []Entry
	warnings []warning
	// ended says that no further folder is to be read.
	ended bool
}

// A warning is an error that affects a single ignore file.
type warning struct {
	folder string
	err    error
}

func newWalker(opts Options) (*walker, error) {
	g, err := newGlobs(opts)
	if err != nil {
		return nil, err
	}
	root, err := openRoot(opts.Root)
	if err != nil {
		return nil, err
	}
	report := opts.Report
	if report == nil {
		report = func(error) {}
	}
	return &walker{root: root, globs: g, secrets: opts.Secrets, report: report}, nil
}

func openRoot(path string) (*safeopen.Root, error) {
	root, err := safeopen.Open(path)
	if err != nil {
		return nil, treeError(path, err)
	}
	return root, nil
}

func treeError(root string, err error) error {
	err = fmt.Errorf("read tree %q: %w", root, cause(err))
	if errors.Is(err, syscall.ENOTDIR) {
		return hint.Wrap(err, "the root of a tree is a folder; single files can be listed on standard input with --files-from -")
	}
	return err
}

// A folder is one whose entries are yet to be read.
type folder struct {
	// path is relative to the root, without a slash at the end; "" for the root.
	path string
	// scope is the scope of the folder above.
	scope *scope
}

// found are the contents of a folder.
type found struct {
	scope    *scope // nil if the folder could not be read
	entries  []Entry
	inner    []folder
	warnings []warning
}

// readFolder returns the files of one folder and the folders in it.
func (w *walker) readFolder(f folder) (got found, err error) {
	list, err := w.root.Listing(orDot(f.path))
	if err != nil {
		return got, err
	}
	defer list.Close()
	name := f.path[strings.LastIndexByte(f.path, '/')+1:]
	report := func(err error) { got.warnings = append(got.warnings, warning{f.path, err}) }
	in, err := f.scope.enter(name, w.root, f.path, list.Entries, report)
	if err != nil {
		return got, err
	}
	got.scope = in
	if in.linked {
		got.entries = []Entry{{Path: f.path, Skip: LinkedWorktree}}
		return got, nil
	}
	prefix := f.path
	if prefix != "" {
		prefix += "/"
	}
	for _, d := range list.Entries {
		path := prefix + d.Name()
		decision := in.judge(d.Name(), d.IsDir())
		if decision == excluded || w.globs.ignores(path) {
			continue
		}
		switch {
		case len(escape(path)) > record.MaxPath:
			got.entries = append(got.entries, Entry{Path: f.path, Skip: TooLong})
		case decision == product:
			got.entries = append(got.entries, Entry{Path: path, Skip: productSkip(path)})
		case !d.IsDir():
			if w.globs.wants(path) {
				got.add(w, path, list, d)
			}
		case utf8.ValidString(path):
			got.inner = append(got.inner, folder{path: path, scope: in})
		default:
			got.entries = append(got.entries, Entry{Path: escape(path), Skip: badName})
		}
	}
	return got, in.repo.fault()
}

func orDot(path string) string {
	if path == "" {
		return "."
	}
	return path
}

func (f *found) add(w *walker, path string, list *safeopen.Listing, d fs.DirEntry) {
	info, err := list.Info(d)
	switch {
	case err != nil && isGone(err):
	case err != nil:
		f.entries = append(f.entries, Entry{Path: escape(path), Skip: unreadable(err)})
	default:
		f.entries = append(f.entries, w.entry(path, info))
	}
}

const badName = NotUTF8 + ": name of the file"

// entry describes a file that is not a folder.
func (w *walker) entry(path string, info fs.FileInfo) Entry {
	e := Entry{Path: path, Size: info.Size(), Stat: newStat(info), Skip: kindSkip(info.Mode()), Secrets: w.secrets}
	if e.Skip == "" && !w.secrets {
		e.Skip = secretByName(path)
	}
	if !utf8.ValidString(path) {
		e.Path, e.Skip = escape(path), badName
	}
	return e
}

// kindSkip returns the reason not to open a file of that mode, or "".
func kindSkip(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode&fs.ModeSymlink != 0:
		return SymbolicLink
	case mode&fs.ModeNamedPipe != 0:
		return NotRegular + ": named pipe"
	case mode&fs.ModeSocket != 0:
		return NotRegular + ": socket"
	case mode&fs.ModeDevice != 0:
		return NotRegular + ": device"
	}
	return NotRegular
}

// escape writes the bytes of a path that are not UTF-8 as \xNN.
func escape(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	var b strings.Builder
	for len(path) > 0 {
		r, size := utf8.DecodeRuneInString(path)
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02x`, path[0])
		} else {
			b.WriteString(path[:size])
		}
		path = path[size:]
	}
	return b.String()
}

// unreadable returns the reason to skip a file that cannot be read because of err.
func unreadable(err error) string { return Unreadable + ": " + cause(err).Error() }

// isGone reports whether a listed file no longer exists, or a file has replaced one of its folders.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// environment returns err if it is an error of the environment, otherwise nil.
func environment(err error) error {
	if isEnvironment(err) {
		return err
	}
	return nil
}

// isEnvironment reports whether the error comes from the process or system and not from the file.
func isEnvironment(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, fs.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
