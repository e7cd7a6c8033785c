package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// holding makes a chunk of definitions that declares the symbols given as "type name, type name",
// one on every line from 10 on.
func holding(path, declared, text string) *record.Chunk {
	c := chunk(path, "", "// Lines 10-99\n"+text)
	c.ID, c.ChunkType = "code-definitions-"+path, record.Definitions
	c.Metadata.SymbolType = ""
	for i, s := range strings.Split(declared, ", ") {
		kind, name, _ := strings.Cut(s, " ")
		c.Metadata.Symbols = append(c.Metadata.Symbols, record.SymbolRef{Name: name, Type: record.Kind(kind), Line: 10 + i})
	}
	return c
}

func declarations() []*record.Chunk {
	return []*record.Chunk{
		chunk("a.go", "Provider.Config", "func (p *Provider) Config() any { return provider.Provider } // a provider"),
		chunk("b.go", "use", "provider provider provider Provider Provider provider"),
		chunk("c.go", "NewProvider", "func NewProvider() *Provider"),
		chunk("d.go", "Factory.Provider", "func (f *Factory) Provider() *Provider"),
		holding("z.go", "struct poolKey, struct Provider, constant Config, function Update",
			"type poolKey struct{}\ntype Provider struct{}\nconst Config = 1\nfunc Update(p *Provider)\n"+strings.Repeat("one two three ", 100)),
		holding("y.go", "variable configs, type Mode", "var configs = 2\ntype Mode int"),
		chunk("docs/guide.md", "provider", "Provider: what a provider is", asDocument, func(c *record.Chunk) {
			c.Metadata.SymbolName, c.Metadata.SymbolType = "Provider", record.Heading
		}),
	}
}

// hitPlaces gives the hits of an exact query as "path:symbol", best first.
func hitPlaces(t *testing.T, x *Index, q string, filter answer.Filter) string {
	t.Helper()
	r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}, Limit: -1, Filter: filter})
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	var out []string
	for _, h := range r.Results {
		place := h.Chunk.Metadata.FilePath
		if h.Symbol != nil {
			place += ":" + h.Symbol.Name
		}
		out = append(out, place)
	}
	return strings.Join(out, " ")
}

func TestDeclarationsFirst(t *testing.T) {
	x := newIndex(t, declarations())
	for _, tt := range []struct{ query, want string }{
		// The type, then the method of that name, then what only has the word in it.
		{"symbol:Provider", "z.go:Provider d.go "},
		{"Provider", "z.go:Provider d.go "},
		{"symbol:Prov*", "z.go:Provider d.go "},
		{"symbol:provdier~2", "z.go:Provider d.go "},
		{"provider.config", "a.go"},
		{"symbol:config", "z.go:Config a.go"},
		{"symbol:poolkey", "z.go:poolKey"},
		{"symbol:pool", "z.go"},
		// Two names are no phrase.
		{`symbol:"poolkey provider"`, ""},
		{"symbol:poolKey.Provider", ""},
		{"symbol_type:constant", "z.go"},
		{"symbol_type:variable OR symbol_type:type", "y.go"},
		{"Provider AND Config", "z.go:Provider a.go"},
	} {
		if got := hitPlaces(t, x, tt.query, answer.Filter{}); !strings.HasPrefix(got+" ", tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: found %q, want %q", tt.query, got, tt.want)
		}
	}
}

