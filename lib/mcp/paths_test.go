package mcp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFullPathsAreUnderstood passes absolute paths of this machine, as assistants use them to read files.
func TestFullPathsAreUnderstood(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	index(t, root, library()...)
	if err := os.MkdirAll(filepath.Join(root, "net"), 0o700); err != nil {
		t.Fatal(err)
	}
	session := connect(t, options(t, root), "")
	for path, want := range map[string]string{
		root + "/net": "code-impl-net/retry.go#Backoff code-impl-net/retry_test.go#TestBackoff", "./net": "code-impl-net/retry.go#Backoff code-impl-net/retry_test.go#TestBackoff",
		root + "/net/retry.go": "code-impl-net/retry.go#Backoff", root: "code-impl-net/retry.go#Backoff code-impl-net/retry_test.go#TestBackoff", "/net/retry.go": "code-impl-net/retry.go#Backoff",
		root + "/session": "",
	} {
		ids := found(t, session, "cortex_exact", object{"query": "backoff", "path": path})
		slices.Sort(ids)
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: found %s, want %s", path, got, want)
		}
	}
	for _, like := range []string{root + "/net/retry.go:1", "./net/retry.go:1", "net/retry.go:1"} {
		if text, failed := call(t, session, "cortex_search", object{"like": like}); failed || !strings.Contains(text, "retry_test.go") {
			t.Errorf("%s: %s", like, text)
		}
	}
	outside := filepath.Dir(root)
	for _, c := range []struct {
		tool, want string
		args       object
	}{
		{"cortex_exact", `cortex_exact: path: "` + outside + `" is outside of the indexed folder ` + root, object{"query": "backoff", "path": outside}},
		{"cortex_search", `cortex_search: path: "../x" is outside of the indexed folder ` + root, object{"query": "backoff", "path": "../x"}},
		{"cortex_search", `cortex_search: like: "` + outside + `/a.go" is outside of the indexed folder ` + root, object{"like": outside + "/a.go:3"}},
	} {
		if text, failed := call(t, session, c.tool, c.args); !failed || text != c.want {
			t.Errorf("%v: %s", c.args, text)
		}
	}
}

// TestLongIssueIsAnswered asks with a whole issue whose log exceeds the greatest length of a question.
func TestLongIssueIsAnswered(t *testing.T) {
	root := t.TempDir()
	index(t, root, library()...)
	session := connect(t, options(t, root), "")
	issue := "sessions that have expired stay\n\n" + strings.Repeat("12:00:01 some line of a log\n", 1000)
	for _, format := range []string{"text", "json"} {
		text, failed := call(t, session, "cortex_search", object{"query": issue, "format": format})
		if failed || !strings.Contains(text, "only the first 20000 characters of a question were read") || !strings.Contains(text, "session/expiry.go") {
			t.Errorf("%s: %.300s", format, text)
		}
	}
	if text, failed := call(t, session, "cortex_search", object{"query": issue[:19_000]}); failed || strings.Contains(text, "were read") {
		t.Errorf("%.300s", text)
	}
}
