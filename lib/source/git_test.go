package source

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

// write makes a tree; a name that ends with "/" is a folder.
func write(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		dir := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir != path {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// git runs git in dir without the settings of whoever runs the test.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "HOME="+dir, "XDG_CONFIG_HOME="+dir,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, stderr.String())
	}
	return string(out)
}

// gitFiles returns the files that git tracks or would add.
func gitFiles(t testing.TB, dir string) []string {
	t.Helper()
	files := strings.Split(strings.TrimSuffix(git(t, dir, "ls-files", "-co", "--exclude-standard", "-z"), "\x00"), "\x00")
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(s string) bool { return s == "" })
}

func walk(t testing.TB, opts Options) []Entry {
	t.Helper()
	if opts.Report == nil {
		opts.Report = func(err error) { t.Error(err) }
	}
	entries, err := Walk(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return withoutStats(entries)
}

// withoutStats makes entries comparable with what a test expects.
func withoutStats(entries []Entry) []Entry {
	for i := range entries {
		entries[i].Stat = Stat{}
	}
	return entries
}

// paths returns the paths of the entries, with a slash after folders.
func paths(entries []Entry) []string {
	list := []string{}
	for _, e := range entries {
		if record.ReasonOf(e.Skip) == Product {
			e.Path += "/"
		}
		list = append(list, e.Path)
	}
	return list
}

func sameAsGit(t *testing.T, root string) {
	t.Helper()
	if diff := cmp.Diff(gitFiles(t, root), paths(walk(t, Options{Root: root}))); diff != "" {
		t.Errorf("git lists -, Walk lists +:\n%s", diff)
	}
}

func TestWalkSameAsGit(t *testing.T) {
	tests := []struct {
		name, ignore string
		files        string
	}{
		{"only some kinds", "*\n!*/\n!*.go\n", "a.go a.txt d/a.go d/a.txt d/e/f.go d/e/f.md"},
		{"folder brought back, contents not", "*.log\n!keep/\n", "x.log keep/x.log keep/y.go"},
		{"name brought back, contents not", "*.log\n!keep\n", "x.log keep/x.log"},
		{"contents of a folder but one", "a/*\n!a/b\n", "a/b a/c a/d/e"},
		{"everything below but one", "a/**\n!a/b\n", "a/b a/c a/d/e"},
		{"nothing comes back from an ignored folder", "a/\n!a/b\n", "a/b a/c c/a/b"},
		{"file and folder of one name", "x/\n", "x d/x/y e/x"},
		{"bound to the root", "/x\ny/z\n", "x d/x y/z d/y/z"},
		{"two stars", "**/x/*.o\na/**/b\nc/**\n**/d/\n", "x/a.o y/x/a.o x/y/a.o a/b a/p/b a/p/q/b c/x c/d/e d/f e/d/f g/d"},
		{"stars within a name", "a**b\n**.o\nc***\n", "ab axxb a/b x.o d/x.o cx d/cxx"},
		{"many stars make two", "a/***/b\n***/c\n", "a/b a/x/b a/x/y/b c d/c"},
		{"stars that cross folders after a prefix", "d/a**/b\n/e**\n!e**/x\nf*g**/h\n", "d/ab d/a/b d/ax/y/b d/b e ex f1g/x/h f1g/h f1g2/h"},
		{"brackets", "[a-c]x\n[!a-c]y\n[]-]z\n[[:digit:]]w\n[[:foo:]]v\n[a\nq[^/]r\n", "ax dx ay dy -z ]z az 1w aw 1v [a qxr q/r"},
		{"brackets across folders", "a[/]b\nc[x/y]d\n", "a/b cxd cyd c/d"},
		{"escapes", "\\#a\n\\!b\nc\\*\nd\\\ne\\ \nf\\[1]\n\\g\n", "#a !b c* cx d d\\ e f[1] g"},
		{"spaces", "a \nb\\ \n c\nd\\\\ \ne  \n", "a b| b c d\\ e |c"},
		{"line ends", "a\r\nb\r\n\r\n*.x\r\n", "a b c.x d"},
		{"byte order mark", "\ufeffa\nb\n", "a b c"},
		{"comments and blank lines", "#a\n\n   \n!\n/\n//\na//\n!#\n", "#a a b/a"},
		{"last one wins", "*.a\n!x.a\nx.*\n!x.a\n", "x.a y.a x.b"},
		{"question marks", "a?c\n?/x\n", "abc ac a/c q/x qq/x"},
		{"no end of line", "a\nb", "a b c"},
		{"endings", "*.tar.gz\n*.\n*.*.x\n!*.k\n", "a.tar.gz a.gz a. a.b.x a.x a.k .k"},
		{"names of ignore files", ".gitignore\n", "a"},
		{"folders that are not excluded by name", "", "src/a build.go/a targets/b mybuild/c"},
		{"bytes that are no letters", "\x01\n\té\n*ü\n", "\x01 é ü aü"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			git(t, root, "init", "-q")
			files := map[string]string{".gitignore": tt.ignore}
			for f := range strings.FieldsSeq(tt.files) {
				files[strings.ReplaceAll(f, "|", " ")] = "x"
			}
			write(t, root, files)
			sameAsGit(t, root)
		})
	}
}

