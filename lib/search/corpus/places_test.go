package corpus

import (
	"fmt"
	"slices"
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
		{"app::models::user::User::save failed", map[string]float32{"src/app/models/user.py": 1}},
	}
	for _, tt := range tests {
		got := map[string]float32{}
		for file, value := range places.Pointed(tt.text).Files {
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

func TestPointedLines(t *testing.T) {
	var chunks []*record.Chunk
	for _, file := range []string{"src/core/io.c", "src/core/IO.h", "src/win/io.c", "src/app/models/user.py", "src/Core.cs", "src/utf8.rs"} {
		chunks = append(chunks, &record.Chunk{ID: file, ChunkType: record.Implementations, Text: "text", Metadata: record.Metadata{FilePath: file}})
	}
	places := NewPlaces(ofChunks(t, chunks...).Generation)
	for text, want := range map[string][]string{
		"crash at win/io.c:12": {"src/win/io.c 12 "},
		"thread 'main' panicked at crates/x/src/utf8.rs:43:22: capacity overflow":            {"src/utf8.rs 43 "},
		`File "C:\x/src/app/models/user.py", line 88, in save`:                               {"src/app/models/user.py 88 save"},
		"at app.Core.Run() in /home/ci/src/Core.cs:line 7\n   at Main.cs:line 3":             {"src/Core.cs 7 "},
		"\tat org.x.Core.run(Core.cs:417)\n\tat org.x.Gone.run(Gone.cs:1)":                   {"src/Core.cs 417 "},
		"src/app/models/user.py:137: in find\n    x()\nsrc/utf8.rs:3: in go":                 {"src/utf8.rs 3 go", "src/app/models/user.py 137 find"},
		"src/app/models/user.rb:12:in `block in save!'\n\tfrom src/win/io.rb:3:in 'IO#read'": {"src/app/models/user.py 12 save!", "src/win/io.c 3 read"},
		"src/core/io.c:12, core/io.h:3 and core/io.rs:4":                                     {"src/core/io.c 12 ", "src/core/IO.h 3 "},
		"PHP Warning: x in /var/www/src/Core.php on line 12":                                 {"src/Core.cs 12 "},
		"src/Core.cs(12,5): error CS1002":                                                    {"src/Core.cs 12 "},
		"https://example.org/blob/main/src/core/io.c#L120-L130 is wrong.":                    {"src/core/io.c 120 "},
		"see src/core/io.c:5.": {"src/core/io.c 5 "},
		"io.c:5 is one of two files, src/core/io.c has no line, and 99999999 none: src/Core.cs:99999999": nil,
		strings.Repeat("src/Core.cs:1 ", 100): slices.Repeat([]string{"src/Core.cs 1 "}, maxLines),
	} {
		var got []string
		for _, l := range places.Pointed(text).Lines {
			got = append(got, fmt.Sprint(places.gen.Path(l.File), " ", l.Line, " ", l.Function))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.80q: %q, want %q", text, got, want)
		}
	}
}

// find visits all files with a name, of which a repository may have thousands, so the number of paths that a pasted
// word may stand for must be bounded.
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
	found := places.Pointed("at " + word).Files
	if len(found) != 1 {
		t.Errorf("got %d files, want the one that the beginning of the word names", len(found))
	}
	for file := range found {
		if got := places.gen.Path(file); got != index[0] {
			t.Errorf("got %s, want %s", got, index[0])
		}
	}
}
