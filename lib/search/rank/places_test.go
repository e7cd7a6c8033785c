package rank

import (
	"testing"

	"cortex/lib/record"
)

func TestPlaces(t *testing.T) {
	var chunks []*record.Chunk
	for _, file := range []string{"src/core/io.c", "src/win/io.c", "src/app.py", "src/app/models/user.py", "README.md"} {
		chunks = append(chunks, &record.Chunk{ID: file, ChunkType: record.Implementations, Text: "text", Metadata: record.Metadata{FilePath: file}})
	}
	places := newPlaceTable(generationOf(t, chunks, 2))
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
		for file, value := range places.find(tt.text) {
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
