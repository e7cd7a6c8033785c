package keep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cortex/lib/derived/derivedtest"
	"cortex/lib/flock"
	"cortex/lib/hint"
	"cortex/lib/store"
	"cortex/lib/store/layout"
)

func TestMain(m *testing.M) { derivedtest.Main(m) }

func folders(t *testing.T, base string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Join(base, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCheckFolder(t *testing.T) {
	base := t.TempDir()
	folders(t, base, "home/ann/src/web/.git", "home/ann/src/web/sub/deep", "home/ann/notes/old", "home/ann/work/one/two/repo/.git", "home/bare/.git", "home/bare/x")
	if err := os.Symlink(filepath.Join(base, "home/ann"), filepath.Join(base, "link")); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]string{
		"home/ann/src/web":          "",
		"home/ann/src/web/sub/deep": "",
		"home/ann/notes":            "",
		"home/bare/x":               "",
		"home/ann":                  "the home folder",
		"link":                      "the home folder",
		"home":                      "above the home folder",
		"home/ann/src":              "above the repository",
		"home/ann/work":             "above the repository",
	} {
		err := CheckFolder(filepath.Join(base, place), filepath.Join(base, "home/ann"))
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || hint.Of(err) == "") {
			t.Errorf("%s: %v, want %q", place, err, want)
		}
	}
	if err := CheckFolder("/", ""); err == nil || !strings.Contains(err.Error(), "root of the file system") {
		t.Error(err)
	}
}

// TestHide: hide makes git ignore a new store, but not one that git already tracks, and undo leaves nothing behind.
func TestHide(t *testing.T) {
	dir := filepath.Join(t.TempDir(), store.Dir)
	undo, err := hide(dir)
	data, readErr := os.ReadFile(filepath.Join(dir, ".gitignore"))
	if err != nil || readErr != nil || string(data) != "*\n" {
		t.Fatalf("%v, %v, %q", err, readErr, data)
	}
	undo()
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder is left")
	}
	folders(t, dir, ".")
	for name, text := range map[string]string{".gitignore": "cache/\n", "config.yml": "search: {}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if undo, err = hide(dir); err != nil {
		t.Fatal(err)
	}
	undo()
	if data, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(data) != "cache/\n" {
		t.Errorf("%v, %q", err, data)
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(t.TempDir(), "link")); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), store.Dir)
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	if _, err := hide(link); err == nil {
		t.Error("a link is followed")
	}
}

// TestStoreThatCannotBeMade: the error says what to do.
func TestStoreThatCannotBeMade(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(base, "missing")
	for dir, want := range map[string]string{
		filepath.Join(missing, ".cortex"): "make the folder first: mkdir -p " + missing,
		file:                              "remove what is in its place, or make the index elsewhere: cortex-serve --store DIR",
		filepath.Join(file, ".cortex"):    "make the index elsewhere: cortex-serve --store DIR",
	} {
		if _, err := hide(dir); hint.Of(err) != want {
			t.Errorf("%s: %v, hint %q", dir, err, hint.Of(err))
		}
	}
}

func TestOneHoldsTheLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), store.Dir)
	if Held(dir) {
		t.Error("held by nobody")
	}
	first, err := acquire(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := acquire(dir); !errors.Is(err, flock.ErrHeld) || !Held(dir) {
		t.Errorf("a second: %v", err)
	}
	if other, err := acquire(filepath.Join(t.TempDir(), store.Dir)); err != nil {
		t.Error(err)
	} else {
		other.Release()
	}
	first.Release()
	if Held(dir) {
		t.Error("held after the end")
	}
}

func TestPassCounts(t *testing.T) {
	k := &Keeper{opts: Options{Location: func() (string, string) { return ".", t.TempDir() }}}
	long := `{"type":"chunk","text":"` + strings.Repeat(`{\"type\":\"file\"`, 100_000) + "\"}\n"
	stream := `{"type":"begin","schema":1,"tree":"","mode":"full","files":3,"settings":{"embed":"x"}}` + "\n" + `{"type":"file"}` + "\n" + long + `{"type":"file"}` + "\n" + `{"type":"end"}` + "\n" + `{"type":"fi`
	var out bytes.Buffer
	if err := k.pass(t.TempDir(), strings.NewReader(stream), &out); err != nil || out.String() != stream {
		t.Errorf("%v, %d of %d bytes", err, out.Len(), len(stream))
	}
	if k.done != 2 || k.total != 3 {
		t.Errorf("%d of %d", k.done, k.total)
	}
}

