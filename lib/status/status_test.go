package status

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// A project is a tree with its store.
type project struct {
	t    *testing.T
	root string
}

// newProject indexes a.txt, b.txt, d/c.txt and d/pic.png, and sets all times an hour back.
func newProject(t *testing.T, tree string) *project {
	p := &project{t, t.TempDir()}
	for _, name := range []string{"a.txt", "b.txt", "d/c.txt", "d/pic.png"} {
		p.write(name, "text of "+name+"\n")
	}
	p.index(tree, filepath.Join(p.root, store.Dir))
	return p
}

func (p *project) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) write(name, text string) {
	p.t.Helper()
	file := filepath.Join(p.root, name)
	p.check(os.MkdirAll(filepath.Dir(file), 0o777))
	p.check(os.WriteFile(file, []byte(text), 0o666))
}

// index stores the records of the files as cortex-parse would write them.
func (p *project) index(tree, dir string) {
	p.t.Helper()
	entries, err := source.Walk(p.t.Context(), source.Options{Root: p.root})
	p.check(err)
	var stream bytes.Buffer
	w := jsonl.NewWriter(&stream)
	p.check(w.Write(&record.Begin{Schema: record.Schema, Tree: tree, Mode: record.Full, Files: len(entries), Settings: map[string]string{}}))
	for _, e := range entries {
		f := &record.File{FilePath: e.Path, Size: e.Size, Status: record.StatusOK}
		if filepath.Ext(e.Path) == ".png" {
			f.Status, f.Reason = record.StatusSkipped, source.Binary
		} else {
			data, err := os.ReadFile(filepath.Join(p.root, e.Path))
			p.check(err)
			sum := sha256.Sum256(data)
			f.SHA256 = hex.EncodeToString(sum[:])
		}
		p.check(w.Write(f))
	}
	p.check(w.Write(&record.End{Files: len(entries)}))
	p.check(w.Flush())
	p.check(update.Run(p.t.Context(), jsonl.NewReader(&stream, "test"), update.Options{Dir: dir, Report: func(err error) { p.t.Error(err) }}))
}

func list(string) (source.Options, error) { return source.Options{}, nil }

// say returns the text about the sources in the status.
func (p *project) say(most bounds) string {
	p.t.Helper()
	dir := filepath.Join(p.root, store.Dir)
	m, indexed, err := store.ReadFiles(p.t.Context(), dir)
	p.check(err)
	all, err := compareAll(p.t.Context(), dir, p.root, m, indexed, list, most)
	p.check(err)
	var lines []string
	for i := range all {
		lines = append(lines, strings.ReplaceAll(all[i].String(), p.root, "ROOT"))
	}
	return strings.Join(lines, "; ")
}

var enough = bounds{files: mostFiles, time: time.Minute}

