package gitdir

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestTarget(t *testing.T) {
	tests := map[string]string{
		"gitdir: /r/.git/modules/m\n": "/r/.git/modules/m",
		"gitdir: ../.git/worktrees/w": "/r/.git/worktrees/w",
		"gitdir:/r/with blank/":       "/r/with blank",
		"gitdir: \n":                  "",
		"gitdir: /a\n/b\n":            "",
		"gitdir: /a\x00b":             "",
		"/r/.git\n":                   "",
		" gitdir: /r":                 "",
		"":                            "",
	}
	for text, want := range tests {
		if got, ok := Target([]byte(text), "/r/sub"); got != want || ok != (want != "") {
			t.Errorf("Target(%q) = %q, %v, not %q", text, got, ok, want)
		}
	}
}

func TestPath(t *testing.T) {
	tests := map[string]string{"../..\n": "/r/.git", "/w/.git\n": "/w/.git", "\n": "", "gitdir: /x": "/r/.git/worktrees/w/gitdir: /x"}
	for text, want := range tests {
		if got, ok := Path([]byte(text), "/r/.git/worktrees/w"); got != want || ok != (want != "") {
			t.Errorf("Path(%q) = %q, %v, not %q", text, got, ok, want)
		}
	}
}

// What git itself writes is read.
func TestWorktreeOfGit(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "-q"},
		{"-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "--allow-empty", "-m", "x"},
		{"worktree", "add", "-q", "linked"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", top}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	linked := filepath.Join(top, "linked")
	own, ok := Target(read(t, filepath.Join(linked, ".git")), linked)
	if want := filepath.Join(top, ".git", "worktrees", "linked"); own != want || !ok {
		t.Fatalf("%q, not %q", own, want)
	}
	common, isLinked := Common(own)
	named, ok := Path(read(t, filepath.Join(own, "commondir")), own)
	if want := filepath.Join(top, ".git"); common != want || !isLinked || named != want || !ok {
		t.Errorf("%q and %q, not %q", common, named, want)
	}
	if got, isLinked := Common(common + "/"); got != common || isLinked {
		t.Errorf("%q, %v", got, isLinked)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
