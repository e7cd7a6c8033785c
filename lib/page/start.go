package page

import (
	"context"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"cortex/lib/graph"
	"cortex/lib/graph/table"
	"cortex/lib/record"
	"cortex/lib/search"
	"cortex/lib/search/answer"
)

// A start is the content of the start page.
type start struct {
	// Name is the name of the repository, or the names of several.
	Name     string
	Examples []choice
}

// start returns the start page, with examples from the index.
func (s *Server) start(ctx context.Context, l *loans, st state) *start {
	names := s.chosen(st.Repository)
	page := &start{Name: strings.Join(names, ", ")}
	add := func(url, label, says string) {
		page.Examples = append(page.Examples, choice{URL: url, Label: label, Title: says})
	}
	ask := func(query, kind, says string) {
		add(st.with(func(st *state) { st.Query, st.Kind = query, kind }).URL(), query, says)
	}
	ask("where are errors handled", "", "a question, answered by meaning and words")
	_ = l.ask(ctx, names[0], func(ctx context.Context, e *OpenIndex) error {
		page.Examples = page.Examples[:1]
		if names[0] == "" {
			page.Name = folderName(e.Root)
		}
		at, err := popular(ctx, e)
		if err != nil || at == nil {
			return err
		}
		name := at.Symbol.Symbol[strings.LastIndexByte(at.Symbol.Symbol, '.')+1:]
		query := "lang:" + at.language
		if folder := path.Base(path.Dir(at.FilePath)); folder != "." && !strings.ContainsFunc(folder, func(r rune) bool { return !unicode.IsLetter(r) }) {
			query = "path:" + folder
		}
		ask(name+" "+query, "", "exact words, in some files alone")
		ask(beginning(name)+"*", symbol, "the beginning of a name")
		add(st.relationsURL(names[0], graph.TargetOf(&at.Symbol), string(table.Callers)), "callers of "+name, "who calls a function")
		add(st.relationsURL(names[0], graph.TargetOf(&at.Symbol), impactTab), "what a change of "+name+" reaches", "the tests first")
		return nil
	}) // on an error the examples stay general
	return page
}

// folderName returns the name of the indexed folder; "" for the root of the file system.
func folderName(root string) string {
	root, err := filepath.Abs(root)
	if name := filepath.Base(root); err == nil && name != string(filepath.Separator) {
		return name
	}
	return ""
}

// A symbolIn is a symbol with the language of its file.
type symbolIn struct {
	table.Symbol
	language string
}

// The search for an example function looks at the first maxLooked chunks, and at maxOfPlace symbols of each whose names
// have at least leastName bytes.
const (
	maxLooked  = 40
	maxOfPlace = 4
	leastName  = 5
)

// popular returns a function with many callers, nil if it finds none. Names of several words are preferred.
func popular(ctx context.Context, e *OpenIndex) (*symbolIn, error) {
	found, err := e.Index.Exact(ctx, search.Request{
		Queries: []string{"symbol_type:function OR symbol_type:method"}, Limit: maxLooked, Filter: search.Filter{Tests: answer.TestsNo, Tags: []string{onlyCode}},
	})
	if err != nil {
		return nil, err
	}
	var best *symbolIn
	most := 0
	for _, h := range found.Results {
		m := &h.Chunk.Metadata
		symbols := m.Symbols
		if len(symbols) == 0 {
			symbols = []record.SymbolRef{{Name: m.SymbolName, Type: m.SymbolType}}
		}
		for _, of := range symbols[:min(len(symbols), maxOfPlace)] {
			own := of.Name[strings.LastIndexByte(of.Name, '.')+1:]
			if !of.Type.IsCallable() || len(own) < leastName || strings.HasSuffix(of.Name, own+"."+own) || strings.ContainsFunc(own, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
				continue
			}
			a, err := e.Query(ctx, table.Request{Operation: table.Callers, Target: graph.NodeID(m.FilePath, of.Name), Limit: 1, MinConfidence: table.Sure})
			if err != nil {
				return nil, err
			}
			calls := a.TotalFound
			if beginning(own) != own {
				calls *= maxListed
			}
			if a.Target != nil && calls > most && a.TotalFound < maxListed {
				best, most = &symbolIn{*a.Target, m.Language}, calls
			}
		}
	}
	return best, nil
}

// beginning returns the first word of a name.
func beginning(name string) string {
	for i, r := range name {
		if i > 2 && (unicode.IsUpper(r) || r == '_') {
			return name[:i]
		}
	}
	return name
}
