// Package stored keeps the graph of a store, or of trees of a database, as tables among the user's derived files, and brings them up to date: it reads the facts of
// changed shards only, and resolves again only what depends on them.
//
//	graph/lock            held while anything below is made
//	graph/last            what the latest tables were made of
//	graph/tables/KEY      the tables of the last generation, named by what they were made of
//	graph/facts/NAME      the facts of the files of a part, named by its digest; a part is a shard of a store or a tree of a database
package stored

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"iter"
	"os"
	"runtime"
	"slices"
	"strings"

	"cortex/lib/derived"
	"cortex/lib/graph"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/table"
	"cortex/lib/hint"
	"cortex/lib/parallel"
	"cortex/lib/record"
	"cortex/lib/store"
)

// Options say how a graph is made where it is missing.
type Options struct {
	// Jobs is the number of workers.
	Jobs int
	// Progress is told how many of the files that are resolved are done; nil for nobody.
	Progress func(done, total int)
	// Aside is told why the graph cannot be kept for others, where that is so; nil for nobody.
	Aside func(why error)
}

// A Graph is open until Close.
type Graph struct {
	*table.Graph
	mapped *derived.Mapped
}

// Close ends all use of the graph.
func (g *Graph) Close() error { return g.mapped.Close() }

// CloseUnused closes the graph when nothing refers to it any more, in the place of Close.
func (g *Graph) CloseUnused() {
	runtime.AddCleanup(g, func(m *derived.Mapped) { _ = m.Close() }, g.mapped)
}

const (
	folder     = "graph"
	lastName   = "last"
	tablesDir  = "tables"
	factsDir   = "facts"
	factsMagic = "CORTEXGF"
	// factsVersion is that of the facts and of how they are resolved.
	factsVersion = 11
	maxLast      = 16 << 20
)

// Parts are the files of which a graph is made, in parts that change one by one.
type Parts struct {
	// Digests tell of each part what it holds.
	Digests []string
	// Files visits the files of a part. An entry is valid until the next one.
	Files func(ctx context.Context, part int) iter.Seq2[store.Entry, error]
	// Current reports whether others will ask for these, and for no later ones.
	Current func() bool
	// Folder opens the folder in which the graph is kept, and makes it if it may.
	Folder func(create bool) (*os.Root, error)
}

// OpenParts is Open for what is no store.
func OpenParts(ctx context.Context, p Parts, opts Options) (*Graph, error) {
	w := newWork(p, opts)
	if opened, err := w.open(); err == nil {
		return opened, nil
	}
	return w.make(ctx)
}

// partsOf are those of a generation of the store in dir; without one, of the manifest, and only to look for what is kept.
func partsOf(dir string, m *store.Manifest, g *store.Generation) Parts {
	p := Parts{
		Current: func() bool {
			now, err := store.ReadManifest(dir)
			return err == nil && slices.Equal(now.Shards, m.Shards)
		},
		Folder: func(create bool) (*os.Root, error) {
			if create {
				return derived.Create(dir, folder)
			}
			return derived.Open(dir, folder)
		},
	}
	for i := range m.Shards {
		p.Digests = append(p.Digests, m.Shards[i].Digest)
	}
	if g != nil {
		p.Files = g.Files
	}
	return p
}

// nameOf names the facts of a part.
func nameOf(digest string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", factsVersion, digest))
	return hex.EncodeToString(sum[:16])
}

// keyOf names the tables of a generation: the names of its parts' facts, in their order, do.
func keyOf(names []string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", table.BinaryVersion, binary.NativeEndian.Uint16([]byte{1, 0}), strings.Join(names, " ")))
	return hex.EncodeToString(sum[:16])
}

