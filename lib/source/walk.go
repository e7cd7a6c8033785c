package source

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

// Walk lists the files of the tree, sorted by the bytes of their paths. What is ignored is not
// listed; what is known to be unfit is listed with Skip, a folder that cannot be read, or in which paths are too long, as one
// entry. Walk fails if the root cannot be read, a pattern is wrong, or ctx is done.
func Walk(ctx context.Context, opts Options) ([]Entry, error) {
	return walkTree(ctx, opts, visitor{})
}

// A Survey is a Walk, or as much of one as there was time for.
type Survey struct {
	Entries []Entry
	// Folders are those that were read, by path, "" for the root.
	Folders map[string]bool
	// Whole tells that it came to its end.
	Whole bool
}

// NewSurvey is Walk that reads no other folder once it has listed so many files, or at that time.
func NewSurvey(ctx context.Context, opts Options, most int, until time.Time) (*Survey, error) {
	s := &Survey{Folders: map[string]bool{}, Whole: true}
	var err error
	s.Entries, err = walkTree(ctx, opts, visitor{
		after: func(path string, _ *scope) { s.Folders[path] = true },
		enough: func(entries int) bool {
			s.Whole = entries < most && time.Now().Before(until)
			return !s.Whole
		},
	})
	return s, err
}

// A visitor is told of the folders of a walk by their paths, "" for the root.
type visitor struct {
	// before is called before the folder is read, after when its scope is known.
	before func(path string)
	after  func(path string, in *scope)
	// enough is asked before each folder whether the walk is to end with so many entries.
	enough func(entries int) bool
}

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
	pending := []folder{{scope: around}}
	defer func() {
		for _, f := range pending {
			w.leave(f.parent)
		}
	}()
	for len(pending) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if v.enough != nil && v.enough(len(w.entries)) {
			break
		}
		next := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		inner, err := w.readFolder(next)
		if err != nil && (next.path == "" || isEnvironment(err)) {
			return nil, treeError(opts.Root, err)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			w.entries = append(w.entries, Entry{Path: next.path, Skip: unreadable(err)})
		}
		pending = append(pending, inner...)
	}
	return inOrder(w.entries), nil
}

// inOrder sorts the entries. Where an escaped name equals a proper one, that one stays.
func inOrder(entries []Entry) []Entry {
	slices.SortFunc(entries, func(a, b Entry) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.Skip, b.Skip)
	})
	return slices.CompactFunc(entries, func(a, b Entry) bool { return a.Path == b.Path })
}

// A walker collects the entries of one tree.
type walker struct {
	root    *safeopen.Root
	globs   globs
	secrets bool
	report  func(error)
	visitor visitor
	entries []Entry
	// open is the number of folders that are held open.
	open int
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

// A folder is one that is still to be read.
type folder struct {
	// path is relative to the root, without a slash at the end; "" for the root.
	path string
	// scope is that of the folder above.
	scope *scope
	// parent is the folder above, nil if it is not open.
	parent *heldFolder
}

// A heldFolder is held open for the folders in it: each of them would else be opened name by name from the root on.
type heldFolder struct {
	root *safeopen.Root
	// uses is the number of folders in it that are still to be read.
	uses int
}

// maxOpen bounds the folders that are held open: a tree may be deeper than a process may have files open.
const maxOpen = 64

// enter opens a folder.
func (w *walker) enter(f folder) (*safeopen.Root, error) {
	if f.parent == nil {
		return w.root.Folder(orDot(f.path))
	}
	defer w.leave(f.parent)
	return f.parent.root.Folder(f.path[strings.LastIndexByte(f.path, '/')+1:])
}

// leave closes a folder after its last use.
func (w *walker) leave(o *heldFolder) {
	if o == nil {
		return
	}
	if o.uses--; o.uses == 0 {
		o.root.Close()
		w.open--
	}
}

// hold keeps the folder open for those in it, or closes it.
func (w *walker) hold(dir *safeopen.Root, inner []folder) {
	if len(inner) == 0 || w.open == maxOpen {
		dir.Close()
		return
	}
	w.open++
	o := &heldFolder{dir, len(inner)}
	for i := range inner {
		inner[i].parent = o
	}
}

// readFolder adds the files of one folder to the entries and returns the folders in it.
func (w *walker) readFolder(f folder) (inner []folder, err error) {
	if w.visitor.before != nil {
		w.visitor.before(f.path)
	}
	dir, err := w.enter(f)
	if err != nil {
		return nil, err
	}
	defer func() { w.hold(dir, inner) }()
	list, err := dir.List(".")
	if err != nil {
		return nil, err
	}
	name := f.path[strings.LastIndexByte(f.path, '/')+1:]
	in := f.scope.enter(name, dir, list, w.report)
	if w.visitor.after != nil {
		w.visitor.after(f.path, in)
	}
	prefix := f.path
	if prefix != "" {
		prefix += "/"
	}
	for _, d := range list {
		path := prefix + d.Name()
		if in.excludes(d.Name(), d.IsDir()) || w.globs.ignores(path) {
			continue
		}
		switch {
		case len(escape(path)) > record.MaxPath:
			w.entries = append(w.entries, Entry{Path: f.path, Skip: TooLong})
		case !d.IsDir():
			if w.globs.wants(path) {
				w.add(path, d)
			}
		case utf8.ValidString(path):
			inner = append(inner, folder{path: path, scope: in})
		default:
			w.entries = append(w.entries, Entry{Path: escape(path), Skip: badName})
		}
	}
	return inner, nil
}

func orDot(path string) string {
	if path == "" {
		return "."
	}
	return path
}

func (w *walker) add(path string, d os.DirEntry) {
	// In an os.Root reading the folder has asked for it.
	info, err := d.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		w.entries = append(w.entries, Entry{Path: escape(path), Skip: unreadable(err)})
	default:
		w.entries = append(w.entries, w.entry(path, info))
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

// kindSkip is why a file of that mode is not to be opened, or "".
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

// unreadable is the reason to skip a file that gave err.
func unreadable(err error) string { return Unreadable + ": " + cause(err).Error() }

// cause is err without the operation and path that package os adds.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// isEnvironment reports whether the fault is not the file's.
func isEnvironment(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, fs.ErrClosed} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
