package parse

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"cortex/lib/language"
	"cortex/lib/parse/extract"
	"cortex/lib/parse/grammar"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
)

// A file of Python belongs to the module by whose name it is imported.
func TestModuleOfPython(t *testing.T) {
	w := newWorker()
	defer w.Close()
	for path, want := range map[string]string{
		"a.py": "a", "a/b/c.py": "a.b.c", "a/b/__init__.py": "a.b", "src/a/b.py": "a.b", "__init__.py": "", "a/x.d.pyi": "a.x",
	} {
		if got := w.file(path, language.Language{Name: "python"}, []byte("x = 1\n")).Package; got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// TestInvariantsHoldOnCutsOfTheCases parses the golden cases broken off after every so
// many bytes and with pieces left out.
func TestInvariantsHoldOnCutsOfTheCases(t *testing.T) {
	cuts := 8
	if testing.Short() {
		cuts = 2
	}
	for _, name := range languages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorker()
			defer w.Close()
			check := func(data []byte) { checkFile(t, w.file("x", language.Language{Name: name}, data)) }
			for _, data := range cases(t, name) {
				for i := 0; i < len(data); i += 1 + len(data)/cuts {
					check(data[:i])
					check(append(bytes.Clone(data[:i]), data[min(len(data), i+17):]...))
				}
			}
		})
	}
}

// cases are the golden cases of a language.
func cases(t testing.TB, name string) [][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/" + name + "/*")
	if err != nil {
		t.Fatal(err)
	}
	var out [][]byte
	for _, file := range files {
		if strings.HasSuffix(file, ".golden") {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, data)
	}
	return out
}

func TestBreaksStayOutsideOfHeads(t *testing.T) {
	body := strings.Repeat("        step = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'\n", 40)
	text := "import a\n\n# Doc of C.\n@first\n# between\n@second\nclass C:\n    # doc of m\n    @third\n    def m(self):\n" + body +
		"    # other\n    def n(self): pass\n"
	f := parseFile("x.py", language.Language{Name: "python"}, []byte(text))
	checkFile(t, f)
	var lines []int
	for _, b := range f.Breaks[:4] {
		lines = append(lines, b.Line())
	}
	// Before C with its comment and decorators, before m with its own, then within m.
	want := []int{3, 8, 11, 12}
	for i := range want {
		if lines[i] != want[i] {
			t.Fatalf("breaks at %v, want %v", lines, want)
		}
	}
	last := f.Breaks[len(f.Breaks)-1]
	if last.Line() != 51 || last.Depth() != f.Breaks[1].Depth() {
		t.Errorf("last break is %v, that of its sibling %v", last, f.Breaks[1])
	}
}

func TestTextIsValidUTF8WithoutByteOrderMark(t *testing.T) {
	for name, data := range map[string]string{
		"mark":    "\xef\xbb\xbfpackage a\nfunc Ä() {}\n",
		"invalid": "package a\nfunc Ä() {}\n// \xff\n",
		"utf-16":  "\xff\xfep\x00a\x00c\x00k\x00a\x00g\x00e\x00 \x00a\x00\n\x00f\x00u\x00n\x00c\x00 \x00\xc4\x00(\x00)\x00{\x00}\x00\n\x00",
	} {
		f := parseFile("a.go", language.Language{Name: "go"}, []byte(data))
		if !utf8.ValidString(f.Text) || strings.HasPrefix(f.Text, "\ufeff") || int(f.Size) != len(data) {
			t.Errorf("%s: text %q, size %d", name, f.Text, f.Size)
		}
		if len(f.Symbols) != 1 || f.Symbols[0].Name != "Ä" || f.Symbols[0].StartLine != 2 {
			t.Errorf("%s: symbols %+v", name, f.Symbols)
		}
	}
}

func TestManyMatchesAreNotLostSilently(t *testing.T) {
	if testing.Short() {
		t.Skip("parses large files")
	}
	t.Parallel()
	// More open matches than the query may hold, and more than one name can start.
	text := "package p\n\nvar " + strings.Repeat("a, ", 1000) + "b int\n"
	f := parseFile("a.go", language.Language{Name: "go"}, []byte(text))
	if f.Status == record.StatusOK && len(f.Symbols) < 2 {
		t.Errorf("status %s with %d symbols", f.Status, len(f.Symbols))
	}
	var b strings.Builder
	b.WriteString("package p\n\n")
	for range 4000 {
		b.WriteString("func f() {}\n\n// c\ntype t struct{ x int }\n")
	}
	f = parseFile("a.go", language.Language{Name: "go"}, []byte(b.String()))
	if f.Status != record.StatusOK || len(f.Symbols) != 8000 {
		t.Errorf("status %s (%s) with %d symbols", f.Status, f.Reason, len(f.Symbols))
	}
}

// FuzzLanguage is the fuzz target of the language that FUZZ_LANGUAGE names: see scripts/fuzz. Without
// it, the inputs that once found a fault are tried in every language.
func FuzzLanguage(f *testing.F) {
	names := languages()
	if name := os.Getenv("FUZZ_LANGUAGE"); name != "" {
		if grammar.For(name, "") == nil {
			f.Fatalf("no grammar for FUZZ_LANGUAGE %q", name)
		}
		names = []string{name}
		for _, data := range cases(f, name) {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range names {
			checkRecord(t, name, data)
		}
	})
}

// checkRecord checks the record of a file for what holds for every file.
func checkRecord(t *testing.T, name string, data []byte) {
	file := parseFile("x", language.Language{Name: name}, data)
	checkFile(t, file)
	line, err := jsonl.Append(nil, file)
	if err != nil {
		t.Fatal(err)
	}
	if limit := 20*len(data) + extract.SymbolBase + 4096; len(line) > limit {
		t.Errorf("%s: %d bytes of record from %d", name, len(line), len(data))
	}
	if _, err := (jsonl.Line{Name: "fuzz", Number: 1, Data: line}).Decode(); err != nil {
		t.Error(err)
	}
}
