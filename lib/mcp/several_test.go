package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	client "github.com/modelcontextprotocol/go-sdk/mcp"

	"cortex/lib/mcp"
	"cortex/lib/search/render/brief"
)

// several returns options to serve the repositories in these folders, named by the folders.
func several(t *testing.T, roots ...string) mcp.Options {
	opts := options(t, "")
	opts.Repositories = nil
	for _, root := range roots {
		opts.Repositories = append(opts.Repositories, mcp.Repository{Name: filepath.Base(root), Root: func() string { return root }})
	}
	return opts
}

// webAndAPI are the folders of two repositories with indexes.
func webAndAPI(t *testing.T) (web, api string) {
	base := t.TempDir()
	web, api = filepath.Join(base, "web"), filepath.Join(base, "API")
	for _, dir := range []string{web, api} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	index(t, web, library()...)
	index(t, api,
		code("net/retry.go", "Retry", "// Retry calls again after every failed attempt, with a Backoff.\nfunc Retry(attempts int) error { return nil }\n"),
		code("bill/total.go", "Total", "// Total sums the invoice.\nfunc Total(i Invoice) Money { return i.sum }\n"))
	return web, api
}

// content returns the pieces of text in the answer to a call.
func content(t *testing.T, session *client.ClientSession, tool string, args object) (texts []string, failed bool) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &client.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Content {
		texts = append(texts, c.(*client.TextContent).Text)
	}
	return texts, result.IsError
}

// TestSeveralRepositories asks both repositories, one by name, and one that does not exist.
func TestSeveralRepositories(t *testing.T) {
	web, api := webAndAPI(t)
	session := connect(t, several(t, web, api), "2025-06-18")
	for _, c := range []struct {
		tool string
		args object
		want []string
		not  string
	}{
		{"cortex_exact", object{"query": "Backoff"}, []string{"web:net/retry.go", "API:net/retry.go", "\nAPI: in " + api + "\nweb: in " + web}, ""},
		{"cortex_exact", object{"query": "Backoff", "repository": "api"}, []string{"API:net/retry.go", "\nAPI: in " + api}, "web"},
		{"cortex_exact", object{"query": "Backoff", "repository": []string{"API", "web"}, "limit": 1, "offset": 1}, []string{":net/retry.go"}, "in " + web + "\nAPI"},
		{"cortex_exact", object{"query": "nowhere"}, []string{"nowhere: no match"}, "web:"},
		{"cortex_exact", object{"query": "error { return nil"}, []string{"looked for as it is written", "API:net/retry.go"}, "not searched"},
		{"cortex_exact", object{"query": "invoce~0"}, []string{"near: invoice"}, ""},
		{"cortex_search", object{"query": "how are invoices summed"}, []string{"API:bill/total.go"}, ""},
		{"cortex_search", object{"query": "where are expired sessions removed"}, []string{"web:session/expiry.go"}, ""},
	} {
		texts, failed := content(t, session, c.tool, c.args)
		text := strings.Join(texts, "|")
		for _, want := range c.want {
			if failed || !strings.Contains("\n"+text, want) {
				t.Errorf("%v: %s\nwant %q", c.args, text, want)
			}
		}
		if c.not != "" && strings.Contains(text, c.not) {
			t.Errorf("%v: %s\nhas %q", c.args, text, c.not)
		}
	}
	text, failed := call(t, session, "cortex_exact", object{"query": "Backoff"})
	var answer struct {
		Results      []struct{ Repository string }
		Repositories map[string]string
		TotalFound   int `json:"total_found"`
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || failed {
		t.Fatalf("%v: %s", err, text)
	}
	if len(answer.Results) != 3 || answer.TotalFound != 3 || answer.Repositories["web"] != web || answer.Repositories["API"] != api {
		t.Errorf("got %+v", answer)
	}
	if text, failed := call(t, session, "cortex_exact", object{"query": "Backoff", "repository": "wep"}); !failed ||
		!strings.Contains(text, `repository: no repository "wep"; did you mean "web"? there are web, API`) {
		t.Errorf("got %s", text)
	}
	if text, failed := call(t, session, "cortex_exact", object{"query": "Backoff", "include_stats": true}); failed || !strings.Contains(text, `"stats":{"API":{"generation":1`) {
		t.Errorf("got %s", text)
	}
}

// TestRepositoryIsAnArgumentOfSeveralAlone looks at the schemas.
func TestRepositoryIsAnArgumentOfSeveralAlone(t *testing.T) {
	web, api := webAndAPI(t)
	one := connect(t, options(t, web), "2025-06-18")
	if text, failed := call(t, one, "cortex_exact", object{"query": "Backoff", "repository": "web"}); !failed || !strings.Contains(text, "repository: unknown argument") {
		t.Errorf("got %s", text)
	}
	two := connect(t, several(t, web, api), "2025-06-18")
	for session, want := range map[*client.ClientSession]bool{one: false, two: true} {
		tools, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools.Tools {
			schema, err := json.Marshal(tool.InputSchema)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(schema), `"repository":{"description":"only this one; without it all are asked","enum":["web","API"],"type":"string"}`); got != want {
				t.Errorf("%s: %s", tool.Name, schema)
			}
		}
	}
}

