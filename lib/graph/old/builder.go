package graph

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"cortex/lib/language"
	"cortex/lib/parallel"
	"cortex/lib/record"
)

// A Builder gathers the facts of files, from file records and from the graph file of the generation before, and makes the next graph file of
// them. Which lines come out depends on the facts alone. Facts, Put and Add may be called at once. Write ends its life.
type Builder struct {
	names *names
	mutex sync.Mutex
	// files are those of each tree by path; nil for one of which the graph has nothing.
	files map[string]map[string]*File
	// places are those of the files in the graph file before, in their order, if Outline has read it.
	places []place
	// rules are those of languages.
	rules []Rules
	// omitted is what Omitted returns.
	omitted int
}

// A place is where the lines of a file stand in a graph file, with what others can see of it.
type place struct {
	readFile
	keep        bool
	offset, end int64
}

// NewBuilder returns a builder without files.
func NewBuilder() *Builder {
	return &Builder{names: newNames(), files: map[string]map[string]*File{}, rules: rules()}
}

// Facts takes from a file record what the graph keeps of it; nil if the file is no node: that is, if it is not of a language that is known as code
// and nothing was found in it.
func (b *Builder) Facts(r *record.File) *File {
	if !r.Status.Indexed() {
		return nil
	}
	isNode := func(s record.Symbol) bool { return isCode(s.Kind) }
	if len(r.References) == 0 && len(r.Typings) == 0 && len(r.Mappings) == 0 && !slices.ContainsFunc(r.Symbols, isNode) {
		if l, known := language.ByName(r.Language); !known || l.Class != language.Code {
			return nil
		}
	}
	return b.names.facts(r)
}

// Put sets the facts of a file, which may be nil.
func (b *Builder) Put(tree, path string, f *File) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	files := b.files[tree]
	if files == nil {
		files = map[string]*File{}
		b.files[tree] = files
	}
	files[path] = f
}

// Add is Put of the Facts.
func (b *Builder) Add(tree string, r *record.File) {
	b.Put(tree, strings.Clone(r.FilePath), b.Facts(r))
}

// Fill sets in a file record what the graph keeps of it, so that Facts of it are the same.
func (b *Builder) Fill(tree string, r *record.File) {
	f := b.files[tree][r.FilePath]
	if f == nil {
		return
	}
	r.Package, r.Mappings = f.Package, f.Mappings
	if f.Test {
		r.Tags = []string{"test"}
	}
	for d := range f.Declarations() {
		s := f.find(d.Qualified)
		r.Symbols = append(r.Symbols, record.Symbol{Kind: d.Kind, Name: d.Name, QualifiedName: d.Qualified, Signature: d.Signature,
			StartLine: max(int(s.start), 1), EndLine: max(int(s.end), 1), Parent: b.names.of(s.parent), Exported: d.Exported, Test: s.flags&testFlag != 0})
	}
	for i := range f.references {
		ref := f.reference(&f.references[i])
		for _, line := range f.references[i].lines {
			ref.Lines = append(ref.Lines, int(line))
		}
		r.References = append(r.References, *ref)
	}
	for t := range f.Typings() {
		r.Typings = append(r.Typings, *t)
	}
}

// Read takes the files of a graph file, which errors call name, for which keep returns true. keep gets tree paths. Facts that were put before
// stay. If there is an error, nothing is taken.
func (b *Builder) Read(ctx context.Context, r io.Reader, name string, jobs int, keep func(treePath string) bool) error {
	pieces := &pieceReader{r: r, name: name, number: 1}
	var all []readFile
	err := parallel.Map(ctx, jobs, pieces.next, func(_ context.Context, p piece) ([]readFile, error) {
		defer pieces.release(p)
		return b.names.readFiles(p, name, keep, reading{})
	}, func(files []readFile) error {
		all = append(all, files...)
		return nil
	})
	if err != nil {
		return err
	}
	for _, f := range all {
		if b.files[f.tree][f.file.Path] == nil {
			b.Put(f.tree, f.file.Path, f.file)
		}
	}
	return nil
}

// An Old is a graph file that can be read at will.
type Old interface {
	io.ReaderAt
	Size() int64
}

