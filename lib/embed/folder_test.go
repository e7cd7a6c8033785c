package embed

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"cortex/lib/embed/provider"
)

// TestHostileModelFolders opens folders with one invalid file each. Opening must not block or take more memory than the
// file's size justifies, and the error must be a single line.
func TestHostileModelFolders(t *testing.T) {
	if testing.Short() {
		t.Skip("writes models")
	}
	sparse := func(size int64, head string) func(path string) error {
		return func(path string) error {
			if err := os.WriteFile(path, []byte(head), 0o600); err != nil {
				return err
			}
			return os.Truncate(path, size)
		}
	}
	content := func(text string) func(string) error {
		return func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	tensors := func(header any, size int64) func(path string) error {
		data, err := json.Marshal(header)
		if err != nil {
			t.Fatal(err)
		}
		return sparse(size+int64(len(data))+8, string(binary.LittleEndian.AppendUint64(nil, uint64(len(data))))+string(data))
	}
	type entry map[string]any
	const many = 100 << 20
	for name, c := range map[string]struct {
		file string
		put  func(path string) error
		want string
	}{
		"pipe":              {"model.safetensors", func(path string) error { return syscall.Mkfifo(path, 0o600) }, "lacks one of"},
		"folder":            {"tokenizer.json", func(path string) error { return os.Mkdir(path, 0o700) }, "lacks one of"},
		"endless":           {"tokenizer.json", func(path string) error { return os.Symlink("/dev/zero", path) }, "lacks one of"},
		"circle":            {"tokenizer.json", func(path string) error { return os.Symlink("tokenizer.json", path) }, "lacks one of"},
		"sparse tokenizer":  {"tokenizer.json", sparse(10<<30, "{"), "10737418240 bytes, expected at most"},
		"sparse tensors":    {"model.safetensors", sparse(10<<30, ""), "10737418240 bytes, expected at most"},
		"zeros":             {"tokenizer.json", sparse(many, ""), "bytes, expected at most"},
		"long header":       {"model.safetensors", sparse(many, "\x00\x00\x00\x06\x00\x00\x00\x00{"), "expected at most"},
		"long error":        {"tokenizer.json", content(`{"model":{"type":"` + strings.Repeat("x", 1<<20) + `"}}`), "…"},
		"deep":              {"tokenizer.json", content(strings.Repeat("[", 1<<20)), "max depth"},
		"overlapping":       {"model.safetensors", tensors(map[string]entry{"embeddings": {"dtype": "I8", "shape": []int{10, 6}, "data_offsets": []int{0, 60}}, "weights": {"dtype": "I8", "shape": []int{many}, "data_offsets": []int{0, many}}}, many), "weights for 10 tokens"},
		"a mapping of much": {"model.safetensors", tensors(map[string]entry{"embeddings": {"dtype": "I8", "shape": []int{10, 6}, "data_offsets": []int{0, 60}}, "mapping": {"dtype": "I32", "shape": []int{many / 4}, "data_offsets": []int{0, many}}}, many), "a mapping of"},
		"rows without end":  {"model.safetensors", tensors(map[string]entry{"embeddings": {"dtype": "F32", "shape": []int{0, 1 << 30}, "data_offsets": []int{0, 0}}}, 0), "expected rows and columns"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newStaticModel(9, 10, 6).write(t)
			path := filepath.Join(dir, c.file)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := c.put(path); err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Open(context.Background(), provider.Config{Provider: "model2vec", Model: dir})
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 1000 || strings.Contains(err.Error(), "\n") {
				t.Errorf("%.2000v, want %s", err, c.want)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 2*many {
				t.Errorf("%d MB", used>>20)
			}
		})
	}
}
