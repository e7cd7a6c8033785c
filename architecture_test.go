package cortex_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowed says which of our packages each package may import. Tests are exempt, so
// that they can build what they need.
var allowed = map[string][]string{
	"lib/record":     {},
	"lib/hint":       {},
	"lib/shorten":    {},
	"lib/branches":   {},
	"lib/glob":       {},
	"lib/gitdir":     {},
	"lib/safeopen":   {},
	"lib/flock":      {},
	"lib/lineartest": {},
	"lib/parallel":   {},
	"lib/language":   {},
	"lib/notation":   {"lib/record", "lib/language"},
	"lib/terminal":   {},
	"lib/derived":    {"lib/flock", "lib/hint"},
	"lib/cli":        {"lib/terminal", "lib/hint"},
	"lib/config":     {"lib/gitdir", "lib/glob", "lib/safeopen", "lib/hint", "lib/shorten"},
	"lib/source":     {"lib/record", "lib/parallel", "lib/language", "lib/glob", "lib/gitdir", "lib/safeopen", "lib/derived", "lib/hint", "lib/shorten"},
	"lib/parse":      {"lib/record", "lib/parallel", "lib/language", "lib/source", "lib/terminal", "lib/hint", "lib/shorten", "lib/branches"},
	"lib/chunk":      {"lib/record", "lib/parallel", "lib/language", "lib/notation", "lib/hint", "lib/shorten"},
	"lib/embed":      {"lib/record", "lib/parallel", "lib/safeopen", "lib/derived", "lib/listen", "lib/hint", "lib/shorten", "lib/branches"},
	"lib/graph":      {"lib/record", "lib/parallel", "lib/language", "lib/store", "lib/derived", "lib/terminal", "lib/hint", "lib/shorten"},
	"lib/store":      {"lib/record", "lib/parallel", "lib/safeopen", "lib/flock", "lib/derived", "lib/terminal", "lib/hint", "lib/shorten"},
	"lib/database":   {"lib/record", "lib/parallel", "lib/derived", "lib/search", "lib/graph", "lib/store", "lib/embed", "lib/terminal", "lib/hint"},
	"lib/status":     {"lib/record", "lib/source", "lib/store", "lib/safeopen", "lib/graph", "lib/terminal", "lib/hint"},
	"lib/search":     {"lib/record", "lib/parallel", "lib/language", "lib/notation", "lib/glob", "lib/terminal", "lib/embed", "lib/graph", "lib/store", "lib/derived", "lib/hint", "lib/shorten"},
	"lib/listen":     {"lib/safeopen", "lib/hint"},
	"lib/share":      {"lib/flock", "lib/safeopen"},
	"lib/clients":    {"lib/safeopen", "lib/hint"},
	"lib/keep":       {"lib/derived", "lib/flock", "lib/record", "lib/gitdir", "lib/safeopen", "lib/store", "lib/terminal", "lib/hint"},
	"lib/doctor":     {"lib/clients", "lib/derived", "lib/keep", "lib/safeopen", "lib/status", "lib/store", "lib/terminal", "lib/hint"},
	"lib/request":    {"lib/record", "lib/search", "lib/graph", "lib/terminal", "lib/hint", "lib/shorten"},
	"lib/relation":   {"lib/search", "lib/graph", "lib/terminal", "lib/hint"},
	"lib/settings":   {"lib/config", "lib/embed", "lib/search", "lib/source"},
	"lib/ask":        {"lib/database", "lib/relation", "lib/request", "lib/search", "lib/graph", "lib/store", "lib/status", "lib/embed", "lib/terminal", "lib/hint"},
	"lib/page":       {"lib/record", "lib/parallel", "lib/language", "lib/parse", "lib/search", "lib/graph", "lib/store", "lib/status", "lib/safeopen", "lib/terminal", "lib/hint", "lib/shorten"},
	"lib/mcp":        {"lib/database", "lib/page", "lib/relation", "lib/request", "lib/record", "lib/parallel", "lib/search", "lib/graph", "lib/store", "lib/status", "lib/embed", "lib/listen", "lib/share", "lib/flock", "lib/terminal", "lib/hint"},
}

