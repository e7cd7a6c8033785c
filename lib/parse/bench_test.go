package parse

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	sitter "github.com/tree-sitter/go-tree-sitter"
	"golang.org/x/sys/unix"

	"cortex/lib/parse/extract"
	"cortex/lib/parse/grammar"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
)

// A benchFile is a file of a tree.
type benchFile struct {
	tree  *source.Folder
	entry source.Entry
	path  string
	text  string
}

// BenchmarkTrees compares, for each language in the folders of BENCH_DIRS (default: the golden
// cases), all that cortex-parse does with its files, from reading to the encoded record, with
// reading them and parsing them with tree-sitter alone, which includes the scripts and styles in pages, each with its
// own grammar. The two take turns file by file on one core; the ratio is the
// median of the rounds. scripts/parse-bench runs it.
func BenchmarkTrees(b *testing.B) {
	files := map[string][]benchFile{}
	dirs := strings.Fields(os.Getenv("BENCH_DIRS"))
	if len(dirs) == 0 {
		dirs = []string{"testdata"}
	}
	for _, dir := range dirs {
		addBenchFiles(b, files, dir)
	}
	most, err := strconv.ParseFloat(cmp.Or(os.Getenv("BENCH_MB"), "inf"), 64)
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b.Run(name, func(b *testing.B) { benchmarkFiles(b, name, sample(files[name], most)) })
	}
}

// sample is every n-th of the files, so that they hold about as many megabytes as wanted.
func sample(files []benchFile, megabytes float64) []benchFile {
	size := 0
	for _, f := range files {
		size += len(f.text)
	}
	n := max(1, int(float64(size)/1e6/megabytes))
	var out []benchFile
	for i := 0; i < len(files); i += n {
		out = append(out, files[i])
	}
	return out
}

// addBenchFiles adds the files below dir that are parsed, by language.
func addBenchFiles(b *testing.B, files map[string][]benchFile, dir string) {
	root, err := filepath.Abs(dir)
	if err != nil {
		b.Fatal(err)
	}
	entries, err := source.Walk(context.Background(), source.Options{Root: root})
	if err != nil {
		b.Fatal(err)
	}
	tree, err := source.OpenFolder(root)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { tree.Close() })
	for _, e := range entries {
		data, lang, skip, err := tree.Read(e, 0)
		if err != nil {
			b.Fatal(err)
		}
		if skip == "" && grammar.For(lang.Name, e.Path) != nil {
			files[lang.Name] = append(files[lang.Name], benchFile{tree, e, filepath.Join(root, filepath.FromSlash(e.Path)), validText(data)})
		}
	}
}

func benchmarkFiles(b *testing.B, name string, files []benchFile) {
	w := newWorker()
	defer w.Close()
	var line []byte
	var size int64
	whole := func(f benchFile) {
		r, err := w.entry(f.tree, f.entry, 0, nil)
		if err != nil {
			b.Fatal(err)
		}
		if line, err = jsonl.Append(line[:0], r); err != nil {
			b.Fatal(err)
		}
	}
	bare := make([][]benchText, len(files))
	for i, f := range files {
		size += int64(len(f.text))
		whole(f) // compiles the query
		bare[i] = benchTexts(w, name, f)
	}
	alone := sitter.NewParser()
	defer alone.Close()
	var ratios, parses, wholes []float64
	for b.Loop() {
		var parse, all time.Duration
		for i, f := range files {
			parse += cpu(b, func() {
				if _, err := os.ReadFile(f.path); err != nil {
					b.Fatal(err)
				}
				for _, t := range bare[i] {
					if err := alone.SetLanguage(t.language); err != nil {
						b.Fatal(err)
					}
					alone.Parse(t.text, nil).Close()
				}
			})
			all += cpu(b, func() { whole(f) })
		}
		ratios = append(ratios, float64(all)/float64(parse))
		parses = append(parses, float64(size)/1e6/parse.Seconds())
		wholes = append(wholes, float64(size)/1e6/all.Seconds())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(len(files)), "files")
	b.ReportMetric(float64(size)/1e6, "MB")
	b.ReportMetric(median(parses), "MB/s-parsing")
	b.ReportMetric(median(wholes), "MB/s-all")
	b.ReportMetric(median(ratios), "ratio")
}

// A benchText is what tree-sitter parses of a file.
type benchText struct {
	language *sitter.Language
	text     []byte
}

// benchTexts are a file and what in it is parsed as another language.
func benchTexts(w *worker, name string, f benchFile) []benchText {
	g := grammar.For(name, f.entry.Path)
	segments := w.Extract(&record.File{FilePath: f.entry.Path, Text: f.text}, g, f.text)
	texts := []benchText{{sitter.NewLanguage(g.Language()), []byte(f.text)}}
	for _, s := range extract.Distinct(segments) {
		if g := grammar.For(s.Language, f.entry.Path); g != nil && s.Start < s.End {
			texts = append(texts, benchText{sitter.NewLanguage(g.Language()), []byte(f.text[s.Start:s.End])})
		}
	}
	return texts
}

// cpu is the processor time of the process that f takes, with its part of collecting garbage.
func cpu(b *testing.B, f func()) time.Duration {
	var start, end unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &start); err != nil {
		b.Fatal(err)
	}
	f()
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &end); err != nil {
		b.Fatal(err)
	}
	return time.Duration(end.Nano() - start.Nano())
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// BenchmarkCompile compiles the queries. Each should take less than 40 ms.
func BenchmarkCompile(b *testing.B) {
	for _, g := range grammar.All() {
		b.Run(g.Name, func(b *testing.B) {
			for b.Loop() {
				if _, err := g.Program(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