// Outline reads of a graph file, which it gets to read in turn and at will, what files can see of each other. It reports whether the files that were
// put are those for which keep returns false, and show so little else than before that most lines stay as they are: then Splice makes the
// next graph file. If not, Read and Write do.
func (b *Builder) Outline(ctx context.Context, old Old, r io.Reader, name string, jobs int, keep func(treePath string) bool) (ok bool, err error) {
	b.places = nil
	news, ok, err := b.compare(old, name, keep)
	if err != nil || !ok {
		return false, err
	}
	type outlined struct {
		files []readFile
		size  int
	}
	pieces := &pieceReader{r: r, name: name, number: 1}
	offset := int64(0)
	err = parallel.Map(ctx, jobs, pieces.next, func(_ context.Context, p piece) (outlined, error) {
		defer pieces.release(p)
		files, err := b.names.readFiles(p, name, all, reading{visible: true, news: news, unsigned: true})
		return outlined{files, len(p.data)}, err
	}, func(o outlined) error {
		for i, f := range o.files {
			end := o.size
			if i+1 < len(o.files) {
				end = o.files[i+1].offset
			}
			stays := keep(record.TreePath(f.tree, f.file.Path))
			if _, put := b.files[f.tree][f.file.Path]; !stays && !put {
				ok = false
			}
			b.places = append(b.places, place{f, stays, offset + int64(f.offset), offset + int64(end)})
		}
		offset += int64(o.size)
		return nil
	})
	if err != nil || !ok {
		return false, err
	}
	concerned := 0
	for i := range b.places {
		p := &b.places[i]
		if !p.keep {
			continue
		}
		if p.concern.visible {
			return false, nil
		}
		if p.concern.inside {
			concerned++
		}
	}
	if concerned > max(maxConcerned, len(b.places)/16) {
		return false, nil
	}
	for i := range b.places {
		if p := &b.places[i]; p.keep && p.concern.inside {
			data := make([]byte, p.end-p.offset)
			if _, err := old.ReadAt(data, p.offset); err != nil {
				return false, fmt.Errorf("read %s: %w", name, err)
			}
			whole, err := b.names.readFiles(piece{data: data, number: 2}, name, all, reading{implied: true})
			if err != nil || len(whole) != 1 {
				return false, err
			}
			b.Put(p.tree, p.file.Path, whole[0].file)
			p.keep = false
		}
	}
	return true, nil
}

// Bounds of what a change may concern for Outline: files that were put, the names of what is declared anew or no more, and files that refer to them.
const (
	maxPut       = 256
	maxNews      = 32
	maxConcerned = 100
)

func all(string) bool { return true }

// compare compares what the files that were put show with what they showed in the graph file. news are the names, as they stand there, of what is declared
// anew, otherwise or no more. ok is false if there is more to it than functions, values and what these are of. What is read here is not yet known to be sound.
func (b *Builder) compare(old Old, name string, keep func(treePath string) bool) (news [][]byte, ok bool, err error) {
	type pair struct {
		path string
		now  *File
	}
	var pairs []pair
	for tree, files := range b.files {
		for path, now := range files {
			if path = record.TreePath(tree, path); !keep(path) {
				pairs = append(pairs, pair{path, now})
			}
		}
	}
	if len(pairs) > maxPut {
		return nil, false, nil
	}
	s := seeker{old: old}
	for _, p := range pairs {
		lines, err := s.find(p.path)
		if err != nil {
			return nil, false, fmt.Errorf("read %s: %w", name, err)
		}
		if lines == nil || p.now == nil {
			if lines != nil || p.now != nil {
				return nil, false, nil
			}
			continue
		}
		// Faults are told by who reads all of it.
		was, err := b.names.readFiles(piece{data: lines, number: 2}, name, all, reading{visible: true, implied: true})
		if err != nil || len(was) != 1 {
			return nil, false, nil
		}
		names, ok := b.news(was[0].file, p.now)
		if news = append(news, names...); !ok || len(news) > maxPut*maxNews {
			return nil, false, nil
		}
		p.now.implied, p.now.omitted = was[0].file.implied, was[0].file.omitted
	}
	slices.SortFunc(news, bytes.Compare)
	news = slices.CompactFunc(news, bytes.Equal)
	return news, len(news) <= maxNews, nil
}

// news is compare for one file.
func (b *Builder) news(was, now *File) (news [][]byte, ok bool) {
	now.sort()
	if !was.shows(now) {
		return nil, false
	}
	implied := b.implies(now.Language)
	for _, s := range was.differences(now) {
		kind := record.Kinds[s.kind]
		if kind.IsType() || kind == record.Module || kind == record.Method && implied {
			return nil, false
		}
		news = append(news, appendEscaped(nil, b.names.read(s.name)))
	}
	for _, t := range was.retyped(now) {
		told := b.names.read(t.name)
		if t.name == 0 {
			// The result of a function counts where the function is named.
			s := cmp.Or(now.find(b.names.read(t.symbol)), was.find(b.names.read(t.symbol)))
			if s == nil || !record.Kinds[s.kind].IsCallable() {
				return nil, false
			}
			told = b.names.read(s.name)
		}
		if t.signature != "" && implied {
			return nil, false
		}
		news = append(news, appendEscaped(nil, told))
	}
	return news, true
}

