package update

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/hint"
	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
	"cortex/lib/store/layout"
)

func TestNoStore(t *testing.T) {
	empty := newDir(t)
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{newDir(t), empty, filepath.Join(empty, "x", "y")} {
		_, err := load(dir)
		checkHint(t, err, "cortex-parse . | cortex-chunk | cortex-embed | cortex-store")
		if err.Error() != "no index in "+dir || !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
		_, err = store.ReadStatus(context.Background(), dir)
		checkHint(t, err, layout.IndexAll)
	}
}

// A run that fails leaves no trace of a store that was not there.
func TestFailedFirstRun(t *testing.T) {
	dir := newDir(t)
	o := apply(t, dir, stream(t, begin(record.Full, 1), file("a.go", "ok")))
	checkContains(t, o.messages(), "run did not end")
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the folder stays")
	}
}

func TestLock(t *testing.T) {
	dir := stored(t)
	before := contents(t, dir)
	held, err := acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	o := apply(t, dir, stream(t, code("z", "z.go", "zet")))
	if want := "store " + dir + " is being written by another process"; o.err == nil || o.err.Error() != want {
		t.Errorf("got %v", o.err)
	}
	// Readers need no lock.
	mustLoad(t, dir)
	held.release()
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
	mustApply(t, dir, stream(t, code("z", "z.go", "zet")))
}

// The lock is held from the first record on, not only while the store is written.
func TestLockFromFirstRecord(t *testing.T) {
	dir := stored(t)
	var second *outcome
	mustApply(t, dir, stream(t, begin(record.Full, 1), file("a.go", "unchanged"), end(1)), func(o *Options) {
		o.Progress = func(int, int, string) { second = apply(t, dir, stream(t, code("z", "z.go", "zet"))) }
	})
	checkContains(t, second.messages(), "is being written by another process")
}

func TestFullDisk(t *testing.T) {
	dir := stored(t)
	before := contents(t, dir)
	big := code("big", "big.go", strings.Repeat("x", 1<<20))
	input := stream(t, begin(record.Full, 1), file("big.go", "ok"), big, end(1))
	// The limit on the size of a file acts as a disk does that fills up.
	message, state := runChild(t, "limit 300000", dir, input)
	if state.ExitCode() != 2 {
		t.Errorf("exit status %d", state.ExitCode())
	}
	if message != "write .cortex/shards/00.jsonl: file too large\nhint: the index is as it was; make room and run it again\n" {
		t.Errorf("got %q", message)
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

// Wherever the disk is full, in a shard, in the manifest or in the last of several files, the store is in the old or in
// the new state as a whole.
func TestFullDiskAtAnyPoint(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	inputs := threeGenerations(t)
	done := 0
	for limit := 0; done < 2; limit += max(limit/2, 60) {
		dir := newDir(t)
		mustApply(t, dir, inputs[0], small)
		before := contents(t, dir)
		message, state := runChild(t, fmt.Sprint("limit ", limit), dir, inputs[1])
		switch state.ExitCode() {
		case 0:
			done++
			if g := generationOf(t, mustLoad(t, dir)); g != 1 {
				t.Errorf("limit %d: generation %d", limit, g)
			}
		case 2:
			checkContains(t, message, "write .cortex/")
			checkContains(t, message, ": file too large\n")
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Errorf("limit %d: %s", limit, diff)
			}
		default:
			t.Fatalf("limit %d: %v: %s", limit, state, message)
		}
		checkVerified(t, dir)
		checkNoLeftovers(t, dir)
	}
}

func TestReadOnlyStore(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("becomes another user, which only root can")
	}
	dir := stored(t)
	for at := dir; at != os.TempDir() && len(at) > 1; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	before := contents(t, dir)
	message, state := runChild(t, "nobody", dir, stream(t, code("z", "z.go", "zet")))
	if state.ExitCode() != 2 || !strings.HasPrefix(message, "write .cortex/shards/") || !strings.Contains(message, ": permission denied\nhint: ") {
		t.Errorf("exit status %d: %s", state.ExitCode(), message)
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestSymbolicLinks(t *testing.T) {
	target := stored(t)
	link := newDir(t)
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	o := apply(t, link, stream(t, code("z", "z.go", "zet")))
	checkContains(t, o.messages(), "it is a symbolic link")
	checkHint(t, o.err, "--store")
	// A folder within that leads out of the store.
	dir := newDir(t)
	outside := t.TempDir()
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, layout.ShardsDir)); err != nil {
		t.Fatal(err)
	}
	o = apply(t, dir, stream(t, code("z", "z.go", "zet")))
	checkContains(t, o.messages(), layout.ShardsDir+" is not a folder")
	checkHint(t, o.err, "remove it")
	if names, _ := os.ReadDir(outside); len(names) > 0 {
		t.Error("wrote outside of the store")
	}
}

