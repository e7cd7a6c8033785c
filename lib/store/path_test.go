package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
)

// outside are texts that are no path of a file in a tree.
var outside = []string{"/x", "../x", "a/../../x", ".git/config", "a/.cortex/x", "a\x00b", "a//b", "./a", "a/"}

// A record whose path leads out of the tree is refused by name and line, and no chunk of it comes into the store.
func TestPathsOutsideOfTheTree(t *testing.T) {
	for _, path := range outside {
		t.Run(path, func(t *testing.T) {
			dir := stored(t)
			before := contents(t, dir)
			o := apply(t, dir, stream(t, begin(record.Full, 1), file(path, "ok"), code("z", path, "zet"), end(1)))
			checkContains(t, o.messages(), "stdin:2: file record: file_path ")
			checkContains(t, o.messages(), "stdin:3: chunk record: ")
			if got := ids(mustLoad(t, dir)); got != "a1=one a2=two b1=bee c1=sea" {
				t.Error(got)
			}
			if o := apply(t, dir, stream(t, code("z", path, "zet"))); !strings.Contains(o.messages(), "stdin:1: chunk record: ") {
				t.Error(o.messages())
			}
			if o := apply(t, dir, stream(t, inTree("web", code("z", path, "zet")))); !strings.Contains(o.messages(), "stdin:1: chunk record: ") {
				t.Error(o.messages())
			}
			if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A manifest with a path that leads out of the tree is damaged, and whoever reads it says at which line.
func TestPathsInTheManifest(t *testing.T) {
	for name, edit := range map[string]func(m *Manifest, path string){
		"files":          func(m *Manifest, path string) { m.Files[path] = m.Files["a.go"] },
		"files of trees": func(m *Manifest, path string) { m.Files["web:"+path] = File{Tree: "web"} },
		"checksums":      func(m *Manifest, path string) { m.FileChecksums[path] = sum(1) },
		"skipped":        func(m *Manifest, path string) { m.Skipped[path] = "binary" },
		"trees":          func(m *Manifest, path string) { m.Trees[path] = Tree{} },
		"tree of a file": func(m *Manifest, path string) { m.Files[path+":a"] = File{Tree: path} },
	} {
		for _, path := range outside {
			t.Run(name+" "+path, func(t *testing.T) {
				dir := stored(t)
				m := mustLoad(t, dir).Manifest
				edit(&m, path)
				data, err := encode(&m)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, ManifestName), data, 0o666); err != nil {
					t.Fatal(err)
				}
				key, _ := json.Marshal(path)
				line := 1 + slices.IndexFunc(strings.Split(string(data), "\n"), func(line string) bool { return strings.Contains(line, string(key[1:len(key)-1])) })
				for job, read := range readers {
					if job == "lines" || job == "graph" {
						continue // the head is enough for those
					}
					err := read(dir)
					checkHint(t, err, "rm ")
					checkContains(t, err.Error(), "read "+dir+"/"+ManifestName+": damaged manifest: line "+number(line)+": ")
				}
			})
		}
	}
}

// A chunk file with a path that leads out of the tree is damaged.
func TestPathsInChunkFiles(t *testing.T) {
	for _, path := range outside {
		t.Run(path, func(t *testing.T) {
			dir := stored(t)
			key, _ := json.Marshal(path)
			forge(t, dir, 3, func(lines []string) []string {
				lines[3] = strings.Replace(lines[3], `"b.go"`, string(key), 1)
				return lines
			})
			_, err := Load(t.Context(), dir)
			checkHint(t, err, "index again in full")
			checkContains(t, err.Error(), `code-implementations.jsonl:4: damaged: chunk record: chunk "b1": file_path `)
			checkContains(t, verify(t, dir), `code-implementations.jsonl:4: damaged: chunk record: chunk "b1": file_path `)
		})
	}
}

// FuzzManifestPaths puts any text into every field of a manifest that is a path. What is read back lies below the root of its tree.
func FuzzManifestPaths(f *testing.F) {
	for _, path := range append(slices.Clone(outside), "a/b", "web:a", "\xff", "") {
		f.Add(path, "")
		f.Add("web:"+path, "web")
		f.Add(path+":a", path)
	}
	empty := map[string]ChunkFile{}
	for _, name := range fileNames {
		empty[name] = ChunkFile{SHA256: strings.Repeat("0", 64)}
	}
	f.Fuzz(func(t *testing.T, path, tree string) {
		m := Manifest{Version: Version, Generation: 1, ChunkFiles: empty,
			Trees: map[string]Tree{tree: {}}, Skipped: map[string]string{path: "binary"},
			Files: map[string]File{path: {Tree: tree}}, FileChecksums: map[string]string{path: sum(1)}}
		data, err := encode(&m)
		if err != nil {
			return
		}
		again, err := decodeManifest(data)
		if err != nil {
			checkContains(t, err.Error(), "damaged manifest: ")
			return
		}
		for path, f := range again.Files {
			for range folders(path) {
			}
			if err := record.CheckTreePath(f.Tree, path); err != nil {
				t.Errorf("%q in tree %q is accepted: %v", path, f.Tree, err)
			}
		}
		for tree := range again.Trees {
			if err := record.CheckTree(tree); err != nil {
				t.Errorf("tree %q is accepted: %v", tree, err)
			}
		}
	})
}
