package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// makeIndex makes the index from which others are forged.
func (h *hunt) makeIndex(ctx context.Context) error {
	c, err := h.newCase(-1)
	if err != nil {
		return err
	}
	defer c.root.Close()
	for i, s := range h.sources {
		c.write(fmt.Sprintf("d%d/%s", i%7, s.name), s.text)
	}
	if stored, err := c.pipeline(ctx); err != nil || !stored {
		return errors.Join(errors.New("make an index"), err)
	}
	h.index = filepath.Join(c.dir, "tree", ".cortex")
	return nil
}

// eachFile calls f on all regular files below a folder. It ignores errors.
func eachFile(dir string, f func(path string)) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			f(path)
		}
		return nil
	})
}

// forge copies an index of other files into the tree, and changes it.
func (c *hostile) forge() {
	c.forged = true
	target := filepath.Join(c.dir, "tree")
	if os.CopyFS(filepath.Join(target, ".cortex"), os.DirFS(c.index)) != nil {
		return
	}
	var files []string
	eachFile(target, func(path string) { files = append(files, path[len(target)+1:]) })
	for range 1 + c.upTo(6) {
		name := pick(c, pick(c, files...), ".cortex/generator-output.json", ".cortex/shards/00.jsonl", ".cortex/shards/00.jsonl")
		data := c.read(name)
		for range 1 + c.upTo(20) {
			data = pick(c, c.otherValue, c.otherValue, c.mutated)(data)
		}
		if c.write(name, data); c.IntN(8) == 0 {
			c.object(name)
		}
	}
	if c.IntN(3) > 0 {
		c.sign()
	}
}

// sign updates the sizes and digests in the manifest, as a forger would.
func (c *hostile) sign() {
	var manifest struct {
		rest   map[string]any
		Shards []map[string]any `json:"shards"`
	}
	data := c.read(".cortex/generator-output.json")
	if json.Unmarshal(data, &manifest) != nil || json.Unmarshal(data, &manifest.rest) != nil {
		return
	}
	for _, fields := range manifest.Shards {
		name, _ := fields["name"].(string)
		content := c.read(".cortex/shards/" + name)
		if fields == nil || content == nil {
			continue
		}
		sum := sha256.Sum256(content)
		fields["size"], fields["digest"] = len(content), hex.EncodeToString(sum[:])
		fields["files"], fields["chunks"] = strings.Count(string(content), `"type":"file"`), strings.Count(string(content), `"type":"chunk"`)
	}
	manifest.rest["shards"] = manifest.Shards
	if data, err := json.Marshal(manifest.rest); err == nil {
		c.write(".cortex/generator-output.json", data)
	}
}

// damage changes files in the user's cache folder. Cortex may trust their origin, but must not trust that they are
// intact.
func (c *hostile) damage() {
	eachFile(filepath.Join(c.dir, "home"), func(path string) {
		data, err := os.ReadFile(path)
		if err != nil || len(data) == 0 || c.IntN(3) == 0 {
			return
		}
		if c.IntN(4) == 0 {
			data = data[:1+c.IntN(len(data))]
		}
		for range c.upTo(10) {
			data[c.IntN(len(data))] ^= 1 << c.IntN(8)
		}
		_ = os.WriteFile(path, data, 0o644)
	})
}