// Readers, Verify, and writers that would copy damaged lines find damage to the store; a full run repairs it.
func TestDamage(t *testing.T) {
	tests := []struct {
		name   string
		damage func(data string) string
		want   string // part of what Load says
	}{
		{"flipped byte in the text", func(s string) string { return strings.Replace(s, `"text":"bee"`, `"text":"bed"`, 1) },
			"00.jsonl: damaged: its content differs from its digest"},
		{"flipped byte in a key", func(s string) string { return strings.Replace(s, `"id":"b1"`, `"ie":"b1"`, 1) },
			"00.jsonl:5: damaged: chunk \"\": unknown chunk_type"},
		{"flipped quote", func(s string) string { return strings.Replace(s, `"a2","chunk`, `"a2.,"chunk`, 1) },
			"00.jsonl:3: damaged"},
		{"flipped byte in an embedding", func(s string) string { return strings.Replace(s, `"embedding":"A`, `"embedding":"!`, 1) },
			"00.jsonl:2: damaged"},
		{"flipped byte in a path", func(s string) string { return strings.Replace(s, `"b.go"`, `"/.go"`, 1) }, "00.jsonl:4: damaged"},
		{"cut off", func(s string) string { return s[:len(s)-20] }, "bytes, the manifest says"},
		{"empty", func(string) string { return "" }, "it has 0 bytes, the manifest says"},
		{"longer", func(s string) string { return s + s }, "bytes, the manifest says"},
		{"missing", nil, "00.jsonl: damaged: it is missing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := stored(t)
			path := filepath.Join(dir, layout.ShardPath("00.jsonl"))
			if test.damage == nil {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			} else {
				spoil(t, path, test.damage)
			}
			_, err := load(dir)
			checkHint(t, err, "index again in full")
			checkContains(t, err.Error(), test.want)
			checkContains(t, verify(t, dir), "00.jsonl")
			before := contents(t, dir)

			o := apply(t, dir, stream(t, code("z", "z.go", "zet")))
			checkHint(t, o.err, "index again in full")
			checkContains(t, o.err.Error(), "damaged")
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Errorf("a refused change: %s", diff)
			}

			o = apply(t, dir, stream(t, begin(record.Full, 1), file("b.go", "ok"), code("b1", "b.go", "bee"), end(1)))
			if o.messages() != "" {
				t.Errorf("a full run: %s", o.messages())
			}
			checkContains(t, strings.Join(o.warned, "\n"), "rebuilding it")
			if got := ids(mustLoad(t, dir)); got != "b1=bee" {
				t.Error(got)
			}
			checkVerified(t, dir)
		})
	}
}

// A warning about many shards is printed once, and so is the hint for several faults.
func TestDamageInAllShards(t *testing.T) {
	dir := newDir(t)
	items := []any{begin(record.Full, 20)}
	for i := range 20 {
		path := fmt.Sprintf("%02d.go", i)
		items = append(items, file(path, record.StatusOK), code("code-impl-"+path+"#F", path, "old"))
	}
	full := stream(t, append(items, end(20))...)
	split := func(o *Options) { o.perShard = 5 }
	mustApply(t, dir, full, split)
	shards := len(mustLoad(t, dir).Manifest.Shards)
	for i := range shards {
		spoil(t, filepath.Join(dir, layout.ShardPath(layout.ShardName(i))), func(s string) string { return strings.Replace(s, "old", "dlo", 1) })
	}
	faults := 0
	err := store.Verify(t.Context(), dir, func(err error) {
		faults++
		if advice := hint.Of(err); advice != "" {
			t.Errorf("%v: hint: %s", err, advice)
		}
	})
	checkHint(t, err, "index again in full")
	if faults != shards || shards < 4 {
		t.Errorf("%d faults in %d shards", faults, shards)
	}
	o := apply(t, dir, full, split)
	if o.messages() != "" {
		t.Errorf("a full run: %s", o.messages())
	}
	want := []string{fmt.Sprintf("%s/shards/00.jsonl and %d other shards: damaged; rebuilding them", dir, shards-1)}
	if diff := cmp.Diff(want, o.warned); diff != "" {
		t.Error(diff)
	}
	checkVerified(t, dir)
}

