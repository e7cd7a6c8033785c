package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/rank"
	"cortex/lib/search/render/brief"
)

// section makes a chunk of a document; id is what stands behind doc-PATH.
func section(path, id string, line int, text string, change ...func(*record.Chunk)) *record.Chunk {
	crumb := "> " + path + strings.ReplaceAll(strings.ReplaceAll(id, "#", " › "), "/", " › ")
	c := &record.Chunk{
		ID: "doc-" + record.IDPath(path) + id, ChunkType: record.Documentation, Title: crumb[2:], Text: strings.TrimRight(crumb+"\n\n"+text, "\n"),
		Tags: []string{"doc", "markdown", "documentation"},
		Metadata: record.Metadata{Source: "doc", FilePath: path, Language: "markdown",
			StartLine: line, EndLine: line + strings.Count(text, "\n"), ByteStart: 100 * line, ByteEnd: 100*line + len(text)},
	}
	for _, f := range change {
		f(c)
	}
	return c
}

func guide() []*record.Chunk {
	return []*record.Chunk{
		section("docs/guide.md", "", 1, ""),
		section("docs/guide.md", "#storage", 3, ""),
		section("docs/guide.md", "#storage/disk", 5, "Records are kept on disk until compaction.\nThen they go."),
		section("docs/guide.md", "#storage/memory", 20, "Records are kept in memory until compaction."),
		section("docs/guide.md", "#storage/remote", 22, "Nothing to say of this."),
		section("docs/guide.md", "#network", 40, "Packets and ports."),
		section("docs/guide.md", "#network/ports", 42, "Which ports are open, and the compaction of tables."),
		section("docs/other.md", "", 1, ""),
		section("docs/other.md", "#storage", 3, "Elsewhere records are thrown away by compaction."),
	}
}

