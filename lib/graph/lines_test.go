package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"cortex/lib/graph/edge"
	"cortex/lib/graph/facts"
	"cortex/lib/graph/names"
	"cortex/lib/graph/table"
	"cortex/lib/record"
)

// FromLines makes the graph that the statements describe, without resolving anything. The nodes of a file must be
// adjacent and precede their edges; edges to unknown nodes are left out.
func FromLines(lines []Statement) (*table.Graph, error) {
	var files []*record.File
	trees := map[*record.File]string{}
	for _, line := range lines {
		switch n := line.Node; {
		case n == nil:
		case n.Kind == table.FileKind:
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
			s := record.Symbol{Kind: n.Kind, Name: n.Name, QualifiedName: qualified, DocLine: n.DocLine, StartLine: n.StartLine, EndLine: n.EndLine, Signature: n.Signature, Exported: n.Exported, Test: n.Test}
			f.Symbols = append(f.Symbols, s)
			for _, d := range n.Further {
				s.StartLine, s.EndLine, s.DocLine = d[0], d[1], d[2]
				f.Symbols = append(f.Symbols, s)
			}
		}
	}
	var sources []Source
	e := facts.NewEncoder()
	for _, f := range files {
		sources = append(sources, Source{Tree: trees[f], Facts: e.AppendFacts(nil, f)})
	}
	b, err := newBuilder(context.Background(), sources, nil, Options{})
	if err != nil {
		return nil, err
	}
	places, all := map[string]edge.Place{}, make([]int32, len(b.files))
	for i := range b.files {
		s := &b.files[i]
		f, err := s.facts.Read(facts.NewNames(), false)
		if err != nil {
			return nil, err
		}
		all[i], s.Fresh = int32(i), true
		places[s.TreePath] = edge.Place{File: int32(i), Symbol: -1}
		places[names.FolderOf(s.TreePath)] = edge.Place{Folder: names.FolderOf(s.TreePath)}
		for k := range f.Symbols {
			places[NodeID(s.TreePath, f.Names.Of(f.Symbols[k].Qualified))] = edge.Place{File: int32(i), Symbol: int32(k)}
		}
	}
	// A file's rows stand in the order of its symbols.
	rows := make([]map[int32][]byte, len(b.files))
	write := func(id string, row func(w *edge.Writer, symbol int)) error {
		from, ok := places[id]
		if !ok {
			return fmt.Errorf("%q is no node", id)
		}
		w := edge.Writer{Outside: b.outside, Files: all}
		row(&w, int(from.Symbol))
		if rows[from.File] == nil {
			rows[from.File] = map[int32][]byte{}
		}
		rows[from.File][from.Symbol] = append(rows[from.File][from.Symbol], w.Dst...)
		return nil
	}
	for _, line := range lines {
		err := error(nil)
		switch e, o := line.Edge, line.Omission; {
		case e != nil && (e.By != "" || len(e.Unlisted) > 0):
			err = write(e.From, func(w *edge.Writer, symbol int) {
				var to []edge.Place
				for _, id := range e.To {
					if p, ok := places[id]; ok {
						to = append(to, p)
					}
				}
				var at []int32
				for _, line := range e.Lines {
					at = append(at, int32(line))
				}
				if e.By == "" {
					w.Unlisted(symbol, at, e.Unlisted, e.Name)
					return
				}
				w.Site(symbol, e.Relation, e.By, e.Confidence, at, to, e.External, e.Module)
			})
		case o != nil:
			err = write(o.Of, func(w *edge.Writer, symbol int) { w.Omission(symbol, o) })
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
			b.files[i].Edges = append(b.files[i].Edges, byFrom[from]...)
		}
	}
	return b.assemble(context.Background())
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *Statement) UnmarshalJSON(data []byte) error {
	var f statementForm
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	switch *l = (Statement{}); {
	case f.Node != nil:
		l.Node = &Node{*f.Node, f.Kind, f.Name, f.Tree, f.Language, f.Package, f.DocLine, f.StartLine, f.EndLine, f.Further, f.Signature, f.Exported, f.Test}
	case f.Typing != nil:
		l.Typing = &Typing{*f.Typing, f.Name, f.Value, f.Signature, f.Line}
	case f.Mapping != nil:
		l.Mapping = &record.Mapping{Module: *f.Mapping, Path: f.Path}
	case f.Edge != nil:
		l.Edge = &Edge{record.Relation(*f.Edge), f.Written, f.From, f.Name, f.Receiver, f.Module, f.Alias, f.Lines, f.By, f.Confidence, f.To, f.External, f.Unlisted}
	case f.Omission != nil:
		l.Omission = &edge.Omission{Of: *f.Omission, Relation: f.Relation, Incoming: f.Incoming, Held: f.Held, Found: f.Found}
	}
	return nil
}

// ReadLines reads lines as JSON, one after the other.
func ReadLines(r io.Reader) (lines []Statement, err error) {
	for d := json.NewDecoder(r); ; {
		var l Statement
		if err := d.Decode(&l); err == io.EOF {
			return lines, nil
		} else if err != nil {
			return nil, err
		}
		lines = append(lines, l)
	}
}