// An index that was deleted during a watch is made again; git does not see the new one either.
func TestDeletedIndexStaysHidden(t *testing.T) {
	dir := filepath.Join(t.TempDir(), store.Dir)
	k := &Keeper{opts: Options{Location: func() (string, string) { return ".", dir }}}
	begin := `{"type":"begin","schema":1,"tree":"","mode":"full","files":1,"settings":{"embed":"x"}}` + "\n"
	if err := k.pass(dir, strings.NewReader(begin), io.Discard); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(data) != "*\n" {
		t.Errorf("%v, %q", err, data)
	}
}

// fake returns a folder with shell scripts as commands.
func fake(t *testing.T, scripts map[string]string) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range Stages() {
		script := scripts[name]
		if script == "" {
			script = "exec cat"
		}
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return bin
}

// TestStagesThatFail: the error has the output of the failed stage, no store is left, and there is another attempt.
func TestStagesThatFail(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, store.Dir)
	warned := make(chan string, 100)
	k, err := New(Options{
		Bin: fake(t, map[string]string{
			"cortex-embed": "echo 'cortex-embed: no model' >&2; exit 2",
			"cortex-store": "cat >/dev/null; echo 'cortex-store: stdin: no records' >&2; exit 2",
		}),
		Location: func() (string, string) { return root, dir }, MayMake: func(string) error { return nil },
		Warn: func(format string, args ...any) { warned <- format },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { k.Run(ctx); close(done) }()
	<-warned
	err = k.Await(ctx, time.Minute, func(int, int) {})
	if err == nil || !strings.Contains(err.Error(), "no model") || strings.Contains(err.Error(), "no record") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(dir); err == nil {
		t.Error("a store is left")
	}
	stop()
	<-done
}

// An index may have been made with flags that the keeper does not have. cortex-store then refuses the first run, and asks
// for all files, which the next run has.
func TestRunThatIsRefused(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, store.Dir)
	folders(t, root, store.Dir)
	index := store.Manifest{Version: 3, Generation: 1, Shards: []store.Shard{{Name: "00.jsonl", Digest: strings.Repeat("0", 64)}}}
	manifest := func(again bool, name string) string {
		index.Trees = map[string]layout.Tree{"": {Again: again}}
		data, err := index.Encode()
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	now, refused := manifest(false, store.ManifestName), manifest(true, "refused")
	warned := make(chan string, 100)
	k, err := New(Options{
		Bin: fake(t, map[string]string{
			"cortex-parse": `echo '{"type":"begin","files":1}'; exec sleep 100`,
			"cortex-store": "read -r begin; if grep -q '\"again\"' " + now + "; then echo 'cortex-store: no room' >&2; else cp " + refused + " " + now + "; echo 'cortex-store: other settings' >&2; fi; exit 2",
		}),
		Location: func() (string, string) { return root, dir }, MayMake: func(string) error { return nil },
		Warn: func(format string, args ...any) { warned <- fmt.Sprintf(format, args...) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { k.Run(ctx); close(done) }()
	if got := <-warned; !strings.Contains(got, "no room") {
		t.Errorf("the first warning is %q", got)
	}
	stop()
	<-done
}

// TestStagesEndWithTheKeeper stops the keeper while the stages wait for each other.
func TestStagesEndWithTheKeeper(t *testing.T) {
	root := t.TempDir()
	pids := filepath.Join(root, "pids")
	k, err := New(Options{
		Bin: fake(t, map[string]string{
			"cortex-parse": "trap '' TERM; echo $$ >>pids; echo '{\"type\":\"begin\",\"files\":7}'; while :; do sleep 0.05; done",
			"cortex-store": "trap '' TERM; echo $$ >>pids; while :; do sleep 0.05; done",
		}),
		Location: func() (string, string) { return root, filepath.Join(root, store.Dir) }, MayMake: func(string) error { return nil }, Warn: t.Logf,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { k.Run(ctx); close(done) }()
	for { // until both have written their number
		if data, err := os.ReadFile(pids); err == nil && bytes.Count(data, []byte("\n")) == 2 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	stop()
	<-done
	data, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range strings.Fields(string(data)) {
		if _, err := os.Stat("/proc/" + pid); err == nil {
			t.Errorf("%s goes on", pid)
		}
	}
}

func TestCommandsAreMissing(t *testing.T) {
	if _, err := New(Options{Bin: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "cortex-parse is not beside") {
		t.Error(err)
	}
}

// New settings end the pipeline without an error, so that it starts again with them at once.
func TestSettingsThatChange(t *testing.T) {
	root := t.TempDir()
	asked := 0
	k, err := New(Options{
		Bin: fake(t, map[string]string{
			"cortex-parse": `echo '{"type":"begin","files":7}'; trap 'kill $!' TERM; sleep 100 & wait`, "cortex-store": "exec cat >/dev/null",
		}),
		MayMake: func(string) error { return nil }, Warn: t.Logf,
		Location: func() (string, string) { return root, filepath.Join(root, store.Dir) },
		Settings: func(string) string { asked++; return []string{"old", "old", "", "new"}[min(asked, 4)-1] },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if _, err := k.once(ctx); err != nil || ctx.Err() != nil {
		t.Errorf("%v, %v", err, ctx.Err())
	}
}

// TestStageThatIsKilled kills one stage, which prints nothing, while the others wait for records.
func TestStageThatIsKilled(t *testing.T) {
	for _, name := range Stages() {
		scripts := map[string]string{
			"cortex-parse": `echo '{"type":"begin","files":7}'; trap 'kill $!' TERM; sleep 100 & wait`,
			"cortex-chunk": "exec cat", "cortex-embed": "exec cat", "cortex-store": "exec cat >/dev/null",
		}
		scripts[name] = "kill -KILL $$"
		root := t.TempDir()
		k, err := New(Options{
			Bin: fake(t, scripts), MayMake: func(string) error { return nil }, Warn: t.Logf,
			Location: func() (string, string) { return root, filepath.Join(root, store.Dir) },
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if _, err := k.once(ctx); err == nil || err.Error() != name+" was ended by a signal: killed" {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestAttemptThatIsAskedFor: pauses grow with each error; a request ends a pause, and an attempt that lasted resets
// them.
func TestAttemptThatIsAskedFor(t *testing.T) {
	k := &Keeper{opts: Options{Warn: t.Logf}, wants: make(chan struct{}, 1)}
	k.started = time.Now()
	for _, want := range []time.Duration{1, 2, 4, 8, 16, 32, 60, 60} {
		if wait, final := k.fail(errors.New("no space left")); wait != want*time.Second || final {
			t.Errorf("got %v and %v, want %d s", wait, final, want)
		}
	}
	if k.Want(); len(k.wants) != 0 || k.Active() || k.Problem() == nil {
		t.Error("it tries again at once")
	}
	k.notBefore = time.Now()
	if k.Want(); len(k.wants) != 1 || !k.Active() || k.Problem() == nil {
		t.Error("it does not try again")
	}
	k.started = time.Now().Add(-askedAttempt)
	if err := k.Problem(); err != nil {
		t.Error(err)
	}
	k.started = time.Now().Add(-2 * lastAttempt)
	if wait, _ := k.fail(errors.New("no space left")); wait != firstAttempt {
		t.Errorf("got %v after a long attempt", wait)
	}
}

func TestCauses(t *testing.T) {
	got := causes([]string{"cortex-parse: open config.yml: no such key", "cortex-chunk: open config.yml: no such key", "cortex-embed: stdin: no record", "cortex-store: killed"})
	if want := []string{"cortex-parse: open config.yml: no such key", "cortex-store: killed"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
