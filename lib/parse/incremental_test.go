package parse

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cortex/lib/chunk"
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
	said []string
}

func newProject(t *testing.T, files string) *project {
	p := &project{t: t, root: t.TempDir()}
	for name := range strings.FieldsSeq(files) {
		p.write(name, "text of "+name+"\n")
	}
	return p
}

func (p *project) write(name, text string) {
	p.t.Helper()
	path := filepath.Join(p.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) remove(name string) {
	p.t.Helper()
	if err := os.RemoveAll(filepath.Join(p.root, name)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) store() string { return filepath.Join(p.root, store.Dir) }

func (p *project) update(settings string) *Update {
	return &Update{
		Options: Options{Source: source.Options{Root: p.root}, Jobs: 2, Report: func(err error) { p.t.Error(err) }, Settings: map[string]string{"config": settings}},
		Store:   p.store(),
		Warn:    func(format string, args ...any) { p.said = append(p.said, fmt.Sprintf(format, args...)) },
		Indexed: func(ctx context.Context, thorough bool) (*record.Begin, map[string]*record.File, error) {
			return store.Indexed(ctx, p.store(), "", thorough, func(format string, args ...any) { p.said = append(p.said, fmt.Sprintf(format, args...)) })
		},
	}
}

// run writes a run and returns it.
func (p *project) run(u *Update) []byte {
	p.t.Helper()
	var out bytes.Buffer
	if err := u.Run(p.t.Context(), jsonl.NewWriter(&out)); err != nil {
		p.t.Fatal(err)
	}
	return out.Bytes()
}

// apply puts a run into the store.
func (p *project) apply(stream []byte) {
	p.t.Helper()
	var chunks bytes.Buffer
	if err := chunk.Run(p.t.Context(), jsonl.NewReader(bytes.NewReader(stream), "parsed"), jsonl.NewWriter(&chunks), chunk.DefaultOptions()); err != nil {
		p.t.Fatal(err)
	}
	err := update.Run(p.t.Context(), jsonl.NewReader(&chunks, "chunked"), update.Options{Dir: p.store(), Report: func(err error) { p.t.Error(err) }})
	if err != nil {
		p.t.Fatal(err)
	}
}

// summary returns the mode of a run, the status of each file with a record, and the number of all files.
func summary(t *testing.T, stream []byte) string {
	t.Helper()
	in := jsonl.NewReader(bytes.NewReader(stream), "parsed")
	var words []string
	files, announced, unchanged := 0, 0, 0
	for {
		rec, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch rec := rec.(type) {
		case *record.Begin:
			words, announced, unchanged = append(words, string(rec.Mode)), rec.Files, rec.Unchanged
		case *record.File:
			files++
			switch {
			case rec.Status.Indexed():
				words = append(words, rec.FilePath+":new")
			default:
				words = append(words, rec.FilePath+":"+string(rec.Status))
			}
		case *record.End:
			if rec.Files != files || announced != files {
				t.Errorf("%d files, announced %d and %d", files, announced, rec.Files)
			}
			words = append(words, fmt.Sprint(files+unchanged))
		}
	}
	return strings.Join(words, " ")
}

func TestUpdate(t *testing.T) {
	p := newProject(t, "a.txt b.txt d/c.txt d/e/f.txt")
	p.write("x.bin", "\x00")
	step := func(name, want string, u *Update) {
		t.Helper()
		stream := p.run(u)
		if got := summary(t, stream); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
		p.apply(stream)
	}
	u := func() *Update { return p.update("1") }
	step("no store", "full a.txt:new b.txt:new d/c.txt:new d/e/f.txt:new x.bin:skipped 5", u())
	step("nothing changed", "incremental 5", u())
	p.write("x.bin", "\x00\x00")
	step("what is skipped has another size", "incremental x.bin:skipped 5", u())
	step("nothing changed since", "incremental 5", u())
	p.write("b.txt", "text of 6.txt\n")
	step("one file changed, size as before", "incremental b.txt:new 5", u())
	if err := os.Rename(filepath.Join(p.root, "b.txt"), filepath.Join(p.root, "r.txt")); err != nil {
		t.Fatal(err)
	}
	step("renamed", "incremental b.txt:deleted r.txt:new 6", u())
	p.remove("d/e")
	step("a folder deleted", "incremental d/e/f.txt:deleted 5", u())
	p.write("x.bin", "text now\n")
	p.write("a.txt", "\x00")
	step("text and binary change places", "incremental a.txt:skipped x.bin:new 4", u())
	p.write(".gitignore", "d/\n")
	step("ignored", "incremental .gitignore:new d/c.txt:deleted 5", u())
	step("other settings", "full .gitignore:new a.txt:skipped r.txt:new x.bin:new 4", p.update("2"))
	step("the same settings", "incremental 4", p.update("2"))
	up := p.update("2")
	up.Source.MaxSize = 5
	step("another limit", "full .gitignore:new a.txt:skipped r.txt:skipped x.bin:skipped 4", up)
	p.write("r.txt", "more\n")
	p.write("d/g.txt", "more\n")
	p.write(".gitignore", "")
	for _, part := range []struct {
		paths, dirs []string
		want        string
	}{
		{[]string{"r.txt", "gone.txt"}, nil, "incremental r.txt:skipped 1"},
		{nil, []string{"d"}, "incremental d/c.txt:skipped d/g.txt:new 2"},
	} {
		up := p.update("2")
		up.Source.MaxSize, up.Paths, up.Dirs = 5, part.paths, part.dirs
		if part.paths != nil {
			p.write("r.txt", "longer again\n")
		}
		step("a part", part.want, up)
	}
	p.remove("d/g.txt")
	up = p.update("2")
	up.Source.MaxSize, up.Dirs = 5, []string{"d"}
	step("deleted in a part", "incremental d/g.txt:deleted 2", up)
	const anew = "the index was made with other settings or by another version: everything is indexed again"
	if got := strings.Join(p.said, "; "); got != anew+"; "+anew {
		t.Error(got)
	}
}

// Files whose state is in the cache are not read; without a cache, all files are.
// A check with FailOn has the same outcome whether or not a file is unchanged.
func TestFailOnConcernsUnchangedFiles(t *testing.T) {
	p := newProject(t, "a.txt")
	p.write("broken.go", "package p\n\nfunc f( {\n")
	p.apply(p.run(p.update("")))
	for _, stored := range []bool{true, false} {
		u := p.update("")
		u.FailOn = record.StatusPartial
		if !stored {
			u.Indexed = func(context.Context, bool) (*record.Begin, map[string]*record.File, error) {
				return nil, nil, fs.ErrNotExist
			}
		}
		err := u.Run(t.Context(), jsonl.NewWriter(io.Discard))
		if err == nil || !strings.Contains(err.Error(), "1 file is not parsed in full\nbroken.go: partial: ") {
			t.Errorf("stored %v: %v", stored, err)
		}
	}
}

func TestUpdateUsesTheCache(t *testing.T) {
	p := newProject(t, "a.txt b.txt")
	p.apply(p.run(p.update("")))
	cache := func() *source.Cache {
		u := p.update("")
		return source.OpenCache(p.store(), "files", fingerprint(source.Options{Root: u.Source.Root, MaxSize: source.DefaultMaxSize}))
	}
	entries, err := source.Walk(t.Context(), source.Options{Root: p.root})
	if err != nil {
		t.Fatal(err)
	}
	c := cache()
	c.Start(time.Now().Add(time.Hour))
	for _, e := range entries {
		// A lie, which shows who looks.
		c.Put(e.Path, e.Stat, source.Seen{Skip: "so the cache says"})
	}
	if err := c.Save(true); err != nil {
		t.Fatal(err)
	}
	if got := summary(t, p.run(p.update(""))); got != "incremental a.txt:new b.txt:new 2" {
		t.Error("what is in the cache is not unchanged, so it is read again: ", got)
	}
	// Reading has told the truth, but too soon after the change to be remembered.
	if got := summary(t, p.run(p.update(""))); got != "incremental a.txt:new b.txt:new 2" {
		t.Error(got)
	}
	u := p.update("")
	u.Store = ""
	if got := summary(t, p.run(u)); got != "incremental 2" {
		t.Error("without a cache: ", got)
	}
}

// A damaged shard is noticed, and one run repairs it.
func TestUpdateMendsDamage(t *testing.T) {
	p := newProject(t, "a.md b.txt")
	p.apply(p.run(p.update("")))
	const name = "00.jsonl"
	for part := range 4 {
		path := filepath.Join(p.store(), "shards", name)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data[len(data)*part/4] ^= 1
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		p.said = nil
		stream := p.run(p.update(""))
		if got := summary(t, stream); got != "full a.md:new b.txt:new 2" {
			t.Error(got)
		}
		if len(p.said) != 1 || !strings.Contains(p.said[0], ": damaged: ") || !strings.HasSuffix(p.said[0], "; everything is indexed again") {
			t.Errorf("said %q", p.said)
		}
		p.apply(stream)
		if err := store.Verify(t.Context(), p.store(), func(err error) { t.Error(err) }); err != nil {
			t.Error(err)
		}
	}
}

// Nothing is assumed about a store that cannot be read.
func TestUpdateOfAnUnknownStore(t *testing.T) {
	for _, test := range []struct{ from, to, want string }{
		{`"version": 3`, `"version": 4`, "this cortex reads 3"},
		{`"generation": 1`, `"generation": `, "damaged manifest"},
	} {
		p := newProject(t, "a.txt")
		p.apply(p.run(p.update("")))
		path := filepath.Join(p.store(), store.ManifestName)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.Replace(data, []byte(test.from), []byte(test.to), 1), 0o666); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err = p.update("").Run(t.Context(), jsonl.NewWriter(&out))
		if err == nil || !strings.Contains(err.Error(), test.want) || out.Len() > 0 {
			t.Errorf("%v, %d bytes", err, out.Len())
		}
	}
}

// A watch sends each change once, and again if the store does not take it in time.
func TestUpdateKeepsCountOfWhatItSent(t *testing.T) {
	p := newProject(t, "a.txt b.txt c.txt")
	u := p.update("")
	u.patience = time.Hour
	if err := u.open(); err != nil {
		t.Fatal(err)
	}
	u.openCache()
	defer u.tree.Close()
	// next is one turn of a watch.
	next := func() (string, []byte) {
		t.Helper()
		entries, err := source.Walk(t.Context(), u.Source)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		o, err := u.write(t.Context(), jsonl.NewWriter(&out), entries, time.Now(), runOptions{whole: true})
		if err != nil {
			t.Fatal(err)
		}
		text := summary(t, out.Bytes())
		if o.written != (text != "") {
			t.Errorf("%+v: %s", o, text)
		}
		if o.waiting {
			text += " waiting"
		}
		return text, out.Bytes()
	}
	check := func(step, want string) []byte {
		t.Helper()
		got, stream := next()
		if got != want {
			t.Errorf("%s: %q, want %q", step, got, want)
		}
		return stream
	}
	first := check("no store", "full a.txt:new b.txt:new c.txt:new 3")
	check("the store is at work", " waiting")
	p.write("b.txt", "new")
	p.remove("c.txt")
	second := check("changes while it is", "incremental b.txt:new c.txt:deleted 2 waiting")
	check("and nothing more", " waiting")
	p.apply(first)
	check("it has the first", " waiting")
	p.apply(second)
	check("it has all", "")
	p.write("a.txt", "1")
	one := check("a change", "incremental a.txt:new 2")
	p.write("a.txt", "text of a.txt\n")
	two := check("taken back before the store has it", "incremental a.txt:new 2")
	p.apply(one)
	check("it has the change", " waiting")
	p.apply(two)
	check("it has both", "")
	p.write("a.txt", "2")
	check("a change", "incremental a.txt:new 2")
	check("the store is at work", " waiting")
	u.patience = 1
	p.apply(check("it did not take it", "incremental a.txt:new 2"))
	check("it has it", "")
	u.patience = time.Hour
	p.write("a.txt", "3")
	p.apply(check("a change", "incremental a.txt:new 2"))
	p.remove(store.Dir)
	check("the store is gone", "full a.txt:new b.txt:new 2")
}

// A file that vanishes between the walk and the reading is gone; one that comes after the walk is for the next run.
func TestUpdateOfFilesThatVanish(t *testing.T) {
	p := newProject(t, "a.txt b.txt d/c.txt")
	p.apply(p.run(p.update("")))
	p.write("n.txt", "new")
	u := p.update("")
	if err := u.open(); err != nil {
		t.Fatal(err)
	}
	u.openCache()
	defer u.tree.Close()
	opts := runOptions{whole: true, always: true}
	write := func(entries []source.Entry) []byte {
		t.Helper()
		var out bytes.Buffer
		if _, err := u.write(t.Context(), jsonl.NewWriter(&out), entries, time.Now(), opts); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	entries, err := source.Walk(t.Context(), u.Source)
	if err != nil {
		t.Fatal(err)
	}
	p.remove("a.txt")
	p.remove("d")
	p.remove("n.txt")
	p.write("later.txt", "later")
	stream := write(entries)
	if got := summary(t, stream); got != "incremental a.txt:deleted d/c.txt:deleted 3" {
		t.Error(got)
	}
	p.apply(stream)
	if got := summary(t, p.run(p.update(""))); got != "incremental later.txt:new 2" {
		t.Error(got)
	}
}