// A full run of one tree repairs a shard in which chunks of another tree were lost. That tree's next run brings them
// again, since its files have no checksums.
func TestDamageInAStoreOfTwoTrees(t *testing.T) {
	dir := newDir(t)
	tree := func(name, text string) string {
		b := begin(record.Full, 1)
		b.Tree = name
		return stream(t, b, file("a.go", "ok"), inTree(name, code(name+"1", "a.go", text)), inTree(name, data(code(name+"2", "a.go", text))), end(1))
	}
	mustApply(t, dir, tree("x", "one")+tree("y", "two"))
	spoil(t, filepath.Join(dir, layout.ShardPath("00.jsonl")), func(s string) string { return strings.Replace(s, "one", "eno", 1) })
	o := apply(t, dir, tree("x", "one"))
	if o.messages() != "" {
		t.Fatal(o.messages())
	}
	checkContains(t, strings.Join(o.warned, "\n"), `chunks of tree "y" may be lost with it; index that again: cortex-parse --incremental --tree y ...`)
	snap := mustLoad(t, dir)
	if got := ids(snap); got != "x1=one x2=one" {
		t.Error(got)
	}
	if diff := cmp.Diff(map[string]string{"x:a.go": sum(4)}, checksums(t, dir)); diff != "" {
		t.Error(diff)
	}
	checkVerified(t, dir)
	mustApply(t, dir, tree("y", "two"))
	if got := ids(mustLoad(t, dir)); got != "x1=one x2=one y1=two y2=two" {
		t.Error(got)
	}
	checkVerified(t, dir)
}

// A full run rewrites a damaged shard even if its records equal the stored ones.
func TestDamageMendedBySameContent(t *testing.T) {
	dir := stored(t)
	before := contents(t, dir)
	spoil(t, filepath.Join(dir, layout.ShardPath("00.jsonl")), func(s string) string { return strings.Replace(s, "bee", "bed", 1) })
	mustApply(t, dir, stream(t, begin(record.Full, 3),
		file("a.go", "ok"), code("a2", "a.go", "two"), code("a1", "a.go", "one"),
		file("b.go", "ok"), code("b1", "b.go", "bee"),
		file("c.go", "partial"), code("c1", "c.go", "sea"),
		end(3)))
	after := contents(t, dir)
	delete(before, layout.ManifestName)
	delete(after, layout.ManifestName)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	checkVerified(t, dir)
}

// Such a run does not lose files that it would have left as they were.
func TestDamageLosesNoSkippedFiles(t *testing.T) {
	dir := newDir(t)
	skipped := file("s.png", "skipped")
	skipped.Reason = "binary"
	input := stream(t, begin(record.Full, 2), file("b.go", "ok"), code("b1", "b.go", "bee"), skipped, end(2))
	mustApply(t, dir, input)
	before := contents(t, dir)[layout.ShardPath("00.jsonl")]
	spoil(t, filepath.Join(dir, layout.ShardPath("00.jsonl")), func(s string) string { return strings.Replace(s, "bee", "bed", 1) })
	mustApply(t, dir, input)
	if diff := cmp.Diff(before, contents(t, dir)[layout.ShardPath("00.jsonl")]); diff != "" {
		t.Error(diff)
	}
	checkVerified(t, dir)
}

