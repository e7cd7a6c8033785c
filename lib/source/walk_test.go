package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/derived"
	"cortex/lib/hint"
	"cortex/lib/record"
)

// walkFiles creates a tree of empty files, walks it, and returns the paths without those of ignore files.
func walkFiles(t *testing.T, opts Options, files map[string]string) []string {
	t.Helper()
	opts.Root = t.TempDir()
	write(t, opts.Root, files)
	got := []string{}
	for _, p := range paths(walk(t, opts)) {
		if !strings.HasSuffix(p, "ignore") {
			got = append(got, p)
		}
	}
	return got
}

func tree(names string) map[string]string {
	files := map[string]string{}
	for n := range strings.FieldsSeq(names) {
		files[n] = ""
	}
	return files
}

func TestIgnoreFilesOutsideGit(t *testing.T) {
	got := walkFiles(t, Options{}, map[string]string{".gitignore": "*.log\n", "a.log": "", "a.go": "", "d/b.log": ""})
	if diff := cmp.Diff([]string{"a.go"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestPrecedenceOfIgnoreFiles(t *testing.T) {
	files := map[string]string{
		".gitignore":    "1*\n!2*\n",
		".ignore":       "!1*\n2*\n!3*\n",
		".cortexignore": "3*\n4*\n",
		"1":             "", "2": "", "3": "", "4": "", "5": "",
		// A file of one kind decides before any file of the next kind, regardless of folders.
		"d/.gitignore":    "5*\n!4*\n",
		"d/.cortexignore": "!3x\n",
		"d/1":             "", "d/2": "", "d/3": "", "d/3x": "", "d/4": "", "d/5": "",
	}
	if diff := cmp.Diff([]string{"1", "5", "d/1", "d/3x"}, walkFiles(t, Options{}, files)); diff != "" {
		t.Error(diff)
	}
}

func TestBuiltInExclusions(t *testing.T) {
	t.Run("always", func(t *testing.T) {
		got := walkFiles(t, Options{}, tree(`a.go .git/config .hg/x .svn/x .cortex/config.yml d/.cortex/x .cortex.newer/shards/00.jsonl
			node_modules/a/b.js d/node_modules/c.js vendor/x d/vendor/y dist/x __pycache__/x.pyc .venv/x .tox/x .idea/x .cache/x .DS_Store
			.github/workflows/ci.yml .vscode/settings.json cmd/vendor.go`))
		if diff := cmp.Diff([]string{".github/workflows/ci.yml", ".venv/", ".vscode/settings.json", "a.go", "cmd/vendor.go",
			"d/node_modules/", "d/vendor/", "dist/", "node_modules/", "vendor/"}, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("at the top and beside a build file", func(t *testing.T) {
		got := walkFiles(t, Options{}, tree(`build/a target/b out/c src/go/build/d.go src/target/e.c web/package.json web/build/f.js cs/x.csproj cs/obj/g`))
		if diff := cmp.Diff([]string{"build/", "cs/obj/", "cs/x.csproj", "out/", "src/go/build/d.go", "src/target/e.c", "target/", "web/build/", "web/package.json"}, got); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("with the line that includes them", func(t *testing.T) {
		root := t.TempDir()
		write(t, root, tree(`a[b]*/dist/x a[b]*/y`))
		include := func() (line string) {
			for _, e := range walk(t, Options{Root: root}) {
				if _, line, found := strings.Cut(e.Skip, ": the line "); found {
					line, _, _ = strings.Cut(line, " in .cortexignore")
					return line
				}
			}
			return ""
		}
		line := include()
		write(t, root, map[string]string{".cortexignore": line + "\n"})
		if diff := cmp.Diff([]string{".cortexignore", "a[b]*/dist/x", "a[b]*/y"}, paths(walk(t, Options{Root: root}))); diff != "" {
			t.Error(line, diff)
		}
	})
	t.Run("brought back", func(t *testing.T) {
		for _, file := range ignoreNames {
			files := tree("vendor/a build/b node_modules/c .git/d .cortex/e d/vendor/f")
			files[file] = "!/vendor/\n!build\n!.git\n!.cortex/\n"
			want := []string{"build/b", "d/vendor/", "node_modules/", "vendor/a"}
			if diff := cmp.Diff(want, walkFiles(t, Options{}, files)); diff != "" {
				t.Error(file, diff)
			}
		}
	})
}

// In a folder with the name of a build folder, files that git tracks are sources.
func TestTrackedBuildFolders(t *testing.T) {
	for _, format := range []string{"sha1", "sha256"} {
		for _, version := range []string{"2", "3", "4"} {
			t.Run(format+" version "+version, func(t *testing.T) {
				root := t.TempDir()
				write(t, root, tree(`go.mod build/tracked build/untracked out/untracked target/.gitkeep target/x
					sub/go.mod sub/build/deep/tracked a-file-with-a-long-name-that-fills-the-entry vendor/tracked`))
				git(t, root, "init", "-q", "--object-format="+format)
				git(t, root, "add", "-f", "go.mod", "build/tracked", "target/.gitkeep", "sub", "a-file-with-a-long-name-that-fills-the-entry", "vendor")
				if version == "3" { // git writes version 3 only for entries with extended flags
					git(t, root, "add", "-N", "build/untracked")
				} else {
					git(t, root, "update-index", "--index-version", version)
				}
				want := []string{"a-file-with-a-long-name-that-fills-the-entry", "build/tracked", "build/untracked", "go.mod", "out/", "sub/build/deep/tracked", "sub/go.mod", "target/", "vendor/"}
				if diff := cmp.Diff(want, paths(walk(t, Options{Root: root}))); diff != "" {
					t.Error(diff)
				}
				// A walk that begins at a subfolder gives the same.
				if diff := cmp.Diff([]string{"build/deep/tracked", "go.mod"}, paths(walk(t, Options{Root: filepath.Join(root, "sub")}))); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

func FuzzTrackedPaths(f *testing.F) {
	root := f.TempDir()
	write(f, root, tree("a build/b build/c/d"))
	git(f, root, "init", "-q")
	git(f, root, "add", "-f", ".")
	for _, version := range []string{"2", "4"} {
		git(f, root, "update-index", "--index-version", version)
		index, err := os.ReadFile(filepath.Join(root, ".git/index"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(index)
	}
	f.Fuzz(func(t *testing.T, index []byte) {
		n := 0
		trackedPaths(bytes.NewReader(index), 20, func(path []byte) { n += 1; addFolders(map[string]bool{}, path) })
		if n > len(index) {
			t.Errorf("%d paths in %d bytes", n, len(index))
		}
	})
}

func TestGlobs(t *testing.T) {
	files := tree("a.go b.py README.md d/c.go d/e.md d/f.txt x/y/z.go x/y/w.html tool")
	tests := []struct {
		name string
		opts Options
		want string
	}{
		{"none", Options{}, "README.md a.go b.py d/c.go d/e.md d/f.txt tool x/y/w.html x/y/z.go"},
		{"code alone leaves documents", Options{Code: []string{"**/*.go"}}, "README.md a.go d/c.go d/e.md d/f.txt x/y/z.go"},
		{"docs alone leave code", Options{Docs: []string{"*.md"}}, "README.md a.go b.py d/c.go tool x/y/w.html x/y/z.go"},
		{"either list is enough", Options{Code: []string{"*.go"}, Docs: []string{"**/*.{md,html}"}}, "README.md a.go d/e.md x/y/w.html"},
		{"a folder with all that is in it", Options{Ignore: []string{"x", "d/**"}}, "README.md a.go b.py tool"},
		{"slash at the end and dot at the start", Options{Ignore: []string{"./x/", "d/*"}}, "README.md a.go b.py tool"},
		{"anchored at the root", Options{Ignore: []string{"c.go", "y", "**/z.go"}}, "README.md a.go b.py d/c.go d/e.md d/f.txt tool x/y/w.html"},
		{"ignore wins", Options{Code: []string{"**/*.go"}, Docs: []string{"**"}, Ignore: []string{"**/*.{go,txt}"}}, "README.md b.py d/e.md tool x/y/w.html"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(strings.Fields(tt.want), walkFiles(t, tt.opts, files)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWrongGlobs(t *testing.T) {
	tests := []struct{ pattern, want string }{
		{"../x", `paths.ignore: pattern "../x": leaves the root`},
		{"a/../../x", `paths.ignore: pattern "a/../../x": leaves the root`},
		{"/etc/**", `paths.ignore: pattern "/etc/**": is absolute`},
		{"", `paths.ignore: pattern "": is empty`},
		{"[a", `paths.ignore: pattern "[a": is not a valid glob`},
		{"{a", `paths.ignore: pattern "{a": is not a valid glob`},
		{strings.Repeat("{a,b,c}*", 7), `: has too many alternatives`},
	}
	for _, tt := range tests {
		_, err := Walk(t.Context(), Options{Root: t.TempDir(), Ignore: []string{"ok", tt.pattern}})
		if err == nil || !strings.HasSuffix(err.Error(), tt.want) || hint.Of(err) == "" {
			t.Errorf("%q: error %v", tt.pattern, err)
		}
	}
}

func TestWalkErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, tree("file"))
	for root, want := range map[string]string{
		filepath.Join(dir, "none"): "no such file or directory",
		filepath.Join(dir, "file"): "not a directory",
		"":                         "no such file or directory",
	} {
		_, err := Walk(t.Context(), Options{Root: root})
		if want := fmt.Sprintf("read tree %q: %s", root, want); err == nil || err.Error() != want {
			t.Errorf("error %v, want %v", err, want)
		}
		if _, err := OpenFolder(root); err == nil {
			t.Errorf("OpenFolder(%q) gave no error", root)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Walk(ctx, Options{Root: dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := List(ctx, Options{Root: dir}, []string{"file"}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// special creates a tree with files that are not regular.
func special(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "r") // sockets have short paths
	write(t, root, map[string]string{"plain": "x", "d/e": "y", "../outside/secret": "s"})
	for link, target := range map[string]string{
		"link-to-file": "plain", "link-to-folder": "d", "link-out": "../outside", "link-to-nothing": "none", "loop": "loop", "d/up": "..", "d/.gitignore": "/dev/zero",
	} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	for _, name := range []string{"pipe", ".cortexignore", "d/.ignore"} {
		if err := syscall.Mkfifo(filepath.Join(root, name), 0o644); err != nil {
			t.Skip(err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(root, "socket"))
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { l.Close() })
	return root
}

func TestSpecialFiles(t *testing.T) {
	root := special(t)
	want := map[string]string{
		"plain": "", "d/e": "",
		"link-to-file": SymbolicLink, "link-to-folder": SymbolicLink, "link-out": SymbolicLink, "link-to-nothing": SymbolicLink,
		"loop": SymbolicLink, "d/up": SymbolicLink, "d/.gitignore": SymbolicLink,
		"pipe": NotRegular + ": named pipe", ".cortexignore": NotRegular + ": named pipe", "d/.ignore": NotRegular + ": named pipe",
		"socket": NotRegular + ": socket",
	}
	got := map[string]string{}
	tree, err := OpenFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, e := range walk(t, Options{Root: root}) {
		got[e.Path] = e.Skip
		if _, _, skip, err := tree.Read(e, 0); err != nil || skip != e.Skip {
			t.Errorf("Read(%q): %q, %v", e.Path, skip, err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	// A regular file may be replaced before it is read.
	for path, want := range map[string]string{
		"pipe": NotRegular, "d": NotRegular, "link-out/secret": Unreadable, "loop": Unreadable, "../outside/secret": Unreadable,
	} {
		data, _, skip, err := tree.Read(Entry{Path: path}, 0)
		if err != nil || record.ReasonOf(skip) != want || data != nil {
			t.Errorf("Read(%q): %q, %q, %v", path, data, skip, err)
		}
	}
	for _, path := range []string{"gone", "plain/x"} {
		if _, _, skip, err := tree.Read(Entry{Path: path}, 0); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("Read(%q): %q, %v", path, skip, err)
		}
	}
}

func TestOddNames(t *testing.T) {
	root := t.TempDir()
	long := strings.Repeat("n", 252) + ".go"
	for _, name := range []string{"new\nline.go", "tab\t.go", " space ", "-dash", "\"quote\"", "back\\slash", "é.go", "*.go", "a\xffb.go", "d\xfe/x.go", long,
		`a\xffb.md`, "a\xffb.md", "replaced\uFFFD.go"} {
		path := filepath.Join(root, name)
		os.Mkdir(filepath.Dir(path), 0o755)
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Skip(err) // some filesystems refuse some of these
		}
	}
	want := []Entry{
		{Path: " space ", Size: 1}, {Path: "\"quote\"", Size: 1}, {Path: "*.go", Size: 1}, {Path: "-dash", Size: 1},
		{Path: `a\xffb.go`, Size: 1, Skip: badName}, {Path: `a\xffb.md`, Size: 1}, {Path: "back\\slash", Size: 1},
		{Path: `d\xfe`, Skip: badName}, {Path: "new\nline.go", Size: 1}, {Path: long, Size: 1}, {Path: "replaced\uFFFD.go", Size: 1}, {Path: "tab\t.go", Size: 1}, {Path: "é.go", Size: 1},
	}
	got := walk(t, Options{Root: root})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, e := range got {
		if !utf8.ValidString(e.Path) {
			t.Errorf("path %q", e.Path)
		}
	}
}

func TestUnreadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is unreadable to root")
	}
	root := t.TempDir()
	write(t, root, tree("closed/x shut a ok"))
	for _, name := range []string{"closed", "shut"} {
		path := filepath.Join(root, name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(path, 0o755) })
	}
	got := walk(t, Options{Root: root})
	want := []Entry{{Path: "a"}, {Path: "closed", Skip: "unreadable: permission denied"}, {Path: "ok"}, {Path: "shut"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	tree, err := OpenFolder(root)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if _, _, skip, err := tree.Read(Entry{Path: "shut"}, 0); skip != "unreadable: permission denied" || err != nil {
		t.Errorf("%q, %v", skip, err)
	}
}

// A tree deeper than the longest path is walked with few open files. The folder in which paths become too long is
// listed as one entry.
func TestDeepTree(t *testing.T) {
	if testing.Short() {
		t.Skip("makes 300 folders in each other")
	}
	top := t.TempDir()
	dir, err := os.OpenRoot(top)
	if err != nil {
		t.Fatal(err)
	}
	const depth = 300
	name := strings.Repeat("d", 40)
	deepest := (record.MaxPath + 1) / (len(name) + 1)
	for at := range depth {
		if err := dir.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
		next, err := dir.OpenRoot(name)
		if err != nil {
			t.Fatal(err)
		}
		dir.Close()
		if dir = next; at >= deepest-1 {
			for _, file := range []string{"f", "\xff"} {
				if err := dir.WriteFile(file, nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	dir.Close()
	folder := strings.TrimSuffix(strings.Repeat(name+"/", deepest), "/")
	want := map[string]string{folder + "/f": "", folder + `/\xff`: badName, folder: TooLong}
	got := map[string]string{}
	var file Entry
	for _, e := range walk(t, Options{Root: top}) {
		if got[e.Path] = e.Skip; e.Skip == "" {
			file = e
		}
		if err := record.CheckPath(e.Path); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	tree, err := OpenFolder(top)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if _, _, skip, err := tree.Read(file, 0); skip != "" || err != nil {
		t.Errorf("%q, %v", skip, err)
	}
}

// Ignore files designed to be slow are cut, and this is reported.
func TestHostileIgnoreFiles(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		".gitignore":             strings.Repeat("*a*a*a*a*a*a*a*b\n", 100_000) + "x\n",
		strings.Repeat("a", 200): "", strings.Repeat("a/", 60) + "x": "",
		"b/.gitignore": strings.Repeat("**/a/", 1000) + "b\nx\n", "b/x": "", "b/y": "",
		"c/.gitignore": strings.Repeat("[[:x", 1<<20) + "]\n", "c/x": "",
		"d/.gitignore": strings.Repeat("**/a/**/a/**/b\n[[:x[:x[:x]*/x\n", 500), "d/x": "",
	})
	var reports []string
	entries := walk(t, Options{Root: root, Report: func(err error) { reports = append(reports, err.Error()) }})
	want := []string{".gitignore", strings.Repeat("a/", 60) + "x", strings.Repeat("a", 200), "b/.gitignore", "b/y", "c/.gitignore", "c/x", "d/.gitignore", "d/x"}
	if diff := cmp.Diff(want, paths(entries)); diff != "" {
		t.Error(diff)
	}
	slices.Sort(reports)
	for i, file := range []string{".gitignore", "b/.gitignore", "c/.gitignore"} {
		if want := "read " + file + ": too much; only the first patterns count"; i >= len(reports) || reports[i] != want {
			t.Errorf("reports %q", reports)
		}
	}
}

func TestSortedByBytes(t *testing.T) {
	got := walkFiles(t, Options{}, tree("a/b a-b a.b a0 ab B é z"))
	if diff := cmp.Diff([]string{"B", "a-b", "a.b", "a/b", "a0", "ab", "z", "é"}, got); diff != "" {
		t.Error(diff)
	}
}

// A walk holds few folders open, however deep the tree, and none after its end or failure.
func TestWalkHoldsFewFoldersOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many folders")
	}
	root := t.TempDir()
	var want []string
	path := ""
	for range 131 {
		for _, name := range []string{"a/f", "z/f", "f"} {
			want = append(want, path+name)
		}
		path += "d/"
	}
	for _, name := range want {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("text\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(want)
	open := func() int {
		list, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("no /proc: ", err)
		}
		return len(list)
	}
	before := open()
	entries, err := Walk(t.Context(), Options{Root: root})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Path)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	most := 0
	for folders := range 20 {
		left := 20 * folders
		v := visitor{enough: func(int) bool {
			most = max(most, open()-before)
			left--
			return left < 0
		}}
		if _, err := walkTree(t.Context(), Options{Root: root}, v); err != nil {
			t.Fatal(err)
		}
	}
	if most > walkers+8 {
		t.Errorf("%d folders are open", most)
	}
	if after := open(); after > before {
		t.Errorf("%d files are open, %d were", after, before)
	}
}

// A file named .cortex does not belong to the tree, like a file named .git.
func TestWalkLeavesOutFilesInThePlaceOfAStore(t *testing.T) {
	if diff := cmp.Diff([]string{"a.go"}, walkFiles(t, Options{}, tree("a.go .cortex d/.cortex d/.git"))); diff != "" {
		t.Error(diff)
	}
}

// Special files in git's folder do not block, and the index is read one entry at a time.
// The store and the cache folder are no part of the tree, whatever they are called and whatever ignore files say.
func TestOwnFoldersAreLeftOut(t *testing.T) {
	root := t.TempDir()
	t.Setenv(derived.Variable, filepath.Join(root, "ci", "cache"))
	files := tree("a ci/b ci/cache/stores/x d/myindex/y myindex/shards/z myindex2/w")
	files[".cortexignore"] = "!myindex/\n!cache/\n"
	write(t, root, files)
	above := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, above); err != nil {
		t.Fatal(err)
	}
	for _, opts := range []Options{
		{Root: root, Store: filepath.Join(root, "myindex")},
		{Root: above, Store: filepath.Join(root, "myindex")},
		{Root: root, Store: filepath.Join(above, "myindex", ".")},
	} {
		if got, want := strings.Join(paths(walk(t, opts)), " "), ".cortexignore a ci/b d/myindex/y myindex2/w"; got != want {
			t.Errorf("%+v: %s, want %s", opts, got, want)
		}
		for _, e := range list(t, opts, "myindex/shards/z", "ci/cache/stores/x") {
			if !e.Deleted {
				t.Errorf("%s is listed", e.Path)
			}
		}
	}
	for _, store := range []string{root, filepath.Dir(root), t.TempDir()} {
		if got := paths(walk(t, Options{Root: root, Store: store})); len(got) != 6 {
			t.Errorf("store %s: %s", store, got)
		}
	}
}

func TestHostileGitFolders(t *testing.T) {
	mkfifo := func(path string) func() error {
		return func() error { return syscall.Mkfifo(path, 0o666) }
	}
	for name, prepare := range map[string]func(root string) error{
		"pipe named by .git": func(root string) error {
			write(t, root, map[string]string{".git": "gitdir: pipe\n"})
			return mkfifo(filepath.Join(root, "pipe"))()
		},
		"pipe named by commondir": func(root string) error {
			write(t, root, map[string]string{".git/HEAD": "x", ".git/commondir": "../pipe\n"})
			return mkfifo(filepath.Join(root, "pipe"))()
		},
		".git is a pipe": func(root string) error { return mkfifo(filepath.Join(root, ".git"))() },
		"the index is a pipe": func(root string) error {
			write(t, root, map[string]string{".git/HEAD": "x"})
			return mkfifo(filepath.Join(root, ".git/index"))()
		},
		"ignore files are pipes": func(root string) error {
			write(t, root, map[string]string{".git/info/x": "x"})
			return errors.Join(mkfifo(filepath.Join(root, ".git/info/exclude"))(), mkfifo(filepath.Join(root, ".ignore"))())
		},
		"nested .git is a pipe": func(root string) error {
			write(t, root, map[string]string{"sub/x.go": "x"})
			return mkfifo(filepath.Join(root, "sub/.git"))()
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			write(t, root, map[string]string{"go.mod": "module x\n", "build/a.go": "x", "a.go": "x"})
			if err := prepare(root); err != nil {
				t.Fatal(err)
			}
			done := make(chan bool)
			go func() {
				entries, err := Walk(t.Context(), Options{Root: root})
				done <- err == nil && slices.ContainsFunc(entries, func(e Entry) bool { return e.Path == "a.go" })
			}()
			select {
			case ok := <-done:
				if !ok {
					t.Error("a.go is not listed")
				}
			case <-time.After(time.Minute):
				t.Fatal("the walk waits")
			}
		})
	}
}

// A sparse index takes no space on disk.
func TestLargeGitIndexIsReadAsAStream(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large file")
	}
	root := t.TempDir()
	write(t, root, map[string]string{"go.mod": "module x\n", "build/a.go": "x", ".git/HEAD": "x"})
	path := filepath.Join(root, ".git/index")
	if err := os.WriteFile(path, []byte("DIRC\x00\x00\x00\x02\xff\xff\xff\xff"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 64<<20); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	walk(t, Options{Root: root})
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("the walk allocates %d bytes", took)
	}
}
