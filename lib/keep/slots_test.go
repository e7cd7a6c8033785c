package keep

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cortex/lib/store"
)

// eventually waits until is returns true.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}

// TestSlots keeps five trees with two slots. Each stage writes its number to a file, and cortex-store writes a
// manifest.
func TestSlots(t *testing.T) {
	manifest, err := (&store.Manifest{Version: 3, Generation: 1, Shards: []store.Shard{{Name: "00.jsonl", Digest: strings.Repeat("0", 64)}}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	bin := fake(t, map[string]string{
		"cortex-parse": `trap 'rm -f running; exit' TERM; echo $$ >running; echo '{"type":"begin","files":1}'; while :; do sleep 0.02; done`,
		"cortex-store": `read -r begin; echo '` + string(manifest) + `' >` + store.Dir + `/` + store.ManifestName + `; cat >/dev/null`,
	})
	slots := NewSlots(2)
	var roots []string
	var keepers []*Keeper
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	for range 5 {
		root := t.TempDir()
		roots = append(roots, root)
		k, err := New(Options{
			Bin: bin, Slots: slots, MayMake: func(string) error { return nil }, Warn: func(string, ...any) {},
			Location: func() (string, string) { return root, filepath.Join(root, store.Dir) },
		})
		if err != nil {
			t.Fatal(err)
		}
		keepers = append(keepers, k)
		go func() { k.Run(ctx); done <- struct{}{} }()
	}
	running := func() (list []int) {
		for i, root := range roots {
			if _, err := os.Stat(filepath.Join(root, "running")); err == nil {
				list = append(list, i)
			}
		}
		return list
	}
	if got := running(); got != nil {
		t.Errorf("%v run before anybody asked", got)
	}
	most := 0
	for i, k := range keepers {
		if err := k.Await(ctx, time.Minute, func(int, int) {}); err != nil {
			t.Errorf("%d: %v", i, err)
		}
		most = max(most, len(running()))
	}
	// The first keeper has lost its slot and gets it back.
	eventually(t, "the first goes on", func() bool { return !strings.Contains(fmt.Sprint(running()), "0") })
	keepers[0].Want()
	eventually(t, "the first does not run again", func() bool {
		most = max(most, len(running()))
		return strings.Contains(fmt.Sprint(running()), "0")
	})
	if most > 2 {
		t.Errorf("%d ran at once", most)
	}
	stop()
	for range keepers {
		<-done
	}
	eventually(t, "stages go on", func() bool { return len(running()) == 0 })
}

// TestWantAfterAnError waits for the next attempt.
func TestWantAfterAnError(t *testing.T) {
	root := t.TempDir()
	attempts := filepath.Join(root, "attempts")
	k, err := New(Options{
		Bin:   fake(t, map[string]string{"cortex-embed": "echo x >>" + attempts + "; echo 'cortex-embed: no model' >&2; exit 2"}),
		Slots: NewSlots(1), MayMake: func(string) error { return nil }, Warn: func(string, ...any) {},
		Location: func() (string, string) { return root, filepath.Join(root, store.Dir) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { k.Run(ctx); close(done) }()
	if err := k.Await(ctx, time.Minute, func(int, int) {}); err == nil || !strings.Contains(err.Error(), "no model") || k.Active() {
		t.Errorf("got %v", err)
	}
	k.mu.Lock()
	k.notBefore = time.Now().Add(time.Hour)
	k.mu.Unlock()
	k.Want()
	if k.Active() {
		t.Error("it tries again at once")
	}
	k.mu.Lock()
	k.notBefore = time.Time{}
	k.mu.Unlock()
	k.Want()
	eventually(t, "no other attempt", func() bool {
		data, err := os.ReadFile(attempts)
		return err == nil && len(data) == 4
	})
	stop()
	<-done
}
