package search

import (
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

// TestHeadingThatIsTheQuestion asks for a heading word for word, among sections that repeat its words.
func TestHeadingThatIsTheQuestion(t *testing.T) {
	x := newIndex(t, []*record.Chunk{
		section("docs/settings.md", "", 1, ""),
		section("docs/settings.md", "#files/serve-method", 3, "Redirects to the storage if it has an address, otherwise streams."),
		section("docs/usage.md", "", 1, ""),
		section("docs/usage.md", "#files", 3, strings.Repeat("The serve method of files: which method serves files, and how to serve by another method. ", 6)),
		section("docs/usage.md", "#serving", 9, strings.Repeat("A method to serve: FILES_SERVE_METHOD, the serve method. ", 6)),
	})
	for _, question := range []string{"serve method", "the Serve Method"} {
		r := lexical(t, x, answer.Request{Queries: []string{question}})
		if got := r.Results[0].Chunk.ID; got != "doc-docs/settings.md#files/serve-method" {
			t.Errorf("%s: %s", question, got)
		}
	}
	r := lexical(t, x, answer.Request{Queries: []string{"serve files by another method"}})
	if got := r.Results[0].Chunk.Metadata.FilePath; got != "docs/usage.md" {
		t.Errorf("a question of other words: %s", got)
	}
}

// TestVersionInQuestion asks for a release among others with the same digits in their numbers.
func TestVersionInQuestion(t *testing.T) {
	title := func(name string) func(*record.Chunk) {
		return func(c *record.Chunk) { c.Title = "Changes › " + name }
	}
	x := newIndex(t, []*record.Chunk{
		section("changelog.md", "", 1, ""),
		section("changelog.md", "#500", 3, "What changed in 5: 4 changed, 0 changed, 5 changed.", title("5.0.0")),
		section("changelog.md", "#4501", 13, "It changed. What changed: 4, 5 and 0.", title("4.50.1")),
		section("changelog.md", "#451", 23, "Streams close.", title("4.5.1")),
		section("changelog.md", "#450", 33, "Streams open.", title("4.5.0 (2020-08-20)")),
		section("changelog.md", "#400", 43, "What changed in 4: 5 changed, 0 changed.", title("4.0.0, 3.9.0")),
		section("changelog.md", "#350", 53, "What changed in 3: 5 changed, 0 changed.", title("14.5.0")),
	})
	for question, want := range map[string]string{
		"what changed in 4.5.0": "#450", "what changed in v4.5.1?": "#451", "what changed in 4.50": "#4501", "what changed in 3.9.0": "#400",
	} {
		r := lexical(t, x, answer.Request{Queries: []string{question}})
		if got := r.Results[0].Chunk.ID; got != "doc-changelog.md"+want {
			t.Errorf("%s: %s", question, got)
		}
	}
}

// TestExplainedName asks for settings that one section explains and others use more often.
func TestExplainedName(t *testing.T) {
	uses := strings.Repeat("What does save_as do: the save_as of a page, as save_as says. ", 3) + "\n  save_as = \"x\"\n``save_as`` goes on."
	for _, line := range []string{".. data:: save_as = 'x'", "`save_as`::", "save_as", "| `save_as` | text |", "- **save_as**: text", ".It Ic save_as Ar path", "  `save_as` (text)"} {
		x := newIndex(t, []*record.Chunk{
			section("pages.md", "", 1, ""), section("pages.md", "#a", 3, uses),
			section("drafts.md", "", 1, ""), section("drafts.md", "#a", 3, uses),
			section("settings.md", "", 1, ""), section("settings.md", "#b", 3, "Where things go.\n"+line+"\n   The place of a page."),
		})
		for _, question := range []string{"save_as", "what does save_as do"} {
			r := lexical(t, x, answer.Request{Queries: []string{question}})
			if got := r.Results[0].Chunk.ID; got != "doc-settings.md#b" {
				t.Errorf("%s, %q: %s", question, line, got)
			}
		}
	}
}

// TestExplainedSetting asks for a setting with hyphens, which a question may have in prose, too.
func TestExplainedSetting(t *testing.T) {
	uses := strings.Repeat("The default-theme of a page: what default-theme does. ", 3) + "\ndefault-theme goes on."
	for _, line := range []string{"- **default-theme:** text", "`default-theme`::", "### default-theme"} {
		x := newIndex(t, []*record.Chunk{
			section("pages.md", "", 1, ""), section("pages.md", "#a", 3, uses),
			section("settings.md", "", 1, ""), section("settings.md", "#b", 3, "Where things go.\n"+line+"\n   The colours of a page."),
		})
		r := lexical(t, x, answer.Request{Queries: []string{"what does default-theme do"}})
		if got := r.Results[0].Chunk.ID; got != "doc-settings.md#b" {
			t.Errorf("%q: %s", line, got)
		}
	}
}

// TestExplainedFlag asks for a flag of a command.
func TestExplainedFlag(t *testing.T) {
	uses := strings.Repeat("What does --no-ff do: --no-ff, and no ff. ", 5) + "\n--no-ff is used here."
	for _, line := range []string{"`--no-ff`::", "--no-ff", "-n, --no-ff", "* `-n`, `--no-ff`: text"} {
		x := newIndex(t, []*record.Chunk{
			section("pages.md", "", 1, ""), section("pages.md", "#a", 3, uses),
			section("options.md", "", 1, ""), section("options.md", "#b", 3, "Options.\n"+line+"\n   Make a commit in any case."),
		})
		r := lexical(t, x, answer.Request{Queries: []string{"what does --no-ff do?"}})
		if got := r.Results[0].Chunk.ID; got != "doc-options.md#b" {
			t.Errorf("%q: %s", line, got)
		}
	}
}

// TestSettingOfPath asks for a key of a settings file by the end of its path.
func TestSettingOfPath(t *testing.T) {
	uses := strings.Repeat("What does server.keepFor do: server.keepFor of the server, keepFor. ", 3)
	setting := section("values.yaml", "", 3, "server:\n  keepFor: 10d", func(c *record.Chunk) {
		c.ID, c.ChunkType, c.Tags = "code-data-values.yaml", record.Data, []string{"code", "yaml", "data"}
		c.Metadata.Source, c.Metadata.Language = "code", "yaml"
		c.Metadata.Symbols = []record.SymbolRef{{Name: "web.server", Type: record.Key, Line: 3}, {Name: "web.server.keepFor", Type: record.Key, Line: 4}}
	})
	x := newIndex(t, []*record.Chunk{
		section("pages.md", "", 1, ""), section("pages.md", "#a", 3, uses),
		section("drafts.md", "", 1, ""), section("drafts.md", "#a", 3, uses), setting,
	})
	r := lexical(t, x, answer.Request{Queries: []string{"what does server.keepFor do"}})
	if got := r.Results[0].Chunk.ID; got != setting.ID {
		t.Errorf("got %s", got)
	}
}
