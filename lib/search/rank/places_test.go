package rank

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/corpus"
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
	places := newPlaceTable(generationOf(t, chunks, 2))
	word := "app" + strings.Repeat(".index", dots)
	if n := len(waysTo(word)); n >= maxParts {
		t.Fatalf("%d ways, want fewer than %d", n, maxParts)
	}
	found := places.find("at " + word)
	if len(found) != 1 {
		t.Errorf("got %d files, want the one that the beginning of the word names", len(found))
	}
	for file := range found {
		if got := places.gen.Path(file); got != index[0] {
			t.Errorf("got %s, want %s", got, index[0])
		}
	}
}

// A candidate of two topics has the score and the evidence of the one that ranks it higher.
func TestUnion(t *testing.T) {
	of := func(chunk int, score float64, meaning float32, match answer.Match) Candidate {
		c := Candidate{Scored: corpus.Scored{Chunk: chunk, Score: score}, Match: match, evidence: &evidence{}}
		c.evidence[Meaning] = meaning
		return c
	}
	list := Union([]Candidate{of(1, .5, .1, answer.MatchKeyword), of(2, .4, .2, answer.MatchKeyword)},
		[]Candidate{of(2, .7, .3, answer.MatchSemantic), of(1, .2, .4, answer.MatchKeyword), of(3, .1, .5, answer.MatchSemantic)})
	want := []Candidate{of(1, .5, .1, answer.MatchKeyword), of(2, .7, .3, answer.MatchBoth), of(3, .1, .5, answer.MatchSemantic)}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("got %+v", list)
	}
}
