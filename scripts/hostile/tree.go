package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// drawTree creates a tree with a few kinds of hostile content. Everything is written through the root, so that nothing
// is created outside of it, even through links. Files that the system refuses, for example because of their names, are
// left out.
func (c *hostile) drawTree() {
	if c.IntN(3) == 0 {
		c.forge()
	}
	c.sourceFiles()
	for range 1 + c.IntN(6) {
		pick(c, c.sourceFiles, c.sourceFiles, c.oddNames, c.deepFolders, c.manyFiles, c.objects, c.objects, c.wellKnown, c.wellKnown, c.wellKnown, c.types, c.restlessFiles)()
	}
}

// write replaces a file. Another goroutine may put a pipe in its place meanwhile, so the open must not wait for a
// reader.
func (c *hostile) write(name string, data []byte) {
	c.clear(name)
	f, err := c.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC|syscall.O_NONBLOCK, 0o644)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(data)
}

func (c *hostile) clear(name string) {
	_ = c.root.RemoveAll(name)
	_ = c.root.MkdirAll(filepath.Dir(name), 0o755)
}

// maxRead bounds what is read of a file, in bytes, since a file may have grown to gigabytes.
const maxRead = 16 << 20

// read returns the content of a file, nil if it is no regular file.
func (c *hostile) read(name string) []byte {
	f, err := c.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxRead {
		return nil
	}
	data, _ := io.ReadAll(f) // as much as can be read
	return data
}

// edit opens a file for writing and calls change. It ignores anything but regular files, since opening a pipe for
// writing waits for a reader.
func (c *hostile) edit(name string, change func(*os.File)) {
	f, err := c.root.OpenFile(name, os.O_WRONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		change(f)
	}
}

func (c *hostile) folder() string { return pick(c, "", "", "lib/", "src/a/", "docs/", "test/", "-x/") }

// sourceFiles writes files of real languages, changed or not, and random texts under such names.
func (c *hostile) sourceFiles() {
	for range 1 + c.upTo(10) {
		s := pick(c, c.sources...)
		c.write(c.folder()+s.name, pick(c, c.mutated(s.text), c.content(), s.text))
	}
}

// oddNames writes files with unusual names.
func (c *hostile) oddNames() {
	for range 1 + c.upTo(20) {
		name := strings.NewReplacer("/", "", "\x00", "").Replace(c.word()+pick(c, "", "#A", c.word())) + pick(c, ".go", ".md", ".py", "", ".", " ", "~")
		c.write(c.folder()+pick(c, name, name, name, strings.Repeat("n", 252)+".go", "a:"+name), pick(c, c.sources...).text)
	}
}

// deepFolders nests folders deeper than the longest path.
func (c *hostile) deepFolders() {
	name := pick(c, "d", "a b", "..a", "é", strings.Repeat("long", 60))
	at, err := c.root.OpenRoot(".")
	for n := c.upTo(1500); n > 0 && err == nil; n-- {
		_ = at.Mkdir(name, 0o755)
		if n%20 == 0 {
			_ = at.WriteFile("deep.go", []byte("package deep\n\nfunc Deep() {}\n"), 0o644)
		}
		inner, failed := at.OpenRoot(name)
		at.Close()
		at, err = inner, failed
	}
	if err == nil {
		at.Close()
	}
}

func (c *hostile) manyFiles() {
	folder := c.folder()
	for i := range c.upTo(1500) {
		c.write(fmt.Sprintf("%sf%d.%s", folder, i, pick(c, "go", "md", "txt", "png")), []byte(pick(c, "", "x", "package p\n\nfunc F() {}\n")))
	}
}

// types writes types and interfaces that all refer to each other.
func (c *hostile) types() {
	n, m := 1+c.upTo(400), 1+c.upTo(60)
	var b strings.Builder
	b.WriteString("package p\n")
	for i := range m {
		fmt.Fprintf(&b, "type I%d interface { A(); B%d() }\n", i, i%5)
	}
	for i := range n {
		fmt.Fprintf(&b, "type T%d struct { *T%d; I%d }\nfunc (t *T%d) A() { t.B%d(); t.A() }\nfunc (t *T%d) B%d() { t.T%d.A() }\n", i, (i+1)%n, i%m, i, i%5, i, i%5, (i+7)%n)
	}
	c.write(c.folder()+"types.go", []byte(b.String()))
}

// restless begins the text of files that change continuously.
const restless = "restless "

func (c *hostile) restlessFiles() {
	for i := range 1 + c.upTo(10) {
		c.write(fmt.Sprintf("restless%d.txt", i), []byte(restless+strings.Repeat("0 line\n", 1+c.upTo(50_000))))
	}
}

