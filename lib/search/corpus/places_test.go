package corpus

import (
	"fmt"
	"strings"
	"testing"

	"cortex/lib/record"
)

func TestPlaces(t *testing.T) {
	var chunks []*record.Chunk
	for _, file := range []string{"src/core/io.c", "src/win/io.c", "src/app.py", "src/app/models/user.py", "README.md"} {
		chunks = append(chunks, &record.Chunk{ID: file, ChunkType: record.Implementations, Text: "text", Metadata: record.Metadata{FilePath: file}})
	}
	places := NewPlaces(ofChunks(t, chunks...).Generation)
	tests := []struct {
		text string
		want map[string]float32
	}{
		{"at win/io.c:12", map[string]float32{"src/win/io.c": 1}},
		{"in io.c there", map[string]float32{"src/core/io.c": 0.5, "src/win/io.c": 0.5}},
		{`File "C:/x/src/app/models/user.py"`, map[string]float32{"src/app/models/user.py": 1}},
		{"app.models.user.User.save failed", map[string]float32{"src/app/models/user.py": 1}},
		{"models of user", nil},
		{"see ../../etc/passwd", nil},
	}
	for _, tt := range tests {
		got := map[string]float32{}
		for file, value := range places.In(tt.text) {
			got[places.gen.Path(file)] = value
		}
		if len(got) != len(tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
		for file, value := range tt.want {
			if got[file] != value {
				t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
			}
		}
	}
}

// Each way goes through all files of its name, of which a repository may have thousands, so a pasted word must not have ways without end.
func TestWaysOfAPastedWordAreBounded(t *testing.T) {
	const dots = 100_000
	index := []string{"src/app/index.js"}
	for i := range 2000 {
		index = append(index, fmt.Sprintf("src/d%d/index.js", i))
	}
	var chunks []*record.Chunk
	for _, file := range index {
		chunks = append(chunks, &record.Chunk{ID: file, ChunkType: record.Implementations, Text: "text", Metadata: record.Metadata{FilePath: file}})
	}
	places := NewPlaces(ofChunks(t, chunks...).Generation)
	word := "app" + strings.Repeat(".index", dots)
	if n := len(waysTo(word)); n >= maxParts {
		t.Fatalf("%d ways, want fewer than %d", n, maxParts)
	}
	found := places.In("at " + word)
	if len(found) != 1 {
		t.Errorf("got %d files, want the one that the beginning of the word names", len(found))
	}
	for file := range found {
		if got := places.gen.Path(file); got != index[0] {
			t.Errorf("got %s, want %s", got, index[0])
		}
	}
}