func TestWalkNestedSameAsGit(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, root, map[string]string{
		".gitignore":        "*.log\n/top\n*.tmp\n",
		".git/info/exclude": "*.secret\n!*.tmp\n/only-root\n",
		"a.log":             "", "top": "", "x.secret": "", "x.tmp": "", "only-root": "",
		"a/.gitignore": "!*.log\n/top\nb/\n",
		"a/a.log":      "", "a/top": "", "a/c/top": "", "a/b/x": "", "a/c/b/x": "", "a/x.secret": "", "a/only-root": "",
		"a/c/.gitignore": "*.log\n!b\n!b/\n!x.secret\n",
		"a/c/d.log":      "", "a/c/x.secret": "", "a/c/b/y.log": "",
		"ignored/.gitignore": "*\n",
		"ignored/x":          "", "ignored/y/z": "",
		"ignored-but/.gitignore": "*\n!x\n!.gitignore\n",
		"ignored-but/x":          "", "ignored-but/y": "",
		"empty/": "",
	})
	sameAsGit(t, root)
	git(t, root, "add", "-A")
	sameAsGit(t, root)
}

// Walk of a folder in a worktree lists the same files there as Walk of the whole worktree.
func TestWalkBelowTheTop(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, root, map[string]string{
		".gitignore": "*.log\n/sub/deep/x\n/y\n", ".git/info/exclude": "*.secret\n",
		"sub/.gitignore": "!keep.log\n/z\n", "sub/.ignore": "q\n", "sub/.cortexignore": "r\n",
		"sub/deep/x": "", "sub/deep/y": "", "sub/deep/z": "", "sub/deep/a.log": "", "sub/deep/keep.log": "",
		"sub/deep/s.secret": "", "sub/deep/q": "", "sub/deep/e/r": "", "sub/deep/e/f": "",
	})
	want := []string{}
	for _, p := range paths(walk(t, Options{Root: root})) {
		if rest, ok := strings.CutPrefix(p, "sub/deep/"); ok {
			want = append(want, rest)
		}
	}
	got := paths(walk(t, Options{Root: filepath.Join(root, "sub/deep")}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"e/f", "keep.log", "y", "z"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWalkLinkedWorkTree(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		root := filepath.Join(dir, "main")
		write(t, root, map[string]string{"a": "x", "build/b": "x", ".gitignore": "*.log\n"})
		git(t, root, "init", "-q", "--object-format="+format)
		git(t, root, "add", "-A")
		git(t, root, "commit", "-qm", "x")
		git(t, root, "worktree", "add", "-q", "../linked")
		write(t, root, map[string]string{".git/info/exclude": "*.secret\n"})
		linked := filepath.Join(dir, "linked")
		write(t, linked, map[string]string{"x.secret": "", "x.log": "", "y": ""})
		sameAsGit(t, linked)
		if diff := cmp.Diff([]string{".gitignore", "a", "build/b", "y"}, paths(walk(t, Options{Root: linked}))); diff != "" {
			t.Error(format, diff)
		}
	}
}

// Patterns of a repository do not apply to a repository inside it.
func TestWalkNestedRepository(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, root, map[string]string{".gitignore": "*.log\n", ".ignore": "*.plain\n", "in/a.log": "x", "in/b.own": "x", "in/c.ex": "x", "in/d.plain": "x", "in/build/x": "", "in/target/x": ""})
	in := filepath.Join(root, "in")
	git(t, in, "init", "-q")
	write(t, in, map[string]string{".gitignore": "*.own\n", ".git/info/exclude": "*.ex\n"})
	git(t, in, "add", "build")
	if diff := cmp.Diff([]string{".gitignore", ".ignore", "in/.gitignore", "in/a.log", "in/build/x", "in/target/"}, paths(walk(t, Options{Root: root}))); diff != "" {
		t.Error(diff)
	}
}

