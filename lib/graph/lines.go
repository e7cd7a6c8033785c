package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cortex/lib/record"
)

// A Line is one statement of a graph as those who check it compare it: one of the five is set.
type Line struct {
	Node     *Node
	Typing   *Typing
	Mapping  *record.Mapping
	Edge     *Edge
	Omission *Omission
}

// Lines resolves the files and gives, for each in the order of paths, its node, its mappings, the typings and edges that belong to no symbol, then each symbol with its
// typings, edges and omissions. An edge without By is a reference that leads nowhere.
func Lines(ctx context.Context, sources []Source, opts Options, emit func(Line)) error {
	b, err := newBuilder(ctx, sources, nil, opts)
	if err != nil {
		return err
	}
	lines := make([][]Line, len(b.files))
	for _, u := range b.units() {
		u.how, u.linked = wholly, u.files
		err := b.resolve(ctx, u, func(l *linker, s *sourceFile) (err error) {
			lines[u.tree.files[s.number]], err = l.lines(s)
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, list := range lines {
		for _, line := range list {
			emit(line)
		}
	}
	return nil
}

// lines are those of the file.
func (l *linker) lines(s *sourceFile) (lines []Line, err error) {
	f := l.file
	references, err := f.all()
	if err != nil {
		return nil, err
	}
	id := func(p place) string {
		switch {
		case p.folder != "":
			return p.folder
		case p.symbol < 0:
			return record.TreePath(s.tree, l.files[p.file].Path)
		}
		return NodeID(record.TreePath(s.tree, l.files[p.file].Path), l.names.of(l.files[p.file].symbols[p.symbol].qualified))
	}
	typings := f.typings
	facts := func(symbol name) {
		from := NodeID(s.treePath, l.names.of(symbol))
		for ; len(typings) > 0 && typings[0].symbol == symbol; typings = typings[1:] {
			t := f.typing(&typings[0])
			lines = append(lines, Line{Typing: &Typing{Of: from, Name: t.Name, Value: t.Value, Signature: strings.Clone(t.Signature), Line: t.Line}})
		}
		references = l.of(symbol, references, func(ref *reference, a *answer) {
			r := f.reference(ref)
			e := &Edge{Relation: a.relation, From: from, Name: r.Name, Receiver: r.Receiver, Module: r.Module, Alias: r.Alias, By: a.by, Confidence: a.confidence, External: a.external}
			for _, line := range ref.lines {
				e.Lines = append(e.Lines, int(line))
			}
			if r.Relation != a.relation {
				e.Written = r.Relation
			}
			for _, p := range a.to {
				e.To = append(e.To, id(p))
			}
			lines = append(lines, Line{Edge: e})
		})
	}
	lines = append(lines, Line{Node: &Node{ID: s.treePath, Kind: FileKind, Name: pathBase(f.Path), Tree: s.tree, Language: strings.Clone(f.Language), Package: strings.Clone(f.Package), Test: f.Test}})
	for _, m := range f.Mappings {
		lines = append(lines, Line{Mapping: &record.Mapping{Module: strings.Clone(m.Module), Path: strings.Clone(m.Path)}})
	}
	facts(0)
	for i := range f.symbols {
		own := &f.symbols[i]
		n := NodeID(s.treePath, l.names.of(own.qualified))
		lines = append(lines, Line{Node: &Node{ID: n, Kind: record.Kinds[own.kind], Name: l.names.of(own.name), StartLine: int(own.start), EndLine: int(own.end),
			Signature: strings.Clone(own.signature), Exported: own.flags&exportedFlag != 0, Test: own.flags&testFlag != 0}})
		facts(own.qualified)
		implied := l.implied[decl{f.number, int32(i)}]
		if implied == nil {
			continue
		}
		for _, e := range implied.edges {
			lines = append(lines, Line{Edge: &Edge{Relation: e.relation, From: n, By: ByMethods, Confidence: confidences[ByMethods], To: []string{id(e.to)}}})
		}
		for _, o := range implied.omissions {
			o.Of = n
			lines = append(lines, Line{Omission: &o})
		}
	}
	return lines, nil
}

// FromLines is the graph that lines say, whatever their facts would lead to. Nodes of a file stand together, before the edges from them; edges to what is no node are left out.
func FromLines(lines []Line) (*Graph, error) {
	var files []*record.File
	trees := map[*record.File]string{}
	for _, line := range lines {
		switch n := line.Node; {
		case n == nil:
		case n.Kind == FileKind:
			f := &record.File{FilePath: record.SplitTreePath(n.Tree, n.ID), Language: n.Language, Package: n.Package, Status: record.StatusOK, Mappings: []record.Mapping{{}}}
			if n.Test {
				f.Tags = []string{"test"}
			}
			files, trees[f] = append(files, f), n.Tree
		case len(files) == 0:
			return nil, fmt.Errorf("node %q stands before the first file", n.ID)
		default:
			f := files[len(files)-1]
			_, qualified := SplitID(n.ID, record.TreePath(trees[f], f.FilePath))
			f.Symbols = append(f.Symbols, record.Symbol{Kind: n.Kind, Name: n.Name, QualifiedName: qualified, StartLine: n.StartLine, EndLine: n.EndLine, Signature: n.Signature, Exported: n.Exported, Test: n.Test})
		}
	}
	var sources []Source
	e := NewEncoder()
	for _, f := range files {
		sources = append(sources, Source{Tree: trees[f], Facts: e.AppendFacts(nil, f)})
	}
	b, err := newBuilder(context.Background(), sources, nil, Options{})
	if err != nil {
		return nil, err
	}
	places, all := map[string]place{}, make([]int32, len(b.files))
	for i := range b.files {
		s := &b.files[i]
		f, err := s.facts.file(newNames(), false)
		if err != nil {
			return nil, err
		}
		all[i], s.fresh = int32(i), true
		places[s.treePath] = place{file: int32(i), symbol: -1}
		places[folderOf(s.treePath)] = place{folder: folderOf(s.treePath)}
		for k := range f.symbols {
			places[NodeID(s.treePath, f.names.of(f.symbols[k].qualified))] = place{file: int32(i), symbol: int32(k)}
		}
	}
	// A file's rows stand in the order of its symbols.
	rows := make([]map[int32][]byte, len(b.files))
	write := func(id string, row func(w *edgeWriter, symbol int)) error {
		from, ok := places[id]
		if !ok {
			return fmt.Errorf("%q is no node", id)
		}
		w := edgeWriter{outside: &b.outside, files: all}
		row(&w, int(from.symbol))
		if rows[from.file] == nil {
			rows[from.file] = map[int32][]byte{}
		}
		rows[from.file][from.symbol] = append(rows[from.file][from.symbol], w.dst...)
		return nil
	}
	for _, line := range lines {
		err := error(nil)
		switch e, o := line.Edge, line.Omission; {
		case e != nil && e.By != "":
			err = write(e.From, func(w *edgeWriter, symbol int) {
				var to []place
				for _, id := range e.To {
					if p, ok := places[id]; ok {
						to = append(to, p)
					}
				}
				var at []int32
				for _, line := range e.Lines {
					at = append(at, int32(line))
				}
				w.site(symbol, e.Relation, e.By, e.Confidence, at, to, e.External, e.Module)
			})
		case o != nil:
			err = write(o.Of, func(w *edgeWriter, symbol int) { w.omission(symbol, o) })
		}
		if err != nil {
			return nil, err
		}
	}
	for i, byFrom := range rows {
		var froms []int32
		for from := range byFrom {
			froms = append(froms, from)
		}
		slices.Sort(froms)
		for _, from := range froms {
			b.files[i].edges = append(b.files[i].edges, byFrom[from]...)
		}
	}
	return b.assemble(context.Background())
}