// implies reports whether methods of the language lead to edges that no reference says.
func (b *Builder) implies(language string) bool {
	return slices.ContainsFunc(b.rules, func(r Rules) bool { return r.Implied != nil && slices.Contains(r.Languages, language) })
}

// Unchanged is how many bytes at the beginning Splice takes over as they are.
func (b *Builder) Unchanged() int64 {
	end := int64(0)
	for _, p := range b.places {
		if !p.keep {
			return p.offset
		}
		end = p.end
	}
	return end
}

// Splice writes the graph file of which Outline has reported that it is the same but for the files that were put. Before the first file stands
// nothing in old.
func (b *Builder) Splice(ctx context.Context, old io.ReaderAt, w io.Writer, jobs int) error {
	type change struct {
		tree string
		file *File
	}
	var changed []change
	for _, p := range b.places {
		if p.keep {
			b.Put(p.tree, p.file.Path, p.file)
		} else {
			changed = append(changed, change{p.tree, b.files[p.tree][p.file.Path]})
		}
	}
	resolved := map[string]*resolution{}
	for _, c := range changed {
		if resolved[c.tree] == nil {
			r, err := b.tree(c.tree).resolve(ctx, jobs)
			if err != nil {
				return err
			}
			resolved[c.tree] = r
		}
		// No type has other methods than before.
		resolved[c.tree].takeImplied(c.file)
	}
	at := int64(0)
	copied := func(end int64) error {
		_, err := io.Copy(w, io.NewSectionReader(old, at, end-at))
		return err
	}
	var end int64
	b.omitted = 0
	for _, p := range b.places {
		end = p.end
		if p.keep {
			b.omitted += p.file.omitted
			continue
		}
		b.omitted += changed[0].file.omitted
		if err := copied(p.offset); err != nil {
			return err
		}
		if _, err := w.Write(resolved[p.tree].linker(changed[0].file).appendLines(nil)); err != nil {
			return err
		}
		changed, at = changed[1:], p.end
	}
	return copied(end)
}

// Omitted is how many edges the last Write or Splice has left out since there would be too many, at least. It is known when that has returned.
func (b *Builder) Omitted() int { return b.omitted }

// A piece is a run of lines that begins with the node of a file, but for the first.
type piece struct {
	data   []byte
	number int
	buffer []byte
}

// A pieceReader cuts a graph file where files begin.
type pieceReader struct {
	r      io.Reader
	name   string
	rest   []byte
	number int
	// free are the buffers of pieces that nobody uses any more.
	free sync.Pool
}

const pieceSize = 256 << 10

// nodeStart begins the lines of nodes.
var nodeStart = []byte(`{"node":`)

// fileMark stands in lines of files alone: elsewhere the quotes would be escaped.
var fileMark = []byte(`,"kind":"file"`)

func (p *pieceReader) next() (piece, error) {
	var data []byte
	if used, ok := p.free.Get().(*[]byte); ok && cap(*used) >= len(p.rest)+pieceSize/2 {
		data = (*used)[:0]
	} else {
		data = make([]byte, 0, max(len(p.rest)+pieceSize/2, pieceSize))
	}
	data = append(data, p.rest...)
	p.rest = p.rest[:0]
	for {
		old := len(data)
		if cap(data) == old {
			data = slices.Grow(data, old)
		}
		n, err := io.ReadFull(p.r, data[old:cap(data)])
		data = data[:old+n]
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			if len(data) == 0 {
				return piece{}, io.EOF
			}
			if data[len(data)-1] != '\n' {
				line := p.number + bytes.Count(data, []byte("\n"))
				return piece{}, &record.LineError{Name: p.name, Number: line, Err: errCutOff}
			}
			return p.cut(data, len(data)), nil
		case err != nil:
			return piece{}, fmt.Errorf("read %s: %w", p.name, err)
		}
		if end := lastFile(data); end > 0 {
			return p.cut(data, end), nil
		}
		if len(data) > maxFile+pieceSize {
			return piece{}, &record.LineError{Name: p.name, Number: p.number, Err: errLongFile}
		}
	}
}

