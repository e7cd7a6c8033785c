package search

import (
	"fmt"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
	"cortex/lib/search/rank"
)

// TestFileAsAWholeIsNear checks that a chunk gets a better score in a file about its subject than in a file about other
// subjects.
func TestFileAsAWholeIsNear(t *testing.T) {
	const text = "func %s(attempts int) error {\n\t// sleep longer after each failed attempt, and try again\n\treturn retry(attempts)\n}\n"
	chunks := []*record.Chunk{
		chunk("net/retry.go", "Backoff", fmt.Sprintf(text, "Backoff")),
		chunk("net/all.go", "Pause", fmt.Sprintf(text, "Pause")),
	}
	for i := range 30 {
		name := fmt.Sprintf("Draw%d", i)
		chunks = append(chunks, chunk("net/all.go", name, "func "+name+"(canvas *Canvas) {\n\tcanvas.fill(rectangle, colour)\n\tcanvas.stroke(width)\n}\n"))
	}
	r, err := newIndex(t, chunks).Search(t.Context(), answer.Request{Queries: []string{"do it once more and be patient when it went wrong"}, Explain: true, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	near := map[string]float64{}
	for _, hit := range r.Results {
		for _, reason := range hit.Reasons {
			if reason.Signal == rank.FileMeaning.String() {
				near[hit.Chunk.Metadata.FilePath] = max(near[hit.Chunk.Metadata.FilePath], reason.Value)
			}
		}
	}
	if near["net/retry.go"] != 1 || near["net/all.go"] <= 0 || near["net/all.go"] > 0.8 {
		t.Errorf("file meaning %v, want 1 for the small file, and less for the other", near)
	}
}