// Open opens the graph of the generation of the store in dir, or of the current one if g is nil. Where it is missing, it is made, or another process that makes
// it is waited for. The graph stays when g is closed.
func Open(ctx context.Context, dir string, g *store.Generation, opts Options) (*Graph, error) {
	if g == nil {
		m, err := store.ReadManifest(dir)
		if err != nil {
			return nil, err
		}
		if err := check(dir, &m); err != nil {
			return nil, err
		}
		if opened, err := Peek(dir, &m); err == nil {
			return opened, nil
		}
		own, err := store.Open(ctx, dir)
		if err != nil {
			return nil, err
		}
		defer own.Close()
		g = own
	}
	if err := check(dir, g.Manifest()); err != nil {
		return nil, err
	}
	return OpenParts(ctx, partsOf(dir, g.Manifest(), g), opts)
}

// check reports a store of chunks that were picked from a stream, without the files that they are of.
func check(dir string, m *store.Manifest) error {
	if m.Stats.Chunks > 0 && len(m.Stats.FilesByStatus) == 0 {
		return hint.Wrap(fmt.Errorf("open graph in %s: the index has no graph", dir), "index again: cortex-parse --incremental . | cortex-chunk | cortex-embed | cortex-store")
	}
	return nil
}

// Peek opens the graph of a generation if it is there, and makes nothing.
func Peek(dir string, m *store.Manifest) (*Graph, error) {
	return newWork(partsOf(dir, m, nil), Options{}).open()
}

// Omitted is how many edges the graph of a generation leaves out since there would be too many, at least; 0 if it is not there.
func Omitted(dir string, m *store.Manifest) int {
	g, err := Peek(dir, m)
	if err != nil {
		return 0
	}
	defer g.Close()
	return g.Omitted()
}

// Forget takes the graph of the store in dir away, with all that it is made of but the store, so that it is made anew.
func Forget(dir string) error {
	root, err := derived.Open(dir, ".")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	return root.RemoveAll(folder)
}

// Build makes the graph of a generation that was just committed, if it is missing.
func Build(ctx context.Context, dir string, g *store.Generation, opts Options) error {
	made, err := newWork(partsOf(dir, g.Manifest(), g), opts).make(ctx)
	if err != nil {
		return err
	}
	return made.Close()
}

// A work is opening or making the graph of one generation.
type work struct {
	of    Parts
	opts  Options
	names []string // of the facts of each part
	key   string
	root  *os.Root // nil if nothing can be kept
	maps  []*derived.Mapped
}

func newWork(of Parts, opts Options) *work {
	w := &work{of: of, opts: opts}
	for _, digest := range of.Digests {
		w.names = append(w.names, nameOf(digest))
	}
	w.key = keyOf(w.names)
	return w
}

// open opens what is there.
func (w *work) open() (*Graph, error) {
	root, err := w.of.Folder(false)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return w.mapTables(root)
}

func (w *work) mapTables(root *os.Root) (*Graph, error) {
	m, err := derived.Map(root, tablesDir+"/"+w.key)
	if err != nil {
		return nil, err
	}
	g, err := table.FromBinary(m.Data)
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return &Graph{g, m}, nil
}

// make makes the graph, under the lock, if no other process has made it meanwhile.
func (w *work) make(ctx context.Context) (opened *Graph, err error) {
	root, err := w.of.Folder(true)
	if err != nil {
		w.aside(err)
		return w.alone(ctx)
	}
	defer root.Close()
	lock, err := derived.Acquire(ctx, root)
	if err != nil {
		return nil, err
	}
	defer lock.Release()
	if opened, err := w.mapTables(root); err == nil {
		return opened, nil
	}
	w.root = root
	defer func() {
		for _, m := range w.maps {
			err = errors.Join(err, m.Close())
		}
	}()
	return w.update(ctx)
}

// alone makes the graph in memory, of the generation alone.
func (w *work) alone(ctx context.Context) (*Graph, error) {
	parts, err := w.facts(ctx)
	if err != nil {
		return nil, err
	}
	g, err := graph.Build(ctx, slices.Concat(parts...), nil, w.graphOptions())
	if err != nil {
		return nil, err
	}
	return &Graph{Graph: g}, nil
}

