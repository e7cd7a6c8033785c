package cortex_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/chunk"
	"cortex/lib/derived/derivedtest"
	"cortex/lib/embed"
	"cortex/lib/hint"
	"cortex/lib/parse"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/source"
	"cortex/lib/store"
	"cortex/lib/store/update"
)

// A lab is a tree under git with the pipeline that indexes it, in one process.
type lab struct {
	t        testing.TB
	r        *rand.Rand
	root     string
	log      []string
	codeSize int
	// config is what cortex-parse can see of the settings of later stages.
	config   string
	ignore   []string
	embedder embed.Embedder
}

func newLab(t testing.TB, seed uint64) *lab {
	l := &lab{t: t, r: rand.New(rand.NewPCG(seed, 7)), root: t.TempDir(), codeSize: 400, config: "1"}
	var err error
	if l.embedder, err = embed.Open(t.Context(), embed.Config{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.embedder.Close() })
	l.git("init", "-q", "-b", "main")
	for range 6 {
		l.edit()
	}
	l.commit()
	return l
}

func (l *lab) fatal(args ...any) {
	l.t.Helper()
	l.t.Fatalf("%s\nafter:\n  %s", fmt.Sprint(args...), strings.Join(l.log, "\n  "))
}

func (l *lab) note(format string, args ...any) { l.log = append(l.log, fmt.Sprintf(format, args...)) }

func (l *lab) check(err error) {
	l.t.Helper()
	if err != nil {
		l.fatal(err)
	}
}

func (l *lab) git(args ...string) {
	l.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", "-c", "gc.auto=0"}, args...)...)
	cmd.Dir = l.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	if out, err := cmd.CombinedOutput(); err != nil {
		l.fatal("git ", args, ": ", err, "\n", string(out))
	}
}

func (l *lab) commit() {
	l.git("add", "-A", "--", ":!.cortex")
	l.git("commit", "-q", "--allow-empty", "-m", "state")
}

// pick is one of a few paths, so that they meet again.
func (l *lab) pick() string {
	dir := []string{"", "lib/", "lib/deep/", "docs/", "build/"}[l.r.IntN(5)]
	return dir + []string{"a.go", "b.py", "c.md", "d.txt", "e.bin", "name\nwith \"quotes\".go", "f.json", "not\xffUTF-8.go", longName}[l.r.IntN(9)]
}

// longName is as long as a name may be.
var longName = strings.Repeat("n", 252) + ".go"

// files are those of the tree as the tests may edit them.
func (l *lab) files() []string {
	var list []string
	l.check(filepath.WalkDir(l.root, func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == ".git" || d.Name() == ".cortex") {
			return fs.SkipDir
		}
		if err == nil && d.Type().IsRegular() {
			list = append(list, path)
		}
		return err
	}))
	return list
}

func (l *lab) edit() {
	path := l.pick()
	l.note("edit %q", path)
	l.write(path, l.text(path))
}

func (l *lab) write(path, text string) {
	full := filepath.Join(l.root, path)
	// What is in the way goes.
	for dir := filepath.Dir(full); dir != l.root; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
			l.check(os.Remove(dir))
		}
	}
	l.check(os.RemoveAll(full))
	l.check(os.MkdirAll(filepath.Dir(full), 0o777))
	l.check(os.WriteFile(full, []byte(text), 0o666))
}

// text is a random file of a kind.
func (l *lab) text(path string) string {
	var b strings.Builder
	n := l.r.IntN(1000)
	switch filepath.Ext(path) {
	case ".go":
		fmt.Fprintf(&b, "package p\n\n// T%d is a type.\ntype T%d struct{ A int }\n", n, n)
		for i := range l.r.IntN(5) {
			fmt.Fprintf(&b, "\n// F%d does %d.\nfunc F%d() int {\n%s\treturn F%d() + %d\n}\n", i, n, i, strings.Repeat("\t_ = 1\n", l.r.IntN(60)), l.r.IntN(7), l.r.IntN(1000))
		}
	case ".py":
		fmt.Fprintf(&b, "class C%d(C%d):\n    def m(self):\n        return self.m(%d)\n", n%9, n%7, l.r.IntN(1000))
	case ".md":
		fmt.Fprintf(&b, "# Title %d\n\ntext %d\n", n, l.r.IntN(1000))
		for i := range l.r.IntN(5) {
			fmt.Fprintf(&b, "\n## Section %d\n\n%s\n", i, strings.Repeat("word ", l.r.IntN(400)))
		}
	case ".json":
		fmt.Fprintf(&b, "{\"k%d\": %d}\n", n, l.r.IntN(1000))
	case ".bin":
		return fmt.Sprintf("\x00\x01%d", n)
	default:
		b.WriteString(strings.Repeat(fmt.Sprintln("line", n), l.r.IntN(100)))
	}
	if l.r.IntN(15) == 0 {
		return "" // an empty file
	}
	return b.String()
}

