package chunk_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/chunk"
	"cortex/lib/parse"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
)

// parsed returns the record of a file with the given bytes, alone in its tree.
func parsed(path string, data []byte) *record.File {
	root, err := os.MkdirTemp("", "cortex-chunk-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	if err := os.WriteFile(filepath.Join(root, filepath.Base(path)), data, 0o666); err != nil {
		panic(err)
	}
	files, err := parsedTree(root)
	if err != nil || len(files) != 1 {
		panic(fmt.Sprintf("parse %s: %d records: %v", path, len(files), err))
	}
	files[0].FilePath = path
	return files[0]
}

// parsedTree are the records of the files of a tree.
func parsedTree(root string) (files []*record.File, err error) {
	var lines strings.Builder
	if err := parse.Run(context.Background(), jsonl.NewWriter(&lines), parse.Options{Source: source.Options{Root: root}, Jobs: 2}); err != nil {
		return nil, err
	}
	for in := jsonl.NewReader(strings.NewReader(lines.String()), root); ; {
		line, err := in.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		r, err := line.Decode()
		if err != nil {
			return nil, err
		}
		if f, ok := r.(*record.File); ok {
			files = append(files, f)
		}
	}
}

// samples returns the files in testdata/code, by the paths that they stand for.
func samples(t testing.TB) map[string]*record.File {
	names, err := filepath.Glob("testdata/code/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	out := map[string]*record.File{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimSuffix(filepath.Base(name), ".txt")
		out[path] = parsed("src/"+path, data)
	}
	return out
}

// TestGolden compares the chunks of small files with approved output. UPDATE_GOLDEN=1 rewrites the goldens.
func TestGolden(t *testing.T) {
	for name, f := range samples(t) {
		t.Run(name, func(t *testing.T) {
			chunks := chunk.File(f, "", chunk.DefaultOptions())
			checkChunks(t, f, chunks, chunk.DefaultOptions())
			got := readable(chunks)
			golden := filepath.Join("testdata/code", name+".golden")
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("chunks differ (-want +got):\n%s", diff)
			}
		})
	}
}

// readable writes chunks for the eye: identifier, title, tags and metadata above the text.
func readable(chunks []*record.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		m := c.Metadata
		fmt.Fprintf(&b, "=== %s\ntitle: %s\ntags: %s\nlines: %d-%d bytes: %d-%d\n", c.ID, c.Title, strings.Join(c.Tags, " "), m.StartLine, m.EndLine, m.ByteStart, m.ByteEnd)
		if m.SymbolName != "" {
			fmt.Fprintf(&b, "symbol: %s %s %q %s\n", m.SymbolType, m.SymbolName, m.SymbolSignature, m.Hierarchy)
		}
		for _, s := range m.Symbols {
			fmt.Fprintf(&b, "declares: %s %s line %d\n", s.Type, s.Name, s.Line)
		}
		if len(m.Repeats) > 0 {
			fmt.Fprintf(&b, "repeats: %v\n", m.Repeats)
		}
		fmt.Fprintf(&b, "---\n%s\n", c.Text)
	}
	return b.String()
}

// TestTrees checks the properties of chunks of real files: those of this repository, and of the folders in
// CORTEX_TEST_TREES, a list like PATH.
func TestTrees(t *testing.T) {
	roots := append([]string{"../.."}, filepath.SplitList(os.Getenv("CORTEX_TEST_TREES"))...)
	if testing.Short() {
		roots[0] = "."
	}
	for _, root := range roots {
		var files, source, text int
		all, err := parsedTree(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			if f.Status.Indexed() {
				chunks := chunk.File(f, "", chunk.DefaultOptions())
				checkChunks(t, f, chunks, chunk.DefaultOptions())
				files++
				source += len(f.Text)
				for _, c := range chunks {
					text += len(c.Text)
				}
			}
		}
		if files < 20 {
			t.Errorf("%s: %d files are too few to mean anything", root, files)
		}
		if factor := float64(text) / float64(source); factor > 2 {
			t.Errorf("%s: %d bytes become %d of chunks, a factor of %.2f", root, source, text, factor)
		}
	}
}

