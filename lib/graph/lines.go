package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
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

// A lineForm is a Line as JSON: the first key says what it is, and holds the identifier of the node, the relation of the edge, or the module of the mapping.
type lineForm struct {
	Node     *string `json:"node,omitempty"`
	Typing   *string `json:"typing,omitempty"`
	Mapping  *string `json:"mapping,omitempty"`
	Edge     *string `json:"edge,omitempty"`
	Omission *string `json:"omission,omitempty"`

	Kind       record.Kind     `json:"kind,omitempty"`
	Written    record.Relation `json:"written,omitempty"`
	From       string          `json:"from,omitempty"`
	Name       string          `json:"name,omitempty"`
	Value      string          `json:"value,omitempty"`
	Receiver   string          `json:"receiver,omitempty"`
	Module     string          `json:"module,omitempty"`
	Alias      string          `json:"alias,omitempty"`
	Path       string          `json:"path,omitempty"`
	Tree       string          `json:"tree,omitempty"`
	Language   string          `json:"language,omitempty"`
	Package    string          `json:"package,omitempty"`
	StartLine  int             `json:"start_line,omitempty"`
	EndLine    int             `json:"end_line,omitempty"`
	Signature  string          `json:"signature,omitempty"`
	Line       int             `json:"line,omitempty"`
	Lines      []int           `json:"lines,omitempty"`
	By         By              `json:"by,omitempty"`
	Confidence float64         `json:"confidence,omitempty"`
	To         []string        `json:"to,omitempty"`
	External   string          `json:"external,omitempty"`
	Relation   record.Relation `json:"relation,omitempty"`
	Incoming   bool            `json:"incoming,omitempty"`
	Held       int             `json:"held,omitempty"`
	Found      int             `json:"found,omitempty"`
	Exported   bool            `json:"exported,omitempty"`
	Test       bool            `json:"test,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (l Line) MarshalJSON() ([]byte, error) {
	var f lineForm
	switch n, t, m, e, o := l.Node, l.Typing, l.Mapping, l.Edge, l.Omission; {
	case n != nil:
		f = lineForm{Node: &n.ID, Kind: n.Kind, Name: n.Name, Tree: n.Tree, Language: n.Language, Package: n.Package, StartLine: n.StartLine, EndLine: n.EndLine,
			Signature: n.Signature, Exported: n.Exported, Test: n.Test}
	case t != nil:
		f = lineForm{Typing: &t.Of, Name: t.Name, Value: t.Value, Signature: t.Signature, Line: t.Line}
	case m != nil:
		f = lineForm{Mapping: &m.Module, Path: m.Path}
	case e != nil:
		f = lineForm{Edge: (*string)(&e.Relation), Written: e.Written, From: e.From, Name: e.Name, Receiver: e.Receiver, Module: e.Module, Alias: e.Alias, Lines: e.Lines,
			By: e.By, Confidence: math.Round(e.Confidence*shareUnit) / shareUnit, To: e.To, External: e.External}
	case o != nil:
		f = lineForm{Omission: &o.Of, Relation: o.Relation, Incoming: o.Incoming, Held: o.Held, Found: o.Found}
	}
	return json.Marshal(f)
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *Line) UnmarshalJSON(data []byte) error {
	var f lineForm
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	switch *l = (Line{}); {
	case f.Node != nil:
		l.Node = &Node{*f.Node, f.Kind, f.Name, f.Tree, f.Language, f.Package, f.StartLine, f.EndLine, f.Signature, f.Exported, f.Test}
	case f.Typing != nil:
		l.Typing = &Typing{*f.Typing, f.Name, f.Value, f.Signature, f.Line}
	case f.Mapping != nil:
		l.Mapping = &record.Mapping{Module: *f.Mapping, Path: f.Path}
	case f.Edge != nil:
		l.Edge = &Edge{record.Relation(*f.Edge), f.Written, f.From, f.Name, f.Receiver, f.Module, f.Alias, f.Lines, f.By, f.Confidence, f.To, f.External}
	case f.Omission != nil:
		l.Omission = &Omission{*f.Omission, f.Relation, f.Incoming, f.Held, f.Found}
	}
	return nil
}

// ReadLines reads lines as JSON, one after the other.
func ReadLines(r io.Reader) (lines []Line, err error) {
	for d := json.NewDecoder(r); ; {
		var l Line
		if err := d.Decode(&l); err == io.EOF {
			return lines, nil
		} else if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
}