// known returns files and folders that the commands look for, with their contents. OUT stands for the folder of the
// canaries.
func (c *hostile) known() [][2]string {
	paths := `{"extends":"OUT/secret.go","compilerOptions":{"baseUrl":"..","paths":{"*":["*"],"@/*":["/*","../outside/*"]},"rootDirs":["/","a"]},"imports":{"a/":"./../"},"references":[{"path":"."}]}`
	patterns := ""
	for range c.upTo(2000) {
		patterns += c.pattern() + "\n"
	}
	gitDir := "gitdir: " + pick(c, "OUT/git", "../outside/git", ".", "..", "/", "/proc/self/fd", "/dev/zero", "sub/.git", ".git", "lib", "", strings.Repeat("../", 2000), c.word()) + pick(c, "\n", "", "\x00", strings.Repeat("x", c.upTo(100_000)))
	settings := ""
	for i := range 9 { // YAML aliases whose expansion grows tenfold with each line
		settings += fmt.Sprintf("a%d: &a%d [%sx]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d,", i), 10))
	}
	return [][2]string{
		{"package.json", `{"name":"@a/b","main":"../x","exports":{"./*":"./src/*.js",".":{"import":"./a.mjs"}},"imports":{"#x/*":"../../*"},"workspaces":["packages/*","**"]}`},
		{"tsconfig.json", paths}, {"jsconfig.base.json", paths}, {"deno.json", paths}, {"import_map.json", paths},
		{"composer.json", `{"autoload":{"psr-4":{"A\\":["../","/"],"":"src/"},"classmap":["."]}}`},
		{"go.mod", "module example.com/a/v2\n\nrequire x v1\nreplace x => ../outside\n"}, {"go.work", "go 1.26\nuse (\n\t../outside\n\t./lib\n)\n"},
		{"Cargo.toml", "[package]\nname = \"a\"\n[lib]\npath = \"../outside/secret.rs\"\n[workspace]\nmembers = [\"*\", \"../..\"]\n"},
		{"pyproject.toml", "[project]\nname = \"a\"\n[tool.setuptools.packages.find]\nwhere = [\"..\", \"/\"]\n[tool.setuptools.package-dir]\n\"\" = \"../outside\"\n"},
		{"notes.ipynb", `{"nbformat":4,"metadata":{"kernelspec":{"language":"python"}},"cells":[{"cell_type":"code","source":["import os\n"],"outputs":[{"text":"x"}]},{"cell_type":"markdown","source":"# T"}]}`},
		{".gitignore", patterns}, {".ignore", patterns}, {".cortexignore", patterns}, {"sub/.gitignore", patterns}, {".git/info/exclude", patterns},
		{".git", gitDir}, {"sub/.git", gitDir}, {".git/commondir", strings.TrimPrefix(gitDir, "gitdir: ")}, {".git/HEAD", "ref: refs/heads/" + c.word()}, {".git/index", c.gitIndex()}, {".git/index", c.gitIndex()},
		{".git/config", "[core]\n\tworktree = OUT\n\texcludesFile = OUT/git/info/exclude\n[include]\n\tpath = config\n\tpath = ../../outside/git/config\n[extensions]\n\tobjectFormat = sha256\n"}, {".git/index.lock", ""},
		{".cortex/config.yml", settings}, {".cortex/config.yml", "embedding:\n  provider: openai\n  endpoint: http://127.0.0.1:9\n  model: OUT\n"},
		{".cortex/config.yml", fmt.Sprintf("paths:\n  ignore: [%q]\n  code: [%q]\nchunking:\n  code_chunk_size: 200\n  overlap: 50000\nsearch:\n  local_boost: 1e2\n", c.pattern(), c.pattern())},
		{".cortex", ""}, {".cortex/generator-output.json", `{"version":1,"files":{"/x":{}}}`}, {".cortex/generator-output.json", `{"version":2,"trees":{"/x":{}}}`}, {".cortex/shards", ""}, {".cortex/shards/00.jsonl", ""}, {".cortex/chunks", ""}, {".cortex/chunks/code-symbols.jsonl", ""},
		{".cortex/cache", ""}, {".cortex/cache/files", ""}, {".cortex/cache/index", ""}, {".cortex/.gitignore", ""}, {"a.go", "package a\n"}, {"README.md", "# A\n"}, {"lib/b.py", "b = 1\n"},
	}
}

// touch records that the index may be changed by something other than Cortex.
func (c *hostile) touch(name string) {
	c.forged = c.forged || strings.HasPrefix(name, ".cortex") && name != ".cortex/config.yml"
}

// wellKnown writes files that the commands look for, with values that they must not trust.
func (c *hostile) wellKnown() {
	for range 1 + c.upTo(6) {
		file := pick(c, c.known()...)
		c.touch(file[0])
		data := []byte(strings.ReplaceAll(file[1], "OUT", filepath.Join(c.dir, "outside")))
		for range c.upTo(5) {
			data = c.otherValue(data)
		}
		c.write(pick(c, "", "", "lib/")+file[0], pick(c, data, data, c.mutated(data)))
	}
}

