package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A hostile is one case.
//
//	DIR/tree      the tree
//	DIR/outside   canaries: files to which the tree has links, all with the same text, which must not appear anywhere
//	DIR/home      the user's home folder
//	DIR/N.jsonl   output of stage N
type hostile struct {
	*hunt
	*rand.Rand
	number      int
	dir, canary string
	root        *os.Root // of the tree
	// forged says that the tree came with an index.
	forged bool
}

func (h *hunt) newCase(number int) (*hostile, error) {
	c := &hostile{hunt: h, number: number, dir: filepath.Join(h.dir, fmt.Sprintf("case-%d", number)), Rand: rand.New(rand.NewPCG(h.seed, uint64(number)))}
	c.canary = fmt.Sprintf("canary%016x", c.Uint64())
	for _, file := range []string{"outside/secret.go", "outside/folder/x.md", "outside/git/HEAD", "outside/git/config", "outside/git/info/exclude", "outside/store/generator-output.json", "tree/own.md", "home/own", "tmp/own"} {
		text := c.canary
		if !strings.HasPrefix(file, "outside") {
			text = "own"
		}
		path := filepath.Join(c.dir, file)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte("# "+text+"\n"), 0o644)); err != nil {
			return c, err
		}
	}
	var err error
	c.root, err = os.OpenRoot(filepath.Join(c.dir, "tree"))
	return c, err
}

// play creates the tree and runs the commands on it, with normal and with hostile input.
func (c *hostile) play(ctx context.Context) error {
	defer c.root.Close()
	c.drawTree()
	before, err := snapshot(filepath.Join(c.dir, "outside"))
	if err != nil {
		return err
	}
	stop := func() {}
	if c.IntN(3) == 0 {
		stop = c.turmoil()
	}
	stored, err := c.pipeline(ctx)
	if err == nil && c.IntN(12) == 0 {
		err = c.watch(ctx)
	}
	if c.IntN(6) == 0 {
		c.damage()
	}
	// A new generator makes the calls independent of the random numbers that the tree used.
	c.Rand = rand.New(rand.NewPCG(c.seed, ^uint64(c.number)))
	for n := c.number * c.calls / c.trees; err == nil && n < (c.number+1)*c.calls/c.trees; n++ {
		err = c.call(ctx)
	}
	stop()
	for _, words := range []string{"cortex-store verify", "cortex-query exact --json e*", "cortex-query search --json read the file"} {
		if err != nil || !stored || c.forged {
			break
		}
		p := c.process(ctx, strings.Fields(words)...)
		if err = p.run(); err == nil && p.status == 2 {
			err = fmt.Errorf("%s ends with status 2 in an index that nobody changed\n%s", p, p.complaints())
		}
	}
	if after, gone := snapshot(filepath.Join(c.dir, "outside")); before != after {
		err = errors.Join(err, gone, fmt.Errorf("what is outside of the tree has changed from\n%s\nto\n%s", before, after))
	}
	eachFile(filepath.Join(c.dir, "tree", ".cortex"), func(path string) {
		if bytes.Contains(c.read(path[len(c.root.Name())+1:]), []byte(c.canary)) {
			err = errors.Join(err, fmt.Errorf("%s holds what is outside of the tree", path))
		}
	})
	return err
}

// pipeline runs the stages one after the other, so that the output of each can be checked. It returns whether there is
// an index now.
func (c *hostile) pipeline(ctx context.Context) (stored bool, err error) {
	parse := []string{"cortex-parse", ".", pick(c, "--jobs=2", "--jobs=2", "--incremental")}
	status, err := c.runStage(ctx, 0, parse...)
	if status == 2 && err == nil {
		// Invalid settings end a run, and must have no other effect.
		c.clear(".cortex/config.yml")
		_, err = c.runStage(ctx, 0, parse...)
	}
	for n, name := range []string{"cortex-chunk", "cortex-embed", "cortex-store"} {
		if err == nil {
			status, err = c.runStage(ctx, n+1, name)
		}
	}
	return status == 0 && err == nil, err
}

// runStage runs a stage on the output of the previous one.
func (c *hostile) runStage(ctx context.Context, n int, words ...string) (status int, err error) {
	p := c.process(ctx, words...)
	in, err := os.Open(c.stage(n - 1))
	if err == nil {
		defer in.Close()
		p.cmd.Stdin = in
	}
	out, err := os.Create(c.stage(n))
	if err != nil {
		return 0, err
	}
	p.cmd.Stdout = out
	if err = errors.Join(p.run(), out.Close()); err == nil && n < 3 {
		err = c.checkRecords(c.stage(n), n == 0)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", p, err)
	}
	return p.status, err
}

func (c *hostile) stage(n int) string { return filepath.Join(c.dir, fmt.Sprintf("%d.jsonl", n)) }

// checkRecords returns an error unless each line is a record, and with digests, unless each text has its own digest.
func (c *hostile) checkRecords(path string, digests bool) error {
	data, err := os.ReadFile(path)
	if err != nil || bytes.Contains(data, []byte(c.canary)) {
		return errors.Join(err, errors.New("it writes what is outside of the tree"))
	}
	for line := range bytes.Lines(data) {
		var r struct{ Type, Text, SHA256 string }
		if err := json.Unmarshal(line, &r); err != nil || r.Type == "" {
			return fmt.Errorf("it writes a line that is no record: %.200q: %v", line, err)
		}
		if sum := sha256.Sum256([]byte(r.Text)); digests && strings.HasPrefix(r.Text, restless) && r.SHA256 != hex.EncodeToString(sum[:]) {
			return fmt.Errorf("it writes a text with the digest of another: %.200q", line)
		}
	}
	return nil
}

// watch runs the pipeline with --watch for a second, while files are created, deleted and replaced by links.
func (c *hostile) watch(ctx context.Context) error {
	defer c.turmoil()()
	p := c.process(ctx, "bash", "-o", "pipefail", "-c", "PATH=$0:$PATH; timeout -s INT 1 cortex-parse --watch . | cortex-chunk | cortex-embed | cortex-store --quiet", c.bin)
	p.interrupted = true
	return p.run()
}

// snapshot returns the names and contents of all files in a folder.
func snapshot(dir string) (string, error) {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %q\n", path, data)
		return err
	})
	return b.String(), err
}
