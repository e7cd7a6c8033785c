// Package stored keeps the graph of a store, or of trees of a database, in the user's cache folder and brings it up to date.
// Open takes a generation of a store and returns its graph, mapped into memory. If it is missing, it is made: only changed
// shards are read, and only names that depend on them are resolved again.
//
//	graph/lock            held while a file below is written
//	graph/last            the key of the latest tables, and the names of the facts from which they were made
//	graph/tables/KEY      the tables of the last generation, named by the names of its facts
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

// Options configure how a missing graph is made.
type Options struct {
	// Jobs is the number of workers.
	Jobs int
	// Progress, if not nil, is called with the numbers of linked files and of files to link.
	Progress func(done, total int)
	// Aside, if not nil, is called with the reason if the graph cannot be kept in the cache folder.
	Aside func(why error)
}

// A Graph is a table.Graph that may be mapped into memory. It must not be used after Close.
type Graph struct {
	*table.Graph
	mapped *derived.Mapped
}

// Close unmaps the graph.
func (g *Graph) Close() error { return g.mapped.Close() }

// CloseUnused arranges that the graph is closed once the garbage collector finds it unreachable. Don't call Close then.
func (g *Graph) CloseUnused() {
	runtime.AddCleanup(g, func(m *derived.Mapped) { _ = m.Close() }, g.mapped)
}

const (
	folder     = "graph"
	lastName   = "last"
	tablesDir  = "tables"
	factsDir   = "facts"
	factsMagic = "CORTEXGF"
	// factsVersion is the version of the format of facts and of the rules of resolution.
	factsVersion = 20
	maxLast      = 16 << 20
)

// Parts describes the files of a graph, in parts that change independently, such as shards.
type Parts struct {
	// Digests has a digest of the content of each part.
	Digests []string
	// Files yields the files of a part. An entry is valid until the next one is yielded.
	Files func(ctx context.Context, part int) iter.Seq2[store.Entry, error]
	// Current reports whether these parts are still the latest, so that the graph is worth keeping.
	Current func() bool
	// Folder opens the folder of the graph. If create is set, it makes a missing folder.
	Folder func(create bool) (*os.Root, error)
}

// OpenParts opens the graph of the parts, for sources that are no store. It makes the graph if it is missing.
func OpenParts(ctx context.Context, p Parts, opts Options) (*Graph, error) {
	w := newWork(p, opts)
	if opened, err := w.open(); err == nil {
		return opened, nil
	}
	return w.make(ctx)
}

// partsOf returns the shards of a generation of the store in dir as parts. If g is nil, the parts have no Files: they serve
// only to look for a kept graph.
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

// nameOf returns the file name of the facts of a part.
func nameOf(digest string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", factsVersion, digest))
	return hex.EncodeToString(sum[:16])
}

// keyOf returns the file name of the tables of a generation, given the names of the facts of its parts. It depends on the
// byte order of the machine too.
func keyOf(names []string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", table.BinaryVersion, binary.NativeEndian.Uint16([]byte{1, 0}), strings.Join(names, " ")))
	return hex.EncodeToString(sum[:16])
}

// Open opens the graph of a generation of the store in dir, of the current one if g is nil. If the graph is missing, Open
// makes it, or waits for another process that makes it. The graph remains valid after g is closed.
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

// check returns an error if the store has chunks without file records, as after a pipeline of picked records.
func check(dir string, m *store.Manifest) error {
	if m.Stats.Chunks > 0 && len(m.Stats.FilesByStatus) == 0 {
		return hint.Wrap(fmt.Errorf("open graph in %s: the index has no graph", dir), "index again: cortex-parse --incremental . | cortex-chunk | cortex-embed | cortex-store")
	}
	return nil
}

// Peek opens the graph of a generation. If it is missing, Peek returns an error and makes nothing.
func Peek(dir string, m *store.Manifest) (*Graph, error) {
	return newWork(partsOf(dir, m, nil), Options{}).open()
}

// Omitted returns a lower bound for the number of edges that the graph of a generation leaves out because there are too
// many; 0 if the graph is missing.
func Omitted(dir string, m *store.Manifest) int {
	g, err := Peek(dir, m)
	if err != nil {
		return 0
	}
	defer g.Close()
	return g.Omitted()
}

// Forget removes all derived files of the graph of the store in dir, so that the graph is made again from the store.
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

// Build makes the graph of a committed generation, if it is missing.
func Build(ctx context.Context, dir string, g *store.Generation, opts Options) error {
	made, err := newWork(partsOf(dir, g.Manifest(), g), opts).make(ctx)
	if err != nil {
		return err
	}
	return made.Close()
}

// A work has the state of opening or making the graph of one generation.
type work struct {
	of    Parts
	opts  Options
	names []string // file names of the facts of each part
	key   string
	root  *os.Root // folder of the graph, nil if it cannot be written
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

// open opens the graph if it is there.
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

// make makes the graph under the lock, unless another process has made it meanwhile.
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

// alone makes the graph in memory, without kept facts and tables.
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

// A last is the content of the file graph/last: the key of the latest tables and the names of their facts.
type last struct {
	Key   string   `json:"key"`
	Facts []string `json:"facts"`
}

// update makes the graph from the latest kept one and the changes since.
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

// publish writes the tables of the graph and what belongs to them.
func (w *work) publish(g *table.Graph) error {
	if err := derived.Publish(w.root, tablesDir+"/"+w.key, g.WriteBinary); err != nil {
		return err
	}
	return w.keep()
}

// keep writes graph/last, and removes tables and facts that the next update does not need.
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

// aside reports why the graph is not kept.
func (w *work) aside(why error) {
	if w.opts.Aside != nil {
		w.opts.Aside(why)
	}
}

// A fileName identifies a file of a store.
type fileName struct{ tree, path string }

func nameIn(s *graph.Source) fileName { return fileName{s.Tree, s.Facts.Path()} }

// gone returns the facts of the files in parts of the latest kept graph that are no longer parts; false if some facts are
// missing or b is invalid.
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

// before returns the latest kept graph, nil if it is missing or damaged.
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

// facts returns the facts of the files of each part: from kept files, or else encoded from the records and kept.
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
		// The error is not reported: if the disk is full, writing the tables fails too, and that is reported.
		all[m.part], err = decode(m.data)
		return err
	})
	return all, err
}

// encode returns the facts of the files of a part: magic, version, checksum, then for each file the size and name of
// its tree, and the size and bytes of its facts.
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

// decode decodes what encode returned. The facts share the memory of data.
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