func (w *work) graphOptions() graph.Options {
	return graph.Options{Jobs: w.opts.Jobs, Progress: w.opts.Progress}
}

// A last tells of what the tables were made that were made last.
type last struct {
	Key   string   `json:"key"`
	Facts []string `json:"facts"`
}

// update makes the graph of the one that was made last and what changed since then.
func (w *work) update(ctx context.Context) (*Graph, error) {
	var before last
	if data, err := derived.Read(w.root, lastName, maxLast); err == nil {
		_ = json.Unmarshal(data, &before)
	}
	parts, err := w.facts(ctx)
	if err != nil {
		return nil, err
	}
	was, known := w.gone(&before)
	changed := !known
	var sources []graph.Source
	for i, list := range parts {
		kept := known && slices.Contains(before.Facts, w.names[i])
		for k := range list {
			if s := &list[k]; kept {
				s.Was = s.Facts
			} else {
				name := nameIn(s)
				s.Was = was[name]
				changed = changed || !bytes.Equal(s.Facts, s.Was)
				delete(was, name)
			}
		}
		sources = append(sources, list...)
	}
	for name, facts := range was {
		sources, changed = append(sources, graph.Source{Tree: name.tree, Was: facts}), true
	}
	if !changed && w.of.Current() && w.root.Rename(tablesDir+"/"+before.Key, tablesDir+"/"+w.key) == nil {
		if g, err := w.mapTables(w.root); err == nil {
			if err := w.keep(); err != nil {
				w.aside(err)
			}
			return g, nil
		}
	}
	var old *table.Graph
	if known {
		old = w.before(&before)
	}
	g, err := graph.Build(ctx, sources, old, w.graphOptions())
	if err != nil {
		return nil, err
	}
	if !w.of.Current() {
		return &Graph{Graph: g}, nil
	}
	if err := w.publish(g); err != nil {
		w.aside(err)
		return &Graph{Graph: g}, nil
	}
	return w.mapTables(w.root)
}

// publish keeps the graph for others.
func (w *work) publish(g *table.Graph) error {
	if err := derived.Publish(w.root, tablesDir+"/"+w.key, g.WriteBinary); err != nil {
		return err
	}
	return w.keep()
}

// keep notes of what the tables were made, and removes all that their successor does not need.
func (w *work) keep() error {
	data, err := json.Marshal(last{w.key, w.names})
	if err != nil {
		return err
	}
	if err := derived.Write(w.root, lastName, data); err != nil {
		return err
	}
	derived.Keep(w.root, tablesDir, func(name string) bool { return name == w.key })
	derived.Keep(w.root, factsDir, func(name string) bool { return slices.Contains(w.names, name) })
	return nil
}

// aside says why the graph is for this process alone.
func (w *work) aside(why error) {
	if w.opts.Aside != nil {
		w.opts.Aside(why)
	}
}

// A fileName names a file of a store.
type fileName struct{ tree, path string }

func nameIn(s *graph.Source) fileName { return fileName{s.Tree, s.Facts.Path()} }

// gone are the facts of the files in the shards that were there when the tables were made that were made last, and are no more; false if anything is missing.
func (w *work) gone(b *last) (map[fileName]facts.Facts, bool) {
	if b.Key == "" || !isName(b.Key) || keyOf(b.Facts) != b.Key {
		return nil, false
	}
	was := map[fileName]facts.Facts{}
	for _, name := range b.Facts {
		if slices.Contains(w.names, name) {
			continue
		}
		list, err := w.readFacts(name)
		if err != nil {
			return nil, false
		}
		for i := range list {
			was[nameIn(&list[i])] = list[i].Facts
		}
	}
	return was, true
}