// lexical answers by words alone.
func lexical(t *testing.T, x *Index, req answer.Request) *answer.Response {
	t.Helper()
	req.Mode = answer.Keyword
	r, err := x.Search(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	checkResponse(t, r)
	return r
}

func hitOf(r *answer.Response, id string) *answer.Hit {
	for i := range r.Results {
		if r.Results[i].Chunk.ID == id {
			return &r.Results[i]
		}
	}
	return nil
}

func ids(r *answer.Response) []string {
	var list []string
	for _, h := range r.Results {
		list = append(list, h.Chunk.ID)
	}
	return list
}

func TestSectionsBecomeTheirParent(t *testing.T) {
	without := rank.DefaultMerging()
	without.MaxDepth = 0
	ask := answer.Request{Queries: []string{"records kept until compaction"}}
	plain := lexical(t, indexWith(t, guide(), Settings{Merging: &without}), ask)
	r := lexical(t, newIndex(t, guide()), ask)
	h := hitOf(r, "doc-docs/guide.md#storage")
	if h == nil {
		t.Fatalf("no hit of the parent: %q", ids(r))
	}
	best := hitOf(plain, "doc-docs/guide.md#storage/disk")
	if best == nil || hitOf(plain, "doc-docs/guide.md#storage/memory") == nil {
		t.Fatalf("without merging: %q", ids(plain))
	}
	if other := hitOf(plain, "doc-docs/guide.md#storage/memory"); other.Score > best.Score {
		best = other
	}
	if h.Score <= best.Score {
		t.Errorf("score %g, its best section has %g", h.Score, best.Score)
	}
	for _, gone := range []string{"#storage/disk", "#storage/memory"} {
		if hitOf(r, "doc-docs/guide.md"+gone) != nil {
			t.Errorf("%s is still a hit of its own", gone)
		}
	}
	if got, want := fmt.Sprint(h.Parts), "[{doc-docs/guide.md#storage/disk docs/guide.md › storage › disk 5 6} {doc-docs/guide.md#storage/memory docs/guide.md › storage › memory 20 20}]"; got != want {
		t.Errorf("parts %s, want %s", got, want)
	}
	if got := fmt.Sprint(h.Ranges); got != "[[5 6] [20 20]]" {
		t.Errorf("ranges %s", got)
	}
	if m := h.Chunk.Metadata; m.StartLine != 5 || m.EndLine != 20 || m.ByteStart != 500 || m.ByteEnd < 2000 {
		t.Errorf("lines %d-%d, bytes %d-%d", m.StartLine, m.EndLine, m.ByteStart, m.ByteEnd)
	}
	if disk, memory := strings.Index(h.Chunk.Text, "on disk"), strings.Index(h.Chunk.Text, "in memory"); disk < 0 || memory < disk {
		t.Errorf("text %q", h.Chunk.Text)
	}
	if len(h.Highlights) < 2 || h.Highlights[0].Line != 5 || h.Highlights[1].Line != 20 || !strings.Contains(h.Highlights[1].Text, "<mark>compaction</mark>") {
		t.Errorf("highlights %+v", h.Highlights)
	}
	// Never across documents.
	if hitOf(r, "doc-docs/other.md#storage") == nil && hitOf(r, "doc-docs/other.md") == nil {
		t.Errorf("the other document is gone: %q", ids(r))
	}
	if h := hitOf(r, "doc-docs/guide.md"); h != nil && len(h.Parts) < 3 {
		t.Errorf("the document takes the place of %v", h.Parts)
	}
}

func TestSectionMergesWhereTheParentMatchesToo(t *testing.T) {
	x := newIndex(t, guide())
	r := lexical(t, x, answer.Request{Queries: []string{"network ports open"}})
	h := hitOf(r, "doc-docs/guide.md#network")
	if h == nil || len(h.Parts) != 2 || h.Parts[1].ID != "doc-docs/guide.md#network/ports" {
		t.Fatalf("got %q, %+v", ids(r), h)
	}
	// A single section of a parent that the question does not name stays.
	r = lexical(t, x, answer.Request{Queries: []string{"packets"}})
	if hitOf(r, "doc-docs/guide.md#network") == nil || len(r.Results[0].Parts) > 0 {
		t.Errorf("got %q", ids(r))
	}
	// The name of the document counts as its title does.
	x = newIndex(t, append(guide(), section("docs/notes.md", "", 1, "Of packets."), section("docs/notes.md", "#more", 3, "More of packets.")))
	r = lexical(t, x, answer.Request{Queries: []string{"notes packets"}})
	if h := hitOf(r, "doc-docs/notes.md"); h == nil || len(h.Parts) != 2 || h.Parts[1].ID != "doc-docs/notes.md#more" {
		t.Errorf("got %q, %+v", ids(r), h)
	}
}

// TestNamedDocumentIsOneHit asks for a document by its title, its name, or that of its folder, and for what is in
// sections of several levels.
func TestNamedDocumentIsOneHit(t *testing.T) {
	titled := func(c *record.Chunk) {
		if c.Metadata.FilePath == "docs/web.md" {
			c.Title = strings.Replace(c.Title, "docs/web.md", "Blue kettles", 1)
			c.Text = strings.Replace(c.Text, "docs/web.md", "Blue kettles", 1)
		}
	}
	chunks := func() []*record.Chunk {
		var list []*record.Chunk
		for _, path := range []string{"docs/web.md", "docs/lifecycle.rst", "blueprints/index.md", "docs/red#teapots.md"} {
			list = append(list, section(path, "", 1, "", titled),
				section(path, "#cookies", 3, "What expires when the browser closes.", titled),
				section(path, "#expiry", 10, "", titled),
				section(path, "#expiry/timeouts", 12, "What expires when time is over.", titled),
				section(path, "#expiry/timeouts/detail", 20, "What expires when nobody looks.", titled))
		}
		return append(list, section("notes.md", "", 1, ""), section("notes.md", "#one", 3, "What expires is gone."))
	}
	parts := func(h *answer.Hit) string {
		if h == nil {
			return ""
		}
		var list []string
		for _, p := range h.Parts {
			list = append(list, p.ID[strings.LastIndex(p.ID, "#"):])
		}
		return strings.Join(list, " ")
	}
	x := newIndex(t, chunks())
	for question, want := range map[string]string{
		"what expires in blue kettles":  "docs/web.md",
		"what expires in the lifecycle": "docs/lifecycle.rst",
		"when do blueprints expire":     "blueprints/index.md",
		"what expires in red teapots":   "docs/red#teapots.md",
		"what expires in kettles":       "",
		"what expires":                  "",
	} {
		r := lexical(t, x, answer.Request{Queries: []string{question}, Filter: answer.Filter{Path: want}})
		for _, path := range []string{"docs/web.md", "docs/lifecycle.rst", "blueprints/index.md", "docs/red#teapots.md"} {
			got, wanted := parts(hitOf(r, "doc-"+record.IDPath(path))), ""
			if path == want {
				wanted = "#cookies #expiry/timeouts"
			}
			if got != wanted {
				t.Errorf("%s: parts of %s are %q, want %q; %q", question, path, got, wanted, ids(r))
			}
		}
		// Sections deeper than search.max_merge_depth stay.
		if want != "" && hitOf(r, "doc-"+record.IDPath(want)+"#expiry/timeouts/detail") == nil {
			t.Errorf("%s: %q", question, ids(r))
		}
	}
	never := rank.DefaultMerging()
	never.MaxDepth = 0
	if r := lexical(t, indexWith(t, chunks(), Settings{Merging: &never}), answer.Request{Queries: []string{"what expires in blue kettles"}}); hitOf(r, "doc-docs/web.md") != nil && len(hitOf(r, "doc-docs/web.md").Parts) > 0 {
		t.Errorf("merged: %q", ids(r))
	}
}

func TestSectionsFarFromEachOtherStay(t *testing.T) {
	for line, merged := range map[int]bool{60: true, 900: false} {
		x := newIndex(t, []*record.Chunk{
			section("docs/kettles.md", "", 1, ""),
			section("docs/kettles.md", "#water", 3, "What boils over."),
			section("docs/kettles.md", "#tea", line, "What boils in tea."),
			section("notes.md", "", 1, ""), section("notes.md", "#one", 3, "What boils is hot."),
		})
		r := lexical(t, x, answer.Request{Queries: []string{"what boils in kettles"}})
		if h := hitOf(r, "doc-docs/kettles.md"); (h != nil && len(h.Parts) == 2) != merged || (hitOf(r, "doc-docs/kettles.md#tea") == nil) != merged {
			t.Errorf("sections %d lines from each other: %q", line-3, ids(r))
		}
	}
}

// TestMergeOfOneSectionIsThatSection asks in the words of a document's name for one of its sections.
func TestMergeOfOneSectionIsThatSection(t *testing.T) {
	r := lexical(t, newIndex(t, guide()), answer.Request{Queries: []string{"other compaction elsewhere"}})
	if h := r.Results[0]; h.Chunk.ID != "doc-docs/other.md#storage" || h.Chunk.Title != "docs/other.md › storage" || h.Chunk.Metadata.StartLine != 3 || len(h.Parts) > 0 {
		t.Errorf("got %s %q line %d, parts %v", h.Chunk.ID, h.Chunk.Title, h.Chunk.Metadata.StartLine, h.Parts)
	}
	if hitOf(r, "doc-docs/other.md") != nil {
		t.Errorf("the heading alone is a hit: %q", ids(r))
	}
}

// TestDocumentOutlineCounts checks that the names of a document's sections count as its outline, as symbols do for a
// file of code.
func TestDocumentOutlineCounts(t *testing.T) {
	root := section("docs/a.md", "", 1, "", func(c *record.Chunk) { c.Text = "> A\n\ndocs/a.md\n\nSessions · Cookies" })
	r := lexical(t, newIndex(t, []*record.Chunk{root, section("docs/a.md", "#cookies", 3, "Each of the cookies is signed.")}),
		answer.Request{Queries: []string{"signed sessions and cookies"}, Explain: true})
	if got := ids(r); !slices.Equal(got, []string{"doc-docs/a.md#cookies"}) {
		t.Fatalf("got %q", got)
	}
	if !slices.ContainsFunc(r.Results[0].Reasons, func(r answer.Reason) bool { return r.Signal == rank.Outline.String() }) {
		t.Errorf("reasons %+v", r.Results[0].Reasons)
	}
}

// TestExplanationsStandInDocumentation asks questions that a document may answer as well as code, and questions for
// code.
func TestExplanationsStandInDocumentation(t *testing.T) {
	x := newIndex(t, guide())
	for question, behind := range map[string]bool{
		"how do ports work?": false, "What is compaction of tables": false, "why compaction of tables": false, "how do I open ports": false, "how to open ports": false,
		"what does compaction do": false, "difference between ports and packets": false, "which option opens ports": false, "can I open ports": false,
		"ports work": true, "how ports are opened": true, "what opens ports": true, "why?": true, "how does compaction of tables end": true, "which ports are open": true,
	} {
		r := lexical(t, x, answer.Request{Queries: []string{question + " "}, Explain: true})
		for _, h := range r.Results {
			if got := slices.ContainsFunc(h.Reasons, func(r answer.Reason) bool { return r.Signal == rank.Prose.String() && r.Gain < 0 }); got != behind {
				t.Errorf("%q: %s is put behind code: %t", question, h.Chunk.ID, got)
			}
		}
	}
}

// TestDocumentationThatHasTheQuestion asks for what a section says in full and code in part, and for a name that code
// declares.
func TestDocumentationThatHasTheQuestion(t *testing.T) {
	chunks := append(guide(), chunk("net/ports.go", "openPorts", "func openPorts() { listen(ports) }"))
	x := newIndex(t, chunks)
	for question, favoured := range map[string]bool{"compaction of tables with open ports": true, "listen to ports": false, "openPorts": false} {
		r := lexical(t, x, answer.Request{Queries: []string{question}, Explain: true})
		h := hitOf(r, "doc-docs/guide.md#network/ports")
		if h == nil {
			t.Fatalf("%q: %q", question, ids(r))
		}
		if got := slices.ContainsFunc(h.Reasons, func(r answer.Reason) bool { return r.Signal == rank.Prose.String() && r.Gain > 0 }); got != favoured {
			t.Errorf("%q: favoured: %t; %+v", question, got, h.Reasons)
		}
	}
}

// TestSectionsFoundAlike has one section with a much lower score than the others.
func TestSectionsFoundAlike(t *testing.T) {
	chunks := append(guide(), section("docs/plain.md", "", 1, ""),
		section("docs/plain.md", "#a", 3, "Compression of snapshots, levels of compression, snapshots that resist."),
		section("docs/plain.md", "#b", 30, strings.Repeat("Much else is of no interest to who asks, such as the weather of the day. ", 20)+"One of the levels."))
	r := lexical(t, newIndex(t, chunks), answer.Request{Queries: []string{"compression of snapshots at several levels"}})
	if got := ids(r); got[0] != "doc-docs/plain.md#a" || !slices.Contains(got, "doc-docs/plain.md#b") {
		t.Errorf("got %q", got)
	}
}

func TestMergingIsBounded(t *testing.T) {
	chunks := []*record.Chunk{section("a.md", "", 1, "")}
	path := ""
	for depth, name := range []string{"one", "two", "three", "four"} {
		path += strings.Repeat("#", min(1, 1-min(depth, 1))) + strings.Repeat("/", min(depth, 1)) + name
		chunks = append(chunks, section("a.md", path, 2+depth, ""))
	}
	for i := range 3 {
		chunks = append(chunks, section("a.md", fmt.Sprintf("%s/leaf%d", path, i), 10+i, "needle in hay"))
	}
	// A merge of one section would be that section.
	sibling := section("a.md", "#one/two/three/five", 20, "needle in some more hay")
	for depth, want := range []string{"doc-a.md#one/two/three/four/leaf0", "doc-a.md#one/two/three/four", "doc-a.md#one/two/three"} {
		settings := rank.DefaultMerging()
		settings.MaxDepth = depth
		settings.Threshold = 1
		if r := lexical(t, indexWith(t, clones(append(slices.Clip(chunks), sibling)), Settings{Merging: &settings}), answer.Request{Queries: []string{"needle"}}); r.Results[0].Chunk.ID != want {
			t.Errorf("depth %d: got %q, want %s", depth, ids(r), want)
		}
	}
	settings := rank.DefaultMerging()
	settings.Threshold = 4
	if r := lexical(t, indexWith(t, clones(chunks), Settings{Merging: &settings}), answer.Request{Queries: []string{"needle"}}); len(r.Results) != 3 {
		t.Errorf("three sections merged with a threshold of four: %q", ids(r))
	}
	// A filter admits the parent or it does not appear.
	tagged := clones(chunks)
	for _, c := range tagged[5:] {
		c.Tags = append(slices.Clone(c.Tags), "leaf")
	}
	if r := lexical(t, newIndex(t, tagged), answer.Request{Queries: []string{"needle"}, Filter: answer.Filter{Tags: []string{"leaf"}}}); len(r.Results) != 3 {
		t.Errorf("a parent without the tag: %q", ids(r))
	}
}

func clones(chunks []*record.Chunk) []*record.Chunk {
	var list []*record.Chunk
	for _, c := range chunks {
		own := *c
		list = append(list, &own)
	}
	return list
}

// TestCodeStaysAboveMergedSections has code with a score above that of each section and below that of the parent with
// its bonus.
func TestCodeStaysAboveMergedSections(t *testing.T) {
	settings := rank.DefaultMerging()
	settings.Bonus = 1
	chunks := append(guide(), chunk("src/compact.go", "Compact", "func Compact() { records kept until compaction }"))
	r := lexical(t, indexWith(t, chunks, Settings{Merging: &settings}), answer.Request{Queries: []string{"records kept until compaction"}})
	if got := ids(r); got[0] != "code-impl-src/compact.go#Compact" || got[1] != "doc-docs/guide.md#storage" {
		t.Errorf("got %q", got)
	}
}

func TestTopicsJoinNeighbours(t *testing.T) {
	at := func(start, end int) func(*record.Chunk) {
		return func(c *record.Chunk) { c.Metadata.StartLine, c.Metadata.EndLine = start, end }
	}
	chunks := []*record.Chunk{
		chunk("a.go", "Alpha", "func Alpha() {\n\talpha()\n}", at(10, 12)),
		chunk("a.go", "Beta", "func Beta() {\n\tbeta()\n}", at(14, 16)),
		chunk("a.go", "Gamma", "func Gamma() {\n\tgamma()\n}", at(300, 302)),
		chunk("b.go", "Delta", "func Delta() {\n\talpha()\n}", at(17, 19)),
		// Together, these have more than 200 lines.
		chunk("c.go", "Eta", "func Eta() {\n\talpha()"+strings.Repeat("\n", 120)+"}", at(1, 122)),
		chunk("c.go", "Theta", "func Theta() {\n\tbeta()"+strings.Repeat("\n", 120)+"}", at(123, 244)),
	}
	x := newIndex(t, chunks)
	r := lexical(t, x, answer.Request{Queries: []string{"alpha", "beta", "gamma"}})
	var joined *answer.Hit
	for i := range r.Results {
		if len(r.Results[i].Parts) > 0 {
			if joined != nil {
				t.Fatalf("two joined hits: %q", ids(r))
			}
			joined = &r.Results[i]
		}
	}
	if joined == nil || len(r.Results) != 5 {
		t.Fatalf("got %q", ids(r))
	}
	if m := joined.Chunk.Metadata; m.StartLine != 10 || m.EndLine != 16 || fmt.Sprint(joined.Ranges) != "[[10 12] [14 16]]" {
		t.Errorf("lines %d-%d, ranges %v", m.StartLine, m.EndLine, joined.Ranges)
	}
	if !strings.Contains(joined.Chunk.Text, "alpha()") || !strings.Contains(joined.Chunk.Text, "beta()") {
		t.Errorf("text %q", joined.Chunk.Text)
	}
	one := lexical(t, x, answer.Request{Queries: []string{"alpha beta gamma"}})
	if len(one.Results) != 6 {
		t.Errorf("one topic: %q", ids(one))
	}
}

func TestOutlineGivesWayToCode(t *testing.T) {
	outline := chunk("a.go", "", "a.go: a\n1 function:\n  Alpha, lines 10-12", func(c *record.Chunk) {
		c.ID, c.ChunkType, c.Tags = "code-symbols-a.go", record.Symbols, []string{"code", "go", "symbols"}
		c.Metadata.SymbolName = ""
	})
	lonely := chunk("lonely.go", "", "lonely.go: lonely\n1 function:\n  Alpha, lines 10-12", func(c *record.Chunk) {
		c.ID, c.ChunkType = "code-symbols-lonely.go", record.Symbols
		c.Metadata.SymbolName = ""
	})
	x := newIndex(t, []*record.Chunk{outline, lonely, chunk("a.go", "Alpha", "func Alpha() { one }")})
	ask := answer.Request{Queries: []string{"alpha lines"}}
	if got := ids(lexical(t, x, ask)); !slices.Contains(got, "code-symbols-lonely.go") || slices.Contains(got, "code-symbols-a.go") || len(got) != 2 {
		t.Errorf("got %q", got)
	}
	ask.Filter.ChunkTypes = []string{"symbols", "implementations"}
	if got := ids(lexical(t, x, ask)); len(got) != 3 {
		t.Errorf("outlines asked for: got %q", got)
	}
}

func TestOwnTreeFirst(t *testing.T) {
	in := func(tree string) func(*record.Chunk) {
		return func(c *record.Chunk) {
			c.Metadata.Tree = tree
			c.Metadata.FilePath = record.TreePath(tree, c.Metadata.FilePath)
			c.ID = "code-impl-" + c.Metadata.FilePath + "#" + c.Metadata.SymbolName
		}
	}
	chunks := func() []*record.Chunk {
		return []*record.Chunk{
			chunk("b/queue.go", "queue", "func queue() { drain it slowly and surely, then again from the start }"),
			chunk("b/queue.go", "queue", "func queue() { drain the queue, queue, queue }", in("other")),
		}
	}
	other := "code-impl-other:b/queue.go#queue"
	settings := rank.DefaultMerging()
	settings.LocalBoost = 0 // has no say where there is one tree
	alone := indexWith(t, []*record.Chunk{chunk("a.go", "a", "func a() { drain it slowly and surely, then again from the start }"), chunk("b.go", "drain", "func drain() { drain }")}, Settings{Merging: &settings})
	if r, err := alone.Exact(t.Context(), answer.Request{Queries: []string{"drain"}}); err != nil || len(r.Results) != 2 || r.Results[0].Chunk.Metadata.FilePath != "b.go" || r.Results[1].Score == 1 {
		t.Errorf("one tree with a boost of 0: %+v, %v", r, err)
	}
	for boost, first := range map[float64]string{1: other, 1.5: "code-impl-b/queue.go#queue", 0.5: other} {
		settings.LocalBoost = boost
		r := lexical(t, indexWith(t, chunks(), Settings{Merging: &settings}), answer.Request{Queries: []string{"drain the queue"}})
		if r.Results[0].Chunk.ID != first || len(r.Results) != 2 {
			t.Errorf("boost %g: got %q, want %s first", boost, ids(r), first)
		}
		// In exact search too. The other tree says it three times.
		for _, x := range []*Index{indexWith(t, chunks(), Settings{Merging: &settings}), shardsWith(t, chunks(), Settings{Merging: &settings})} {
			for _, q := range []string{"queue", "drain queue"} {
				r, err := x.Exact(t.Context(), answer.Request{Queries: []string{q}})
				if err != nil {
					t.Fatal(err)
				}
				if r.Results[0].Chunk.ID != first || len(r.Results) != 2 || r.Results[0].Score != 1 {
					t.Errorf("boost %g, exact %s: got %q, want %s first", boost, q, ids(r), first)
				}
			}
		}
	}
}

// Parts of one definition are one hit, where the best of them stands; pieces of text that declare nothing stay apart,
// and so do declarations of one name with other code between them.
func TestPartsOfADefinitionAreOneHit(t *testing.T) {
	part := func(id, symbol string, line int, text string) *record.Chunk {
		return chunk("a.go", symbol, text, func(c *record.Chunk) {
			c.ID = "code-impl-" + id
			c.Metadata.StartLine, c.Metadata.EndLine = line, line+strings.Count(text, "\n")
		})
	}
	x := newIndex(t, []*record.Chunk{
		part("a.go#Walk", "Walk", 1, "func Walk() {\n\tfolders folders"),
		part("a.go#Walk~2", "Walk", 3, "\tfolders links links\n\tmore"),
		part("a.go#Walk~3", "Walk", 5, "\tlinks\n}"),
		part("a.go#Other", "Other", 9, "func Other() { links }"),
		part("c.go#Scan", "Scan", 1, "func Scan() { folders }"),
		part("c.go#Scan~2", "Scan", 40, "func Scan(all bool) { links }"),
		part("b.txt", "", 1, "links and folders"),
		part("b.txt~2", "", 30, "folders and links"),
	})
	r := lexical(t, x, answer.Request{Queries: []string{"folders links"}})
	if len(r.Results) != 6 || r.TotalFound != 6 {
		t.Fatalf("%d hits of %d: %q", len(r.Results), r.TotalFound, ids(r))
	}
	for _, h := range r.Results {
		if h.Chunk.Metadata.SymbolName == "Walk" && (len(h.Parts) != 3 || h.Chunk.Metadata.StartLine != 1 || h.Chunk.Metadata.EndLine != 6 || len(h.Ranges) != 1) {
			t.Errorf("parts %+v, ranges %v", h.Parts, h.Ranges)
		}
	}
}

// A definition is one hit whatever parts of it are found, unless it is long: then only parts that touch are joined.
func TestDefinitionIsWhole(t *testing.T) {
	for _, c := range []struct {
		gap   int // the lines of the part in the middle
		hits  int
		parts int
	}{{10, 1, 3}, {200, 2, 0}} {
		part := func(id string, line int, text string) *record.Chunk {
			return chunk("a.go", "Zyx", text, func(c *record.Chunk) {
				c.ID = "code-impl-a.go#Zyx" + id
				c.Metadata.StartLine, c.Metadata.EndLine = line, line+strings.Count(text, "\n")
			})
		}
		x := newIndex(t, []*record.Chunk{
			part("", 1, "func Zyx() {\n\tfolders"),
			part("~2", 3, strings.Repeat("\tother\n", c.gap-1)+"\tother"),
			part("~3", 3+c.gap, "\tfolders\n}"),
		})
		r := lexical(t, x, answer.Request{Queries: []string{"folders of projects"}})
		if len(r.Results) != c.hits || len(r.Results[0].Parts) != c.parts {
			t.Errorf("%d lines between: %d hits, %d parts; %q", c.gap, len(r.Results), len(r.Results[0].Parts), ids(r))
		}
	}
}

// A place that has the identifier which a question names counts more for it, as long as few have it.
func TestIdentifierInQuestionCounts(t *testing.T) {
	for _, c := range []struct {
		question string
		uses     int
		counts   bool
	}{
		{"how long does DOWNLOAD_DELAY make it wait", 1, true},
		{"how long does `Settings.downloadDelay` make it wait", 1, true},
		{"how long does the download delay make it wait", 1, false},
		{"how long does DOWNLOAD_DELAY make it wait", 500, false},
	} {
		var chunks []*record.Chunk
		for i := range c.uses {
			name := fmt.Sprintf("wait%d", i)
			chunks = append(chunks, chunk(name+".go", name, fmt.Sprintf("func %s() { sleep(DOWNLOAD_DELAY, downloadDelay, %d, %d) }", name, i, i*i)))
		}
		chunks = append(chunks, chunk("download.go", "delay", "func delay() { wait(download, long) }"))
		r := lexical(t, newIndex(t, chunks), answer.Request{Queries: []string{c.question}, Explain: true, Filter: answer.Filter{Path: "wait*"}})
		is := func(reason answer.Reason) bool { return reason.Signal == rank.Mentioned.String() && reason.Gain > 0 }
		if len(r.Results) == 0 || slices.ContainsFunc(r.Results[0].Reasons, is) != c.counts {
			t.Errorf("%s, %d uses: %+v", c.question, c.uses, r.Results[0].Reasons)
		}
	}
}

// A definition with its body comes before a list of what its file declares, and a file whose best place is such a list
// keeps its place among others.
func TestDefinitionsComeBeforeListings(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("queue.go", "Queue", "type Queue struct{}\n// drain empties the queue\nfunc (q *Queue) drain()\n// empty the queue, drain the queue", func(c *record.Chunk) {
			c.ID, c.ChunkType = "code-definitions-queue.go", record.Definitions
			c.Metadata.Symbols = []record.SymbolRef{{Name: "Queue", Type: record.Struct, Line: 1}, {Name: "Queue.drain", Type: record.Method, Line: 2}}
		}),
		chunk("queue.go", "Queue.drain", "// drain empties the queue until nothing is left of what was put there\nfunc (q *Queue) drain() {\n\tfor q.next() {\n\t}\n}"),
		chunk("other.go", "fill", "func fill() { put(1) }"),
	})
	r := lexical(t, x, answer.Request{Queries: []string{"drain and empty the queue"}})
	if got := ids(r); len(got) < 2 || got[0] != "code-impl-queue.go#Queue.drain" || got[1] != "code-definitions-queue.go" {
		t.Errorf("hits %q", got)
	}
}