// within says which packages of its own folder a package may import, in folders with several layers: packages that find
// do not show, packages that answer questions about a graph do not resolve names, and packages that read a store do not
// write it. The folder's own package may import all of them, unless it has a row too.
var within = map[string][]string{
	"lib/record":              {},
	"lib/record/jsonl":        {"lib/record"},
	"lib/chunk/document":      {"label", "lines"},
	"lib/chunk/label":         {},
	"lib/chunk/lines":         {},
	"lib/database":            {"schema"},
	"lib/database/schema":     {},
	"lib/database/tree":       {"lib/database", "schema"},
	"lib/database/write":      {"lib/database", "schema", "tree"},
	"lib/database/read":       {"lib/database", "schema"},
	"lib/mcp/hangup":          {},
	"lib/mcp/stdio":           {"hangup"},
	"lib/graph/edge":          {},
	"lib/graph/facts":         {},
	"lib/graph/methodset":     {"facts"},
	"lib/graph/language":      {"facts", "methodset", "targets"},
	"lib/graph/targets":       {},
	"lib/graph/resolve":       {"edge", "facts", "language"},
	"lib/graph/excerpt":       {},
	"lib/graph/links":         {},
	"lib/graph/mapped":        {},
	"lib/graph/names":         {},
	"lib/graph/paths":         {},
	"lib/graph/texts":         {},
	"lib/graph/table":         {"edge", "excerpt", "facts", "links", "mapped", "names", "paths", "texts"},
	"lib/graph/render":        {"table"},
	"lib/store":               {"layout", "shard"},
	"lib/store/shard":         {},
	"lib/store/layout":        {"shard"},
	"lib/store/update":        {"layout", "shard"},
	"lib/page/drawing":        {},
	"lib/page/highlight":      {},
	"lib/page/markdown":       {"highlight"},
	"lib/search/answer":       {},
	"lib/search/concept":      {"cosine"},
	"lib/search/greek":        {},
	"lib/search/postings":     {},
	"lib/search/cosine":       {},
	"lib/search/index":        {"cosine", "postings"},
	"lib/search/token":        {},
	"lib/search/query":        {"token"},
	"lib/search/corpus":       {"answer", "greek", "index", "query", "token"},
	"lib/search/wording":      {"corpus", "query", "token"},
	"lib/search/exact":        {"answer", "corpus", "index", "query", "token", "wording"},
	"lib/search/near":         {"corpus", "cosine", "index"},
	"lib/search/rank":         {"answer", "concept", "corpus", "index", "near", "query", "token", "wording"},
	"lib/search/show":         {"answer", "corpus", "query", "token", "wording"},
	"lib/search/render":       {"answer", "query"},
	"lib/search/render/brief": {"answer", "corpus", "token"},
}

// reserved says which of our folders or packages alone may import a module.
var reserved = map[string][]string{
	"C":                                  {"lib/parse/syntax"},
	"github.com/tree-sitter":             {"lib/parse/syntax", "lib/parse/grammar"},
	"github.com/yuin/goldmark":           {"lib/parse/document", "lib/page"},
	"github.com/alecthomas/chroma":       {"lib/page"},
	"github.com/blevesearch/bleve":       {"lib/search", "scripts"},
	"github.com/blevesearch":             {"lib/search", "scripts"},
	"github.com/blevesearch/vellum":      {"lib/search/index"},
	"github.com/philippgille/chromem-go": {"lib/search/near"},
	"github.com/mark3labs/mcp-go":        {"lib/mcp"},
	"github.com/goccy/go-yaml":           {"lib/config"},
	"github.com/BurntSushi/toml":         {"lib/clients"},
	"github.com/spf13/pflag":             {"lib/cli", "lib/config", "lib/request", "cmd", "scripts"},
	"github.com/gomlx":                   {"lib/embed/huggingface"},
	"github.com/modelcontextprotocol":    {"scripts"},
	"github.com/rogpeppe/go-internal":    {},
	"github.com/fsnotify/fsnotify":       {"lib/source", "lib/mcp"},
	"github.com/jackc/pgx":               {"lib/database"},
	"net/http":                           {"lib/embed", "lib/listen", "lib/mcp", "lib/page", "scripts"},
	"go.etcd.io/bbolt":                   {"lib/embed"},
	"github.com/bytedance/sonic":         {"lib/record/jsonl"},
	"github.com/bmatcuk/doublestar":      {},
	"go.abhg.dev/goldmark/frontmatter":   {"lib/parse"},
}

// area is the folder that the table names: lib/x for all below it, or cmd.
func area(dir string) string {
	parts := strings.Split(dir, "/")
	if parts[0] == "lib" && len(parts) > 1 {
		return path.Join(parts[:2]...)
	}
	return parts[0]
}

