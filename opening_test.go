package cortex_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// opening are the only files that may open files by other means than lib/safeopen, which waits for nothing and leaves
// no repository.
var opening = map[string]string{
	"lib/safeopen/safeopen.go":   "opens for all others",
	"lib/safeopen/open_linux.go": "opens for all others",

	"lib/cli/cli.go":                "records named on the command line: a pipe is welcome there",
	"cmd/cortex-parse/flags.go":     "a list of files named on the command line: a pipe is welcome there",
	"lib/parse/grammar/grammar.go":  "queries that are part of the program",
	"lib/database/schema/schema.go": "statements that are part of the program",

	// The user's own cache folder, in which no repository puts anything.
	"lib/derived/derived.go":     "the folder of what is derived",
	"lib/embed/cache.go":         "a database in the folder of what is derived",
	"lib/derived/publish.go":     "files in the folder of what is derived",
	"lib/derived/share.go":       "files in the folder of what is derived",
	"lib/search/index/folder.go": "files of lib/derived, and a temporary folder of its own",
}

// openers are the functions that open files, by the import path of their package; ofValues are methods that do, of
// os.Root and of file systems.
var (
	openers = map[string][]string{
		"os":                    {"Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadFile", "ReadDir", "WriteFile", "Create", "CreateTemp", "DirFS", "CopyFS"},
		"io/ioutil":             {"ReadFile", "ReadDir", "WriteFile", "TempFile"},
		"io/fs":                 {"ReadFile", "ReadDir", "WalkDir", "Glob"},
		"path/filepath":         {"Walk", "WalkDir", "Glob"},
		"syscall":               {"Open", "Openat", "Mmap"},
		"golang.org/x/sys/unix": {"Open", "Openat", "Openat2"},
	}
	ofValues = []string{"Open", "OpenFile", "OpenRoot", "ReadFile", "WriteFile", "FS"}
)

func TestFilesAreOpenedInOnePlace(t *testing.T) {
	used := map[string]bool{}
	for _, tree := range []string{"cmd", "lib"} {
		err := filepath.WalkDir(tree, func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() && entry.Name() == "testdata" {
				return filepath.SkipDir
			}
			if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return nil
			}
			for _, call := range openings(t, file) {
				name := filepath.ToSlash(file)
				used[name] = true
				if opening[name] == "" {
					t.Errorf("%s: files are opened by lib/safeopen alone", call)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for file := range opening {
		if !used[file] {
			t.Errorf("%s opens no file", file)
		}
	}
}

// openings are the places in a file where something is opened, as far as names tell.
func openings(t *testing.T, file string) (places []string) {
	t.Helper()
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]string{}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		packages[name] = imported
	}
	note := func(at ast.Node, what string) { places = append(places, set.Position(at.Pos()).String()+": "+what) }
	ast.Inspect(parsed, func(n ast.Node) bool {
		selector, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if from, ok := selector.X.(*ast.Ident); ok && packages[from.Name] != "" {
			for _, opener := range openers[packages[from.Name]] {
				if selector.Sel.Name == opener {
					note(n, from.Name+"."+opener)
				}
			}
			return true
		}
		for _, opener := range ofValues {
			if selector.Sel.Name == opener {
				note(n, "method "+opener)
			}
		}
		return true
	})
	return places
}