// Of the types that a question may ask for, the one with its name comes first.
func TestTypeNamedByWordsComesFirst(t *testing.T) {
	declared := func(file, name, text string) *record.Chunk {
		return chunk(file, name, text, func(c *record.Chunk) {
			c.ID, c.ChunkType, c.Metadata.SymbolType = "code-definitions-"+file+"#"+name, record.Definitions, record.Struct
		})
	}
	x := newIndex(t, []*record.Chunk{
		declared("log.h", "entry", "/* what is logged of a client: a struct, a client, a request of a client */ struct entry { int client; };"),
		declared("server.h", "client", "struct client { int id; int flags; int port; int state; int depth; int one; int two; int three; };"),
		chunk("c.c", "use", "void use() { put(1); }"),
	})
	if r := lexical(t, x, answer.Request{Queries: []string{"the struct of a client"}}); r.Results[0].Chunk.Metadata.FilePath != "server.h" {
		t.Errorf("hits %q", ids(r))
	}
}

// The parts of a type are one hit. Numbered chunks, which hold signatures of several functions, stay apart.
func TestPartsOfATypeAreOneHit(t *testing.T) {
	part := func(id, text string, first, last int) *record.Chunk {
		return chunk("socket.kt", "Socket", text, func(c *record.Chunk) {
			c.ID, c.ChunkType, c.Metadata.SymbolType = id, record.Definitions, record.Interface
			c.Metadata.StartLine, c.Metadata.EndLine = first, last
		})
	}
	for name, want := range map[string]int{"code-definitions-socket.kt#Socket": 1, "code-definitions-socket.kt": 2} {
		x := newIndex(t, []*record.Chunk{
			part(name, "// Lines 1-20\n// the states of a socket\ninterface Socket {", 1, 20),
			part(name+"~2", "// interface Socket, continued\n// Lines 21-30\n// closes the socket in all states\nfun close()", 21, 30),
		})
		r := lexical(t, x, answer.Request{Queries: []string{"socket states"}})
		if len(r.Results) != want || want == 1 && (r.Results[0].Chunk.Metadata.StartLine != 1 || r.Results[0].Chunk.Metadata.EndLine != 30) {
			t.Errorf("%s: hits %q", name, ids(r))
		}
	}
}

