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

// parseFile returns the record of a file.
func parseFile(path string, lang language.Language, data []byte) *record.File {
	w := newWorker()
	defer w.Close()
	return w.file(path, lang, data)
}

// TestLanguages compares what is found in testdata/LANGUAGE/* with the .golden and .references.golden files
// beside it: see listing and referenceListing for their lines. UPDATE_GOLDEN=1 rewrites them.
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
				f := parseFile(path, lang, data)
				checkFile(t, f)
				compareGolden(t, file+".golden", listing(f))
				compareGolden(t, file+".references.golden", referenceListing(f))
			})
		}
	}
}

// compareGolden compares got with a golden file; there is none where got is empty.
func compareGolden(t *testing.T, golden string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		err := os.Remove(golden)
		if len(got) > 0 {
			err = os.WriteFile(golden, got, 0o644)
		}
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil && !(os.IsNotExist(err) && len(got) == 0) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// referenceListing writes the references of a record for people, one a line, below the symbol that they stand in: lines, relation,
// receiver and name, and of an import the module; then its typings and mappings.
func referenceListing(f *record.File) []byte {
	var b bytes.Buffer
	symbol := "\x00"
	for _, r := range f.References {
		if r.Symbol != symbol {
			symbol = r.Symbol
			fmt.Fprintf(&b, "in %q\n", symbol)
		}
		fmt.Fprintf(&b, "\t%s ", r.Relation)
		if r.Relation == record.Imports {
			fmt.Fprintf(&b, "%q from %q", r.Name, r.Module)
		} else if r.Receiver != "" {
			fmt.Fprintf(&b, "%s . %s", r.Receiver, r.Name)
		} else {
			b.WriteString(r.Name)
		}
		if r.Alias != "" {
			fmt.Fprintf(&b, " as %q", r.Alias)
		}
		fmt.Fprintf(&b, " %v\n", r.Lines)
	}
	for _, t := range f.Typings {
		fmt.Fprintf(&b, "%d: type of %q . %q is %s", t.Line, t.Symbol, t.Name, t.Value)
		if t.Signature != "" {
			fmt.Fprintf(&b, " with signature %s", t.Signature)
		}
		b.WriteByte('\n')
	}
	for _, m := range f.Mappings {
		fmt.Fprintf(&b, "module %q in %q\n", m.Module, m.Path)
	}
	return b.Bytes()
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

// languages returns the names of the languages that have a grammar.
func languages() []string {
	var names []string
	for _, l := range Languages() {
		if l.Depth == "full" || l.Depth == "structure" {
			names = append(names, l.Name)
		}
	}
	return names
}
