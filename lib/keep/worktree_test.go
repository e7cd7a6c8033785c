package keep

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestWorktrees finds the other worktrees of a repository, and none of another repository.
func TestWorktrees(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(base, name) }
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...).CombinedOutput(); err != nil {
			t.Skipf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", in("main"))
	git("-C", in("main"), "commit", "-q", "--allow-empty", "-m", "first")
	git("-C", in("main"), "worktree", "add", "-q", "-b", "b", in("linked"))
	git("-C", in("main"), "worktree", "add", "-q", "-b", "c", in("other"))
	git("init", "-q", in("alone"))
	folders(t, base, "stranger", "nothing")
	// An unpacked archive may contain a .git file that names this repository.
	data, err := os.ReadFile(in("linked/.git"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("stranger/.git"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	for root, want := range map[string][]string{
		"main": {"linked", "other"}, "linked": {"main", "other"}, "alone": nil, "stranger": nil, "nothing": nil,
	} {
		var got []string
		for _, dir := range worktrees(in(root)) {
			got = append(got, filepath.Base(dir))
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", root, got, want)
		}
	}
}
