package graph

import (
	"context"
	"encoding/json"
	"math"
	"strings"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/names"
	"cortex/lib/graph/resolve"
	"cortex/lib/graph/table"
	"cortex/lib/record"
)

// A Statement is one node, typing, mapping, edge or omission of a graph; exactly one field is set.
type Statement struct {
	Node     *Node
	Typing   *Typing
	Mapping  *record.Mapping
	Edge     *Edge
	Omission *edge.Omission
}

// Statements resolves the files and calls emit for each statement. Files come in the order of their paths: the node of
// the file, its mappings, the typings and edges outside of symbols, then each symbol with its typings, edges and
// omissions. An edge without By is a reference without a target.
func Statements(ctx context.Context, sources []Source, opts Options, emit func(Statement)) error {
	b, err := newBuilder(ctx, sources, nil, opts)
	if err != nil {
		return err
	}
	lines := make([][]Statement, len(b.files))
	for _, u := range b.units() {
		u.how, u.linked = wholly, u.files
		err := b.resolve(ctx, u, func(l *resolve.Linker, s *treeFile) (err error) {
			lines[u.tree.files[s.number]], err = linesOf(l, s)
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

// linesOf returns the statements of one file.
func linesOf(l *resolve.Linker, s *treeFile) (lines []Statement, err error) {
	f := l.File
	references, err := f.All()
	if err != nil {
		return nil, err
	}
	id := func(p edge.Place) string {
		switch {
		case p.Folder != "":
			return p.Folder
		case p.Symbol < 0:
			return record.TreePath(s.Tree, l.Files[p.File].Path)
		}
		return NodeID(record.TreePath(s.Tree, l.Files[p.File].Path), l.Names.Of(l.Files[p.File].Symbols[p.Symbol].Qualified))
	}
	typings, further := f.Typings, f.Further
	add := func(symbol facts.Name) {
		from := NodeID(s.TreePath, l.Names.Of(symbol))
		for ; len(typings) > 0 && typings[0].Symbol == symbol; typings = typings[1:] {
			t := f.TypingOf(&typings[0])
			lines = append(lines, Statement{Typing: &Typing{Of: from, Name: t.Name, Value: t.Value, Signature: strings.Clone(t.Signature), Line: t.Line}})
		}
		references = l.Each(symbol, references, func(ref *facts.Reference, a *resolve.Answer) {
			r := f.ReferenceOf(ref)
			e := &Edge{Relation: a.Relation, From: from, Name: r.Name, Receiver: r.Receiver, Module: r.Module, Alias: r.Alias, By: a.By, Confidence: a.Confidence, External: a.External}
			for _, line := range ref.Lines {
				e.Lines = append(e.Lines, int(line))
			}
			if r.Relation != a.Relation {
				e.Written = r.Relation
			}
			if a.Unlisted {
				e.Unlisted = l.Languages()
			}
			for _, p := range a.To {
				e.To = append(e.To, id(p))
			}
			lines = append(lines, Statement{Edge: e})
		})
	}
	lines = append(lines, Statement{Node: &Node{ID: s.TreePath, Kind: table.FileKind, Name: names.PathBase(f.Path), Tree: s.Tree, Language: strings.Clone(f.Language), Package: strings.Clone(f.Package), Test: f.Test}})
	for _, m := range f.Mappings {
		lines = append(lines, Statement{Mapping: &record.Mapping{Module: strings.Clone(m.Module), Path: strings.Clone(m.Path)}})
	}
	add(0)
	for i := range f.Symbols {
		own := &f.Symbols[i]
		n := NodeID(s.TreePath, l.Names.Of(own.Qualified))
		lines = append(lines, Statement{Node: &Node{ID: n, Kind: record.Kinds[own.Kind], Name: l.Names.Of(own.Name), DocLine: docLine(own), StartLine: int(own.Start), EndLine: int(own.End),
			Signature: strings.Clone(own.Signature), Exported: own.Flags&facts.ExportedFlag != 0, Test: own.Flags&facts.TestFlag != 0}})
		node := lines[len(lines)-1].Node
		for ; len(further) > 0 && further[0].Symbol == int32(i); further = further[1:] {
			d := &further[0]
			node.Further = append(node.Further, [3]int{int(d.Start), int(d.End), int(d.Start - d.Doc)})
		}
		add(own.Qualified)
		implied := l.Implied[facts.Decl{File: f.Number, Symbol: int32(i)}]
		if implied == nil {
			continue
		}
		for _, e := range implied.Edges {
			lines = append(lines, Statement{Edge: &Edge{Relation: e.Relation, From: n, By: edge.ByMethods, Confidence: edge.Confidences[edge.ByMethods], To: []string{id(e.To)}}})
		}
		for _, o := range implied.Omissions {
			o.Of = n
			lines = append(lines, Statement{Omission: &o})
		}
	}
	return lines, nil
}

// A statementForm is the JSON form of a Statement. The first key tells its sort; its value is an identifier (of a node,
// or of the node of a typing or omission), the relation of an edge, or the module of a mapping.
type statementForm struct {
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
	DocLine    int             `json:"doc_line,omitempty"`
	StartLine  int             `json:"start_line,omitempty"`
	EndLine    int             `json:"end_line,omitempty"`
	Further    [][3]int        `json:"further,omitempty"`
	Signature  string          `json:"signature,omitempty"`
	Line       int             `json:"line,omitempty"`
	Lines      []int           `json:"lines,omitempty"`
	By         edge.By         `json:"by,omitempty"`
	Confidence float64         `json:"confidence,omitempty"`
	To         []string        `json:"to,omitempty"`
	External   string          `json:"external,omitempty"`
	Unlisted   []string        `json:"unlisted,omitempty"`
	Relation   record.Relation `json:"relation,omitempty"`
	Incoming   bool            `json:"incoming,omitempty"`
	Held       int             `json:"held,omitempty"`
	Found      int             `json:"found,omitempty"`
	Exported   bool            `json:"exported,omitempty"`
	Test       bool            `json:"test,omitempty"`
}

// docLine returns the first line of the documentation comment above a symbol, 0 if there is none.
func docLine(s *facts.Symbol) int {
	if s.Doc == 0 {
		return 0
	}
	return int(s.Start - s.Doc)
}

// MarshalJSON implements json.Marshaler.
func (l Statement) MarshalJSON() ([]byte, error) {
	var f statementForm
	switch n, t, m, e, o := l.Node, l.Typing, l.Mapping, l.Edge, l.Omission; {
	case n != nil:
		f = statementForm{Node: &n.ID, Kind: n.Kind, Name: n.Name, Tree: n.Tree, Language: n.Language, Package: n.Package, DocLine: n.DocLine, StartLine: n.StartLine, EndLine: n.EndLine,
			Further: n.Further, Signature: n.Signature, Exported: n.Exported, Test: n.Test}
	case t != nil:
		f = statementForm{Typing: &t.Of, Name: t.Name, Value: t.Value, Signature: t.Signature, Line: t.Line}
	case m != nil:
		f = statementForm{Mapping: &m.Module, Path: m.Path}
	case e != nil:
		f = statementForm{Edge: (*string)(&e.Relation), Written: e.Written, From: e.From, Name: e.Name, Receiver: e.Receiver, Module: e.Module, Alias: e.Alias, Lines: e.Lines,
			By: e.By, Confidence: math.Round(e.Confidence*table.ShareUnit) / table.ShareUnit, To: e.To, External: e.External, Unlisted: e.Unlisted}
	case o != nil:
		f = statementForm{Omission: &o.Of, Relation: o.Relation, Incoming: o.Incoming, Held: o.Held, Found: o.Found}
	}
	return json.Marshal(f)
}
