package graph

import (
	"context"
	"encoding/json"
	"math"
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
