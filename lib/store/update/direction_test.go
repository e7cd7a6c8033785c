package update

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"cortex/lib/record"
	"cortex/lib/record/jsonl"
	"cortex/lib/store"
)

// lost has vectors without direction.
var lost = map[string]record.Embedding{
	"zero":         {0, 0, 0},
	"below normal": {1e-40, -1e-40, 1e-40},
	"not a number": {1, float32(math.NaN()), 0},
	"infinite":     {1, 0, float32(math.Inf(-1))},
}

// A chunk whose vector has no direction is stored without it: words find it, and the next run embeds it again.
func TestVectorsWithoutDirection(t *testing.T) {
	for name, vector := range lost {
		t.Run(name, func(t *testing.T) {
			dir := newDir(t)
			bad := code("b1", "b.go", "bee")
			bad.Embedding = vector
			o := apply(t, dir, stream(t, begin(record.Full, 2), file("a.go", "ok"), code("a1", "a.go", "one"), file("b.go", "ok"), bad, end(2)))
			if o.messages() != "" {
				t.Error(o.messages())
			}
			if diff := cmp.Diff([]string{`left out the embedding of 1 chunk, the first of "b1": a vector of zeros, or one that is not finite, has no direction; found by words alone`}, o.warned); diff != "" {
				t.Error(diff)
			}
			snap := mustLoad(t, dir)
			if got := ids(snap); got != "a1=one b1=bee" || snap.Chunks[1].Embedding != nil || snap.Chunks[1].EmbeddingModel != "" {
				t.Error(got, snap.Chunks[1])
			}
			if n := snap.Manifest.Stats.Unembedded; n != 1 {
				t.Errorf("%d chunks without embedding", n)
			}
			if checksums(t, dir)["b.go"] != "" {
				t.Error("the next run would not embed it again")
			}
			checkVerified(t, dir)
			// A later valid vector replaces it.
			mustApply(t, dir, stream(t, begin(record.Incremental, 1), file("b.go", "ok"), code("b1", "b.go", "bee"), end(1)))
			if n := mustLoad(t, dir).Manifest.Stats.Unembedded; n != 0 {
				t.Errorf("%d chunks without embedding", n)
			}
			checkVerified(t, dir)
		})
	}
}

// A store that has such vectors, made by another program, is read as if they were missing, and Verify names their
// chunks.
func TestStoredVectorsWithoutDirection(t *testing.T) {
	good := code("b1", "b.go", "bee").Embedding.Base64()
	for name, vector := range lost {
		t.Run(name, func(t *testing.T) {
			dir := stored(t)
			forge(t, dir, func(lines []string) []string {
				lines[4] = strings.Replace(lines[4], good, vector.Base64(), 1)
				return lines
			})
			for _, c := range mustLoad(t, dir).Chunks {
				if (c.Embedding == nil) != (c.ID == "b1") {
					t.Errorf("%s: %v", c.ID, c.Embedding)
				}
			}
			if got, want := verify(t, dir), dir+`/shards/00.jsonl:5: chunk "b1" has an embedding without direction`; got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
			var out bytes.Buffer
			if err := store.Cat(context.Background(), dir, jsonl.NewWriter(&out), store.CatOptions{Floats: true}); err != nil || strings.Contains(out.String(), "NaN") || strings.Contains(out.String(), "Inf") {
				t.Errorf("%v\n%s", err, &out)
			}
			// The chunks of other files are stored as before, and a full run mends it.
			mustApply(t, dir, stream(t, begin(record.Incremental, 1), file("a.go", "ok"), code("a1", "a.go", "uno"), end(1)))
			mustApply(t, dir, stream(t, begin(record.Full, 2), file("a.go", "ok"), code("a1", "a.go", "uno"), file("b.go", "ok"), code("b1", "b.go", "bee"), end(2)))
			checkVerified(t, dir)
		})
	}
}
