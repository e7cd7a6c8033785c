package cortex_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every script that a recipe calls is there and can be run.
func TestRecipes(t *testing.T) {
	data, err := os.ReadFile("justfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, recipe := range []string{"build", "test", "clean", "cover", "cross", "install", "release"} {
		if !regexp.MustCompile(`(?m)^` + recipe + `\b.*:\n\s+scripts/` + recipe + `\b`).Match(data) {
			t.Errorf("no recipe %s that calls scripts/%s", recipe, recipe)
		}
	}
	for _, call := range regexp.MustCompile(`(?m)^\s+(\S*\b(?:scripts|\.ci)/\S+)`).FindAllSubmatch(data, -1) {
		info, err := os.Stat(string(call[1]))
		if err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s: no script that can be run: %v", call[1], err)
		}
	}
}

// copyScripts makes a folder with copies of scripts and returns it.
func copyScripts(t *testing.T, names ...string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "scripts"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(root, name), data, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// scripts/mcpb bundles the commands that a server needs, and equal commands give equal bytes.
func TestBundle(t *testing.T) {
	if _, err := exec.LookPath("zip"); err != nil {
		t.Skip(err)
	}
	root := copyScripts(t, "scripts/mcpb")
	if err := os.Mkdir(filepath.Join(root, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"parse", "chunk", "embed", "store", "serve", "query"} {
		if err := os.WriteFile(filepath.Join(root, "bin", "cortex-"+name), []byte("#!/bin/sh\necho cortex-"+name+" 1.2.3\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var last []byte
	for range 2 {
		out, err := exec.Command(filepath.Join(root, "scripts", "mcpb")).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		data, err := os.ReadFile(filepath.Join(root, strings.TrimSpace(string(out))))
		if err != nil || last != nil && !bytes.Equal(data, last) {
			t.Fatalf("%v, or other bytes", err)
		}
		last = data
	}
	bundle, err := zip.NewReader(bytes.NewReader(last), int64(len(last)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range bundle.File {
		names = append(names, f.Name)
		if f.Name != "manifest.json" && f.Mode().Perm() != 0o755 {
			t.Errorf("%s has mode %v", f.Name, f.Mode())
		}
	}
	if got := strings.Join(names, " "); got != "manifest.json server/cortex-chunk server/cortex-embed server/cortex-parse server/cortex-serve server/cortex-store" {
		t.Errorf("it has %s", got)
	}
	text, err := fs.ReadFile(bundle, "manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Version string
		Server  struct {
			MCP struct {
				Command string
				Args    []string
			} `json:"mcp_config"`
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil || manifest.Version != "1.2.3" || manifest.Server.MCP.Command != "${__dirname}/server/cortex-serve" ||
		!slices.Equal(manifest.Server.MCP.Args, []string{"--roots", "${user_config.folder}"}) {
		t.Errorf("%v: %s", err, text)
	}
}

// Without the compiler, scripts/cross names the package that has it, and builds nothing.
func TestCrossNamesTheMissingCompiler(t *testing.T) {
	root := copyScripts(t, "scripts/cross", "scripts/need", "go.mod")
	path := t.TempDir()
	for _, tool := range []string{"bash", "cc", "dirname", "env", "go", "head", "mkdir", "sed", "sort"} {
		found, err := exec.LookPath(tool)
		if err != nil {
			t.Skip(err)
		}
		if err := os.Symlink(found, filepath.Join(path, tool)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(filepath.Join(root, "scripts/cross"))
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "CC=") }), "PATH="+path)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); exitStatus(err) != "2" {
		t.Errorf("exit status %s: %v", exitStatus(err), err)
	}
	if !strings.Contains(stderr.String(), "apt install gcc-aarch64-linux-gnu") {
		t.Errorf("the package is not named: %s", stderr.String())
	}
	if _, err := os.Stat(filepath.Join(root, "bin")); !os.IsNotExist(err) {
		t.Errorf("bin is there: %v", err)
	}
}

// scripts/install puts the commands in place with what shells and man want of them, and takes all of it away again.
func TestInstall(t *testing.T) {
	root := copyScripts(t, "scripts/install")
	// The commands are built already.
	if err := os.WriteFile(filepath.Join(root, "scripts/build"), []byte("#!/bin/sh\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(bin, filepath.Join(root, "bin")); err != nil {
		t.Fatal(err)
	}
	prefix := filepath.Join(t.TempDir(), "a prefix")
	install := func(args ...string) string {
		t.Helper()
		args = append([]string{"-c", `umask 077 && exec "$0" "$@"`, filepath.Join(root, "scripts/install")}, args...)
		out, err := exec.Command("bash", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	for range 2 { // the second time over the first
		if out := install(prefix); !strings.Contains(out, "export PATH="+strings.ReplaceAll(prefix, " ", `\ `)+"/bin:$PATH\n") {
			t.Errorf("it does not tell how to find the commands: %s", out)
		}
	}
	if info, err := os.Stat(filepath.Join(prefix, "share/man")); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("other users cannot read what is installed: %v, %v", info, err)
	}
	for name, want := range map[string]string{
		"share/man/man1/cortex-embed.1":                     `\fBcortex\-embed serve\fR`,
		"share/bash-completion/completions/cortex-query":    "complete -o default -F _cortex_query cortex-query",
		"share/zsh/site-functions/_cortex-parse":            "#compdef cortex-parse",
		"share/fish/vendor_completions.d/cortex-serve.fish": "-f -a claude-code",
		"share/fish/vendor_completions.d/cortex-store.fish": "-f -a verify",
		"share/bash-completion/completions/cortex-chunk":    "--code-chunk-size",
		"share/zsh/site-functions/_cortex-query":            "callers callees",
		"share/man/man1/cortex-query.1":                     "graph callers Server.Handle",
		"share/fish/vendor_completions.d/cortex-parse.fish": "-l languages",
		"share/bash-completion/completions/cortex-embed":    "--endpoint",
	} {
		if data, err := os.ReadFile(filepath.Join(prefix, name)); err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v, want %q in it", name, err, want)
		}
	}
	if out, err := exec.Command(filepath.Join(prefix, "bin/cortex-query"), "--version").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if out, err := exec.Command(filepath.Join(root, "scripts/install"), prefix, "--remove").CombinedOutput(); exitStatus(err) != "2" || string(out) != "scripts/install: unexpected argument --remove\n" {
		t.Errorf("a misplaced --remove: %v: %s", err, out)
	}
	install("--remove", prefix)
	err := filepath.WalkDir(prefix, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// scripts/clean removes what the scripts make, and nothing that is the user's.
func TestClean(t *testing.T) {
	root := copyScripts(t, "scripts/clean")
	made := []string{"bin/cortex-parse", "dist/SHA256SUMS", "bin/linux-arm64/cortex-parse", "bin/cover.out", ".cortex/generator-output.json", ".cortex/.gitignore",
		".cortex/shards/00.jsonl", ".cortex/cache/index/lock"}
	kept := []string{"scripts/clean", "main.go", "lib/search/cpu.prof", ".cortex/config.yml"}
	for _, name := range slices.Concat(made, kept[1:]) {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if out, err := exec.Command(filepath.Join(root, "scripts/clean")).CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v: %s", err, out)
		}
		var left []string
		err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if rel, _ := filepath.Rel(root, path); err == nil && !d.IsDir() {
				left = append(left, rel)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(left)
		slices.Sort(kept)
		if !slices.Equal(left, kept) {
			t.Errorf("left: %q, want %q", left, kept)
		}
	}
}