// change does one random thing to the tree.
func (l *lab) change() {
	files := l.files()
	switch l.r.IntN(16) {
	case 0, 1, 2, 3:
		l.edit()
	case 4, 5:
		if len(files) > 0 {
			path := files[l.r.IntN(len(files))]
			l.note("delete %q", path)
			l.check(os.Remove(path))
		}
	case 6:
		if len(files) > 0 {
			from, to := files[l.r.IntN(len(files))], filepath.Join(l.root, l.pick())
			data, err := os.ReadFile(from)
			l.check(err)
			l.note("rename %q %q", from, to)
			l.check(os.Remove(from))
			l.write(strings.TrimPrefix(to, l.root+"/"), string(data))
		}
	case 7:
		l.note("rename a folder")
		_ = os.RemoveAll(filepath.Join(l.root, "moved"))
		_ = os.Rename(filepath.Join(l.root, "lib"), filepath.Join(l.root, "moved"))
	case 8:
		path := []string{"lib", "docs", "moved", "a.go"}[l.r.IntN(4)]
		l.note("%s becomes a file or folder", path)
		if info, err := os.Stat(filepath.Join(l.root, path)); err == nil && info.IsDir() {
			l.check(os.RemoveAll(filepath.Join(l.root, path)))
			l.write(path, "now a file\n")
		} else {
			l.write(path+"/inside.go", "package inside\n")
		}
	case 9:
		text := []string{"", "*.py\n", "docs/\n", "!build/\n*.txt\n", "lib/deep/\n"}[l.r.IntN(5)]
		l.note("ignore %q", text)
		l.write(".gitignore", text)
	case 10:
		branch := []string{"main", "one", "two"}[l.r.IntN(3)]
		l.note("switch to %s", branch)
		l.commit()
		if exec.Command("git", "-C", l.root, "rev-parse", "-q", "--verify", branch).Run() == nil {
			l.git("checkout", "-q", "-f", branch)
		} else {
			l.git("checkout", "-q", "-b", branch)
		}
	case 11:
		l.note("settings of paths")
		l.ignore = [][]string{nil, {"docs/**"}, {"**/*.py"}}[l.r.IntN(3)]
	case 12:
		l.note("settings of chunks, in the configuration")
		l.codeSize = 300 + 100*l.r.IntN(3)
		l.config = strconv.Itoa(l.codeSize)
	case 14:
		to := []string{"a.go", "../elsewhere", "lib", "/etc/hostname", "itself"}[l.r.IntN(5)]
		path := l.pick()
		l.note("link %q to %s", path, to)
		l.write(path, "")
		l.check(os.Remove(filepath.Join(l.root, path)))
		l.check(os.Symlink(to, filepath.Join(l.root, path)))
	case 15:
		if len(files) > 0 {
			path := files[l.r.IntN(len(files))]
			at := time.Now().AddDate(l.r.IntN(100)-50, 0, 0)
			l.note("%q is of %v", path, at)
			l.check(os.Chtimes(path, at, at))
		}
	case 13:
		l.note("same size, same time")
		if len(files) > 0 {
			path := files[l.r.IntN(len(files))]
			info, err := os.Stat(path)
			l.check(err)
			data, err := os.ReadFile(path)
			l.check(err)
			if i := bytes.IndexByte(data, '1'); i >= 0 {
				data[i] = '2'
				l.check(os.WriteFile(path, data, 0o666))
				l.check(os.Chtimes(path, info.ModTime(), info.ModTime()))
			}
		}
	}
}

// A pass is what came of one run of the pipeline.
type pass struct {
	err      error
	reported []error
	begin    *record.Begin
	byStatus map[record.Status]int
}

func (r pass) clean() bool { return r.err == nil && len(r.reported) == 0 }