// gitIndex returns a git index of any version (git's Documentation/gitformat-index), with invalid paths and wrong
// counts.
func (c *hostile) gitIndex() string {
	version := pick(c, uint32(2), 2, 3, 4, 4, c.Uint32())
	data := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32([]byte("DIRC"), version), pick(c, 10, c.Uint32(), 1<<31, 0xffffffff))
	for i := range c.upTo(2000) {
		flags := uint16(c.Uint32() & 0x4fff)
		data = binary.BigEndian.AppendUint16(append(data, make([]byte, 60)...), flags)
		if flags&0x4000 != 0 {
			data = append(data, 0, 0)
		}
		if version == 4 {
			data = append(data, pick(c, byte(0), 1, 0x7f, 0x80, 0xff))
		}
		data = append(data, pick(c, fmt.Sprintf("build/f%d.go", i), "/etc/passwd", "../../x", "", "a/./b", strings.Repeat("out/", c.upTo(500))+"x")...)
		for data = append(data, 0); version < 4 && (len(data)-12)%8 != 0; {
			data = append(data, 0)
		}
	}
	return string(data)
}

// objects replaces files that the commands would open by links, pipes, devices and the like.
func (c *hostile) objects() {
	for range 1 + c.upTo(8) {
		name := pick(c, c.known()...)[0]
		c.touch(name)
		c.object(name)
	}
}

func (c *hostile) object(name string) {
	c.clear(name)
	special := func(kind uint32, device int) {
		if _, err := c.root.Stat(filepath.Dir(name)); err == nil { // otherwise the path leads out of the tree
			_ = syscall.Mknod(filepath.Join(c.root.Name(), name), kind|0o644, device)
		}
	}
	switch c.IntN(9) {
	case 0: // a sparse file of gigabytes
		c.write(name, []byte(pick(c, "", "DIRC\x00\x00\x00\x02\xff\xff\xff\xff", "{", "package p\n", "*\n", `{"version":1,"files":{"`, "gitdir: x")))
		c.edit(name, func(f *os.File) { _ = f.Truncate(int64(pick(c, 900<<10, 20<<20, 600<<20, 3<<30, 40<<30))) })
	case 1:
		special(syscall.S_IFIFO, 0)
	case 2:
		special(syscall.S_IFSOCK, 0)
	case 3:
		special(syscall.S_IFCHR, pick(c, 1<<8|5, 1<<8|3, 5<<8)) // /dev/zero, /dev/null, /dev/tty; only root can create them
	case 4:
		_ = c.root.Symlink(pick(c, "../outside/secret.go", "../outside/folder", "../outside/git", "../outside/store", "../../outside/git", filepath.Join(c.dir, "outside", "secret.go"), filepath.Join(c.dir, "outside")), name)
	case 5:
		_ = c.root.Symlink(pick(c, ".", "..", filepath.Base(name), "nowhere", "/dev/zero", "/dev/stdin", "/proc/self/root", "/", strings.Repeat("a/../", 500)+"a"), name)
	case 6:
		_ = c.root.Mkdir(name, 0o755)
	case 7:
		c.write(name, c.content())
		_ = c.root.Chmod(name, 0)
	case 8:
		c.write(name, c.content())
	}
}

// turmoil changes the tree until it is stopped: files change, vanish, and are replaced by folders and links.
func (c *hostile) turmoil() (stop func()) {
	other := *c
	other.Rand = rand.New(rand.NewPCG(c.Uint64(), 0))
	done := make(chan struct{})
	var worker sync.WaitGroup
	worker.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Duration(other.IntN(3000)) * time.Microsecond):
			}
			other.upset()
		}
	})
	return sync.OnceFunc(func() { close(done); worker.Wait() })
}

// upset makes one change in the tree.
func (c *hostile) upset() {
	name := pick(c, "lib", "src", "src/a", "docs", "a.go", "README.md", "package.json", fmt.Sprintf("lib/turn%d.go", c.IntN(5)), "restless0.txt", "restless1.txt")
	switch {
	case strings.HasPrefix(name, "restless"):
		c.edit(name, func(f *os.File) { // like an editor that writes in place
			_, _ = f.WriteAt([]byte(restless+strings.Repeat(fmt.Sprintf("%d line\n", c.IntN(10)), 1+c.upTo(50_000))), 0)
			_ = f.Truncate(int64(1 + c.upTo(200_000)))
		})
	case c.IntN(2) == 0:
		c.object(name)
	case c.IntN(3) == 0:
		_ = c.root.Rename(name, name+".moved")
	default:
		c.write(name+pick(c, "", "/x.go", "/y/z.md"), pick(c, c.sources...).text)
	}
}
