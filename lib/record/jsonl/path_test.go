package jsonl

import (
	"errors"
	"strings"
	"testing"

	"cortex/lib/record"
)

// No field of a record accepts a path that leads out of its tree.
func TestPathsOfRecords(t *testing.T) {
	for _, path := range []string{"/etc/passwd", "../x", ".git/config", "a/.cortex/x", "a\x00", ".", strings.Repeat("a/", record.MaxPath)} {
		for name, rec := range map[string]record.Record{
			"file":             &record.File{FilePath: path, Status: record.StatusOK},
			"deleted file":     &record.File{FilePath: path, Status: record.StatusDeleted},
			"chunk":            &record.Chunk{ID: "c", ChunkType: record.Data, Metadata: record.Metadata{FilePath: path}},
			"chunk of a tree":  &record.Chunk{ID: "c", ChunkType: record.Data, Metadata: record.Metadata{FilePath: "web:" + path, Tree: "web"}},
			"mapping":          &record.File{FilePath: "go.mod", Status: record.StatusOK, Mappings: []record.Mapping{{Module: "m", Path: path + "x/../.."}}},
			"tree":             &record.Begin{Schema: record.Schema, Mode: record.Full, Tree: path},
			"tree of a chunk":  &record.Chunk{ID: "c", ChunkType: record.Data, Metadata: record.Metadata{FilePath: path + ":a", Tree: path}},
			"without its tree": &record.Chunk{ID: "c", ChunkType: record.Data, Metadata: record.Metadata{FilePath: "a", Tree: "web"}},
		} {
			line, err := Append(nil, rec)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Line{Name: "in", Number: 7, Data: line[:len(line)-1]}.Decode()
			var at *LineError
			if !errors.As(err, &at) || !strings.HasPrefix(err.Error(), "in:7: ") {
				t.Errorf("%s %.40q: %.400v", name, path, err)
			}
		}
	}
	for _, rec := range []record.Record{
		&record.File{FilePath: "go.mod", Status: record.StatusOK, Mappings: []record.Mapping{{Module: "m", Path: "."}, {Module: "m/*", Path: "src/*"}}},
		&record.Chunk{ID: "c", ChunkType: record.Data, Metadata: record.Metadata{FilePath: "web:a/b", Tree: "web"}},
	} {
		line, err := Append(nil, rec)
		if err == nil {
			_, err = Line{Data: line[:len(line)-1]}.Decode()
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// FuzzPaths puts arbitrary text into every path field of a record. An accepted record has only paths below the root of
// its tree.
func FuzzPaths(f *testing.F) {
	for _, path := range []string{"a/b.go", "/etc/passwd", "../x", ".git/config", "a/.cortex", "a\x00b", "a//b", ".", "web:a", "web:/a", "\xff"} {
		f.Add(path, "", path)
		f.Add("web:"+path, "web", ".")
		f.Add(path+":a", path, "src/*")
	}
	f.Fuzz(func(t *testing.T, path, tree, mapping string) {
		for range record.Folders(path) { // which ends
		}
		for _, rec := range []record.Record{
			&record.Begin{Schema: record.Schema, Mode: record.Full, Tree: tree},
			&record.File{FilePath: path, Status: record.StatusOK, Mappings: []record.Mapping{{Module: "m", Path: mapping}}},
			&record.Chunk{ID: "c", ChunkType: record.Data, Metadata: record.Metadata{FilePath: path, Tree: tree}},
		} {
			line, err := Append(nil, rec)
			if err != nil {
				continue
			}
			decoded, err := Line{Data: line[:len(line)-1]}.Decode()
			if err != nil {
				continue
			}
			var paths []string
			switch r := decoded.(type) {
			case *record.Begin:
				if strings.ContainsRune(r.Tree, ':') {
					t.Errorf("tree %q", r.Tree)
				}
				if r.Tree != "" {
					paths = append(paths, r.Tree)
				}
			case *record.File:
				paths = append(paths, r.FilePath)
				if at := r.Mappings[0].Path; at != "." {
					paths = append(paths, at)
				}
			case *record.Chunk:
				if r.Metadata.Tree != "" && !strings.HasPrefix(r.Metadata.FilePath, r.Metadata.Tree+":") {
					t.Errorf("%q in tree %q", r.Metadata.FilePath, r.Metadata.Tree)
				}
				paths = append(paths, record.SplitTreePath(r.Metadata.Tree, r.Metadata.FilePath))
			}
			for _, p := range paths {
				for part := range strings.SplitSeq(p, "/") {
					if part == "" || part == "." || part == ".." || part == ".git" || part == ".cortex" || strings.Contains(part, "\x00") {
						t.Errorf("path %q is accepted", p)
					}
				}
				if len(p) > record.MaxPath {
					t.Errorf("a path of %d bytes is accepted", len(p))
				}
			}
		}
	})
}
