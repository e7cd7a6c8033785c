package record

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestCheckPath(t *testing.T) {
	longest := strings.Repeat("a/", MaxPath/2) + "a"
	for _, path := range []string{
		"a", "a/b.go", "a b/ü/..c", ".github/x", "a:b", "...", ".gitignore", "x.git/y", "~/x", `a\b`, "a\nb", "-x", "C:/x", longest,
	} {
		if err := CheckPath(path); err != nil {
			t.Errorf("%.40q: %v", path, err)
		}
	}
	for path, want := range map[string]string{
		"":                  "it is empty",
		".":                 "it is not relative to the root of the tree",
		"/":                 "it is not relative to the root of the tree",
		"/etc/passwd":       "it is not relative to the root of the tree",
		"..":                "it is not relative to the root of the tree",
		"../x":              "it is not relative to the root of the tree",
		"a/../b":            "it is not relative to the root of the tree",
		"a//b":              "it is not relative to the root of the tree",
		"a/":                "it is not relative to the root of the tree",
		"./a":               "it is not relative to the root of the tree",
		"a/./b":             "it is not relative to the root of the tree",
		"a\x00b":            "it holds a NUL byte",
		"a\xffb":            "it is not UTF-8",
		".git":              `it leads into ".git"`,
		".git/config":       `it leads into ".git"`,
		"sub/.git/HEAD":     `it leads into ".git"`,
		".cortex/x":         `it leads into ".cortex"`,
		"a/.cortex":         `it leads into ".cortex"`,
		longest + "a":       "it is longer than 4095 bytes",
		longest + "\xff/..": "it is longer than 4095 bytes",
	} {
		if err := CheckPath(path); err == nil || err.Error() != want {
			t.Errorf("%.40q: got %v, want %s", path, err, want)
		}
	}
}

func TestCheckTree(t *testing.T) {
	for _, name := range []string{"", "web", "org/repo", "größer", "a b"} {
		if err := CheckTree(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"a:b", "a\nb", "a\x00", "\x7f", "\u009b", "/x", "../x", "a/../b", ".", "x/", "\xff", ".git", strings.Repeat("a", MaxPath+1)} {
		if err := CheckTree(name); err == nil {
			t.Errorf("%.40q: got %.400v", name, err)
		}
	}
}

// Climbing from a path to the root of its tree ends for any text.
func TestFolders(t *testing.T) {
	for path, want := range map[string][]string{
		"a":      {"."},
		"a/b/c":  {"a/b", "a", "."},
		"/a/b":   {"/a", "", "."},
		"/":      {"", "."},
		"//":     {"/", "", "."},
		"..":     {"."},
		"../../": {"../..", "..", "."},
		"":       {"."},
	} {
		if got := slices.Collect(Folders(path)); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
	for range Folders("a/b/c") {
		break
	}
}

// No record has a path that leads out of its tree, in whatever field it stands.
func TestPathsOfRecords(t *testing.T) {
	for _, path := range []string{"/etc/passwd", "../x", ".git/config", "a/.cortex/x", "a\x00", ".", strings.Repeat("a/", MaxPath)} {
		for name, rec := range map[string]Record{
			"file":             &File{FilePath: path, Status: StatusOK},
			"deleted file":     &File{FilePath: path, Status: StatusDeleted},
			"chunk":            &Chunk{ID: "c", ChunkType: Data, Metadata: Metadata{FilePath: path}},
			"chunk of a tree":  &Chunk{ID: "c", ChunkType: Data, Metadata: Metadata{FilePath: "web:" + path, Tree: "web"}},
			"mapping":          &File{FilePath: "go.mod", Status: StatusOK, Mappings: []Mapping{{Module: "m", Path: path + "x/../.."}}},
			"tree":             &Begin{Schema: Schema, Mode: Full, Tree: path},
			"tree of a chunk":  &Chunk{ID: "c", ChunkType: Data, Metadata: Metadata{FilePath: path + ":a", Tree: path}},
			"without its tree": &Chunk{ID: "c", ChunkType: Data, Metadata: Metadata{FilePath: "a", Tree: "web"}},
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
	for _, rec := range []Record{
		&File{FilePath: "go.mod", Status: StatusOK, Mappings: []Mapping{{Module: "m", Path: "."}, {Module: "m/*", Path: "src/*"}}},
		&Chunk{ID: "c", ChunkType: Data, Metadata: Metadata{FilePath: "web:a/b", Tree: "web"}},
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

// FuzzPaths puts any text into every field of a record that is a path. A record that is accepted has only paths below the root of its tree.
func FuzzPaths(f *testing.F) {
	for _, path := range []string{"a/b.go", "/etc/passwd", "../x", ".git/config", "a/.cortex", "a\x00b", "a//b", ".", "web:a", "web:/a", "\xff"} {
		f.Add(path, "", path)
		f.Add("web:"+path, "web", ".")
		f.Add(path+":a", path, "src/*")
	}
	f.Fuzz(func(t *testing.T, path, tree, mapping string) {
		for range Folders(path) { // which ends
		}
		for _, rec := range []Record{
			&Begin{Schema: Schema, Mode: Full, Tree: tree},
			&File{FilePath: path, Status: StatusOK, Mappings: []Mapping{{Module: "m", Path: mapping}}},
			&Chunk{ID: "c", ChunkType: Data, Metadata: Metadata{FilePath: path, Tree: tree}},
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
			case *Begin:
				if strings.ContainsRune(r.Tree, ':') {
					t.Errorf("tree %q", r.Tree)
				}
				if r.Tree != "" {
					paths = append(paths, r.Tree)
				}
			case *File:
				paths = append(paths, r.FilePath)
				if at := r.Mappings[0].Path; at != "." {
					paths = append(paths, at)
				}
			case *Chunk:
				if r.Metadata.Tree != "" && !strings.HasPrefix(r.Metadata.FilePath, r.Metadata.Tree+":") {
					t.Errorf("%q in tree %q", r.Metadata.FilePath, r.Metadata.Tree)
				}
				paths = append(paths, SplitTreePath(r.Metadata.Tree, r.Metadata.FilePath))
			}
			for _, p := range paths {
				for part := range strings.SplitSeq(p, "/") {
					if part == "" || part == "." || part == ".." || part == ".git" || part == ".cortex" || strings.Contains(part, "\x00") {
						t.Errorf("path %q is accepted", p)
					}
				}
				if len(p) > MaxPath {
					t.Errorf("a path of %d bytes is accepted", len(p))
				}
			}
		}
	})
}