func TestSources(t *testing.T) {
	remove := func(name string) func(*project) {
		return func(p *project) { p.check(os.RemoveAll(filepath.Join(p.root, name))) }
	}
	for _, test := range []struct {
		name   string
		change func(p *project)
		want   string
	}{
		{"nothing", func(*project) {}, "up to date: 4 files in ROOT"},
		{"touched", func(p *project) { p.write("a.txt", "text of a.txt\n") }, "up to date: 4 files in ROOT"},
		{"same size", func(p *project) { p.write("a.txt", "TEXT of a.txt\n") }, "1 changed, 0 new, 0 deleted since, of 4 files in ROOT"},
		{"same size and an old time", func(p *project) {
			p.write("a.txt", "TEXT of a.txt\n")
			old := time.Now().Add(-24 * time.Hour)
			p.check(os.Chtimes(filepath.Join(p.root, "a.txt"), old, old))
		}, "1 changed, 0 new, 0 deleted since, of 4 files in ROOT"},
		{"another size", func(p *project) { p.write("d/c.txt", "more of the text of it\n") }, "1 changed, 0 new, 0 deleted since, of 4 files in ROOT"},
		{"a picture", func(p *project) { p.write("d/pic.png", "other") }, "up to date: 4 files in ROOT"},
		{"new", func(p *project) { p.write("d/e/f.txt", "new") }, "0 changed, 1 new, 0 deleted since, of 4 files in ROOT"},
		{"ignored", func(p *project) { p.write(".gitignore", "*.txt\n") }, "0 changed, 1 new, 3 deleted since, of 4 files in ROOT"},
		{"deleted", remove("b.txt"), "0 changed, 0 new, 1 deleted since, of 4 files in ROOT"},
		{"a folder deleted", remove("d"), "0 changed, 0 new, 2 deleted since, of 4 files in ROOT"},
		{"a folder renamed", func(p *project) { p.check(os.Rename(filepath.Join(p.root, "d"), filepath.Join(p.root, "e"))) },
			"0 changed, 2 new, 2 deleted since, of 4 files in ROOT"},
		{"a file becomes text that was skipped", func(p *project) { p.write("a.txt", "\x00\x01") }, "1 changed, 0 new, 0 deleted since, of 4 files in ROOT"},
		{"the sources are elsewhere", func(p *project) { remove("a.txt")(p); remove("b.txt")(p); remove("d")(p); p.write("other.txt", "x") },
			"unknown: none of 4 files of the index is in ROOT"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProject(t, "")
			test.change(p)
			if got := p.say(enough); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Without enough time, the status claims nothing beyond what was checked.
func TestSourcesWithinBounds(t *testing.T) {
	p := newProject(t, "")
	if got, want := p.say(bounds{files: mostFiles}), "unknown: no change among the files that there was time to look at, of 4 files in ROOT"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// The root is read, but nothing is known about d.
	p.write("new.txt", "new")
	p.check(os.RemoveAll(filepath.Join(p.root, "d")))
	p.write("d/x", "y")
	p.check(os.Remove(filepath.Join(p.root, "b.txt")))
	if got, want := p.say(bounds{files: 1, time: time.Minute}), "at least 0 changed, 1 new, 1 deleted since, of 4 files in ROOT"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSourcesOfTreesWithNames(t *testing.T) {
	p := newProject(t, "")
	p.index("x", filepath.Join(p.root, store.Dir))
	if got, want := p.say(enough), "up to date: 4 files in ROOT; tree x: unknown: the index does not tell where the tree is"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Neither a clock set back after the commit nor an invented epoch hides a change.
func TestSourcesWithAClockThatTellsNothing(t *testing.T) {
	for _, at := range []string{"2099-01-01T00:00:00Z", "1999-01-01T00:00:00Z", "nonsense"} {
		p := newProject(t, "")
		m, err := store.ReadManifest(filepath.Join(p.root, store.Dir))
		p.check(err)
		file := filepath.Join(p.root, store.Dir, store.ManifestName)
		data, err := os.ReadFile(file)
		p.check(err)
		p.check(os.WriteFile(file, bytes.Replace(data, []byte(m.GeneratedAt), []byte(at), 1), 0o666))
		p.write("a.txt", "TEXT of a.txt\n")
		if got, want := p.say(enough), "1 changed, 0 new, 0 deleted since, of 4 files in ROOT"; got != want {
			t.Errorf("generated at %s: got %q, want %q", at, got, want)
		}
	}
}

// A shard with a path that leads out of the tree is reported as damaged, and Folders terminates for any text.
func TestHostilePaths(t *testing.T) {
	p := newProject(t, "")
	file := filepath.Join(p.root, store.Dir, "shards", "00.jsonl")
	data, err := os.ReadFile(file)
	p.check(err)
	before := sha256.Sum256(data)
	data = bytes.ReplaceAll(data, []byte(`"a.txt"`), []byte(`"/a.txt"`))
	after := sha256.Sum256(data)
	p.check(os.WriteFile(file, data, 0o666))
	manifest := filepath.Join(p.root, store.Dir, store.ManifestName)
	m, err := store.ReadManifest(filepath.Join(p.root, store.Dir))
	p.check(err)
	text, err := os.ReadFile(manifest)
	p.check(err)
	text = bytes.Replace(text, []byte(hex.EncodeToString(before[:])), []byte(hex.EncodeToString(after[:])), 1)
	text = bytes.Replace(text, fmt.Appendf(nil, `"size":%d`, m.Shards[0].Size), fmt.Appendf(nil, `"size":%d`, len(data)), 1)
	p.check(os.WriteFile(manifest, text, 0o666))
	p.check(os.Remove(filepath.Join(p.root, "a.txt")))
	if _, err := Read(t.Context(), filepath.Join(p.root, store.Dir), p.root, list); err == nil || !strings.Contains(err.Error(), "00.jsonl:1: damaged") || !strings.Contains(err.Error(), `file_path "/a.txt": it is not relative to the root of the tree`) {
		t.Errorf("got %v", err)
	}
}

func TestRead(t *testing.T) {
	p := newProject(t, "")
	dir := filepath.Join(p.root, store.Dir)
	s, err := Read(t.Context(), dir, p.root, list)
	p.check(err)
	var out strings.Builder
	p.check(s.Write(&out))
	want := fmt.Sprintf("index       %s\ngeneration  1 of %s\nmodel       none: search by words only\nchunks      0\nsources     up to date: 4 files in %s\n", dir, s.GeneratedAt, p.root)
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	if _, err := Read(t.Context(), filepath.Join(t.TempDir(), store.Dir), p.root, list); err == nil || !strings.Contains(err.Error(), "no index in ") {
		t.Errorf("got %v", err)
	}
}

// TestGlance looks repeatedly while files and the store change.
func TestGlance(t *testing.T) {
	p := newProject(t, "")
	dir := filepath.Join(p.root, store.Dir)
	var g Glance
	look := func(whole bool, most time.Duration, files int, first ...string) {
		t.Helper()
		n, err := g.Look(t.Context(), dir, p.root, list, most)
		if diff := cmp.Diff(Newest{Files: files, First: first, Whole: whole}, n); diff != "" || err != nil {
			t.Error(diff, err)
		}
	}
	look(true, time.Minute, 0)
	p.write("a.txt", "another text\n")
	p.write("new.txt", "new\n")
	look(true, time.Minute, 2, "a.txt", "new.txt")
	p.check(os.Remove(filepath.Join(p.root, "b.txt")))
	look(true, time.Minute, 3, "a.txt", "new.txt")
	p.check(os.Remove(filepath.Join(p.root, "new.txt")))
	look(true, time.Minute, 2, "a.txt", "b.txt")
	p.index("", dir)
	look(true, time.Minute, 0)
	p.check(os.RemoveAll(filepath.Join(p.root, "d")))
	look(true, time.Minute, 2, "d/c.txt", "d/pic.png")
	p.index("", dir)
	look(true, time.Minute, 0)
	// Without notices, a look takes only the given time, and is not repeated soon after a slow one.
	g.Close()
	g.root = p.root
	g.took.Store(0)
	look(false, 0, 0)
	g.took.Store(int64(time.Hour))
	look(false, time.Minute, 0)
	g.took.Store(int64(time.Second))
	look(true, time.Minute, 0)
	if _, err := g.Look(t.Context(), filepath.Join(p.root, "none"), p.root, list, time.Minute); err == nil {
		t.Error("no error")
	}
	p.write("a.txt", "yet another text\n")
	broken := errors.New("config.yml:1: unknown key")
	if _, err := g.Look(t.Context(), dir, p.root, func(string) (source.Options, error) { return source.Options{}, broken }, time.Minute); err != broken {
		t.Errorf("settings that cannot be read: %v", err)
	}
}

// TestGlanceSeesWhatHappened looks after each of many changes, and after none, which on Linux does not read the files.
func TestGlanceSeesWhatHappened(t *testing.T) {
	p := newProject(t, "")
	dir := filepath.Join(p.root, store.Dir)
	var g Glance
	defer g.Close()
	at := func(name string) string { return filepath.Join(p.root, name) }
	write := func(name, text string) { p.write(name, text) }
	newer := 0
	look := func(name string, most time.Duration) {
		t.Helper()
		n, err := g.Look(t.Context(), dir, p.root, list, most)
		if err != nil || n.Files != newer || len(n.First) != min(newer, mostFirst) || !n.Whole {
			t.Errorf("%s: %+v, %v; want %d", name, n, err, newer)
		}
	}
	for _, c := range []struct {
		name  string
		newer int
		do    func()
	}{
		{"a file is written in place", 1, func() {
			f, err := os.OpenFile(at("a.txt"), os.O_WRONLY|os.O_APPEND, 0)
			p.check(err)
			_, err = f.WriteString("more\n")
			p.check(err)
			p.check(f.Close())
		}},
		{"a file is new in a new folder", 1, func() { write("deep/er/n.txt", "new\n") }},
		{"and another", 1, func() { write("deep/er/o.txt", "new\n") }},
		{"a file is replaced", 1, func() { write("tmp.txt~", "other\n"); p.check(os.Rename(at("tmp.txt~"), at("deep/er/n.txt"))) }},
		{"a folder is renamed", 4, func() { p.check(os.Rename(at("deep"), at("moved"))) }},
		{"a file in it is written", 1, func() { write("moved/er/o.txt", "newer\n") }},
		{"a file is deleted", 1, func() { p.check(os.Remove(at("moved/er/o.txt"))) }},
		{"a folder is ignored", 2, func() { write(".gitignore", "/moved/\n") }},
	} {
		p.index("", dir)
		newer = 0
		look("before "+c.name, time.Minute)
		if runtime.GOOS == "linux" {
			look("still before "+c.name, 0)
		}
		c.do()
		newer = c.newer
		look(c.name, time.Minute)
		look(c.name+", again", time.Minute)
		if runtime.GOOS == "linux" {
			g.took.Store(int64(longLook)) // as on a busy machine
			look(c.name+", soon after a slow look", longLook/10)
		}
	}
}