func spoil(t *testing.T, path string, damage func(string) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := damage(string(data))
	if damaged == string(data) {
		t.Fatal("nothing was damaged")
	}
	if err := os.WriteFile(path, []byte(damaged), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedManifest(t *testing.T) {
	tests := []struct {
		name   string
		damage func(string) string
		want   string
		hint   string
	}{
		{"cut off", func(s string) string { return s[:len(s)/2] }, "damaged manifest: line ", "rm "},
		{"empty", func(string) string { return "" }, "damaged manifest", "rm "},
		{"not an object", func(string) string { return "[]" }, "damaged manifest", "rm "},
		{"merge conflict", func(s string) string {
			return strings.Replace(s, `  "generation"`, "<<<<<<< ours\n  \"generation\"", 1)
		},
			"damaged manifest: line 3: invalid character '<'", "git checkout --ours "},
		{"wrong type", func(s string) string { return strings.Replace(s, `"generation": 1`, `"generation": "1"`, 1) }, "damaged manifest: line 3", "rm "},
		{"another shard", func(s string) string { return strings.Replace(s, `"00.jsonl"`, `"../00.jsonl"`, 1) }, "damaged manifest: shard 0: its name", "rm "},
		{"no shards", func(s string) string { return strings.Replace(s, `"shards"`, `"shard"`, 1) }, "damaged manifest: 0 shards", "rm "},
		{"bad digest", func(s string) string { return strings.Replace(s, `"digest":"`, `"digest":"../`, 1) }, "damaged manifest: shard 0", "rm "},
		{"a tree outside", func(s string) string { return strings.Replace(s, `    "": {`, `    "../x": {`, 1) }, `damaged manifest: tree "../x"`, "rm "},
		{"no generation", func(s string) string { return strings.Replace(s, `"generation": 1`, `"generation": 0`, 1) }, "damaged manifest: generation 0", "rm "},
		{"too many dimensions", func(s string) string { return strings.Replace(s, `"dimensions": `, `"dimensions": 9999999`, 1) }, "damaged manifest: dimensions 9999999", "rm "},
		{"newer", func(s string) string { return strings.Replace(s, `"version": 3`, `"version": 4`, 1) },
			"the store has version 4, this cortex reads 3", "use the newer cortex"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := stored(t)
			spoil(t, filepath.Join(dir, layout.ManifestName), test.damage)
			before := contents(t, dir)
			_, err := load(dir)
			checkHint(t, err, test.hint)
			checkContains(t, err.Error(), test.want)
			checkContains(t, err.Error(), "read "+dir+"/"+layout.ManifestName)
			o := apply(t, dir, stream(t, begin(record.Full, 0), end(0)))
			checkHint(t, o.err, test.hint)
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The numbers of files in a manifest, which anybody may have written, allocate nothing.
func TestForgedCounts(t *testing.T) {
	dir := stored(t)
	files := regexp.MustCompile(`"files": ?\d+`)
	spoil(t, filepath.Join(dir, layout.ManifestName), func(s string) string { return files.ReplaceAllString(s, `"files": 9000000`) })
	for name, read := range map[string]func() error{
		"ReadFiles": func() error { _, _, err := store.ReadFiles(context.Background(), dir); return err },
		"Indexed":   func() error { return readers["indexed"](dir) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := read(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
			t.Errorf("%s allocates %d bytes", name, n)
		}
	}
}

func TestVerify(t *testing.T) {
	tests := []struct {
		name   string
		change func(t *testing.T, dir string)
		want   string
	}{
		{"counts", func(t *testing.T, dir string) {
			spoil(t, filepath.Join(dir, layout.ManifestName), func(s string) string { return strings.Replace(s, `"chunks": 4`, `"chunks": 5`, 1) })
		}, "its counts or settings do not follow"},
		{"a checksum that is none", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string {
				lines[0] = strings.Replace(lines[0], `"sha256":"0`, `"sha256":"x`, 1)
				return lines
			})
		}, `the checksum of "a.go" is not valid`},
		{"order of chunks", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string { lines[1], lines[2] = lines[2], lines[1]; return lines })
		}, `jsonl:3: chunk "a1" is out of order`},
		{"order of files", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string { return append(lines[3:5:5], append(lines[:3:3], lines[5:]...)...) })
		}, `jsonl:3: file "a.go" is out of order`},
		{"twice", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string { return append(lines[:2:2], lines[1:]...) })
		}, `chunk "a1" is at`},
		{"not canonical", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string {
				lines[1] = strings.Replace(lines[1], `,"text`, `, "text`, 1)
				return lines
			})
		}, "jsonl:2: not in canonical form"},
		{"a file that is not canonical", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string {
				lines[0] = strings.Replace(lines[0], `,"size`, `, "size`, 1)
				return lines
			})
		}, `jsonl:1: file "a.go": not in canonical form`},
		{"another type", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string {
				lines[1] = strings.Replace(lines[1], `"implementations"`, `"data"`, 1)
				return lines
			})
		}, `jsonl:1: file "a.go" has other chunks than its record says`},
		{"other dimensions", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string {
				lines[1] = strings.Replace(lines[1], code("a1", "a.go", "one").Embedding.Base64(), record.Embedding{1, 2}.Base64(), 1)
				return lines
			})
		}, `chunk "a1" has an embedding of model "m" with 2 dimensions, the manifest says an embedding of model "m" with 3`},
		{"no times", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string {
				lines[0] = strings.Replace(lines[0], `,"created_at":"2024-05-06T01:00:00Z"`, "", 1)
				return lines
			})
		}, `chunk "a1" has no times`},
		{"one too few", func(t *testing.T, dir string) {
			forge(t, dir, func(lines []string) []string { return lines[:5] })
		}, "it has 2 files and 3 chunks, the manifest says 3 and 4"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := stored(t)
			checkVerified(t, dir)
			test.change(t, dir)
			checkContains(t, verify(t, dir), test.want)
		})
	}
}