// before is the graph that was made last; nil if it is missing or damaged.
func (w *work) before(b *last) *table.Graph {
	m, err := derived.Map(w.root, tablesDir+"/"+b.Key)
	if err != nil {
		return nil
	}
	w.maps = append(w.maps, m)
	g, err := table.FromBinary(m.Data)
	if err != nil || g.Check() != nil {
		return nil
	}
	return g
}

func isName(s string) bool {
	_, err := hex.DecodeString(s)
	return err == nil && len(s) == 32
}

// facts are those of the files of each part: from the derived files, or made of the records.
func (w *work) facts(ctx context.Context) ([][]graph.Source, error) {
	all := make([][]graph.Source, len(w.names))
	var missing []int
	for i, name := range w.names {
		err := fs.ErrNotExist
		if w.root != nil {
			all[i], err = w.readFacts(name)
		}
		if err != nil {
			missing = append(missing, i)
		}
	}
	next := 0
	type made struct {
		part int
		data []byte
	}
	err := parallel.Map(ctx, max(w.opts.Jobs, 1), func() (int, error) {
		if next == len(missing) {
			return 0, io.EOF
		}
		next++
		return missing[next-1], nil
	}, func(ctx context.Context, part int) (made, error) {
		data, err := w.encode(ctx, part)
		return made{part, data}, err
	}, func(m made) (err error) {
		if w.root != nil && derived.Write(w.root, factsDir+"/"+w.names[m.part], m.data) == nil {
			all[m.part], err = w.readFacts(w.names[m.part])
			return err
		}
		// If that is for want of room, the tables will have none either, and then it is told.
		all[m.part], err = decode(m.data)
		return err
	})
	return all, err
}

// encode makes the facts of the files of a part: magic, version, checksum, then each: size and text of the tree, size and facts.
func (w *work) encode(ctx context.Context, part int) ([]byte, error) {
	data := append([]byte(factsMagic), make([]byte, 8)...)
	binary.LittleEndian.PutUint32(data[8:], factsVersion)
	e := facts.NewEncoder()
	var facts []byte
	for entry, err := range w.of.Files(ctx, part) {
		if err != nil {
			return nil, err
		}
		if facts = e.AppendFacts(facts[:0], entry.File); len(facts) == 0 {
			continue
		}
		data = append(binary.AppendUvarint(data, uint64(len(entry.Tree))), entry.Tree...)
		data = append(binary.AppendUvarint(data, uint64(len(facts))), facts...)
	}
	binary.LittleEndian.PutUint32(data[12:], crc32.Checksum(data[16:], crc32.MakeTable(crc32.Castagnoli)))
	return data, nil
}

var errFacts = errors.New("read facts of the graph: they are damaged")

func (w *work) readFacts(name string) ([]graph.Source, error) {
	m, err := derived.Map(w.root, factsDir+"/"+name)
	if err != nil {
		return nil, err
	}
	w.maps = append(w.maps, m)
	return decode(m.Data)
}

// decode gives the facts in what encode made, which share its memory.
func decode(data []byte) (list []graph.Source, err error) {
	if len(data) < 16 || string(data[:8]) != factsMagic || binary.LittleEndian.Uint32(data[8:]) != factsVersion ||
		binary.LittleEndian.Uint32(data[12:]) != crc32.Checksum(data[16:], crc32.MakeTable(crc32.Castagnoli)) {
		return nil, errFacts
	}
	data = data[16:]
	next := func() []byte {
		n, size := binary.Uvarint(data)
		if size <= 0 || n > uint64(len(data)-size) {
			err, data = cmp.Or(err, errFacts), nil
			return nil
		}
		part := data[size : size+int(n) : size+int(n)]
		data = data[size+int(n):]
		return part
	}
	for len(data) > 0 {
		tree := string(next())
		if record.CheckTree(tree) != nil {
			return nil, errFacts
		}
		list = append(list, graph.Source{Tree: tree, Facts: next()})
	}
	return list, err
}