// headRoom is the greatest number of characters that a head adds to the text of a chunk.
const headRoom = 900

// checkChunks checks properties that the chunks of any file have.
func checkChunks(t testing.TB, f *record.File, chunks []*record.Chunk, opts chunk.Options) {
	t.Helper()
	lines := strings.SplitAfter(f.Text, "\n")
	shown := make([]bool, len(lines))
	bytes := make([]bool, len(f.Text))
	valid := utf8.ValidString(f.Text)
	start := make([]int, len(lines)+1)
	for i, line := range lines {
		start[i+1] = start[i] + len(line)
	}
	ids := map[string]bool{}
	for _, c := range chunks {
		if ids[c.ID] {
			t.Errorf("%s: identifier %q is given twice", f.FilePath, c.ID)
		}
		ids[c.ID] = true
		m := c.Metadata
		if m.StartLine < 1 || m.EndLine < m.StartLine || m.EndLine > len(lines) || m.ByteStart < 0 || m.ByteEnd < m.ByteStart || m.ByteEnd > len(f.Text) {
			t.Fatalf("%s: %s: span outside the text: %+v", f.FilePath, c.ID, m)
		}
		if strings.ContainsFunc(c.ID+c.Title+m.SymbolName+m.SymbolSignature, func(r rune) bool { return r < ' ' }) {
			t.Errorf("%s: control character in %q or %q", f.FilePath, c.ID, c.Title)
		}
		if n := utf8.RuneCountInString(m.SymbolSignature); n > 200 {
			t.Errorf("%s: signature of %d characters", c.ID, n)
		}
		names := 0
		for _, s := range m.Symbols {
			names += len(s.Name)
			if s.Name == "" || s.Line < m.StartLine || s.Line > m.EndLine {
				t.Errorf("%s: lines %d-%d declare %+v", c.ID, m.StartLine, m.EndLine, s)
			}
		}
		if names > 4*opts.CodeSize {
			t.Errorf("%s: %d bytes of names", c.ID, names)
		}
		limit := opts.CodeSize + headRoom
		verbatim := c.ChunkType == record.Implementations || c.ChunkType == record.Documentation
		source := f.Text[m.ByteStart:m.ByteEnd]
		// Other tiers show pieces of a long line too.
		if verbatim || strings.HasSuffix(c.Text, source) {
			if !strings.HasSuffix(c.Text, source) {
				t.Errorf("%s: text does not end with its bytes", c.ID)
			}
			if m.ByteStart < start[m.StartLine-1] || m.ByteStart >= start[m.StartLine] {
				t.Errorf("%s: starts at byte %d, outside line %d", c.ID, m.ByteStart, m.StartLine)
			}
			if last := m.StartLine + strings.Count(source, "\n"); last != m.EndLine {
				t.Errorf("%s: ends in line %d, says %d", c.ID, last, m.EndLine)
			}
			for i := m.ByteStart; i < m.ByteEnd; i++ {
				bytes[i] = true
			}
		}
		if n := utf8.RuneCountInString(c.Text); c.ChunkType != record.Documentation && n > limit {
			t.Errorf("%s: %d characters", c.ID, n)
		}
		if valid && !utf8.ValidString(c.Text+c.Title+c.ID) {
			t.Errorf("%s: not UTF-8", c.ID)
		}
		// Lines that repeat others do not count.
		has := map[string]bool{}
		for i, line := range strings.Split(c.Text, "\n") {
			repeats := slices.ContainsFunc(m.Repeats, func(r record.LineRange) bool { return r[0] <= i+1 && i+1 <= r[1] })
			if !repeats && c.ChunkType != record.Symbols {
				has[strings.TrimRight(line, "\r")] = true
			}
		}
		for i, r := range m.Repeats {
			if r[0] < 1 || r[1] < r[0] || i > 0 && r[0] <= m.Repeats[i-1][1] {
				t.Errorf("%s: lines %v of the text repeat others", c.ID, m.Repeats)
			}
		}
		for i := m.StartLine - 1; i < m.EndLine; i++ {
			if !shown[i] && has[strings.TrimRight(lines[i], "\r\n")] {
				shown[i] = true
			}
		}
	}
	if !f.Status.Indexed() {
		if len(chunks) > 0 {
			t.Errorf("%s: %d chunks of a file that is %s", f.FilePath, len(chunks), f.Status)
		}
		return
	}
	for i, line := range lines {
		if !shown[i] && strings.TrimSpace(line) != "" && !covered(line, start[i], bytes) {
			t.Errorf("%s:%d: no chunk has the line %.80q", f.FilePath, i+1, line)
		}
	}
}