// pass runs the pipeline. Tear, if it is set, gets the stream after each stage and may damage it.
func (l *lab) index(dir string, incremental bool, tear func(stage int, stream []byte) []byte) pass {
	l.t.Helper()
	var result pass
	report := func(err error) { result.reported = append(result.reported, err) }
	if tear == nil {
		tear = func(_ int, stream []byte) []byte { return stream }
	}
	opts := parse.Options{
		Source: source.Options{Root: l.root, Ignore: l.ignore, MaxSize: 4000}, Settings: map[string]string{"config": l.config}, Jobs: 2, Report: report,
	}
	ctx := context.Background()
	var parsed, chunked, embedded bytes.Buffer
	if incremental {
		up := parse.Update{Options: opts, Store: dir, Warn: func(string, ...any) {}}
		up.Indexed = func(ctx context.Context, thorough bool) (*record.Begin, map[string]*record.File, error) {
			return store.Indexed(ctx, dir, "", thorough, up.Warn)
		}
		l.check(up.Run(ctx, jsonl.NewWriter(&parsed)))
	} else {
		l.check(parse.Run(ctx, jsonl.NewWriter(&parsed), opts))
	}
	result.count(l, parsed.Bytes())
	l.check(chunk.Run(ctx, jsonl.NewReader(bytes.NewReader(tear(0, parsed.Bytes())), "parsed"), jsonl.NewWriter(&chunked),
		chunk.Options{Tiers: chunk.Tiers(), CodeSize: l.codeSize, DocSize: 300, Overlap: 20, Jobs: 2, Report: report}))
	l.check(embed.Run(ctx, jsonl.NewReader(bytes.NewReader(tear(1, chunked.Bytes())), "chunked"), jsonl.NewWriter(&embedded), l.embedder, embed.Options{Jobs: 2, Report: report}))
	result.err = update.Run(ctx, jsonl.NewReader(bytes.NewReader(tear(2, embedded.Bytes())), "embedded"), update.Options{
		Dir: dir, Jobs: 2, Report: report, Now: func() time.Time { return time.Unix(1700000000, 0) },
	})
	return result
}

func (r *pass) count(l *lab, stream []byte) {
	r.byStatus = map[record.Status]int{}
	for in := jsonl.NewReader(bytes.NewReader(stream), "parsed"); ; {
		rec, err := in.Read()
		if err != nil {
			break
		}
		switch rec := rec.(type) {
		case *record.Begin:
			r.begin = rec
		case *record.File:
			r.byStatus[rec.Status]++
		}
	}
	if r.begin == nil {
		l.fatal("a run without begin")
	}
}

// crash runs the pipeline with a fault in it.
func (l *lab) crash(dir string) {
	stage := l.r.IntN(3)
	switch l.r.IntN(5) {
	case 0, 1:
		l.note("stage %d dies", stage)
		l.index(dir, true, func(at int, stream []byte) []byte {
			if at == stage {
				return stream[:l.r.IntN(len(stream))]
			}
			return stream
		})
	case 2:
		l.note("stage %d loses a line", stage)
		l.index(dir, true, func(at int, stream []byte) []byte {
			if at != stage {
				return stream
			}
			lines := bytes.SplitAfter(stream, []byte("\n"))
			lines[l.r.IntN(len(lines)-1)] = []byte("nonsense\n")
			return bytes.Join(lines, nil)
		})
	case 3:
		l.note("settings of chunks, on the command line")
		l.codeSize = 300 + 100*l.r.IntN(3)
		l.index(dir, true, nil)
	case 4:
		l.damage(dir)
	}
}

// damage spoils a file of the store.
func (l *lab) damage(dir string) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	l.check(err)
	if len(files) == 0 {
		return
	}
	path := files[l.r.IntN(len(files))]
	switch l.r.IntN(5) {
	case 0:
		path = filepath.Join(dir, store.ManifestName)
		fallthrough
	case 1:
		l.note("remove %s", path)
		l.check(os.Remove(path))
		return
	case 2:
		path = derivedtest.Path(l.t, dir, "source", "files")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return
	}
	at := l.r.IntN(len(data))
	l.note("flip byte %d of %s", at, path)
	data[at] ^= 1 << l.r.IntN(8)
	l.check(os.WriteFile(path, data, 0o666))
}

// state reads a store for comparison: all but the generation.
func (l *lab) state(dir string) map[string]string {
	l.t.Helper()
	all := map[string]string{}
	l.check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return nil
		}
		data, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, dir)] = string(data)
		return err
	}))
	name := "/" + store.ManifestName
	var m map[string]any
	l.check(json.Unmarshal([]byte(all[name]), &m))
	delete(m, "generation")
	// The number of shards depends on that of before, so what they hold is compared. In which lines, is verified.
	delete(m, "shards")
	maps.DeleteFunc(all, func(name, _ string) bool { return strings.HasPrefix(name, "/shards/") })
	var records bytes.Buffer
	l.check(store.Cat(l.t.Context(), dir, jsonl.NewWriter(&records), store.CatOptions{}))
	all["/shards"] = records.String()
	data, err := json.MarshalIndent(m, "", " ")
	l.check(err)
	all[name] = string(data)
	return all
}