func TestSymbolFilters(t *testing.T) {
	x := newIndex(t, declarations())
	for _, tt := range []struct {
		filter answer.Filter
		want   string
	}{
		{answer.Filter{SymbolName: "provider"}, "z.go:Provider d.go docs/guide.md"},
		{answer.Filter{SymbolName: "provider", SymbolType: "Struct"}, "z.go:Provider"},
		{answer.Filter{SymbolName: "provider", SymbolType: "constant"}, ""},
		{answer.Filter{SymbolName: "CONF*", SymbolType: "constant"}, "z.go:Config"},
		{answer.Filter{SymbolName: "conf*"}, "a.go y.go:configs z.go:Config"},
		{answer.Filter{SymbolType: "variable"}, "y.go:configs"},
		{answer.Filter{SymbolType: "function", Path: "z.go"}, "z.go:Update"},
		{answer.Filter{SymbolName: "factory.provider"}, "d.go"},
	} {
		got := strings.Fields(hitPlaces(t, x, "text:*", tt.filter))
		for _, want := range strings.Fields(tt.want) {
			if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+want+" ") {
				t.Errorf("%+v: found %q, want %q", tt.filter, got, want)
			}
		}
		if len(got) != len(strings.Fields(tt.want)) {
			t.Errorf("%+v: found %q, want %q", tt.filter, got, tt.want)
		}
	}
	r, err := x.Search(t.Context(), answer.Request{Queries: []string{"what is a pool"}, Mode: answer.Keyword, Filter: answer.Filter{SymbolName: "poolKey"}})
	if err != nil || len(r.Results) != 1 || r.Results[0].Symbol == nil || r.Results[0].Symbol.Name != "poolKey" || r.Results[0].Highlights[0].Line != 10 {
		t.Errorf("search with a filter: %v, %+v", err, r)
	}
}

func TestHitsListFewSymbols(t *testing.T) {
	names := make([]string, 40_000)
	for i := range names {
		names[i] = "constant C" + strings.Repeat("x", i%7) + string(rune('A'+i%26))
	}
	names[30_000] = "struct Needle"
	x := newIndex(t, []*record.Chunk{holding("a.go", strings.Join(names, ", "), "Needle")})
	const maxSymbols = 10 // of a hit
	for q, want := range map[string]int{"needle": 1, "symbol:c*": maxSymbols, "path:a.go": maxSymbols} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}})
		if err != nil || len(r.Results) != 1 || len(r.Results[0].Chunk.Metadata.Symbols) != want {
			t.Errorf("%s: %v, %+v", q, err, r)
		}
	}
	if got := hitPlaces(t, x, "needle", answer.Filter{}); got != "a.go:Needle" {
		t.Errorf("found %q", got)
	}
}

func TestContinuedDeclarations(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.go", "Long", "// Long, continued\n\tLong Long Long", func(c *record.Chunk) { c.Metadata.ByteEnd = len("\tLong Long Long") }),
		chunk("b.go", "Long", "func Long() { and much more that makes it longer than the other one"),
	})
	if got := hitPlaces(t, x, "long", answer.Filter{}); got != "b.go a.go" {
		t.Errorf("found %q", got)
	}
}

// A query for names and kinds finds a definition in several parts once, besides what its further parts declare.
func TestContinuedDeclarationsCountOnce(t *testing.T) {
	piece := func(id string, first int, head string, symbols ...record.SymbolRef) *record.Chunk {
		return chunk("a.kt", "Store", head+fmt.Sprintf("\n// Lines %d-%d\nretry", first, first+5), func(c *record.Chunk) {
			c.ID, c.ChunkType = "code-definitions-a.kt"+id, record.Definitions
			m := &c.Metadata
			m.StartLine, m.EndLine, m.SymbolType, m.Symbols = first, first+5, record.Interface, symbols
		})
	}
	method := func(name string, line int) record.SymbolRef {
		return record.SymbolRef{Name: "Store." + name, Type: record.Method, Line: line}
	}
	const continued = "// interface Store, continued"
	x := newIndex(t, []*record.Chunk{
		piece("", 1, "// interface", record.SymbolRef{Name: "Store", Type: record.Interface, Line: 1}, method("getAll", 2)),
		piece("~2", 11, continued, method("getOne", 11)),
		piece("~3", 21, continued, method("put", 22)),
	})
	for query, want := range map[string]int{
		"symbol_type:interface": 1, "symbol:Store": 1, "symbol:Sto*": 1, "symbol:/sto/": 1, "symbol:stora~": 1, "symbol:Store NOT symbol:getAll": 1,
		"symbol_type:method": 3, "symbol:get": 2, "symbol:Store.put": 1, "symbol:Store retry": 3, "lang:go": 3,
	} {
		found, err := x.Find(t.Context(), answer.Request{Queries: []string{query}})
		if err != nil || found.Total() != want {
			t.Errorf("%s: %d hits, %v, want %d", query, found.Total(), err, want)
		}
	}
}

