package source

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// largeTree creates 20,000 files in 2,000 folders, a tenth of which have an ignore file, and 4,000 more files in
// excluded folders.
func largeTree(b *testing.B) string {
	b.Helper()
	root := b.TempDir()
	git(b, root, "init", "-q")
	var top strings.Builder
	for i := range 200 {
		fmt.Fprintf(&top, "*.ext%d\n/some/path%d\nname%d/\ngen_*_%d.go\n", i, i, i, i)
	}
	files := map[string]string{".gitignore": top.String()}
	for i := range 2000 {
		dir := fmt.Sprintf("pkg%d/sub%d/leaf%d", i%20, i%200, i)
		if i%10 == 0 {
			files[dir+"/.gitignore"] = "*.log\n/local\n!keep.log\n"
		}
		for j := range 10 {
			files[fmt.Sprintf("%s/file_%d.go", dir, j)] = "package x\n"
		}
		for j := range 2 {
			files[fmt.Sprintf("node_modules/m%d/f%d.js", i, j)] = "x\n"
		}
	}
	write(b, root, files)
	return root
}

func BenchmarkWalk20000(b *testing.B) {
	root := largeTree(b)
	b.Run("Walk", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if n := len(walk(b, Options{Root: root})); n != 20201 {
				b.Fatal(n)
			}
		}
	})
	b.Run("WalkWithGlobs", func(b *testing.B) {
		b.ReportAllocs()
		opts := Options{Root: root, Code: []string{"**/*.{go,ts,py}"}, Ignore: []string{"**/testdata/**", "third_party/**"}}
		for b.Loop() {
			if n := len(walk(b, opts)); n != 20000 {
				b.Fatal(n)
			}
		}
	})
	b.Run("Read", func(b *testing.B) {
		b.ReportAllocs()
		entries := walk(b, Options{Root: root})
		tree, err := OpenFolder(root)
		if err != nil {
			b.Fatal(err)
		}
		defer tree.Close()
		for b.Loop() {
			for _, e := range entries {
				if _, _, skip, err := tree.Read(e, 0); err != nil || skip != "" {
					b.Fatal(e, skip, err)
				}
			}
		}
	})
	for _, c := range [][]string{
		{"git", "ls-files", "-co", "--exclude-standard"},
		{"find", ".", "-type", "f"},
	} {
		b.Run(c[0], func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command(c[0], c[1:]...)
				cmd.Dir = root
				if err := cmd.Run(); err != nil {
					b.Skip(err)
				}
			}
		})
	}
}

// BenchmarkJudge measures the checks of one file of 64 KiB.
func BenchmarkJudge(b *testing.B) {
	text := []byte(strings.Repeat("func (s *Server) Handle(w http.ResponseWriter, r *http.Request) { return }\n", 900))
	root := b.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.go"), text, 0o644); err != nil {
		b.Fatal(err)
	}
	tree, err := OpenFolder(root)
	if err != nil {
		b.Fatal(err)
	}
	defer tree.Close()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tree.Read(Entry{Path: "a.go"}, 0)
	}
}