// A question about a value is answered by the constant, one about what is done by the function that uses it.
func TestValuesComeFirstWhereTheyAreAskedFor(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("queue.go", "maxRetries", "// maxRetries bounds how many times a job is retried\nconst maxRetries = 5", func(c *record.Chunk) {
			c.ID, c.ChunkType = "code-data-queue.go#maxRetries", record.Data
		}),
		chunk("queue.go", "Queue.retry", "// retry runs a job again, many times if it fails\nfunc (q *Queue) retry(job Job) {\n\tfor times := range maxRetries {\n\t\tjob.retried = times\n\t}\n}"),
		chunk("other.go", "fill", "func fill() { put(1) }"),
	})
	for question, want := range map[string]string{
		"how many times is a job retried": "code-data-queue.go#maxRetries",
		"a job is retried many times":     "code-impl-queue.go#Queue.retry",
	} {
		if got := ids(lexical(t, x, answer.Request{Queries: []string{question}})); len(got) < 2 || got[0] != want {
			t.Errorf("%s: hits %q", question, got)
		}
	}
}

// Values, test code and examples count against a hit, unless the question asks for them.
func TestKindsOfChunksCount(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		chunk("queue.go", "maxRetries", "// retries of a job\nconst maxRetries = 5", func(c *record.Chunk) {
			c.ID, c.ChunkType = "code-data-queue.go#maxRetries", record.Data
		}),
		chunk("queue_test.go", "checkRetry", "func checkRetry() {\n\trun(\n\t\tretries,\n\t)\n}", func(c *record.Chunk) { c.Tags = append(c.Tags, record.TagTest) }),
		chunk("examples/queue.go", "show", "func show() {\n\trun(\n\t\tretries,\n\t)\n}"),
		chunk("other.go", "fill", "func fill() { put(1) }"),
	})
	for question, want := range map[string][3]float64{ // listing, tests, asides
		"retries of something":          {.5, 1, 1},
		"maximum of the retries":        {-1, 1, 1},
		"how are retries of it counted": {1, 1, 1},
		"tests of retries":              {.5, -.3, 1},
		"examples of retries":           {.5, 1, 0},
	} {
		var got [3]float64
		for _, h := range lexical(t, x, answer.Request{Queries: []string{question}, Explain: true}).Results {
			for _, reason := range h.Reasons {
				switch {
				case reason.Signal == rank.Listing.String() && h.Chunk.ChunkType == record.Data:
					got[0] = reason.Value
				case reason.Signal == rank.Tests.String():
					got[1] = reason.Value
				case reason.Signal == rank.Asides.String():
					got[2] = reason.Value
				}
			}
		}
		if got != want {
			t.Errorf("%s: got %v, want %v", question, got, want)
		}
	}
}