// lastFile is where the last line of a file begins that is not the first line, and 0 if there is none. bytes.LastIndex would take as long as all
// that is done with the data.
func lastFile(data []byte) int {
	for start, end := len(data), len(data); end > 0; end = start {
		start = max(0, start-4<<10)
		mark := -1
		for from := start; ; {
			// A mark may begin before end and go on behind.
			i := bytes.Index(data[from:min(end+len(fileMark)-1, len(data))], fileMark)
			if i < 0 {
				break
			}
			mark = from + i
			from = mark + 1
		}
		if mark >= 0 {
			return bytes.LastIndexByte(data[:mark], '\n') + 1
		}
	}
	return 0
}

func (p *pieceReader) cut(data []byte, end int) piece {
	cut := piece{data[:end:end], p.number, data}
	p.rest = append(p.rest[:0], data[end:]...)
	p.number += bytes.Count(cut.data, []byte("\n"))
	return cut
}

// release gives a piece back, to which nothing may refer.
func (p *pieceReader) release(used piece) { p.free.Put(&used.buffer) }

// A reading says what to take of files.
type reading struct {
	// visible asks for those facts alone that other files can see, and which of the others concern news, which are names.
	visible bool
	news    [][]byte
	// implied asks for the lines that follow from declarations.
	implied bool
	// unsigned leaves out the signatures that resolution without these does not look at.
	unsigned bool
}

// A readFile is a file that was read.
type readFile struct {
	tree string
	file *File
	// offset is where its lines begin in the piece.
	offset  int
	concern concern
}

// A concern tells where news stand in a file: in a line that other files can see, or in another.
type concern struct{ visible, inside bool }

func (what *reading) concerns(line []byte) bool {
	return slices.ContainsFunc(what.news, func(n []byte) bool { return bytes.Contains(line, n) })
}

// recent is the last name that was numbered.
type recent struct {
	text []byte
	name name
}

func (r *recent) number(n *names, text []byte) name {
	if !bytes.Equal(r.text, text) {
		r.text, r.name = append(r.text[:0], text...), n.bytes(text)
	}
	return r.name
}