// covered reports whether chunks have all bytes of a cut line that are not blank. bytes says which bytes of the file
// they have, and at is the offset of the line.
func covered(line string, at int, bytes []bool) bool {
	for i := range len(line) {
		if line[i] > ' ' && !bytes[at+i] {
			return false
		}
	}
	return true
}

// TestFilesNeverShareAnIdentifier has files whose names are the ends of identifiers of others.
func TestFilesNeverShareAnIdentifier(t *testing.T) {
	long := strings.Repeat("call(1)\n\n", 2000)
	seen := map[string]string{}
	for _, f := range []*record.File{
		{FilePath: "a.go", Language: "go", Text: "package a\n\nfunc A() {}\n\nfunc B() {}\n", Symbols: []record.Symbol{symbol(record.Function, "A", 3, 3, 11, 22), symbol(record.Function, "A~2", 5, 5, 24, 35)}},
		{FilePath: "a.go#A", Text: "evil\n"},
		{FilePath: "a.go#A~2", Text: "evil\n"},
		{FilePath: "a.go%23A", Text: "evil\n"},
		{FilePath: "a.x", Text: long},
		{FilePath: "a.x~2", Text: "evil\n"},
		{FilePath: "a.x%7E2", Text: "evil\n"},
		{FilePath: "d.md", Language: "markdown", Text: "# D\n\n" + long + "## Install\n\n" + long + "## Install\n\n" + long},
		{FilePath: "d.md#install", Language: "markdown", Text: "evil\n"},
		{FilePath: "d.md~2", Language: "markdown", Text: "evil\n"},
		{FilePath: "d.md#install~2", Language: "markdown", Text: "evil\n"},
		{FilePath: "d.md#d/install", Language: "markdown", Text: "evil\n"},
	} {
		f.Status = record.StatusOK
		for _, c := range chunk.File(f, "", chunk.Options{}) {
			if other, ok := seen[c.ID]; ok {
				t.Errorf("%s is of %s and of %s", c.ID, other, f.FilePath)
			}
			seen[c.ID] = f.FilePath
		}
	}
}

// TestPageWithSectionsIsADocument: the parser says which pages in HTML are documents by giving their headings a text.
func TestPageWithSectionsIsADocument(t *testing.T) {
	f := &record.File{FilePath: "a.html", Language: "html", Status: record.StatusOK, Text: "<h1>A</h1>\n<p>text</p>\n",
		Symbols: []record.Symbol{{Kind: record.Heading, Name: "A", QualifiedName: "A", StartLine: 1, EndLine: 2, EndByte: 23}}}
	for body, want := range map[int]bool{0: false, 11: true} {
		f.Symbols[0].BodyByte = body
		for _, c := range chunk.File(f, "", chunk.DefaultOptions()) {
			if (c.ChunkType == record.Documentation) != want {
				t.Errorf("body at byte %d: %s is %s", body, c.ID, c.ChunkType)
			}
		}
	}
}