// Where files are counted, the places of one stand together, and pages go on with the next file.
func TestPagesOfFiles(t *testing.T) {
	var chunks []*record.Chunk
	for n := range 6 {
		for _, name := range []string{"Walk", "Links"} {
			chunks = append(chunks, chunk(fmt.Sprintf("f%d.go", n), name+string(rune('A'+n)), fmt.Sprintf("func %s%c() { folders%s }", name, 'A'+n, strings.Repeat(" links", n))))
		}
	}
	x := newIndex(t, chunks)
	var files []string
	for offset := 0; offset < 6; offset += 2 {
		r, err := x.Search(t.Context(), answer.Request{Queries: []string{"folders links"}, Mode: answer.Keyword, ByFile: true, Limit: 2, Offset: offset})
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range r.Results {
			if i == 0 || h.Chunk.Metadata.FilePath != r.Results[i-1].Chunk.Metadata.FilePath {
				files = append(files, h.Chunk.Metadata.FilePath)
			}
		}
		if n := len(r.Results); n < 2 || n > 4 {
			t.Errorf("%d hits: %q", len(r.Results), ids(r))
		}
	}
	slices.Sort(files)
	if want := []string{"f0.go", "f1.go", "f2.go", "f3.go", "f4.go", "f5.go"}; !slices.Equal(files, want) {
		t.Errorf("files %q", files)
	}
}

