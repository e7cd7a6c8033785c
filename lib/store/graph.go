package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	graph "cortex/lib/graph/old"
	"cortex/lib/hint"
	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/safeopen"
)

const (
	graphDir  = "graph"
	graphName = "code-graph.jsonl"
	graphPath = graphDir + "/" + graphName
)

// A GraphFile identifies the content of the graph file.
type GraphFile struct {
	// Version is that of its lines.
	Version int    `json:"version"`
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`
	CRC32C  string `json:"crc32c"`
	// Omitted is how many edges are left out since there would be too many, at least.
	Omitted int `json:"omitted,omitempty"`
}

// content is what the functions that read and check chunk files take.
func (g *GraphFile) content() ChunkFile {
	return ChunkFile{Size: g.Size, SHA256: g.SHA256, CRC32C: g.CRC32C}
}

// readable is the graph file if its version is the one that is read here.
func readable(g *GraphFile) *GraphFile {
	if g != nil && g.Version != graph.Version {
		return nil
	}
	return g
}

func (g *GraphFile) check() error {
	if g.Version < 1 || !validDigest(g.SHA256) || g.Size < 0 || g.Omitted < 0 {
		return errors.New("graph: version, size, digest or number is none")
	}
	return nil
}

func graphBackupPath(digest string) string {
	return graphDir + "/." + graphName + "." + digest[:16] + backupSuffix
}

// graphMetadata is the first line of the graph file.
func graphMetadata() []byte {
	return fmt.Appendf(nil, `{"_metadata":{"type":"code-graph","version":%d}}`+"\n", graph.Version)
}

// ErrNoGraph says that an index has none: it was made by an older version, or of records without files.
var ErrNoGraph = errors.New("the index has no graph")

// OpenGraph opens the graph file of the current generation. Reading fails at its end if the content is damaged. The error is ErrNoGraph
// or fs.ErrNotExist if there is none, with a hint.
func OpenGraph(ctx context.Context, dir string) (io.ReadCloser, Head, error) {
	root, err := openStore(dir)
	if err != nil {
		return nil, Head{}, err
	}
	defer root.Close()
	for attempt := 1; ; attempt++ {
		head, err := readHead(root)
		if err != nil {
			return nil, Head{}, err
		}
		if head.Graph == nil {
			return nil, head, hint.Wrap(fmt.Errorf("open graph in %s: %w", dir, ErrNoGraph), "index again: "+indexAgain)
		}
		f, err := openGraph(root, head.Graph)
		if err == nil {
			return f, head, nil
		}
		// A writer may have replaced the file since the manifest was read.
		if attempt == 3 {
			return nil, head, withCure(root.Name(), err)
		}
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return nil, head, ctx.Err()
		}
	}
}

func openGraph(root *safeopen.Root, want *GraphFile) (*graphReader, error) {
	var first error
	for _, path := range []string{graphPath, graphBackupPath(want.SHA256)} {
		f, err := openSized(root, path, want.Size)
		if err == nil {
			return &graphReader{f: f, name: root.Name() + "/" + path, dir: root.Name(), sums: newBlockReader(nil, false), want: want.content()}, nil
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// A graphReader compares what is read with the manifest.
type graphReader struct {
	f         *os.File
	name, dir string
	sums      *blockReader
	want      ChunkFile
}

func (r *graphReader) Read(p []byte) (int, error) {
	n, err := r.f.Read(p)
	r.sums.sum(p[:n])
	if err == io.EOF {
		if fault := r.sums.check(r.want); fault != nil {
			var d *damage
			if errors.As(fault, &d) {
				d.file = r.name
			}
			return n, withCure(r.dir, fault)
		}
	} else if err != nil {
		err = withCure(r.dir, fmt.Errorf("read %s: %w", r.name, cause(err)))
	}
	return n, err
}

func (r *graphReader) Close() error { return r.f.Close() }

// A graphPlan is what a change does to the graph file.
type graphPlan struct {
	// made tells that the file is made anew, changed that its content will differ, damaged that the old content can't be used.
	made, changed, damaged bool
	// ahead gives what readOldGraph does, which begins before the chunk files are written.
	ahead func() (same bool, err error)
}

// planGraph decides whether the graph is made anew.
func (w *writer) planGraph() {
	c := w.change
	if w.old != nil {
		w.next.Graph = w.old.Graph
	}
	// Without a graph of the generation before, the facts of files that stay are not known.
	if c.begin == nil || w.old != nil && w.old.Graph == nil && !w.replacesTree() {
		return
	}
	w.graph.made = w.next.Graph == nil
	for path := range c.files {
		w.graph.made = w.graph.made || w.brings(path)
	}
	if w.old != nil {
		for path, f := range w.old.Files {
			if f.Status.Indexed() && !w.next.Files[path].Status.Indexed() {
				w.graph.made = true
			}
		}
	}
}

// brings reports whether the run has new facts of the file.
func (w *writer) brings(path string) bool {
	f := w.change.files[path]
	return f != nil && f.Status.Indexed() && w.next.Files[path].Tree == w.change.begin.Tree
}

// readGraphAhead begins to read the old graph file, since that takes long, if the graph will be made anew. The function that it returns
// ends that, if it goes on, and waits for the end.
func (w *writer) readGraphAhead(ctx context.Context) func() {
	if !w.graph.made {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	w.graph.ahead = parallel.Begin(func() (bool, error) { return w.readOldGraph(ctx) })
	return func() {
		stop()
		_, _ = w.graph.ahead()
	}
}

// writeGraph writes the graph file of the next generation under its temporary name. If the old one is damaged and nothing of it is needed,
// it is made without.
func (w *writer) writeGraph(ctx context.Context) (*GraphFile, error) {
	b := w.change.graph
	same, err := w.graph.ahead()
	if err != nil {
		return nil, err
	}
	if err := w.lock.root.Mkdir(graphDir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	out, err := newChunkWriter(w.lock.root, tempPath(graphPath))
	if err != nil {
		return nil, err
	}
	out.digest.every = w.opts.markEvery
	if same {
		out.digest.resume(w.marksOf(graphPath, w.old.Graph.content()), int64(len(graphMetadata()))+b.Unchanged())
	}
	if err = out.copied(graphMetadata()); err == nil {
		if same {
			err = w.spliceGraph(ctx, b, out.w)
		} else {
			err = b.Write(ctx, out.w, w.opts.Jobs)
		}
	}
	sum, closeErr := out.close()
	w.takeMarks(graphPath, out)
	return &GraphFile{Version: graph.Version, Size: sum.Size, SHA256: sum.SHA256, CRC32C: sum.CRC32C, Omitted: b.Omitted()}, cmp.Or(err, closeErr)
}

// readOldGraph takes the facts of the files that stay. If those that are replaced show little else than before, it takes no more than what
// files see of each other, and most lines stay.
func (w *writer) readOldGraph(ctx context.Context) (same bool, err error) {
	c, b := w.change, w.change.graph
	for path := range c.files {
		if !w.brings(path) {
			b.Put(c.begin.Tree, record.SplitTreePath(c.begin.Tree, path), nil)
		}
	}
	if w.old == nil || w.old.Graph == nil {
		return false, nil
	}
	staying, moved := false, false
	for path, f := range w.old.Files {
		if f.Status.Indexed() {
			staying = staying || w.stayInGraph(path)
			moved = moved || !w.next.Files[path].Status.Indexed()
		}
	}
	for path := range c.files {
		moved = moved || w.brings(path) && !w.old.Files[path].Status.Indexed()
	}
	read := func(take func(f *os.File, r io.Reader) error) error {
		return withContent(ctx, w.lock.root, graphPath, w.old.Graph.content(), func(f *os.File) error {
			return readGraph(f, w.old.Graph, false, func(r io.Reader) error { return take(f, r) })
		})
	}
	switch {
	case !staying:
		err = read(func(_ *os.File, r io.Reader) error { _, err := io.Copy(io.Discard, r); return err })
	case !moved:
		err = read(func(f *os.File, r io.Reader) (err error) {
			same, err = b.Outline(ctx, w.graphLines(f), r, graphName, w.opts.Jobs, w.stayInGraph)
			if err == nil && !same {
				_, err = io.Copy(io.Discard, r)
			}
			return err
		})
	}
	if err == nil && staying && !same {
		err = read(func(_ *os.File, r io.Reader) error { return b.Read(ctx, r, graphName, w.opts.Jobs, w.stayInGraph) })
	}
	var d *damage
	if errors.As(err, &d) && w.replacesTree() {
		w.graph.damaged = true
		return false, nil
	}
	return same, err
}

// stayInGraph reports whether the graph keeps what it has of the file.
func (w *writer) stayInGraph(path string) bool {
	return w.next.Files[path].Status.Indexed() && !w.brings(path)
}

// spliceGraph writes the old lines with those of the files that are replaced.
func (w *writer) spliceGraph(ctx context.Context, b *graph.Builder, out io.Writer) error {
	f, _, err := w.lock.root.File(graphPath)
	if err != nil {
		return openError(w.lock.root.Name()+"/"+graphPath, err)
	}
	defer f.Close()
	return b.Splice(ctx, w.graphLines(f), out, w.opts.Jobs)
}

// graphLines are the old lines after the first.
func (w *writer) graphLines(f *os.File) graph.Old {
	start := int64(len(graphMetadata()))
	return io.NewSectionReader(f, start, w.old.Graph.Size-start)
}

// readGraph lets take read the lines of a graph file after the first and makes sure of its content.
func readGraph(f io.Reader, want *GraphFile, thorough bool, take func(io.Reader) error) error {
	sums := newBlockReader(nil, thorough)
	r := io.TeeReader(f, summing{sums})
	first := make([]byte, len(graphMetadata()))
	_, err := io.ReadFull(r, first)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	if !bytes.Equal(first, graphMetadata()) {
		return &damage{line: 1, what: "its first line differs from the manifest"}
	}
	err = take(r)
	var line *record.LineError
	if errors.As(err, &line) {
		return &damage{line: line.Number + 1, what: graphFault(line)}
	}
	return cmp.Or(err, sums.check(want.content()))
}

// graphFault is what is wrong with a line, without what was being done.
func graphFault(line *record.LineError) string {
	return strings.TrimPrefix(line.Err.Error(), "read graph: ")
}

// loadFacts reads the facts of the files for which keep returns true, whatever a writer does, and compares the SHA-256 too if thorough is set.
func loadFacts(ctx context.Context, root *safeopen.Root, want *GraphFile, thorough bool, keep func(path string) bool) (*graph.Builder, error) {
	var first error
	for _, path := range []string{graphPath, graphBackupPath(want.SHA256)} {
		b := graph.NewBuilder()
		err := withContent(ctx, root, path, want.content(), func(f *os.File) error {
			return readGraph(f, want, thorough, func(r io.Reader) error { return b.Read(ctx, r, graphName, 2, keep) })
		})
		if err == nil || ctx.Err() != nil {
			return b, err
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// summing adds up what is written to it.
type summing struct{ sums *blockReader }

func (s summing) Write(p []byte) (int, error) {
	s.sums.sum(p)
	return len(p), nil
}

// takeGraph takes over the file that was written.
func (w *writer) takeGraph(written *GraphFile) error {
	if w.graph.damaged {
		w.opts.Warn("%s/%s: damaged; it is made anew", w.lock.root.Name(), graphPath)
		w.lose()
	}
	if w.old != nil && w.old.Graph != nil && !w.graph.damaged && *w.old.Graph == *written {
		return w.lock.root.Remove(tempPath(graphPath))
	}
	w.graph.changed = true
	w.next.Graph = written
	return nil
}

// verifyGraph looks for faults of the graph: its content, and whether it is what its own facts lead to.
func (v *verification) verifyGraph(ctx context.Context) error {
	want := v.manifest.Graph
	if want == nil {
		return nil
	}
	name := v.root.Name() + "/" + graphPath
	var mutex sync.Mutex
	strays := map[string]bool{}
	b, err := loadFacts(ctx, v.root, want, true, func(path string) bool {
		if !v.manifest.Files[path].Status.Indexed() {
			mutex.Lock()
			strays[path] = true
			mutex.Unlock()
		}
		return true
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		v.faults = append(v.faults, err)
		return nil
	}
	if len(strays) > 0 {
		v.fault("%s: %s that the manifest does not have", name, count(len(strays), "file"))
	}
	again := newBlockReader(nil, false)
	again.sum(graphMetadata())
	if err := b.Write(ctx, summing{again}, 1); err != nil {
		return err
	}
	if again.check(want.content()) != nil || b.Omitted() != want.Omitted {
		v.fault("%s: its edges do not follow from its facts", name)
	}
	return nil
}