// readFiles takes the facts from lines.
func (n *names) readFiles(p piece, name string, keep func(string) bool, what reading) ([]readFile, error) {
	var (
		files []readFile
		d     decoder
		f     *File
		id    []byte // of the file
		lines []int32
		// What lines name again and again has its number here.
		symbols, parents recent
	)
	number := p.number - 1
	for data := p.data; len(data) > 0; {
		end := bytes.IndexByte(data, '\n')
		line := data[:end]
		offset := len(p.data) - len(data)
		data = data[end+1:]
		if number++; number == 1 && bytes.HasPrefix(line, []byte(`{"_metadata":`)) {
			continue
		}
		if id != nil && f == nil && !bytes.Contains(line, fileMark) {
			continue
		}
		if what.visible && f != nil && !bytes.HasPrefix(line, nodeStart) {
			now := &files[len(files)-1].concern
			inside := isInside(line)
			if inside && !now.inside {
				now.inside = what.concerns(line)
			} else if !inside && !now.visible {
				now.visible = what.concerns(line)
			}
			if inside {
				continue
			}
		}
		fault := func(err error) error {
			return &record.LineError{Name: name, Number: number, Err: fmt.Errorf("read graph: %w", err)}
		}
		r, err := d.decode(line)
		if err != nil {
			return nil, fault(err)
		}
		if r.sort == nodeSort && string(r.kind) == string(FileKind) {
			f = nil
			id = append(id[:0], r.id...)
			tree := string(r.tree)
			path := string(r.id)
			if keep(path) {
				f = &File{Path: record.SplitTreePath(tree, path), Language: n.read(n.bytes(r.language)), Package: n.read(n.bytes(r.pkg)), Test: r.test, names: n, sorted: true}
				files = append(files, readFile{tree: tree, file: f, offset: offset})
			}
			continue
		}
		if id == nil {
			return nil, fault(errors.New("it stands before the first file"))
		}
		if f == nil {
			continue
		}
		of := r.id
		if r.sort == edgeSort {
			of = r.from
		}
		if r.sort == mappingSort {
			f.Mappings = append(f.Mappings, record.Mapping{Module: string(r.id), Path: string(r.path)})
			continue
		}
		qualified, ok := bytes.CutPrefix(of, id)
		if ok && len(qualified) > 0 {
			qualified, ok = bytes.CutPrefix(qualified, []byte("#"))
			ok = ok && len(qualified) > 0
		}
		if !ok || r.sort == nodeSort && len(qualified) == 0 {
			return nil, fault(fmt.Errorf("%q is not of file %q", of, id))
		}
		switch r.sort {
		case nodeSort:
			kind := slices.Index(record.Kinds, record.Kind(r.kind))
			if kind < 0 {
				return nil, fault(fmt.Errorf("unknown kind %q", r.kind))
			}
			s := symbol{kind: uint8(kind), start: int32(r.start), end: int32(r.end), qualified: symbols.number(n, qualified)}
			if !what.unsigned || r.test {
				s.signature = string(r.signature)
			}
			if r.exported {
				s.flags |= exportedFlag
			}
			if r.test {
				s.flags |= testFlag
			}
			last, parent := split(qualified, r.name)
			s.name, s.parent = n.bytes(last), parents.number(n, parent)
			f.symbols = append(f.symbols, s)
		case typingSort:
			f.typings = append(f.typings, typing{symbol: symbols.number(n, qualified), name: n.bytes(r.name), value: n.bytes(r.value), line: int32(r.line), signature: string(r.signature)})
		case omissionSort:
			f.omitted += (&Omission{Incoming: r.incoming, Held: r.held, Found: r.found}).edges()
			if what.implied {
				f.imply(n.bytes(qualified), r)
			}
		case edgeSort:
			if len(r.lines) == 0 {
				if what.implied {
					f.imply(n.bytes(qualified), r)
				}
				continue // an edge that follows from declarations
			}
			relation := r.id
			if len(r.written) > 0 {
				relation = r.written
			}
			number := slices.Index(record.Relations, record.Relation(relation))
			if number < 0 {
				return nil, fault(fmt.Errorf("unknown relation %q", relation))
			}
			if len(lines)+len(r.lines) > cap(lines) {
				lines = make([]int32, 0, max(1024, len(r.lines)))
			}
			start := len(lines)
			for _, line := range r.lines {
				lines = append(lines, int32(line))
			}
			f.references = append(f.references, reference{relation: uint8(number), symbol: symbols.number(n, qualified), name: n.bytes(r.name), receiver: n.bytes(r.receiver),
				module: n.bytes(r.module), alias: n.bytes(r.alias), lines: lines[start:len(lines):len(lines)]})
		}
	}
	return files, nil
}

// Write resolves all references and writes the lines, with up to jobs goroutines.
func (b *Builder) Write(ctx context.Context, w io.Writer, jobs int) error {
	trees := make([]string, 0, len(b.files))
	for tree := range b.files {
		trees = append(trees, tree)
	}
	slices.Sort(trees)
	type item struct {
		path string
		r    *resolution
		file *File
	}
	var items []item
	b.omitted = 0
	for _, name := range trees {
		t := b.tree(name)
		r, err := t.resolve(ctx, jobs)
		if err != nil {
			return err
		}
		r.imply()
		for _, lines := range r.implied {
			for i := range lines.omissions {
				b.omitted += lines.omissions[i].edges()
			}
		}
		for _, f := range t.files {
			items = append(items, item{record.TreePath(name, f.Path), r, f})
		}
	}
	slices.SortStableFunc(items, func(x, y item) int { return strings.Compare(x.path, y.path) })
	next := 0
	var buffers sync.Pool
	return parallel.Map(ctx, jobs, func() ([]item, error) {
		if next == len(items) {
			return nil, io.EOF
		}
		batch := items[next:min(next+filesAtOnce, len(items))]
		next += len(batch)
		return batch, nil
	}, func(_ context.Context, batch []item) ([]byte, error) {
		var lines []byte
		if b, ok := buffers.Get().(*[]byte); ok {
			lines = (*b)[:0]
		}
		for _, i := range batch {
			lines = i.r.linker(i.file).appendLines(lines)
		}
		return lines, nil
	}, func(lines []byte) error {
		_, err := w.Write(lines)
		buffers.Put(&lines)
		return err
	})
}

// tree makes the tree of the name.
func (b *Builder) tree(name string) *Tree {
	t := &Tree{name: name, rules: b.rules, byPath: b.files[name], names: b.names}
	for path, f := range t.byPath {
		if f == nil {
			delete(t.byPath, path)
			continue
		}
		t.files = append(t.files, f)
	}
	slices.SortFunc(t.files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	for i, f := range t.files {
		f.number = int32(i)
	}
	return t
}