// TestRepositoryThatFails: the other repositories answer, and a note names the failed one.
func TestRepositoryThatFails(t *testing.T) {
	web, api := webAndAPI(t)
	none := t.TempDir()
	opts := several(t, web, none, api)
	opts.Repositories[1].Name = "none"
	session := connect(t, opts, "2025-06-18")
	texts, failed := content(t, session, "cortex_exact", object{"query": "Backoff"})
	if failed || len(texts) != 2 || !strings.Contains(texts[0], "web:net/retry.go") || !strings.HasPrefix(texts[1], "not searched: none: ") {
		t.Errorf("%v, %q", failed, texts)
	}
	texts, failed = content(t, session, "cortex_exact", object{"query": `"unclosed`})
	if !failed || strings.Count(texts[0], "quote is not closed") != 1 || !strings.Contains(texts[0], "not searched: web, API: ") {
		t.Errorf("%v, %q", failed, texts)
	}
}

// TestGraphOfSeveralRepositories asks for targets that one, both or none of the repositories have.
func TestGraphOfSeveralRepositories(t *testing.T) {
	base := t.TempDir()
	var roots []string
	for i, name := range []string{"one", "two"} {
		roots = append(roots, filepath.Join(base, name))
		if err := os.Mkdir(roots[i], 0o700); err != nil {
			t.Fatal(err)
		}
		putGraph(t, roots[i], 2+i)
	}
	session := connect(t, several(t, roots...), "2025-06-18")
	for _, c := range []struct {
		args   object
		want   []string
		failed bool
	}{
		{object{"operation": "callers", "target": "Target"}, []string{"one: in " + roots[0] + "\n", "\n\ntwo: in " + roots[1] + "\n", "Caller2"}, false},
		{object{"operation": "callees", "target": "Caller2"}, []string{"two: in " + roots[1] + "\n"}, false},
		{object{"operation": "callers", "target": "Target", "format": "json"}, []string{`{"repositories":[{"repository":"one","root":"` + roots[0] + `","answer":{"operation":"callers"`}, false},
		{object{"operation": "callers", "target": "Target", "format": "mermaid"}, []string{`"Target" is in several repositories`, "one of one, two"}, true},
		{object{"operation": "callers", "target": "Target", "format": "mermaid", "repository": "two"}, []string{"Caller2"}, false},
		{object{"operation": "callers", "target": "Unheard"}, []string{`nothing is named "Unheard"`}, false},
	} {
		texts, failed := content(t, session, "cortex_graph", c.args)
		for _, want := range c.want {
			if text := strings.Join(texts, "|"); failed != c.failed || !strings.Contains(text, want) {
				t.Errorf("%v: %v, %s\nwant %q", c.args, failed, text, want)
			}
		}
	}
	if text, _ := content(t, session, "cortex_graph", object{"operation": "callers", "target": "Target", "repository": "one"}); strings.Contains(text[0], "two") {
		t.Errorf("got %s", text)
	}
}

// TestAnswerOfSeveralKeepsToItsBudget asks more repositories than fit into the answer.
func TestAnswerOfSeveralKeepsToItsBudget(t *testing.T) {
	base := t.TempDir()
	var roots []string
	for i := range 12 {
		root := filepath.Join(base, fmt.Sprintf("repository%d", i))
		if err := os.Mkdir(root, 0o700); err != nil {
			t.Fatal(err)
		}
		index(t, root, code("net/retry.go", "Backoff", "// Backoff waits.\nfunc Backoff() {\n"+strings.Repeat("\twait(longer)\n", 60)+"}\n"))
		roots = append(roots, root)
	}
	session := connect(t, several(t, roots...), "2025-06-18")
	texts, failed := content(t, session, "cortex_search", object{"query": "Backoff", "max_tokens": 600, "limit": 12})
	if n := brief.Tokens(texts[0]); failed || n > 600 {
		t.Errorf("%d tokens:\n%s", n, texts[0])
	}
	text, _ := call(t, session, "cortex_search", object{"query": "Backoff", "max_tokens": 600, "limit": 12})
	if len(text) > 600*4 || !strings.Contains(text, `"note"`) {
		t.Errorf("%d bytes:\n%s", len(text), text)
	}
}

// TestFullPathIsInOneRepository asks both repositories with an absolute path in one of them.
func TestFullPathIsInOneRepository(t *testing.T) {
	web, api := webAndAPI(t)
	session := connect(t, several(t, web, api), "")
	texts, failed := content(t, session, "cortex_exact", object{"query": "attempt", "path": filepath.Join(api, "net"), "format": "text"})
	if failed || len(texts) != 1 || !strings.Contains(texts[0], "API:net/retry.go") || strings.Contains(texts[0], "web:") {
		t.Errorf("%v %q", failed, texts)
	}
	texts, failed = content(t, session, "cortex_exact", object{"query": "attempt", "path": filepath.Dir(web)})
	if !failed || strings.Count(texts[0], "is outside of the indexed folder") != 2 {
		t.Errorf("%v %q", failed, texts)
	}
}
