package update

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"cortex/lib/record"
	"cortex/lib/store"
	"cortex/lib/store/layout"
)

// threeGenerations returns streams of which each changes every shard, if there are four shards.
func threeGenerations(t testing.TB) [3]string {
	var inputs [3]string
	for g := range inputs {
		items := []any{begin(record.Full, 5)}
		for i, kind := range record.ChunkTypes {
			path := string(rune('a'+i)) + ".go"
			items = append(items, calling(file(path, "ok"), g))
			for n := range 3 + g {
				c := code(fmt.Sprintf("%d-%d", i, n), path, fmt.Sprintf("generation %d", g))
				c.ChunkType = kind
				items = append(items, c)
			}
		}
		inputs[g] = stream(t, append(items, end(5))...)
	}
	return inputs
}

// small reduces the number of chunks in a shard, so that there are several shards.
func small(o *Options) { o.perShard = 5 }

// calling adds symbols to the file, and as many calls between them.
func calling(f *record.File, n int) *record.File {
	for _, name := range []string{"a", "b"} {
		f.Symbols = append(f.Symbols, record.Symbol{Kind: record.Function, Name: name, QualifiedName: name, StartLine: 1, EndLine: 9})
	}
	for i := range n {
		f.References = append(f.References, record.Reference{Relation: record.Calls, Name: "a", Symbol: "b", Lines: []int{i + 1}})
	}
	return f
}

// generationOf checks that a snapshot is one complete generation, and returns its number.
func generationOf(t testing.TB, snap *loaded) int {
	t.Helper()
	g := len(snap.Chunks)/5 - 3
	for _, c := range snap.Chunks {
		if c.Text != fmt.Sprintf("generation %d", g) {
			t.Fatalf("chunk %s of %d: %s", c.ID, len(snap.Chunks), c.Text)
		}
	}
	return g
}

// At each step of a commit a reader gets the complete old or the complete new generation.
func TestReaderAtEachStep(t *testing.T) {
	inputs := threeGenerations(t)
	dir := newDir(t)
	mustApply(t, dir, inputs[0], small)
	var steps []string
	committed := false
	mustApply(t, dir, inputs[1], func(o *Options) {
		o.Jobs = 1
		small(o)
		o.step = func(step string) {
			steps = append(steps, step)
			committed = committed || step == "committed"
			want := 0
			if committed {
				want = 1
			}
			if g := generationOf(t, mustLoad(t, dir)); g != want {
				t.Errorf("at step %q: generation %d, want %d", step, g, want)
			}
		}
	})
	if len(steps) < 9 {
		t.Errorf("steps: %q", steps)
	}
	checkVerified(t, dir)
}

// runChild runs a stream in a child process.
func runChild(t testing.TB, job, dir, input string) (string, *os.ProcessState) {
	t.Helper()
	cmd, stderr := childCommand(t, job, dir, input)
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return stderr.String(), cmd.ProcessState
}

func childCommand(t testing.TB, job, dir, input string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self)
	cmd.Dir = filepath.Dir(dir)
	cmd.Env = append(os.Environ(), childVariable+"="+job)
	cmd.Stdin = strings.NewReader(input)
	stderr = &bytes.Buffer{}
	cmd.Stderr = stderr
	return cmd, stderr
}

func killed(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// A writer that is killed at any step leaves a complete generation, and the next writer continues from there and cleans
// up; it may be killed too.
func TestKilledAtEachStep(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	inputs := threeGenerations(t)
	for step := 1; ; step++ {
		dir := newDir(t)
		mustApply(t, dir, inputs[0], small)
		message, state := runChild(t, fmt.Sprint("kill ", step), dir, inputs[1])
		if !killed(state) {
			if state.ExitCode() != 0 {
				t.Fatalf("step %d: %s", step, message)
			}
			if step < 9 {
				t.Errorf("only %d steps", step)
			}
			return
		}
		g := generationOf(t, mustLoad(t, dir))
		checkVerified(t, dir)
		if step%3 == 0 {
			// A second writer dies while it clears up after the first.
			runChild(t, fmt.Sprint("kill ", 1+step/3), dir, inputs[1])
			g = generationOf(t, mustLoad(t, dir))
			checkVerified(t, dir)
		}
		// Files that the run does not mention stay, so the new generation contains stored ones.
		mustApply(t, dir, stream(t, code("zz", "a.go", fmt.Sprintf("generation %d", g))), small)
		if n := len(mustLoad(t, dir).Chunks); n != (3+g)*5+1 {
			t.Fatalf("step %d: %d chunks after generation %d", step, n, g)
		}
		mustApply(t, dir, inputs[2], small)
		if g := generationOf(t, mustLoad(t, dir)); g != 2 {
			t.Fatalf("step %d: generation %d", step, g)
		}
		checkNoLeftovers(t, dir)
		checkVerified(t, dir)
	}
}

// A first run that is killed leaves no index, or a complete one.
func TestFirstRunKilled(t *testing.T) {
	inputs := threeGenerations(t)
	for step := 1; step <= 9; step += 3 {
		dir := newDir(t)
		_, state := runChild(t, fmt.Sprint("kill ", step), dir, inputs[0])
		if snap, err := load(dir); err == nil {
			generationOf(t, snap)
		} else {
			checkContains(t, err.Error(), "no index in ")
		}
		mustApply(t, dir, inputs[1], small)
		if g := generationOf(t, mustLoad(t, dir)); g != 1 {
			t.Errorf("step %d: generation %d", step, g)
		}
		checkNoLeftovers(t, dir)
		if !killed(state) {
			break
		}
	}
}

func checkNoLeftovers(t testing.TB, dir string) {
	t.Helper()
	m, err := store.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{layout.ManifestName: true, gitignoreName: true}
	for _, s := range m.Shards {
		want[layout.ShardPath(s.Name)] = true
	}
	for name := range contents(t, dir) {
		if !want[name] {
			t.Errorf("left over: %s", name)
		}
	}
}

// Readers that load while a writer commits again and again see whole generations.
func TestReadersDuringCommits(t *testing.T) {
	if testing.Short() {
		t.Skip("commits many times")
	}
	inputs := threeGenerations(t)
	dir := newDir(t)
	mustApply(t, dir, inputs[0], small)
	done := make(chan struct{})
	var readers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				snap, err := load(dir)
				if err != nil {
					t.Error(err)
					return
				}
				g := len(snap.Chunks)/5 - 3
				for _, c := range snap.Chunks {
					if c.Text != fmt.Sprintf("generation %d", g) {
						t.Errorf("chunk %s of %d: %s", c.ID, len(snap.Chunks), c.Text)
						return
					}
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for i := range 40 {
		mustApply(t, dir, inputs[(i+1)%3], small)
	}
	close(done)
	readers.Wait()
}