// forge changes the lines of the one shard and makes the manifest agree on its digest.
func forge(t *testing.T, dir string, edit func(lines []string) []string) {
	t.Helper()
	path := filepath.Join(dir, layout.ShardPath("00.jsonl"))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = []byte(strings.Join(edit(strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")), "\n") + "\n")
	m, err := store.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	m.Shards[0].Size, m.Shards[0].Digest = int64(len(data)), fmt.Sprintf("%x", sha256.Sum256(data))
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if data, err = m.Encode(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, layout.ManifestName), data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// A watch is a stream of many runs. It waits for another writer, and continues after runs that cannot be applied,
// except the first one.
func TestLaterRuns(t *testing.T) {
	run := func(text string) string {
		return stream(t, begin(record.Incremental, 1), file("a.go", "ok"), code("a1", "a.go", text), end(1))
	}
	start := func(t *testing.T, dir string, change func(*Options)) (o *outcome, feed *io.PipeWriter, committed chan Result, ended chan error) {
		t.Helper()
		out, in := io.Pipe()
		o = &outcome{}
		opts := o.options(dir)
		committed, ended = make(chan Result), make(chan error, 1)
		opts.Committed = func(r Result) { committed <- r }
		change(&opts)
		go func() { ended <- Run(context.Background(), jsonl.NewReader(out, "stdin"), opts) }()
		return o, in, committed, ended
	}
	write := func(t *testing.T, feed io.Writer, text string) {
		t.Helper()
		if _, err := io.WriteString(feed, text); err != nil {
			t.Error(err)
		}
	}
	// hold takes the lock as soon as it is free.
	hold := func(t *testing.T, dir string) *lock {
		for {
			l, err := acquire(dir)
			if err == nil {
				return l
			}
			if !errors.Is(err, errLocked) {
				t.Fatal(err)
			}
		}
	}
	t.Run("waits for the lock", func(t *testing.T) {
		dir := newDir(t)
		var held *lock
		o, feed, committed, ended := start(t, dir, func(opts *Options) {
			warn := opts.Warn
			opts.Warn = func(format string, args ...any) { warn(format, args...); held.release() }
		})
		write(t, feed, run("1"))
		<-committed
		held = hold(t, dir)
		write(t, feed, run("2"))
		<-committed
		feed.Close()
		if err := <-ended; err != nil || len(o.reported) > 0 {
			t.Error(err, o.reported)
		}
		if diff := cmp.Diff([]string{"store " + dir + " is being written by another process: waiting for it"}, o.warned); diff != "" {
			t.Error(diff)
		}
		if got := ids(mustLoad(t, dir)); got != "a1=2" {
			t.Error(got)
		}
	})
	t.Run("does not wait for ever", func(t *testing.T) {
		dir := newDir(t)
		o, feed, committed, ended := start(t, dir, func(opts *Options) { opts.lockPatience = 1 })
		write(t, feed, run("1"))
		<-committed
		held := hold(t, dir)
		write(t, feed, run("2"))
		// The third run is read after the second one is finished.
		write(t, feed, strings.SplitAfter(run("3"), "\n")[0])
		held.release()
		write(t, feed, strings.Join(strings.SplitAfter(run("3"), "\n")[1:], ""))
		feed.Close()
		for {
			select {
			case <-committed:
				continue
			case err := <-ended:
				if err != nil {
					t.Error(err)
				}
			}
			break
		}
		checkContains(t, o.messages(), "is being written by another process")
	})
	t.Run("ends at damage", func(t *testing.T) {
		dir := newDir(t)
		_, feed, committed, ended := start(t, dir, func(opts *Options) { opts.FailFast = true })
		write(t, feed, run("1"))
		<-committed
		hold(t, dir).release()
		if err := os.WriteFile(filepath.Join(dir, layout.ShardPath("00.jsonl")), []byte("nothing"), 0o666); err != nil {
			t.Fatal(err)
		}
		write(t, feed, run("2"))
		if err := <-ended; err == nil {
			t.Error("it goes on")
		}
	})
	t.Run("outlives damage", func(t *testing.T) {
		dir := newDir(t)
		o, feed, committed, ended := start(t, dir, func(opts *Options) {})
		write(t, feed, run("1"))
		<-committed
		path := filepath.Join(dir, layout.ShardPath("00.jsonl"))
		hold(t, dir).release()
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("nothing"), 0o666); err != nil {
			t.Fatal(err)
		}
		write(t, feed, run("2"))
		// The next line is read after that run is finished.
		write(t, feed, "\n")
		hold(t, dir).release()
		if err := os.WriteFile(path, before, 0o666); err != nil {
			t.Fatal(err)
		}
		write(t, feed, run("3"))
		<-committed
		feed.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		checkContains(t, o.messages(), "damaged")
		if got := ids(mustLoad(t, dir)); got != "a1=3" {
			t.Error(got)
		}
	})
}

// Readers refuse a store of an older version. A full run rebuilds it, and removes its files and no others.
func TestStoreOfTheVersionBefore(t *testing.T) {
	dir := newDir(t)
	for name, text := range map[string]string{
		layout.ManifestName:      "{\n  \"version\": 1,\n  \"generation\": 7,\n  \"files\": {" + strings.Repeat(`"a.go": {},`, 500_000) + `"b.go": {}}}`,
		"chunks/code-data.jsonl": "{}\n", "chunks/.code-data.jsonl.0123.old": "{}\n", "chunks/notes.txt": "mine", "graph/code-graph.jsonl": "{}\n",
		gitignoreName: "mine",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, read := range readers {
		err := read(dir)
		checkContains(t, err.Error(), "the store has version 1, this cortex reads 3")
		if name != "indexed" {
			checkHint(t, err, "index again, which rebuilds it")
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("cortex-parse would not write a full run: %v", err)
		}
	}
	o := apply(t, dir, stream(t, begin(record.Incremental, 1), file("b.go", "ok"), end(1)))
	checkHint(t, o.err, "index again, which rebuilds it")
	o = apply(t, dir, stream(t, begin(record.Full, 1), file("b.go", "ok"), code("b1", "b.go", "bee"), end(1)))
	if o.messages() != "" {
		t.Error(o.messages())
	}
	checkContains(t, strings.Join(o.warned, "\n"), "the store has version 1, this cortex reads 3: rebuilding it")
	if got := strings.Join(sorted(slices.Collect(maps.Keys(contents(t, dir)))), " "); got != ".gitignore chunks/notes.txt generator-output.json shards/00.jsonl" {
		t.Error(got)
	}
	checkVerified(t, dir)
}
