package status

import (
	"os"
	"path/filepath"
	"testing"

	"cortex/lib/source"
	"cortex/lib/store"
)

func TestFindNewer(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(p *project)
		want   Newer
	}{
		{"nothing", func(*project) {}, Newer{}},
		{"touched", func(p *project) { p.write("a.txt", "text of a.txt\n") }, Newer{}},
		{"changed", func(p *project) { p.write("d/c.txt", "TEXT of d/c.txt\n") }, Newer{Path: "d/c.txt"}},
		{"new", func(p *project) { p.write("d/e.txt", "new") }, Newer{Path: "d/e.txt", New: true}},
		{"new in a new folder", func(p *project) { p.write("d/e/f.txt", "new") }, Newer{Path: "d/e/f.txt", New: true}},
		{"new and ignored", func(p *project) { p.write(".gitignore", "*.txt\n.gitignore\n"); p.write("d/e.txt", "new") }, Newer{}},
		{"new and skipped", func(p *project) { p.write("d/e.png", "\x00\x01") }, Newer{}},
		{"in git's folder", func(p *project) { p.write(".git/HEAD", "ref: refs/heads/main\n") }, Newer{}},
		{"skipped", func(p *project) { p.write("d/pic.png", "other") }, Newer{}},
		{"text that becomes none", func(p *project) { p.write("a.txt", "\x00\x01") }, Newer{}},
		// FindNewer does not report deleted files.
		{"deleted", func(p *project) { p.check(os.Remove(filepath.Join(p.root, "b.txt"))) }, Newer{}},
		{"elsewhere", func(p *project) {
			for _, name := range []string{"a.txt", "b.txt", "d"} {
				p.check(os.RemoveAll(filepath.Join(p.root, name)))
			}
			p.write("other.txt", "x")
		}, Newer{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProject(t, "")
			test.change(p)
			if got := p.newer(2000); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
	p := newProject(t, "")
	p.write("a.txt", "changed")
	if got := p.newer(0); got != (Newer{}) {
		t.Errorf("of no files: got %+v", got)
	}
}

// newer calls FindNewer with the files that search knows.
func (p *project) newer(most int) Newer {
	p.t.Helper()
	dir := filepath.Join(p.root, store.Dir)
	g, err := store.Open(p.t.Context(), dir)
	p.check(err)
	defer g.Close()
	found, err := FindNewer(p.t.Context(), g, dir, p.root, []string{"a.txt", "b.txt", "d/c.txt"}, func(string) (source.Options, error) { return source.Options{}, nil }, most)
	p.check(err)
	return found
}