// A hit of a query for a kind shows what is of this kind, not what stands first in its chunk.
func TestHitsOfAKind(t *testing.T) {
	x := newIndex(t, []*record.Chunk{holding("a.go", "function init, struct Node, interface Env, interface Cache", "Node")})
	for query, want := range map[string]string{"symbol_type:interface": "Env Cache", "symbol_type:(interface OR struct)": "Node Env Cache", "symbol_type:interface symbol:Cache": "Cache", "path:a.go": ""} {
		r, err := x.Exact(t.Context(), answer.Request{Queries: []string{query}})
		if err != nil || len(r.Results) != 1 {
			t.Fatalf("%s: %+v, %v", query, r, err)
		}
		var got []string
		if h := r.Results[0]; h.Symbol != nil {
			for _, s := range h.Chunk.Metadata.Symbols {
				got = append(got, s.Name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}

// Of a message's key, the original text and the uses come before the translations, which declare it as well.
func TestTranslationsComeLast(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		holding("_locales/de/messages.yml", "constant msgBroken", "msgBroken: kaputt"), holding("locale/fr.yml", "constant msgBroken", "msgBroken: cassé"),
		holding("_locales/en/messages.yml", "constant msgBroken", "msgBroken: broken"), chunk("src/app.js", "load", "if (!ok) throw i18n('msgBroken'); // and some more words that make this text longer"),
	})
	const want = "_locales/en/messages.yml:msgBroken src/app.js _locales/de/messages.yml:msgBroken locale/fr.yml:msgBroken"
	if got := hitPlaces(t, x, "msgBroken", answer.Filter{}); got != want {
		t.Errorf("got %s", got)
	}
}

// A question for a name, or for its class, begins with the type, not with a constructor or a further part of the type
// that has more of the word.
func TestTypeBeforeItsConstructor(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.cpp", "Parser.Parser", "Parser::Parser(Parser* parser) { parser->parse(); parser->close(); }"),
		chunk("b.h", "Parser", "// class Parser, continued\n\tParser* parser; Parser* parser; Parser* parser;", func(c *record.Chunk) {
			c.ID, c.ChunkType, c.Metadata.SymbolType, c.Metadata.Language = "code-definitions-b.h~2", record.Definitions, "class", "cpp"
		}),
		holding("c.h", "class Parser, class Lexer", "class Parser { int state; };\nclass Lexer {\n"+strings.Repeat("int one two three;\n", 20)+"};"),
		chunk("d.cpp", "use", "the class of a parser is a class: class Parser"),
	})
	for _, question := range []string{"Parser", "Parser class", "the class Parser", "where is Parser defined?"} {
		if r := lexical(t, x, answer.Request{Queries: []string{question}}); r.Results[0].Chunk.Metadata.FilePath != "c.h" {
			t.Errorf("%s: %s", question, r.Results[0].Chunk.ID)
		}
	}
}

// Nothing declares the name of an inherited member with the type that inherits it.
func TestInheritedMember(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.py", "Circle.area", "def area(self): # draw a circle: Circle, Circle, draw"),
		holding("b.py", "class Circle, class Line", "class Circle(Shape):\n    pass\nclass Line:\n    pass"),
		holding("e.py", "class Square, class Oval", "class Square:\n    pass\nclass Oval:\n    pass\n"+strings.Repeat("one two three ", 30)),
		chunk("c.py", "Shape.draw", "def draw(self): "+strings.Repeat("one two three ", 30)),
		chunk("d.py", "Card.draw", "def draw(self): circle"),
	})
	// Square names no base, so every member draw may be meant.
	for question, want := range map[string][]string{"Circle.draw": {"c.py"}, "the method Circle.draw": {"c.py"}, "Square.draw": {"e.py", "d.py", "c.py"}, "circles.area": {"a.py"}} {
		r := lexical(t, x, answer.Request{Queries: []string{question}})
		for i, path := range want {
			if got := r.Results[i].Chunk.Metadata.FilePath; got != path {
				t.Errorf("%s: hit %d is %s, want %s", question, i, got, path)
			}
		}
	}
}