// TestPackagesStaySmall: a package that grows beyond what one person keeps in mind is taken apart.
func TestPackagesStaySmall(t *testing.T) {
	const most = 3500
	lines := map[string]int{}
	err := filepath.WalkDir("lib", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || strings.Contains(file, "testdata") {
			return err
		}
		data, err := os.ReadFile(file)
		lines[filepath.ToSlash(filepath.Dir(file))] += bytes.Count(data, []byte("\n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, n := range lines {
		if n > most {
			t.Errorf("%s has %d lines without tests, and a package may have %d", dir, n, most)
		}
	}
}

func TestImportsFollowTheTable(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && file != "." && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(file))
		here := area(dir)
		seen[here] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if ours, ok := strings.CutPrefix(imported, "cortex/"); ok {
				if target := area(ours); here != "cmd" && here != "scripts" && target != here && !slices.Contains(allowed[here], target) {
					t.Errorf("%s: %s may not import %s", file, here, target)
				} else if layers, ok := within[dir]; ok && target == here && !slices.Contains(layers, strings.TrimPrefix(ours, here+"/")) {
					t.Errorf("%s: %s may not import %s", file, dir, ours)
				}
				continue
			}
			for module, users := range reserved {
				if (imported == module || strings.HasPrefix(imported, module+"/")) && !slices.Contains(users, here) && !slices.Contains(users, dir) {
					t.Errorf("%s: %s may not import %s", file, here, imported)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range seen {
		if _, ok := allowed[dir]; !ok && dir != "cmd" && dir != "scripts" {
			t.Errorf("%s is not in the table", dir)
		}
	}
	for dir := range allowed {
		if !seen[dir] {
			t.Errorf("%s is in the table and has no code", dir)
		}
	}
}

// connecting are the only files that may open a connection or take one: those of embedding services, which
// are asked only where the user chose one, and of the servers that the user starts.
var connecting = []string{
	"lib/database/transient.go",
	"lib/embed/remote.go",
	"lib/embed/serve/server.go",
	"lib/embed/serve/protocols.go",
	"lib/embed/serve/serve.go",
	"lib/listen/admission.go",
	"lib/listen/listen.go",
	"lib/listen/metrics.go",
	"lib/listen/reach.go",
	"lib/mcp/http.go",
	"lib/page/fault.go",
	"lib/page/handlers.go",
	"lib/share/share.go",
}

func TestOnlyServicesOpenConnections(t *testing.T) {
	seen := map[string]bool{}
	for _, tree := range []string{"cmd", "lib"} {
		err := filepath.WalkDir(tree, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
			if err != nil {
				return nil // not ours: testdata
			}
			for _, spec := range parsed.Imports {
				switch name := strings.Trim(spec.Path.Value, `"`); name {
				case "net", "net/http", "net/rpc", "net/smtp", "crypto/tls", "golang.org/x/net":
					seen[filepath.ToSlash(file)] = true
					if !slices.Contains(connecting, filepath.ToSlash(file)) {
						t.Errorf("%s imports %s: no command opens a connection that the user did not ask for", file, name)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range connecting {
		if !seen[file] {
			t.Errorf("%s opens no connection", file)
		}
	}
}

// A loop that climbs with path.Dir until it comes to "." does not end for a path that is absolute, or not clean.
// record.Folders does.
func TestNoLoopClimbsByItself(t *testing.T) {
	climbs := func(n ast.Node) bool {
		to, ok := n.(*ast.AssignStmt)
		if !ok || len(to.Lhs) != 1 || len(to.Rhs) != 1 {
			return false
		}
		call, ok := to.Rhs[0].(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || types.ExprString(call.Fun) != "path.Dir" {
			return false
		}
		return types.ExprString(call.Args[0]) == types.ExprString(to.Lhs[0])
	}
	err := filepath.WalkDir("lib", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.Contains(file, "testdata") {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			loop, ok := n.(*ast.ForStmt)
			if !ok {
				return true
			}
			ast.Inspect(loop, func(n ast.Node) bool {
				if n != nil && climbs(n) {
					t.Errorf("%s: a loop climbs by path.Dir, which need not end: range over record.Folders", set.Position(n.Pos()))
				}
				return true
			})
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestNoPackageIsNamedForNothing(t *testing.T) {
	for _, pattern := range []string{"lib/*", "lib/*/*", "scripts/*"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			if slices.Contains([]string{"util", "utils", "common", "types", "helpers"}, filepath.Base(dir)) {
				t.Errorf("%s: the name says nothing", dir)
			}
		}
	}
}
