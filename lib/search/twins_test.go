package search

import (
	"fmt"
	"slices"
	"testing"

	"cortex/lib/record"
	"cortex/lib/search/answer"
)

const retryText = `func Retry(ctx Context, attempts int, call func() error) error {
	for n := 0; n < attempts; n++ {
		if err := call(); err == nil || ctx.Done() {
			return err
		}
		wait(ctx, backoff(n))
	}
	return errors.New("%s: too many attempts")
}`

// Siblings that say nearly the same are one hit, which tells of the others.
func TestTwinsAreOneHit(t *testing.T) {
	var chunks []*record.Chunk
	for _, version := range []string{"v3", "v4", "v5"} {
		chunks = append(chunks, chunk("api/"+version+"/retry.go", "Retry", fmt.Sprintf(retryText, version)))
	}
	chunks = append(chunks,
		chunk("other/retry.go", "Retry", "func Retry(job Job) { attempts.Add(job); queue.Push(job, attempts.Of(job)) }"),
		chunk("api/v3/retry.go", "RetryAll", fmt.Sprintf(retryText, "v3")),
	)
	x := newIndex(t, chunks)
	r := lexical(t, x, answer.Request{Queries: []string{"retry attempts"}})
	if r.TotalFound != 3 || len(r.Results) != 3 {
		t.Errorf("%d hits of %d: %q", len(r.Results), r.TotalFound, ids(r))
	}
	twins := 0
	for _, h := range r.Results {
		twins += len(h.Twins)
		if len(h.Twins) > 0 && (len(h.Twins) != 2 || h.Twins[0].FilePath != "api/v4/retry.go" || h.Twins[0].StartLine != 10 || h.Twins[1].FilePath != "api/v5/retry.go") {
			t.Errorf("twins %+v", h.Twins)
		}
	}
	if twins != 2 {
		t.Errorf("%d twins", twins)
	}
}

// Pages go on where the one before ended, whatever twins there are.
func TestTwinsAndPages(t *testing.T) {
	var chunks []*record.Chunk
	for n := range 12 {
		chunks = append(chunks, chunk(fmt.Sprintf("a/retry%d.go", n), fmt.Sprintf("Retry%c", 'A'+n/3), fmt.Sprintf(retryText, "same")))
	}
	x := newIndex(t, chunks)
	all := lexical(t, x, answer.Request{Queries: []string{"retry attempts"}, Limit: -1})
	if len(all.Results) != 4 || all.TotalFound != 4 {
		t.Fatalf("%d hits of %d: %q", len(all.Results), all.TotalFound, ids(all))
	}
	var paged []string
	for offset := range 4 {
		paged = append(paged, ids(lexical(t, x, answer.Request{Queries: []string{"retry attempts"}, Limit: 1, Offset: offset}))...)
	}
	if !slices.Equal(paged, ids(all)) {
		t.Errorf("pages %q, all %q", paged, ids(all))
	}
}