// sequences is how many random sequences a test tries: CORTEX_SEQUENCES, or a few.
func sequences(t *testing.T, few int) uint64 {
	if text := os.Getenv("CORTEX_SEQUENCES"); text != "" {
		n, err := strconv.ParseUint(text, 10, 32)
		if err != nil {
			t.Fatalf("CORTEX_SEQUENCES: %v", err)
		}
		return n
	}
	return uint64(few)
}

// After any sequence of edits, deletions, renames, branch switches, changed settings and crashes, an incremental
// run leaves the store that a full run makes of nothing, byte for byte.
func TestIncrementalEqualsFresh(t *testing.T) {
	t.Parallel()
	for seed := range sequences(t, 10) {
		l := newLab(t, seed)
		dir := filepath.Join(l.root, store.Dir)
		for step := range 8 {
			for range l.r.IntN(4) {
				l.change()
			}
			if l.r.IntN(3) == 0 {
				l.crash(dir)
				for range l.r.IntN(2) {
					l.change()
				}
			}
			l.note("run %d", step)
			r := l.index(dir, true, nil)
			if r.err != nil && strings.Contains(r.err.Error(), "other settings than the index") && strings.Contains(hint.Of(r.err), "--incremental") {
				l.note("run it again")
				r = l.index(dir, true, nil)
			}
			if !r.clean() {
				l.fatal("seed ", seed, ": ", r.err, r.reported)
			}
			fresh := filepath.Join(t.TempDir(), store.Dir)
			if f := l.index(fresh, false, nil); !f.clean() {
				l.fatal("seed ", seed, ": a full run: ", f.err, f.reported)
			}
			if diff := cmp.Diff(l.state(fresh), l.state(dir)); diff != "" {
				l.fatal("seed ", seed, ": fresh -, incremental +\n", diff)
			}
			if err := store.Verify(t.Context(), dir, func(err error) { t.Error(err) }); err != nil {
				l.fatal("seed ", seed, ": ", err)
			}
			again := l.index(dir, true, nil)
			if !again.clean() || again.begin.Mode != record.Incremental || again.byStatus[record.StatusDeleted] > 0 ||
				slices.ContainsFunc(slices.Collect(maps.Keys(again.byStatus)), record.Status.Indexed) {
				l.fatal("seed ", seed, ": nothing has changed: ", again.err, again.reported, again.begin, again.byStatus)
			}
		}
	}
}

// Files that are written to, removed and renamed while a run reads them do no harm: the run is whole, and the next one
// has what there is then.
func TestIncrementalWhileFilesChange(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	dir := filepath.Join(l.root, store.Dir)
	for round := range sequences(t, 5) {
		stop, ended := make(chan struct{}), make(chan error)
		go func() {
			r := rand.New(rand.NewPCG(round, 3))
			for {
				select {
				case <-stop:
					ended <- nil
					return
				default:
				}
				if err := disturb(r, filepath.Join(l.root, "busy")); err != nil {
					ended <- err
					return
				}
			}
		}()
		for range 10 {
			if p := l.index(dir, true, nil); !p.clean() {
				t.Error(p.err, p.reported)
			}
			if err := store.Verify(t.Context(), dir, func(err error) { t.Error(err) }); err != nil {
				t.Error(err)
			}
		}
		close(stop)
		l.check(<-ended)
		if p := l.index(dir, true, nil); !p.clean() {
			t.Error(p.err, p.reported)
		}
		fresh := filepath.Join(t.TempDir(), store.Dir)
		l.index(fresh, false, nil)
		if diff := cmp.Diff(l.state(fresh), l.state(dir)); diff != "" {
			t.Fatalf("round %d: fresh -, incremental +\n%s", round, diff)
		}
	}
}

// disturb does something to one of a few files: writes the text of another in its place, piece by piece, removes or
// renames it.
func disturb(r *rand.Rand, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := func() string { return filepath.Join(dir, fmt.Sprintf("f%d.go", r.IntN(8))) }
	var err error
	switch r.IntN(6) {
	case 0:
		err = os.Remove(name())
	case 1:
		err = os.Rename(name(), name())
	case 2:
		err = os.RemoveAll(dir)
	default:
		var f *os.File
		if f, err = os.OpenFile(name(), os.O_WRONLY|os.O_CREATE, 0o666); err != nil {
			return err
		}
		letter := string(rune('a' + r.IntN(26)))
		for range 20 {
			if _, err := f.WriteString("// " + strings.Repeat(letter, 100) + "\n"); err != nil {
				return err
			}
		}
		err = f.Close()
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