// A linked worktree inside its repository has the same files a second time.
func TestLinkedWorkTreesInsideAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "main")
	write(t, root, map[string]string{"a": "x", "sub/b": "x"})
	git(t, root, "init", "-q")
	git(t, root, "add", "-A")
	git(t, root, "commit", "-qm", "x")
	git(t, root, "worktree", "add", "-q", "wt/x")
	git(t, root, "worktree", "add", "-q", "sub/y")
	git(t, root, "worktree", "add", "-q", "../outside")
	outside := filepath.Join(dir, "outside")
	git(t, outside, "worktree", "add", "-q", "in")
	// git writes this with worktree.useRelativePaths.
	write(t, root, map[string]string{"sub/y/.git": "gitdir: ../../.git/worktrees/y\n"})

	list := func(root string) (listed []string) {
		for _, e := range walk(t, Options{Root: root}) {
			listed = append(listed, strings.TrimSuffix(e.Path+": "+e.Skip, ": "))
		}
		return listed
	}
	for _, test := range []struct {
		root string
		want []string
	}{
		{root, []string{"a", "sub/b", "sub/y: linked worktree", "wt/x: linked worktree"}},
		{filepath.Join(root, "sub"), []string{"b", "y: linked worktree"}},
		{filepath.Join(root, "wt"), []string{"x: linked worktree"}},
		{filepath.Join(root, "wt/x"), []string{"a", "sub/b"}},
		{filepath.Join(root, "wt/x/sub"), []string{"b"}},
		{outside, []string{"a", "in: linked worktree", "sub/b"}},
		// Only the name shows that the two belong together.
		{dir, []string{"main/a", "main/sub/b", "main/sub/y: linked worktree", "main/wt/x: linked worktree", "outside/a", "outside/in: linked worktree", "outside/sub/b"}},
	} {
		if diff := cmp.Diff(test.want, list(test.root)); diff != "" {
			t.Error(test.root, diff)
		}
	}

	listed, err := List(t.Context(), Options{Root: root}, []string{"wt/x/a", "wt/x/", "wt/x/sub/b", "wt", "a"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Entry{
		{Path: "a", Size: 1}, {Path: "wt", Deleted: true}, {Path: "wt/x", Skip: LinkedWorktree},
		{Path: "wt/x/a", Deleted: true}, {Path: "wt/x/sub/b", Deleted: true},
	}, withoutStats(listed)); diff != "" {
		t.Error(diff)
	}
}