// A text of the default size reads the same whether or not hits that it does not show were read.
func TestFurtherHitsAreNotRead(t *testing.T) {
	var chunks []*record.Chunk
	for n := range 8 {
		for _, name := range []string{"Walk", "Links", "Trees"} {
			chunks = append(chunks, chunk(fmt.Sprintf("f%d.go", n), name+string(rune('A'+n)), fmt.Sprintf("func %s%c() { folders%s }", name, 'A'+n, strings.Repeat(" links", n))))
		}
	}
	x := newIndex(t, chunks)
	for _, req := range []answer.Request{{Limit: 8, ByFile: true}, {Limit: 3, ByFile: true}, {Limit: 20}} {
		req.Queries, req.Mode, req.Lines = []string{"folders links"}, answer.Keyword, true
		named, err := x.Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		req.Further = true
		full, err := x.Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := brief.Text(named, brief.DefaultTokens, brief.Arguments), brief.Text(full, brief.DefaultTokens, brief.Arguments); got != want || want == "" {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		places := 0
		for i := range full.Results {
			got, want := &named.Results[i], &full.Results[i]
			if want.Detail != "" || want.Chunk.Text == "" || got.Detail == answer.DetailPlace && got.Chunk.Text != "" {
				t.Errorf("%+v\nand %+v", got, want)
			}
			if got.Detail == answer.DetailPlace {
				places++
			}
			if g, w := got.Chunk.Metadata, want.Chunk.Metadata; got.Chunk.ID != want.Chunk.ID || got.Score != want.Score || g.FilePath != w.FilePath || g.StartLine != w.StartLine || g.EndLine != w.EndLine {
				t.Errorf("%+v is at the place of %+v", got, want)
			}
		}
		if req.Limit == 8 && places == 0 || places > len(full.Results)-min(req.Limit, 8) {
			t.Errorf("%d of %d hits are only places", places, len(full.Results))
		}
	}
}