// Of names that differ in case alone, the one that was typed comes first.
func TestNameInItsCaseComesFirst(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("a.go", "flushAll", "func flushAll() { write(buffer) }"),
		chunk("b.go", "FlushAll", "func FlushAll() { write(buffer) }"),
		chunk("c.go", "other", "func other() { put(1) }"),
	})
	for question, want := range map[string]string{"flushAll": "a.go", "FlushAll": "b.go"} {
		if r := lexical(t, x, answer.Request{Queries: []string{question}}); r.Results[0].Chunk.Metadata.FilePath != want {
			t.Errorf("%s: hits %q", question, ids(r))
		}
	}
}

// The title of a test is a sentence and declares no name: uses in code come first.
func TestTitlesOfTestsDeclareNothing(t *testing.T) {
	title := func(name string) *record.Chunk {
		return chunk("test/mail.bats", name, "@test \""+name+"\" {\n\trun mail\n}", func(c *record.Chunk) { c.Tags = []string{"code", "bash", "test"} })
	}
	x := newIndex(t, []*record.Chunk{
		title("delay: DELETE_DELAY is heeded"), title("should heed DELETE_DELAY"),
		chunk("bin/wipe.sh", "wipe", "wipe() {\n\tfind . -mtime \"$DELETE_DELAY\" -delete\n\tlog 'wiped all of the mails in this folder that nobody wants to read any more'\n}"),
	})
	r, err := x.Exact(t.Context(), answer.Request{Queries: []string{"DELETE_DELAY"}})
	if err != nil || len(r.Results) != 3 || r.Results[0].Chunk.Metadata.FilePath != "bin/wipe.sh" {
		t.Errorf("%q, %v", ids(r), err)
	}
}

// Every page and file of settings declares a setting. The best use in code comes before the third of them; a match with
// a part of a word, and one in test code, do not.
func TestUseInCodeBeforeTheThirdText(t *testing.T) {
	page := func(n int) *record.Chunk {
		return section(fmt.Sprintf("docs/%d.md", n), "#settings", 3, "| `MAX_DELAY` | the longest pause |", func(c *record.Chunk) {
			c.Metadata.Symbols = []record.SymbolRef{{Name: "MAX_DELAY", Type: record.Key, Line: 3}}
		})
	}
	file := settings("deploy.yml", 3, "MAX_DELAY: 7", "MAX_DELAY")
	file.Metadata.Language = "yaml"
	texts := []*record.Chunk{page(1), page(2), page(3), file}
	for _, tt := range []struct {
		code *record.Chunk
		want int
	}{
		{chunk("lib/retry.go", "retry", "func retry() {\n\tpause(env(\"MAX_DELAY\"))\n}"), 2},
		{chunk("lib/retry.go", "retry", "func retry() {\n\tpause(env(\"MAX_DELAY_OF_JOBS\"))\n}"), 4},
		{chunk("lib/retry_test.go", "retry", "func retry() {\n\tpause(env(\"MAX_DELAY\"))\n}", func(c *record.Chunk) { c.Tags = append(c.Tags, record.TagTest) }), 4},
	} {
		r, err := newIndex(t, append(slices.Clone(texts), tt.code)).Exact(t.Context(), answer.Request{Queries: []string{"MAX_DELAY"}})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(r.Results, func(h answer.Hit) bool { return h.Chunk.ID == tt.code.ID })
		if at != tt.want && !(tt.want == 4 && at < 0) {
			t.Errorf("%s: %d of %q", tt.code.Text, at, ids(r))
		}
	}
}
