package parse

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/language"
	"cortex/lib/record"
)

// TestLanguages compares what File finds in testdata/LANGUAGE/* with the .golden file
// beside it: see listing for its lines. UPDATE_GOLDEN=1 rewrites them.
func TestLanguages(t *testing.T) {
	for _, name := range append(languages(), "jupyter") {
		files, err := filepath.Glob("testdata/" + name + "/*")
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, ".golden") })
		if len(files) == 0 {
			t.Errorf("%s has no case in testdata/%s", name, name)
		}
		for _, file := range files {
			t.Run(name+"/"+filepath.Base(file), func(t *testing.T) {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Base(file)
				lang := language.Detect(path, data)
				if lang.Name != name {
					t.Fatalf("detected as %s", lang.Name)
				}
				f := File(path, lang, data)
				checkFile(t, f)
				got := listing(f)
				golden := file + ".golden"
				if os.Getenv("UPDATE_GOLDEN") != "" {
					if err := os.WriteFile(golden, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(golden)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), string(got)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}

// listing writes a record for people: a symbol a line with its lines, "+" if it is exported,
// kind, qualified name and signature, then its documentation, indented, with the line
// at which that begins.
func listing(f *record.File) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "status %s, errors %d, package %q, tags %q\n", f.Status, f.ErrorCount, f.Package, f.Tags)
	fmt.Fprintf(&b, "imports %s\n", strings.Join(f.Imports, " "))
	for _, s := range f.Symbols {
		mark := " "
		if s.Exported {
			mark = "+"
		}
		fmt.Fprintf(&b, "%d-%d %s %s %s (%s): %s\n", s.StartLine, s.EndLine, mark, s.Kind, s.QualifiedName, s.Parent, s.Signature)
		if s.Doc != "" {
			fmt.Fprintf(&b, "\t%d> %s\n", s.DocLine, strings.ReplaceAll(s.Doc, "\n", "\n\t\t"))
		}
	}
	for _, br := range f.Breaks {
		fmt.Fprintf(&b, "break %d at depth %d\n", br.Line(), br.Depth())
	}
	return b.Bytes()
}