// Submodules, and worktrees of other repositories, have different files.
func TestOtherRepositoriesInsideStay(t *testing.T) {
	dir := t.TempDir()
	root, other := filepath.Join(dir, "main"), filepath.Join(dir, "other")
	for _, repository := range []string{root, other} {
		write(t, repository, map[string]string{"a": "x"})
		git(t, repository, "init", "-q")
		git(t, repository, "add", "-A")
		git(t, repository, "commit", "-qm", "x")
	}
	module := filepath.Join(root, "module")
	git(t, root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../other", "module")
	git(t, other, "worktree", "add", "-q", filepath.Join(root, "foreign"))
	git(t, module, "worktree", "add", "-q", "linked")
	write(t, root, map[string]string{
		"broken/.git": "nothing of the kind", "broken/a": "x",
		"folder/.git/worktrees/": "", "folder/a": "x",
		"named/.git": "gitdir: " + filepath.Join(root, ".git/worktrees"), "named/a": "x",
		"deeper/.git": "gitdir: " + filepath.Join(root, ".git/worktrees/x/y"), "deeper/a": "x",
		"modules/.git": "gitdir: ../.git/modules/worktrees/x", "modules/a": "x",
	})
	want := []string{".gitmodules", "a", "broken/a", "deeper/a", "folder/a", "foreign/a", "module/a", "module/linked", "modules/a", "named/a"}
	if diff := cmp.Diff(want, paths(walk(t, Options{Root: root}))); diff != "" {
		t.Error(diff)
	}
}

// Tracked files that .gitignore or info/exclude names belong to the tree, and nothing else in their folders does.
// .cortexignore and the exclusions by name still apply.
func TestTrackedFilesAreNotIgnored(t *testing.T) {
	root := t.TempDir()
	git(t, root, "init", "-q")
	write(t, root, map[string]string{
		".gitignore": "*.log\n/gen/\nnode_modules/\nlogs/*\n!logs/other/\nvendored\n", ".git/info/exclude": "local\n", ".cortexignore": "secret.log\n!gen/wanted/\n",
		"a.log": "", "b.log": "", "secret.log": "", "gen/a.go": "", "gen/b.go": "", "gen/deep/c.go": "", "gen/deep/d.go": "", "gen/other/e.go": "", "gen/wanted/f.go": "",
		"gen/deep/.gitignore": "!d.go\n", "local": "", "node_modules/m.js": "", "logs/x": "", "logs/y": "", "logs/other/z": "", "vendored/sub/g.go": "", "vendored/sub/h.go": "",
	})
	git(t, root, "add", "-f", "a.log", "secret.log", "gen/a.go", "gen/deep/c.go", "local", "node_modules/m.js", "logs/x", "vendored/sub/g.go")
	want := strings.Fields(".cortexignore .gitignore a.log gen/a.go gen/deep/c.go gen/wanted/f.go local logs/other/z logs/x node_modules/ vendored/sub/g.go")
	if diff := cmp.Diff(want, paths(walk(t, Options{Root: root}))); diff != "" {
		t.Error(diff)
	}
	for _, e := range list(t, Options{Root: root}, "a.log", "b.log", "gen/a.go", "gen/b.go", "gen/deep/c.go", "gen/deep/d.go", "secret.log") {
		if e.Deleted == slices.Contains(want, e.Path) {
			t.Errorf("List: %+v", e)
		}
	}
}

// git follows a link in the place of info/exclude.
func TestLinkedExclude(t *testing.T) {
	root, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "mine")
	write(t, root, tree("a.log b.txt in/a.log in/b.txt"))
	for _, dir := range []string{root, filepath.Join(root, "in")} {
		git(t, dir, "init", "-q")
		exclude := filepath.Join(dir, ".git", "info", "exclude")
		if err := errors.Join(os.RemoveAll(exclude), os.Symlink(elsewhere, exclude)); err != nil {
			t.Fatal(err)
		}
	}
	sees := func(about, want string) {
		t.Helper()
		if got := strings.Join(paths(walk(t, Options{Root: root})), " "); got != want {
			t.Errorf("%s: %s, want %s", about, got, want)
		}
	}
	sees("no file", "a.log b.txt in/a.log in/b.txt")
	if err := os.WriteFile(elsewhere, []byte("*.log\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	sees("a file", "b.txt in/b.txt")
	if got := gitFiles(t, filepath.Join(root, "in")); !slices.Equal(got, []string{"b.txt"}) {
		t.Errorf("git: %q", got)
	}
	if err := errors.Join(os.Remove(elsewhere), syscall.Mkfifo(elsewhere, 0o666)); err != nil {
		t.Fatal(err)
	}
	sees("a pipe", "a.log b.txt in/a.log in/b.txt")
	if err := errors.Join(os.Remove(elsewhere), os.WriteFile(elsewhere, []byte(strings.Repeat("a.log\n", 200_000)), 0o666)); err != nil {
		t.Fatal(err)
	}
	var reports []string
	walk(t, Options{Root: root, Report: func(err error) { reports = append(reports, err.Error()) }})
	if len(reports) != 2 || !strings.Contains(reports[0], filepath.Join(root, ".git", "info", "exclude")+": too much") {
		t.Errorf("reports: %q", reports)
	}
}

// Random patterns match the same paths of random trees as in git.
func TestWalkRandomSameAsGit(t *testing.T) {
	rounds := 15
	if testing.Short() {
		rounds = 5
	}
	if os.Getenv("CORTEX_LONG_TESTS") != "" {
		rounds = 600
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		root := t.TempDir()
		git(t, root, "init", "-q")
		for range 60 {
			var path string
			for range 1 + r.IntN(4) {
				path += "/" + pick(r, "a", "b", "ab", "a.b", "x.c", "[a", "-", "a b", "é", "\\")
			}
			os.MkdirAll(filepath.Join(root, filepath.Dir(path)), 0o755)
			os.WriteFile(filepath.Join(root, path), nil, 0o644)
		}
		dirs := []string{root}
		filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			if d.IsDir() && r.IntN(4) == 0 {
				dirs = append(dirs, path)
			}
			return err
		})
		for _, dir := range dirs {
			os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(randomPatterns(r)), 0o644)
		}
		var tracked []string
		filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if d.Name() == ".git" {
				return filepath.SkipDir
			}
			if !d.IsDir() && r.IntN(8) == 0 {
				tracked = append(tracked, strings.TrimPrefix(path, root+"/"))
			}
			return err
		})
		if len(tracked) > 0 {
			git(t, root, append([]string{"--literal-pathspecs", "add", "-f", "--"}, tracked...)...)
		}
		want, got := gitFiles(t, root), paths(walk(t, Options{Root: root}))
		if diff := cmp.Diff(want, got); diff != "" {
			patterns := ""
			for _, dir := range dirs {
				text, _ := os.ReadFile(filepath.Join(dir, ".gitignore"))
				patterns += fmt.Sprintf("%s: %q\n", strings.TrimPrefix(dir, root), text)
			}
			t.Fatalf("seed %d: git lists -, Walk lists +:\n%s\n%stracked: %q", seed, diff, patterns, tracked)
		}
		os.RemoveAll(root)
	}
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

func randomPatterns(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(4) {
		if r.IntN(3) == 0 {
			b.WriteString("!")
		}
		for range 1 + r.IntN(5) {
			b.WriteString(pick(r, "a", "b", "*", "?", "/", "/", "**", "**/", "/**", ".", "c", "[ab]", "[!a]", "[", "]", "\\", " ", "-", "é", "[a-", "x.c", "ab"))
		}
		b.WriteString(pick(r, "\n", "\n", "\r\n", "/\n"))
	}
	// git reads "**\/" as one or more folders, unlike "**/".
	return strings.ReplaceAll(b.String(), `\/`, "/")
}
